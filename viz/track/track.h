/*
 * A timeline at any zoom. The chunks of an SM are decoded once, to build its pyramid (states by
 * time at several resolutions) and its running sums. Chunks that are looked at closely are decoded
 * again when they are needed, and kept in a cache of bounded size. Memory stays below 1 GB for 10^8
 * state changes.
 */
#ifndef VIZ_TRACK_TRACK_H
#define VIZ_TRACK_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/config.h"
#include "simsm/error.h"
#include "timeline/slot_history.h"
#include "timeline/timeline_read.h"

struct run;

/*
 * Opens a timeline. On success the caller ends with run_close. A damaged file opens with the part
 * before the damage.
 */
enum simsm_status run_open(struct run **run, const char *path, struct simsm_error *error);
void run_close(struct run *run); /* NULL is allowed */
/* Returns what the head and the end of the file say. Owned by the run. */
const struct timeline_info *run_info(const struct run *run);
/* Returns the reader of the file. Owned by the run. */
struct timeline_reader *run_reader(struct run *run);
/*
 * Returns the configuration in the timeline, owned by the run. NULL with *error filled if it cannot
 * be read.
 */
const struct simsm_config *run_config(struct run *run, struct simsm_error *error);
/*
 * Returns the line of the source file that static instruction `line` comes from, for SASS with line
 * information. NULL if the instruction has none, or the file is not on this machine. Owned by the
 * run.
 */
const char *run_source_line(struct run *run, uint32_t line);
/* The first recorded cycle of all SMs, and the cycle behind the last one. */
uint64_t run_begin(const struct run *run);
uint64_t run_end(const struct run *run);

/* Returns the state of a span as this program knows it; `misc` for unknown states. */
enum simsm_warp_state run_known_state(const struct run *run, uint8_t state);
/* Returns whether a slot in this state holds a warp that has not ended. */
bool track_is_resident(uint32_t state);

/*
 * Begin and end a frame of a window, which must not wait. Between the two calls chunks are decoded
 * for about `budget_us` microseconds at most; the frame leaves out what is not decoded then
 * (track_whole). run_frame_end returns true if something was left out: the next frame has more.
 * Outside a frame all calls wait until everything is decoded.
 */
void run_frame_begin(struct run *run, uint32_t budget_us);
bool run_frame_end(struct run *run);

/* ---- One SM ---- */

struct track;

/*
 * Begins to build the SM's pyramid, or continues for about `budget_us` microseconds (UINT32_MAX:
 * until it is done). The part that is built can be drawn. Owned by the run. NULL with *error filled
 * on failure, or if the SM is not recorded.
 */
struct track *run_track(struct run *run, uint32_t sm, uint32_t budget_us,
                        struct simsm_error *error);
/* Returns the cycle up to which the track is built; run_end() when it is done. */
uint64_t track_built(const struct track *track);

/*
 * Returns the number of slots of a sub-partition up to the last slot that has held a warp, in the
 * part of the track that is built; at least 1. The slots above it are empty.
 */
uint32_t track_slots_used(const struct track *track);

/* One slot in one column of pixels: what filled its cycles. Shares are of 255. */
struct track_cell {
    uint8_t state, state_share;   /* the most frequent state, also if it is `selected` or `empty` */
    uint8_t second, second_share; /* the second most frequent state; share 0: none */
    uint8_t issue_share;          /* share of cycles with an issue, however rare */
};

/*
 * Fills cells[count] for the columns from `first` on. A column is cycles_q16 / 65536 cycles long
 * (at least 1); columns are counted from cycle 0, so that panning does not shimmer. Columns shorter
 * than a bucket of the pyramid (64 cycles, more in very long runs) are exact if their chunks are
 * decoded in time. Cells of columns outside the recording are zero.
 */
enum simsm_status track_cells(struct track *track, uint32_t slot, uint64_t first,
                              uint64_t cycles_q16, struct track_cell *cells, uint32_t count,
                              struct simsm_error *error);

/*
 * Gives the chunk that holds `cycle`, up to (*history)->end: spans, issues, memory, warps. For a
 * cycle before the recording gives the first chunk, which then begins later. NULL if the recording
 * has ended before, or the chunk is not decoded in time.
 */
enum simsm_status track_piece(struct track *track, uint64_t cycle, const struct history **history,
                              struct simsm_error *error);

/*
 * Give a stretch that may reach over several chunks (at most 2^20 cycles), for all slots or for
 * one, which takes less time. The last stretch is cached. NULL as for track_piece.
 */
enum simsm_status track_history(struct track *track, uint64_t from, uint64_t to,
                                const struct history **history, struct simsm_error *error);
enum simsm_status track_slot_history(struct track *track, uint32_t slot, uint64_t from, uint64_t to,
                                     const struct history **history, struct simsm_error *error);

/*
 * Explains why a slot is in its state at a cycle, in lines of `width` characters
 * (timeline/explain.h). Owned by the track and valid until the next call. NULL with *error filled
 * if the cycle is not recorded.
 */
const char *track_explain(struct track *track, uint32_t slot, uint64_t cycle, uint32_t width,
                          struct simsm_error *error);

/*
 * Returns whether the chunks of [from, to) are decoded, and decodes what the frame's time allows.
 * Damaged chunks count as decoded.
 */
bool track_whole(struct track *track, uint64_t from, uint64_t to);

/*
 * Sums for `count` equal parts of [from, to), over the slots of sub-partition `sub` (UINT32_MAX:
 * all). sums[part x SIMSM_STATE_COUNT + state] are slot cycles, issues[part] warp instructions.
 * Either may be NULL. Exact in stretches of up to 2^18 cycles; otherwise exact to 256 cycles at the
 * edges (more in very long runs).
 */
enum simsm_status track_states(struct track *track, uint32_t sub, double from, double to,
                               double *sums, double *issues, uint32_t count,
                               struct simsm_error *error);

/*
 * Fills share[count] with the share (0 to 1) of cycles with an issue of sub-partition `sub`, in
 * equal parts of [from, to). Exact if the parts are shorter than a row of the sums.
 */
enum simsm_status track_issue_share(struct track *track, uint32_t sub, double from, double to,
                                    double *share, uint32_t count, struct simsm_error *error);

/*
 * Fills lanes[count] with the mean number of active lanes of an issue of sub-partition `sub`, in
 * equal parts of [from, to). NaN for a part without an issue. Exact to 256 cycles at the edges of a
 * part.
 */
void track_lanes(const struct track *track, uint32_t sub, double from, double to, double *lanes,
                 uint32_t count);

/* Returns the warp instructions that all sub-partitions have issued before a cycle. */
double track_issued_until(const struct track *track, double cycle);

/*
 * Returns the memory instructions in flight at a cycle: between the load/store stage and the
 * answer. If the recording begins later than the run, an instruction issued before counts if its
 * answer is recorded.
 */
double track_in_flight(const struct track *track, uint32_t sub, double cycle);
/*
 * Fills flight[count] with the mean number in flight in equal parts of [from, to). Exact in short
 * stretches.
 */
enum simsm_status track_flights(struct track *track, uint32_t sub, double from, double to,
                                double *flight, uint32_t count, struct simsm_error *error);

/*
 * Returns the cycles in which a sub-partition has a resident warp. UINT32_MAX: the sum of all
 * sub-partitions.
 */
double track_busy_cycles(const struct track *track, uint32_t sub);

/*
 * Work beside the warps. Whether the tensor cores worked at products of warp groups, and the most
 * copies (TMA) at a time, in the part of the track that is built; 0: none.
 */
bool track_has_products(const struct track *track);
uint32_t track_most_copies(const struct track *track);
/*
 * Fill share[count] with the share (0 to 1) of cycles in which the tensor core of sub-partition
 * `sub` works at products, and copies[count] with the mean number of copies under way, in equal
 * parts of [from, to). Exact in short stretches; otherwise exact to 256 cycles at the edges of a
 * part.
 */
enum simsm_status track_products(struct track *track, uint32_t sub, double from, double to,
                                 double *share, uint32_t count, struct simsm_error *error);
enum simsm_status track_copies(struct track *track, double from, double to, double *copies,
                               uint32_t count, struct simsm_error *error);

/*
 * Sums by static instruction over the whole recording of this SM: [info->line_count], owned by the
 * track.
 */
struct track_line {
    uint64_t issues, threads;
    uint64_t states[SIMSM_STATE_COUNT]; /* slot cycles with this instruction at the head */
};
const struct track_line *track_lines(const struct track *track);

/* A stretch in which a slot's warp waits in one state, with the instruction that it has next. */
struct track_wait {
    uint64_t from, to; /* cycles; to = from: there is none */
    uint32_t slot, pc;
    enum simsm_warp_state state;
};
/*
 * Returns whether a warp in this state waits for others, for memory or for room: it does not issue,
 * could not, and does not only wait out the fixed latency of its own instruction.
 */
bool track_is_wait(uint32_t state);
/* Returns the longest wait of the part of the track that is built. */
struct track_wait track_longest_wait(const struct track *track);

/*
 * Returns a histogram with *count entries: entry n is the number of cycles in which exactly n warps
 * of a sub-partition were eligible (issued or not selected). Only cycles with a resident warp
 * count. Owned by the track.
 */
const uint64_t *track_ready_histogram(const struct track *track, uint32_t sub, uint32_t *count);

/* ---- The whole GPU ---- */

/*
 * The stay of a block on an SM. Taken from the file's overview, or from the events of the recorded
 * SMs if the file has no overview.
 */
struct run_block {
    uint64_t start, end; /* cycles; end = UINT64_MAX: had not ended */
    uint32_t block, sm;
    uint32_t wave; /* from 0: number of earlier blocks in the same place of the SM */
    uint8_t place;
};
/*
 * Returns the blocks by SM, place and time, owned by the run. *all_sms: the blocks of all SMs are
 * known, not only of the recorded ones. NULL with *error filled on failure.
 */
const struct run_block *run_blocks(struct run *run, uint32_t *count, bool *all_sms,
                                   struct simsm_error *error);

/* Returns the cycle in which the first known block started; run_begin() if no block is known. */
uint64_t run_first_block(struct run *run);

/* A block's place in the clusters of its launch. */
struct run_cluster {
    uint32_t cluster, rank, blocks; /* number of the cluster; the block's rank in it; its blocks */
};
/* Finds the cluster of a block. Returns false if the launch has no clusters. */
bool run_cluster_of(const struct run *run, uint32_t block, struct run_cluster *cluster);

/* Returns counters over time, as running sums. NULL if the file has none. */
const struct overview_view *run_overview(const struct run *run);

/*
 * Returns the column of a counter in the overview. UINT32_MAX if there is no counter of that name.
 */
uint32_t run_counter_column(const struct run *run, const char *name);

/*
 * Returns the sum of a counter at a cycle. Between samples it is proportional to time. NaN for
 * column UINT32_MAX.
 */
double run_counter_at(const struct run *run, uint32_t column, double cycle);

#endif
