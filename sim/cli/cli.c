/* Messages and exit statuses of all commands. */
#include "cli/cli.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "cli/signals.h"

int cli_fail(const struct simsm_error *error)
{
    char text[2048];
    (void)simsm_error_text(error, text, sizeof text);
    (void)fprintf(stderr, "simsm: %s\n", printable(text, text, sizeof text));
    return (int)error->status;
}

int cli_fail_stopped(const struct simsm_error *error)
{
    const char *where = error ? error->message : "";
    (void)fprintf(stderr, "simsm: stopped by %s%s%s\n", signals_name(), *where ? ": " : "", where);
    return 128 + signals_first();
}

/*
 * The errno of the first failed flush of stdout: a later flush may find nothing left to write. 0:
 * no failure; -1: the failure was reported. All commands share it with argp, which prints --help
 * and ends the program itself.
 */
static int stdout_error;

void cli_flush(void)
{
    errno = 0;
    if (fflush(stdout) != 0 && !stdout_error)
        stdout_error = errno;
}

/* Returns whether the reader of stdout has closed the pipe, as `| head` does. A closed pipe is no
 * error: the reader has read all that it needs. */
static bool reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return stdout_error == EPIPE || (poll(&output, 1, 0) == 1 && output.revents & POLLERR);
}

int cli_finish(int status)
{
    cli_flush();
    if (stdout_error < 0 || (!stdout_error && !ferror(stdout)) || reader_is_gone())
        return status;
    (void)fprintf(stderr, "simsm: writing to the standard output failed: %s\n",
                  stdout_error ? strerror(stdout_error) : "an earlier write did not succeed");
    stdout_error = -1;
    return status == SIMSM_OK ? SIMSM_FAILED : status;
}

static void check_at_exit(void)
{
    if (stdout_error >= 0 && cli_finish(SIMSM_OK) != SIMSM_OK)
        _exit(SIMSM_FAILED);
}

void cli_begin(void)
{
    static char buffer[1 << 20]; /* most outputs fit, so that one write reports any error */
    if (!isatty(STDOUT_FILENO))
        (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    (void)atexit(check_at_exit);
}
