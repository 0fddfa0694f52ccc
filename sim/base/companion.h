/* Programs that belong together: simsm and simsm-view start each other. */
#ifndef SIM_BASE_COMPANION_H
#define SIM_BASE_COMPANION_H

#include <stdbool.h>
#include <sys/types.h>

#include "simsm/error.h"

struct companion {
    pid_t process; /* 0: none */
};

/*
 * Starts the program `name`, which is looked for beside this one, then in PATH, with `words` behind
 * its name (NULL ends them). What it prints goes where ours does, or with `silent` nowhere; its
 * errors go to the file descriptor `errors`. SIMSM_FAILED, with where it was looked for, if it
 * cannot be started.
 */
enum simsm_status companion_start(struct companion *companion, const char *name,
                                  const char *const words[], bool silent, int errors,
                                  struct simsm_error *error);

/*
 * True if it has ended: *result is its exit status then, or 128 and the signal's number. Waits for
 * that, or with `now` only looks.
 */
bool companion_ended(struct companion *companion, bool now, int *result);

/* Ends it, if it runs. */
void companion_stop(struct companion *companion);

#endif
