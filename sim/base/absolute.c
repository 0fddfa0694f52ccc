#include "base/absolute.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* Inserts `folder` and a slash before `path`. Returns false if the result does not fit. */
static bool put_before(char *path, size_t size, const char *folder, size_t length)
{
    size_t rest = strlen(path);
    if (length + 1 + rest >= size)
        return false;
    memmove(path + length + 1, path, rest + 1);
    memcpy(path, folder, length);
    path[length] = '/';
    return true;
}

bool absolute_path(char *path, size_t size, const char *file)
{
    char work[PATH_ROOM];
    if (path[0] == '/')
        return true;
    while (strncmp(path, "./", 2) == 0)
        memmove(path, path + 2, strlen(path + 2) + 1);
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (slash && !put_before(path, size, file, (size_t)(slash - file)))
        return false;
    return path[0] == '/' || (getcwd(work, sizeof work) &&
                              put_before(path, size, work, strcmp(work, "/") ? strlen(work) : 0));
}

bool absolute_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}
