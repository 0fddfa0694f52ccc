#include "api/plan_run.h"

#include <string.h>

#include "api/simsm_front.h"
#include "api/watched.h"

static bool go_on(void *context, struct simsm *simulation)
{
    const struct plan_run *run = context;
    (void)simulation;
    return !run->stop();
}

static enum simsm_status run_all(const struct plan_run *run, struct simsm *simulation,
                                 struct simsm_error *error)
{
    const struct simsm_watch watch = {go_on, (void *)run};
    const uint64_t limit = run->max_cycles ? run->max_cycles : UINT64_MAX;
    if (!run->stop)
        return simsm_run(simulation, limit, error);
    front_stop_when(simsm_front(simulation), run->stop);
    return simsm_run_watched(simulation, limit, &watch, error);
}

enum simsm_status plan_run(const struct plan_run *run, uint64_t *cycles, struct simsm_error *error)
{
    struct front *front;
    struct simsm *simulation = NULL;
    enum simsm_status status =
        launch_plan_open(&front, run->path, run->config, run->plan, run->results, error);
    if (status == SIMSM_OK)
        status = simsm_open_front(&simulation, run->config, front, run->options, error);
    if (status != SIMSM_OK)
        return status;
    status = run_all(run, simulation, error);
    if (status == SIMSM_OK && run->ended)
        run->ended(run->context, simsm_stats(simulation));
    if (cycles)
        *cycles = simsm_stats(simulation)->cycles;
    simsm_close(simulation);
    return status;
}
