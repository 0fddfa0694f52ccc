/* Timeline: why the SM does not issue, before a cell is selected. */
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/timeline_parts.h"

enum { SHOWN = 4 /* states */, MOST_SEARCHED = 1 << 17 /* cycles */ };

/* Returns the state with most cycles that is not in `taken`; SIMSM_STATE_COUNT: none has any. */
static uint32_t next_state(const double states[SIMSM_STATE_COUNT], uint32_t taken)
{
    uint32_t most = SIMSM_STATE_COUNT;
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        if (state_family_of((enum simsm_warp_state)s) != FAMILY_EMPTY && !(taken >> s & 1) &&
            states[s] > 0 && (most == SIMSM_STATE_COUNT || states[s] > states[most]))
            most = s;
    return most;
}

/* Returns the instruction at which warps of the SM spend most cycles in a state; VIEW_NONE: none.
 */
static uint32_t hottest_line(const struct view *view, const struct track *track, uint32_t state)
{
    const struct track_line *lines = track_lines(track);
    uint32_t most = VIEW_NONE;
    for (uint32_t i = 0; i < run_info(view->run)->line_count; i++)
        if (lines[i].states[state] &&
            (most == VIEW_NONE || lines[i].states[state] > lines[most].states[state]))
            most = i;
    return most;
}

static void write_line(FILE *file, const struct view *view, const struct track *track,
                       uint32_t state)
{
    const uint32_t line = hottest_line(view, track, state);
    if (line == VIEW_NONE)
        return;
    const struct timeline_line *info = &run_info(view->run)->lines[line];
    (void)fprintf(file, _("\nMost of the state %s is at %.160s"),
                  translate(simsm_states[state].title), info->text);
    (void)fprintf(file, info->line ? _(" (line %u).\n") : _(" (at 0x%x).\n"),
                  info->line ? info->line : info->pc);
}

/* The longest time that a warp of the SM spends in one state in the cycles in view. */
struct longest_wait {
    uint64_t from, to;
    uint32_t slot, pc, block, warp;
    enum simsm_warp_state state;
};

static void lengthen(const struct view *view, const struct history *piece, uint32_t slot,
                     struct longest_wait *longest)
{
    const struct history_slot *its = &piece->slot[slot];
    for (uint32_t i = 0; i < its->span_count; i++) {
        const struct timeline_span *span = &its->spans[i];
        const enum simsm_warp_state state = run_known_state(view->run, span->state);
        const enum state_family family = state_family_of(state);
        if (family == FAMILY_EMPTY || family == FAMILY_WORKS ||
            span->to - span->from <= longest->to - longest->from ||
            (double)span->from >= view->place.to || (double)span->to <= view->place.from)
            continue;
        const struct timeline_warp *warp = history_warp_at(piece, slot, span->to - 1);
        *longest = (struct longest_wait){.from = span->from,
                                         .to = span->to,
                                         .slot = slot,
                                         .pc = span->pc,
                                         .block = warp ? warp->block : VIEW_NONE,
                                         .warp = warp ? warp->warp : 0,
                                         .state = state};
    }
}

/* Finds the longest wait. Returns false if there is none, or if too much is in view for a frame. */
static bool find_longest(const struct view *view, struct track *track, struct longest_wait *longest)
{
    const struct view_place *place = &view->place;
    const double to =
        place->to < (double)run_end(view->run) ? place->to : (double)run_end(view->run);
    struct simsm_error error;
    const struct history *piece = NULL;
    *longest = (struct longest_wait){.from = 0};
    if (to - place->from > MOST_SEARCHED ||
        !track_whole(track, (uint64_t)place->from, (uint64_t)to))
        return false;
    uint64_t at = (uint64_t)place->from;
    while ((double)at < to && track_piece(track, at, &piece, &error) == SIMSM_OK && piece) {
        for (uint32_t slot = 0; slot < run_info(view->run)->slots; slot++)
            lengthen(view, piece, slot, longest);
        at = piece->end;
    }
    return longest->to > longest->from;
}

static void write_longest(FILE *file, const struct view *view, struct track *track)
{
    const struct timeline_info *info = run_info(view->run);
    struct longest_wait wait;
    char cycles[32], from[32];
    if (!find_longest(view, track, &wait))
        return;
    (void)fprintf(file, _("\nThe longest wait in view: %s cycles of %s from cycle %s, "),
                  chart_cycles(wait.to - wait.from, cycles),
                  translate(simsm_states[wait.state].title), chart_cycles(wait.from, from));
    if (wait.block != VIEW_NONE)
        (void)fprintf(file, _("of warp %u of block %u, "), wait.warp, wait.block);
    (void)fprintf(file, _("sub-partition %u slot %u"), wait.slot % info->sub_partitions,
                  wait.slot / info->sub_partitions);
    if (wait.pc < info->line_count)
        (void)fprintf(file, _(", before %.100s"), info->lines[wait.pc].text);
    (void)fputs(_(".\n"), file);
}

char *timeline_summary(const struct view *view, struct track *track)
{
    double states[SIMSM_STATE_COUNT];
    double issues = 0, all = 0;
    struct simsm_error error;
    char *text = NULL;
    size_t size;
    const struct view_place *place = &view->place;
    const uint32_t subs = run_info(view->run)->sub_partitions;
    if (track_states(track, UINT32_MAX, place->from, place->to, states, &issues, 1, &error) !=
        SIMSM_OK)
        return strdup(error.message);
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        if (state_family_of((enum simsm_warp_state)s) != FAMILY_EMPTY)
            all += states[s];
    (void)fprintf(file, _("In view, a scheduler of SM %u issues in %.1f %% of the cycles."),
                  place->sm, 100 * issues / (subs * (place->to - place->from)));
    (void)fprintf(file,
                  all > 0 ? _(" Its warps spend their cycles so:\n") : _(" It has no warp.\n"));
    uint32_t taken = 0;
    const uint32_t first = next_state(states, 1u << SIMSM_STATE_ISSUED);
    for (uint32_t s;
         __builtin_popcount(taken) < SHOWN && (s = next_state(states, taken)) < SIMSM_STATE_COUNT;
         taken |= 1u << s)
        (void)fprintf(file, _("\n%.1f %%  %s: %s.\n"), 100 * states[s] / all,
                      translate(simsm_states[s].title), translate(simsm_states[s].meaning));
    if (first < SIMSM_STATE_COUNT)
        write_line(file, view, track, first);
    write_longest(file, view, track);
    if (!view->still)
        (void)fputs(_("\nClick a cell to read what this warp waits for."), file);
    return fclose(file) == 0 ? text : NULL;
}
