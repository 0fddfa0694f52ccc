/* The arithmetic of formulas. */
#include "trace/arithmetic.h"

#include "trace/formula.h"

int64_t arithmetic_chase(int64_t step, int64_t start, int64_t bits)
{
    uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    /*
     * x -> m x + p, applied `step` times by squaring; m = 1 mod 4 and an odd p give the full period
     */
    uint64_t m = UINT64_C(6364136223846793005), p = UINT64_C(1442695040888963407);
    uint64_t multiply = 1, add = 0;
    for (uint64_t n = (uint64_t)step; n; n >>= 1) {
        if (n & 1) {
            multiply *= m;
            add = add * m + p;
        }
        p *= m + 1;
        m *= m;
    }
    uint64_t x = ((uint64_t)start * multiply + add) & mask;
    unsigned half = (unsigned)(bits + 1) / 2;
    if (half) {
        x ^= x >> half;
        x = x * UINT64_C(0x9E3779B97F4A7C15) & mask;
        x ^= x >> half;
    }
    return (int64_t)x;
}

static int64_t divide(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t modulo(int64_t a, int64_t b)
{
    if (b == 0 || b == -1)
        return 0;
    return a % b;
}

static int64_t shift_right(int64_t a, int64_t b)
{
    unsigned n = (unsigned)b & 63;
    return a < 0 ? (int64_t) ~(~(uint64_t)a >> n) : a >> n;
}

/* One case for each operator. NOLINTNEXTLINE(readability-function-size) */
int64_t arithmetic(unsigned op, int64_t a, int64_t b, int64_t c, int64_t value)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch ((enum formula_op)op) {
    case FORMULA_NEGATE:
        return (int64_t)(0 - x);
    case FORMULA_COMPLEMENT:
        return ~a;
    case FORMULA_NOT:
        return a == 0;
    case FORMULA_ADD:
        return (int64_t)(x + y);
    case FORMULA_SUB:
        return (int64_t)(x - y);
    case FORMULA_MUL:
        return (int64_t)(x * y);
    case FORMULA_DIV:
        return divide(a, b);
    case FORMULA_MOD:
        return modulo(a, b);
    case FORMULA_SHL:
        return (int64_t)(x << (y & 63));
    case FORMULA_SHR:
        return shift_right(a, b);
    case FORMULA_AND:
        return a & b;
    case FORMULA_OR:
        return a | b;
    case FORMULA_XOR:
        return a ^ b;
    case FORMULA_EQ:
        return a == b;
    case FORMULA_NE:
        return a != b;
    case FORMULA_LT:
        return a < b;
    case FORMULA_LE:
        return a <= b;
    case FORMULA_BOTH:
        return a && b;
    case FORMULA_EITHER:
        return a || b;
    case FORMULA_MIN:
        return a < b ? a : b;
    case FORMULA_MAX:
        return a > b ? a : b;
    case FORMULA_FOLD:
        return arithmetic_fold(a, b);
    case FORMULA_SCALE:
        return arithmetic_scale(a, b);
    case FORMULA_CHASE:
        return arithmetic_chase(a, b, value);
    case FORMULA_SELECT:
        return a ? b : c;
    default:
        return 0;
    }
}
