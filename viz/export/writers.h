/* The writers of the export formats, and what they share. Private to this folder. */
#ifndef VIZ_EXPORT_WRITERS_H
#define VIZ_EXPORT_WRITERS_H

#include "export/exporter.h"
#include "track/track_walk.h"

/* Returns the SMs of a request, *count of them. The list belongs to the timeline or the request. */
const uint32_t *export_sms(const struct export_request *request, uint32_t *count);

/* Returns the end of an SM's recording, at most request->to. */
uint64_t export_end(const struct export_request *request, uint32_t sm);

/*
 * Returns the process number of an SM. Perfetto uses process 0 and thread 0 for the idle task, so
 * SMs and slots count from 1.
 */
static inline uint32_t export_pid(uint32_t sm)
{
    return sm + 1;
}

/* Returns the name of a slot: "sp0 w03" is slot 3 of sub-partition 0. `text` is memory for it. */
const char *export_slot_name(const struct timeline_info *info, uint32_t slot, char text[32]);

/* Returns the text of a static instruction; "?" if there is none. */
const char *export_line_text(const struct timeline_info *info, uint32_t pc);

/* Returns whether a slot in this state holds no warp. */
bool export_is_empty(const struct timeline_info *info, uint8_t state);

/*
 * Each writer writes the whole export. Running out of memory, damaged chunks and too many events
 * are errors.
 */
enum simsm_status perfetto_json(const struct export_request *request, FILE *file,
                                struct simsm_error *error);
enum simsm_status perfetto_proto(const struct export_request *request, FILE *file,
                                 struct simsm_error *error);
enum simsm_status kanata(const struct export_request *request, FILE *file,
                         struct simsm_error *error);

#endif
