#include "cli/recording.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/signals.h"
#include "front/record/record.h"
#include "report/quantity.h"

struct progress {
    bool wanted, shown;
    uint64_t blocks, next; /* of the grid; instructions at which to show it again */
};

enum { SHOW_EVERY = 32 << 20 };

static enum simsm_status watch(void *context, uint64_t blocks, uint64_t instructions)
{
    struct progress *progress = context;
    if (signals_first())
        return SIMSM_INTERRUPTED;
    if (!progress->wanted || instructions < progress->next)
        return SIMSM_OK;
    progress->next = instructions + SHOW_EVERY;
    progress->shown = true;
    (void)fprintf(stderr, "\r\033[K%llu of %llu blocks, %s warp instructions",
                  (unsigned long long)blocks, (unsigned long long)progress->blocks,
                  quantity_count((double)instructions).text);
    (void)fflush(stderr);
    return SIMSM_OK;
}

static void print_result(const struct recording_request *request, const struct front *front,
                         const struct record_counts *counts)
{
    struct stat info;
    double bytes = stat(request->output, &info) == 0 ? (double)info.st_size : 0;
    (void)printf("%s: kernel %s, %s blocks, %s warp instructions in %s", request->output,
                 front->launch.name, quantity_count((double)counts->blocks).text,
                 quantity_count((double)counts->instructions).text, quantity_bytes(bytes).text);
    (void)printf(", %.2g bytes for each\n", bytes / (double)counts->instructions);
}

static enum simsm_status write_recording(const struct recording_request *request,
                                         const struct front *front, struct record_counts *counts,
                                         struct simsm_error *error)
{
    struct progress progress = {.wanted = !request->quiet && isatty(STDERR_FILENO),
                                .blocks = simsm_grid_blocks(&front->launch),
                                .next = SHOW_EVERY};
    const struct record_watch watched = {watch, &progress};
    struct recording_writer *writer;
    enum simsm_status status = recording_create(&writer, request->output, request->command, error);
    if (status != SIMSM_OK)
        return status;
    status = record_front(writer, front, &watched, counts, error);
    if (progress.shown)
        (void)fputs("\r\033[K", stderr);
    if (status == SIMSM_OK)
        return recording_finish(writer, error);
    recording_abandon(writer);
    return status;
}

enum simsm_status recording_make(const struct recording_request *request, struct simsm_error *error)
{
    const struct cli_file files[] = {{"the input", request->input, true},
                                     {"the recording", request->output, false}};
    struct front *front;
    struct record_counts counts = {0};
    enum simsm_status status = cli_files_check(files, 2, error);
    if (status != SIMSM_OK)
        return status;
    signals_listen();
    status = front_open(&front, request->input, request->config, request->params, error);
    if (status != SIMSM_OK)
        return status;
    status = write_recording(request, front, &counts, error);
    if (status == SIMSM_OK && !request->quiet)
        print_result(request, front, &counts);
    front_close(front);
    return status;
}
