/*
 * MODEL: an access as it would be with dense addresses (what_if.coalesced): as many bytes, in the
 * fewest lines and sectors. A warp that reads one word in each of 32 lines takes one whole line
 * instead; the word's place in its line decides which. The 32 accesses that read all words of these
 * lines take each line once, so that the data as a whole stay as large.
 * SOURCE: own choice; an experiment, not hardware.
 * LEFT OUT: what the change of the program costs elsewhere, such as a way through shared memory.
 */
#include "mem/coalesce.h"

/* Returns the sectors that the bytes of the lanes fill at least. */
static uint32_t least_sectors(const struct lane_addresses *addresses, uint32_t lanes,
                              uint32_t width, uint32_t line_shift, const struct coalesced *out)
{
    enum { WORD_BYTES = 4 };
    uint64_t words[COALESCE_LINES];
    uint32_t bytes = 0, asked = (uint32_t)__builtin_popcount(lanes) * width;
    coalesce_words(addresses, lanes, width, 1, line_shift, out, words);
    for (uint32_t i = 0; i < out->lines; i++)
        bytes += (uint32_t)__builtin_popcountll(words[i]) * WORD_BYTES;
    bytes = bytes < asked ? bytes : asked;
    return (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

void coalesce_densely(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                      uint32_t line_shift, struct coalesced *out)
{
    if (out->lines == 0)
        return;
    const uint32_t least = least_sectors(addresses, lanes, width, line_shift, out);
    const uint32_t each = 1u << (line_shift - SECTOR_SHIFT), room = out->lines * each;
    const uint64_t first = lane_address(addresses, (unsigned)__builtin_ctz(lanes));
    const uint64_t element = (first & ((UINT64_C(1) << line_shift) - 1)) / (width ? width : 1);
    struct coalesced dense = {.sectors = least};
    if (least >= out->sectors)
        return;
    for (uint32_t i = 0; i < least; i++) {
        const uint32_t place = (uint32_t)((element * least + i) % room), line = place / each;
        if (dense.lines == 0 || dense.line[dense.lines - 1] != out->line[line])
            dense.line[dense.lines++] = out->line[line];
        dense.mask[dense.lines - 1] |= (uint8_t)(1u << place % each);
    }
    out->lines = dense.lines;
    out->sectors = dense.sectors;
    for (uint32_t i = 0; i < dense.lines; i++) {
        out->line[i] = dense.line[i];
        out->mask[i] = dense.mask[i];
    }
}
