/* Writes the text of a configuration with fitted values and their sources. */
#ifndef SIM_CALIBRATE_FIT_WRITE_H
#define SIM_CALIBRATE_FIT_WRITE_H

#include "calibrate/fit.h"

/*
 * Returns in *text, which the caller frees, the file `path` with the fitted values. Each fitted
 * line ends in `# [measured] calib/TABLE POINT: VALUE (LEAST to MOST), ORIGIN`; the part of the old
 * comment that concerns other keys follows. `origin` is a text such as "H200 2026-11-21". The same
 * fit gives the same text, also when applied to its own result.
 */
enum simsm_status fit_write(const struct fit *fit, const char *path, const char *origin,
                            char **text, size_t *size, struct simsm_error *error);

#endif
