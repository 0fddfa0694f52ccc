#include "api/plan_run.h"

#include <string.h>

#include "api/simsm_front.h"

enum simsm_status plan_run(const struct plan_run *run, uint64_t *cycles, char **note,
                           struct simsm_error *error)
{
    struct front *front;
    struct simsm *simulation = NULL;
    if (note)
        *note = NULL;
    enum simsm_status status =
        launch_plan_open(&front, run->path, run->config, run->plan, run->results, error);
    if (status == SIMSM_OK)
        status = simsm_open_front(&simulation, run->config, front, run->options, error);
    if (status != SIMSM_OK)
        return status;
    status = simsm_run(simulation, run->max_cycles ? run->max_cycles : UINT64_MAX, error);
    if (cycles)
        *cycles = simsm_stats(simulation)->cycles;
    if (note && simsm_note(simulation))
        *note = strdup(simsm_note(simulation));
    simsm_close(simulation);
    return status;
}
