/* The front of an executed launch, and execution without timing. */
#include "exec/launch/exec_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "exec/control/exec_code.h"
#include "exec/control/exec_grid.h"
#include "exec/launch/issue_front.h"
#include "exec/memory/module_load.h"
#include "front/block_front.h"

/* The state of a front of executed blocks. The front owns it. */
struct execution {
    struct exec_grid *grid;
    struct issued *issued; /* NULL: whole blocks are executed when they start */
    bool begun, done;
    int (*stop)(void);
    struct exec_watch watch; /* asks it */
    enum simsm_status (*on_begin)(void *context, const struct exec_watch *watch,
                                  struct simsm_error *error);
    enum simsm_status (*on_done)(void *context, struct simsm_error *error);
    void (*on_close)(void *context);
    void *context;
};

static void execution_close(void *context)
{
    struct execution *execution = context;
    if (!execution)
        return;
    issued_destroy(execution->issued);
    exec_grid_destroy(execution->grid);
    if (execution->on_close)
        execution->on_close(execution->context);
    free(execution);
}

static enum simsm_status execution_produce(void *context, uint64_t block, struct byte_buffer *warp,
                                           uint32_t warps, struct simsm_error *error)
{
    struct execution *execution = context;
    (void)warps;
    enum simsm_status status = SIMSM_OK;
    if (!execution->begun && execution->on_begin)
        status = execution->on_begin(execution->context, execution->grid->options.watch, error);
    execution->begun = true;
    if (status == SIMSM_OK)
        status = exec_grid_finish(execution->grid, block, warp, error);
    if (status != SIMSM_OK || execution->done || !exec_grid_ended(execution->grid))
        return status;
    execution->done = true;
    return execution->on_done ? execution->on_done(execution->context, error) : SIMSM_OK;
}

static enum simsm_status execution_begin_timed(void *context, struct simsm_error *error)
{
    struct execution *execution = context;
    return issued_create(&execution->issued, execution->grid, execution->on_begin,
                         execution->context, error);
}

static enum simsm_status execution_finish(void *context, struct simsm_error *error)
{
    struct execution *execution = context;
    enum simsm_status status = issued_finish(execution->issued, error);
    if (status != SIMSM_OK || !execution->on_done)
        return status;
    return execution->on_done(execution->context, error);
}

struct issued *exec_issued_of(const struct front *front)
{
    return ((const struct execution *)block_front_source(front)->context)->issued;
}

static void execution_issue_instead(void *context, struct front_ops *ops)
{
    const struct execution *execution = context;
    if (execution->issued)
        issued_ops(ops);
}

static bool go_on(void *context, const struct exec_counts *counts)
{
    const struct execution *execution = context;
    (void)counts;
    return !execution->stop();
}

static void execution_stop_when(void *context, int (*stop)(void))
{
    struct execution *execution = context;
    execution->stop = stop;
    execution->watch = (struct exec_watch){go_on, execution};
    execution->grid->options.watch = &execution->watch;
}

/*
 * Fills in the kernel's name as in the source, its registers and static shared memory as compiled.
 * Code for sm_90 counts the shared memory that the system reserves in each block as its own;
 * configurations count it separately.
 */
static void fill_compiled_values(struct exec_launch *launch)
{
    const struct sass_kernel *kernel = launch->kernel;
    const uint32_t reserved =
        launch->module->module->sm >= 90 ? launch->config->sm_shared_reserved : 0;
    sass_plain_name(kernel->name, launch->launch.name, sizeof launch->launch.name);
    launch->launch.registers = kernel->registers;
    if (kernel->cluster[0])
        memcpy(launch->launch.cluster, kernel->cluster, sizeof kernel->cluster);
    launch->launch.shared_static =
        kernel->shared_static >= reserved ? kernel->shared_static - reserved : 0;
}

enum simsm_status exec_front_open(struct front **front, struct exec_launch *launch,
                                  struct simsm_error *error)
{
    *front = NULL;
    fill_compiled_values(launch);
    struct execution *execution = calloc(1, sizeof *execution);
    if (!execution) {
        if (launch->close)
            launch->close(launch->context);
        return err_no_memory(error);
    }
    execution->on_begin = launch->begin;
    execution->on_done = launch->done;
    execution->on_close = launch->close;
    execution->context = launch->context;
    const struct simsm_launch kept = launch->launch;
    enum simsm_status status = exec_grid_create(&execution->grid, launch, true, error);
    if (status != SIMSM_OK) {
        execution_close(execution);
        return status;
    }
    const struct block_source source = {.produce = execution_produce,
                                        .close = execution_close,
                                        .context = execution,
                                        .stop_when = execution_stop_when,
                                        .begin_timed = execution_begin_timed,
                                        .finish = execution_finish,
                                        .issue_instead = execution_issue_instead};
    status = block_front_open(front, &source, &kept, execution->grid->lowered,
                              (const char *const *)execution->grid->code->text,
                              execution->grid->steps, launch->path ? launch->path : "", error);
    if (status != SIMSM_OK)
        return status;
    (*front)->source = execution->grid->source;
    (void)snprintf((*front)->paths, sizeof(*front)->paths, "%s", execution->grid->rules.text);
    return SIMSM_OK;
}

const struct exec_counts *exec_front_counts(const struct front *front)
{
    const struct block_source *source = block_front_source(front);
    if (!source || source->close != execution_close)
        return NULL;
    return &((const struct execution *)source->context)->grid->counts;
}

enum simsm_status exec_run(struct exec_launch *launch, struct exec_counts *counts,
                           struct simsm_error *error)
{
    struct exec_grid *grid = NULL;
    fill_compiled_values(launch);
    enum simsm_status status = exec_grid_create(&grid, launch, false, error);
    if (status == SIMSM_OK && launch->begin)
        status = launch->begin(launch->context, launch->options.watch, error);
    if (status == SIMSM_OK)
        status = exec_grid_run(grid, error);
    if (grid && counts)
        *counts = grid->counts;
    exec_grid_destroy(grid);
    return status;
}
