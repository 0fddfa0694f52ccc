/* simsm and simsm-view start each other as companions. */
#ifndef SIM_BASE_COMPANION_H
#define SIM_BASE_COMPANION_H

#include <stdbool.h>
#include <sys/types.h>

#include "simsm/error.h"

enum { COMPANION_SILENT = -1 };

struct companion {
    pid_t process; /* 0: not running */
};

/*
 * Starts the program `name` with the arguments `words` (NULL-terminated). Looks for it in the
 * folder of this program, then in PATH. Its standard output is the file descriptor `output`, or
 * discarded if that is COMPANION_SILENT; its stderr is the file descriptor `errors`. Returns
 * SIMSM_FAILED if it cannot be started; *error then says where it was looked for.
 */
enum simsm_status companion_start(struct companion *companion, const char *name,
                                  const char *const words[], int output, int errors,
                                  struct simsm_error *error);

/*
 * Returns true if the companion has ended; *result is then its exit status, or 128 plus the number
 * of the signal that ended it. Waits for the end unless `now` is true.
 */
bool companion_ended(struct companion *companion, bool now, int *result);

/*
 * Waits for the end of the companion; *result is as in companion_ended(). `stop` is asked again and
 * again: when it returns a value other than 0, the companion is ended, and the function returns
 * SIMSM_INTERRUPTED.
 */
enum simsm_status companion_wait(struct companion *companion, int (*stop)(void), int *result);

/* Ends the companion if it is running. */
void companion_stop(struct companion *companion);

#endif
