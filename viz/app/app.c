/* What actions and the mouse do. */
#include "app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/search.h"
#include "view/occupancy.h"
#include "view/source.h"

enum { ROW_MOST = 40, ROW_STEP = 2 };
#define ZOOM_STEP           1.25
#define LEAST_CYCLES_PER_PX (1.0 / 64)
#define PLAY_LEAST          1.0
#define PLAY_MOST           1e9

void app_init(struct app *app, struct run *run, struct run *other, int width, int height, int scale)
{
    const struct timeline_info *info = run_info(run);
    *app = (struct app){.width = width, .height = height, .scale = scale, .play_rate = 10};
    app->view.run = run;
    app->view.other = other;
    app->view.pointer_x = app->view.pointer_y = -1;
    app->view.place = (struct view_place){.slot = VIEW_NONE, .line = VIEW_NONE};
    app->view.place.sm = info->sm_count ? info->sm[0] : 0;
    app->view.options = (struct view_options){.inspector = true,
                                              .legend = true,
                                              .threads = VIEW_NONE,
                                              .registers = VIEW_NONE,
                                              .shared = VIEW_NONE,
                                              .field = VIEW_NONE};
    app_do(app, ACTION_WHOLE);
    app->back_count = 0;
}

/* Width of the time area: as last drawn, or what it will be about. */
static int time_width(const struct app *app)
{
    return app->view.time_area.w ? app->view.time_area.w : app->width * 2 / 3;
}

static double per_px(const struct app *app)
{
    return (app->view.place.to - app->view.place.from) / time_width(app);
}

static void remember(struct app *app)
{
    if (app->back_count == APP_BACK) {
        memmove(app->back, app->back + 1, (APP_BACK - 1) * sizeof *app->back);
        app->back_count--;
    }
    app->back[app->back_count++] = app->view.place;
}

/* Not further out than the whole run, not further in than a cycle fills 64 pixels, and not away. */
static void keep_in_run(struct app *app)
{
    struct view_place *place = &app->view.place;
    double begin = (double)view_begin(&app->view);
    double end = (double)view_end(&app->view);
    double least = time_width(app) * LEAST_CYCLES_PER_PX;
    double shown = place->to - place->from;
    if (!(shown <= end - begin))
        shown = end - begin;
    if (shown < least)
        shown = least;
    if (place->from > end - shown)
        place->from = end - shown;
    if (place->from < begin)
        place->from = begin;
    place->to = place->from + shown;
    double rows = app->view.content_rows - app->view.shown_rows;
    place->scroll = place->scroll > rows ? rows : place->scroll;
    place->scroll = place->scroll < 0 ? 0 : place->scroll;
}

void app_show_cycles(struct app *app, double from, double to)
{
    app->view.place.from = from;
    app->view.place.to = to;
    keep_in_run(app);
}

static void move_to(struct app *app, double from)
{
    app_show_cycles(app, from, from + app->view.place.to - app->view.place.from);
}

/* Zooms so that the cycle at device pixel `x` stays where it is. */
static void zoom_at(struct app *app, double factor, double x)
{
    struct view_place *place = &app->view.place;
    double share = (x - app->view.time_area.x) / time_width(app);
    double cycle = place->from + share * (place->to - place->from);
    double least = time_width(app) * LEAST_CYCLES_PER_PX;
    double shown = (place->to - place->from) * factor;
    shown = shown < least ? least : shown;
    app_show_cycles(app, cycle - share * shown, cycle + (1 - share) * shown);
}

static void zoom_middle(struct app *app, double factor)
{
    zoom_at(app, factor, app->view.time_area.x + time_width(app) / 2.0);
}

static void pan(struct app *app, double share)
{
    struct view_place *place = &app->view.place;
    move_to(app, place->from + share * (place->to - place->from));
}

static void centre_on(struct app *app, double cycle)
{
    struct view_place *place = &app->view.place;
    move_to(app, cycle - (place->to - place->from) / 2);
}

static void show_selection(struct app *app)
{
    double cycle = (double)app->view.place.cycle;
    if (cycle < app->view.place.from || cycle >= app->view.place.to)
        centre_on(app, cycle);
}

static void step(struct app *app, int64_t cycles)
{
    struct view_place *place = &app->view.place;
    if (place->slot == VIEW_NONE) {
        place->slot = 0;
        place->cycle = (uint64_t)((place->from + place->to) / 2);
    }
    int64_t begin = (int64_t)run_begin(app->view.run);
    int64_t end = (int64_t)run_end(app->view.run) - 1;
    int64_t to = (int64_t)place->cycle + cycles;
    place->cycle = (uint64_t)(to < begin ? begin : to > end ? end : to);
    show_selection(app);
}

/* Rows stand by sub-partition: the one below is the next slot of it. */
static void step_row(struct app *app, int rows)
{
    if (app->view.place.screen == SCREEN_OCCUPANCY && app->view.options.field != VIEW_NONE) {
        occupancy_step(&app->view, app->view.options.field, -rows);
        return;
    }
    const struct timeline_info *info = run_info(app->view.run);
    struct view_place *place = &app->view.place;
    uint32_t per_sub = info->slots / info->sub_partitions;
    if (place->slot == VIEW_NONE) {
        step(app, 0);
        return;
    }
    int64_t row = (int64_t)(place->slot % info->sub_partitions) * per_sub +
                  place->slot / info->sub_partitions + rows;
    if (row < 0 || row >= info->slots)
        return;
    place->slot = (uint32_t)row % per_sub * info->sub_partitions + (uint32_t)row / per_sub;
}

/* The next change (or issue) of the selected slot in one direction. */
static void step_event(struct app *app, bool issues, bool backward)
{
    struct view_place *place = &app->view.place;
    struct simsm_error error;
    struct track *track = run_track(app->view.run, place->sm, UINT32_MAX, &error);
    uint64_t found;
    if (place->slot == VIEW_NONE || !track)
        return;
    if (search_step(track, place->slot, place->cycle, issues, backward, &found)) {
        place->cycle = found;
        show_selection(app);
    } else {
        (void)snprintf(app->message, sizeof app->message, "there is no %s %s this cycle",
                       issues ? "issue" : "change", backward ? "before" : "after");
    }
}

static void centre(struct app *app)
{
    struct view_place *place = &app->view.place;
    if (place->slot == VIEW_NONE)
        return;
    double middle = (place->from + place->to) / 2;
    if (fabs(middle - (double)place->cycle) > 2 * per_px(app)) {
        remember(app);
        centre_on(app, (double)place->cycle);
        return;
    }
    uint64_t from, to;
    struct simsm_error error;
    struct track *track = run_track(app->view.run, place->sm, UINT32_MAX, &error);
    if (track && search_span(track, place->slot, place->cycle, &from, &to)) {
        double margin = (double)(to - from) * 0.25 + 2;
        remember(app);
        app_show_cycles(app, (double)from - margin, (double)to + margin);
    }
}

static void change_sm(struct app *app, int by)
{
    const struct timeline_info *info = run_info(app->view.run);
    uint32_t at = 0;
    while (at < info->sm_count && info->sm[at] != app->view.place.sm)
        at++;
    int64_t to = (int64_t)at + by;
    if (to >= 0 && to < info->sm_count)
        app->view.place.sm = info->sm[to];
}

static void change_rows(struct app *app, int by)
{
    struct view_place *place = &app->view.place;
    int height = place->row_height ? place->row_height : 12;
    height += by;
    place->row_height = height < ROW_STEP ? ROW_STEP : height > ROW_MOST ? ROW_MOST : height;
    keep_in_run(app);
}

/* Source has its own idea of next: the next hottest instruction. */
static void find_hottest(struct app *app, bool backward)
{
    struct view_place *place = &app->view.place;
    struct simsm_error error;
    struct track *track = run_track(app->view.run, place->sm, UINT32_MAX, &error);
    if (!track)
        return;
    place->line = source_hottest(&app->view, track_lines(track), !backward);
    if (place->line < place->scroll || place->line >= place->scroll + app->view.shown_rows)
        place->scroll = place->line - app->view.shown_rows / 2;
    keep_in_run(app);
}

static void find(struct app *app, bool backward)
{
    if (app->view.place.screen == SCREEN_SOURCE && !app->search[0]) {
        find_hottest(app, backward);
        return;
    }
    if (!app->search[0]) {
        app->ask = ASK_SEARCH;
        app->text[0] = '\0';
        return;
    }
    struct view_place before = app->view.place;
    if (!search_run(app->view.run, app->search, &app->view.place, backward, app->message,
                    sizeof app->message))
        return;
    struct view_place found = app->view.place;
    app->view.place = before;
    remember(app);
    app->view.place = found;
    show_selection(app);
}

static void ask(struct app *app, enum app_ask what)
{
    app->ask = what;
    app->text[0] = '\0';
}

static void back(struct app *app)
{
    if (app->back_count)
        app->view.place = app->back[--app->back_count];
}

static void change_screen(struct app *app, uint32_t to)
{
    app->view.place.screen = (enum screen_id)(to % SCREEN_COUNT);
    app->view.place.scroll = 0;
}

static void unselect(struct app *app)
{
    struct view_options *options = &app->view.options;
    if (app->view.place.screen == SCREEN_OCCUPANCY)
        options->field = options->threads = options->registers = options->shared = VIEW_NONE;
    else
        app->view.place.slot = app->view.place.line = VIEW_NONE;
}

static void close_one(struct app *app)
{
    if (app->help)
        app->help = false;
    else
        unselect(app);
}

static void play_faster(struct app *app, double factor)
{
    app->play_rate *= factor;
    app->play_rate = app->play_rate < PLAY_LEAST  ? PLAY_LEAST
                     : app->play_rate > PLAY_MOST ? PLAY_MOST
                                                  : app->play_rate;
    (void)snprintf(app->message, sizeof app->message, "%.3g cycles a second", app->play_rate);
}

void app_do(struct app *app, enum action action)
{
    struct view *view = &app->view;
    app->message[0] = '\0';
    app->tips = false;
    switch (action) {
    case ACTION_SCREEN_1:
    case ACTION_SCREEN_2:
    case ACTION_SCREEN_3:
    case ACTION_SCREEN_4:
    case ACTION_SCREEN_5:
    case ACTION_SCREEN_6:
    case ACTION_SCREEN_7:
    case ACTION_SCREEN_8:
        change_screen(app, (uint32_t)(action - ACTION_SCREEN_1));
        break;
    case ACTION_SCREEN_NEXT:
        change_screen(app, view->place.screen + 1u);
        break;
    case ACTION_SCREEN_PREVIOUS:
        change_screen(app, view->place.screen + SCREEN_COUNT - 1u);
        break;
    case ACTION_SM_NEXT:
        change_sm(app, 1);
        break;
    case ACTION_SM_PREVIOUS:
        change_sm(app, -1);
        break;
    case ACTION_ZOOM_IN:
        zoom_middle(app, 1 / ZOOM_STEP);
        break;
    case ACTION_ZOOM_OUT:
        zoom_middle(app, ZOOM_STEP);
        break;
    case ACTION_PAN_LEFT:
        pan(app, -0.1);
        break;
    case ACTION_PAN_RIGHT:
        pan(app, 0.1);
        break;
    case ACTION_WHOLE:
        remember(app);
        app_show_cycles(app, (double)view_begin(view), (double)view_end(view));
        break;
    case ACTION_CENTRE:
        centre(app);
        break;
    case ACTION_GO:
        ask(app, ASK_CYCLE);
        break;
    case ACTION_BACK:
        back(app);
        break;
    case ACTION_PLAY:
        app->playing = !app->playing;
        break;
    case ACTION_SLOWER:
        play_faster(app, 0.5);
        break;
    case ACTION_FASTER:
        play_faster(app, 2);
        break;
    case ACTION_STEP_LEFT:
        step(app, -1);
        break;
    case ACTION_STEP_RIGHT:
        step(app, 1);
        break;
    case ACTION_STEP_LEFT_10:
        step(app, -10);
        break;
    case ACTION_STEP_RIGHT_10:
        step(app, 10);
        break;
    case ACTION_STEP_LEFT_100:
        step(app, -100);
        break;
    case ACTION_STEP_RIGHT_100:
        step(app, 100);
        break;
    case ACTION_ISSUE_PREVIOUS:
        step_event(app, true, true);
        break;
    case ACTION_ISSUE_NEXT:
        step_event(app, true, false);
        break;
    case ACTION_CHANGE_PREVIOUS:
        step_event(app, false, true);
        break;
    case ACTION_CHANGE_NEXT:
        step_event(app, false, false);
        break;
    case ACTION_ROW_UP:
        step_row(app, -1);
        break;
    case ACTION_ROW_DOWN:
        step_row(app, 1);
        break;
    case ACTION_UNSELECT:
        close_one(app);
        break;
    case ACTION_SEARCH:
        ask(app, ASK_SEARCH);
        break;
    case ACTION_FIND_NEXT:
        find(app, false);
        break;
    case ACTION_FIND_PREVIOUS:
        find(app, true);
        break;
    case ACTION_BOOKMARK_SET:
        ask(app, ASK_BOOKMARK_SET);
        break;
    case ACTION_BOOKMARK_GO:
        ask(app, ASK_BOOKMARK_GO);
        break;
    case ACTION_ROWS_HIGHER:
        change_rows(app, ROW_STEP);
        break;
    case ACTION_ROWS_LOWER:
        change_rows(app, -ROW_STEP);
        break;
    case ACTION_INSPECTOR:
        view->options.inspector = !view->options.inspector;
        break;
    case ACTION_LEGEND:
        view->options.legend = !view->options.legend;
        break;
    case ACTION_THEME:
        view->options.theme = (enum theme_id)((view->options.theme + 1u) % THEME_COUNT);
        break;
    case ACTION_MODE:
        view->options.by_instruction = !view->options.by_instruction;
        break;
    case ACTION_ONE_WARP:
        app->wish = WISH_ONE_WARP;
        break;
    case ACTION_PICTURE:
        app->wish = WISH_PNG;
        break;
    case ACTION_SVG:
        app->wish = WISH_SVG;
        break;
    case ACTION_NUMBERS:
        app->wish = WISH_CSV;
        break;
    case ACTION_HELP:
        app->help = !app->help;
        break;
    case ACTION_QUIT:
        app->wish = WISH_QUIT;
        break;
    case ACTION_COUNT:
        break;
    }
}

static void answer_digit(struct app *app, char digit, bool set)
{
    app->ask = ASK_NOTHING;
    if (digit < '0' || digit > '9')
        return;
    int i = digit - '0';
    if (set) {
        app->bookmark[i] = app->view.place;
        app->bookmarked[i] = true;
        (void)snprintf(app->message, sizeof app->message, "kept as %d: ' and %d goes back here", i,
                       i);
    } else if (app->bookmarked[i]) {
        remember(app);
        app->view.place = app->bookmark[i];
    } else {
        (void)snprintf(app->message, sizeof app->message,
                       "there is no place %d: b and a digit keeps one", i);
    }
}

static void answer(struct app *app)
{
    enum app_ask asked = app->ask;
    app->ask = ASK_NOTHING;
    if (asked == ASK_SEARCH) {
        (void)snprintf(app->search, sizeof app->search, "%s", app->text);
        if (app->search[0])
            find(app, false);
        return;
    }
    char *end = NULL;
    unsigned long long cycle = strtoull(app->text, &end, 10);
    if (end == app->text || *end || cycle < run_begin(app->view.run) ||
        cycle >= run_end(app->view.run)) {
        (void)snprintf(app->message, sizeof app->message, "cycles go from %llu to %llu",
                       (unsigned long long)run_begin(app->view.run),
                       (unsigned long long)run_end(app->view.run) - 1);
        return;
    }
    remember(app);
    app->view.place.cycle = cycle;
    if (app->view.place.slot == VIEW_NONE)
        app->view.place.slot = 0;
    centre_on(app, (double)cycle);
}

bool app_asks(const struct app *app)
{
    return app->ask != ASK_NOTHING;
}

void app_typed(struct app *app, const char *text)
{
    if (app->ask == ASK_BOOKMARK_SET || app->ask == ASK_BOOKMARK_GO) {
        answer_digit(app, text[0], app->ask == ASK_BOOKMARK_SET);
        return;
    }
    size_t used = strlen(app->text);
    if (app->ask != ASK_NOTHING)
        (void)snprintf(app->text + used, sizeof app->text - used, "%s", text);
}

static void key_while_asked(struct app *app, const char *key)
{
    size_t used = strlen(app->text);
    if (strcmp(key, "return") == 0)
        answer(app);
    else if (strcmp(key, "escape") == 0)
        app->ask = ASK_NOTHING;
    else if (strcmp(key, "backspace") == 0 && used)
        app->text[used - 1] = '\0';
}

void app_key(struct app *app, const char *key)
{
    if (app_asks(app)) {
        key_while_asked(app, key);
        return;
    }
    enum action action = action_of(key);
    if (action != ACTION_COUNT)
        app_do(app, action);
}

void app_wheel(struct app *app, int x, int y, double clicks, bool shift, bool ctrl)
{
    struct view *view = &app->view;
    app->tips = false;
    if (ctrl) {
        change_rows(app, clicks > 0 ? ROW_STEP : -ROW_STEP);
    } else if (shift) {
        pan(app, -0.1 * clicks);
    } else if (view->target.kind == TARGET_FIELD) {
        occupancy_step(view, view->target.field, clicks > 0 ? 1 : -1);
    } else if (rect_has(view->time_area, x, y)) {
        zoom_at(app, pow(ZOOM_STEP, -clicks), x);
    } else {
        view->place.scroll -= 3 * clicks;
        keep_in_run(app);
    }
}

static void select_target(struct app *app)
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
        break;
    case TARGET_LINE:
        place->line = place->line == target->line ? VIEW_NONE : target->line;
        break;
    case TARGET_BLOCK:
        remember(app);
        place->screen = SCREEN_TIMELINE;
        place->sm = target->sm;
        place->cycle = target->cycle;
        centre_on(app, (double)target->cycle);
        break;
    case TARGET_FIELD:
        app->view.options.field = target->field;
        break;
    }
}

void app_press(struct app *app, int x, int y, bool twice)
{
    app->tips = false;
    app->message[0] = '\0';
    app_move(app, x, y);
    if (twice) {
        select_target(app);
        centre(app);
        return;
    }
    app->dragging = rect_has(app->view.time_area, x, y);
    app->drag_x = x;
    app->drag_y = y;
    if (!app->dragging)
        select_target(app);
}

void app_move(struct app *app, int x, int y)
{
    struct view *view = &app->view;
    if (app->dragging && (x != view->pointer_x || y != view->pointer_y)) {
        move_to(app, view->place.from - (x - view->pointer_x) * per_px(app));
    }
    view->pointer_x = x;
    view->pointer_y = y;
}

void app_release(struct app *app, int x, int y)
{
    bool click = app->dragging && abs(x - app->drag_x) < 4 && abs(y - app->drag_y) < 4;
    app->dragging = false;
    app_move(app, x, y);
    if (click)
        select_target(app);
}

void app_resize(struct app *app, int width, int height, int scale)
{
    app->width = width;
    app->height = height;
    app->scale = scale;
    app->view.time_area = (struct rect){0};
    keep_in_run(app);
}

void app_tick(struct app *app, double seconds)
{
    if (!app->playing)
        return;
    struct view_place *place = &app->view.place;
    move_to(app, place->from + seconds * app->play_rate);
}
