/* Loads the kernels of tests/data/sass/execute and launches them. */
#ifndef TESTS_UNIT_EXEC_RIG_H
#define TESTS_UNIT_EXEC_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "exec/launch/exec_launch.h"
#include "simsm/config.h"

struct rig {
    uint32_t sm;
    struct sass_file file;
    struct sass_module *module;
    struct device_memory *memory;
    struct exec_module *loaded;
    struct simsm_config config;
    struct exec_options options;
    struct exec_counts counts;
    struct simsm_error error;
};

static const uint32_t rig_sms[] = {75, 80, 90};

/* Loads tests/data/sass/execute/`name`.sm_`sm`.cubin. */
static inline void rig_open_code(struct rig *rig, const char *name, uint32_t sm)
{
    char path[256];
    *rig = (struct rig){.sm = sm};
    (void)snprintf(path, sizeof path, "tests/data/sass/execute/%s.sm_%u.cubin", name, sm);
    const char *config = sm == 75 ? "t4" : sm == 80 ? "a100" : "h200";
    assert_int_equal(simsm_config_load(&rig->config, config, &rig->error), SIMSM_OK);
    assert_int_equal(sass_file_open(&rig->file, path, &rig->error), SIMSM_OK);
    const struct sass_image *image = sass_file_pick(&rig->file, sm);
    assert_non_null(image);
    assert_int_equal(sass_module_open(&rig->module, image->data, image->size, path, &rig->error),
                     SIMSM_OK);
    assert_int_equal(device_memory_create(&rig->memory, UINT64_C(64) << 20, &rig->error), SIMSM_OK);
    assert_int_equal(exec_module_load(&rig->loaded, rig->module, rig->memory, &rig->error),
                     SIMSM_OK);
    rig->options.max_instructions = 20000000;
}

static inline void rig_open(struct rig *rig, uint32_t sm)
{
    rig_open_code(rig, "kernels", sm);
}

static inline void rig_close(struct rig *rig)
{
    exec_module_unload(rig->loaded);
    device_memory_destroy(rig->memory);
    sass_module_close(rig->module);
    sass_file_close(&rig->file);
}

/* A buffer of `bytes` bytes and where it is on the host. */
static inline uint64_t rig_buffer(struct rig *rig, const char *name, size_t bytes, void *host)
{
    uint64_t address = device_alloc(rig->memory, bytes, name);
    assert_int_not_equal(address, 0);
    *(void **)host = device_pointer(rig->memory, address, bytes);
    return address;
}

/* Fills what a launch of `kernel` needs; `arguments` as the kernel has them, 64 bits each. */
static inline void rig_prepare(struct rig *rig, struct exec_launch *launch, uint8_t params[256],
                               const char *kernel, uint32_t grid, uint32_t block,
                               const uint64_t *arguments)
{
    *launch = (struct exec_launch){.module = rig->loaded,
                                   .kernel = sass_module_kernel(rig->module, kernel),
                                   .config = &rig->config,
                                   .options = rig->options,
                                   .params = params};
    assert_non_null(launch->kernel);
    assert_true(launch->kernel->param_bytes <= 256);
    for (uint32_t i = 0; i < launch->kernel->params; i++)
        memcpy(params + launch->kernel->param[i].offset, &arguments[i],
               launch->kernel->param[i].size);
    launch->launch.grid[0] = grid;
    launch->launch.block[0] = block;
    launch->launch.grid[1] = launch->launch.grid[2] = 1;
    launch->launch.block[1] = launch->launch.block[2] = 1;
    launch->launch.carveout = SIMSM_CARVEOUT_DEFAULT;
}

static inline enum simsm_status rig_run(struct rig *rig, const char *kernel, uint32_t grid,
                                        uint32_t block, uint32_t dynamic, const uint64_t *arguments)
{
    struct exec_launch launch;
    uint8_t params[256] = {0};
    rig_prepare(rig, &launch, params, kernel, grid, block, arguments);
    launch.launch.shared_dynamic = dynamic;
    rig->error.message[0] = '\0';
    return exec_run(&launch, &rig->counts, &rig->error);
}

/* Likewise, and it must succeed. */
static inline void rig_must(struct rig *rig, const char *kernel, uint32_t grid, uint32_t block,
                            const uint64_t *arguments)
{
    enum simsm_status status = rig_run(rig, kernel, grid, block, 0, arguments);
    if (status != SIMSM_OK)
        fail_msg("sm_%u: %s", rig->sm, rig->error.message);
}

#endif
