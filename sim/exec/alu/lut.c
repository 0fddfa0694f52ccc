/* LOP3: one function for each of the 256 truth tables. The compiler finds the few operations that
 * each table needs; computing a table bit by bit would be several times slower. */
#include "exec/alu/lut.h"

/* A function of one bit, given by its two constant values: x ? high : low. */
#define CHOOSE(x, high, low) ((high) == (low) ? ((high) ? UINT32_MAX : 0) : ((high) ? (x) : ~(x)))
/* Functions of two and of three bits, split by the value of the first bit. */
#define BIT(table, k) ((table) >> (k)&1)
#define TWO(y, z, table)                                                                           \
    ((y & CHOOSE(z, BIT(table, 3), BIT(table, 2))) | (~y & CHOOSE(z, BIT(table, 1), BIT(table, 0))))
#define THREE(x, y, z, table) ((x & TWO(y, z, (table) >> 4)) | (~x & TWO(y, z, (table)&15)))

#define LUT(high, low)                                                                             \
    static void lut_##high##low(const uint32_t *restrict a, const uint32_t *restrict b,            \
                                const uint32_t *restrict c, uint32_t *restrict out)                \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        for (unsigned i = 0; i < 32; i++)                                                          \
            out[i] = THREE(a[i], b[i], c[i], 0x##high##low);                                       \
    }
#define NAME(high, low) lut_##high##low,

#define ROW(X, high)                                                                               \
    X(high, 0)                                                                                     \
    X(high, 1)                                                                                     \
    X(high, 2)                                                                                     \
    X(high, 3)                                                                                     \
    X(high, 4)                                                                                     \
    X(high, 5)                                                                                     \
    X(high, 6)                                                                                     \
    X(high, 7)                                                                                     \
    X(high, 8)                                                                                     \
    X(high, 9)                                                                                     \
    X(high, a)                                                                                     \
    X(high, b)                                                                                     \
    X(high, c)                                                                                     \
    X(high, d)                                                                                     \
    X(high, e)                                                                                     \
    X(high, f)

#define ALL(X)                                                                                     \
    ROW(X, 0)                                                                                      \
    ROW(X, 1)                                                                                      \
    ROW(X, 2)                                                                                      \
    ROW(X, 3)                                                                                      \
    ROW(X, 4)                                                                                      \
    ROW(X, 5)                                                                                      \
    ROW(X, 6)                                                                                      \
    ROW(X, 7)                                                                                      \
    ROW(X, 8)                                                                                      \
    ROW(X, 9)                                                                                      \
    ROW(X, a)                                                                                      \
    ROW(X, b)                                                                                      \
    ROW(X, c)                                                                                      \
    ROW(X, d)                                                                                      \
    ROW(X, e)                                                                                      \
    ROW(X, f)

ALL(LUT)

exec_lut_fn *const exec_lut[256] = {ALL(NAME)};
