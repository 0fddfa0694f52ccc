#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int cli_fail(const struct simsm_error *error)
{
    char text[2048];
    (void)fprintf(stderr, "simsm: %s\n", simsm_error_text(error, text, sizeof text));
    return (int)error->status;
}

int cli_finish(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    (void)fprintf(stderr, "simsm: writing to the standard output failed: %s\n",
                  errno ? strerror(errno) : "an earlier write did not succeed");
    return status == SIMSM_OK ? SIMSM_FAILED : status;
}
