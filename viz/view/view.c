/* The table of screens, and what several screens ask about a run and its tracks. */
#include "view/view.h"

#include "view/chart.h"

#include <string.h>

#include "language/language.h"
#include "view/view_screens.h"

const struct screen screens[SCREEN_COUNT] = {
#define SCREEN(id, name_, key_, title_, question_, help_)                                          \
    [SCREEN_##id] = {.name = #name_,                                                               \
                     .key = (key_),                                                                \
                     .title = (title_),                                                            \
                     .question = (question_),                                                      \
                     .help = (help_),                                                              \
                     .draw = view_##name_##_draw,                                                  \
                     .csv = view_##name_##_csv},
#include "view/screens.def"
#undef SCREEN
};

enum screen_id screen_find(const char *name)
{
    uint32_t id = 0;
    while (id < SCREEN_COUNT && strcmp(screens[id].name, name) != 0)
        id++;
    return (enum screen_id)id;
}

void view_start(struct view *view, struct rect area)
{
    view->area = area;
    view->status[0] = view->problem[0] = '\0';
    view->target = (struct view_target){.kind = TARGET_NONE};
    view->time_area = (struct rect){0};
    view->content_rows = view->shown_rows = 0;
    view->selected_row = -1;
    view->loading = false;
}

/*
 * Microseconds of one frame: LOAD_BUDGET for building the track of an SM at the first look at it,
 * PIECE_BUDGET for decoding chunks that come into view.
 */
enum { LOAD_BUDGET = 8000, PIECE_BUDGET = 600 };

void view_begin_frame(struct view *view)
{
    if (view->run)
        run_frame_begin(view->run, PIECE_BUDGET);
    if (view->other)
        run_frame_begin(view->other, PIECE_BUDGET);
}

void view_end_frame(struct view *view)
{
    bool waits = view->run && run_frame_end(view->run);
    if (view->other)
        waits = run_frame_end(view->other) || waits;
    view->loading = view->loading || waits;
}

struct track *view_track(struct view *view)
{
    struct simsm_error error;
    uint32_t budget = view->patient ? UINT32_MAX : LOAD_BUDGET;
    struct track *track = run_track(view->run, view->place.sm, budget, &error);
    if (!track)
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
    else if (track_built(track) < run_end(view->run))
        view->loading = true;
    return track;
}

const struct history *view_piece(struct view *view, struct track *track, uint64_t cycle)
{
    const struct history *piece;
    struct simsm_error error;
    if (track_piece(track, cycle, &piece, &error) != SIMSM_OK)
        (void)snprintf(view->problem, sizeof view->problem, "%.250s", error.message);
    return piece;
}

const char *view_operation(const char *text)
{
    if (text[0] != '@')
        return text;
    const char *closed = strchr(text, ')'); /* guard of a text trace */
    bool lanes = text[1] == '(' || (text[1] == '!' && text[2] == '(');
    const char *end = strchr(lanes && closed ? closed : text, ' ');
    return end ? end + 1 : text;
}

uint64_t view_begin(const struct view *view)
{
    if (view_is_program(view))
        return (uint64_t)view->program->log.begin;
    const int64_t begin = (int64_t)run_begin(view->run);
    if (view->place.screen != SCREEN_COMPARE || !view->other)
        return (uint64_t)begin;
    const int64_t shift = view_shift(view), other = (int64_t)run_begin(view->other) - shift;
    const int64_t least = shift < 0 ? -shift : 0; /* cycle 0 of the run that begins later */
    const int64_t first = other < begin ? other : begin;
    return (uint64_t)(first > least ? first : least);
}

int64_t view_shift(const struct view *view)
{
    if (!view->other || view->options.from_launch)
        return 0;
    return (int64_t)run_first_block(view->other) - (int64_t)run_first_block(view->run);
}

uint32_t view_slots(struct view *view, const struct track *track)
{
    uint32_t subs = run_info(view->run)->sub_partitions;
    uint32_t slots = track_slots_used(track);
    if (view->place.slot != VIEW_NONE && view->place.slot / subs >= slots)
        slots = view->place.slot / subs + 1;
    view->shown_slots = slots;
    return slots;
}

const char *view_part(const struct view *view)
{
    const struct timeline_info *info = run_info(view->run);
    if (!info->ended || info->damage)
        return _("the cycles that are there");
    bool whole = !run_begin(view->run) && run_end(view->run) >= info->cycles;
    return whole ? _("whole run") : _("the recorded cycles");
}

const char *view_cycles_text(const struct run *run, char *text, size_t size)
{
    const struct timeline_info *info = run_info(run);
    char from[32];
    char to[32];
    char all[32];
    uint64_t cycles = info->ended ? info->cycles : run_end(run);
    chart_cycles(cycles, all);
    if (run_begin(run) || run_end(run) < cycles)
        (void)snprintf(text, size, _("cycles %s to %s of %s"), chart_cycles(run_begin(run), from),
                       chart_cycles(run_end(run), to), info->ended ? all : "?");
    else
        (void)snprintf(text, size, _("%s cycles"), all);
    return text;
}

const char *view_kernel_text(const struct view *view, char *text, size_t size)
{
    const char *name = run_info(view->run)->launch.name;
    if (view->place.launch)
        (void)snprintf(text, size, _("launch %llu: %s"), (unsigned long long)view->place.launch,
                       name);
    else
        (void)snprintf(text, size, "%s", name);
    return text;
}

uint64_t view_grid_blocks(const struct view *view)
{
    const uint32_t *grid = run_info(view->run)->launch.grid;
    return (uint64_t)grid[0] * grid[1] * grid[2];
}

uint64_t view_end(const struct view *view)
{
    if (view_is_program(view))
        return (uint64_t)view->program->log.end + 1;
    uint64_t end = run_end(view->run);
    if (view->place.screen != SCREEN_COMPARE || !view->other)
        return end;
    const int64_t other = (int64_t)run_end(view->other) - view_shift(view);
    return other > (int64_t)end ? (uint64_t)other : end;
}
