/* Timeline: why the SM does not issue, before a cell is selected. */
#include <stdlib.h>
#include <string.h>

#include "language/language.h"
#include "view/chart.h"
#include "view/states.h"
#include "view/timeline_parts.h"

enum { SHOWN = 4 /* states */, MOST_SEARCHED = 1 << 17 /* cycles */ };

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

/* Replaces *longest by the longest wait of a slot in view, if that is longer. */
static void lengthen(const struct view *view, const struct history *piece, uint32_t slot,
                     struct track_wait *longest)
{
    const struct history_slot *its = &piece->slot[slot];
    for (uint32_t i = 0; i < its->span_count; i++) {
        const struct timeline_span *span = &its->spans[i];
        const enum simsm_warp_state state = run_known_state(view->run, span->state);
        if (track_is_wait(state) && span->to - span->from > longest->to - longest->from &&
            (double)span->from < view->place.to && (double)span->to > view->place.from)
            *longest = (struct track_wait){
                .from = span->from, .to = span->to, .slot = slot, .pc = span->pc, .state = state};
    }
}

struct track_wait timeline_longest(const struct view *view, struct track *track)
{
    const struct view_place *place = &view->place;
    const double begin = (double)run_begin(view->run), end = (double)run_end(view->run);
    const double to = place->to < end ? place->to : end;
    struct simsm_error error;
    const struct history *piece = NULL;
    struct track_wait longest = {.from = 0};
    if (place->from <= begin && place->to >= end)
        return track_longest_wait(track);
    if (to - place->from > MOST_SEARCHED ||
        !track_whole(track, (uint64_t)place->from, (uint64_t)to))
        return longest;
    uint64_t at = (uint64_t)place->from;
    while ((double)at < to && track_piece(track, at, &piece, &error) == SIMSM_OK && piece) {
        for (uint32_t slot = 0; slot < run_info(view->run)->slots; slot++)
            lengthen(view, piece, slot, &longest);
        at = piece->end;
    }
    return longest;
}

static void write_longest(FILE *file, const struct view *view, struct track *track)
{
    const struct timeline_info *info = run_info(view->run);
    const struct track_wait wait = timeline_longest(view, track);
    const struct history *piece = NULL;
    struct simsm_error error;
    char cycles[32], from[32];
    if (wait.to <= wait.from)
        return;
    (void)fprintf(file, _("\nThe longest wait in view: %s cycles of %s from cycle %s, "),
                  chart_cycles(wait.to - wait.from, cycles),
                  translate(simsm_states[wait.state].title), chart_cycles(wait.from, from));
    if (track_piece(track, wait.from, &piece, &error) == SIMSM_OK && piece) {
        const struct timeline_warp *warp = history_warp_at(piece, wait.slot, wait.from);
        if (warp && warp->started)
            (void)fprintf(file, _("of warp %u of block %u, "), warp->warp, warp->block);
    }
    (void)fprintf(file, _("sub-partition %u slot %u"), wait.slot % info->sub_partitions,
                  wait.slot / info->sub_partitions);
    if (wait.pc < info->line_count)
        (void)fprintf(file, _(", before %.100s"), info->lines[wait.pc].text);
    (void)fputs(_(".\n"), file);
}

/* Writes the states of the warps of a sub-partition in a cycle, the most frequent first. */
static void write_waits(FILE *file, const struct view *view, const struct history *piece,
                        uint32_t sub, uint64_t cycle)
{
    const struct timeline_info *info = run_info(view->run);
    double warps[SIMSM_STATE_COUNT] = {0};
    uint32_t taken = 0;
    for (uint32_t slot = sub; slot < info->slots; slot += info->sub_partitions) {
        const struct timeline_span *span = history_span_at(piece, slot, cycle);
        if (span)
            warps[run_known_state(view->run, span->state)]++;
    }
    for (uint32_t s; (s = states_next(warps, taken)) < SIMSM_STATE_COUNT; taken |= 1u << s)
        (void)fprintf(file, _("%s%.0f x %s"), taken ? ", " : "", warps[s],
                      translate(simsm_states[s].title));
    (void)fputs(taken ? ".\n" : _("no warp is there.\n"), file);
}

/* Writes what each scheduler does in the selected cycle, if one is selected without a slot. */
static void write_cycle(FILE *file, const struct view *view, struct track *track)
{
    const struct timeline_info *info = run_info(view->run);
    const uint64_t cycle = view->place.cycle;
    const struct history *piece = NULL;
    struct simsm_error error;
    char text[32];
    if (!view->place.cursor || track_piece(track, cycle, &piece, &error) != SIMSM_OK || !piece ||
        cycle < piece->begin)
        return;
    (void)fprintf(file, _("In cycle %s\n"), chart_cycles(cycle, text));
    for (uint32_t sub = 0; sub < info->sub_partitions; sub++) {
        const struct timeline_issue *issue = history_issue_in(piece, sub, cycle);
        (void)fprintf(file,
                      issue ? _("- sub-partition %u issues %.60s (slot %u).\n")
                            : _("- sub-partition %u issues nothing: "),
                      sub, issue && issue->pc < info->line_count ? info->lines[issue->pc].text : "",
                      issue ? issue->slot / info->sub_partitions : 0);
        if (!issue)
            write_waits(file, view, piece, sub, cycle);
    }
    (void)fputc('\n', file);
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
        if (track_is_resident(s))
            all += states[s];
    write_cycle(file, view, track);
    (void)fprintf(file, _("In view, a scheduler of SM %u issues in %.1f %% of the cycles."),
                  place->sm, 100 * issues / (subs * (place->to - place->from)));
    (void)fprintf(file,
                  all > 0 ? _(" Its warps spend their cycles so:\n") : _(" It has no warp.\n"));
    uint32_t taken = 0;
    const uint32_t first = states_next(states, 1u << SIMSM_STATE_ISSUED);
    for (uint32_t s;
         __builtin_popcount(taken) < SHOWN && (s = states_next(states, taken)) < SIMSM_STATE_COUNT;
         taken |= 1u << s)
        (void)fprintf(file, _("\n%.1f %%  %s: %s.\n"), 100 * states[s] / all,
                      translate(simsm_states[s].title), translate(simsm_states[s].meaning));
    if (first < SIMSM_STATE_COUNT)
        write_line(file, view, track, first);
    write_longest(file, view, track);
    if (!view->still)
        (void)fputs(
            _("\nClick a cell to read what this warp waits for, the strip above the slots to read "
              "what every scheduler does in that cycle."),
            file);
    return fclose(file) == 0 ? text : NULL;
}
