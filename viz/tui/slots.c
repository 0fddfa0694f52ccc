/* Draws a warp slot as columns of a line: from the pyramid or from the exact history. */
#include "tui/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct state_look *look_of(const struct view *view, uint8_t state)
{
    bool hidden = view->options.hidden_states >> state & 1;
    return &view_theme(view)->states[hidden ? SIMSM_STATE_EMPTY : state];
}

static bool coarse_columns(struct view *view, struct track *track, uint32_t slot,
                           const struct time_scale *time, struct slot_column *columns)
{
    struct track_cell *cells = calloc((size_t)time->w + 1, sizeof *cells);
    struct simsm_error error = {.message = "out of memory"};
    bool ok = cells && track_cells(track, slot, time->first_column, time->width_q16, cells,
                                   (uint32_t)time->w, &error) == SIMSM_OK;
    for (int i = 0; ok && i < time->w; i++) {
        uint8_t state = cells[i].state_share ? cells[i].state : SIMSM_STATE_EMPTY;
        columns[i] =
            (struct slot_column){look_of(view, state)->letter, state, cells[i].issue_share, false};
    }
    if (!ok)
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
    free(cells);
    return ok;
}

static int column_of(const struct time_scale *time, uint64_t cycle)
{
    double x = floor(time_x(time, (double)cycle)) - time->x;
    return x < 0 ? 0 : x > time->w ? time->w : (int)x;
}

/* Writes the operation behind the letter of an issue, as far as the cycle has room. */
static void write_operation(const struct view *view, uint32_t pc, struct slot_column *columns,
                            int count)
{
    const struct timeline_info *info = run_info(view->run);
    const char *text = pc < info->line_count ? view_operation(info->lines[pc].text) : "";
    int length = (int)strcspn(text, " ;");
    for (int i = 0; i < length && i + 1 < count; i++)
        columns[i + 1].sign = text[i] >= ' ' && text[i] < 127 ? text[i] : '?';
}

/* Fills the columns of a span. The first column of each cycle has the letter. */
static void exact_span(const struct view *view, const struct timeline_span *span,
                       const struct time_scale *time, struct slot_column *columns)
{
    uint8_t state = (uint8_t)run_known_state(view->run, span->state);
    bool issued = state == SIMSM_STATE_ISSUED;
    uint64_t first = span->from > (uint64_t)time->from ? span->from : (uint64_t)time->from;
    int begin = column_of(time, first);
    int end = column_of(time, span->to);
    for (int i = begin; i < end; i++)
        columns[i] = (struct slot_column){' ', state, issued ? 255 : 0, false};
    for (uint64_t cycle = first; cycle < span->to && column_of(time, cycle) < end; cycle++)
        columns[column_of(time, cycle)].sign = look_of(view, state)->letter;
    if (issued && begin < end)
        write_operation(view, span->pc, columns + begin, end - begin);
}

static bool exact_columns(struct view *view, struct track *track, uint32_t slot,
                          const struct time_scale *time, struct slot_column *columns)
{
    const struct history *history = NULL;
    struct simsm_error error;
    uint64_t from = (uint64_t)(time->from > 0 ? time->from : 0);
    uint64_t to = (uint64_t)ceil(time_cycle(time, time->x + time->w));
    for (int i = 0; i < time->w; i++)
        columns[i] = (struct slot_column){'.', SIMSM_STATE_EMPTY, 0, false};
    if (track_history(track, from, to, &history, &error) != SIMSM_OK) {
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
        return false;
    }
    for (uint32_t i = 0; history && i < history->slot[slot].span_count; i++) {
        const struct timeline_span *span = &history->slot[slot].spans[i];
        if (span->to > from && span->from < to)
            exact_span(view, span, time, columns);
    }
    return true;
}

static void mark_glow(const struct view *view, const struct history *history, uint32_t slot,
                      const struct time_scale *time, struct slot_column *columns)
{
    const struct history_slot *row = &history->slot[slot];
    double end = time_cycle(time, time->x + time->w);
    for (uint32_t i = 0; i < row->span_count && (double)row->spans[i].from < end; i++) {
        const struct timeline_span *span = &row->spans[i];
        enum simsm_warp_state state = run_known_state(view->run, span->state);
        if (span->pc != view->place.line || (double)span->to <= time->from ||
            !track_is_resident(state))
            continue;
        int x = column_of(time, span->from);
        int last = column_of(time, span->to - 1);
        for (; x <= last && x < time->w; x++)
            columns[x].glows = true;
    }
}

bool slot_columns(struct view *view, struct track *track, uint32_t slot,
                  const struct time_scale *time, const struct history *history,
                  struct slot_column *columns)
{
    bool ok = time->width_q16 ? coarse_columns(view, track, slot, time, columns)
                              : exact_columns(view, track, slot, time, columns);
    if (ok && history && view->place.line != VIEW_NONE)
        mark_glow(view, history, slot, time, columns);
    return ok;
}

/* Returns the colour, faded if an instruction is selected and this column does not belong to it. */
static uint32_t faded(const struct view *view, const struct slot_column *column, uint32_t colour)
{
    bool fades = view->place.line != VIEW_NONE && !column->glows;
    return fades ? colour_mix(colour, view_theme(view)->ground, 70) : colour;
}

void slot_draw(struct grid *grid, const struct view *view, int x, int y,
               const struct slot_column *columns, int count)
{
    for (int i = 0; i < count; i++) {
        const struct slot_column *column = &columns[i];
        const struct state_look *look = look_of(view, column->state);
        bool empty = look == look_of(view, SIMSM_STATE_EMPTY);
        uint32_t ink = empty ? view_theme(view)->line : look->ink;
        struct rect cell = {x + i, y, 1, 1};
        grid_put(grid, cell.x, y, (uint32_t)column->sign, faded(view, column, ink),
                 faded(view, column, look->colour));
        if (column->issue && column->state != SIMSM_STATE_ISSUED)
            grid_style(grid, cell, GRID_UNDERLINE);
        if (column->glows)
            grid_style(grid, cell, grid->colour ? GRID_BOLD : GRID_REVERSE);
    }
}

/*
 * Returns the colour of a half cell. An issue among longer waits brightens it, because it has no
 * room for a mark.
 */
static uint32_t half_colour(const struct view *view, const struct slot_column *column)
{
    uint32_t colour = look_of(view, column->state)->colour;
    if (column->issue && column->state != SIMSM_STATE_ISSUED)
        colour = colour_mix(colour, look_of(view, SIMSM_STATE_ISSUED)->colour,
                            20 + column->issue * 50 / 255);
    return faded(view, column, colour);
}

void slot_draw_two(struct grid *grid, const struct view *view, int x, int y,
                   const struct slot_column *above, const struct slot_column *below, int count)
{
    for (int i = 0; i < count; i++)
        grid_put(grid, x + i, y, 0x2580, half_colour(view, &above[i]),
                 below ? half_colour(view, &below[i]) : view_theme(view)->ground);
}
