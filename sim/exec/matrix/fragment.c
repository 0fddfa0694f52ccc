/* Operands of products between registers and rows. */
#include "exec/matrix/fragment.h"

#include <string.h>

#include "exec/alu/half.h"

typedef uint32_t four_lanes __attribute__((vector_size(16)));

static four_lanes lanes_of(const uint32_t word[EXEC_LANES], unsigned g)
{
    four_lanes four;
    memcpy(&four, word + 4 * g, sizeof four);
    return four;
}

/* Returns the sign bits of the elements of a register that change. `bits`: of an element. */
static uint32_t signs_to_change(const struct exec_source *source, unsigned bits)
{
    const uint32_t last = source->negate ? UINT32_C(1) << 31 : 0;
    return bits == 32 ? last : bits == 16 ? last | last >> 16 : (last >> 7) * 0x01010101u;
}

void fragment_read_a(const struct exec_warp *warp, const struct exec_source *source, unsigned rows,
                     unsigned depth, unsigned each, struct product_a *a)
{
    uint32_t room[EXEC_LANES];
    const unsigned parts = rows / 8, bits = 32 / each;
    const uint32_t change = signs_to_change(source, bits);
    if (depth < 8)
        memset(a->bits, 0, sizeof a->bits);
    for (unsigned q = 0; q < parts * depth / (4 * each); q++) {
        const uint32_t *word = exec_read(warp, source, q, room);
        for (unsigned g = 0; g < 8; g++)
            for (unsigned k = 0; k < each; k++) {
                const four_lanes part = (lanes_of(word, g) ^ change) >> bits * k;
                memcpy(&a->bits[g + 8 * (q % parts)][4 * (q / parts * each + k)], &part,
                       sizeof part);
            }
    }
}

void fragment_read_b(const struct exec_warp *warp, const struct exec_source *source, unsigned depth,
                     unsigned each, struct product_b *b)
{
    uint32_t room[EXEC_LANES];
    const unsigned bits = 32 / each;
    const uint32_t change = signs_to_change(source, bits);
    for (unsigned q = 0; q < depth / (4 * each); q++) {
        const uint32_t *word = exec_read(warp, source, q, room);
        for (unsigned k = 0; k < each; k++)
            for (unsigned g = 0; g < PRODUCT_COLUMNS; g++)
                for (unsigned t = 0; t < 4; t++)
                    b->bits[4 * (q * each + k) + t][fragment_column(g)] =
                        (word[4 * g + t] ^ change) >> bits * k;
    }
}

void fragment_read_words(const struct exec_warp *warp, const struct exec_source *source,
                         unsigned first, unsigned rows, uint32_t c[PRODUCT_ROWS][PRODUCT_COLUMNS])
{
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < rows / 4; q++) {
        const uint32_t *word = exec_read(warp, source, first + q, room);
        for (unsigned g = 0; g < 8; g++)
            memcpy(&c[g + 8 * (q / 2)][4 * (q % 2)], word + 4 * g, sizeof(four_lanes));
    }
}

void fragment_write_words(struct exec_warp *warp, const struct exec_inst *inst, unsigned first,
                          uint32_t lanes, unsigned rows, uint32_t d[PRODUCT_ROWS][PRODUCT_COLUMNS])
{
    uint32_t out[EXEC_LANES];
    for (unsigned q = 0; q < rows / 4; q++) {
        for (unsigned g = 0; g < 8; g++)
            memcpy(out + 4 * g, &d[g + 8 * (q / 2)][4 * (q % 2)], sizeof(four_lanes));
        exec_write(warp, inst, first + q, lanes, out);
    }
}

void fragment_read_c(const struct exec_warp *warp, const struct exec_source *source, unsigned first,
                     bool single, float c[PRODUCT_ROWS][PRODUCT_COLUMNS])
{
    uint32_t words[PRODUCT_ROWS][PRODUCT_COLUMNS], room[EXEC_LANES];
    if (single) {
        fragment_read_words(warp, source, first, PRODUCT_ROWS, words);
        memcpy(c, words, sizeof words);
        return;
    }
    for (unsigned q = 0; q < 4; q++) {
        const uint32_t *word = exec_read(warp, source, first + q / 2, room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            c[i / 4 + 8 * (q / 2)][4 * (q % 2) + i % 4] = half_value(word[i] >> 16 * (q % 2));
    }
}

static void write_singles(struct exec_warp *warp, const struct exec_inst *inst, unsigned first,
                          uint32_t lanes, float d[PRODUCT_ROWS][PRODUCT_COLUMNS])
{
    enum { INFINITE = 0x7f800000, RESULT_NAN = 0x7fffffff };
    uint32_t words[PRODUCT_ROWS][PRODUCT_COLUMNS];
    memcpy(words, d, sizeof words);
    for (unsigned row = 0; row < PRODUCT_ROWS; row++)
        for (unsigned j = 0; j < PRODUCT_COLUMNS; j++)
            if ((words[row][j] & INT32_MAX) > INFINITE)
                words[row][j] = RESULT_NAN;
    fragment_write_words(warp, inst, first, lanes, PRODUCT_ROWS, words);
}

void fragment_write_d(struct exec_warp *warp, const struct exec_inst *inst, unsigned first,
                      uint32_t lanes, bool single, float d[PRODUCT_ROWS][PRODUCT_COLUMNS])
{
    uint32_t out[EXEC_LANES];
    if (single) {
        write_singles(warp, inst, first, lanes, d);
        return;
    }
    for (unsigned q = 0; q < 2; q++) {
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            const float *row = d[i / 4 + 8 * q];
            out[i] = half_bits(row[i % 4]) | half_bits(row[4 + i % 4]) << 16;
        }
        exec_write(warp, inst, first + q, lanes, out);
    }
}
