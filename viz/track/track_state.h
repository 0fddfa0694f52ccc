/* A run and its tracks. Private to this folder. */
#ifndef VIZ_TRACK_TRACK_STATE_H
#define VIZ_TRACK_TRACK_STATE_H

#include "track/pyramid.h"
#include "track/running_sums.h"
#include "track/track.h"
#include "track/track_sources.h"

enum {
    TRACK_CACHED_CHUNKS = 16,
    TRACK_READY = SIMSM_SLOTS_PER_SM + 1,
    TIMELINE_MOST_RECORDS = 65536 + 1 /* cycles of a chunk in which anything changes */
};

/* A decoded chunk. */
struct decoded_chunk {
    const struct timeline_chunk *chunk; /* NULL: none */
    struct timeline_data data;
    struct history history;   /* in the arrays of `data` */
    struct running_sums fine; /* of them */
    uint64_t used; /* by the clock of the track: the least recently used one goes first */
};

/* Several of them in one, for what looks across their borders. */
struct joined_chunks {
    struct history history;
    uint64_t from, to; /* cycles; to = 0: nothing */
    uint32_t slot;
};

/* What is being decoded, over several frames if there is no time to wait. */
struct chunk_decoding {
    struct timeline_slices *slices; /* NULL: nothing */
    const struct timeline_chunk *chunk;
    struct decoded_chunk *piece;
    bool decoded;  /* only its sums are missing: */
    uint32_t slot; /* the next one to add to them */
};

/* What of a chunk has been added to the pyramid and the sums, while they are built. */
struct chunk_building {
    struct timeline_slices *slices; /* NULL: the chunk is decoded, or not begun */
    bool decoded;
    uint32_t slot; /* the next one to add; behind the last one come the counts */
};

/* Why a slot was in its state. */
struct track_answer {
    char *text; /* NULL: nothing has been asked */
    uint32_t slot, width;
    uint64_t cycle;
};

struct track {
    struct run *run;
    uint32_t sm;
    const struct timeline_chunk *chunks;
    uint32_t chunk_count, built; /* chunks; of these in the pyramid */
    bool done;
    uint32_t slots_used; /* of a sub-partition: up to the last one that ever held a warp */
    uint64_t begin, end;
    struct pyramid pyramid;
    struct running_sums sums;
    struct track_line *lines; /* [line_count] */
    uint64_t *ready;          /* [sub_partitions x TRACK_READY] cycles */
    uint64_t *before;         /* [sub_partitions] memory instructions in flight at the begin */
    /* While building: changes of the number of warps by cycle of the chunk, by sub-partition. */
    int32_t *eligible, *resident;
    uint32_t *flying; /* [slots x line_count] memory instructions in flight; NULL: from cycle 0 */
    struct timeline_data data;
    struct chunk_building building;
    struct decoded_chunk pieces[TRACK_CACHED_CHUNKS];
    struct chunk_decoding coming;
    struct joined_chunks joined;
    struct track_answer answer;
    uint64_t clock;
    uint64_t seen_from, seen_to; /* cycles of the pieces in this frame, if it is run->drawn */
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
    struct source_file *sources; /* that have been looked at */
    struct simsm_config config;
    bool config_known;
    uint32_t left_us;    /* microseconds that the frame can wait; UINT32_MAX: for everything */
    bool waits;          /* something was not there in time */
    struct track *drawn; /* from which pieces were taken last in this frame; NULL: none */
};

void track_free(struct track *track);

/* The state of a span as this program knows it. */
static inline enum simsm_warp_state run_state(const struct run *run, uint8_t state)
{
    return (enum simsm_warp_state)run->known[state & 31];
}

/* A monotonic clock, microseconds. */
uint64_t track_now_us(void);

/* As track_piece. */
enum simsm_status track_decoded(struct track *track, uint64_t cycle,
                                const struct decoded_chunk **piece, struct simsm_error *error);

/* Goes on with the chunks before and behind those of this frame; false: there was no time for all.
 */
bool track_prefetch(struct track *track);

#endif
