/* Brings the results that tasks have left as files into the file of results. The files stay until
 * no point waits: a restarted task finds in them which points it has simulated. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "sweep/sweep_inner.h"

enum { TOGETHER = 256 }; /* points per transaction */

struct point_place {
    const char *identity;
    uint32_t point; /* index in the plan */
};

static int by_identity(const void *a, const void *b)
{
    return strcmp(((const struct point_place *)a)->identity,
                  ((const struct point_place *)b)->identity);
}

/* Returns the points of the plan, or only those that wait, sorted by identity. NULL if memory runs
 * out. The caller frees it. */
static struct point_place *points_of(const struct plan *plan, bool waiting, size_t *count)
{
    struct point_place *place = calloc(plan->points + 1, sizeof *place);
    *count = 0;
    for (uint32_t i = 0; place && i < plan->points; i++) {
        if (!plan->point[i].again && (!waiting || plan->point[i].state == STORE_WAITING))
            place[(*count)++] = (struct point_place){plan->point[i].identity, i};
    }
    if (place)
        qsort(place, *count, sizeof *place, by_identity);
    return place;
}

/* Takes the result of a point. A damaged file is removed: its point keeps waiting and a task writes
 * the file again. */
static enum simsm_status collect_point(struct sweep_state *sweep, uint32_t point, uint32_t *found,
                                       struct simsm_error *error)
{
    struct simsm_error damaged;
    const char *identity = sweep->plan.point[point].identity;
    struct ended_point *ended = sweep_add_ended(sweep);
    if (!ended)
        return err_no_memory(error);
    ended->point = point;
    if (fragment_read(sweep->folder, identity, &ended->what, &damaged) != SIMSM_OK) {
        sweep->ended_count--;
        fragment_remove(sweep->folder, identity);
        return SIMSM_OK;
    }
    ++*found;
    return sweep->ended_count < TOGETHER ? SIMSM_OK : sweep_write_ended(sweep, error);
}

enum simsm_status collect(struct sweep_state *sweep, uint32_t *found, struct simsm_error *error)
{
    size_t count;
    *found = 0;
    DIR *folder = opendir(sweep->folder);
    if (!folder) /* no task has written anything */
        return errno == ENOENT ? SIMSM_OK
                               : err_at(error, SIMSM_FAILED, sweep->folder, 0, 0,
                                        "cannot be read: %s", strerror(errno));
    struct point_place *place = points_of(&sweep->plan, true, &count);
    enum simsm_status status = place ? SIMSM_OK : err_no_memory(error);
    for (const struct dirent *entry; status == SIMSM_OK && (entry = readdir(folder));) {
        char identity[HASH_TEXT];
        const struct point_place wanted = {.identity = identity};
        if (!fragment_name(entry->d_name, identity))
            continue;
        const struct point_place *of = bsearch(&wanted, place, count, sizeof *place, by_identity);
        if (of)
            status = collect_point(sweep, of->point, found, error);
    }
    (void)closedir(folder);
    free(place);
    return status == SIMSM_OK ? sweep_write_ended(sweep, error) : status;
}

static bool is_own(const struct point_place *place, size_t count, const char *identity)
{
    const struct point_place wanted = {.identity = identity};
    return bsearch(&wanted, place, count, sizeof *place, by_identity) != NULL;
}

/* Removes the files of a batch, unless it has points of another sweep with the same results. */
static void clean_batch(const struct sweep_state *sweep, uint32_t number,
                        const struct point_place *place, size_t count)
{
    static const char *const ends[] = {"tasks", "sh", "job"};
    struct sweep_batch batch = {0};
    bool own = batch_read_all(&batch, sweep->folder, number);
    for (uint32_t i = 0; i < batch.count; i++)
        own = own && is_own(place, count, batch.point[i].identity);
    for (size_t i = 0; own && i < sizeof ends / sizeof ends[0]; i++) {
        char path[OUTFILE_PATH];
        (void)snprintf(path, sizeof path, "%.4000s/%u.%s", sweep->folder, number, ends[i]);
        (void)unlink(path);
    }
    batch_free(&batch);
}

static void clean_entry(const struct sweep_state *sweep, const char *name,
                        const struct point_place *place, size_t count)
{
    char identity[HASH_TEXT] = "", path[OUTFILE_PATH], rest;
    uint32_t number, task;
    struct stat info;
    (void)snprintf(path, sizeof path, "%.3800s/%.255s", sweep->folder, name);
    /* A task that was killed may have left an unfinished file with a longer name. */
    if (sscanf(name, "%64[0-9a-f].poin%c", identity, &rest) == 2 && is_own(place, count, identity))
        (void)unlink(path);
    else if (sscanf(name, "%u.task%c", &number, &rest) == 2)
        clean_batch(sweep, number, place, count);
    else if (sscanf(name, "%u.%u.lo%c", &number, &task, &rest) == 3 && stat(path, &info) == 0 &&
             info.st_size == 0)
        (void)unlink(path);
}

void collect_clean(const struct sweep_state *sweep)
{
    size_t count;
    DIR *folder = opendir(sweep->folder);
    struct point_place *place = folder ? points_of(&sweep->plan, false, &count) : NULL;
    for (const struct dirent *entry; place && (entry = readdir(folder));)
        clean_entry(sweep, entry->d_name, place, count);
    free(place);
    if (folder)
        (void)closedir(folder);
    (void)rmdir(sweep->folder); /* stays if it holds logs, or files of another sweep */
}
