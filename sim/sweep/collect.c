/*
 * Brings into the results what other machines have left. Files of points stay until nothing waits:
 * a task that is begun again knows by them what it has done.
 */
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

enum { TOGETHER = 256 }; /* points in one transaction */

struct place {
    const char *identity;
    uint32_t point; /* of the plan */
};

static int by_identity(const void *a, const void *b)
{
    return strcmp(((const struct place *)a)->identity, ((const struct place *)b)->identity);
}

/* The points that wait, in the order of identities; NULL: memory has run out. */
static struct place *waiting_points(const struct plan *plan, size_t *count)
{
    struct place *place = calloc(plan->points + 1, sizeof *place);
    *count = 0;
    for (uint32_t i = 0; place && i < plan->points; i++) {
        if (!plan->point[i].again && plan->point[i].state == STORE_WAITING)
            place[(*count)++] = (struct place){plan->point[i].identity, i};
    }
    if (place)
        qsort(place, *count, sizeof *place, by_identity);
    return place;
}

/* A damaged file is none: its point waits, and a task writes the file anew. */
static enum simsm_status take(struct sweep *sweep, uint32_t point, uint32_t *found,
                              struct simsm_error *error)
{
    struct simsm_error damaged;
    const char *identity = sweep->plan.point[point].identity;
    struct ended *ended = sweep_next_ended(sweep);
    if (!ended)
        return err_no_memory(error);
    ended->point = point;
    if (fragment_read(sweep->folder, identity, &ended->what, &damaged) != SIMSM_OK) {
        sweep->ended_count--;
        fragment_remove(sweep->folder, identity);
        return SIMSM_OK;
    }
    ++*found;
    return sweep->ended_count < TOGETHER ? SIMSM_OK : sweep_keep(sweep, error);
}

enum simsm_status collect(struct sweep *sweep, uint32_t *found, struct simsm_error *error)
{
    size_t count;
    *found = 0;
    DIR *folder = opendir(sweep->folder);
    if (!folder) /* nobody has left anything */
        return errno == ENOENT ? SIMSM_OK
                               : err_at(error, SIMSM_FAILED, sweep->folder, 0, 0,
                                        "cannot be read: %s", strerror(errno));
    struct place *place = waiting_points(&sweep->plan, &count);
    enum simsm_status status = place ? SIMSM_OK : err_no_memory(error);
    for (const struct dirent *entry; status == SIMSM_OK && (entry = readdir(folder));) {
        char identity[HASH_TEXT];
        const struct place wanted = {.identity = identity};
        if (!fragment_name(entry->d_name, identity))
            continue;
        const struct place *of = bsearch(&wanted, place, count, sizeof *place, by_identity);
        if (of)
            status = take(sweep, of->point, found, error);
    }
    (void)closedir(folder);
    free(place);
    return status == SIMSM_OK ? sweep_keep(sweep, error) : status;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), rest = strlen(end);
    return length > rest && strcmp(name + length - rest, end) == 0;
}

void collect_clean(const struct sweep *sweep)
{
    static const char *const ends[] = {".point", ".tasks", ".sh", ".job"};
    DIR *folder = opendir(sweep->folder);
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[OUTFILE_PATH];
        (void)snprintf(path, sizeof path, "%.3800s/%.255s", sweep->folder, entry->d_name);
        struct stat info;
        if (ends_with(entry->d_name, ".log") && stat(path, &info) == 0 && info.st_size == 0)
            (void)unlink(path);
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            if (ends_with(entry->d_name, ends[i]))
                (void)unlink(path);
        }
    }
    (void)closedir(folder);
    (void)rmdir(sweep->folder); /* stays if it has what Slurm's jobs have printed */
}
