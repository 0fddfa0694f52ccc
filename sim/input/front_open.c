/* Opens any input file: the first bytes of the file decide which front reads it. */
#include "input/front_open.h"

#include <stdio.h>
#include <sys/stat.h>

#include "input/input_kinds.h"

enum { PROBE_BYTES = 64 };

/* Reads the first bytes of a file. Returns 0 for a pipe, which can be read only once. */
static size_t first_bytes(const char *path, uint8_t *bytes, size_t size)
{
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    size_t length = file ? fread(bytes, 1, size, file) : 0;
    if (file)
        (void)fclose(file);
    return length;
}

enum simsm_status front_open(struct front **front, const char *path,
                             const struct simsm_config *config, const char *const *params,
                             struct simsm_error *error)
{
    uint8_t bytes[PROBE_BYTES];
    size_t size = first_bytes(path, bytes, sizeof bytes);
    const struct input_kind *kind = input_kinds;
    while (kind->probe && !kind->probe(bytes, size))
        kind++;
    return kind->open(front, path, config, params, error);
}
