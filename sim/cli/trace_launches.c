#include <stdio.h>
#include <sys/stat.h>

#include "cli/foreign.h"
#include "cli/trace_show.h"
#include "front/accelsim/accelsim.h"
#include "front/record/file.h"

static void print_head(const char *path, uint32_t launches)
{
    (void)printf("%s: %u launches, chosen by --param launch=N\n\n", path, launches);
    (void)printf("%6s  %16s  %16s  kernel\n", "launch", "grid", "block");
}

static void print_launch(void *context, uint32_t number, const struct simsm_launch *launch)
{
    (void)context;
    const uint32_t *g = launch->grid, *b = launch->block;
    char grid[48], block[48];
    (void)snprintf(grid, sizeof grid, "%ux%ux%u", g[0], g[1], g[2]);
    (void)snprintf(block, sizeof block, "%ux%ux%u", b[0], b[1], b[2]);
    (void)printf("%6u  %16s  %16s  %s\n", number, grid, block, launch->name);
}

static enum simsm_status print_launches(struct record_file *file, struct simsm_error *error)
{
    print_head(file->path, file->launches);
    for (uint32_t i = 0; i < file->launches; i++) {
        struct launch_read read;
        enum simsm_status status = record_file_launch(file, i, &read, error);
        if (status != SIMSM_OK)
            return status;
        print_launch(NULL, i, &read.launch);
        launch_read_free(&read);
    }
    return SIMSM_OK;
}

/* The kernels of a list that another tool has written. */
static enum simsm_status list_foreign(const char *path, bool *listed, struct simsm_error *error)
{
    uint32_t count = 0;
    enum simsm_status status = accelsim_launches(path, &count, NULL, NULL, error);
    *listed = status == SIMSM_OK && count > 1;
    if (!*listed)
        return status;
    print_head(path, count);
    return accelsim_launches(path, &count, print_launch, NULL, error);
}

enum simsm_status trace_launches(const char *path, bool *listed, struct simsm_error *error)
{
    uint8_t start[SMTR_MAGIC_BYTES];
    struct stat info;
    *listed = false;
    if (foreign_probe(path))
        return list_foreign(path, listed, error);
    FILE *stream = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (!stream)
        return SIMSM_OK; /* whoever opens it says why it cannot be read */
    if (!record_file_probe(start, fread(start, 1, sizeof start, stream))) {
        (void)fclose(stream);
        return SIMSM_OK;
    }
    struct record_file *file;
    enum simsm_status status = record_file_open(&file, stream, path, error);
    if (status != SIMSM_OK)
        return status;
    *listed = file->launches > 1;
    if (*listed)
        status = print_launches(file, error);
    record_file_close(file);
    return status;
}
