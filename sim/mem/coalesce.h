/*
 * The coalescer's interface: the lines and 32-byte sectors that the lanes of one instruction touch.
 */
#ifndef SIM_MEM_COALESCE_H
#define SIM_MEM_COALESCE_H

#include <stdint.h>

#include "model/inst.h"

enum {
    SECTOR_BYTES = 32,
    SECTOR_SHIFT = 5,
    SECTOR_WORDS = SECTOR_BYTES / 4,
    COALESCE_MAX_WIDTH = 16,
    COALESCE_LINES =
        COALESCE_MAX_WIDTH / LOCAL_WORD * SIMSM_WARP_LANES /* of local memory; elsewhere
                                               a lane touches at most two lines */
};

#define COALESCE_ADDRESS_MASK ((UINT64_C(1) << 52) - 1)

/* Returns the number of sectors in `mask`, which has at most 8 bits. */
static inline uint32_t sector_count(uint32_t mask)
{
    /* One bit of `mask` remains in each half byte of the first product; the second adds them up. */
    return (mask * UINT32_C(0x08040201) >> 3 & UINT32_C(0x11111111)) * UINT32_C(0x11111111) >> 28;
}

/* Returns the words of the sectors in `mask`: 8 bits for each sector. */
static inline uint64_t sector_words(uint32_t mask)
{
    uint64_t words = 0;
    for (uint32_t i = 0; mask >> i != 0 && i < 64 / SECTOR_WORDS; i++)
        words |= (mask >> i & 1u) * UINT64_C(0xFF) << i * SECTOR_WORDS;
    return words;
}

struct coalesced {
    uint32_t lines;                /* distinct lines */
    uint32_t sectors;              /* distinct sectors of all lines */
    uint64_t line[COALESCE_LINES]; /* address >> line_shift; each line once */
    uint8_t mask[COALESCE_LINES];  /* sectors of the line; bit 0: the lowest */
};

/* Fills *out with what `lanes` touch. Each lane accesses `width` bytes, 1 to 16; a greater width
 * counts as 16. A line has 1 << line_shift bytes: 32 to 256. */
void coalesce(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
              uint32_t line_shift, struct coalesced *out);

/* As coalesce for lanes that each access `words` words of local memory, 1 to 4, which are aligned.
 */
void coalesce_local(const struct lane_addresses *addresses, uint32_t lanes, uint32_t words,
                    uint32_t line_shift, struct coalesced *out);

/* Fills `words`, for each line of `out`, with the words of 32 bits that lanes touch; bit 0 is the
 * lowest word. `out` must come from coalesce with the same arguments; `count` is 1, or the words of
 * coalesce_local, with a width of one word. */
void coalesce_words(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                    uint32_t count, uint32_t line_shift, const struct coalesced *out,
                    uint64_t words[COALESCE_LINES]);

/* Replaces the lines of `out` by the fewest lines and sectors that can hold the bytes of the lanes.
 * They are chosen among the lines of `out` so that accesses which together touch all bytes of their
 * lines take each sector once. `out` must come from coalesce with the same arguments. */
void coalesce_densely(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                      uint32_t line_shift, struct coalesced *out);

/* Lanes of an atomic that share an address, for each line. */
struct coalesced_repeats {
    uint8_t most[COALESCE_LINES];  /* greatest number of lanes on one address of the line */
    uint8_t turns[COALESCE_LINES]; /* the greatest numbers of the line's sectors, added up */
};

/* Fills *repeats for the lines of `out`, which must come from coalesce with the same arguments. */
void coalesce_repeats(const struct lane_addresses *addresses, uint32_t lanes, uint32_t line_shift,
                      const struct coalesced *out, struct coalesced_repeats *repeats);

#endif
