/* Metadata of sparse matrices: which inner index each stored element has. The expected places are
 * those of the PTX ISA. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "exec/matrix/fragment.h"
#include "exec/matrix/metadata.h"

enum { FIRST_TWO = 0x44444444, LAST_TWO = 0xe };

/* Returns the index of stored element k of a row. */
static unsigned index_of(const struct product_places *places, unsigned row, unsigned k,
                         unsigned each)
{
    for (unsigned index = 0; index < PRODUCT_DEPTH; index++)
        if (fragment_inner(index, each) == places->inner[row][fragment_inner(k, each)])
            return index;
    return PRODUCT_DEPTH;
}

/* Checks that LAST_TWO in the lowest bits of a lane's register, and FIRST_TWO in all other chunks,
 * means the last elements in one chunk alone. */
static void check(unsigned lane, bool upper_lanes, unsigned bits, unsigned row, unsigned chunk)
{
    const unsigned each = 32 / bits, stored = 8 * each, in_chunk = each == 1 ? 1 : 2;
    uint32_t metadata[EXEC_LANES];
    struct product_places places;
    for (unsigned i = 0; i < EXEC_LANES; i++)
        metadata[i] = FIRST_TWO;
    metadata[lane] = (metadata[lane] & ~UINT32_C(0xf)) | LAST_TWO;
    metadata_places(metadata, upper_lanes, bits, stored, &places);
    for (unsigned r = 0; r < PRODUCT_ROWS; r++)
        for (unsigned k = 0; k < stored; k++) {
            const bool last = r == row && k / in_chunk == chunk;
            assert_int_equal(index_of(&places, r, k, each),
                             k / in_chunk * 2 * in_chunk + k % in_chunk + (last ? in_chunk : 0));
        }
}

static void lanes_have_rows(void **unused)
{
    (void)unused;
    check(4 * 3, false, 16, 3, 0);
    check(4 * 3 + 1, false, 16, 3, 4);
    check(4 * 7 + 3, true, 16, 7, 4);
    check(4 * 5 + 2, true, 32, 5, 0);
    check(4 * 6, false, 8, 6, 0);
    check(4 * 6 + 1, false, 8, 14, 0);
    check(4 * 6 + 2, false, 8, 6, 8);
    check(4 * 6 + 3, false, 8, 14, 8);
}

static void one_index_twice_adds_both(void **unused)
{
    (void)unused;
    const uint32_t metadata[EXEC_LANES] = {0};
    static struct product_a a;
    struct product_places places;
    for (unsigned k = 0; k < 32; k++)
        a.bits[0][fragment_inner(k, 4)] = 1 + k;
    metadata_places(metadata, false, 8, 32, &places);
    metadata_spread(&places, 32, &a);
    for (unsigned k = 0; k < 64; k++) /* elements 2 c and 2 c + 1 at index 4 c */
        assert_int_equal(a.bits[0][fragment_inner(k, 4)], k % 4 ? 0 : k + 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_have_rows),
                                       cmocka_unit_test(one_index_twice_adds_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
