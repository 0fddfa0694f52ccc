/*
 * The coalescer: what the lanes of one instruction touch, as 32-byte sectors grouped by line.
 *
 * Modelled: one request for each line and one sector for each 32 bytes of it, however many lanes
 * share them and in whatever order (all of compute capability 6.0 and later). Left out: address
 * translation; bits of an address above 2^52 are dropped.
 */
#ifndef SIM_MEM_COALESCE_H
#define SIM_MEM_COALESCE_H

#include <stdint.h>

#include "model/inst.h"

enum {
    SECTOR_BYTES = 32,
    SECTOR_SHIFT = 5,
    SECTOR_WORDS = SECTOR_BYTES / 4,
    COALESCE_LINES = 2 * SIMSM_WARP_LANES, /* a lane's 16 bytes lie in two lines at most */
    COALESCE_MAX_WIDTH = 16
};

#define COALESCE_ADDRESS_MASK ((UINT64_C(1) << 52) - 1)

/* How many of the at most 8 sectors of a line `mask` has. */
static inline uint32_t sector_count(uint32_t mask)
{
    const uint64_t of_four = UINT64_C(0x4332322132212110);
    return (uint32_t)(of_four >> 4 * (mask & 15) & 15) +
           (uint32_t)(of_four >> 4 * (mask >> 4) & 15);
}

/* The words of the sectors of `mask`. */
static inline uint64_t sector_words(uint32_t mask)
{
    uint64_t words = 0;
    for (uint32_t i = 0; mask >> i != 0 && i < 64 / SECTOR_WORDS; i++)
        words |= (mask >> i & 1u) * UINT64_C(0xFF) << i * SECTOR_WORDS;
    return words;
}

struct coalesced {
    uint32_t lines;                /* distinct lines */
    uint32_t sectors;              /* distinct sectors, all lines */
    uint64_t line[COALESCE_LINES]; /* address >> line_shift, each once */
    uint8_t mask[COALESCE_LINES];  /* sectors of the line, bit 0 lowest */
};

/*
 * Fills *out for `lanes`, each accessing `width` bytes (1 to 16; more counts as 16). A line has
 * 1 << line_shift bytes: 32 to 256.
 */
void coalesce(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
              uint32_t line_shift, struct coalesced *out);

/* Fills `words` for the lines of `out`, which coalesce filled from the same arguments: the words of
 * 32 bits that lanes touch, bit 0 lowest. */
void coalesce_words(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                    uint32_t line_shift, const struct coalesced *out,
                    uint64_t words[COALESCE_LINES]);

/* Lanes of an atomic that share an address, by line. */
struct coalesced_repeats {
    uint8_t most[COALESCE_LINES];  /* on one address of the line */
    uint8_t turns[COALESCE_LINES]; /* the same of each of its sectors, added up */
};

/* Fills *repeats for the lines of `out`, which coalesce filled from the same arguments. */
void coalesce_repeats(const struct lane_addresses *addresses, uint32_t lanes, uint32_t line_shift,
                      const struct coalesced *out, struct coalesced_repeats *repeats);

#endif
