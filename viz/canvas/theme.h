/* Colours by meaning. States come from the timeline file; the rest from themes.def. */
#ifndef VIZ_CANVAS_THEME_H
#define VIZ_CANVAS_THEME_H

#include <stdint.h>

#include "canvas/canvas.h"
#include "simsm/names.h"

enum theme_id { THEME_DARK, THEME_LIGHT, THEME_CONTRAST, THEME_MONO, THEME_COUNT };

/* How a state is drawn. Small picture: colour only; larger: texture; larger still: letter. */
struct state_look {
    uint32_t colour;
    uint32_t ink; /* of texture and letter on it */
    enum canvas_hatch hatch;
    char letter;
};

struct theme {
    const char *name;
    uint32_t ground;    /* behind everything */
    uint32_t panel;     /* behind charts and side panels */
    uint32_t line;      /* grid, frames */
    uint32_t text;      /* what is read */
    uint32_t quiet;     /* what is read if looked for: axes, help */
    uint32_t accent;    /* selection, cursor, current point */
    uint32_t warning;   /* limits passed, the tail */
    uint32_t issue;     /* issues and active lanes where they stand on a ground, not among states */
    uint32_t series[8]; /* curves, bars */
    struct state_look states[SIMSM_STATE_COUNT];
};

const struct theme *theme_of(enum theme_id id);
/* THEME_COUNT if there is none of that name. */
enum theme_id theme_find(const char *name);

/* States of one group may look alike; others may not. */
enum state_group {
    GROUP_EMPTY,
    GROUP_ISSUED,
    GROUP_READY,
    GROUP_MEMORY,
    GROUP_COMPUTE,
    GROUP_CONTROL,
    GROUP_COUNT
};
enum state_group state_group_of(enum simsm_warp_state state);

#endif
