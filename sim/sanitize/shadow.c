#define _DEFAULT_SOURCE /* MAP_NORESERVE, madvise */
/*
 * Shadow memory. That of device memory is two mappings at fixed distances, whose pages come into
 * being when they are touched. Memory of the host that kernels reach has regions in a hash table.
 */
#include "sanitize/shadow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    REGION_BITS = SHADOW_REGION_BITS,
    REGION_LINES = (1 << REGION_BITS) / SHADOW_BYTES,
    FIRST_ROOM = 64
};

/* A region outside of device memory. */
struct far_region {
    uint64_t number;
    struct shadow_line *lines; /* NULL: the place in the table is free */
    uint32_t *written;
    bool touched; /* since shadow_settle_touched */
};

struct shadow {
    uint64_t base, bytes, end; /* end: addresses from base to here may have been touched */
    struct shadow_line *lines; /* [bytes / SHADOW_BYTES] */
    uint32_t *written;         /* [bytes / 32] */
    struct far_region *far;    /* hash table with open addressing */
    uint64_t far_count, far_room;
    bool far_touched; /* a far region was touched since shadow_settle_touched */
};

/* Returns zeros that cost nothing until they are touched, or NULL. */
static void *map_zeros(uint64_t bytes)
{
    void *zeros = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return zeros == MAP_FAILED ? NULL : zeros;
}

struct shadow *shadow_create(uint64_t base, uint64_t bytes)
{
    struct shadow *shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return NULL;
    shadow->base = base;
    shadow->bytes = (bytes / SHADOW_BYTES + 1) * SHADOW_BYTES;
    shadow->far_room = FIRST_ROOM;
    shadow->lines = map_zeros(shadow->bytes / SHADOW_BYTES * sizeof *shadow->lines);
    shadow->written = map_zeros(shadow->bytes / 8);
    shadow->far = calloc(shadow->far_room, sizeof *shadow->far);
    if (shadow->lines && shadow->written && shadow->far)
        return shadow;
    shadow_destroy(shadow);
    return NULL;
}

void shadow_destroy(struct shadow *shadow)
{
    if (!shadow)
        return;
    if (shadow->lines)
        (void)munmap(shadow->lines, shadow->bytes / SHADOW_BYTES * sizeof *shadow->lines);
    if (shadow->written)
        (void)munmap(shadow->written, shadow->bytes / 8);
    for (uint64_t i = 0; shadow->far && i < shadow->far_room; i++) {
        free(shadow->far[i].lines);
        free(shadow->far[i].written);
    }
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

/* Returns the region of an address outside of device memory, or NULL if memory is short. */
static struct far_region *far_region(struct shadow *shadow, uint64_t number)
{
    struct far_region *place = far_place(shadow->far, shadow->far_room, number);
    if (place->lines)
        return place;
    if (2 * shadow->far_count >= shadow->far_room) {
        if (!far_grow(shadow))
            return NULL;
        place = far_place(shadow->far, shadow->far_room, number);
    }
    struct shadow_line *lines = calloc(REGION_LINES, sizeof *lines);
    uint32_t *written = calloc(REGION_LINES * SHADOW_BITS, sizeof *written);
    if (!lines || !written) {
        free(lines);
        free(written);
        return NULL;
    }
    place->number = number;
    place->lines = lines;
    place->written = written;
    shadow->far_count++;
    return place;
}

struct shadow_spot shadow_at(struct shadow *shadow, uint64_t address)
{
    const uint64_t at = address - shadow->base;
    if (at < shadow->bytes) {
        if (at >= shadow->end)
            shadow->end = (at / SHADOW_BYTES + 1) * SHADOW_BYTES;
        return (struct shadow_spot){shadow->lines + at / SHADOW_BYTES,
                                    shadow->written + at / SHADOW_BYTES * SHADOW_BITS};
    }
    struct far_region *region = far_region(shadow, address >> REGION_BITS);
    const uint64_t line = address / SHADOW_BYTES % REGION_LINES;
    if (!region)
        return (struct shadow_spot){NULL, NULL};
    region->touched = shadow->far_touched = true;
    return (struct shadow_spot){region->lines + line, region->written + line * SHADOW_BITS};
}

bool shadow_host_touched(const struct shadow *shadow)
{
    return shadow->far_touched;
}

bool shadow_region_touched(const struct shadow *shadow, uint64_t address)
{
    const struct far_region *place =
        far_place(shadow->far, shadow->far_room, address >> REGION_BITS);
    return place->lines && place->touched;
}

void shadow_settle_touched(struct shadow *shadow)
{
    for (uint64_t i = 0; i < shadow->far_room; i++)
        shadow->far[i].touched = false;
    shadow->far_touched = false;
}

/* Makes [from, to) zero; whole pages are given back. */
static void zero(void *memory, size_t bytes)
{
    const uintptr_t page = 4096, begin = (uintptr_t)memory, end = begin + bytes;
    const uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
    if (first >= last || madvise((void *)first, last - first, MADV_DONTNEED) != 0) {
        memset(memory, 0, bytes);
        return;
    }
    memset(memory, 0, first - begin);
    memset((void *)last, 0, end - last);
}

void shadow_clear(struct shadow *shadow, uint64_t address, uint64_t bytes)
{
    const uint64_t at = address - shadow->base;
    const uint64_t first = at / SHADOW_BYTES, end = (at + bytes + SHADOW_BYTES - 1) / SHADOW_BYTES;
    if (at >= shadow->bytes || at >= shadow->end)
        return;
    zero(shadow->lines + first, (end - first) * sizeof *shadow->lines);
    zero(shadow->written + first * SHADOW_BITS, (end - first) * SHADOW_BITS * sizeof(uint32_t));
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
        const struct shadow_spot spot = shadow_at(shadow, at);
        if (spot.written)
            spot.written[at % SHADOW_BYTES / 32] |= bits_at(at, end);
    }
}

uint64_t shadow_unwritten(struct shadow *shadow, uint64_t address, uint64_t bytes)
{
    const uint64_t end = address + bytes;
    uint64_t unwritten = 0;
    for (uint64_t at = address; at < end; at = (at / 32 + 1) * 32) {
        const struct shadow_spot spot = shadow_at(shadow, at);
        if (spot.written)
            unwritten += (unsigned)__builtin_popcount(bits_at(at, end) &
                                                      ~spot.written[at % SHADOW_BYTES / 32]);
    }
    return unwritten;
}

bool shadow_has_gap(struct shadow *shadow, uint64_t address, uint64_t bytes)
{
    for (uint64_t at = (address + 15) / 16 * 16; at + 16 <= address + bytes; at += 16) {
        const struct shadow_spot spot = shadow_at(shadow, at);
        if (spot.written && !(spot.written[at % SHADOW_BYTES / 32] & shadow_bits(at & 31, 16)))
            return true;
    }
    return false;
}

bool shadow_is_untouched(struct shadow *shadow, uint64_t address, uint64_t bytes)
{
    if (shadow_unwritten(shadow, address, bytes) != bytes)
        return false;
    for (uint64_t at = address; at < address + bytes; at += SHADOW_BYTES) {
        const struct shadow_spot spot = shadow_at(shadow, at);
        for (uint32_t i = 0; spot.line && i < SHADOW_WORDS; i++)
            if (spot.line->read[i] || spot.line->write[i])
                return false;
    }
    return true;
}

void shadow_forget_accesses(struct shadow *shadow)
{
    zero(shadow->lines, shadow->end / SHADOW_BYTES * sizeof *shadow->lines);
    for (uint64_t i = 0; i < shadow->far_room; i++)
        if (shadow->far[i].lines)
            memset(shadow->far[i].lines, 0, REGION_LINES * sizeof *shadow->far[i].lines);
}
