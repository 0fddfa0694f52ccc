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

void fragment_read_a(const struct exec_warp *warp, const struct exec_source *source, unsigned depth,
                     unsigned each, struct product_a *a)
{
    uint32_t room[EXEC_LANES];
    if (depth < 8)
        memset(a->bits, 0, sizeof a->bits);
    for (unsigned q = 0; q < depth / (2 * each); q++) {
        const uint32_t *word = exec_read(warp, source, q, room);
        for (unsigned g = 0; g < 8; g++)
            for (unsigned k = 0; k < each; k++) {
                const four_lanes part = lanes_of(word, g) >> (k ? 32 / each * k : 0);
                memcpy(&a->bits[g + 8 * (q % 2)][4 * (q / 2 * each + k)], &part, sizeof part);
            }
    }
}

void fragment_read_b(const struct exec_warp *warp, const struct exec_source *source, unsigned depth,
                     unsigned each, struct product_b *b)
{
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < depth / (4 * each); q++) {
        const uint32_t *word = exec_read(warp, source, q, room);
        for (unsigned k = 0; k < each; k++)
            for (unsigned g = 0; g < PRODUCT_COLUMNS; g++)
                for (unsigned t = 0; t < 4; t++)
                    b->bits[4 * (q * each + k) + t][fragment_column(g)] =
                        word[4 * g + t] >> (k ? 32 / each * k : 0);
    }
}

void fragment_read_c(const struct exec_warp *warp, const struct exec_source *source, unsigned first,
                     bool single, float c[PRODUCT_ROWS][PRODUCT_COLUMNS])
{
    uint32_t room[EXEC_LANES];
    for (unsigned q = 0; q < 4; q++) {
        const uint32_t *word = exec_read(warp, source, first + (single ? q : q / 2), room);
        for (unsigned i = 0; i < EXEC_LANES; i++)
            c[i / 4 + 8 * (q / 2)][4 * (q % 2) + i % 4] =
                single ? alu_float(word[i]) : half_value(word[i] >> 16 * (q % 2));
    }
}

static uint32_t single_result(float value)
{
    return value != value ? 0x7fffffffu : alu_float_bits(value);
}

void fragment_write_d(struct exec_warp *warp, const struct exec_inst *inst, unsigned first,
                      uint32_t lanes, bool single, float d[PRODUCT_ROWS][PRODUCT_COLUMNS])
{
    uint32_t out[EXEC_LANES];
    for (unsigned q = 0; q < (single ? 4 : 2); q++) {
        for (unsigned i = 0; i < EXEC_LANES; i++) {
            const float *row = d[i / 4 + 8 * (single ? q / 2 : q)];
            out[i] = single ? single_result(row[4 * (q % 2) + i % 4])
                            : half_bits(row[i % 4]) | half_bits(row[4 + i % 4]) << 16;
        }
        exec_write(warp, inst, first + q, lanes, out);
    }
}
