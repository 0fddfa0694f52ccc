#include "base/infile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"

enum simsm_status infile_read(const char *path, const char *what, size_t limit, char **text,
                              size_t *size, struct simsm_error *error)
{
    FILE *file = NULL;
    char *data = NULL;
    enum simsm_status status = SIMSM_BAD_INPUT;
    struct stat info;
    if (stat(path, &info) != 0) {
        err_at(error, status, path, 0, 0, "cannot read this %s: %s", what, strerror(errno));
        goto out;
    }
    if (S_ISDIR(info.st_mode)) {
        err_at(error, status, path, 0, 0, "is a directory, not a %s", what);
        goto out;
    }
    file = fopen(path, "rb");
    if (!file) {
        err_at(error, status, path, 0, 0, "cannot read this %s: %s", what, strerror(errno));
        goto out;
    }
    size_t room = S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size : 65536;
    if (room > limit)
        room = limit;
    size_t length = 0;
    for (;;) { /* a pipe has no size: read up to one byte more than the limit */
        char *grown = realloc(data, room + 2);
        if (!grown) {
            status = err_no_memory(error);
            goto out;
        }
        data = grown;
        length += fread(data + length, 1, room + 1 - length, file);
        if (length <= room)
            break;
        if (room >= limit) {
            err_at(error, status, path, 0, 0, "is larger than %zu MiB, the limit for a %s",
                   limit >> 20, what);
            goto out;
        }
        room = room * 2 < limit ? room * 2 : limit;
    }
    if (ferror(file)) {
        err_at(error, status, path, 0, 0, "cannot read this %s: %s", what, strerror(errno));
        goto out;
    }
    data[length] = '\0';
    *text = data;
    *size = length;
    data = NULL;
    status = SIMSM_OK;
out:
    free(data);
    if (file)
        (void)fclose(file);
    return status;
}
