/* A run and its tracks. Private to this folder. */
#ifndef VIZ_TRACK_TRACK_STATE_H
#define VIZ_TRACK_TRACK_STATE_H

#include "track/pyramid.h"
#include "track/sources.h"
#include "track/sums.h"
#include "track/track.h"

enum {
    TRACK_PIECES = 24,
    TRACK_READY = SIMSM_SLOTS_PER_SM + 1,
    TIMELINE_MOST_RECORDS = 65536 + 1 /* cycles of a chunk in which anything changes */
};

/* A decoded chunk, or several joined. */
struct piece {
    struct history history;
    uint64_t from, to; /* what it was asked for; to = 0: nothing */
    uint64_t used;     /* by the clock of the track: the least recently used one goes first */
};

struct track {
    struct run *run;
    uint32_t sm;
    const struct timeline_chunk *chunks;
    uint32_t chunk_count, built; /* chunks; of these in the pyramid */
    bool done;
    uint64_t begin, end;
    struct pyramid pyramid;
    struct sums sums;
    struct track_line *lines; /* [line_count] */
    uint64_t *ready;          /* [sub_partitions x TRACK_READY] cycles */
    /* While building: changes of the number of warps by cycle of the chunk, by sub-partition. */
    int32_t *eligible, *resident;
    struct timeline_data data;
    struct piece pieces[TRACK_PIECES];
    struct piece joined;
    uint64_t clock;
};

struct run {
    struct timeline_reader *reader;
    const struct timeline_info *info;
    uint64_t begin, end;
    uint32_t known[32];    /* enum simsm_warp_state of each state of the file */
    struct track **tracks; /* [sms] NULL until asked for */
    struct run_block *blocks;
    uint32_t block_count;
    bool blocks_known, blocks_of_all;
    struct source *sources; /* that have been looked at */
    struct simsm_config config;
    bool config_known;
};

void track_free(struct track *track);

/* The state of a span as this program knows it. */
static inline enum simsm_warp_state run_state(const struct run *run, uint8_t state)
{
    return (enum simsm_warp_state)run->known[state & 31];
}

/* The decoded chunk that holds `cycle`. */
enum simsm_status track_piece(struct track *track, uint64_t cycle, const struct history **history,
                              struct simsm_error *error);

#endif
