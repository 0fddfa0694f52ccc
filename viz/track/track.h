/*
 * A timeline at any zoom. An SM's chunks are decoded once to build its pyramid (states by time at
 * several resolutions) and its sums; chunks that are looked at closely are decoded again on demand
 * and kept in a cache of bounded size. Memory stays below 1 GB for 10^8 state changes.
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

/* Opens a timeline. On success close with run_close. Damaged files open as far as they are whole.
 */
enum simsm_status run_open(struct run **run, const char *path, struct simsm_error *error);
void run_close(struct run *run); /* NULL is allowed */
const struct timeline_info *run_info(const struct run *run);
struct timeline_reader *run_reader(struct run *run);
/* The configuration of the run, as its file has it; NULL, and *error filled, if it cannot be read.
 */
const struct simsm_config *run_config(struct run *run, struct simsm_error *error);
/*
 * The line of the source file that static instruction `line` comes from, for SASS with line
 * information; NULL if it has none, or its file is not on this machine. Owned by the run.
 */
const char *run_source_line(struct run *run, uint32_t line);
/* First and one past the last cycle recorded, of all SMs. */
uint64_t run_begin(const struct run *run);
uint64_t run_end(const struct run *run);

/* The state of a span as this program knows it; `misc` for one that it does not know. */
enum simsm_warp_state run_known_state(const struct run *run, uint8_t state);

/*
 * A frame of a window must not wait: between these calls chunks are decoded for about `budget_us`
 * microseconds at most, and what is not there then is left out (track_whole). The second call tells
 * whether something was: then the next frame has more. Without them everything waits until it is
 * there.
 */
void run_frame_begin(struct run *run, uint32_t budget_us);
bool run_frame_end(struct run *run);

/* ---- One SM ---- */

struct track;

/*
 * Begins to build the SM's pyramid, or goes on building for about `budget_us` microseconds
 * (UINT32_MAX: until it is done). NULL with *error filled on failure, or if the SM is not recorded.
 * What is built so far can be drawn. Owned by the run.
 */
struct track *run_track(struct run *run, uint32_t sm, uint32_t budget_us,
                        struct simsm_error *error);
/* Cycles up to which the track is built; run_end() when done. */
uint64_t track_built(const struct track *track);

/*
 * Slots of a sub-partition up to the last one that has held a warp, as far as the track is built;
 * at least 1. The others stay empty for the whole run.
 */
uint32_t track_slots_used(const struct track *track);

/* One pixel column of one slot: what filled its cycles. Shares are of 255. */
struct track_cell {
    uint8_t state, state_share;   /* most of the time; issues and empty count like others */
    uint8_t second, second_share; /* next; share 0: there is none */
    uint8_t issue_share;          /* of cycles with an issue: never hidden by what lasts longer */
};

/*
 * Columns `first` to first + count of a run that is cut into columns of cycles_q16 / 65536 cycles
 * (at least 1) from cycle 0 on: as the grid does not move, panning does not shimmer. Exact below
 * the pyramid's resolution (64 cycles, more in very long runs) if there is time. Columns without
 * anything are zero.
 */
enum simsm_status track_cells(struct track *track, uint32_t slot, uint64_t first,
                              uint64_t cycles_q16, struct track_cell *cells, uint32_t count,
                              struct simsm_error *error);

/*
 * What is exact about the chunk that holds `cycle`, up to history->end (or about the first chunk,
 * which may begin later): spans, issues, memory, warps. NULL if the recording has nothing of it, or
 * if it is not there in time.
 */
enum simsm_status track_piece(struct track *track, uint64_t cycle, const struct history **history,
                              struct simsm_error *error);

/*
 * The same about a stretch that may go over several chunks (at most 2^20 cycles). Cached; of one
 * slot alone it takes less time.
 */
enum simsm_status track_history(struct track *track, uint64_t from, uint64_t to,
                                const struct history **history, struct simsm_error *error);
enum simsm_status track_slot_history(struct track *track, uint32_t slot, uint64_t from, uint64_t to,
                                     const struct history **history, struct simsm_error *error);

/*
 * Why a slot is in its state at a cycle, in lines of `width` columns (timeline/explain.h). NULL
 * with *error filled if that is not recorded. Owned by the track, until the next question.
 */
const char *track_explain(struct track *track, uint32_t slot, uint64_t cycle, uint32_t width,
                          struct simsm_error *error);

/* Whether the chunks of [from, to) are there, or cannot be read at all, when asked for. */
bool track_whole(struct track *track, uint64_t from, uint64_t to);

/*
 * Slot cycles by state in `count` equal parts of [from, to), summed over the slots of sub-partition
 * `sub` (UINT32_MAX: all): sums[part x SIMSM_STATE_COUNT + state], in slot cycles; `issues`
 * [count] warp instructions. Either may be NULL. Exact in stretches of up to 2^18 cycles, else to
 * 256 cycles at the edges (more in very long runs).
 */
enum simsm_status track_states(struct track *track, uint32_t sub, double from, double to,
                               double *sums, double *issues, uint32_t count,
                               struct simsm_error *error);

/*
 * Share (0 to 1) of the cycles with an issue of sub-partition `sub` in `count` equal parts of
 * [from, to): exact where parts are shorter than the sums' resolution.
 */
enum simsm_status track_issue_share(struct track *track, uint32_t sub, double from, double to,
                                    double *share, uint32_t count, struct simsm_error *error);

/*
 * Active lanes of an issue of sub-partition `sub`: the mean in each of `count` equal parts of
 * [from, to), NaN where none was issued. To 256 cycles at the edges of a part.
 */
void track_lanes(const struct track *track, uint32_t sub, double from, double to, double *lanes,
                 uint32_t count);

/* Warp instructions that all sub-partitions have issued before a cycle. */
double track_issued_until(const struct track *track, double cycle);

/*
 * Memory instructions between load/store stage and answer at a cycle. Of a recording that begins
 * later than the run, those issued before count if it has their answer.
 */
double track_in_flight(const struct track *track, uint32_t sub, double cycle);
/* Their mean in `count` equal parts of [from, to); exact in short stretches. */
enum simsm_status track_flights(struct track *track, uint32_t sub, double from, double to,
                                double *flight, uint32_t count, struct simsm_error *error);

/* Cycles in which a sub-partition has a resident warp; for all (UINT32_MAX) their sum. */
double track_busy_cycles(const struct track *track, uint32_t sub);

/* By static instruction, over the whole recording of this SM; [info->line_count], owned by the
 * track. */
struct track_line {
    uint64_t issues, threads;
    uint64_t states[SIMSM_STATE_COUNT]; /* slot cycles with this instruction at the head */
};
const struct track_line *track_lines(const struct track *track);

/*
 * Cycles in which exactly n warps of a sub-partition were eligible (issued or not selected), of
 * those with a resident warp: [n].
 */
const uint64_t *track_ready_histogram(const struct track *track, uint32_t sub, uint32_t *count);

/* ---- The whole GPU ---- */

/* A block in its place; from the file's overview, or from the recorded SMs alone if it has none. */
struct run_block {
    uint64_t start, end; /* cycles; end = UINT64_MAX: had not ended */
    uint32_t block, sm;
    uint32_t wave; /* from 0: how many blocks its place (SM, place) had before */
    uint8_t place;
};
const struct run_block *run_blocks(struct run *run, uint32_t *count, bool *all_sms,
                                   struct simsm_error *error);

/* Counters over time, as cumulated sums; NULL if the file has none. */
const struct overview_view *run_overview(const struct run *run);

/* The place of a counter in the overview; UINT32_MAX if it has none of that name. */
uint32_t run_counter_column(const struct run *run, const char *name);

/* Its sum at a cycle, between samples in proportion; NaN for UINT32_MAX. */
double run_counter_at(const struct run *run, uint32_t column, double cycle);

#endif
