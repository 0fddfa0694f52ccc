/* Reads a list of kernels. */
#include "accelsim/accelsim_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "accelsim/lines.h"
#include "accelsim/scan.h"
#include "base/err.h"
#include "base/printable.h"

enum { MOST_KERNELS = 1 << 20, LONGEST_PATH = 4096 };

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* Returns folder + name + end, the name cut to `length`. Returns NULL if memory runs out. */
static char *join(const char *folder, size_t folder_length, const char *name, size_t length,
                  const char *end)
{
    size_t size = folder_length + length + strlen(end) + 1;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%.*s%.*s%s", (int)folder_length, folder, (int)length, name,
                       end);
    return path;
}

/*
 * Returns the path of trace `name` in the folder of the list. Traces are often compressed or
 * decompressed after the list was written: the path then has .xz added or removed.
 */
static char *path_beside(const char *list, const char *name, size_t length)
{
    const char *slash = strrchr(list, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - list) + 1 : 0;
    bool packed = length > 3 && strncmp(name + length - 3, ".xz", 3) == 0;
    char *path = join(list, folder, name, length, "");
    char *other = join(list, folder, name, packed ? length - 3 : length, packed ? "" : ".xz");
    if (path && other && !exists(path) && exists(other)) {
        free(path);
        return other;
    }
    free(other);
    return path; /* if neither file exists, messages show the name in the list */
}

static enum simsm_status add_kernel(struct kernel_list *list, const char *path, const char *name,
                                    size_t length, const struct accelsim_lines *lines,
                                    struct simsm_error *error)
{
    if (list->count == MOST_KERNELS || length > LONGEST_PATH)
        return lines_fail(lines, error,
                          "a list of more than %d kernels, or a name of more than "
                          "%d characters",
                          MOST_KERNELS, LONGEST_PATH);
    if ((list->count & (list->count - 1)) == 0) { /* full: grow to the next power of two */
        size_t room = list->count ? 2 * (size_t)list->count : 1;
        char **larger = realloc(list->path, room * sizeof(char *));
        if (!larger)
            return err_no_memory(error);
        list->path = larger;
    }
    char *file = path_beside(path, name, length);
    if (!file)
        return err_no_memory(error);
    list->path[list->count++] = file;
    return SIMSM_OK;
}

/* Reads "MemcpyHtoD,0x00007f2dcd000000,4096". */
static enum simsm_status add_copy(struct kernel_list *list, const char *at,
                                  const struct accelsim_lines *lines, struct simsm_error *error)
{
    uint64_t address, bytes;
    if (!scan_text(&at, "MemcpyHtoD,"))
        return SIMSM_OK; /* other copies are not counted */
    if (!scan_hex(&at, &address) || !scan_text(&at, ",") || !scan_decimal(&at, &bytes) ||
        !scan_end(at))
        return lines_fail(lines, error, "expected 'MemcpyHtoD,ADDRESS,BYTES'");
    list->copies++;
    list->copy_bytes += bytes;
    return SIMSM_OK;
}

static enum simsm_status take_line(struct kernel_list *list, const char *path, const char *line,
                                   const struct accelsim_lines *lines, struct simsm_error *error)
{
    const char *at = line, *word;
    size_t length;
    char found[64];
    if (strncmp(line, "Memcpy", 6) == 0)
        return add_copy(list, line, lines, error);
    if (!scan_word(&at, &word, &length))
        return SIMSM_OK;
    bool kernel = strstr(word, ".trace") != NULL;
    if (kernel && scan_end(at))
        return add_kernel(list, path, word, length, lines, error);
    return lines_fail(lines, error,
                      "expected the name of a trace (kernel-N.traceg) or 'MemcpyHtoD,...' in a "
                      "list of kernels, found '%s'",
                      printable(line, found, sizeof found));
}

enum simsm_status list_read(struct kernel_list *list, const char *path, struct simsm_error *error)
{
    struct accelsim_lines *lines = NULL;
    const char *line = "";
    size_t length;
    *list = (struct kernel_list){0};
    enum simsm_status status = lines_open(&lines, path, error);
    while (status == SIMSM_OK && line) {
        status = lines_next(lines, &line, &length, error);
        if (status == SIMSM_OK && line)
            status = take_line(list, path, line, lines, error);
    }
    if (status == SIMSM_OK && !list->count)
        status = err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "a list of kernels without a kernel");
    lines_close(lines);
    if (status != SIMSM_OK)
        list_free(list);
    return status;
}

enum simsm_status list_single(struct kernel_list *list, const char *path, struct simsm_error *error)
{
    char **paths = malloc(sizeof(char *));
    char *copy = strdup(path);
    if (!paths || !copy) {
        free(paths);
        free(copy);
        return err_no_memory(error);
    }
    paths[0] = copy;
    *list = (struct kernel_list){.path = paths, .count = 1};
    return SIMSM_OK;
}

void list_free(struct kernel_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->path[i]);
    free(list->path);
    *list = (struct kernel_list){0};
}
