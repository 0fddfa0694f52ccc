/* Paths of the tables of points, and of the values that were measured for the points. */
#ifndef SIM_CLI_CALIBRATE_FILES_H
#define SIM_CLI_CALIBRATE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

enum { CALIBRATE_PATH = 1024 };

#define CALIBRATE_TABLES "cuda/calib"

/* Writes "folder/name" into `path`; `folder` alone if `name` is "". Returns SIMSM_BAD_INPUT if the
 * path is longer than CALIBRATE_PATH. */
enum simsm_status calibrate_path(char path[CALIBRATE_PATH], const char *folder, const char *name,
                                 struct simsm_error *error);

/* Returns whether a file of this path exists. */
bool calibrate_exists(const char *path);

/* Writes the base name of a configuration without its extension: "h200" for "configs/h200.yaml". */
void calibrate_word(const char *config, char word[64]);

/*
 * Writes the folder with the measured or published values of a configuration's GPU into `folder`.
 * `given` is the folder that the user named; NULL: none. Without `given` the folder is the last
 * subfolder of cuda/data/CONFIG with a calib.csv. Subfolders are named by date, so the last is the
 * newest. If no subfolder has a calib.csv, the folder is cuda/data/CONFIG itself, provided that it
 * has a published.csv. Returns SIMSM_BAD_INPUT if no such folder exists.
 */
enum simsm_status calibrate_data(char folder[CALIBRATE_PATH], const char *given, const char *config,
                                 struct simsm_error *error);

/* Writes `text`, which was made of the configuration `path` and which it frees, into the file
 * `output` (NULL: into `path`), where it builds on the same base. */
enum simsm_status calibrate_write(const char *path, const char *output, char *text, size_t size,
                                  struct simsm_error *error);

#endif
