/* Opens any input file: the first bytes say which kind of front reads it. */
#include "input/front_open.h"

#include <stdio.h>
#include <sys/stat.h>

#include "accelsim/accelsim.h"
#include "exec/launch/launch_file.h"
#include "record/recording_front.h"
#include "record/recording_read.h"
#include "trace/trace.h"

enum { PROBE_BYTES = 64 };

/* The kinds of files that there are fronts for. The first whose probe knows a file opens it. */
struct input_kind {
    /* Whether a file that begins with these bytes is of this kind. */
    bool (*probe)(const uint8_t *bytes, size_t size);
    enum simsm_status (*open)(struct front **front, const char *path,
                              const struct simsm_config *config, const char *const *params,
                              struct simsm_error *error);
};

static bool accept_any(const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return true;
}

static const struct input_kind kinds[] = {
    {record_file_probe, recording_open},
    {launch_file_probe, launch_file_open},
    {accelsim_probe, accelsim_open},
    {accept_any, trace_open}, /* text, and what says best what is wrong with a file */
};

/* The first bytes of a file; none of what can be read only once, such as a pipe. */
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
    const struct input_kind *kind = kinds;
    while (!kind->probe(bytes, size))
        kind++;
    return kind->open(front, path, config, params, error);
}
