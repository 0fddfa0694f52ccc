/*
 * The timeline reader: opens a .smtl file, also one that was cut off, and decodes its chunks.
 *
 * Nothing in a file is trusted. Sizes and counts are bounded before memory is allocated for them,
 * and every part has a checksum. Damage leads to an error or to a shorter timeline.
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

/* A warp state as the file describes it. */
struct timeline_state {
    const char *name, *title, *meaning;
    char letter;
    uint8_t xterm;
    uint32_t dark, light; /* 0xRRGGBB */
    uint32_t known;       /* enum simsm_warp_state with that name; SIMSM_STATE_COUNT: none */
};

struct timeline_op {
    const char *name;
    uint32_t route; /* enum simsm_op_route */
    uint32_t pipe;
    uint32_t latency, interval; /* cycles */
    uint32_t known;             /* enum simsm_op_class with that name; SIMSM_OP_COUNT: none */
};

struct timeline_pipe {
    const char *name;
    bool shared; /* one pipe for the SM, not one for each sub-partition */
};

/* A static instruction. */
struct timeline_line {
    const char *text;
    uint32_t pc;      /* byte offset in the kernel */
    uint32_t line;    /* of the source file, from 1; 0: unknown */
    const char *file; /* the source file; NULL: unknown, or the trace itself */
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

/* Totals of one recorded SM over the recorded cycles. */
struct timeline_totals {
    uint64_t issues, changes;
    uint64_t *states; /* [state_count] slot cycles */
};

struct timeline_info {
    const char *name; /* name of the file */
    const char *program, *command_line, *config, *trace, *gpu;
    struct simsm_launch launch;
    struct simsm_occupancy occupancy;
    uint32_t sms;            /* SMs of the GPU */
    uint32_t sub_partitions; /* of an SM */
    uint32_t slots;          /* of an SM; slot = index x sub_partitions + sub-partition */
    uint64_t clock_khz;
    uint64_t from, to; /* cycles asked for; to = UINT64_MAX: until the end */
    uint32_t sm_count; /* number of recorded SMs */
    const uint32_t *sm;
    uint32_t state_count, op_count, pipe_count, level_count, line_count;
    const struct timeline_state *states;
    const struct timeline_op *ops;
    const struct timeline_pipe *pipes;
    const char *const *levels;
    const struct timeline_line *lines;
    /* From the end of the file. NULL or 0 if the file was cut off. */
    bool ended;    /* the writer finished the file */
    bool complete; /* the kernel ran to its end */
    uint64_t cycles;
    uint32_t counter_count;
    const struct timeline_counter *counters;
    const struct timeline_totals *totals; /* [sm_count] */
    const struct simsm_stats *stats;      /* of the whole run */
    const char *damage; /* a clause: what is missing and why; NULL: the file is whole */
};

/* Part of one SM's timeline. The chunks of an SM follow one another without gaps. */
struct timeline_chunk {
    uint32_t sm;
    uint64_t begin, end; /* cycles, half-open */
    uint32_t changes, issues;
    uint32_t raw, packed; /* bytes of the payload: unpacked, and in the file */
    uint64_t offset;      /* of the block's head in the file */
};

/*
 * A stretch of time in which a slot is in one state. `from` lies before the chunk if the slot
 * entered the state there.
 */
struct timeline_span {
    uint64_t from, to; /* cycles, half-open; `to` is at most the end of the chunk */
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
    bool done;     /* answered; false: enters the load/store stage */
    uint8_t level; /* memory level that answered */
};

/*
 * A warp that takes a slot. The first entry of a slot in a chunk is the warp that held the slot
 * when the chunk began.
 */
struct timeline_warp {
    uint64_t cycle;
    uint32_t block; /* low 32 bits of the block's linear index */
    uint8_t slot, warp;
    bool started; /* false: no warp has ever held the slot */
};

struct timeline_sm_event {
    uint64_t cycle;
    uint32_t arg;
    uint8_t kind; /* enum simsm_event_kind: BLOCK_START, BLOCK_END or BARRIER_RELEASE */
    uint8_t sub;
};

/*
 * Work that runs beside the warp that has issued it: a copy (TMA), or a warp's part of a product of
 * warp groups (wgmma). If it goes on in the next chunk, it is an entry there, too.
 */
struct timeline_work {
    uint64_t issued;   /* cycle; before the chunk if the work goes on from there */
    uint64_t from, to; /* cycles, half-open; of a copy `from` is its issue */
    uint32_t pc;       /* static instruction */
    uint32_t bytes;    /* of a copy */
    uint8_t slot;
    bool product;
    bool open;      /* a copy that goes on when the chunk ends, which is `to` */
    uint8_t number; /* of a copy: the smallest that was free at its issue */
    uint8_t reach;  /* of a copy: SMs of its cluster that it reaches; 0: its own */
};

/* What a copy brought has ended a phase of a barrier in shared memory for which a slot waits. */
struct timeline_wake {
    uint64_t cycle;
    uint8_t slot;
    uint8_t number; /* of the copy; 255: a copy of another SM, or a message */
};

/*
 * A decoded chunk, ordered by slot, then by cycle. Entries `..._of[s]` to `..._of[s + 1] - 1`
 * belong to slot s. Set it to zero before the first use. Decoding the next chunk reuses the arrays.
 */
struct timeline_data {
    uint64_t begin, end;
    uint32_t sm;
    uint32_t span_of[SIMSM_SLOTS_PER_SM + 1], issue_of[SIMSM_SLOTS_PER_SM + 1];
    uint32_t memory_of[SIMSM_SLOTS_PER_SM + 1], warp_of[SIMSM_SLOTS_PER_SM + 1];
    uint32_t span_count, issue_count, memory_count, warp_count, event_count;
    uint32_t work_count, wake_count;
    uint32_t span_room, issue_room, memory_room, warp_room, event_room;
    uint32_t work_room, wake_room;
    struct timeline_span *spans;
    struct timeline_issue *issues;
    struct timeline_memory *memory;
    struct timeline_warp *warps;
    struct timeline_sm_event *events;
    struct timeline_work *works; /* in the order of issue */
    struct timeline_wake *wakes;
};

/*
 * Opens a timeline. On success the caller ends with timeline_read_close. A damaged file opens with
 * the part before the damage.
 */
enum simsm_status timeline_read_open(struct timeline_reader **reader, const char *path,
                                     struct simsm_error *error);

/*
 * Opens a timeline in `size` bytes of memory, which must stay unchanged. `name` stands for the file
 * in messages.
 */
enum simsm_status timeline_read_memory(struct timeline_reader **reader, const void *data,
                                       size_t size, const char *name, struct simsm_error *error);

/* Closes the reader and frees it. NULL is allowed. */
void timeline_read_close(struct timeline_reader *reader);

/* Returns what the head and the end of the file say. Owned by the reader. */
const struct timeline_info *timeline_read_info(const struct timeline_reader *reader);

/*
 * Returns the overview of the whole GPU, owned by the reader. NULL if the file was cut off before
 * it.
 */
const struct overview_view *timeline_read_overview(const struct timeline_reader *reader);

/* Returns the chunks of one SM in order of time, owned by the reader. *count may be 0. */
const struct timeline_chunk *timeline_read_chunks(const struct timeline_reader *reader, uint32_t sm,
                                                  uint32_t *count);

/* Unpacks, checks and decodes a chunk of this reader. On failure *data is empty. */
enum simsm_status timeline_read_chunk(struct timeline_reader *reader,
                                      const struct timeline_chunk *chunk,
                                      struct timeline_data *data, struct simsm_error *error);

/*
 * Decodes a chunk in slices, for a caller that draws frames meanwhile. *data, *chunk and the reader
 * must stay; the reader can be used for other chunks between the calls.
 *
 * timeline_slices_next decodes one slot and returns false when the chunk is decoded or damaged.
 * timeline_slices_end frees the slices (NULL is allowed) and must be called in any case. It returns
 * an error, and *data is empty, if the chunk is damaged or not decoded to its end.
 */
struct timeline_slices;
enum simsm_status timeline_slices_begin(struct timeline_slices **slices,
                                        struct timeline_reader *reader,
                                        const struct timeline_chunk *chunk,
                                        struct timeline_data *data, struct simsm_error *error);
bool timeline_slices_next(struct timeline_slices *slices);
enum simsm_status timeline_slices_end(struct timeline_slices *slices, struct simsm_error *error);

/* Frees the arrays and sets *data to zero. */
void timeline_data_free(struct timeline_data *data);

#endif
