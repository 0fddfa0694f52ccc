/*
 * Launches that repeat an earlier one exactly: the same kernel, grid and block, the same
 * instructions with the same addresses. They take the same time, because caches are empty when a
 * launch begins, and are timed once.
 */
#ifndef SIM_CUDA_LAUNCH_COPIES_H
#define SIM_CUDA_LAUNCH_COPIES_H

#include "cuda/journal.h"

struct launch_copies;

/* Returns an empty list; NULL: out of memory. */
struct launch_copies *launch_copies_new(void);
void launch_copies_free(struct launch_copies *copies);

/*
 * Returns whether a launch may repeat an earlier one: its kernel was launched before with the same
 * grid and block, and such launches have repeated others, or are few. Counts the launch.
 */
bool launch_copies_may_repeat(struct launch_copies *copies, const struct journal_launch *row);

/* If an earlier launch did the same, fills *row with its figures and marks it as a copy. */
bool launch_copies_find(struct launch_copies *copies, const struct sample_signature *signature,
                        struct journal_launch *row);

/* Adds a launch that has been timed. Is dropped if memory runs out. */
void launch_copies_add(struct launch_copies *copies, uint64_t hash,
                       const struct journal_launch *row);

/* Returns how many launches were copies. NULL is allowed. */
uint64_t launch_copies_count(const struct launch_copies *copies);

#endif
