/* The public library: joins a front, a GPU and the policies in one handle. */
#include "simsm/simsm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "base/err.h"
#include "config/suggest.h"
#include "front/front.h"
#include "gpu/gpu.h"
#include "input/front_open.h"
#include "mem/mem.h"
#include "plugin/plugin.h"

struct simsm {
    struct simsm_config config;
    struct simsm_occupancy occupancy;
    struct front *front;
    struct gpu *gpu;
    struct plugin *plugin; /* the plug-in with policies, or NULL */
    struct simsm_line_info *line_info;
    struct simsm_stats stats;
    bool finished; /* the front has been told that the launch has ended */
};

/* The policies of a run. */
struct policies {
    const struct simsm_scheduler *scheduler;
    const struct simsm_dispatcher *dispatcher;
    const struct simsm_l1_policy *l1;
};

static const struct simsm_scheduler *find_scheduler(const struct plugin *plugin, const char *name)
{
    const struct simsm_scheduler *found = plugin_scheduler(plugin, name);
    for (const struct simsm_scheduler *const *s = simsm_schedulers; *s && !found; s++)
        found = strcmp((*s)->name, name) == 0 ? *s : NULL;
    return found;
}

static const struct simsm_dispatcher *find_dispatcher(const struct plugin *plugin, const char *name)
{
    const struct simsm_dispatcher *found = plugin_dispatcher(plugin, name);
    for (const struct simsm_dispatcher *const *d = simsm_dispatchers; *d && !found; d++)
        found = strcmp((*d)->name, name) == 0 ? *d : NULL;
    return found;
}

enum { MOST_POLICIES = 64 };

/* Returns "; did you mean 'NAME'?" with the nearest built-in policy of the key, or "". */
static const char *nearest_policy(const char *key, const char *name,
                                  char question[SUGGEST_QUESTION])
{
    const char *names[MOST_POLICIES];
    size_t count = 0;
    for (const struct simsm_scheduler *const *s = simsm_schedulers;
         strcmp(key, "sm.scheduler") == 0 && *s && count < MOST_POLICIES; s++)
        names[count++] = (*s)->name;
    for (const struct simsm_dispatcher *const *d = simsm_dispatchers;
         strcmp(key, "dispatch.policy") == 0 && *d && count < MOST_POLICIES; d++)
        names[count++] = (*d)->name;
    return suggest_question(suggest_nearest(name, names, count), question);
}

static enum simsm_status unknown_policy(struct simsm_error *error, const struct plugin *plugin,
                                        const char *key, const char *name)
{
    char question[SUGGEST_QUESTION];
    if (strcmp(name, "module") == 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       plugin ? "%s is module, but the plugin %s has no such policy"
                              : "%s is module, but no plugin is named; policy.module or --policy "
                                "does that%s",
                       key, plugin ? plugin->table->name : "");
    return err_set(error, SIMSM_BAD_INPUT,
                   "%s: there is no policy '%s'%s%s; `simsm policies%s` lists those there are%s",
                   key, name, plugin ? ", neither here nor in the plugin " : "",
                   plugin ? plugin->table->name : "", plugin ? " MODULE" : "",
                   nearest_policy(key, name, question));
}

static enum simsm_status find_policies(struct policies *found, const struct plugin *plugin,
                                       const struct simsm_config *config, struct simsm_error *error)
{
    found->scheduler = find_scheduler(plugin, config->sm_scheduler);
    found->dispatcher = find_dispatcher(plugin, config->dispatch_policy);
    found->l1 = plugin_l1(plugin, config->policy_l1);
    if (!found->scheduler)
        return unknown_policy(error, plugin, "sm.scheduler", config->sm_scheduler);
    if (!found->dispatcher)
        return unknown_policy(error, plugin, "dispatch.policy", config->dispatch_policy);
    if (!found->l1 && config->policy_l1[0] && strcmp(config->policy_l1, "none") != 0)
        return unknown_policy(error, plugin, "policy.l1", config->policy_l1);
    bool orders = config->divergence_first == SIMSM_MODULE_divergence_first;
    if (orders && (!plugin || !plugin->table->path_order))
        return unknown_policy(error, plugin, "divergence.first", "module");
    return SIMSM_OK;
}

enum simsm_status simsm_check_policies(const struct simsm_config *config, struct simsm_error *error)
{
    struct policies found;
    struct plugin *plugin;
    enum simsm_status status = plugin_open(&plugin, config, error);
    if (status == SIMSM_OK)
        status = find_policies(&found, plugin, config, error);
    plugin_close(plugin);
    return status;
}

static enum simsm_status check_control_bits(const struct simsm *simulation,
                                            struct simsm_error *error)
{
    const struct front *front = simulation->front;
    if (simulation->config.sm_dependence != SIMSM_CONTROL_BITS_dependence)
        return SIMSM_OK;
    for (uint32_t i = 0; i < front->code_size; i++) {
        if (!front->code[i].control.present)
            return err_at(error, SIMSM_BAD_INPUT, front->path, front->code[i].line, 0,
                          "sm.dependence is control_bits, but this instruction has none: %s; give "
                          "all instructions control bits or choose auto or scoreboard",
                          front->text[i]);
    }
    return SIMSM_OK;
}

static enum simsm_status describe_lines(struct simsm *simulation, struct simsm_error *error)
{
    const struct front *front = simulation->front;
    simulation->line_info = calloc(front->code_size, sizeof *simulation->line_info);
    if (!simulation->line_info)
        return err_no_memory(error);
    for (uint32_t i = 0; i < front->code_size; i++)
        simulation->line_info[i] = (struct simsm_line_info){
            .text = front->text[i],
            .line = front->code[i].line,
            .pc = front->code[i].pc,
            .op = (enum simsm_op_class)front->code[i].op,
        };
    return SIMSM_OK;
}

static enum simsm_status build(struct simsm *simulation, const struct simsm_options *options,
                               struct simsm_error *error)
{
    const struct simsm_config *config = &simulation->config;
    struct policies found;
    enum simsm_status status = find_policies(&found, simulation->plugin, config, error);
    if (status != SIMSM_OK)
        return status;
    const struct plugin *plugin = simulation->plugin;
    const struct gpu_setup setup = {
        .config = config,
        .front = simulation->front,
        .occupancy = &simulation->occupancy,
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

/* Prepares everything that an open simulation->front needs to run. */
static enum simsm_status prepare(struct simsm *simulation, const struct simsm_options *options,
                                 struct simsm_error *error)
{
    static const struct simsm_options none = {0};
    struct front *front = simulation->front;
    if (!options)
        options = &none;
    enum simsm_status status = check_control_bits(simulation, error);
    if (status == SIMSM_OK) {
        status =
            simsm_occupancy(&simulation->config, &front->launch, &simulation->occupancy, error);
        if (status != SIMSM_OK && error && !error->file[0])
            (void)snprintf(error->file, sizeof error->file, "%s", front->path);
    }
    if (status == SIMSM_OK)
        status = describe_lines(simulation, error);
    if (status == SIMSM_OK)
        status = front_begin_timed(front, error);
    if (status == SIMSM_OK)
        status = open_plugin(simulation, options, error);
    if (status == SIMSM_OK)
        status = build(simulation, options, error);
    return status;
}

static struct simsm *allocate(const struct simsm_config *config)
{
    struct simsm *simulation = calloc(1, sizeof *simulation);
    if (simulation)
        simulation->config = *config;
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
        status = front_open(&made->front, trace, &made->config,
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
    made->front = front;
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

void simsm_hold(struct simsm *simulation, uint64_t address, uint64_t bytes)
{
    gpu_hold(simulation->gpu, address, bytes);
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
    enum simsm_status cursors = front_status(simulation->front, &failure);
    if (cursors == SIMSM_OK && status == SIMSM_OK && !simulation->finished &&
        simsm_stats(simulation)->complete) {
        simulation->finished = true;
        return front_finish(simulation->front, error);
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
    simulation->stats.line_info = simulation->line_info;
    gpu_stats(simulation->gpu, &simulation->stats);
    return &simulation->stats;
}

void simsm_close(struct simsm *simulation)
{
    if (!simulation)
        return;
    gpu_destroy(simulation->gpu);
    plugin_close(simulation->plugin);
    front_close(simulation->front);
    free(simulation->line_info);
    free(simulation);
}

const struct simsm_launch *simsm_launch_of(const struct simsm *simulation)
{
    return &simulation->front->launch;
}

const struct front *simsm_front(const struct simsm *simulation)
{
    return simulation->front;
}
