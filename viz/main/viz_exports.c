/* Exports for other tools, as the command line asks for them. */
#include "main/viz_exports.h"

#include <stdlib.h>

#include "base/err.h"
#include "main/viz_files.h"
#include "timeline/cycle_selection.h"

bool exports_any(const struct exports *exports)
{
    for (int i = 0; i < EXPORT_COUNT; i++)
        if (exports->path[i])
            return true;
    return false;
}

static enum simsm_status number(const char *option, const char *text, uint64_t *value,
                                struct simsm_error *error)
{
    if (text && selection_number(text, value, NULL) != SIMSM_OK)
        return err_set(error, SIMSM_BAD_INPUT, "%s '%s': expected a number", option, text);
    return SIMSM_OK;
}

/*
 * Returns whether all chunks of an SM in the requested cycles can be read. If not, *error says why.
 */
static bool is_whole(const struct export_request *request, uint32_t sm, struct simsm_error *error)
{
    struct timeline_reader *reader = run_reader(request->run);
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    uint32_t count;
    const struct timeline_chunk *chunk = timeline_read_chunks(reader, sm, &count);
    for (; count-- && status == SIMSM_OK; chunk++)
        if (chunk->end > request->from && chunk->begin < request->to)
            status = timeline_read_chunk(reader, chunk, &data, error);
    timeline_data_free(&data);
    return status == SIMSM_OK;
}

/*
 * Copies the SMs without damage to `sms` and returns their number. Reports the other SMs on stderr.
 */
static uint32_t select_whole_sms(const struct export_request *request, uint32_t *sms)
{
    struct simsm_error error;
    uint32_t left = 0;
    for (uint32_t i = 0; i < request->sm_count; i++) {
        if (is_whole(request, request->sms[i], &error))
            sms[left++] = request->sms[i];
        else
            (void)fprintf(stderr, "simsm-view: %s: left out: %s\n", run_info(request->run)->name,
                          error.message);
    }
    return left;
}

static enum simsm_status write_one(enum export_kind kind, const struct export_request *request,
                                   const char *path, struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = files_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    return files_finish(&out, export_write(kind, request, out.file, error), error);
}

/* Writes an export. If the file is damaged, writes it again with the undamaged SMs only. */
static enum simsm_status write_some(enum export_kind kind, struct export_request *request,
                                    const char *path, struct simsm_error *error)
{
    enum simsm_status status = write_one(kind, request, path, error);
    if (status != SIMSM_BAD_INPUT || request->sm != UINT32_MAX)
        return status;
    uint32_t *sms = calloc(request->sm_count + 1u, sizeof *sms);
    if (!sms)
        return err_no_memory(error);
    struct export_request rest = *request;
    rest.sms = sms;
    rest.sm_count = select_whole_sms(request, sms);
    if (rest.sm_count && rest.sm_count < request->sm_count)
        status = write_one(kind, &rest, path, error);
    free(sms);
    return status;
}

enum simsm_status exports_write(const struct exports *exports, struct run *run,
                                struct simsm_error *error)
{
    struct export_request request = {.run = run,
                                     .sms = run_info(run)->sm,
                                     .sm_count = run_info(run)->sm_count,
                                     .to = run_end(run),
                                     .most_events = EXPORT_JSON_EVENTS,
                                     .begin_end = exports->begin_end};
    uint64_t sm = UINT32_MAX;
    enum simsm_status status = number("--sm", exports->sm, &sm, error);
    if (status == SIMSM_OK)
        status = number("--max-events", exports->most_events, &request.most_events, error);
    if (status == SIMSM_OK && exports->sm && sm >= run_info(run)->sms)
        status = err_set(error, SIMSM_BAD_INPUT, "--sm '%s': expected a number from 0 to %u",
                         exports->sm, run_info(run)->sms - 1);
    if (status == SIMSM_OK && exports->cycles)
        status = selection_cycles(exports->cycles, &request.from, &request.to, error);
    request.sm = (uint32_t)sm;
    request.to = request.to ? request.to : run_end(run);
    for (int i = 0; i < EXPORT_COUNT && status == SIMSM_OK; i++)
        if (exports->path[i])
            status = write_some((enum export_kind)i, &request, exports->path[i], error);
    return status;
}
