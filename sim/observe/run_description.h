/* The meta block of a timeline file: all that a reader needs to understand the other blocks. */
#ifndef SIM_OBSERVE_RUN_DESCRIPTION_H
#define SIM_OBSERVE_RUN_DESCRIPTION_H

#include "observe/timeline_write.h"
#include "timeline/smtl.h"

/* The recorded cycles and SMs. */
struct recorded_range {
    uint64_t from, to; /* to = UINT64_MAX: until the end */
    const uint32_t *sm;
    uint32_t sm_count, slots;
};

/* Appends the payload of the meta block. SIMSM_FAILED if memory runs out. */
enum simsm_status run_description_write(struct byte_buffer *payload,
                                        const struct simsm_config *config,
                                        const struct timeline_about *about,
                                        const struct recorded_range *recording,
                                        struct simsm_error *error);

#endif
