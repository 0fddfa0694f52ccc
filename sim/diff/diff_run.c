/* Gathers the launches of a run by kernel, grid and block. */
#include "diff/diff_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static void free_kernel(struct diff_kernel *kernel)
{
    for (size_t i = 0; i < kernel->lines; i++) {
        free(kernel->line[i].text);
        free(kernel->line[i].file);
    }
    free(kernel->line);
    free(kernel->name);
}

void diff_run_free(struct diff_run *run)
{
    for (size_t i = 0; i < run->kernels; i++)
        free_kernel(&run->kernel[i]);
    free(run->kernel);
    free(run->gpu);
    free(run->settings);
    *run = (struct diff_run){0};
}

static struct diff_kernel *find(struct diff_run *run, const char *name, const uint32_t grid[3],
                                const uint32_t block[3], const struct speed_side *side)
{
    for (size_t i = 0; i < run->kernels; i++) {
        struct diff_kernel *kernel = &run->kernel[i];
        if (strcmp(kernel->name, name) == 0 &&
            memcmp(kernel->grid, grid, sizeof kernel->grid) == 0 &&
            memcmp(kernel->block, block, sizeof kernel->block) == 0 &&
            kernel->side.registers == side->registers &&
            kernel->side.shared_bytes == side->shared_bytes)
            return kernel;
    }
    return NULL;
}

struct diff_kernel *diff_run_add(struct diff_run *run, const char *name, const uint32_t grid[3],
                                 const uint32_t block[3], const struct speed_side *side)
{
    struct diff_kernel *kernel = find(run, name, grid, block, side);
    if (!kernel) {
        struct diff_kernel *grown = realloc(run->kernel, (run->kernels + 1) * sizeof *grown);
        if (!grown)
            return NULL;
        run->kernel = grown;
        kernel = &run->kernel[run->kernels];
        *kernel = (struct diff_kernel){.name = strdup(name)};
        if (!kernel->name)
            return NULL;
        memcpy(kernel->grid, grid, sizeof kernel->grid);
        memcpy(kernel->block, block, sizeof kernel->block);
        run->kernels++;
    }
    speed_side_merge(&kernel->side, side);
    return kernel;
}

enum simsm_status diff_run_note(struct diff_run *run, const char *path, const char *gpu,
                                const char *settings, struct simsm_error *error)
{
    if (run->gpu && strcmp(run->gpu, gpu) != 0)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      "is of another GPU (%s) than the launches before it (%s): name the files of "
                      "one run",
                      gpu, run->gpu);
    if (!run->gpu)
        run->gpu = strdup(gpu);
    if (!run->settings)
        run->settings = strdup(settings);
    return run->gpu && run->settings ? SIMSM_OK : err_no_memory(error);
}
