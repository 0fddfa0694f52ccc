#include "report/progress.h"

#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "base/terminal.h"

static const double first_after = 0.5, then_every = 0.2; /* seconds */

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void progress_begin(struct progress *progress, FILE *file)
{
    *progress = (struct progress){.terminal = file && isatty(fileno(file)) ? file : NULL};
    if (progress->terminal)
        progress->start = seconds();
}

bool progress_due(struct progress *progress, double *elapsed)
{
    if (!progress->terminal)
        return false;
    double now = seconds();
    *elapsed = now - progress->start;
    if (*elapsed < first_after || now - progress->last < then_every)
        return false;
    progress->last = now;
    return true;
}

void progress_show(struct progress *progress, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    /* A line that the terminal wraps could not be cleared. */
    const uint32_t columns = terminal_width(progress->terminal, sizeof line);
    if (length >= 0 && (uint32_t)length >= columns && columns)
        line[columns < sizeof line ? columns - 1 : sizeof line - 1] = '\0';
    (void)fprintf(progress->terminal, "\r\033[K%s", line);
    (void)fflush(progress->terminal);
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    if (!progress->shown)
        return;
    (void)fputs("\r\033[K", progress->terminal);
    (void)fflush(progress->terminal);
    progress->shown = false;
}
