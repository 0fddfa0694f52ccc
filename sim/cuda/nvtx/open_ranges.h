/*
 * What libnvToolsExt.so.1 tells libcuda.so.1: the NVTX ranges that are open. The driver finds
 * the function with dlsym, because the program may load either library first.
 */
#ifndef SIM_CUDA_NVTX_OPEN_RANGES_H
#define SIM_CUDA_NVTX_OPEN_RANGES_H

#include <stdint.h>

/* The name of the function, for dlsym. */
#define OPEN_RANGES_FUNCTION "simsm_open_ranges"

/* `serial`: number of the range, in the order in which ranges were opened. `domain`: "" for the
 * default domain. */
typedef void open_range_visit(void *context, const char *domain, const char *name, uint64_t serial);

/* Calls visit() for each range that the calling thread has opened and that is still open, the
 * outermost first. */
typedef void open_ranges_function(open_range_visit *visit, void *context);

#endif
