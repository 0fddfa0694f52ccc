/*
 * Colours by meaning. The colours of states come from warp_states.def, all others from themes.def.
 */
#ifndef VIZ_CANVAS_THEME_H
#define VIZ_CANVAS_THEME_H

#include <stdint.h>

#include "canvas/canvas.h"
#include "simsm/names.h"

enum theme_id { THEME_DARK, THEME_LIGHT, THEME_CONTRAST, THEME_MONO, THEME_COUNT };

/*
 * How a state is drawn: a small cell has its colour only, a larger cell also a texture, the largest
 * also a letter.
 */
struct state_look {
    uint32_t colour;
    uint32_t ink; /* colour of texture and letter */
    enum canvas_hatch hatch;
    char letter;
};

struct theme {
    const char *name;
    uint32_t ground;    /* behind everything */
    uint32_t panel;     /* behind charts and side panels */
    uint32_t line;      /* grid lines, frames */
    uint32_t text;      /* normal text */
    uint32_t quiet;     /* secondary text: axes, help */
    uint32_t accent;    /* selection, cursor, current point */
    uint32_t warning;   /* exceeded limits, the tail */
    uint32_t issue;     /* issues and active lanes on a plain ground, not among states */
    uint32_t series[8]; /* curves, bars */
    struct state_look states[SIMSM_STATE_COUNT];
};

/* Returns a theme with the looks of all states. Static memory. */
const struct theme *theme_of(enum theme_id id);
/* Returns THEME_COUNT if there is no theme of that name. */
enum theme_id theme_find(const char *name);

/*
 * Families of states: no warp runs, it works, or it waits for memory, for others, or for room. The
 * states of a family have shades of one hue; some share a shade.
 */
enum state_family {
    FAMILY_EMPTY,
    FAMILY_WORKS,
    FAMILY_MEMORY,
    FAMILY_OTHERS,
    FAMILY_ROOM,
    FAMILY_COUNT
};
enum state_family state_family_of(enum simsm_warp_state state);

#endif
