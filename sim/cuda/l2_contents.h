/*
 * Contents of L2 between launches, for --warm: the lines that the previous launch left, and the
 * memory that copies and fills wrote after it. Every function does nothing if its first argument is
 * NULL.
 */
#ifndef SIM_CUDA_L2_CONTENTS_H
#define SIM_CUDA_L2_CONTENTS_H

#include <stdint.h>

struct simsm;
struct l2_contents;

/* Returns empty contents; NULL if out of memory. */
struct l2_contents *l2_contents_new(void);
void l2_contents_free(struct l2_contents *contents);

/* Adds device memory that a copy or a fill wrote: `bytes` bytes at `address`. Of what copies of the
 * host have written since the last launch, L2 has the last `host_bytes`; 0: not written by one. */
void l2_contents_add(struct l2_contents *contents, uint64_t address, uint64_t bytes,
                     uint64_t host_bytes);

/* Puts the contents into L2 of a simulation that begins. */
void l2_contents_restore(struct l2_contents *contents, struct simsm *simulation);

/*
 * Takes the contents of L2 from a simulation that ended. Must be called before the simulation is
 * closed. `simulation` NULL: does nothing.
 */
void l2_contents_save(struct l2_contents *contents, struct simsm *simulation);

#endif
