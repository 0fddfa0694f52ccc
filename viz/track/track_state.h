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
    TIMELINE_MOST_RECORDS = 65536 + 1 /* most cycles of a chunk in which something changes */
};

/* A decoded chunk in the cache. */
struct decoded_chunk {
    const struct timeline_chunk *chunk; /* NULL: none */
    struct timeline_data data;
    struct history history;   /* points into `data` */
    struct running_sums fine; /* sums of the chunk, for fine_sums.c */
    uint64_t used; /* track->clock at the last use: the least recently used chunk is replaced */
};

/* Several chunks joined to one history, for stretches over chunk borders. */
struct joined_chunks {
    struct history history;
    uint64_t from, to; /* cycles; to = 0: nothing is joined */
    uint32_t slot;
};

/* The chunk that is being decoded, over several frames if a frame has no time to wait. */
struct chunk_decoding {
    struct timeline_slices *slices; /* NULL: none */
    const struct timeline_chunk *chunk;
    struct decoded_chunk *piece;
    bool decoded;  /* decoded; its sums are being built */
    uint32_t slot; /* next slot to add to the sums */
};

/* The progress of adding one chunk to the pyramid and the sums of the run. */
struct chunk_building {
    struct timeline_slices *slices; /* NULL: the chunk is decoded, or decoding has not begun */
    bool decoded;
    uint32_t slot; /* next slot to add; behind the last slot the counts are added */
};

/* The last explanation of track_explain. */
struct track_answer {
    char *text; /* NULL: no explanation yet */
    uint32_t slot, width;
    uint64_t cycle;
};

struct track {
    struct run *run;
    uint32_t sm;
    const struct timeline_chunk *chunks;
    uint32_t chunk_count, built; /* built: chunks that are in the pyramid */
    bool done;
    uint32_t slots_used; /* of a sub-partition: up to the last slot that has held a warp */
    struct track_wait longest;
    uint64_t begin, end;
    struct pyramid pyramid;
    struct running_sums sums;
    struct track_line *lines; /* [line_count] */
    bool has_products;
    uint32_t most_copies;  /* at a time */
    uint64_t *product_end; /* [sub_partitions] end of the last product */
    uint64_t *ready;       /* [sub_partitions x TRACK_READY] cycles */
    uint64_t *before;      /* [sub_partitions] memory instructions in flight at `begin` */
    /*
     * While building: change of the number of eligible and resident warps at each cycle of the
     * chunk, by sub-partition.
     */
    int32_t *eligible, *resident;
    uint32_t *flying; /* [slots x line_count] memory instructions in flight; NULL: recorded from
                         cycle 0 on */
    struct timeline_data data;
    struct chunk_building building;
    struct decoded_chunk pieces[TRACK_CACHED_CHUNKS];
    struct chunk_decoding coming;
    struct joined_chunks joined;
    struct track_answer answer;
    uint64_t clock;
    uint64_t seen_from, seen_to; /* cycles that this frame shows, if run->drawn is this track */
};

struct run {
    struct timeline_reader *reader;
    const struct timeline_info *info;
    uint64_t begin, end;
    uint32_t known[32];    /* enum simsm_warp_state of each state of the file */
    struct track **tracks; /* [sms] NULL until used */
    struct run_block *blocks;
    uint64_t first_block; /* start of the earliest block; run_begin() without blocks */
    uint32_t block_count;
    bool blocks_known, blocks_of_all;
    struct source_file *sources; /* files that were read */
    struct simsm_config config;
    bool config_known;
    uint32_t left_us;    /* microseconds that the frame has left; UINT32_MAX: no limit */
    bool waits;          /* something was not decoded in time */
    struct track *drawn; /* the track that this frame used last; NULL: none */
};

/* Frees a track. NULL is allowed. */
void track_free(struct track *track);

/* Returns the state of a span as this program knows it. */
static inline enum simsm_warp_state run_state(const struct run *run, uint8_t state)
{
    return (enum simsm_warp_state)run->known[state & 31];
}

/* Adds the work beside the warps of the chunk that is being built (track_work.c). */
void track_add_works(struct track *track);

/* Returns a monotonic time in microseconds. */
uint64_t track_now_us(void);

/* As track_piece, but gives the decoded chunk. */
enum simsm_status track_decoded(struct track *track, uint64_t cycle,
                                const struct decoded_chunk **piece, struct simsm_error *error);

/*
 * Decodes the chunks before and behind the cycles of this frame. Returns false if there was no time
 * for all of it.
 */
bool track_prefetch(struct track *track);

#endif
