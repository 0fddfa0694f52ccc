/* The file of a program, and the names of its launches' timelines. */
#include "track/program_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"

enum simsm_status program_file_open(struct program_file **opened, const char *path,
                                    struct simsm_error *error)
{
    struct program_file *program = calloc(1, sizeof *program);
    if (!program)
        return err_no_memory(error);
    program->name = strdup(path);
    const enum simsm_status status =
        program->name ? activity_read(&program->log, path, error) : err_no_memory(error);
    if (status == SIMSM_OK)
        *opened = program;
    else
        program_file_close(program);
    return status;
}

void program_file_close(struct program_file *program)
{
    if (!program)
        return;
    activity_free(&program->log);
    free(program->name);
    free(program);
}

const char *program_file_timeline(const struct program_file *program, uint64_t launch, char *path,
                                  size_t size)
{
    char all[OUTFILE_PATH];
    const char *slash = strrchr(program->name, '/');
    const char *dot = strrchr(slash ? slash + 1 : program->name, '.');
    const size_t stem = dot ? (size_t)(dot - program->name) : strlen(program->name);
    (void)snprintf(all, sizeof all, "%.*s.smtl", (int)stem, program->name);
    if (launch)
        outfile_numbered(path, size, all, launch);
    else
        (void)snprintf(path, size, "%s", all);
    return path;
}

bool program_file_has_timeline(const struct program_file *program, uint64_t launch)
{
    char path[OUTFILE_PATH];
    return launch && !program->log.by_device &&
           access(program_file_timeline(program, launch, path, sizeof path), R_OK) == 0;
}

uint32_t program_file_activity(const struct program_file *program, uint64_t launch)
{
    const struct activity_log *log = &program->log;
    for (uint32_t i = 0; launch && i < log->entries.count; i++)
        if (activities(log)[i].launch == launch)
            return i;
    return UINT32_MAX;
}

static enum simsm_status check_launch(const struct activity *entry, const struct run *run,
                                      struct simsm_error *error)
{
    const struct timeline_info *info = run_info(run);
    const struct simsm_launch *launch = &info->launch;
    if (activity_kernel_id(launch->name) != entry->kernel)
        return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                      "is not the timeline of launch %llu, kernel %s, but of a kernel %.200s",
                      (unsigned long long)entry->launch, entry->name, launch->name);
    if (memcmp(launch->grid, entry->grid, sizeof entry->grid) == 0 &&
        memcmp(launch->block, entry->block, sizeof entry->block) == 0)
        return SIMSM_OK;
    return err_at(error, SIMSM_BAD_INPUT, info->name, 0, 0,
                  "is not the timeline of launch %llu: expected grid %u x %u x %u, block %u x %u x "
                  "%u, found grid %u x %u x %u, block %u x %u x %u",
                  (unsigned long long)entry->launch, entry->grid[0], entry->grid[1], entry->grid[2],
                  entry->block[0], entry->block[1], entry->block[2], launch->grid[0],
                  launch->grid[1], launch->grid[2], launch->block[0], launch->block[1],
                  launch->block[2]);
}

enum simsm_status program_file_open_launch(const struct program_file *program, uint64_t launch,
                                           struct run **opened, struct simsm_error *error)
{
    char path[OUTFILE_PATH];
    struct run *run;
    const uint32_t activity = program_file_activity(program, launch);
    if (program->log.by_device)
        return err_set(error, SIMSM_BAD_INPUT,
                       "launches of a program whose kernels launch kernels have other numbers when "
                       "each is recorded alone: open a .smtl file by itself");
    if (activity == UINT32_MAX || !program_file_has_timeline(program, launch))
        return err_set(
            error, SIMSM_BAD_INPUT, "launch %llu has no timeline %s: record it with --timeline",
            (unsigned long long)launch, program_file_timeline(program, launch, path, sizeof path));
    enum simsm_status status =
        run_open(&run, program_file_timeline(program, launch, path, sizeof path), error);
    if (status != SIMSM_OK)
        return status;
    status = check_launch(&activities(&program->log)[activity], run, error);
    if (status == SIMSM_OK)
        *opened = run;
    else
        run_close(run);
    return status;
}
