#include "main/exports.h"

#include "base/err.h"
#include "base/outfile.h"
#include "observe/selection.h"

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

static enum simsm_status write_one(enum export_kind kind, const struct export_request *request,
                                   const char *path, struct simsm_error *error)
{
    struct outfile out;
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    status = export_write(kind, request, out.file, error);
    if (status == SIMSM_OK)
        return outfile_commit(&out, error);
    outfile_abandon(&out);
    return status;
}

enum simsm_status exports_write(const struct exports *exports, struct run *run,
                                struct simsm_error *error)
{
    struct export_request request = {.run = run,
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
            status = write_one((enum export_kind)i, &request, exports->path[i], error);
    return status;
}
