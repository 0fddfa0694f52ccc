/* What L2 holds between launches, for --warm: lines of the launch before, and what copies and fills
 * have written since. All functions do nothing with NULL. */
#ifndef SIM_CUDA_WARM_H
#define SIM_CUDA_WARM_H

#include <stdint.h>

struct simsm;
struct warm;

/* NULL: out of memory. */
struct warm *warm_new(void);
void warm_free(struct warm *warm);

/* A copy or a fill has written device memory. */
void warm_hold(struct warm *warm, uint64_t address, uint64_t bytes);

/* A launch begins. */
void warm_begin(struct warm *warm, struct simsm *simulation);

/* It has ended; the simulation can only be closed after this. NULL: it never began. */
void warm_end(struct warm *warm, struct simsm *simulation);

#endif
