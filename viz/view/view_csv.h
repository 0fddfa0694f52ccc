/* Numbers behind the screens that show cells: exact, one line for each state or issue. */
#ifndef VIZ_VIEW_VIEW_CSV_H
#define VIZ_VIEW_VIEW_CSV_H

#include <stdio.h>

#include "view/view.h"

/* Every state of every slot of the SM in the cycles that are shown, with the instruction. */
enum simsm_status csv_timeline(struct view *view, FILE *file, struct simsm_error *error);

/* Every issue of the selected slot (the first one, if none is) in them, with its lanes. */
enum simsm_status csv_lanes(struct view *view, FILE *file, struct simsm_error *error);

#endif
