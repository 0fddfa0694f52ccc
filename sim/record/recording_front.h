/* A recording as a front: one launch of it, its blocks read as they are asked for. */
#ifndef SIM_RECORD_RECORDING_FRONT_H
#define SIM_RECORD_RECORDING_FRONT_H

#include <stdio.h>

#include "front/front.h"

/*
 * Opens the recording `path`. The one parameter that it has is "launch=N": which of its kernel
 * launches, from 1; without it the recording has to have only one. `config` may be NULL; it says
 * how many named barriers a block has. On success *front must be closed with front_close.
 */
enum simsm_status recording_open(struct front **front, const char *path,
                                 const struct simsm_config *config, const char *const *params,
                                 struct simsm_error *error);

/* As recording_open, from a file that can seek and is the front's from now on, also on failure. */
enum simsm_status recording_open_file(struct front **front, FILE *input, const char *path,
                                      const struct simsm_config *config, const char *const *params,
                                      struct simsm_error *error);

/* Where the launch of a front comes from; false: the front is no recording. */
struct recording_about {
    uint32_t launch, launches; /* number of this one, and how many the file has */
    const char *program, *command, *source;
    uint64_t bytes; /* of the file */
};
bool recording_about(const struct front *front, struct recording_about *about);

/* Name and shape of launch `number` of a recording that is open as a front. */
enum simsm_status recording_launch(const struct front *front, uint32_t number,
                                   struct simsm_launch *launch, struct simsm_error *error);

#endif
