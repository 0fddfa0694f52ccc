/* Legend of warp states, and areas of states over time. */
#include "view/states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool looks_equal(const struct state_look *a, const struct state_look *b)
{
    return a->letter == b->letter && a->colour == b->colour && a->hatch == b->hatch;
}

/* Writes the names of all states in `present` that look like `state`, the first of them. */
static void name_all(const struct theme *theme, uint32_t present, uint32_t state, char *names,
                     size_t size)
{
    (void)snprintf(names, size, "%s", simsm_states[state].title);
    for (uint32_t i = state + 1; i < SIMSM_STATE_COUNT; i++) {
        size_t used = strlen(names);
        if (present >> i & 1 && looks_equal(&theme->states[i], &theme->states[state]))
            (void)snprintf(names + used, size - used, " / %s", simsm_states[i].title);
    }
}

/*
 * Returns whether an earlier state in `present` looks the same: states that look the same share one
 * entry of the legend.
 */
static bool is_named_before(const struct theme *theme, uint32_t present, uint32_t state)
{
    for (uint32_t i = 0; i < state; i++)
        if (present >> i & 1 && looks_equal(&theme->states[i], &theme->states[state]))
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

/*
 * Writes the states from the top down: the waits with the last state first, then not selected, then
 * issued. Returns their number.
 */
static uint32_t stack_order(const struct view *view, uint8_t order[SIMSM_STATE_COUNT])
{
    uint32_t count = 0;
    for (uint32_t s = SIMSM_STATE_COUNT; s-- > 0;)
        if (is_shown(view, s) && s != SIMSM_STATE_ISSUED && s != SIMSM_STATE_NOT_SELECTED)
            order[count++] = (uint8_t)s;
    if (is_shown(view, SIMSM_STATE_NOT_SELECTED))
        order[count++] = SIMSM_STATE_NOT_SELECTED;
    if (is_shown(view, SIMSM_STATE_ISSUED))
        order[count++] = SIMSM_STATE_ISSUED;
    return count;
}

void states_columns(const struct view *view, struct canvas *canvas, struct rect area,
                    const double *sums, double whole)
{
    enum { BANDS = SIMSM_STATE_COUNT + 1 };
    const struct theme *theme = view_theme(view);
    uint8_t order[SIMSM_STATE_COUNT];
    uint32_t count = stack_order(view, order);
    size_t columns = (size_t)(area.w > 0 ? area.w : 0);
    struct canvas_band *bands = calloc(columns * BANDS + 1, sizeof *bands);
    for (size_t i = 0; bands && i < columns; i++) {
        const double *sum = sums + i * SIMSM_STATE_COUNT;
        struct canvas_band *column = bands + i * BANDS;
        double below = 0;
        int bottom = area.h;
        for (uint32_t k = count; k-- > 0;) {
            column[k + 1] = (struct canvas_band){bottom, theme->states[order[k]].colour};
            below += sum[order[k]] > 0 ? sum[order[k]] : 0;
            bottom = area.h - (int)lround(below / whole * area.h);
        }
        column[0] = (struct canvas_band){bottom, CANVAS_KEEP};
        for (uint32_t k = count + 1; k < BANDS; k++)
            column[k] = (struct canvas_band){area.h, CANVAS_KEEP};
    }
    if (bands)
        canvas_columns(canvas, area, bands, BANDS);
    free(bands);
}
