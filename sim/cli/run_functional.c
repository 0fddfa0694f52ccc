/* Executes the launch of a launch file without timing and prints its instruction counts. */
#include "cli/run_functional.h"

#include <stdio.h>
#include <time.h>

#include "cli/signals.h"
#include "exec/launch/launch_file.h"

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool go_on(void *context, const struct exec_counts *counts)
{
    (void)context;
    (void)counts;
    return !signals_first();
}

enum simsm_status run_functional(const struct run_options *options,
                                 const struct simsm_config *config, struct simsm_error *error)
{
    const struct exec_watch watch = {go_on, NULL};
    struct simsm_launch launch = {.name = ""};
    struct exec_counts counts = {0};
    double begin = seconds_now();
    signals_enter_plugin(config->policy_module);
    enum simsm_status status = launch_file_run(options->trace, config, options->parameters.item,
                                               &watch, &launch, &counts, error);
    signals_leave_plugin();
    double took = seconds_now() - begin;
    if (status != SIMSM_OK || options->quiet)
        return status;
    (void)printf("%s: %llu blocks of %u threads, executed without timing\n", launch.name,
                 (unsigned long long)simsm_grid_blocks(&launch), simsm_block_threads(&launch));
    (void)printf("  warp instructions    %12llu  smsp__inst_executed\n",
                 (unsigned long long)counts.warp_instructions);
    (void)printf("  thread instructions  %12llu  smsp__thread_inst_executed\n",
                 (unsigned long long)counts.thread_instructions);
    (void)printf("  with guard true      %12llu  smsp__thread_inst_executed_pred_on\n",
                 (unsigned long long)counts.thread_instructions_pred_on);
    (void)printf("  time                 %12.3f  s, %.1f million warp instructions per second\n",
                 took, took > 0 ? (double)counts.warp_instructions / took * 1e-6 : 0.0);
    return SIMSM_OK;
}
