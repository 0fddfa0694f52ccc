/* The public library: joins a front, a GPU and the policies in one handle. */
#include "simsm/simsm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/policies.h"
#include "api/simsm_front.h"
#include "api/subject.h"
#include "base/err.h"
#include "front/front.h"
#include "gpu/gpu.h"
#include "input/front_open.h"
#include "mem/mem.h"
#include "plugin/plugin.h"

struct simsm {
    struct simsm_config config;
    struct subject subject;
    struct gpu *gpu;
    struct plugin *plugin; /* the plug-in with policies, or NULL */
    struct simsm_stats stats;
    bool finished; /* the front has been told that the launch has ended */
};

enum simsm_status simsm_check_policies(const struct simsm_config *config, struct simsm_error *error)
{
    struct policies found;
    struct plugin *plugin;
    enum simsm_status status = plugin_open(&plugin, config, error);
    if (status == SIMSM_OK)
        status = policies_find(&found, plugin, config, error);
    plugin_close(plugin);
    return status;
}

static enum simsm_status build(struct simsm *simulation, const struct simsm_options *options,
                               struct simsm_error *error)
{
    const struct simsm_config *config = &simulation->config;
    struct policies found;
    enum simsm_status status = policies_find(&found, simulation->plugin, config, error);
    if (status != SIMSM_OK)
        return status;
    const struct plugin *plugin = simulation->plugin;
    const struct gpu_setup setup = {
        .config = config,
        .front = simulation->subject.front,
        .occupancy = &simulation->subject.occupancy,
        .scheduler = options->scheduler ? options->scheduler : found.scheduler,
        .dispatcher = options->dispatcher ? options->dispatcher : found.dispatcher,
        .l1_policy = found.l1,
        .module = plugin ? plugin->table : NULL,
        .param = plugin ? plugin->param : NULL,
        .observers = options->observers,
        .no_skip = options->no_skip,
        .check = options->check,
        .window = options->window,
        .threads = options->threads,
    };
    simulation->gpu = gpu_create(&setup);
    return simulation->gpu ? SIMSM_OK : err_no_memory(error);
}

static enum simsm_status open_plugin(struct simsm *simulation, const struct simsm_options *options,
                                     struct simsm_error *error)
{
    if (options->module)
        return plugin_wrap(&simulation->plugin, options->module, &simulation->config, error);
    return plugin_open(&simulation->plugin, &simulation->config, error);
}

/* Returns SIMSM_BAD_INPUT if an experiment changes what warps wait for, but the front executes
 * their instructions as they issue: they would compute with values that are not there. */
static enum simsm_status check_what_if(const struct simsm *simulation, struct simsm_error *error)
{
    const struct simsm_config *config = &simulation->config;
    const struct front *front = simulation->subject.front;
    const char *key = config->what_if_no_load_waits      ? "no_load_waits"
                      : config->what_if_full_lanes       ? "full_lanes"
                      : config->what_if_no_barrier_waits ? "no_barrier_waits"
                                                         : NULL;
    if (!key || !front->ops->issue)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, front->path, 0, 0,
                  "what_if.%s needs a trace or a recording, as instructions are executed when they "
                  "issue; record the launch first (`simsm record`), or use `simsm why`",
                  key);
}

/* Prepares everything that an open front needs to run. */
static enum simsm_status prepare(struct simsm *simulation, const struct simsm_options *options,
                                 struct simsm_error *error)
{
    static const struct simsm_options none = {0};
    if (!options)
        options = &none;
    enum simsm_status status = subject_prepare(&simulation->subject, &simulation->config, error);
    if (status == SIMSM_OK)
        status = check_what_if(simulation, error);
    if (status == SIMSM_OK)
        status = open_plugin(simulation, options, error);
    if (status == SIMSM_OK)
        status = build(simulation, options, error);
    return status;
}

/* Sets what other keys express of the experiments of section what_if. */
static void apply_what_if(struct simsm_config *config)
{
    config->constant_ideal |= config->what_if_constant_hits;
    if (config->what_if_fp64_as_fp32)
        config->ops[SIMSM_OP_FP64] = config->ops[SIMSM_OP_FP32];
    if (config->what_if_no_launch_overhead)
        config->gpu_launch_cycles = config->gpu_end_cycles = config->gpu_drain_cycles = 0;
}

static struct simsm *allocate(const struct simsm_config *config)
{
    struct simsm *simulation = calloc(1, sizeof *simulation);
    if (simulation)
        simulation->config = *config;
    if (simulation)
        apply_what_if(&simulation->config);
    return simulation;
}

/* Passes the simulation to the caller if `status` is SIMSM_OK, else closes it. Returns `status`. */
static enum simsm_status opened(struct simsm **simulation, struct simsm *made,
                                enum simsm_status status)
{
    if (status == SIMSM_OK)
        *simulation = made;
    else
        simsm_close(made);
    return status;
}

enum simsm_status simsm_open(struct simsm **simulation, const struct simsm_config *config,
                             const char *trace, const struct simsm_options *options,
                             struct simsm_error *error)
{
    *simulation = NULL;
    struct simsm *made = allocate(config);
    if (!made)
        return err_no_memory(error);
    enum simsm_status status = simsm_config_check(&made->config, error);
    if (status == SIMSM_OK)
        status = front_open(&made->subject.front, trace, &made->config,
                            options ? options->parameters : NULL, error);
    if (status == SIMSM_OK)
        status = prepare(made, options, error);
    return opened(simulation, made, status);
}

enum simsm_status simsm_open_front(struct simsm **simulation, const struct simsm_config *config,
                                   struct front *front, const struct simsm_options *options,
                                   struct simsm_error *error)
{
    *simulation = NULL;
    struct simsm *made = allocate(config);
    if (!made) {
        front_close(front);
        return err_no_memory(error);
    }
    made->subject.front = front;
    enum simsm_status status = simsm_config_check(&made->config, error);
    if (status == SIMSM_OK)
        status = prepare(made, options, error);
    return opened(simulation, made, status);
}

struct mem_lines *simsm_take_lines(struct simsm *simulation)
{
    return gpu_take_lines(simulation->gpu);
}

void simsm_give_lines(struct simsm *simulation, struct mem_lines *lines)
{
    gpu_give_lines(simulation->gpu, lines);
}

void simsm_lines_free(struct mem_lines *lines)
{
    mem_lines_free(lines);
}

void simsm_hold(struct simsm *simulation, const struct mem_written *written)
{
    gpu_hold(simulation->gpu, written);
}

void simsm_cut_by(struct simsm *simulation, const struct gpu_cut *cut)
{
    gpu_cut_by(simulation->gpu, cut);
}

enum simsm_status simsm_advance(struct simsm *simulation, uint64_t until, uint64_t bound,
                                struct simsm_error *error)
{
    enum simsm_status status = gpu_run(simulation->gpu, until, bound, error);
    /* A failure of the front comes first: instruction sequences that end early look like a
     * deadlock. */
    struct simsm_error failure;
    enum simsm_status cursors = front_status(simulation->subject.front, &failure);
    if (cursors == SIMSM_OK && status == SIMSM_OK && !simulation->finished &&
        simsm_stats(simulation)->complete) {
        simulation->finished = true;
        return front_finish(simulation->subject.front, error);
    }
    if (cursors == SIMSM_OK)
        return status;
    if (error)
        *error = failure;
    return cursors;
}

enum simsm_status simsm_run(struct simsm *simulation, uint64_t until, struct simsm_error *error)
{
    return simsm_advance(simulation, until, until, error);
}

const struct simsm_stats *simsm_stats(struct simsm *simulation)
{
    simulation->stats.line_info = simulation->subject.line_info;
    gpu_stats(simulation->gpu, &simulation->stats);
    return &simulation->stats;
}

void simsm_close(struct simsm *simulation)
{
    if (!simulation)
        return;
    gpu_destroy(simulation->gpu);
    plugin_close(simulation->plugin);
    subject_free(&simulation->subject);
    free(simulation);
}

const struct simsm_launch *simsm_launch_of(const struct simsm *simulation)
{
    return &simulation->subject.front->launch;
}

const struct front *simsm_front(const struct simsm *simulation)
{
    return simulation->subject.front;
}
