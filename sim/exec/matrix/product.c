/* Chooses the arithmetic of products for this processor. */
#include "exec/matrix/product.h"

extern const struct product_unit product_avx512, product_avx2, product_plain;

#if defined(__x86_64__)
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#endif

static bool has_plain(void)
{
    return true;
}

const struct product_choice product_choices[] = {
#if defined(__x86_64__)
    {"AVX-512", has_avx512, &product_avx512},
    {"AVX2", has_avx2, &product_avx2},
#endif
    {"any processor", has_plain, &product_plain},
    {NULL, NULL, NULL}};

const struct product_unit *product_unit(void)
{
    const struct product_choice *choice = product_choices;
    while (!choice->usable())
        choice++;
    return choice->unit;
}
