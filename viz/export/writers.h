/* The formats. Private to this folder. */
#ifndef VIZ_EXPORT_WRITERS_H
#define VIZ_EXPORT_WRITERS_H

#include "export/exporter.h"
#include "track/track_walk.h"

/* SMs that a request is about: from sm[0] on, *count of them; *sm points into info or request. */
const uint32_t *export_sms(const struct export_request *request, uint32_t *count);

/* Where the recording of an SM ends, within what is asked for. */
uint64_t export_end(const struct export_request *request, uint32_t sm);

/* Perfetto keeps process 0 and thread 0 for the idle task: SMs and slots count from 1 there. */
static inline uint32_t export_pid(uint32_t sm)
{
    return sm + 1;
}

/* "sp0 w03", of sub-partition 0 the slot 3. */
const char *export_slot_name(const struct timeline_info *info, uint32_t slot, char text[32]);

/* Text of a static instruction; "?" if there is none. */
const char *export_line_text(const struct timeline_info *info, uint32_t pc);

/* Whether no warp is in a slot that is in this state. */
bool export_is_empty(const struct timeline_info *info, uint8_t state);

enum simsm_status perfetto_json(const struct export_request *request, FILE *file,
                                struct simsm_error *error);
enum simsm_status perfetto_proto(const struct export_request *request, FILE *file,
                                 struct simsm_error *error);
enum simsm_status kanata(const struct export_request *request, FILE *file,
                         struct simsm_error *error);

#endif
