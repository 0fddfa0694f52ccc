/* A task of a batch: plans and simulates its own points and writes nothing but their fragments. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sweep/sweep_inner.h"

static int by_number(const void *a, const void *b)
{
    const struct batch_point *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static bool has_case(const struct sweep_batch *batch, uint64_t number)
{
    for (uint32_t low = 0, high = batch->count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        if (batch->point[middle].number == number)
            return true;
        if (batch->point[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Returns SIMSM_BAD_INPUT if a recording is missing. Recordings are made before a batch is given to
 * other processes. */
static enum simsm_status check_recordings(struct sweep_state *sweep, struct simsm_error *error)
{
    struct plan *plan = &sweep->plan;
    for (uint32_t i = 0; i < plan->cases; i++) {
        const uint32_t recording = plan->wanted[i].recording;
        if (recording != PLAN_NO_RECORDING &&
            !recordings_ready(&plan->recordings.recording[recording]))
            return err_at(
                error, SIMSM_BAD_INPUT, plan->recordings.recording[recording].path, 0, 0,
                "the recording is missing; start the sweep again on the machine where it began");
    }
    return SIMSM_OK;
}

enum simsm_status task_open(struct sweep_state *sweep, struct simsm_error *error)
{
    struct plan *plan = &sweep->plan;
    struct sweep_batch *batch = &sweep->batch;
    enum simsm_status status = batch_read(batch, sweep->folder, sweep->request->task, error);
    if (status != SIMSM_OK)
        return status;
    qsort(batch->point, batch->count, sizeof *batch->point, by_number);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->cases; i++) {
        if (has_case(batch, plan->wanted[i].number))
            plan->wanted[kept++] = plan->wanted[i];
    }
    plan->cases = kept;
    status = check_recordings(sweep, error);
    return status == SIMSM_OK ? store_open_memory(&sweep->store, error) : status;
}

static const struct plan_point *find(const struct plan *plan, const char *identity)
{
    for (uint32_t i = 0; i < plan->points; i++) {
        if (strcmp(plan->point[i].identity, identity) == 0)
            return &plan->point[i];
    }
    return NULL;
}

static bool is_listed(const struct sweep_batch *batch, const struct plan_point *point)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (strcmp(batch->point[i].identity, point->identity) == 0)
            return true;
    }
    return false;
}

enum simsm_status task_choose(struct sweep_state *sweep, struct simsm_error *error)
{
    struct plan *plan = &sweep->plan;
    for (uint32_t i = 0; i < sweep->batch.count; i++) {
        if (!find(plan, sweep->batch.point[i].identity))
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s, a file that it names, or simsm has changed since task %s was made; "
                           "start the sweep again on the machine where it began",
                           plan->spec.path, sweep->request->task);
    }
    /* A task that runs again, because its node failed, skips the points that it has finished. */
    for (uint32_t i = 0; i < plan->points; i++) {
        struct plan_point *point = &plan->point[i];
        if (!is_listed(&sweep->batch, point) || fragment_exists(sweep->folder, point->identity))
            point->state = STORE_DONE;
    }
    return SIMSM_OK;
}
