/*
 * Contents of L2 between launches, for --warm: the lines that the previous launch left, and the
 * memory that copies and fills wrote after it. Every function does nothing if its first argument is
 * NULL.
 */
#ifndef SIM_CUDA_L2_CONTENTS_H
#define SIM_CUDA_L2_CONTENTS_H

#include <stdint.h>

struct mem_written;
struct simsm;
struct l2_contents;

/* Returns empty contents; NULL if out of memory. */
struct l2_contents *l2_contents_new(void);
void l2_contents_free(struct l2_contents *contents);

/* Adds device memory that a copy or a fill has written. Of the lines that L2 lacked when the host
 * copied there, it has the last `most` bytes since the last launch. */
void l2_contents_add(struct l2_contents *contents, const struct mem_written *written,
                     uint64_t most);

/* Puts the contents into L2 of a simulation that begins. */
void l2_contents_restore(struct l2_contents *contents, struct simsm *simulation);

/*
 * Takes the contents of L2 from a simulation that ended. Must be called before the simulation is
 * closed. `simulation` NULL: does nothing.
 */
void l2_contents_save(struct l2_contents *contents, struct simsm *simulation);

#endif
