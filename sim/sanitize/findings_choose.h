/* Which findings are wanted: the options --tool and --suppressions of `simsm check`. */
#ifndef SIM_SANITIZE_FINDINGS_CHOOSE_H
#define SIM_SANITIZE_FINDINGS_CHOOSE_H

#include "sanitize/findings.h"
#include "simsm/error.h"

/* Reads names of tools and kinds, separated by commas, into *kinds (bit k: kind k). Returns
 * SIMSM_BAD_INPUT for a name that there is not. */
enum simsm_status findings_read_tools(const char *text, uint64_t *kinds, struct simsm_error *error);

/* Adds the lines of a file of suppressions; `path` NULL: there is none. Returns SIMSM_BAD_INPUT for
 * a file that cannot be read, or for a wrong line. */
enum simsm_status findings_read_suppressions(const char *path, struct findings *findings,
                                             struct simsm_error *error);

/* Returns SIMSM_BAD_INPUT for values of --tool, --as and --suppressions that cannot be used; NULL:
 * the option is not given. */
enum simsm_status findings_check_options(const char *tools, const char *as, const char *path,
                                         struct simsm_error *error);

#endif
