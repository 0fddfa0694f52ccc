/* Output files that are either complete or absent: written under another name in the same folder,
 * then renamed. "-" is the standard output. */
#ifndef SIM_BASE_OUTFILE_H
#define SIM_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "simsm/error.h"

enum { OUTFILE_PATH = 4096 };

struct outfile {
    FILE *file; /* for the caller to write to */
    char path[OUTFILE_PATH], beside[OUTFILE_PATH + 48];
};

/* Returns SIMSM_BAD_INPUT if outfile_open would fail, as far as that can be seen without opening.
 */
enum simsm_status outfile_check(const char *path, struct simsm_error *error);

/* Returns true if `path` means the standard output. */
bool outfile_is_stdout(const char *path);

/* Opens a temporary file in the folder of `path` for writing. If `path` is a pipe or a device,
 * opens it directly. */
enum simsm_status outfile_open(struct outfile *out, const char *path, struct simsm_error *error);

/* Flushes, closes and renames the file. After a failure, also of an earlier write, no file is left.
 * The standard output stays open; the end of the program reports its errors. */
enum simsm_status outfile_commit(struct outfile *out, struct simsm_error *error);

/* Closes and removes the temporary file. Does nothing if no file is open. */
void outfile_abandon(struct outfile *out);

/* Writes the name of one of several files: "dir/run.json" and 3 give "dir/run.3.json". */
void outfile_numbered(char *name, size_t size, const char *path, uint64_t number);

/*
 * Removes the temporary files of this process, for a process that is about to end without closing
 * them. May be called from a signal handler.
 */
void outfile_remove_unfinished(void);

#endif
