#include "base/outfile.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

enum { UNFINISHED = 16, FREE = 0, CLAIMED = -1 };

/* The temporary files of this process. A signal handler may read the list at any time. A file that
 * found no room in the list is left behind if a signal ends the process. */
static struct {
    _Atomic pid_t
        process; /* the process that writes the file, as a forked process inherits the list */
    char path[sizeof(((struct outfile *)NULL)->beside)];
} unfinished[UNFINISHED];

static void begin_unfinished(const char *path)
{
    for (size_t i = 0; i < UNFINISHED; i++) {
        pid_t expected = FREE;
        if (!atomic_compare_exchange_strong(&unfinished[i].process, &expected, CLAIMED))
            continue;
        (void)snprintf(unfinished[i].path, sizeof unfinished[i].path, "%s", path);
        atomic_store(&unfinished[i].process, getpid());
        return;
    }
}

static void end_unfinished(const char *path)
{
    const pid_t process = getpid();
    for (size_t i = 0; i < UNFINISHED; i++) {
        if (atomic_load(&unfinished[i].process) == process && strcmp(unfinished[i].path, path) == 0)
            atomic_store(&unfinished[i].process, FREE);
    }
}

void outfile_remove_unfinished(void)
{
    const pid_t process = getpid();
    for (size_t i = 0; i < UNFINISHED; i++) {
        if (atomic_load(&unfinished[i].process) == process)
            (void)unlink(unfinished[i].path);
    }
}

bool outfile_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Checks the path without opening it. *special: the path is a pipe or a device. */
static enum simsm_status check_name(const char *path, bool *special, struct simsm_error *error)
{
    struct stat info;
    const bool known = stat(path, &info) == 0;
    *special = known && !S_ISREG(info.st_mode);
    if (!*path)
        return err_set(error, SIMSM_BAD_INPUT, "the name of an output file is empty");
    if (known && S_ISDIR(info.st_mode))
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "is a directory; name a file to write");
    if (strlen(path) >= OUTFILE_PATH)
        return err_set(error, SIMSM_BAD_INPUT, "the name of an output file is longer than %d bytes",
                       OUTFILE_PATH - 1);
    return SIMSM_OK;
}

static enum simsm_status not_writable(const char *path, struct simsm_error *error)
{
    return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be written: %s", strerror(errno));
}

enum simsm_status outfile_check(const char *path, struct simsm_error *error)
{
    bool special;
    enum simsm_status status = check_name(path, &special, error);
    if (status != SIMSM_OK || outfile_is_stdout(path))
        return status;
    char folder[OUTFILE_PATH + 2];
    const char *slash = strrchr(path, '/');
    (void)snprintf(folder, sizeof folder, "%.*s.", slash ? (int)(slash - path + 1) : 0, path);
    if (access(special ? path : folder, special ? W_OK : W_OK | X_OK) != 0)
        return not_writable(path, error);
    return SIMSM_OK;
}

enum simsm_status outfile_open(struct outfile *out, const char *path, struct simsm_error *error)
{
    *out = (struct outfile){0};
    bool special;
    enum simsm_status status = check_name(path, &special, error);
    if (status != SIMSM_OK)
        return status;
    memcpy(out->path, path, strlen(path) + 1);
    if (outfile_is_stdout(path)) {
        out->file = stdout;
        return SIMSM_OK;
    }
    if (special)
        out->beside[0] = '\0'; /* a pipe or a device is not renamed */
    else /* the address of *out tells apart points of a sweep that write the same file at a time */
        (void)snprintf(out->beside, sizeof out->beside, "%s.%ld.%lx.part", path, (long)getpid(),
                       (unsigned long)(uintptr_t)out);
    out->file = fopen(out->beside[0] ? out->beside : path, "wb");
    if (!out->file)
        return not_writable(path, error);
    if (out->beside[0])
        begin_unfinished(out->beside);
    return SIMSM_OK;
}

/* Returns the errno of an earlier write that failed, by writing again: the cause is usually still
 * there. */
static int reason_again(FILE *file)
{
    clearerr(file);
    errno = 0;
    (void)fputc('\n', file);
    (void)fflush(file);
    return errno;
}

enum simsm_status outfile_commit(struct outfile *out, struct simsm_error *error)
{
    if (out->file == stdout) {
        out->file = NULL;
        return SIMSM_OK;
    }
    errno = 0;
    int bad = ferror(out->file) | fflush(out->file);
    int reason = bad && !errno ? reason_again(out->file) : errno;
    bad |= fclose(out->file);
    out->file = NULL;
    if (!bad && out->beside[0] && rename(out->beside, out->path) != 0) {
        bad = 1;
        reason = errno;
    }
    end_unfinished(out->beside);
    if (!bad)
        return SIMSM_OK;
    if (out->beside[0])
        (void)unlink(out->beside);
    return err_at(error, SIMSM_FAILED, out->path, 0, 0, "writing failed: %s",
                  reason ? strerror(reason) : "an earlier write did not succeed");
}

void outfile_abandon(struct outfile *out)
{
    if (out->file && out->file != stdout)
        (void)fclose(out->file);
    if (out->file && out->beside[0]) {
        (void)unlink(out->beside);
        end_unfinished(out->beside);
    }
    out->file = NULL;
}

void outfile_numbered(char *name, size_t size, const char *path, uint64_t number)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash + 1 : path, '.');
    const int stem = (int)(dot ? (size_t)(dot - path) : strlen(path));
    (void)snprintf(name, size, "%.*s.%llu%s", stem, path, (unsigned long long)number,
                   dot ? dot : "");
}
