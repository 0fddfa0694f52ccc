/*
 * Exports of a timeline for other tools: Perfetto (as trace-event JSON and as protobuf) and Konata.
 * An export is written while the timeline is read, with one chunk in memory at a time.
 * docs/exports.md describes the files.
 */
#ifndef VIZ_EXPORT_EXPORTER_H
#define VIZ_EXPORT_EXPORTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "track/track.h"

enum export_kind { EXPORT_PERFETTO, EXPORT_PERFETTO_JSON, EXPORT_KANATA, EXPORT_COUNT };

/*
 * Default limit of trace-event JSON: its readers keep it whole in memory, about 100 bytes for each
 * event.
 */
#define EXPORT_JSON_EVENTS UINT64_C(2000000)

struct export_request {
    struct run *run;
    uint32_t sm;         /* UINT32_MAX: all SMs of `sms`; Kanata takes the first of them */
    const uint32_t *sms; /* [sm_count] ascending; NULL: all recorded SMs */
    uint32_t sm_count;
    uint64_t from, to;    /* cycles; cycles that are not recorded are left out */
    uint64_t most_events; /* JSON: more events are an error; 0: no limit */
    bool begin_end;       /* Perfetto: writes states as slices, for versions before 57 */
};

/*
 * Writes the export to `file`. SMs or cycles that are not recorded are errors. On failure the
 * caller discards the file.
 */
enum simsm_status export_write(enum export_kind kind, const struct export_request *request,
                               FILE *file, struct simsm_error *error);

#endif
