/* Where the tables of points are, and what was recorded of them. */
#ifndef SIM_CLI_CALIBRATE_FILES_H
#define SIM_CLI_CALIBRATE_FILES_H

#include <stdbool.h>

#include "simsm/error.h"

enum { CALIBRATE_PATH = 1024 };

#define CALIBRATE_TABLES "cuda/calib"

/* Writes "folder/name" into `path`. */
enum simsm_status calibrate_path(char path[CALIBRATE_PATH], const char *folder, const char *name,
                                 struct simsm_error *error);

/* Whether there is such a file. */
bool calibrate_exists(const char *path);

/*
 * The folder with what is known of the GPU of a configuration: `given` (NULL: none), or the last
 * one in cuda/data/CONFIG that has a calib.csv, or else that folder itself, if it has a
 * published.csv. Dates are names, so that the last is the newest.
 */
enum simsm_status calibrate_data(char folder[CALIBRATE_PATH], const char *given, const char *config,
                                 struct simsm_error *error);

#endif
