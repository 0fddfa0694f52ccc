/*
 * MODEL: the coalescer. One request for each line and one sector for each 32 bytes that lanes
 * touch, however many lanes share them and in whatever order.
 * SOURCE: CUDA C++ Programming Guide, compute capability 6.0 and later.
 * LEFT OUT: address translation. Bits of an address from 2^52 on are dropped.
 */
#include "mem/coalesce.h"

#include <stdbool.h>
#include <string.h>

#include "base/check.h"

enum { HASH_SLOTS = 2 * COALESCE_LINES, HASH_SHIFT = 56 };

_Static_assert(HASH_SLOTS == 1 << (64 - HASH_SHIFT), "a hash is a slot");

#define HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15)

/* A hash table: index + 1 of the value stored in each slot; 0: free. At most half of the slots are
 * ever used. */
struct lookup {
    uint8_t slot[HASH_SLOTS];
};

static unsigned lowest_lane(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

static unsigned highest_lane(uint32_t lanes)
{
    return 31u - (unsigned)__builtin_clz(lanes);
}

/* Returns whether the set bits of `lanes` are consecutive. */
static bool is_run(uint32_t lanes)
{
    uint32_t low = lanes >> lowest_lane(lanes);
    return (low & (low + 1)) == 0;
}

static void append(struct coalesced *out, uint64_t line, uint8_t bit)
{
    out->line[out->lines] = line;
    out->mask[out->lines++] = bit;
}

/* Adds the consecutive sectors `first` to `last`. */
static void add_range(struct coalesced *out, uint64_t first, uint64_t last, uint32_t shift)
{
    uint64_t in_line = (UINT64_C(1) << shift) - 1;
    for (uint64_t sector = first; sector <= last; sector++) {
        uint64_t line = (sector & (COALESCE_ADDRESS_MASK >> SECTOR_SHIFT)) >> shift;
        uint8_t bit = (uint8_t)(1u << (sector & in_line));
        if (out->lines != 0 && out->line[out->lines - 1] == line)
            out->mask[out->lines - 1] |= bit;
        else
            append(out, line, bit);
    }
}

/* Adds the lanes' sectors if each lane touches one sector and lines come in rising or falling
 * order. */
static void add_monotone(struct coalesced *out, const struct lane_addresses *addresses,
                         uint32_t lanes, uint32_t shift)
{
    uint64_t in_line = (UINT64_C(1) << shift) - 1;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint64_t address = addresses->base + lowest_lane(left) * (uint64_t)addresses->stride;
        uint64_t sector = (address & COALESCE_ADDRESS_MASK) >> SECTOR_SHIFT;
        uint8_t bit = (uint8_t)(1u << (sector & in_line));
        if (out->lines != 0 && out->line[out->lines - 1] == sector >> shift)
            out->mask[out->lines - 1] |= bit;
        else
            append(out, sector >> shift, bit);
    }
}

static void add_sector(struct coalesced *out, struct lookup *lookup, uint64_t line, uint8_t bit)
{
    if (out->lines != 0 && out->line[out->lines - 1] == line) {
        out->mask[out->lines - 1] |= bit;
        return;
    }
    unsigned at = (unsigned)((line * HASH_FACTOR) >> HASH_SHIFT);
    while (lookup->slot[at] != 0) {
        unsigned index = lookup->slot[at] - 1u;
        if (out->line[index] == line) {
            out->mask[index] |= bit;
            return;
        }
        at = (at + 1) % HASH_SLOTS;
    }
    append(out, line, bit);
    lookup->slot[at] = (uint8_t)out->lines;
}

static void add_lane(struct coalesced *out, struct lookup *lookup, uint64_t address, uint32_t width,
                     uint32_t shift)
{
    uint64_t in_line = (UINT64_C(1) << shift) - 1;
    uint64_t first = (address & COALESCE_ADDRESS_MASK) >> SECTOR_SHIFT;
    uint64_t last = ((address + width - 1) & COALESCE_ADDRESS_MASK) >> SECTOR_SHIFT;
    add_sector(out, lookup, first >> shift, (uint8_t)(1u << (first & in_line)));
    if (last != first)
        add_sector(out, lookup, last >> shift, (uint8_t)(1u << (last & in_line)));
}

static void add_any(struct coalesced *out, const struct lane_addresses *addresses, uint32_t lanes,
                    uint32_t width, uint32_t shift)
{
    struct lookup lookup;
    memset(&lookup, 0, sizeof lookup);
    for (uint32_t left = lanes; left != 0; left &= left - 1)
        add_lane(out, &lookup, lane_address(addresses, lowest_lane(left)), width, shift);
}

static void coalesce_affine(struct coalesced *out, const struct lane_addresses *addresses,
                            uint32_t lanes, uint32_t width, uint32_t shift)
{
    int64_t stride = addresses->stride;
    uint64_t a = lane_address(addresses, lowest_lane(lanes));
    uint64_t b = lane_address(addresses, highest_lane(lanes));
    uint64_t low = stride < 0 ? b : a;
    uint64_t high = (stride < 0 ? a : b) + width - 1;
    bool aligned =
        (width & (width - 1)) == 0 && ((addresses->base | (uint64_t)stride) & (width - 1)) == 0;
    /* Steps of at most one sector cannot skip a sector. */
    if (stride >= -SECTOR_BYTES && stride <= SECTOR_BYTES && low <= high && is_run(lanes))
        add_range(out, low >> SECTOR_SHIFT, high >> SECTOR_SHIFT, shift);
    else if (aligned && stride > -(INT64_C(1) << 40) && stride < INT64_C(1) << 40)
        add_monotone(out, addresses, lanes, shift);
    else
        add_any(out, addresses, lanes, width, shift);
}

static void count_sectors(struct coalesced *out)
{
    for (uint32_t i = 0; i < out->lines; i++)
        out->sectors += sector_count(out->mask[i]);
}

void coalesce(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
              uint32_t line_shift, struct coalesced *out)
{
    uint32_t shift = line_shift - SECTOR_SHIFT;
    out->lines = 0;
    out->sectors = 0;
    if (lanes == 0)
        return;
    if (width > COALESCE_MAX_WIDTH)
        width = COALESCE_MAX_WIDTH;
    if (width == 0)
        width = 1;
    if (addresses->affine)
        coalesce_affine(out, addresses, lanes, width, shift);
    else
        add_any(out, addresses, lanes, width, shift);
    count_sectors(out);
}

/* Returns the address of word `i` of a lane's access to local memory. */
static uint64_t local_word(const struct lane_addresses *addresses, unsigned lane, uint32_t i)
{
    return (lane_address(addresses, lane) & ~(uint64_t)(LOCAL_WORD - 1)) +
           (uint64_t)i * LOCAL_APART;
}

void coalesce_local(const struct lane_addresses *addresses, uint32_t lanes, uint32_t words,
                    uint32_t line_shift, struct coalesced *out)
{
    struct lookup lookup;
    memset(&lookup, 0, sizeof lookup);
    out->lines = 0;
    out->sectors = 0;
    for (uint32_t i = 0; i < words; i++)
        for (uint32_t left = lanes; left != 0; left &= left - 1)
            add_lane(out, &lookup, local_word(addresses, lowest_lane(left), i), LOCAL_WORD,
                     line_shift - SECTOR_SHIFT);
    count_sectors(out);
}

static uint32_t find_line(const struct coalesced *out, uint64_t line)
{
    uint32_t i = 0;
    while (i + 1 < out->lines && out->line[i] != line)
        i++;
    SIMSM_CHECK(out->line[i] == line, "line %llx is none of the %u that lanes touch",
                (unsigned long long)line, out->lines);
    return i;
}

/* Notes that `count` lanes share `address`. `most` holds the greatest count so far for each line
 * and sector. */
static void note_repeat(const struct coalesced *out, uint64_t address, uint32_t line_shift,
                        uint8_t count, uint8_t most[COALESCE_LINES][8],
                        struct coalesced_repeats *repeats)
{
    uint32_t line = find_line(out, address >> line_shift);
    uint64_t in_line = (UINT64_C(1) << (line_shift - SECTOR_SHIFT)) - 1;
    uint8_t *sector = &most[line][address >> SECTOR_SHIFT & in_line];
    if (*sector == 0)
        *sector = 1;
    if (count > *sector) {
        repeats->turns[line] = (uint8_t)(repeats->turns[line] + count - *sector);
        *sector = count;
    }
    if (repeats->most[line] < count)
        repeats->most[line] = count;
}

void coalesce_repeats(const struct lane_addresses *addresses, uint32_t lanes, uint32_t line_shift,
                      const struct coalesced *out, struct coalesced_repeats *repeats)
{
    struct lookup lookup;
    uint64_t seen[SIMSM_WARP_LANES];
    uint8_t count[SIMSM_WARP_LANES] = {0};
    uint8_t most[COALESCE_LINES][8];
    unsigned distinct = 0;
    memset(&lookup, 0, sizeof lookup);
    for (uint32_t i = 0; i < out->lines; i++) {
        repeats->most[i] = 1;
        repeats->turns[i] = (uint8_t)sector_count(out->mask[i]);
        memset(most[i], 0, sizeof most[i]);
    }
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint64_t address = lane_address(addresses, lowest_lane(left)) & COALESCE_ADDRESS_MASK;
        unsigned at = (unsigned)((address * HASH_FACTOR) >> HASH_SHIFT);
        while (lookup.slot[at] != 0 && seen[lookup.slot[at] - 1] != address)
            at = (at + 1) % HASH_SLOTS;
        if (lookup.slot[at] == 0) {
            seen[distinct++] = address;
            lookup.slot[at] = (uint8_t)distinct;
        }
        count[lookup.slot[at] - 1]++;
    }
    for (unsigned i = 0; i < distinct; i++) {
        if (count[i] > 1)
            note_repeat(out, seen[i], line_shift, count[i], most, repeats);
    }
}

/* Returns the index of `line`. The search begins at `from`: consecutive lanes mostly touch the same
 * or the next line. */
static uint32_t index_of(const struct coalesced *out, uint64_t line, uint32_t from)
{
    for (uint32_t n = 0; n < out->lines; n++, from++) {
        from = from < out->lines ? from : 0;
        if (out->line[from] == line)
            return from;
    }
    SIMSM_CHECK(false, "line %llx is none of the %u that lanes touch", (unsigned long long)line,
                out->lines);
    return 0;
}

/* Notes the words that a lane touches. Returns the index of the last one's line; `index`: of the
 * line of another lane. */
static uint32_t note_words(const struct coalesced *out, uint64_t address, uint32_t width,
                           uint32_t line_shift, uint32_t index, uint64_t words[COALESCE_LINES])
{
    enum { WORD_SHIFT = 2 };
    const uint64_t in_line = (UINT64_C(1) << (line_shift - WORD_SHIFT)) - 1;
    uint64_t last = (address + width - 1) >> WORD_SHIFT;
    for (uint64_t word = address >> WORD_SHIFT; word <= last; word++) {
        uint64_t line = (word & COALESCE_ADDRESS_MASK >> WORD_SHIFT) >> (line_shift - WORD_SHIFT);
        index = index_of(out, line, index);
        words[index] |= UINT64_C(1) << (word & in_line);
    }
    return index;
}

void coalesce_words(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                    uint32_t count, uint32_t line_shift, const struct coalesced *out,
                    uint64_t words[COALESCE_LINES])
{
    uint32_t index = 0;
    memset(words, 0, out->lines * sizeof words[0]);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            const unsigned lane = lowest_lane(left);
            uint64_t address =
                count > 1 ? local_word(addresses, lane, i) : lane_address(addresses, lane);
            index =
                note_words(out, address & COALESCE_ADDRESS_MASK, width, line_shift, index, words);
        }
    }
}
