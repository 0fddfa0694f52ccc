/* What L2 holds between launches, for --contents: lines of the launch before, and what copies and
 * fills have written since. All functions do nothing with NULL. */
#ifndef SIM_CUDA_L2_CONTENTS_H
#define SIM_CUDA_L2_CONTENTS_H

#include <stdint.h>

struct simsm;
struct l2_contents;

/* NULL: out of memory. */
struct l2_contents *l2_contents_new(void);
void l2_contents_free(struct l2_contents *contents);

/* A copy or a fill has written device memory. */
void l2_contents_add(struct l2_contents *contents, uint64_t address, uint64_t bytes);

/* A launch begins. */
void l2_contents_restore(struct l2_contents *contents, struct simsm *simulation);

/* It has ended; the simulation can only be closed after this. NULL: it never began. */
void l2_contents_save(struct l2_contents *contents, struct simsm *simulation);

#endif
