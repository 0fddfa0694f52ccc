/* Legend of warp states, and areas of states over time. */
#include "view/states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "view/chart.h"

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

uint32_t states_next(const double cycles[SIMSM_STATE_COUNT], uint32_t taken)
{
    uint32_t most = SIMSM_STATE_COUNT;
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        if (track_is_resident(s) && !(taken >> s & 1) && cycles[s] > 0 &&
            (most == SIMSM_STATE_COUNT || cycles[s] > cycles[most]))
            most = s;
    return most;
}

static bool looks_equal(const struct state_look *a, const struct state_look *b)
{
    return a->letter == b->letter && a->colour == b->colour && a->hatch == b->hatch;
}

/* Adds the cycles of a run's shown SM to `cycles`, in per cent of its warp cycles. */
static void add_shares(const struct run *run, uint32_t sm, double percent[SIMSM_STATE_COUNT])
{
    const struct timeline_info *info = run_info(run);
    double cycles[SIMSM_STATE_COUNT] = {0};
    double all = 0;
    for (uint32_t i = 0; info->totals && i < info->sm_count; i++)
        for (uint32_t s = 0; info->sm[i] == sm && s < info->state_count; s++)
            cycles[run_known_state(run, (uint8_t)s)] += (double)info->totals[i].states[s];
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        if (track_is_resident(s))
            all += cycles[s];
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        if (all > 0 && track_is_resident(s))
            percent[s] = fmax(percent[s], 100 * cycles[s] / all);
}

/* Returns the entry of the states that look like `state`; a new one if there is none. */
static struct states_entry *entry_of(const struct theme *theme, struct states_entry *entries,
                                     uint32_t *count, uint32_t state)
{
    for (uint32_t i = 0; i < *count; i++)
        if (looks_equal(&theme->states[entries[i].state], &theme->states[state]))
            return &entries[i];
    entries[*count] = (struct states_entry){.state = state};
    return &entries[(*count)++];
}

/* Sorts by falling share, and keeps the order of equal shares. */
static int by_share(const void *one, const void *two)
{
    const struct states_entry *a = one, *b = two;
    return a->percent != b->percent ? (a->percent < b->percent) - (a->percent > b->percent)
                                    : (a->state > b->state) - (a->state < b->state);
}

enum { HALF_PERCENT = 1 }; /* in 1/2 per cent: rarer states are folded */

uint32_t states_entries(const struct view *view, uint32_t present,
                        struct states_entry entries[SIMSM_STATE_COUNT], uint32_t *folded)
{
    const struct theme *theme = view_theme(view);
    double percent[SIMSM_STATE_COUNT] = {0};
    const bool compared = view->other && view->place.screen == SCREEN_COMPARE;
    double all = 0;
    uint32_t count = 0, kept = 0;
    add_shares(view->run, view->place.sm, percent);
    if (compared)
        add_shares(view->other, view->place.sm, percent);
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++) {
        if (!(present >> s & 1))
            continue;
        struct states_entry *entry = entry_of(theme, entries, &count, s);
        const size_t used = strlen(entry->words);
        (void)snprintf(entry->words + used, sizeof entry->words - used, "%s%s", used ? " / " : "",
                       translate(simsm_states[s].title));
        entry->percent += percent[s];
        all += percent[s];
    }
    qsort(entries, count, sizeof *entries, by_share);
    *folded = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct states_entry *entry = &entries[i];
        const bool runs = track_is_resident(entry->state);
        if (runs && all > 0 && 2 * entry->percent < HALF_PERCENT) {
            ++*folded;
            continue;
        }
        const size_t used = strlen(entry->words);
        if (runs && all > 0 && !compared) /* the table of the screen has the shares of both */
            (void)snprintf(entry->words + used, sizeof entry->words - used, " %.*f %%",
                           entry->percent < 10, entry->percent);
        entries[kept++] = *entry;
    }
    return kept;
}

int states_legend(const struct view *view, struct canvas *canvas, struct rect rect,
                  uint32_t present, bool draw)
{
    const struct theme *theme = view_theme(view);
    struct states_entry states[SIMSM_STATE_COUNT];
    struct legend_entry entries[SIMSM_STATE_COUNT + 1];
    char more[48];
    uint32_t folded;
    const uint32_t count = states_entries(view, present, states, &folded);
    for (uint32_t i = 0; i < count; i++) {
        const struct state_look *look = &theme->states[states[i].state];
        entries[i] = (struct legend_entry){.colour = look->colour,
                                           .ink = look->ink,
                                           .hatch = look->hatch,
                                           .letter = look->letter,
                                           .text = states[i].words};
    }
    (void)snprintf(more, sizeof more, _("and %u below 0.5 %%"), folded);
    entries[count] = (struct legend_entry){.colour = theme->ground, .text = more};
    return chart_legend(canvas, theme, rect, entries, count + (folded > 0), draw);
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
