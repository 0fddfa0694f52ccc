/* The tables at the end of a program: launches, kernels, memory operations. */
#ifndef SIM_CUDA_SUMMARY_H
#define SIM_CUDA_SUMMARY_H

#include "cuda/journal.h"

enum {
    SUMMARY_ROWS = 40, /* launches that get a line of their own */
    SUMMARY_NAME = 40  /* most characters of a kernel's name */
};

struct summary_kernel {
    uint64_t identity; /* see struct journal_launch */
    char brief[64];
    char shown[SUMMARY_NAME + 1]; /* name in the tables; set by summary_print */
    uint64_t launches, timed, cycles, warp_instructions;
    uint64_t sampled; /* launches that --sample estimated */
    double ns;        /* of the timed and the sampled launches, as `cycles` */
};

struct summary_transfer {
    uint64_t count, bytes;
    double ns;
};

/* The sums. Initialize with zeros and `config`, which must outlive the summary. */
struct summary {
    const struct simsm_config *config;
    struct journal_launch row[SUMMARY_ROWS];
    uint64_t launches;
    struct summary_kernel *kernel;
    size_t kernels;
    bool failed; /* out of memory: some kernels are missing */
    struct summary_transfer transfer[TRANSFER_COUNT];
};

/* Adds a launch to the list and to the sums of its kernel. */
void summary_add_launch(struct summary *summary, const struct journal_launch *row);
/* Adds a memory operation of `bytes` bytes and `ns` nanoseconds. */
void summary_add_transfer(struct summary *summary, enum journal_transfer kind, uint64_t bytes,
                          double ns);

/* Prints the tables; nothing if there was no launch. Sorts the kernels by time. */
void summary_print(struct summary *summary, FILE *file);

/* Frees the list of kernels. */
void summary_free(struct summary *summary);

#endif
