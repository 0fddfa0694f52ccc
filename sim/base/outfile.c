#include "base/outfile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

enum simsm_status outfile_open(struct outfile *out, const char *path, struct simsm_error *error)
{
    *out = (struct outfile){0};
    struct stat info;
    int known = stat(path, &info) == 0;
    if (known && S_ISDIR(info.st_mode))
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "is a directory; name a file to write");
    if (strlen(path) >= sizeof out->path)
        return err_set(error, SIMSM_BAD_INPUT,
                       "the name of an output file is longer than %zu bytes", sizeof out->path - 1);
    memcpy(out->path, path, strlen(path) + 1);
    if (known && !S_ISREG(info.st_mode))
        out->beside[0] = '\0'; /* a pipe or a device: there is nothing to rename */
    else /* points of a sweep may write the same file at a time: no two share a place in memory */
        (void)snprintf(out->beside, sizeof out->beside, "%s.%ld.%lx.part", path, (long)getpid(),
                       (unsigned long)(uintptr_t)out);
    out->file = fopen(out->beside[0] ? out->beside : path, "wb");
    if (!out->file)
        return err_at(error, SIMSM_BAD_INPUT, path, 0, 0, "cannot be written: %s", strerror(errno));
    return SIMSM_OK;
}

enum simsm_status outfile_commit(struct outfile *out, struct simsm_error *error)
{
    errno = 0;
    int bad = ferror(out->file) | fflush(out->file);
    int reason = errno;
    bad |= fclose(out->file);
    out->file = NULL;
    if (!bad && out->beside[0] && rename(out->beside, out->path) != 0) {
        bad = 1;
        reason = errno;
    }
    if (!bad)
        return SIMSM_OK;
    if (out->beside[0])
        (void)unlink(out->beside);
    return err_at(error, SIMSM_FAILED, out->path, 0, 0, "writing failed: %s",
                  reason ? strerror(reason) : "an earlier write did not succeed");
}

void outfile_abandon(struct outfile *out)
{
    if (!out->file)
        return;
    (void)fclose(out->file);
    out->file = NULL;
    if (out->beside[0])
        (void)unlink(out->beside);
}
