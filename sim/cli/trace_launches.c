#include <stdio.h>
#include <sys/stat.h>

#include "cli/trace_show.h"
#include "front/record/file.h"

static enum simsm_status print_launches(struct record_file *file, struct simsm_error *error)
{
    (void)printf("%s: %u launches, chosen by --param launch=N\n\n", file->path, file->launches);
    (void)printf("%6s  %16s  %16s  kernel\n", "launch", "grid", "block");
    for (uint32_t i = 0; i < file->launches; i++) {
        struct launch_read read;
        enum simsm_status status = record_file_launch(file, i, &read, error);
        if (status != SIMSM_OK)
            return status;
        char grid[48], block[48];
        const struct simsm_launch *l = &read.launch;
        (void)snprintf(grid, sizeof grid, "%ux%ux%u", l->grid[0], l->grid[1], l->grid[2]);
        (void)snprintf(block, sizeof block, "%ux%ux%u", l->block[0], l->block[1], l->block[2]);
        (void)printf("%6u  %16s  %16s  %s\n", i, grid, block, l->name);
        launch_read_free(&read);
    }
    return SIMSM_OK;
}

enum simsm_status trace_launches(const char *path, bool *listed, struct simsm_error *error)
{
    uint8_t start[SMTR_MAGIC_BYTES];
    struct stat info;
    *listed = false;
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
