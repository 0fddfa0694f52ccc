/* The selection: a slot and a cycle of an SM, a line, an input. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/moves.h"
#include "app/search.h"
#include "language/language.h"
#include "timeline/cycle_selection.h"
#include "view/view_occupancy.h"
#include "view/view_overview.h"
#include "view/view_source.h"

static struct track *track_of(struct app *app)
{
    struct simsm_error error;
    struct track *track = run_track(app->view.run, app->view.place.sm, UINT32_MAX, &error);
    if (!track)
        (void)snprintf(app->message, sizeof app->message, "%.250s", error.message);
    return track;
}

/* Moves the picture to the selected cycle if it is outside. */
static void show_cycle(struct app *app)
{
    double cycle = (double)app->view.place.cycle;
    app->follow = true;
    if (cycle < app->view.place.from || cycle >= app->view.place.to)
        place_centre_on(app, cycle);
}

void select_cycle(struct app *app, uint64_t cycle)
{
    app->view.place.cycle = cycle;
    app->view.place.cursor = true;
    show_cycle(app);
}

static bool by_issues(const struct app *app)
{
    return app->view.place.screen == SCREEN_LANES && app->view.options.by_instruction;
}

void select_step(struct app *app, int cycles)
{
    const struct view_place *place = &app->view.place;
    if (view_is_program(&app->view)) {
        activity_step(app, cycles);
        return;
    }
    if (place->screen == SCREEN_OCCUPANCY) {
        uint32_t field = app->view.options.field;
        occupancy_step(&app->view, field == VIEW_NONE ? 0 : field, cycles);
        return;
    }
    if (place->screen == SCREEN_SOURCE) {
        (void)snprintf(app->message, sizeof app->message,
                       _("there is no time on this screen: up and down go through the lines"));
        return;
    }
    if (by_issues(app)) {
        select_event(app, true, cycles < 0);
        return;
    }
    int64_t begin = (int64_t)run_begin(app->view.run);
    int64_t end = (int64_t)run_end(app->view.run) - 1;
    if (end < begin) {
        (void)snprintf(app->message, sizeof app->message, _("no cycle is recorded in this file"));
        return;
    }
    int64_t to = view_has_cycle(place) ? (int64_t)place->cycle + cycles
                                       : (int64_t)((place->from + place->to) / 2);
    select_cycle(app, (uint64_t)(to < begin ? begin : to > end ? end : to));
}

/* Rows are grouped by sub-partition: the row below is the next slot of the same sub-partition. */
void select_slot(struct app *app, int rows)
{
    if (view_is_program(&app->view)) {
        activity_row(app, rows);
        return;
    }
    const struct timeline_info *info = run_info(app->view.run);
    struct view_place *place = &app->view.place;
    uint32_t per_sub =
        app->view.shown_slots ? app->view.shown_slots : info->slots / info->sub_partitions;
    if (place->slot == VIEW_NONE) {
        if (!place->cursor)
            select_step(app, 0); /* selects the cycle in the middle of the picture */
        place->slot = 0;
        return;
    }
    int64_t row = (int64_t)(place->slot % info->sub_partitions) * per_sub +
                  place->slot / info->sub_partitions + rows;
    app->follow = true;
    if (row < 0 || row >= (int64_t)per_sub * info->sub_partitions)
        return;
    place->slot = (uint32_t)row % per_sub * info->sub_partitions + (uint32_t)row / per_sub;
}

void select_sm(struct app *app, int by)
{
    if (view_is_program(&app->view)) {
        (void)snprintf(app->message, sizeof app->message, _("this screen shows no SM"));
        return;
    }
    const struct timeline_info *info = run_info(app->view.run);
    uint32_t at = 0;
    while (at < info->sm_count && info->sm[at] != app->view.place.sm)
        at++;
    int64_t to = (int64_t)at + by;
    app->follow = true;
    if (to >= 0 && to < info->sm_count)
        app->view.place.sm = info->sm[to];
    else
        (void)snprintf(app->message, sizeof app->message, _("SM %u is the %s recorded SM"),
                       app->view.place.sm, by > 0 ? _("last") : _("first"));
}

static void select_line(struct app *app, int by)
{
    struct view_place *place = &app->view.place;
    uint32_t count = run_info(app->view.run)->line_count;
    app->follow = true;
    if (place->line == VIEW_NONE)
        place->line = 0;
    else if (by > 0 ? place->line + 1 < count : place->line > 0)
        place->line += (uint32_t)by;
}

/* Selects another row of Overview; from none, the first or the last. */
static void select_way(struct app *app, int rows)
{
    static struct overview_page
        overview; /* static because of its size; filled anew at every call */
    uint32_t *way = &app->view.options.way;
    if (!overview_fill(&app->view, &overview))
        return;
    app->follow = true;
    if (*way == VIEW_NONE)
        *way = rows > 0 ? 0 : overview.count - 1;
    else
        *way = (*way + overview.count + (uint32_t)rows) % overview.count;
}

/* Shows the screen to which a row of Overview leads, with its instruction selected. */
static void follow_way(struct app *app, uint32_t screen, uint32_t line)
{
    place_remember(app);
    if (line != VIEW_NONE)
        app->view.place.line = line;
    place_screen(app, screen);
}

void select_enter(struct app *app, int unused)
{
    static struct overview_page overview;
    const uint32_t way = app->view.options.way;
    if (view_is_program(&app->view))
        activity_enter(app);
    else if (app->view.place.screen != SCREEN_OVERVIEW)
        (void)snprintf(
            app->message, sizeof app->message,
            _("return follows a row of Overview, or opens the launch that is selected on "
              "the screen Program"));
    else if (overview_fill(&app->view, &overview) && way < overview.count)
        follow_way(app, overview.rows[way].screen, overview.rows[way].line);
    (void)unused;
}

void select_row(struct app *app, int rows)
{
    struct view_options *options = &app->view.options;
    switch (app->view.place.screen) {
    case SCREEN_OVERVIEW:
        select_way(app, rows);
        break;
    case SCREEN_OCCUPANCY:
        options->field =
            options->field == VIEW_NONE
                ? 0
                : (options->field + OCCUPANCY_FIELDS + (uint32_t)rows) % OCCUPANCY_FIELDS;
        break;
    case SCREEN_SOURCE:
        select_line(app, rows);
        break;
    case SCREEN_WAVES:
        select_sm(app, rows);
        break;
    case SCREEN_LANES:
        if (by_issues(app)) {
            select_event(app, true, rows < 0);
            break;
        }
        select_slot(app, rows);
        break;
    default:
        select_slot(app, rows);
        break;
    }
}

void select_event(struct app *app, bool issues, bool backward)
{
    if (view_is_program(&app->view)) {
        activity_step(app, backward ? -1 : 1);
        return;
    }
    struct view_place *place = &app->view.place;
    struct track *track = track_of(app);
    uint64_t found;
    if (!track)
        return;
    if (place->slot == VIEW_NONE)
        place->slot = 0;
    if (!place->cursor)
        place->cycle = (uint64_t)place->from;
    if (search_step(track, place->slot, place->cycle, issues, backward, &found))
        select_cycle(app, found);
    else
        (void)snprintf(app->message, sizeof app->message, _("there is no %s %s this cycle"),
                       issues ? _("issue") : _("change"), backward ? _("before") : _("after"));
}

void select_centre(struct app *app)
{
    if (view_is_program(&app->view)) {
        activity_fit(app);
        return;
    }
    struct view_place *place = &app->view.place;
    if (!view_has_cycle(place))
        return;
    double before = place->from;
    place_remember(app);
    place_centre_on(app, (double)place->cycle);
    if (fabs(place->from - before) > 2 * place_per_px(app))
        return;
    select_fit(app);
}

void select_fit(struct app *app)
{
    struct view_place *place = &app->view.place;
    uint64_t from, to;
    struct track *track = place->slot == VIEW_NONE ? NULL : track_of(app);
    if (track && search_span(track, place->slot, place->cycle, &from, &to)) {
        double margin = (double)(to - from) * 0.25 + 2;
        app_show_cycles(app, (double)from - margin, (double)to + margin);
    }
}

/* Selects the instruction with the next fewer, or next more, warp cycles on the screen Source. */
static void find_hottest(struct app *app, bool backward)
{
    struct track *track = track_of(app);
    if (!track)
        return;
    app->view.place.line = source_hottest(&app->view, track_lines(track), !backward);
    app->follow = true;
}

/* Reports the number of matches in the message, and marks the matches in the shown cycles. */
static void report_matches(struct app *app)
{
    static struct search_tally tally; /* static: too large for some stacks */
    struct view *view = &app->view;
    view->mark_count = 0;
    if (!search_count(view->run, app->search, &view->place, &tally))
        return;
    memcpy(view->marks, tally.marks, sizeof tally.marks);
    view->mark_count = tally.mark_count;
    view->marks_sm = view->place.sm;
    char before[64];
    (void)snprintf(before, sizeof before, "%.40s", app->message);
    (void)snprintf(app->message, sizeof app->message, _("%.40s: %llu of %llu on SM %u%s%s"),
                   app->search, (unsigned long long)tally.rank, (unsigned long long)tally.all,
                   view->place.sm, before[0] ? "; " : "", before);
}

void select_find(struct app *app, bool backward)
{
    struct view_place *place = &app->view.place;
    if (!app->search[0] && place->screen == SCREEN_SOURCE) {
        find_hottest(app, backward);
        return;
    }
    if (!app->search[0]) {
        app->ask = ASK_SEARCH;
        app->text[0] = '\0';
        return;
    }
    if (view_is_program(&app->view)) {
        activity_find(app, backward);
        return;
    }
    struct view_place found = *place;
    if (!search_run(app->view.run, app->search, &found, backward, app->message,
                    sizeof app->message))
        return;
    place_remember(app);
    *place = found;
    place->cursor = true;
    show_cycle(app);
    report_matches(app);
}

void select_nothing(struct app *app)
{
    struct view_options *options = &app->view.options;
    if (app->view.place.screen == SCREEN_OCCUPANCY) {
        options->field = options->threads = options->registers = options->shared = VIEW_NONE;
        return;
    }
    app->view.mark_count = 0;
    options->way = VIEW_NONE;
    app->view.place.slot = app->view.place.line = app->view.place.activity = VIEW_NONE;
    app->view.place.cursor = false;
}

static void go_to_block(struct app *app, const struct view_target *target)
{
    struct simsm_error error;
    if (selection_check_sm(run_info(app->view.run), target->sm, &error) != SIMSM_OK) {
        (void)snprintf(app->message, sizeof app->message,
                       _("%.170s: simsm --timeline-sm chooses the recorded SMs"), error.message);
        return;
    }
    place_remember(app);
    place_screen(app, SCREEN_TIMELINE);
    app->view.place.sm = target->sm;
    app->view.place.cycle = target->cycle;
    app->view.place.cursor = true;
    place_centre_on(app, (double)target->cycle);
}

void select_order(struct app *app, enum source_order order)
{
    struct view_options *options = &app->view.options;
    options->source_backward = options->source == order && !options->source_backward;
    options->source = order;
    app->view.place.scroll = 0;
}

void select_target(struct app *app)
{
    const struct view_target *target = &app->view.target;
    struct view_place *place = &app->view.place;
    switch (target->kind) {
    case TARGET_NONE:
        break;
    case TARGET_CELL:
        place->sm = target->sm;
        place->slot = target->slot;
        place->cycle = target->cycle;
        place->cursor = true;
        break;
    case TARGET_CYCLE:
        place->cycle = target->cycle;
        place->cursor = true;
        break;
    case TARGET_LINE:
        place->line = place->line == target->line ? VIEW_NONE : target->line;
        break;
    case TARGET_BLOCK:
        go_to_block(app, target);
        break;
    case TARGET_FIELD:
        app->view.options.field = target->field;
        if (target->value != VIEW_NONE)
            occupancy_set(&app->view, target->field, target->value);
        break;
    case TARGET_ACTIVITY:
        place->activity = target->activity;
        break;
    case TARGET_WAY:
        app->view.options.way = target->field;
        follow_way(app, target->screen, target->line);
        break;
    case TARGET_ORDER:
        select_order(app, (enum source_order)target->value);
        break;
    case TARGET_ACTION:
        app_do(app, (enum app_action)target->value);
        break;
    case TARGET_TAB:
        place_screen(app, target->screen);
        break;
    }
}
