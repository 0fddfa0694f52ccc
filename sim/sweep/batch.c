/* Writes and reads the files that list the points of tasks. */
#include "sweep/batch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/err.h"
#include "base/outfile.h"

enum { LINE = 160, MOST = 100000 };

static void path_of(const char *folder, uint32_t number, char path[OUTFILE_PATH])
{
    (void)snprintf(path, OUTFILE_PATH, "%.4000s/%u.tasks", folder, number);
}

bool batch_add(struct sweep_batch *batch, const struct batch_point *point)
{
    if ((batch->count & (batch->count - 1)) ==
        0) { /* full, because the capacity is a power of two */
        const size_t room = batch->count ? 2 * (size_t)batch->count : 1;
        struct batch_point *grown = realloc(batch->point, room * sizeof *grown);
        if (!grown)
            return false;
        batch->point = grown;
    }
    batch->point[batch->count++] = *point;
    return true;
}

enum simsm_status batch_write(struct sweep_batch *batch, const char *folder,
                              struct simsm_error *error)
{
    char path[OUTFILE_PATH];
    struct outfile out = {0};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return err_at(error, SIMSM_FAILED, folder, 0, 0, "cannot be created: %s", strerror(errno));
    do
        path_of(folder, ++batch->number, path);
    while (access(path, F_OK) == 0 && batch->number < MOST);
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    SIMSM_CHECK(batch->tasks > 0 && batch->tasks <= batch->count, "%u tasks for %u points",
                batch->tasks, batch->count);
    (void)fprintf(out.file, "simsm tasks %u\n", batch->tasks);
    for (uint32_t i = 0; i < batch->count; i++)
        (void)fprintf(out.file, "%u %s %" PRIu64 " %u\n", i % batch->tasks + 1,
                      batch->point[i].identity, batch->point[i].number, batch->point[i].launch);
    return outfile_commit(&out, error);
}

/* Reads the points of task `task`; 0: of all tasks. Returns false if a line is malformed or memory
 * runs out. */
static bool read_points(struct sweep_batch *batch, FILE *file, uint32_t task)
{
    char line[LINE];
    if (!fgets(line, sizeof line, file) || sscanf(line, "simsm tasks %u", &batch->tasks) != 1)
        return false;
    while (fgets(line, sizeof line, file)) {
        struct batch_point point;
        uint32_t of;
        if (sscanf(line, "%u %64[0-9a-f] %" SCNu64 " %u", &of, point.identity, &point.number,
                   &point.launch) != 4 ||
            ((of == task || !task) && !batch_add(batch, &point)))
            return false;
    }
    return !ferror(file);
}

enum simsm_status batch_read(struct sweep_batch *batch, const char *folder, const char *name,
                             struct simsm_error *error)
{
    char path[OUTFILE_PATH], rest;
    uint32_t task;
    if (sscanf(name, "%u.%u%c", &batch->number, &task, &rest) != 2 || !task)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--task '%s': expected the number of a batch and of a task, as in 1.3",
                       name);
    path_of(folder, batch->number, path);
    FILE *file = fopen(path, "r");
    if (!file)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be read: %s%s", strerror(errno),
                      errno == ENOENT ? "; the batch has ended" : "");
    const bool good = read_points(batch, file, task);
    (void)fclose(file);
    if (!good)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "is not a list of tasks, or is damaged");
    return batch->count ? SIMSM_OK
                        : err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                                 "has no task %u: the last task is %u", task, batch->tasks);
}

bool batch_read_all(struct sweep_batch *batch, const char *folder, uint32_t number)
{
    char path[OUTFILE_PATH];
    path_of(folder, number, path);
    FILE *file = fopen(path, "r");
    const bool good = file && read_points(batch, file, 0);
    if (file)
        (void)fclose(file);
    return good;
}

void batch_free(struct sweep_batch *batch)
{
    free(batch->point);
    *batch = (struct sweep_batch){0};
}
