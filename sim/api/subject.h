/* What is simulated: a launch that a front produces, and what is known of it before the first
 * cycle. */
#ifndef SIM_API_SUBJECT_H
#define SIM_API_SUBJECT_H

#include "front/front.h"
#include "simsm/occupancy.h"
#include "simsm/stats.h"

struct subject {
    struct front *front; /* owned */
    struct simsm_occupancy occupancy;
    struct simsm_line_info *line_info; /* [front->code_size] owned */
};

/* Prepares the launch of subject->front to be timed, and fills the rest. After an error there is
 * subject_free to call, too. */
enum simsm_status subject_prepare(struct subject *subject, const struct simsm_config *config,
                                  struct simsm_error *error);
void subject_free(struct subject *subject);

#endif
