#include "front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "front/accelsim/accelsim.h"
#include "front/record/file.h"
#include "front/record/recording.h"
#include "front/sass/launch_file.h"
#include "front/trace/trace.h"

enum { PROBE_BYTES = 64 };

/* The kinds of files that there are fronts for. The first whose probe knows a file opens it. */
struct kind {
    /* Whether a file that begins with these bytes is of this kind. */
    bool (*probe)(const uint8_t *bytes, size_t size);
    enum simsm_status (*open)(struct front **front, const char *path,
                              const struct simsm_config *config, const char *const *params,
                              struct simsm_error *error);
};

static bool any(const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return true;
}

static const struct kind kinds[] = {
    {record_file_probe, recording_open},
    {launch_file_probe, launch_file_open},
    {accelsim_probe, accelsim_open},
    {any, trace_open}, /* text, and what says best what is wrong with a file */
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
    const struct kind *kind = kinds;
    while (!kind->probe(bytes, size))
        kind++;
    return kind->open(front, path, config, params, error);
}

void front_close(struct front *front)
{
    if (!front)
        return;
    free(front->warnings);
    front->ops->close(front);
}

void front_warp_end(const struct front *front, void *stream)
{
    if (front->ops->warp_end)
        front->ops->warp_end(front, stream);
}

enum simsm_status front_status(const struct front *front, struct simsm_error *error)
{
    return front->ops->status ? front->ops->status(front, error) : SIMSM_OK;
}

void front_stop_when(const struct front *front, int (*stop)(void))
{
    if (front->ops->stop_when)
        front->ops->stop_when(front, stop);
}

enum simsm_status front_keep_clocks(const struct front *front, struct simsm_error *error)
{
    return front->ops->keep_clocks ? front->ops->keep_clocks(front, error) : SIMSM_OK;
}

enum simsm_status front_timed(const struct front *front, char **note, struct simsm_error *error)
{
    *note = NULL;
    return front->ops->timed ? front->ops->timed(front, note, error) : SIMSM_OK;
}
