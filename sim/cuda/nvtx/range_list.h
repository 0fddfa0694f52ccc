/* The NVTX ranges that the threads of a program have open. */
#ifndef SIM_CUDA_NVTX_RANGE_LIST_H
#define SIM_CUDA_NVTX_RANGE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/nvtx/open_ranges.h"

/* A domain of ranges. NULL stands for the default domain. Lives as long as the process. */
struct range_domain {
    char *name;
};

/*
 * Opens a range on the calling thread; `name` is copied. `pushed`: range_list_pop closes the range;
 * otherwise range_list_end does, on any thread. Returns its serial number; 0 if memory runs out.
 */
uint64_t range_list_open(const struct range_domain *domain, const char *name, bool pushed);

/* Closes the last range of the domain that the calling thread has pushed, if there is one. */
void range_list_pop(const struct range_domain *domain);

/* Closes the range of this serial number, if it is open. */
void range_list_end(uint64_t serial);

/* Returns how many ranges of the domain the calling thread has pushed and not popped. */
int range_list_depth(const struct range_domain *domain);

#endif
