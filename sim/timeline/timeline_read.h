/*
 * The timeline reader: opens a .smtl file, or what is left of one, and decodes its chunks.
 *
 * Nothing in a file is trusted: sizes and counts are bounded before memory is taken for them,
 * every part carries a checksum, and damage becomes an error or a shorter timeline.
 */
#ifndef SIM_TIMELINE_TIMELINE_READ_H
#define SIM_TIMELINE_TIMELINE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/inst.h"
#include "simsm/error.h"
#include "simsm/kernel.h"
#include "simsm/names.h"
#include "simsm/occupancy.h"
#include "simsm/stats.h"
#include "timeline/timeline_overview.h"

struct timeline_reader;

/* A warp state as the file names it. */
struct timeline_state {
    const char *name, *title, *meaning;
    char letter;
    uint8_t xterm;
    uint32_t dark, light; /* 0xRRGGBB */
    uint32_t known;       /* enum simsm_warp_state of that name; SIMSM_STATE_COUNT: none */
};

struct timeline_op {
    const char *name;
    uint32_t route; /* enum simsm_op_route */
    uint32_t pipe;
    uint32_t latency, interval; /* cycles */
    uint32_t known;             /* enum simsm_op_class of that name; SIMSM_OP_COUNT: none */
};

struct timeline_pipe {
    const char *name;
    bool shared; /* one for the SM, not one for each sub-partition */
};

/* A static instruction. */
struct timeline_line {
    const char *text;
    uint32_t pc;      /* byte offset in the kernel */
    uint32_t line;    /* in the source, from 1; 0 unknown */
    const char *file; /* of that; NULL: unknown, or the trace itself */
    uint32_t op;      /* index into `ops` */
    uint8_t width, barrier, barrier_arrive;
    uint8_t n_sources, n_destinations;
    struct reg_range source[INST_MAX_SOURCES];
    struct reg_range destination[INST_MAX_DESTINATIONS];
};

struct timeline_counter {
    const char *name;
    uint64_t value;
};

/* Of one recorded SM, over the recorded range. */
struct timeline_totals {
    uint64_t issues, changes;
    uint64_t *states; /* [state_count] slot cycles */
};

struct timeline_info {
    const char *name; /* of the file */
    const char *program, *command_line, *config, *trace, *gpu;
    struct simsm_launch launch;
    struct simsm_occupancy occupancy;
    uint32_t sms;            /* of the GPU */
    uint32_t sub_partitions; /* of an SM */
    uint32_t slots;          /* of an SM; slot = index x sub_partitions + sub-partition */
    uint64_t clock_khz;
    uint64_t from, to; /* cycles asked for; to = UINT64_MAX: until the end */
    uint32_t sm_count; /* recorded */
    const uint32_t *sm;
    uint32_t state_count, op_count, pipe_count, level_count, line_count;
    const struct timeline_state *states;
    const struct timeline_op *ops;
    const struct timeline_pipe *pipes;
    const char *const *levels;
    const struct timeline_line *lines;
    /* From the end of the file; absent (NULL, 0) from one that was cut off. */
    bool ended;    /* the writer finished the file */
    bool complete; /* the kernel ran to its end */
    uint64_t cycles;
    uint32_t counter_count;
    const struct timeline_counter *counters;
    const struct timeline_totals *totals; /* [sm_count] */
    const struct simsm_stats *stats;      /* of the whole run */
    const char *damage; /* what is missing and why, one clause; NULL for a whole file */
};

/* Part of one SM's timeline. Chunks of an SM follow one another without gaps. */
struct timeline_chunk {
    uint32_t sm;
    uint64_t begin, end; /* cycles, half-open */
    uint32_t changes, issues;
    uint32_t raw, packed; /* bytes of its payload */
    uint64_t offset;      /* in the file, of its head */
};

/* A slot in one state. Begins before the chunk if it entered the state there. */
struct timeline_span {
    uint64_t from, to; /* cycles, half-open; cut off at the end of the chunk */
    uint32_t pc;       /* static instruction at the head of the warp */
    uint8_t slot, state;
};

struct timeline_issue {
    uint64_t cycle;
    uint32_t pc; /* static instruction */
    uint32_t mask;
    uint8_t slot;
};

struct timeline_memory {
    uint64_t cycle;
    uint32_t pc; /* static instruction */
    uint8_t slot;
    bool done;     /* else: enters the load/store stage */
    uint8_t level; /* that answered */
};

/* A warp in a slot. The first of a slot in a chunk may have started before it. */
struct timeline_warp {
    uint64_t cycle;
    uint32_t block; /* low 32 bits of its linear index */
    uint8_t slot, warp;
    bool started; /* false: none has ever started here */
};

struct timeline_sm_event {
    uint64_t cycle;
    uint32_t arg;
    uint8_t kind; /* enum simsm_event_kind: BLOCK_START, BLOCK_END or BARRIER_RELEASE */
    uint8_t sub;
};

/*
 * A decoded chunk: ordered by slot, then cycle; `..._of[s]` .. `..._of[s + 1]` are those of slot s.
 * Zero it before its first use; the arrays are reused from one decoding to the next.
 */
struct timeline_data {
    uint64_t begin, end;
    uint32_t sm;
    uint32_t span_of[SIMSM_SLOTS_PER_SM + 1], issue_of[SIMSM_SLOTS_PER_SM + 1];
    uint32_t memory_of[SIMSM_SLOTS_PER_SM + 1], warp_of[SIMSM_SLOTS_PER_SM + 1];
    uint32_t span_count, issue_count, memory_count, warp_count, event_count;
    uint32_t span_room, issue_room, memory_room, warp_room, event_room;
    struct timeline_span *spans;
    struct timeline_issue *issues;
    struct timeline_memory *memory;
    struct timeline_warp *warps;
    struct timeline_sm_event *events;
};

/* On success close *reader with timeline_read_close. A damaged file opens as far as it is whole. */
enum simsm_status timeline_read_open(struct timeline_reader **reader, const char *path,
                                     struct simsm_error *error);

/* The same for `size` bytes of memory, which must stay as they are; `name` is for messages. */
enum simsm_status timeline_read_memory(struct timeline_reader **reader, const void *data,
                                       size_t size, const char *name, struct simsm_error *error);

/* NULL is allowed. */
void timeline_read_close(struct timeline_reader *reader);

/* Owned by the reader. */
const struct timeline_info *timeline_read_info(const struct timeline_reader *reader);

/* Of the whole GPU; owned by the reader. NULL if the file was cut off before it. */
const struct overview_view *timeline_read_overview(const struct timeline_reader *reader);

/* The chunks of one SM in order of time, owned by the reader; *count may be 0. */
const struct timeline_chunk *timeline_read_chunks(const struct timeline_reader *reader, uint32_t sm,
                                                  uint32_t *count);

/* Unpacks, checks and decodes a chunk of this reader. On failure *data holds nothing. */
enum simsm_status timeline_read_chunk(struct timeline_reader *reader,
                                      const struct timeline_chunk *chunk,
                                      struct timeline_data *data, struct simsm_error *error);

/*
 * The same in slices, for those who draw meanwhile. Between them the reader can be used for other
 * chunks; *data and *chunk must stay, and the reader open. Call timeline_slices_next until it
 * returns false, and in any case timeline_slices_end (NULL is allowed), which tells whether the
 * chunk is whole; ended early, it is not, and *data holds nothing.
 */
struct timeline_slices;
enum simsm_status timeline_slices_begin(struct timeline_slices **slices,
                                        struct timeline_reader *reader,
                                        const struct timeline_chunk *chunk,
                                        struct timeline_data *data, struct simsm_error *error);
bool timeline_slices_next(struct timeline_slices *slices);
enum simsm_status timeline_slices_end(struct timeline_slices *slices, struct simsm_error *error);

/* Frees the arrays. */
void timeline_data_free(struct timeline_data *data);

#endif
