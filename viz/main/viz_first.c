/* Whether the viewer is started for the first time. */
#include "main/viz_first.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool first_start(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char path[4096];
    int length = -1;
    if (state && state[0] == '/')
        length = snprintf(path, sizeof path, "%s/simsm/tour", state);
    else if (home && home[0] == '/')
        length = snprintf(path, sizeof path, "%s/.local/state/simsm/tour", home);
    if (length < 0 || (size_t)length >= sizeof path)
        return false;
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        (void)mkdir(path, 0700); /* fails where the folder exists; then fopen() decides */
        *at = '/';
    }
    FILE *file = fopen(path, "wx");
    return file && fclose(file) == 0;
}
