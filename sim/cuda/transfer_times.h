/* The simulated time of copies and fills, which are not simulated cycle by cycle. */
#ifndef SIM_CUDA_TRANSFER_TIMES_H
#define SIM_CUDA_TRANSFER_TIMES_H

#include <stdbool.h>

#include "cuda/journal.h"
#include "report/copy_overlap.h"
#include "simsm/config.h"

struct transfer {
    enum journal_transfer kind;
    uint64_t bytes;
    bool pageable;         /* the memory of the host is neither pinned nor managed */
    bool both;             /* a copy in the other direction goes on meanwhile */
    const char *call;      /* function of the API that has submitted it */
    enum copy_alone alone; /* why no kernel runs beside it */
};

/* Returns the ns of a copy or fill. */
double transfer_ns(const struct simsm_config *config, const struct transfer *transfer);

#endif
