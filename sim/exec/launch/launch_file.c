/* Launches from files: opens the code, finds the kernel, makes its buffers and parameters. */
#include "exec/launch/launch_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "exec/launch/launch_data.h"
#include "exec/launch/launch_plan.h"
#include "sass/image/sass_module.h"

/* Everything that a launch from files needs until it has ended. */
struct launched {
    const struct launch_plan *plan;
    struct launch_plan own;               /* the plan, if it was read by this file */
    const struct launch_results *results; /* NULL: no receiver */
    struct sass_file file;
    struct sass_module *module;
    struct device_memory *memory;
    struct exec_module *loaded;
    uint64_t address[PLAN_BUFFERS];
    uint8_t *params;
    struct exec_launch launch;
};

bool launch_file_probe(const uint8_t *bytes, size_t size)
{
    static const uint8_t elf[4] = {0x7f, 'E', 'L', 'F'}, fatbin[4] = {0x50, 0xed, 0x55, 0xba};
    /* Such files are refused here, and not read as text traces. */
    if (sass_file_other(bytes, size))
        return true;
    return size >= 4 && (memcmp(bytes, elf, 4) == 0 || memcmp(bytes, fatbin, 4) == 0);
}

static void launched_close(void *context)
{
    struct launched *l = context;
    if (!l)
        return;
    exec_module_unload(l->loaded);
    device_memory_destroy(l->memory);
    sass_module_close(l->module);
    sass_file_close(&l->file);
    launch_plan_free(&l->own);
    free(l->params);
    free(l);
}

static enum simsm_status launched_begin(void *context, const struct exec_watch *watch,
                                        struct simsm_error *error)
{
    struct launched *l = context;
    return launch_data_begin(l->plan, l->memory, l->address, watch, error);
}

static enum simsm_status launched_done(void *context, struct simsm_error *error)
{
    struct launched *l = context;
    const struct launch_results *results = l->results;
    enum simsm_status status = launch_data_write(l->plan, l->memory, l->address, error);
    for (uint32_t i = 0; results && i < l->plan->buffers && status == SIMSM_OK; i++) {
        const struct plan_buffer *buffer = &l->plan->buffer[i];
        status = results->take(results->context, buffer,
                               device_pointer(l->memory, l->address[i], buffer->size), error);
    }
    return status;
}

static enum simsm_status open_plan(struct launched *l, const char *path, const char *const *params,
                                   struct simsm_error *error)
{
    for (const char *const *param = params; param && *param; param++)
        if (strncmp(*param, "launch=", 7) == 0)
            return launch_plan_read(&l->own, *param + 7, params, error);
    return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                  "is machine code: name the kernel and its launch with --launch FILE.yaml "
                  "(docs/machine-code.md)");
}

/* Opens the image for the configuration's GPU. */
static enum simsm_status open_module(struct launched *l, const char *path, uint32_t sm,
                                     struct simsm_error *error)
{
    const struct sass_image *image;
    enum simsm_status status = sass_file_open(&l->file, path, error);
    if (status == SIMSM_OK)
        status = sass_file_require(&l->file, path, sm, &image, error);
    if (status == SIMSM_OK)
        status = sass_module_open(&l->module, image->data, image->size, path, error);
    return status;
}

static enum simsm_status find_kernel(struct launched *l, const char *path,
                                     struct simsm_error *error)
{
    l->launch.kernel = sass_module_kernel(l->module, l->plan->kernel);
    if (l->launch.kernel)
        return SIMSM_OK;
    char list[400] = "";
    uint32_t called = 0;
    for (uint32_t i = 0; i < l->module->kernels; i++)
        called += sass_is_called(l->module->kernel[i].name, l->plan->kernel);
    for (uint32_t i = 0; i < l->module->kernels; i++) {
        const char *name = l->module->kernel[i].name;
        size_t length = strlen(list);
        if (!called || sass_is_called(name, l->plan->kernel))
            (void)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "", name);
    }
    if (called)
        return err_at(error, SIMSM_BAD_INPUT, l->plan->path, 0, 0,
                      "%s has %u kernels called '%.100s'; write the whole name of one: %s", path,
                      called, l->plan->kernel, list);
    return err_at(error, SIMSM_BAD_INPUT, l->plan->path, 0, 0,
                  "%s has no kernel '%.100s'; it has %s", path, l->plan->kernel,
                  l->module->kernels ? list : "none");
}

static enum simsm_status make_data(struct launched *l, struct simsm_error *error)
{
    uint64_t memory = 0;
    enum simsm_status status = launch_data_room(l->plan, &memory, error);
    if (status == SIMSM_OK)
        status = device_memory_create(&l->memory, memory, error);
    if (status == SIMSM_OK && l->plan->heap)
        (void)device_set_heap(l->memory, l->plan->heap);
    if (status == SIMSM_OK)
        status = launch_data_make(l->plan, l->memory, l->address, error);
    if (status == SIMSM_OK)
        status = exec_module_load(&l->loaded, l->module, l->memory, error);
    l->params = calloc(1, l->launch.kernel->param_bytes + 1u);
    if (status == SIMSM_OK && !l->params)
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        status = launch_data_params(l->plan, l->launch.kernel, l->address, l->params, error);
    return status;
}

static void fill_launch(struct launched *l, const char *path, const struct simsm_config *config)
{
    const struct launch_plan *plan = l->plan;
    struct exec_launch *launch = &l->launch;
    launch->module = l->loaded;
    launch->params = l->params;
    launch->config = config;
    launch->path = path;
    launch->begin = launched_begin;
    launch->done = launched_done;
    launch->close = launched_close;
    launch->context = l;
    launch->options = (struct exec_options){.skip_unsupported = plan->skip_unsupported,
                                            .max_instructions = plan->max_instructions,
                                            .cooperative = plan->cooperative,
                                            .stack_bytes = plan->stack};
    memcpy(launch->launch.grid, plan->grid, sizeof plan->grid);
    memcpy(launch->launch.block, plan->block, sizeof plan->block);
    launch->launch.shared_dynamic = plan->shared;
    launch->launch.carveout = SIMSM_CARVEOUT_DEFAULT;
}

/* Opens the code and makes the data of a launch. `plan` NULL: `params` name the launch file. */
static enum simsm_status launched_open(struct launched **launched, const char *path,
                                       const struct simsm_config *config,
                                       const struct launch_plan *plan, const char *const *params,
                                       struct simsm_error *error)
{
    if (!config)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "is machine code, which is executed for a GPU: name one with --config");
    struct launched *l = calloc(1, sizeof *l);
    if (!l)
        return err_no_memory(error);
    l->plan = plan ? plan : &l->own;
    enum simsm_status status = open_module(l, path, config->gpu_compute_capability, error);
    if (status == SIMSM_OK && !plan)
        status = open_plan(l, path, params, error);
    if (status == SIMSM_OK)
        status = find_kernel(l, path, error);
    if (status == SIMSM_OK)
        status = make_data(l, error);
    if (status != SIMSM_OK) {
        launched_close(l);
        return status;
    }
    fill_launch(l, path, config);
    *launched = l;
    return SIMSM_OK;
}

static bool has_outputs(const struct launch_plan *plan)
{
    for (uint32_t i = 0; i < plan->buffers; i++)
        if (plan->buffer[i].out[0])
            return true;
    return false;
}

enum simsm_status launch_file_open(struct front **front, const char *path,
                                   const struct simsm_config *config, const char *const *params,
                                   struct simsm_error *error)
{
    struct launched *l = NULL;
    *front = NULL;
    enum simsm_status status = launched_open(&l, path, config, NULL, params, error);
    if (status != SIMSM_OK)
        return status;
    const bool outputs = has_outputs(l->plan);
    status = exec_front_open(front, &l->launch, error);
    if (status == SIMSM_OK)
        (*front)->outputs = outputs;
    return status;
}

enum simsm_status launch_plan_open(struct front **front, const char *path,
                                   const struct simsm_config *config,
                                   const struct launch_plan *plan,
                                   const struct launch_results *results, struct simsm_error *error)
{
    struct launched *l = NULL;
    *front = NULL;
    enum simsm_status status = launched_open(&l, path, config, plan, NULL, error);
    if (status != SIMSM_OK)
        return status;
    l->results = results;
    return exec_front_open(front, &l->launch, error);
}

enum simsm_status launch_file_run(const char *path, const struct simsm_config *config,
                                  const char *const *params, const struct exec_watch *watch,
                                  struct simsm_launch *launch, struct exec_counts *counts,
                                  struct simsm_error *error)
{
    struct launched *l = NULL;
    enum simsm_status status = launched_open(&l, path, config, NULL, params, error);
    if (status != SIMSM_OK)
        return status;
    l->launch.options.watch = watch;
    status = exec_run(&l->launch, counts, error);
    *launch = l->launch.launch;
    if (status == SIMSM_OK)
        status = launched_done(l, error);
    launched_close(l);
    return status;
}
