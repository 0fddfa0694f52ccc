/*
 * What can be added up over time, by sub-partition: slot cycles by state, issues, memory requests.
 * Kept as running totals at every 2^shift cycles, so that a question about any stretch is a
 * difference of two rows.
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
    SUMS_LANES,                          /* active lanes of these */
    SUMS_MEM_START,                      /* memory instructions entering the load/store stage */
    SUMS_MEM_DONE,                       /* + level that answered */
    SUMS_START_TIME = SUMS_MEM_DONE + 4, /* cycles, from the begin on, of these starts added up */
    SUMS_DONE_TIME,                      /* and of the answers */
    SUMS_BUSY,                           /* cycles with a resident warp */
    SUMS_COLUMNS
};

struct running_sums {
    uint32_t subs, shift;
    uint64_t begin, end; /* cycles */
    uint64_t rows;       /* buckets */
    uint64_t *total;     /* [SUMS_COLUMNS x subs x (rows + 1)] */
    bool ended;          /* they are totals, no longer amounts */
};

/* Rows of 2^shift cycles, or longer in long runs. False if memory runs out; sums_free is right
 * then.
 */
bool sums_create(struct running_sums *sums, uint32_t subs, uint64_t begin, uint64_t end,
                 uint32_t shift);
/* The same in the memory of other sums, if it is enough: fresh memory is slow. */
bool sums_recreate(struct running_sums *sums, uint32_t subs, uint64_t begin, uint64_t end,
                   uint32_t shift);
void sums_free(struct running_sums *sums);

void sums_add_time(struct running_sums *sums, uint32_t sub, uint32_t column, uint64_t from,
                   uint64_t to);
void sums_add(struct running_sums *sums, uint32_t sub, uint32_t column, uint64_t cycle,
              uint64_t amount);
/* A memory instruction that starts or is answered. */
void sums_add_memory(struct running_sums *sums, uint32_t sub, const struct timeline_memory *memory);
/* Once, when everything has been added: turns amounts into running totals. */
void sums_end(struct running_sums *sums);

/* Of [begin, cycle), 0 before sums_end; between rows in proportion; `sub` UINT32_MAX: all. */
double sums_until(const struct running_sums *sums, uint32_t sub, uint32_t column, double cycle);
/* The same of `count` columns from `first` on. */
void sums_row(const struct running_sums *sums, uint32_t sub, uint32_t first, uint32_t count,
              double cycle, double *row);

/*
 * Adds what `count` equal parts of [from, to) have of it: slot cycles by state to states[part x
 * SIMSM_STATE_COUNT + state], warp instructions to `issues`. Either may be NULL.
 */
void sums_parts(const struct running_sums *sums, uint32_t sub, double from, double to,
                double *states, double *issues, uint32_t count);

/* Memory instructions in flight at a cycle; `before` were when the sums begin. */
double sums_flight(const struct running_sums *sums, uint32_t sub, double before, double cycle);

/*
 * Adds their mean number to `count` equal parts of [from, to).
 */
void sums_flights(const struct running_sums *sums, uint32_t sub, double before, double from,
                  double to, double *flight, uint32_t count);

#endif
