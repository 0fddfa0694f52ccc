/* Opens the inputs of a recording, executes their warps without timing and writes them. */
#include "cli/record_inputs.h"
#include "input/front_open.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/foreign_trace.h"
#include "cli/signals.h"
#include "input/front_launches.h"
#include "record/record_front.h"
#include "report/quantity.h"
#include "report/recorded.h"

/* What was recorded so far. */
struct record_sums {
    uint64_t launches, instructions;
};

struct record_progress {
    bool wanted, shown;
    uint64_t blocks,
        next; /* blocks of the grid; instructions at which the progress is shown next */
};

enum { SHOW_EVERY = 32 << 20 };

static enum simsm_status show_progress(void *context, uint64_t blocks, uint64_t instructions)
{
    struct record_progress *progress = context;
    if (signals_first())
        return SIMSM_INTERRUPTED;
    if (!progress->wanted || instructions < progress->next)
        return SIMSM_OK;
    progress->next = instructions + SHOW_EVERY;
    progress->shown = true;
    (void)fprintf(stderr, "\r\033[K%llu of %llu blocks, %s warp instructions",
                  (unsigned long long)blocks, (unsigned long long)progress->blocks,
                  quantity_count((double)instructions).text);
    (void)fflush(stderr);
    return SIMSM_OK;
}

/* Records the launch that `params` choose from an input. */
static enum simsm_status add_launch(struct recording_writer *writer,
                                    const struct record_inputs_request *request, const char *input,
                                    const char *const *params, struct record_sums *sum,
                                    struct simsm_error *error)
{
    struct front *front;
    struct record_counts counts = {0};
    enum simsm_status status = front_open(&front, input, request->config, params, error);
    if (status != SIMSM_OK)
        return status;
    foreign_trace_warn(front);
    front_stop_when(front, signals_first);
    struct record_progress progress = {.wanted = !request->quiet && isatty(STDERR_FILENO),
                                       .blocks = simsm_grid_blocks(&front->launch),
                                       .next = SHOW_EVERY};
    const struct record_watch watched = {show_progress, &progress};
    status = record_front(writer, front, &watched, &counts, error);
    if (progress.shown)
        (void)fputs("\r\033[K", stderr);
    sum->launches++;
    sum->instructions += counts.instructions;
    front_close(front);
    return status;
}

/*
 * Records one input: the launch that parameters choose, or all launches if there are no parameters.
 */
static enum simsm_status add_input(struct recording_writer *writer,
                                   const struct record_inputs_request *request, const char *input,
                                   struct record_sums *sum, struct simsm_error *error)
{
    struct front_launches launches = {0};
    enum simsm_status status = SIMSM_OK;
    if (!request->params || !request->params[0])
        status = front_launches_read(&launches, input, error);
    if (status == SIMSM_OK && !launches.count)
        status = add_launch(writer, request, input, request->params, sum, error);
    for (uint32_t i = 0; i < launches.count && status == SIMSM_OK; i++) {
        char parameter[32];
        (void)snprintf(parameter, sizeof parameter, "launch=%u", i + 1);
        status =
            add_launch(writer, request, input, (const char *const[]){parameter, NULL}, sum, error);
    }
    front_launches_free(&launches);
    return status;
}

/* Returns SIMSM_BAD_INPUT if the recording would overwrite an input. */
static enum simsm_status check_files(const struct record_inputs_request *request,
                                     struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    for (int i = 0; i < request->input_count && status == SIMSM_OK; i++) {
        const struct cli_file files[] = {{"the input", request->inputs[i], true},
                                         {"the recording", request->output, false}};
        status = cli_files_check(files, 2, error);
    }
    return status;
}

enum simsm_status record_inputs(const struct record_inputs_request *request,
                                struct simsm_error *error)
{
    struct recording_writer *writer;
    struct record_sums sum = {0};
    enum simsm_status status = check_files(request, error);
    if (status != SIMSM_OK)
        return status;
    signals_listen();
    status = recording_create(&writer, request->output, request->command, error);
    if (status != SIMSM_OK)
        return status;
    signals_enter_plugin(request->config ? request->config->policy_module : "");
    for (int i = 0; i < request->input_count && status == SIMSM_OK; i++)
        status = add_input(writer, request, request->inputs[i], &sum, error);
    signals_leave_plugin();
    if (status == SIMSM_OK)
        status = recording_finish(writer, error);
    else
        recording_abandon(writer);
    if (status == SIMSM_OK && !request->quiet)
        recorded_print(stdout, request->output, sum.launches, sum.instructions);
    return status;
}
