/* Output files that are either whole or absent: written beside, then renamed. "-" is the standard
 * output. */
#ifndef SIM_BASE_OUTFILE_H
#define SIM_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "simsm/error.h"

enum { OUTFILE_PATH = 4096 };

struct outfile {
    FILE *file; /* write here */
    char path[OUTFILE_PATH], beside[OUTFILE_PATH + 48];
};

/* Refuses a path that outfile_open could not open, as far as one can see without doing it. */
enum simsm_status outfile_check(const char *path, struct simsm_error *error);

/* Whether a path means the standard output. */
bool outfile_is_stdout(const char *path);

/* Opens a file beside `path` for writing. A path that is no regular file is written directly. */
enum simsm_status outfile_open(struct outfile *out, const char *path, struct simsm_error *error);

/* Flushes, closes and renames; on any failure, earlier write errors included, nothing is left. The
 * standard output stays open: its errors are for whoever ends the program. */
enum simsm_status outfile_commit(struct outfile *out, struct simsm_error *error);

/* Closes and removes; does nothing if it is not open. */
void outfile_abandon(struct outfile *out);

/*
 * Removes the unfinished files of this process that lie beside their paths, for a process that is
 * about to end without closing them. May be called from a signal handler.
 */
void outfile_remove_unfinished(void);

#endif
