/* Checks a request for an export and calls the writer of its format; helpers for all writers. */
#include "export/exporter.h"

#include "base/err.h"
#include "export/writers.h"

const uint32_t *export_sms(const struct export_request *request, uint32_t *count)
{
    *count = request->sm == UINT32_MAX ? request->sm_count : 1;
    return request->sm == UINT32_MAX ? request->sms : &request->sm;
}

uint64_t export_end(const struct export_request *request, uint32_t sm)
{
    uint32_t count;
    const struct timeline_chunk *chunks =
        timeline_read_chunks(run_reader(request->run), sm, &count);
    uint64_t end = count ? chunks[count - 1].end : 0;
    return end < request->to ? end : request->to;
}

const char *export_slot_name(const struct timeline_info *info, uint32_t slot, char text[32])
{
    (void)snprintf(text, 32, "sp%u w%02u", slot % info->sub_partitions,
                   slot / info->sub_partitions);
    return text;
}

const char *export_line_text(const struct timeline_info *info, uint32_t pc)
{
    return pc < info->line_count ? info->lines[pc].text : "?";
}

bool export_is_empty(const struct timeline_info *info, uint8_t state)
{
    return info->states[state].known == SIMSM_STATE_EMPTY;
}

static enum simsm_status check(const struct export_request *request, struct simsm_error *error)
{
    const struct timeline_info *info = run_info(request->run);
    uint32_t count = 0;
    uint32_t recorded = 0;
    if (!info->sm_count || (request->sm == UINT32_MAX && !request->sm_count))
        return err_set(error, SIMSM_BAD_INPUT, "%s: no SM is recorded: nothing can be exported",
                       info->name);
    if (request->sm != UINT32_MAX) {
        while (recorded < info->sm_count && info->sm[recorded] != request->sm)
            recorded++;
        (void)timeline_read_chunks(run_reader(request->run), request->sm, &count);
        if (recorded == info->sm_count || !count)
            return err_set(error, SIMSM_BAD_INPUT,
                           "%s: SM %u is not recorded; record it with simsm --timeline-sm %u",
                           info->name, request->sm, request->sm);
    }
    if (request->from >= request->to || request->from >= run_end(request->run) ||
        request->to <= run_begin(request->run))
        return err_set(error, SIMSM_BAD_INPUT,
                       "%s: nothing is recorded in cycles %llu:%llu; cycles %llu:%llu are recorded",
                       info->name, (unsigned long long)request->from,
                       (unsigned long long)request->to, (unsigned long long)run_begin(request->run),
                       (unsigned long long)run_end(request->run));
    return SIMSM_OK;
}

enum simsm_status export_write(enum export_kind kind, const struct export_request *request,
                               FILE *file, struct simsm_error *error)
{
    typedef enum simsm_status writer(const struct export_request *request, FILE *file,
                                     struct simsm_error *error);
    static writer *const writers[EXPORT_COUNT] = {[EXPORT_PERFETTO] = perfetto_proto,
                                                  [EXPORT_PERFETTO_JSON] = perfetto_json,
                                                  [EXPORT_KANATA] = kanata};
    struct export_request asked = *request;
    if (!asked.sms) {
        asked.sms = run_info(asked.run)->sm;
        asked.sm_count = run_info(asked.run)->sm_count;
    }
    enum simsm_status status = check(&asked, error);
    if (status != SIMSM_OK)
        return status;
    asked.from = asked.from > run_begin(asked.run) ? asked.from : run_begin(asked.run);
    asked.to = asked.to < run_end(asked.run) ? asked.to : run_end(asked.run);
    return writers[kind](&asked, file, error);
}
