/* What stands beside recorded data: when, on which GPU, with which driver, by which command. */
#ifndef SIM_CALIBRATE_MANIFEST_H
#define SIM_CALIBRATE_MANIFEST_H

#include "calibrate/gpu_run.h"

/* Writes the file `path`, one "key: value" a line. */
enum simsm_status manifest_write(const char *path, const struct gpu_about *about,
                                 const char *command, uint32_t repeat, struct simsm_error *error);

#endif
