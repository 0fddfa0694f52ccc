#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

uint32_t terminal_width(FILE *file, uint32_t otherwise)
{
    struct winsize size = {0};
    const int number = fileno(file);
    if (number >= 0 && isatty(number) && ioctl(number, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    return otherwise;
}

bool terminal_colour(FILE *file, const char *when, bool *colour)
{
    const char *off = getenv("NO_COLOR"), *kind = getenv("TERM");
    const int number = fileno(file);
    *colour = false;
    if (!when || strcmp(when, "auto") == 0)
        *colour =
            number >= 0 && isatty(number) && !(off && off[0]) && kind && strcmp(kind, "dumb") != 0;
    else if (strcmp(when, "always") == 0)
        *colour = true;
    else
        return strcmp(when, "never") == 0;
    return true;
}
