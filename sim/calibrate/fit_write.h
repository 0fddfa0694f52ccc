/* The text of a configuration with the values that a fit has found, and where they come from. */
#ifndef SIM_CALIBRATE_FIT_WRITE_H
#define SIM_CALIBRATE_FIT_WRITE_H

#include "calibrate/fit.h"

/*
 * Fills *text (to be freed) with the file `path`, changed. Each fitted line ends in
 * `# [measured] calib/TABLE POINT: VALUE (LEAST to MOST), ORIGIN`; what the line said of keys that
 * are not fitted stays behind it. `origin` is such as "H200 2026-11-21". The same fit gives the
 * same text, also of a text that was made by it.
 */
enum simsm_status fit_write(const struct fit *fit, const char *path, const char *origin,
                            char **text, size_t *size, struct simsm_error *error);

#endif
