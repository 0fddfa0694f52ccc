/* Whether the viewer is started for the first time. */
#ifndef VIZ_MAIN_VIZ_FIRST_H
#define VIZ_MAIN_VIZ_FIRST_H

#include <stdbool.h>

/*
 * Makes the file $XDG_STATE_HOME/simsm/tour, or ~/.local/state/simsm/tour. Returns false if the
 * file exists, or cannot be made: the tour is then not shown.
 */
bool first_start(void);

#endif
