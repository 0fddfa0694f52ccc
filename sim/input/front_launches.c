/* Lists the kernel launches of a file. */
#include "input/front_launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "accelsim/accelsim.h"
#include "base/err.h"
#include "record/recording_read.h"

enum { PROBE_BYTES = 64 };

static enum simsm_status make_room(struct front_launches *launches, uint32_t count,
                                   struct simsm_error *error)
{
    launches->launch = calloc(count ? count : 1, sizeof *launches->launch);
    launches->count = launches->launch ? count : 0;
    return launches->launch ? SIMSM_OK : err_no_memory(error);
}

static void store_launch(void *context, uint32_t number, const struct simsm_launch *launch)
{
    struct front_launches *launches = context;
    if (number < launches->count) /* the list may have changed since */
        launches->launch[number] = *launch;
}

static enum simsm_status read_foreign(struct front_launches *launches, const char *path,
                                      struct simsm_error *error)
{
    uint32_t count;
    enum simsm_status status = accelsim_launches(path, &count, NULL, NULL, error);
    if (status == SIMSM_OK)
        status = make_room(launches, count, error);
    return status == SIMSM_OK ? accelsim_launches(path, &count, store_launch, launches, error)
                              : status;
}

static enum simsm_status read_recorded(struct front_launches *launches, FILE *input,
                                       const char *path, struct simsm_error *error)
{
    struct record_file *file;
    enum simsm_status status = record_file_open(&file, input, path, error);
    if (status != SIMSM_OK)
        return status;
    status = make_room(launches, file->launches, error);
    for (uint32_t i = 0; i < launches->count && status == SIMSM_OK; i++) {
        struct launch_read read;
        status = record_file_launch(file, i, &read, error);
        if (status != SIMSM_OK)
            break;
        launches->launch[i] = read.launch;
        launch_read_free(&read);
    }
    record_file_close(file);
    return status;
}

enum simsm_status front_launches_read(struct front_launches *launches, const char *path,
                                      struct simsm_error *error)
{
    uint8_t bytes[PROBE_BYTES];
    struct stat info;
    *launches = (struct front_launches){0};
    FILE *input = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (!input)
        return SIMSM_OK;
    const size_t size = fread(bytes, 1, sizeof bytes, input);
    enum simsm_status status = SIMSM_OK;
    if (record_file_probe(bytes, size)) {
        status = read_recorded(launches, input, path, error);
    } else {
        (void)fclose(input);
        if (accelsim_probe(bytes, size))
            status = read_foreign(launches, path, error);
    }
    if (status != SIMSM_OK)
        front_launches_free(launches);
    return status;
}

void front_launches_free(struct front_launches *launches)
{
    free(launches->launch);
    *launches = (struct front_launches){0};
}
