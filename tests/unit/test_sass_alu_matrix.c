/*
 * Matrix products of machine code: small integers, for which every model of the hardware agrees,
 * against the product by definition; and the cutting off that HMMA is known for.
 */
#include "sass_alu_fixture.h"

enum { ROWS = 16, COLUMNS = 8, INNER = 256 };

/* First registers of A, B, C and D. */
enum { D_AT = 8, A_AT = 24, B_AT = 40, C_AT = 56 };

static struct word matrix_of(uint32_t opcode)
{
    struct word word = with(with(word_of(opcode), 16, 8, D_AT), 24, 8, A_AT);
    word = with(with(word, 32, 8, B_AT), 64, 8, C_AT);
    return with(word, 81, 9, 0);
}

/* A shape and its elements; `bits` of each, 64 for doubles. */
struct shape {
    unsigned rows, inner, bits;
};

struct product {
    int64_t a[ROWS][INNER], b[INNER][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS];
};

static int64_t small(uint64_t *seed, int64_t low, int64_t high)
{
    return low + (int64_t)(next_random(seed) % (uint64_t)(high - low + 1));
}

static void fill(struct product *product, const struct shape *shape, int64_t low, int64_t high,
                 uint64_t *seed)
{
    memset(product, 0, sizeof *product);
    for (unsigned k = 0; k < shape->inner; k++) {
        for (unsigned row = 0; row < shape->rows; row++)
            product->a[row][k] = small(seed, low, high);
        for (unsigned column = 0; column < COLUMNS; column++)
            product->b[k][column] = small(seed, low, high);
    }
    for (unsigned row = 0; row < shape->rows; row++)
        for (unsigned column = 0; column < COLUMNS; column++) {
            product->c[row][column] = product->d[row][column] = small(seed, -50, 50);
            for (unsigned k = 0; k < shape->inner; k++)
                product->d[row][column] += product->a[row][k] * product->b[k][column];
        }
}

/* Stores an element of `bits` bits as the `index`-th of a lane's fragment. */
static void put(struct machine *machine, unsigned at, unsigned lane, unsigned index, unsigned bits,
                uint64_t value)
{
    if (bits == 64) {
        set_pair(machine, at + 2 * index, lane, value);
        return;
    }
    const unsigned each = 32 / bits, shift = bits * (index % each);
    uint32_t *word = &machine->warp->r[at + index / each][lane];
    const uint32_t mask = bits == 32 ? UINT32_MAX : ((1u << bits) - 1) << shift;
    *word = (*word & ~mask) | ((uint32_t)value << shift & mask);
}

/* The code of a small integer as an element: PTX types by name. */
typedef uint64_t code_fn(int64_t value);

static uint64_t integer_code(int64_t value)
{
    return (uint64_t)value;
}

static uint64_t single_code(int64_t value)
{
    const float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint64_t bf16_code(int64_t value)
{
    return single_code(value) >> 16;
}

/* A half by its definition, for integers of at most 11 bits. */
static uint64_t half_code(int64_t value)
{
    if (value == 0)
        return 0;
    const uint64_t size = value < 0 ? (uint64_t)-value : (uint64_t)value;
    unsigned top = 0;
    while (size >> (top + 1))
        top++;
    const uint64_t fraction = (size << (10 - top)) & 0x3ff;
    return (value < 0 ? 0x8000u : 0) | (uint64_t)(top + 15) << 10 | fraction;
}

static uint64_t double_code(int64_t value)
{
    const double number = (double)value;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Element (row, k) of A and (k, column) of B to their places: the inverse of the tables of the PTX
 * ISA, which say what a lane holds. */
static void load(struct machine *machine, const struct product *product, const struct shape *shape,
                 code_fn *code, code_fn *sum_code, unsigned sum_bits)
{
    const unsigned each = shape->bits >= 32 ? 1 : 32 / shape->bits, group = 4 * each;
    for (unsigned k = 0; k < shape->inner; k++) {
        const unsigned thread = k % group / each, part = k / group, place = k % each;
        for (unsigned row = 0; row < shape->rows; row++) {
            const unsigned reg = row / 8 + shape->rows / 8 * part;
            put(machine, A_AT, row % 8 * 4 + thread, reg * each + place, shape->bits,
                code(product->a[row][k]));
        }
        for (unsigned column = 0; column < COLUMNS; column++)
            put(machine, B_AT, column * 4 + thread, part * each + place, shape->bits,
                code(product->b[k][column]));
    }
    for (unsigned row = 0; row < shape->rows; row++)
        for (unsigned column = 0; column < COLUMNS; column++)
            put(machine, C_AT, row % 8 * 4 + column / 2, row / 8 * 2 + column % 2, sum_bits,
                sum_code(product->c[row][column]));
}

static void check(const char *name, uint32_t sm, struct word word, struct shape shape, int64_t low,
                  int64_t high, code_fn *code, code_fn *sum_code, unsigned sum_bits)
{
    static struct product product;
    uint64_t seed = 2026;
    struct machine machine, expected;
    for (unsigned round = 0; round < 20; round++) {
        machine_start(&machine, sm);
        fill(&product, &shape, low, high, &seed);
        load(&machine, &product, &shape, code, sum_code, sum_bits);
        machine_copy(&expected, &machine);
        for (unsigned row = 0; row < shape.rows; row++)
            for (unsigned column = 0; column < COLUMNS; column++)
                put(&expected, D_AT, row % 8 * 4 + column / 2, row / 8 * 2 + column % 2, sum_bits,
                    sum_code(product.d[row][column]));
        machine_run(&machine, word, UINT32_MAX);
        if (memcmp(machine.warp->r, expected.warp->r, sizeof machine.warp->r[0] * SASS_RZ))
            fail_msg("%s: round %u differs", name, round);
    }
}

static void halves(void **state)
{
    (void)state;
    const struct word hmma = with(matrix_of(0x23c), 76, 1, 1);
    const struct shape k8 = {16, 8, 16}, k16 = {16, 16, 16};
    for (uint32_t sm = 80; sm <= 90; sm += 10) {
        check("HMMA.16816.F32", sm, with(hmma, 75, 1, 1), k16, -20, 20, half_code, single_code, 32);
        check("HMMA.16816.F32.BF16", sm, with(with(hmma, 75, 1, 1), 82, 2, 1), k16, -20, 20,
              bf16_code, single_code, 32);
    }
    check("HMMA.1688.F32", 75, hmma, k8, -20, 20, half_code, single_code, 32);
    check("HMMA.1688.F16", 75, with(hmma, 76, 1, 0), k8, -10, 10, half_code, half_code, 16);
    check("HMMA.16816.F16", 80, with(with(hmma, 76, 1, 0), 75, 1, 1), k16, -10, 10, half_code,
          half_code, 16);
}

/* -A and -B are A and B with other signs. */
static void signs_change(void **state)
{
    (void)state;
    const struct word hmma = with(matrix_of(0x23c), 76, 1, 1);
    const struct {
        struct word word;
        struct shape shape;
        code_fn *code;
        uint32_t signs;
    } kinds[] = {
        {with(hmma, 75, 1, 1), {16, 16, 16}, half_code, 0x80008000},
        {with(with(hmma, 75, 1, 1), 82, 2, 1), {16, 16, 16}, bf16_code, 0x80008000},
        {with(hmma, 82, 2, 2), {16, 8, 32}, single_code, 0x80000000},
    };
    static struct product product;
    uint64_t seed = 2026;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (unsigned of_b = 0; of_b < 2; of_b++) {
            struct machine machine, expected;
            machine_start(&machine, 90);
            fill(&product, &kinds[i].shape, -20, 20, &seed);
            load(&machine, &product, &kinds[i].shape, kinds[i].code, single_code, 32);
            machine_copy(&expected, &machine);
            for (unsigned at = of_b ? B_AT : A_AT, end = at + (of_b ? 2 : 4); at < end; at++)
                for (unsigned lane = 0; lane < EXEC_LANES; lane++)
                    expected.warp->r[at][lane] ^= kinds[i].signs;
            machine_run(&machine, with(kinds[i].word, of_b ? 63 : 72, 1, 1), UINT32_MAX);
            machine_run(&expected, kinds[i].word, UINT32_MAX);
            assert_memory_equal(machine.warp->r[D_AT], expected.warp->r[D_AT],
                                4 * sizeof machine.warp->r[0]);
        }
}

static void singles_and_doubles(void **state)
{
    (void)state;
    const struct word tf32 = with(with(matrix_of(0x23c), 76, 1, 1), 82, 2, 2);
    check("HMMA.1688.F32.TF32", 80, tf32, (struct shape){16, 8, 32}, -100, 100, single_code,
          single_code, 32);
    check("HMMA.1684.F32.TF32", 90, with(tf32, 78, 1, 1), (struct shape){16, 4, 32}, -100, 100,
          single_code, single_code, 32);
    check("DMMA.884", 80, matrix_of(0x23f), (struct shape){8, 4, 64}, -1000, 1000, double_code,
          double_code, 64);
    check("DMMA.16x8x16", 90, with(matrix_of(0x23f), 76, 2, 3), (struct shape){16, 16, 64}, -1000,
          1000, double_code, double_code, 64);
}

/* IMMA by its shape's code (bits 86:85, 75), signs of A and B, and 4 bits. */
static struct word imma_of(unsigned code, bool is_signed, bool four)
{
    struct word word = with(with(matrix_of(0x237), 75, 1, code & 1), 85, 2, code >> 1);
    word = with(with(with(word, 74, 1, 1), 76, 1, is_signed), 78, 1, is_signed);
    return with(word, 83, 2, four ? 3 : 0);
}

static void integers(void **state)
{
    (void)state;
    check("IMMA.8816.S8.S8", 75, imma_of(0, true, false), (struct shape){8, 16, 8}, -128, 127,
          integer_code, integer_code, 32);
    check("IMMA.8816.U8.U8", 75, imma_of(0, false, false), (struct shape){8, 16, 8}, 0, 255,
          integer_code, integer_code, 32);
    check("IMMA.16816.S8.S8", 80, imma_of(4, true, false), (struct shape){16, 16, 8}, -128, 127,
          integer_code, integer_code, 32);
    check("IMMA.16832.S8.S8", 90, imma_of(5, true, false), (struct shape){16, 32, 8}, -128, 127,
          integer_code, integer_code, 32);
    check("IMMA.8832.S4.S4", 75, imma_of(2, true, true), (struct shape){8, 32, 4}, -8, 7,
          integer_code, integer_code, 32);
    check("IMMA.16864.U4.U4", 80, imma_of(6, false, true), (struct shape){16, 64, 4}, 0, 15,
          integer_code, integer_code, 32);
}

/* Products of single bits: XOR counts the places that differ, AND those that are both one. */
static void single_bits(void **state)
{
    (void)state;
    const struct word bmma = with(matrix_of(0x23d), 78, 1, 1);
    check("BMMA.88128.AND", 75, bmma, (struct shape){8, 128, 1}, 0, 1, integer_code, integer_code,
          32);
    check("BMMA.168256.AND", 80, with(bmma, 76, 1, 1), (struct shape){16, 256, 1}, 0, 1,
          integer_code, integer_code, 32);
}

/* C + four products of 2^-25, by registers that hold the same in all lanes. */
static uint32_t sum_of_small(uint32_t sm, uint32_t c)
{
    struct machine machine;
    machine_start(&machine, sm);
    for (unsigned i = 0; i < 32; i++) {
        for (unsigned q = 0; q < 4; q++) {
            machine.warp->r[A_AT + q][i] = i % 4 < 2 && q < 2 ? 0x0c000c00 : 0; /* 2^-12 */
            machine.warp->r[C_AT + q][i] = c;
        }
        machine.warp->r[B_AT][i] = 0x08000800; /* 2^-13 */
    }
    machine_run(&machine, with(with(matrix_of(0x23c), 76, 1, 1), 75, 1, 1), UINT32_MAX);
    return machine.warp->r[D_AT][0];
}

/* Beside 1.0, sm_80 keeps 24 fraction bits of a product and sm_90 25; the sum is truncated. */
static void cutting_off(void **state)
{
    (void)state;
    assert_int_equal(sum_of_small(80, 0x3f800000), 0x3f800000);
    assert_int_equal(sum_of_small(90, 0x3f800000), 0x3f800001);
    assert_int_equal(sum_of_small(80, 0x3f000000), 0x3f000002);
    assert_int_equal(sum_of_small(80, 0), 0x34000000);
    assert_int_equal(sum_of_small(90, 0xff800000), 0xff800000);
    assert_int_equal(sum_of_small(90, 0xffc00000), 0x7fffffff);
}

/* 4 x (2 x -3) + 1, with signs of the instruction's. */
static double signed_sum(struct word word)
{
    struct machine machine;
    machine_start(&machine, 80);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++) {
        set_pair(&machine, A_AT, lane, double_code(2));
        set_pair(&machine, B_AT, lane, double_code(-3));
        for (unsigned q = 0; q < 2; q++)
            set_pair(&machine, C_AT + 2 * q, lane, double_code(1));
    }
    machine_run(&machine, word, UINT32_MAX);
    const uint64_t bits = get_pair(&machine, D_AT, 31);
    double sum;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

static void signs_of_doubles(void **state)
{
    (void)state;
    const struct word dmma = matrix_of(0x23f);
    assert_true(signed_sum(dmma) == -23);
    assert_true(signed_sum(with(dmma, 72, 1, 1)) == 25);                  /* -A */
    assert_true(signed_sum(with(dmma, 63, 1, 1)) == 25);                  /* -B */
    assert_true(signed_sum(with(dmma, 62, 1, 1)) == 25);                  /* |B| */
    assert_true(signed_sum(with(dmma, 75, 1, 1)) == -25);                 /* -C */
    assert_true(signed_sum(with(with(dmma, 62, 2, 3), 75, 1, 1)) == -25); /* -|B|, -C */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves),
        cmocka_unit_test(signs_change),
        cmocka_unit_test(singles_and_doubles),
        cmocka_unit_test(integers),
        cmocka_unit_test(single_bits),
        cmocka_unit_test(cutting_off),
        cmocka_unit_test(signs_of_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
