/* Reads the launches of a run from a file or a folder. */
#include "diff/diff_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "timeline/smtl.h"

enum { PATH_ROOM = 4096 };

bool diff_add_line(struct diff_kernel *kernel, size_t at, size_t count,
                   const struct diff_line *line)
{
    if (!kernel->line) {
        kernel->line = calloc(count + 1, sizeof *kernel->line);
        kernel->lines = kernel->line ? count : 0;
    }
    if (at >= kernel->lines)
        return kernel->line != NULL; /* other code under the same name */
    struct diff_line *to = &kernel->line[at];
    if (!to->text) {
        to->text = strdup(line->text);
        to->file = line->file ? strdup(line->file) : NULL;
        to->line = line->line;
        if (!to->text || (line->file && !to->file))
            return false;
    }
    to->issues += line->issues;
    to->cycles += line->cycles;
    for (unsigned s = 0; s < SIMSM_STATE_COUNT; s++)
        to->state[s] += line->state[s];
    return true;
}

static enum simsm_status read_file(struct diff_run *run, const char *path, const regex_t *only,
                                   struct simsm_error *error)
{
    char head[SMTL_MAGIC_BYTES] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be opened: %s", strerror(errno));
    const size_t size = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    if (size == sizeof head && memcmp(head, SMTL_MAGIC, sizeof head) == 0)
        return diff_read_timeline(run, path, only, error);
    return diff_read_json(run, path, only, error);
}

static int is_json(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && (strcmp(dot, ".json") == 0 || strcmp(dot, ".jsonl") == 0);
}

/* Orders run.2.json before run.10.json: numbers by value. */
static int by_version(const struct dirent **a, const struct dirent **b)
{
    const char *x = (*a)->d_name, *y = (*b)->d_name;
    while (*x && *y) {
        const size_t n = strspn(x, "0123456789"), m = strspn(y, "0123456789");
        if (n && m && (n != m || strncmp(x, y, n) != 0))
            return n != m ? (n > m) - (n < m) : strncmp(x, y, n);
        if (!n && !m && *x != *y)
            break;
        if (!n != !m)
            break;
        x += n ? n : 1;
        y += n ? n : 1;
    }
    return (unsigned char)*x - (unsigned char)*y;
}

static enum simsm_status read_folder(struct diff_run *run, const char *path, const regex_t *only,
                                     struct simsm_error *error)
{
    struct dirent **entry = NULL;
    const int count = scandir(path, &entry, is_json, by_version);
    enum simsm_status status = SIMSM_OK;
    if (count < 0)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be read: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        char name[PATH_ROOM];
        (void)snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
        if (status == SIMSM_OK)
            status = read_file(run, name, only, error);
        free(entry[i]);
    }
    free((void *)entry);
    return status;
}

enum simsm_status diff_run_read(struct diff_run *run, const char *path, const regex_t *only,
                                struct simsm_error *error)
{
    struct stat about;
    const bool known = stat(path, &about) == 0;
    const bool pipe = known && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
    enum simsm_status status = known && S_ISDIR(about.st_mode) ? read_folder(run, path, only, error)
                               : pipe ? diff_read_json(run, path, only, error)
                                      : read_file(run, path, only, error);
    if (status == SIMSM_OK && !run->kernels)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0,
                      only ? "has no kernel of this name" : "has no timed launch");
    run->total = (struct speed_side){0};
    for (size_t i = 0; i < run->kernels; i++)
        speed_side_merge(&run->total, &run->kernel[i].side);
    return status;
}
