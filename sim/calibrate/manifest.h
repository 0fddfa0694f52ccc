/* The manifest beside recorded data: date, GPU, driver and command. */
#ifndef SIM_CALIBRATE_MANIFEST_H
#define SIM_CALIBRATE_MANIFEST_H

#include "calibrate/gpu_run.h"

/* Writes the file `path`: lines of the form "key: value". */
enum simsm_status manifest_write(const char *path, const struct gpu_about *about,
                                 const char *command, uint32_t repeat, struct simsm_error *error);

#endif
