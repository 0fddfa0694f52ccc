/* A recording as a front: one of its launches, whose blocks are read as they are requested. */
#ifndef SIM_RECORD_RECORDING_FRONT_H
#define SIM_RECORD_RECORDING_FRONT_H

#include <stdio.h>

#include "front/front.h"

/*
 * Opens the recording `path`. Its only parameter is "launch=N", the number of the kernel launch
 * from 1; without it the recording must have exactly one launch. `config` may be NULL; it gives the
 * number of named barriers of a block. On success *front must be closed with front_close().
 */
enum simsm_status recording_open(struct front **front, const char *path,
                                 const struct simsm_config *config, const char *const *params,
                                 struct simsm_error *error);

/* As recording_open(), from a file that can seek. The front owns `input`, also on failure. */
enum simsm_status recording_open_file(struct front **front, FILE *input, const char *path,
                                      const struct simsm_config *config, const char *const *params,
                                      struct simsm_error *error);

/*
 * Where the launch of a front comes from. recording_about() returns false if the front is not a
 * recording.
 */
struct recording_about {
    uint32_t launch, launches; /* index of this launch, from 0; launches of the file */
    const char *program, *command, *source;
    uint64_t bytes; /* size of the file */
};
bool recording_about(const struct front *front, struct recording_about *about);

/*
 * Fills *launch with the name and shape of launch `number` (from 0) of a recording that is open as
 * `front`.
 */
enum simsm_status recording_launch(const struct front *front, uint32_t number,
                                   struct simsm_launch *launch, struct simsm_error *error);

#endif
