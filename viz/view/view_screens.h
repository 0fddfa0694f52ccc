/* Declares the functions of each screen in screens.def. */
#ifndef VIZ_VIEW_VIEW_SCREENS_H
#define VIZ_VIEW_VIEW_SCREENS_H

#include <stdio.h>

#include "view/view.h"

/* The functions are the fields `draw` and `csv` of struct screen. */
#define SCREEN(id, name, ...)                                                                      \
    void view_##name##_draw(struct view *view, struct canvas *canvas);                             \
    enum simsm_status view_##name##_csv(struct view *view, FILE *file, struct simsm_error *error);
#include "view/screens.def"
#undef SCREEN

#endif
