/* Opens a module from a cubin, and looks up kernels and lines in it. */
#include "sass/image/sass_module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sass/image/module_build.h"

enum simsm_status build_refuse(const struct build *build, const char *format, ...)
{
    char what[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return err_at(build->error, SIMSM_BAD_INPUT, build->cubin.name, 0, 0,
                  "is a cubin that cannot be loaded: %s", what);
}

/* Copies the cubin and reads the copy. */
static enum simsm_status read_copy(struct build *build, const void *data, size_t size,
                                   const char *name)
{
    build->module->keeper = build->keeper;
    void *copy = keeper_take(build->keeper, size, 1);
    if (!copy)
        return err_no_memory(build->error);
    if (size)
        memcpy(copy, data, size);
    return cubin_read(&build->cubin, build->keeper, copy, size, name, build->error);
}

static enum simsm_status build_all(struct build *build, const void *data, size_t size,
                                   const char *name, bool any)
{
    static enum simsm_status (*const steps[])(struct build *) = {
        build_layout, build_kernels, build_attributes, build_relocations, build_lines,
    };
    enum simsm_status status = read_copy(build, data, size, name);
    if (status == SIMSM_OK && !build->cubin.linked && !any)
        return err_at(build->error, SIMSM_BAD_INPUT, name, 0, 0,
                      "holds code that is not linked (compiled with -rdc=true); link it first, "
                      "with nvcc -dlink -cubin or nvlink");
    build->module->sm = build->cubin.sm;
    build->module->unlinked = !build->cubin.linked;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == SIMSM_OK; i++)
        status = steps[i](build);
    return status;
}

static enum simsm_status open_module(struct sass_module **module, const void *data, size_t size,
                                     const char *name, bool any, struct simsm_error *error)
{
    struct build build = {.keeper = keeper_create(), .error = error};
    *module = NULL;
    if (!build.keeper)
        return err_no_memory(error);
    build.module = keeper_take(build.keeper, 1, sizeof *build.module);
    enum simsm_status status =
        build.module ? build_all(&build, data, size, name, any) : err_no_memory(error);
    if (status == SIMSM_OK)
        *module = build.module;
    else
        keeper_destroy(build.keeper);
    return status;
}

enum simsm_status sass_module_open(struct sass_module **module, const void *data, size_t size,
                                   const char *name, struct simsm_error *error)
{
    return open_module(module, data, size, name, false, error);
}

enum simsm_status sass_module_inspect(struct sass_module **module, const void *data, size_t size,
                                      const char *name, struct simsm_error *error)
{
    return open_module(module, data, size, name, true, error);
}

void sass_module_close(struct sass_module *module)
{
    if (module)
        keeper_destroy(module->keeper); /* frees the module too */
}

const struct sass_kernel *sass_module_kernel(const struct sass_module *module, const char *name)
{
    const struct sass_kernel *found = NULL;
    for (uint32_t k = 0; k < module->kernels; k++)
        if (strcmp(module->kernel[k].name, name) == 0)
            return &module->kernel[k];
    for (uint32_t k = 0; k < module->kernels; k++) {
        if (!sass_is_called(module->kernel[k].name, name))
            continue;
        if (found)
            return NULL;
        found = &module->kernel[k];
    }
    return found;
}

/* Returns the row of the instruction at `pc`; NULL if its line is unknown. */
static const struct sass_line *row_at(const struct sass_kernel *kernel, uint32_t pc)
{
    uint32_t low = 0, high = kernel->lines;
    while (low < high) { /* first line that begins after pc */
        uint32_t middle = low + (high - low) / 2;
        if (kernel->line[middle].pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 || kernel->line[low - 1].line == 0 ? NULL : &kernel->line[low - 1];
}

uint32_t sass_kernel_line(const struct sass_module *module, const struct sass_kernel *kernel,
                          uint32_t pc, const char **file)
{
    const struct sass_line *row = row_at(kernel, pc);
    *file = row ? module->file[row->file] : NULL;
    return row ? row->line : 0;
}

uint32_t sass_kernel_call(const struct sass_module *module, const struct sass_kernel *kernel,
                          uint32_t pc, uint32_t level, const char **file)
{
    const struct sass_line *row = row_at(kernel, pc);
    uint32_t call = row ? row->call : 0;
    while (call && level--)
        call = module->call[call - 1].outer;
    *file = call ? module->file[module->call[call - 1].file] : NULL;
    return call ? module->call[call - 1].line : 0;
}
