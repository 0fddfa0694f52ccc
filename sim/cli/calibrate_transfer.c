#include "cli/calibrate_transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/absolute.h"
#include "base/err.h"
#include "calibrate/transfer.h"
#include "cli/calibrate_files.h"
#include "cli/cli.h"
#include "config/config_files.h"

/* A configuration to read: its file, its name, and room for the words of the name. */
struct opened {
    char path[CONFIG_PATH], word[64];
    struct transfer_config with;
};

static enum simsm_status open_config(struct opened *opened, const char *name,
                                     struct simsm_error *error)
{
    struct config_origins *origins = malloc(sizeof *origins);
    if (!origins)
        return err_no_memory(error);
    calibrate_word(name, opened->word);
    opened->with.name = opened->word;
    opened->with.path = opened->path;
    enum simsm_status status = config_files_find(name, opened->path, error);
    if (status == SIMSM_OK)
        status = config_parse_file(opened->path, &opened->with.config, origins, error);
    if (status == SIMSM_OK)
        status = sources_read(origins, opened->with.source, error);
    free(origins);
    return status;
}

/* Returns SIMSM_BAD_INPUT unless the values of `from` are its GPU's, and another GPU's than the
 * target's. */
static enum simsm_status check_origin(const struct opened *from, const struct opened *target,
                                      struct simsm_error *error)
{
    const enum simsm_timing timing = from->with.config.gpu_timing;
    if (absolute_same_file(from->path, target->path))
        return err_at(error, SIMSM_BAD_INPUT, from->path, 0, 0,
                      "--from names the configuration that is to be changed; name one of another "
                      "GPU that was measured");
    if (timing == SIMSM_MEASURED_timing)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, from->path, 0, 0,
                  "--from takes values of a GPU that was measured, but gpu.timing of this "
                  "configuration is %s; name one whose gpu.timing is measured, such as h200",
                  schema_choice_name(SCHEMA_gpu_timing, timing));
}

/* Prints the values that change. */
static void show(const struct transfer *transfer, const struct opened *target)
{
    uint32_t same = 0;
    (void)printf("%-30s %10s %10s  %-12s %s\n", "key", "before", "after", "was", "by");
    for (uint32_t i = 0; i < transfer->rows; i++) {
        const struct transfer_row *row = &transfer->row[i];
        char path[SCHEMA_PATH];
        if (strcmp(row->before, row->after) == 0) {
            same++;
            continue;
        }
        (void)printf("%-30s %10s %10s  %-12s %s\n", schema_path(&schema_rows[row->key], path),
                     row->before, row->after, target->with.source[row->key].trust, row->comment);
    }
    (void)printf("values that change: %u, that stay: %u\n", transfer->rows - same, same);
}

static enum simsm_status write(const struct transfer *transfer, const char *path,
                               const char *output, struct simsm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum simsm_status status = transfer_write(transfer, path, &text, &size, error);
    return status == SIMSM_OK ? calibrate_write(path, output, text, size, error) : status;
}

int calibrate_transfer(const char *target, const char *from, bool all, bool dry, const char *output)
{
    struct opened *opened = calloc(2, sizeof *opened);
    struct transfer transfer = {.rows = 0};
    struct simsm_error error;
    if (!opened) {
        (void)err_no_memory(&error);
        return cli_fail(&error);
    }
    enum simsm_status status = open_config(&opened[0], target, &error);
    if (status == SIMSM_OK)
        status = open_config(&opened[1], from, &error);
    if (status == SIMSM_OK)
        status = check_origin(&opened[1], &opened[0], &error);
    if (status == SIMSM_OK)
        status = transfer_run(&transfer, &opened[1].with, &opened[0].with, all, &error);
    if (status == SIMSM_OK)
        show(&transfer, &opened[0]);
    if (status == SIMSM_OK && !dry)
        status = write(&transfer, opened[0].path, output, &error);
    transfer_free(&transfer);
    free(opened);
    return status == SIMSM_OK ? cli_finish(SIMSM_OK) : cli_fail(&error);
}
