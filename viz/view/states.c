#include "view/states.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/chart.h"

enum { NAMES_ROOM = 96 };

uint32_t states_present(const struct view *view)
{
    const struct timeline_info *info = run_info(view->run);
    uint32_t present = 0;
    for (uint32_t i = 0; info->totals && i < info->sm_count; i++) {
        if (info->sm[i] != view->place.sm)
            continue;
        for (uint32_t s = 0; s < info->state_count; s++)
            if (info->totals[i].states[s])
                present |= 1u << run_known_state(view->run, (uint8_t)s);
    }
    return present ? present : (1u << SIMSM_STATE_COUNT) - 1;
}

static bool look_alike(const struct state_look *a, const struct state_look *b)
{
    return a->letter == b->letter && a->colour == b->colour && a->hatch == b->hatch;
}

/* The names of all states in `present` that look like `state`, which is the first of them. */
static void name_all(const struct theme *theme, uint32_t present, uint32_t state, char *names,
                     size_t size)
{
    (void)snprintf(names, size, "%s", simsm_states[state].title);
    for (uint32_t i = state + 1; i < SIMSM_STATE_COUNT; i++) {
        size_t used = strlen(names);
        if (present >> i & 1 && look_alike(&theme->states[i], &theme->states[state]))
            (void)snprintf(names + used, size - used, " / %s", simsm_states[i].title);
    }
}

/* States that cannot be told apart in the picture have one entry. */
static bool is_named_before(const struct theme *theme, uint32_t present, uint32_t state)
{
    for (uint32_t i = 0; i < state; i++)
        if (present >> i & 1 && look_alike(&theme->states[i], &theme->states[state]))
            return true;
    return false;
}

int states_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                  uint32_t present, bool draw)
{
    const struct theme *theme = view_theme(view);
    struct legend_entry entries[SIMSM_STATE_COUNT];
    char names[SIMSM_STATE_COUNT][NAMES_ROOM];
    size_t count = 0;
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT; i++) {
        const struct state_look *look = &theme->states[i];
        if (!(present >> i & 1) || is_named_before(theme, present, i))
            continue;
        name_all(theme, present, i, names[count], NAMES_ROOM);
        entries[count] = (struct legend_entry){.colour = look->colour,
                                               .ink = look->ink,
                                               .hatch = look->hatch,
                                               .letter = look->letter,
                                               .text = names[count]};
        count++;
    }
    return chart_legend(canvas, theme, rect, entries, count, draw);
}

static bool is_shown(const struct view *view, uint32_t state)
{
    return state != SIMSM_STATE_EMPTY && !(view->options.hidden_states >> state & 1);
}

void states_column(const struct view *view, struct canvas *canvas, struct rect column,
                   const double *sums, double whole)
{
    const struct theme *theme = view_theme(view);
    double below = 0;
    int foot = column.y + column.h;
    int bottom = foot;
    static const uint8_t first[] = {SIMSM_STATE_ISSUED, SIMSM_STATE_NOT_SELECTED};
    for (uint32_t i = 0; i < SIMSM_STATE_COUNT + 2; i++) {
        uint32_t state = i < 2 ? first[i] : i - 2;
        if (i >= 2 && (state == SIMSM_STATE_ISSUED || state == SIMSM_STATE_NOT_SELECTED))
            continue;
        if (!is_shown(view, state) || sums[state] <= 0)
            continue;
        below += sums[state];
        int top = foot - (int)lround(below / whole * column.h);
        canvas_fill(canvas, (struct rect){column.x, top, column.w, bottom - top},
                    theme->states[state].colour);
        bottom = top;
    }
}
