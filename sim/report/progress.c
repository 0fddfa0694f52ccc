#include "report/progress.h"

#include <stdarg.h>
#include <time.h>
#include <unistd.h>

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
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("\r\033[K", progress->terminal);
    (void)vfprintf(progress->terminal, format, arguments);
    (void)fflush(progress->terminal);
    va_end(arguments);
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
