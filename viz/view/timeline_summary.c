/* Timeline: why the SM does not issue, before a cell is selected. */
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "view/timeline_parts.h"

enum { SHOWN = 4 /* states */ };

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
        (void)fprintf(file, "\n%.1f %%  %s: %s.\n", 100 * states[s] / all,
                      translate(simsm_states[s].title), translate(simsm_states[s].meaning));
    if (first < SIMSM_STATE_COUNT)
        write_line(file, view, track, first);
    if (!view->still)
        (void)fputs(_("\nClick a cell to read what this warp waits for."), file);
    return fclose(file) == 0 ? text : NULL;
}
