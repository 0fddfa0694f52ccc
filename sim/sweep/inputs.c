/* Finds and hashes the input files of a kernel. */
#include "sweep/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "exec/launch/launch_plan.h"
#include "sweep/hash.h"

char *inputs_absolute(const char *path)
{
    char folder[4096];
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    if (path[0] == '/' || !getcwd(folder, sizeof folder))
        return text_copy(path, strlen(path));
    return text_format("%s/%s", folder, path);
}

static enum simsm_status add(struct inputs *inputs, const char *role, const char *path,
                             struct simsm_error *error)
{
    char hash[HASH_TEXT];
    uint64_t bytes;
    enum simsm_status status = hash_file(path, hash, &bytes, error);
    if (status != SIMSM_OK)
        return status;
    struct store_input *grown = realloc(inputs->input, (inputs->count + 1) * sizeof *grown);
    if (!grown)
        return err_no_memory(error);
    inputs->input = grown;
    struct store_input *input = &grown[inputs->count++];
    *input = (struct store_input){.role = role,
                                  .path = inputs_absolute(path),
                                  .hash = text_copy(hash, strlen(hash)),
                                  .bytes = bytes};
    return input->path && input->hash ? SIMSM_OK : err_no_memory(error);
}

/* Adds the files that fill buffers of the launch. */
static enum simsm_status add_buffers(struct inputs *inputs, const struct spec_kernel *kernel,
                                     struct simsm_error *error)
{
    struct launch_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return err_no_memory(error);
    enum simsm_status status = launch_plan_read(plan, kernel->launch_file, NULL, error);
    for (uint32_t i = 0; i < plan->buffers && status == SIMSM_OK; i++) {
        if (plan->buffer[i].fill == FILL_FILE)
            status = add(inputs, "buffer", plan->buffer[i].file, error);
    }
    launch_plan_free(plan);
    free(plan);
    return status;
}

enum simsm_status inputs_read(struct inputs *inputs, const struct spec *spec,
                              const struct spec_kernel *kernel, struct simsm_error *error)
{
    static const char *const roles[] = {"trace", "code", "program"};
    enum simsm_status status = add(inputs, roles[kernel->kind], kernel->path, error);
    if (status == SIMSM_OK && kernel->launch_file)
        status = add(inputs, "launch_file", kernel->launch_file, error);
    if (status == SIMSM_OK && kernel->launch_file)
        status = add_buffers(inputs, kernel, error);
    for (uint32_t i = 0; i < kernel->files.count && status == SIMSM_OK; i++)
        status = add(inputs, "file", kernel->files.item[i].text, error);
    if (status != SIMSM_BAD_INPUT || error->line)
        return status;
    char file[sizeof error->file], message[sizeof error->message];
    memcpy(file, error->file, sizeof file);
    memcpy(message, error->message, sizeof message);
    return spec_fail(spec, kernel->line, kernel->column, error, "kernel '%s': %s: %.300s",
                     kernel->name, file, message);
}

void inputs_free(struct inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        free((void *)inputs->input[i].path);
        free((void *)inputs->input[i].hash);
    }
    free(inputs->input);
    *inputs = (struct inputs){0};
}
