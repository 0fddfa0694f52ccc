/* The pyramid of states: built from spans, and read bucket by bucket. */
#include "track/pyramid.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* Most cells of level 0. All levels together then take about 200 MB. */
#define MOST_CELLS ((uint64_t)20 << 20)

bool pyramid_create(struct pyramid *pyramid, uint32_t slots, uint64_t begin, uint64_t end)
{
    *pyramid = (struct pyramid){.slots = slots, .shift = PYRAMID_LEAST_SHIFT};
    while (((end - begin) >> pyramid->shift) * slots > MOST_CELLS)
        pyramid->shift++;
    pyramid->first = begin >> pyramid->shift;
    uint64_t from = pyramid->first;
    uint64_t to = end >> pyramid->shift;
    bool ok = true;
    for (uint32_t i = 0; i < PYRAMID_LEVELS && ok; i++, from /= 2, to /= 2) {
        pyramid->levels = i + 1;
        pyramid->buckets[i] = to - from + 1;
        pyramid->cells[i] = calloc(slots * pyramid->buckets[i], sizeof *pyramid->cells[i]);
        ok = pyramid->cells[i] != NULL;
        if (from == to)
            break;
    }
    pyramid->next = calloc(slots, sizeof *pyramid->next);
    pyramid->open = calloc((size_t)slots * pyramid->levels, sizeof *pyramid->open);
    ok = ok && pyramid->next && pyramid->open;
    for (uint32_t i = 0; ok && i < slots; i++)
        pyramid->next[i] = begin;
    return ok;
}

void pyramid_free(struct pyramid *pyramid)
{
    for (uint32_t i = 0; i < pyramid->levels; i++)
        free(pyramid->cells[i]);
    free(pyramid->next);
    free(pyramid->open);
    memset(pyramid, 0, sizeof *pyramid);
}

static uint8_t share_of(uint64_t part, uint64_t whole)
{
    return (uint8_t)((part * 255 + whole / 2) / whole);
}

struct pyramid_cell pyramid_close(struct pyramid_open *open)
{
    uint32_t best = 0;
    uint32_t second = 0;
    uint64_t most = 0;
    uint64_t next = 0;
    uint64_t whole = open->other;
    uint64_t issue = open->time[SIMSM_STATE_ISSUED];
    for (uint32_t left = open->present; left; left &= left - 1) {
        uint32_t state = (uint32_t)__builtin_ctz(left);
        uint64_t time = open->time[state];
        open->time[state] = 0;
        whole += time;
        if (time > most) {
            second = best;
            next = most;
            best = state;
            most = time;
        } else if (time > next) {
            second = state;
            next = time;
        }
    }
    open->present = 0;
    open->other = 0;
    if (!whole)
        return (struct pyramid_cell){0};
    return (struct pyramid_cell){
        .state = (uint8_t)best,
        .share = share_of(most, whole),
        .second = (uint8_t)second,
        .second_share = share_of(next, whole),
        .issue_share = share_of(issue, whole),
    };
}

void pyramid_open_cell(struct pyramid_open *open, const struct pyramid_cell *cell, uint64_t cycles)
{
    uint32_t known = cell->share;
    pyramid_open_add(open, cell->state, cycles * cell->share);
    if (cell->second_share) {
        pyramid_open_add(open, cell->second, cycles * cell->second_share);
        known += cell->second_share;
    }
    if (cell->issue_share && cell->state != SIMSM_STATE_ISSUED &&
        (cell->second != SIMSM_STATE_ISSUED || !cell->second_share)) {
        pyramid_open_add(open, SIMSM_STATE_ISSUED, cycles * cell->issue_share);
        known += cell->issue_share;
    }
    open->other += known < 255 && cell->share ? cycles * (255 - known) : 0;
}

/*
 * Closes the bucket of level 0 that holds cycle `last`, and each bucket above it that ends with it,
 * or all of them if `all` is true.
 */
static void close_bucket(struct pyramid *pyramid, uint32_t slot, uint64_t last, bool all)
{
    uint64_t bucket = last >> pyramid->shift;
    uint64_t first = pyramid->first;
    struct pyramid_open *open = &pyramid->open[(size_t)slot * pyramid->levels];
    for (uint32_t level = 0; level < pyramid->levels; level++, open++) {
        for (uint32_t left = level + 1 < pyramid->levels ? open->present : 0; left;
             left &= left - 1) {
            uint32_t state = (uint32_t)__builtin_ctz(left);
            pyramid_open_add(open + 1, state, open->time[state]);
        }
        if (open->present) { /* else the bucket is closed already, or nothing is known of it */
            SIMSM_CHECK(bucket >= first && bucket - first < pyramid->buckets[level],
                        "bucket %llu of %llu from %llu on", (unsigned long long)bucket,
                        (unsigned long long)pyramid->buckets[level], (unsigned long long)first);
            pyramid->cells[level][slot * pyramid->buckets[level] + (bucket - first)] =
                pyramid_close(open);
        }
        if (!(bucket & 1) && !all)
            return;
        bucket /= 2;
        first /= 2;
    }
}

void pyramid_add(struct pyramid *pyramid, uint32_t slot, enum simsm_warp_state state, uint64_t to)
{
    struct pyramid_open *open = &pyramid->open[(size_t)slot * pyramid->levels];
    uint64_t at = pyramid->next[slot];
    while (at < to) {
        uint64_t end = ((at >> pyramid->shift) + 1) << pyramid->shift;
        uint64_t until = end < to ? end : to;
        pyramid_open_add(open, state, until - at);
        if (until == end)
            close_bucket(pyramid, slot, end - 1, false);
        at = until;
    }
    pyramid->next[slot] = at;
}

void pyramid_end(struct pyramid *pyramid)
{
    for (uint32_t slot = 0; slot < pyramid->slots; slot++) {
        uint64_t next = pyramid->next[slot];
        if (next >> pyramid->shift >= pyramid->first && next)
            close_bucket(pyramid, slot, next - 1, true);
    }
}

uint32_t pyramid_level(const struct pyramid *pyramid, uint64_t cycles)
{
    uint32_t level = 0;
    while (level + 1 < pyramid->levels && (uint64_t)2 << (pyramid->shift + level) <= cycles)
        level++;
    return level;
}

const struct pyramid_cell *pyramid_at(const struct pyramid *pyramid, uint32_t level, uint32_t slot,
                                      uint64_t bucket)
{
    uint64_t first = pyramid->first >> level;
    if (bucket < first || bucket - first >= pyramid->buckets[level])
        return NULL;
    return &pyramid->cells[level][slot * pyramid->buckets[level] + (bucket - first)];
}
