/* The themes: colours and states from themes.def and state_looks.def. */
#include "canvas/theme.h"

#include <string.h>

static struct theme themes[THEME_COUNT] = {
#define SERIES(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define THEME(id, name_, ground_, panel_, line_, text_, quiet_, accent_, warning_, issue_, ...)    \
    [THEME_##id] = {.name = (name_),                                                               \
                    .ground = (ground_),                                                           \
                    .panel = (panel_),                                                             \
                    .line = (line_),                                                               \
                    .text = (text_),                                                               \
                    .quiet = (quiet_),                                                             \
                    .accent = (accent_),                                                           \
                    .warning = (warning_),                                                         \
                    .issue = (issue_),                                                             \
                    .series = __VA_ARGS__},
#include "canvas/themes.def"
#undef THEME
#undef SERIES
};

struct look {
    enum state_family family;
    enum canvas_hatch hatch;
    uint32_t grey;
};

static const struct look looks[SIMSM_STATE_COUNT] = {
#define LOOK(state, family_, hatch_, grey_)                                                        \
    [SIMSM_STATE_##state] = {.family = FAMILY_##family_, .hatch = HATCH_##hatch_, .grey = (grey_)},
#include "canvas/state_looks.def"
#undef LOOK
};

/* A state without a row in state_looks.def does not compile. */
enum {
#define LOOK(state, ...) LOOK_##state,
#include "canvas/state_looks.def"
#undef LOOK
};
#define STATE(id, ...)                                                                             \
    _Static_assert((int)LOOK_##id < SIMSM_STATE_COUNT, "row of state " #id " in state_looks.def");
#include "simsm/defs/warp_states.def"
#undef STATE

static uint32_t state_colour(enum theme_id id, uint32_t state)
{
    if (id == THEME_MONO)
        return looks[state].grey;
    if (state == SIMSM_STATE_EMPTY)
        return themes[id].panel;
    return id == THEME_LIGHT ? simsm_states[state].light : simsm_states[state].dark;
}

static void fill_states(enum theme_id id)
{
    struct theme *theme = &themes[id];
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
        uint32_t colour = state_colour(id, i);
        theme->states[i] = (struct state_look){
            .colour = colour,
            .ink = colour_on(colour),
            .hatch = looks[i].hatch,
            .letter = simsm_states[i].letter,
        };
    }
}

const struct theme *theme_of(enum theme_id id)
{
    static bool filled[THEME_COUNT];
    if (!filled[id])
        fill_states(id);
    filled[id] = true;
    return &themes[id];
}

enum theme_id theme_find(const char *name)
{
    uint32_t id = 0;
    while (id < THEME_COUNT && strcmp(themes[id].name, name) != 0)
        id++;
    return (enum theme_id)id;
}

enum state_family state_family_of(enum simsm_warp_state state)
{
    return looks[state].family;
}
