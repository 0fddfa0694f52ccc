/* Shadow memory: regions of 64 KiB that come into being when they are touched. */
#include "sanitize/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { REGION_BITS = 16, REGION_LINES = (1 << REGION_BITS) / SHADOW_BYTES, FIRST_ROOM = 64 };

/* A region outside of device memory: memory of the host that kernels reach. */
struct far_region {
    uint64_t number;
    struct shadow_line *lines; /* NULL: the place in the table is free */
};

struct shadow {
    uint64_t base, regions;
    struct shadow_line **region; /* [regions]; NULL: not touched */
    uint64_t touched;            /* regions below it may have been touched */
    struct far_region *far;      /* hash table with open addressing */
    uint64_t far_count, far_room;
};

struct shadow *shadow_create(uint64_t base, uint64_t bytes)
{
    struct shadow *shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return NULL;
    shadow->base = base;
    shadow->regions = (bytes >> REGION_BITS) + 1;
    shadow->far_room = FIRST_ROOM;
    shadow->region = calloc(shadow->regions, sizeof(struct shadow_line *));
    shadow->far = calloc(shadow->far_room, sizeof *shadow->far);
    if (shadow->region && shadow->far)
        return shadow;
    shadow_destroy(shadow);
    return NULL;
}

void shadow_destroy(struct shadow *shadow)
{
    if (!shadow)
        return;
    for (uint64_t i = 0; shadow->region && i < shadow->touched; i++)
        free(shadow->region[i]);
    for (uint64_t i = 0; shadow->far && i < shadow->far_room; i++)
        free(shadow->far[i].lines);
    free((void *)shadow->region);
    free(shadow->far);
    free(shadow);
}

/* Returns the place of region `number` in the table, or the free place where it belongs. */
static struct far_region *far_place(struct far_region *table, uint64_t room, uint64_t number)
{
    uint64_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (room - 1);
    while (table[at].lines && table[at].number != number)
        at = (at + 1) & (room - 1);
    return &table[at];
}

static bool far_grow(struct shadow *shadow)
{
    const uint64_t room = 2 * shadow->far_room;
    struct far_region *table = calloc(room, sizeof *table);
    if (!table)
        return false;
    for (uint64_t i = 0; i < shadow->far_room; i++)
        if (shadow->far[i].lines)
            *far_place(table, room, shadow->far[i].number) = shadow->far[i];
    free(shadow->far);
    shadow->far = table;
    shadow->far_room = room;
    return true;
}

static struct shadow_line *far_region(struct shadow *shadow, uint64_t number)
{
    struct far_region *place = far_place(shadow->far, shadow->far_room, number);
    if (place->lines)
        return place->lines;
    if (2 * shadow->far_count >= shadow->far_room) {
        if (!far_grow(shadow))
            return NULL;
        place = far_place(shadow->far, shadow->far_room, number);
    }
    place->number = number;
    place->lines = calloc(REGION_LINES, sizeof *place->lines);
    shadow->far_count += place->lines != NULL;
    return place->lines;
}

struct shadow_line *shadow_at(struct shadow *shadow, uint64_t address)
{
    const uint64_t line = address / SHADOW_BYTES % REGION_LINES;
    const uint64_t number = (address - shadow->base) >> REGION_BITS;
    struct shadow_line *lines;
    if (number >= shadow->regions) {
        lines = far_region(shadow, address >> REGION_BITS);
        return lines ? lines + line : NULL;
    }
    lines = shadow->region[number];
    if (lines)
        return lines + line;
    lines = shadow->region[number] = calloc(REGION_LINES, sizeof *lines);
    if (number >= shadow->touched)
        shadow->touched = number + 1;
    return lines ? lines + line : NULL;
}

/* Returns whether the region of `address` is in device memory and was never touched. */
static bool is_untouched(const struct shadow *shadow, uint64_t address)
{
    const uint64_t number = (address - shadow->base) >> REGION_BITS;
    return number < shadow->regions && !shadow->region[number];
}

void shadow_clear(struct shadow *shadow, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    uint64_t at = address / SHADOW_BYTES * SHADOW_BYTES;
    while (at < end) {
        if (is_untouched(shadow, at)) {
            at = ((at >> REGION_BITS) + 1) << REGION_BITS;
            continue;
        }
        struct shadow_line *line = shadow_at(shadow, at);
        if (line)
            memset(line, 0, sizeof *line);
        at += SHADOW_BYTES;
    }
}

/* The bytes of [at, end) that lie in the same word of `written` as `at`, as a mask of the word. */
static uint32_t bits_at(uint64_t at, uint64_t end)
{
    const uint32_t first = at & 31;
    const uint64_t left = end - at;
    return shadow_bits(first, left < 32 - first ? (uint32_t)left : 32 - first);
}

void shadow_write(struct shadow *shadow, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    for (uint64_t at = address; at < end; at = (at / 32 + 1) * 32) {
        struct shadow_line *line = shadow_at(shadow, at);
        if (line)
            line->written[at % SHADOW_BYTES / 32] |= bits_at(at, end);
    }
}

uint64_t shadow_unwritten(struct shadow *shadow, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    uint64_t unwritten = 0;
    for (uint64_t at = address; at < end; at = (at / 32 + 1) * 32) {
        const struct shadow_line *line = shadow_at(shadow, at);
        if (line)
            unwritten += (unsigned)__builtin_popcount(bits_at(at, end) &
                                                      ~line->written[at % SHADOW_BYTES / 32]);
    }
    return unwritten;
}

static void forget(struct shadow_line *lines)
{
    for (uint32_t i = 0; lines && i < REGION_LINES; i++) {
        memset(lines[i].write, 0, sizeof lines[i].write);
        memset(lines[i].read, 0, sizeof lines[i].read);
    }
}

void shadow_forget_accesses(struct shadow *shadow)
{
    for (uint64_t i = 0; i < shadow->touched; i++)
        forget(shadow->region[i]);
    for (uint64_t i = 0; i < shadow->far_room; i++)
        forget(shadow->far[i].lines);
}
