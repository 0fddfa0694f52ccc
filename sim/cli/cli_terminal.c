#include "cli/cli_terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

uint32_t terminal_width(uint32_t otherwise)
{
    struct winsize size = {0};
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    return otherwise;
}

bool terminal_colour(const char *when, bool *colour)
{
    const char *off = getenv("NO_COLOR"), *kind = getenv("TERM");
    *colour = false;
    if (!when || strcmp(when, "auto") == 0)
        *colour = isatty(STDOUT_FILENO) && !(off && off[0]) && kind && strcmp(kind, "dumb") != 0;
    else if (strcmp(when, "always") == 0)
        *colour = true;
    else
        return strcmp(when, "never") == 0;
    return true;
}
