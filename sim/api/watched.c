#include "api/watched.h"

#include <time.h>

#include "api/simsm_front.h"

static const double slice_short = 0.04, slice_long = 0.12; /* seconds */
enum { FIRST_SLICE = 4096, LEAST_SLICE = 256 };            /* cycles */

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

enum simsm_status simsm_run_watched(struct simsm *simulation, uint64_t max_cycles,
                                    const struct simsm_watch *watch, struct simsm_error *error)
{
    uint64_t at = 0, slice = FIRST_SLICE;
    for (;;) {
        if (!watch->go_on(watch->context, simulation))
            return SIMSM_INTERRUPTED;
        at = max_cycles - at < slice ? max_cycles : at + slice;
        double begin = seconds();
        enum simsm_status status = simsm_advance(simulation, at, max_cycles, error);
        if (status != SIMSM_LIMIT || at == max_cycles ||
            front_status(simsm_front(simulation), error) != SIMSM_OK)
            return status;
        double took = seconds() - begin;
        if (took < slice_short && slice <= UINT64_MAX / 4)
            slice *= 2;
        else if (took > slice_long && slice > LEAST_SLICE)
            slice /= 2;
    }
}
