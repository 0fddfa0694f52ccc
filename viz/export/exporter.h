/*
 * A timeline for other tools: Perfetto (as trace-event JSON and as protobuf) and Konata. Everything
 * is written as it is read, a chunk in memory at a time. docs/exports.md says what is in the files.
 */
#ifndef VIZ_EXPORT_EXPORTER_H
#define VIZ_EXPORT_EXPORTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "track/track.h"

enum export_kind { EXPORT_PERFETTO, EXPORT_PERFETTO_JSON, EXPORT_KANATA, EXPORT_COUNT };

/* Trace-event JSON is kept whole in memory by what reads it, some 100 bytes for each event. */
#define EXPORT_JSON_EVENTS UINT64_C(2000000)

struct export_request {
    struct run *run;
    uint32_t sm;         /* UINT32_MAX: all of these, of Kanata the first: */
    const uint32_t *sms; /* [sm_count] ascending; NULL: all that are recorded */
    uint32_t sm_count;
    uint64_t from, to;    /* cycles; what is not recorded of them is left out */
    uint64_t most_events; /* JSON: more are an error; 0: no limit */
    bool begin_end;       /* Perfetto: states as slices, for versions before 57 */
};

/* Writes the export; the caller discards the file on failure. */
enum simsm_status export_write(enum export_kind kind, const struct export_request *request,
                               FILE *file, struct simsm_error *error);

#endif
