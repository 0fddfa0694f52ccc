/*
 * Several runs of the same launches on a GPU, whose counters differ from run to run. A table of
 * runs has the columns `caches` (cold: flushed before each launch; warm: not flushed) and `run`.
 * They are of one pass of the profiler. The table without these columns is of cold runs; it may
 * have so many counters that the profiler repeats a launch to count them all, and what an earlier
 * pass has translated (sim/mem/tlb.h) is then known. So a metric that a table of runs has comes
 * from it.
 */
#ifndef SIM_COMPARE_REPEAT_H
#define SIM_COMPARE_REPEAT_H

#include "compare/compare_launches.h"

/*
 * Merges all runs of a launch with these caches into one row, with the median of each metric and
 * its range, of single passes if there are any, and removes the rows of other caches. Rows belong
 * to the same launch if program, number, kernel, grid and block are equal. The order is that of the
 * first run of each launch. Returns false if memory runs out.
 */
bool repeat_merge(struct launches *launches, bool warm);

/* Pairs each run of a launch with each later run of the same launch and kind of table: row i of
 * *first belongs to row i of *second. Both are initialised as {0}. Returns false if memory runs
 * out. */
bool repeat_pairs(const struct launches *launches, bool warm, struct launches *first,
                  struct launches *second);

#endif
