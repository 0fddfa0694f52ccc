/*
 * Running sums of a track, by sub-partition: slot cycles by state, issues, memory instructions.
 * They are running totals in rows of 2^shift cycles, so the sum over any stretch is the difference
 * of two rows. Private to this folder.
 */
#ifndef VIZ_TRACK_RUNNING_SUMS_H
#define VIZ_TRACK_RUNNING_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "simsm/names.h"
#include "timeline/timeline_read.h"

enum sums_column {
    SUMS_STATE, /* + enum simsm_warp_state: slot cycles */
    SUMS_ISSUES = SIMSM_STATE_COUNT,
    SUMS_LANES,     /* active lanes of the issues */
    SUMS_MEM_START, /* memory instructions that enter the load/store stage */
    SUMS_MEM_DONE,  /* + level that answered: memory instructions that are answered */
    SUMS_START_TIME = SUMS_MEM_DONE + 4, /* sum of the cycles of all starts, counted from `begin` */
    SUMS_DONE_TIME, /* sum of the cycles of all answers, counted from `begin` */
    SUMS_BUSY,      /* cycles with a resident warp */
    SUMS_PRODUCTS,  /* cycles in which the tensor core works at products of warp groups */
    SUMS_COPIES,    /* cycles of copies (TMA) that its warps have issued */
    SUMS_COLUMNS
};

struct running_sums {
    uint32_t subs, shift;
    uint64_t begin, end; /* cycles */
    uint64_t rows;       /* number of rows */
    uint64_t *total;     /* [SUMS_COLUMNS x subs x (rows + 1)] */
    bool ended;          /* sums_end was called: `total` has running totals, not amounts */
};

/*
 * Prepares sums with rows of 2^shift cycles, or longer in long runs. Returns false if memory runs
 * out. The caller ends with sums_free in either case.
 */
bool sums_create(struct running_sums *sums, uint32_t subs, uint64_t begin, uint64_t end,
                 uint32_t shift);
/*
 * As sums_create, but reuses the memory of older sums if it is large enough, as fresh memory is
 * slow.
 */
bool sums_recreate(struct running_sums *sums, uint32_t subs, uint64_t begin, uint64_t end,
                   uint32_t shift);
/* Frees the memory and sets *sums to zero. */
void sums_free(struct running_sums *sums);

/* Adds the cycles of [from, to) to the rows in which they lie. */
void sums_add_time(struct running_sums *sums, uint32_t sub, uint32_t column, uint64_t from,
                   uint64_t to);
/* Adds `amount` to the row of `cycle`. */
void sums_add(struct running_sums *sums, uint32_t sub, uint32_t column, uint64_t cycle,
              uint64_t amount);
/* Adds a start or an answer of a memory instruction. */
void sums_add_memory(struct running_sums *sums, uint32_t sub, const struct timeline_memory *memory);
/* Turns amounts into running totals. Called once, when everything is added. */
void sums_end(struct running_sums *sums);

/*
 * Returns the sum over cycles [begin, cycle) of one column; 0 before sums_end. Within a row it is
 * proportional to time. `sub` UINT32_MAX: all sub-partitions.
 */
double sums_until(const struct running_sums *sums, uint32_t sub, uint32_t column, double cycle);
/* Fills row[count] with sums_until of `count` columns from `first` on. */
void sums_row(const struct running_sums *sums, uint32_t sub, uint32_t first, uint32_t count,
              double cycle, double *row);

/*
 * Adds the sums of `count` equal parts of [from, to): slot cycles by state to states[part x
 * SIMSM_STATE_COUNT + state], warp instructions to issues[part]. Either array may be NULL.
 */
void sums_parts(const struct running_sums *sums, uint32_t sub, double from, double to,
                double *states, double *issues, uint32_t count);

/*
 * Returns the memory instructions in flight at a cycle. `before` of them were in flight at `begin`.
 */
double sums_flight(const struct running_sums *sums, uint32_t sub, double before, double cycle);

/*
 * Adds the mean number of memory instructions in flight to flight[count], for equal parts of [from,
 * to).
 */
void sums_flights(const struct running_sums *sums, uint32_t sub, double before, double from,
                  double to, double *flight, uint32_t count);

#endif
