/* Recognizes when two file names of a command line mean the same file. */
#include "cli/cli_files.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/outfile.h"

/* Finds the folder and the name of a path that does not exist yet. Returns false if the folder does
 * not exist. */
static bool stat_folder(const char *path, struct stat *folder, const char **name)
{
    const char *slash = strrchr(path, '/');
    char text[PATH_MAX] = ".";
    *name = slash ? slash + 1 : path;
    size_t length = slash ? (size_t)(slash - path) : 1;
    if (length >= sizeof text)
        return false;
    if (slash) {
        memcpy(text, path, length);
        text[length] = '\0';
    }
    return stat(slash == path ? "/" : text, folder) == 0;
}

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    const char *one, *other;
    if (outfile_is_stdout(a) || outfile_is_stdout(b))
        return outfile_is_stdout(a) && outfile_is_stdout(b);
    bool known = stat(a, &first) == 0;
    if (known != (stat(b, &second) == 0))
        return false;
    if (known && !S_ISREG(first.st_mode)) /* several outputs may go to /dev/null or to a device */
        return false;
    if (!known && !(stat_folder(a, &first, &one) && stat_folder(b, &second, &other) &&
                    strcmp(one, other) == 0))
        return false;
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

enum simsm_status cli_files_check(const struct cli_file *files, size_t count,
                                  struct simsm_error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!files[i].path || !files[k].path || files[i].input ||
                !same_file(files[k].path, files[i].path))
                continue;
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s would overwrite %s: both are '%s'; choose another file",
                           files[i].what, files[k].what, files[i].path);
        }
    }
    return SIMSM_OK;
}

bool cli_files_take_stdout(const struct cli_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (files[i].path && !files[i].input && outfile_is_stdout(files[i].path))
            return true;
    }
    return false;
}
