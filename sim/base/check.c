#include "base/check.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void check_failed(const char *file, int line, const char *function, const char *condition,
                  const char *format, ...)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&reported)) {
        /* Another thread is writing the report and ends the process. */
        for (;;)
            (void)pause();
    }
    const char *name = strrchr(file, '/');
    char found[256];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(found, sizeof found, format, list);
    va_end(list);
    (void)fprintf(
        stderr,
        "simsm: internal error in %s (%s:%d): %s: expected %s. This is a defect of simsm: "
        "please report it with the command and its input.\n",
        function, name ? name + 1 : file, line, found, condition);
    /* Handlers of exit() could use the state that is wrong. */
    _Exit(EXIT_FAILURE);
}
