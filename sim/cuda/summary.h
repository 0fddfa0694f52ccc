/* The tables at the end of a program: its launches, its kernels, its copies. */
#ifndef SIM_CUDA_SUMMARY_H
#define SIM_CUDA_SUMMARY_H

#include "cuda/journal.h"

enum {
    SUMMARY_ROWS = 40, /* launches that are printed one by one */
    SUMMARY_NAME = 40  /* characters of a kernel's name, at most */
};

struct summary_kernel {
    uint64_t identity; /* as struct journal_launch has it */
    char brief[64];
    char shown[SUMMARY_NAME + 1]; /* in its column; made when the tables are printed */
    uint64_t launches, timed, cycles, warp_instructions;
    uint64_t sampled; /* not timed, but estimated: --sample */
    double ns;        /* of timed and of sampled launches, as cycles are */
};

struct summary_transfer {
    uint64_t count, bytes;
    double ns;
};

/* Begins as zeros with `config` set, which outlives it. */
struct summary {
    const struct simsm_config *config;
    struct journal_launch row[SUMMARY_ROWS];
    uint64_t launches;
    struct summary_kernel *kernel;
    size_t kernels;
    bool failed; /* out of memory: the sums lack kernels */
    struct summary_transfer transfer[TRANSFER_COUNT];
};

void summary_add_launch(struct summary *summary, const struct journal_launch *row);
void summary_add_transfer(struct summary *summary, enum journal_transfer kind, uint64_t bytes,
                          double ns);

/* Prints nothing if the program did nothing. */
void summary_print(struct summary *summary, FILE *file);

void summary_free(struct summary *summary);

#endif
