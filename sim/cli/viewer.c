#include "cli/viewer.h"

#include <signal.h>
#include <unistd.h>

#include "base/companion.h"
#include "cli/cli.h"

int viewer_run(const char *const words[])
{
    struct companion viewer;
    struct simsm_error error;
    int result = SIMSM_FAILED;
    if (companion_start(&viewer, "simsm-view", words, false, STDERR_FILENO, &error) != SIMSM_OK)
        return cli_fail(&error);
    (void)signal(SIGINT, SIG_IGN); /* Ctrl+C in the terminal is for the viewer */
    (void)companion_ended(&viewer, false, &result);
    (void)signal(SIGINT, SIG_DFL);
    return result;
}
