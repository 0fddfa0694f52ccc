/*
 * MODEL: data banks of 4 bytes. The passes of an access are the greatest number of distinct words
 * that one bank delivers. Lanes on one word share a pass, in loads and in stores. A 64-bit access
 * is two half-warps and a 128-bit access four quarter-warps, each with passes of its own. Loads
 * from shared memory in which lanes n and n^1, or n and n^2, share an address go through in half as
 * many parts.
 * SOURCE: CUDA C++ Programming Guide; NVIDIA developer forum, topic 77228, for shared addresses
 * (compute capability 7); the wavefronts that an H200 counts agree, in its L1 data path, too
 * (cuda/calib/shared).
 * LEFT OUT: nothing known.
 */
#include "mem/banks.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_WORDS = 2 * SIMSM_WARP_LANES };

/* The distinct words of one group of lanes, chained by bank. */
struct bank_words {
    uint64_t word[MAX_WORDS];
    uint8_t next[MAX_WORDS]; /* index + 1 */
    uint8_t first[BANKS_MAX];
    uint8_t count[BANKS_MAX];
    uint32_t words, passes;
};

static unsigned lowest_lane(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t bank_of(uint64_t word, uint32_t banks)
{
    return (banks & (banks - 1)) == 0 ? (uint32_t)word & (banks - 1) : (uint32_t)(word % banks);
}

/* Returns how many lanes go through the banks together. */
static uint32_t group_lanes(uint32_t width)
{
    return width <= 4 ? 32 : width <= 8 ? 16 : 8;
}

static uint32_t group_mask(uint32_t size, uint32_t first)
{
    return (size == 32 ? UINT32_MAX : (1u << size) - 1u) << first;
}

static void clear(struct bank_words *set, uint32_t banks)
{
    memset(set->first, 0, banks);
    memset(set->count, 0, banks);
    set->words = 0;
    set->passes = 0;
}

/* Returns the index of `word` in the set. Adds the word if it is new. */
static uint32_t add_word(struct bank_words *set, uint64_t word, uint32_t bank)
{
    for (uint32_t i = set->first[bank]; i != 0; i = set->next[i - 1]) {
        if (set->word[i - 1] == word)
            return i - 1;
    }
    uint32_t index = set->words++;
    set->word[index] = word;
    set->next[index] = set->first[bank];
    set->first[bank] = (uint8_t)(index + 1);
    set->passes = max_u32(set->passes, ++set->count[bank]);
    return index;
}

static uint32_t group_passes(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                             uint32_t banks)
{
    struct bank_words set;
    clear(&set, banks);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint64_t address = lane_address(addresses, lowest_lane(left));
        uint64_t last = (address + width - 1) / 4;
        for (uint64_t word = address / 4; word <= last; word++)
            add_word(&set, word, bank_of(word, banks));
    }
    return set.passes;
}

/* Returns whether the lanes' words are neighbours, so that each group of lanes takes one pass. */
static bool is_dense(const struct lane_addresses *addresses, uint32_t width, uint32_t banks)
{
    int64_t stride = addresses->stride;
    if (!addresses->affine || banks < 32)
        return false;
    if (stride == 0)
        return true;
    if (width > 4)
        return (stride == width || stride == -(int64_t)width) && addresses->base % width == 0 &&
               (width & (width - 1)) == 0;
    return stride >= -4 && stride <= 4 && addresses->base % 4 == 0 && stride % width == 0;
}

/* Returns the passes of 32-bit accesses from lane 0 on whose stride is a multiple of a word. */
static uint32_t strided_passes(const struct lane_addresses *addresses, uint32_t lanes)
{
    uint64_t stride = (uint64_t)addresses->stride;
    uint64_t words = (addresses->stride < 0 ? ~stride + 1 : stride) / 4;
    uint32_t shared = words % 32 == 0 ? 32 : (uint32_t)(words & (~words + 1));
    uint32_t count = (uint32_t)__builtin_popcount(lanes);
    return (count * shared + 31) / 32;
}

static bool is_strided(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                       uint32_t banks)
{
    return addresses->affine && width == 4 && banks == 32 && addresses->stride != 0 &&
           addresses->stride % 4 == 0 && addresses->base % 4 == 0 && (lanes & (lanes + 1)) == 0;
}

/* Returns the passes if groups of `size` lanes go through the banks together. */
static struct bank_passes grouped_passes(const struct lane_addresses *addresses, uint32_t lanes,
                                         uint32_t width, uint32_t banks, uint32_t size)
{
    struct bank_passes result = {0, 0};
    if (lanes == 0)
        return result;
    bool dense = is_dense(addresses, width, banks);
    if (!dense && is_strided(addresses, lanes, width, banks))
        return (struct bank_passes){strided_passes(addresses, lanes), 1};
    for (uint32_t first = 0; first < SIMSM_WARP_LANES; first += size) {
        uint32_t part = lanes & group_mask(size, first);
        if (part == 0)
            continue;
        result.groups++;
        result.passes += dense ? 1 : group_passes(addresses, part, width, banks);
    }
    return result;
}

struct bank_passes banks_passes(const struct lane_addresses *addresses, uint32_t lanes,
                                uint32_t width, uint32_t banks)
{
    return grouped_passes(addresses, lanes, width, banks, group_lanes(width));
}

/* Returns whether each lane has the address of lane ^ distance (a power of two). A pair counts only
 * if both of its lanes take part. */
static bool in_pairs(const struct lane_addresses *addresses, uint32_t lanes, uint32_t distance)
{
    if (addresses->affine && addresses->stride == 0)
        return true;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const unsigned lane = lowest_lane(left), other = lane ^ distance;
        if ((lanes >> other & 1) && lane_address(addresses, lane) != lane_address(addresses, other))
            return false;
    }
    return true;
}

struct bank_passes banks_load_passes(const struct lane_addresses *addresses, uint32_t lanes,
                                     uint32_t width, uint32_t banks)
{
    uint32_t size = group_lanes(width);
    if (width > 4 && (in_pairs(addresses, lanes, 1) || in_pairs(addresses, lanes, 2)))
        size *= 2;
    return grouped_passes(addresses, lanes, width, banks, size);
}

uint32_t banks_bound(const struct lane_addresses *addresses, uint32_t lanes, uint32_t width,
                     uint32_t banks)
{
    if (lanes == 0)
        return 0;
    if (addresses->affine || width > 4)
        return banks_passes(addresses, lanes, width, banks).passes;
    uint8_t count[BANKS_MAX] = {0};
    uint8_t most = 0;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint64_t address = addresses->lane[lowest_lane(left)];
        if (address % 4 + width > 4)
            return banks_passes(addresses, lanes, width, banks).passes;
        uint8_t now = ++count[bank_of(address / 4, banks)];
        most = now > most ? now : most;
    }
    return most;
}

struct bank_turns banks_turns(const struct lane_addresses *addresses, uint32_t lanes,
                              uint32_t banks)
{
    struct bank_turns result = {0, 0};
    struct bank_words set;
    uint8_t in_bank[BANKS_MAX] = {0};
    uint8_t on_address[SIMSM_WARP_LANES] = {0};
    clear(&set, banks);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint64_t address = lane_address(addresses, lowest_lane(left));
        uint32_t bank = bank_of(address / 4, banks);
        uint32_t index = add_word(&set, address, bank);
        result.passes = max_u32(result.passes, ++in_bank[bank]);
        result.repeats = max_u32(result.repeats, ++on_address[index]);
    }
    return result;
}
