/* Input: keys, typed text, mouse, time. */
#include "app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/moves.h"
#include "language/language.h"
#include "view/view_occupancy.h"

#define WHEEL_STEP 1.25

#define PLAY_EDGE 0.75 /* share of the picture's width at which the played cycle stays */

enum { MOST_CYCLE_PX = 64, MOST_SCALE = 400 };

void app_init(struct app *app, struct run *run, struct run *other, int width, int height, int scale)
{
    *app = (struct app){.width = width,
                        .height = height,
                        .scale = scale,
                        .play_speed = 0.05,
                        .follow = true,
                        .most_px = MOST_CYCLE_PX};
    app->view.run = run;
    app->view.other = other;
    app->view.pointer_x = app->view.pointer_y = -1;
    app->view.place = place_first(run, 0);
    app->view.options = (struct view_options){.inspector = true,
                                              .legend = true,
                                              .by_instruction = true,
                                              .threads = VIEW_NONE,
                                              .registers = VIEW_NONE,
                                              .shared = VIEW_NONE,
                                              .field = VIEW_NONE,
                                              .way = VIEW_NONE};
    if (run)
        app_do(app, ACTION_WHOLE);
    app->back_count = 0;
}

int app_fit_scale(int width, int height)
{
    const double times = fmin(width / 1280.0, height / 720.0);
    const int scale = 100 + (int)(2 * (times - 1)) * 25;
    return scale < 100 ? 100 : scale > MOST_SCALE ? MOST_SCALE : scale;
}

void app_show_program(struct app *app, const struct program_file *program)
{
    app->view.program = program;
    app->view.place.screen = SCREEN_PROGRAM;
    app_do(app, ACTION_WHOLE);
    app->back_count = 0;
}

void app_show_launch(struct app *app, struct run *run)
{
    struct view *view = &app->view;
    const struct view_place wanted = app->wanted, before = view->place;
    view->run = run;
    view->other = NULL;
    view->mark_count = 0;
    view->stretch.on = app->playing = false;
    view->options.threads = view->options.registers = view->options.shared = VIEW_NONE;
    app->wanted = (struct view_place){0};
    if (wanted.to > wanted.from) {
        view->place = wanted;
        return;
    }
    view->place = place_first(run, wanted.launch);
    view->place.activity = before.activity;
    view->place.away_from = before.from;
    view->place.away_to = before.to;
    app_show_cycles(app, (double)view_begin(view), (double)view_end(view));
}

static void finish_digit_prompt(struct app *app, char digit, bool set)
{
    app->ask = ASK_NOTHING;
    if (digit < '0' || digit > '9')
        return;
    int i = digit - '0';
    if (set) {
        app->bookmark[i] = app->view.place;
        app->bookmarked[i] = true;
        (void)snprintf(app->message, sizeof app->message, _("kept as %d: ' and %d goes back here"),
                       i, i);
    } else if (app->bookmarked[i]) {
        place_remember(app);
        place_go(app, &app->bookmark[i]);
    } else {
        (void)snprintf(app->message, sizeof app->message,
                       _("there is no place %d: b and a digit keeps one"), i);
    }
}

static void finish_prompt(struct app *app)
{
    enum app_ask asked = app->ask;
    app->ask = ASK_NOTHING;
    if (asked == ASK_SEARCH) {
        (void)snprintf(app->search, sizeof app->search, "%s", app->text);
        if (app->search[0])
            select_find(app, false);
        return;
    }
    if (asked == ASK_LAUNCH)
        select_launch(app, app->text);
    if (asked != ASK_CYCLE)
        return;
    char *end = NULL;
    unsigned long long cycle = strtoull(app->text, &end, 10);
    if (end == app->text || *end || cycle < run_begin(app->view.run) ||
        cycle >= run_end(app->view.run)) {
        (void)snprintf(app->message, sizeof app->message, _("cycles go from %llu to %llu"),
                       (unsigned long long)run_begin(app->view.run),
                       (unsigned long long)run_end(app->view.run) - 1);
        return;
    }
    place_remember(app);
    select_cycle(app, cycle);
    place_centre_on(app, (double)cycle);
}

/* Gives the field of Occupancy that has the keyboard the typed value, once that is allowed. */
static void try_value(struct app *app)
{
    char *end = NULL;
    const unsigned long long value = strtoull(app->text, &end, 10);
    const uint32_t field = app->view.options.field;
    app->message[0] = '\0';
    if (*end || value > occupancy_most(&app->view, field) || value < occupancy_least(field))
        (void)snprintf(app->message, sizeof app->message, _("%s: from %u to %u"),
                       occupancy_inputs[field].label, occupancy_least(field),
                       occupancy_most(&app->view, field));
    else
        occupancy_set(&app->view, field, (uint32_t)value);
}

/* Returns whether a key begins a value: a digit while a field of Occupancy has the keyboard. */
static bool begins_value(const struct app *app, const char *key)
{
    return app->view.place.screen == SCREEN_OCCUPANCY && app->view.options.field != VIEW_NONE &&
           key[0] >= '0' && key[0] <= '9' && !key[1];
}

bool app_asks(const struct app *app)
{
    return app->ask != ASK_NOTHING;
}

void app_typed(struct app *app, const char *text)
{
    if (app->ask == ASK_BOOKMARK_SET || app->ask == ASK_BOOKMARK_GO) {
        finish_digit_prompt(app, text[0], app->ask == ASK_BOOKMARK_SET);
        return;
    }
    size_t used = strlen(app->text);
    if (app->ask != ASK_NOTHING)
        (void)snprintf(app->text + used, sizeof app->text - used, "%s", text);
    if (app->ask == ASK_VALUE)
        try_value(app);
}

static void prompt_key(struct app *app, const char *key)
{
    size_t used = strlen(app->text);
    if (strcmp(key, "return") == 0)
        finish_prompt(app);
    else if (strcmp(key, "escape") == 0)
        app->ask = ASK_NOTHING;
    else if (strcmp(key, "backspace") == 0 && used)
        app->text[used - 1] = '\0';
    if (app->ask == ASK_VALUE)
        try_value(app);
}

bool app_key(struct app *app, const char *key)
{
    if (app_asks(app)) {
        prompt_key(app, key);
        return true;
    }
    if (begins_value(app, key)) {
        app->ask = ASK_VALUE;
        app->text[0] = '\0';
        app_typed(app, key);
        return true;
    }
    if (tour_key(app, key))
        return true;
    enum app_action action = action_of(key);
    if (action != ACTION_COUNT)
        app_do(app, action);
    return action != ACTION_COUNT;
}

/* Returns the height of a row of the screen, in device pixels. */
static double row_px(const struct view *view)
{
    return view->shown_rows > 0 ? view->time_area.h / view->shown_rows : 0;
}

static void scroll_by(struct app *app, double rows)
{
    app->view.place.scroll += rows;
    place_clamp(app);
}

static void wheel_pan(struct app *app, double clicks)
{
    place_remember_once(app);
    place_pan(app, -0.1 * clicks);
}

static void wheel_zoom(struct app *app, int x, double clicks)
{
    place_remember_once(app);
    place_zoom_at(app, pow(WHEEL_STEP, -clicks), x);
}

void app_wheel(struct app *app, int x, int y, double clicks, bool shift, bool ctrl)
{
    struct view *view = &app->view;
    if (app->help || app->tour)
        return;
    if (ctrl)
        place_rows(app, clicks > 0 ? 1 : -1);
    else if (shift)
        wheel_pan(app, clicks);
    else if (view->target.kind == TARGET_FIELD)
        occupancy_step(view, view->target.field, clicks > 0 ? 1 : -1);
    else if (rect_has(view->time_area, x, y))
        wheel_zoom(app, x, clicks);
    else if (rect_has(app->map, x, y))
        wheel_zoom(app, view->time_area.x + view->time_area.w / 2, clicks);
    else
        scroll_by(app, -3 * clicks);
}

static double cycle_at(const struct app *app, int x)
{
    return app->view.place.from + (x - app->view.time_area.x) * place_per_px(app);
}

/* A click selects nothing if no frame has been drawn with the pointer there. */
void app_press(struct app *app, int x, int y, bool twice)
{
    app->message[0] = '\0';
    app->remembered = false;
    app_move(app, x, y);
    if (app->ask == ASK_VALUE)
        app->ask = ASK_NOTHING;
    if (app->help || tour_press(app, x, y))
        return;
    if (twice) {
        enum view_target_kind kind = app->view.target.kind;
        select_target(app);
        if (kind == TARGET_ACTIVITY)
            select_enter(app, 0);
        if (kind == TARGET_CELL) {
            place_remember(app);
            select_fit(app);
        }
        return;
    }
    if (minimap_press(app, x, y))
        return;
    app->dragging = rect_has(app->view.time_area, x, y);
    app->drag_x = x;
    app->drag_y = y;
    if (!app->dragging)
        select_target(app);
}

/*
 * Extends the selected cycles from the start of the drag to the pointer, over whole sub-partitions.
 */
static void stretch_to(struct app *app, int x)
{
    struct view *view = &app->view;
    struct view_stretch *stretch = &view->stretch;
    double begin = cycle_at(app, app->drag_x);
    double end = cycle_at(app, x);
    uint32_t subs = run_info(view->run)->sub_partitions;
    stretch->from = floor(begin < end ? begin : end);
    stretch->to = floor(begin < end ? end : begin) + 1;
    if (view->target.kind != TARGET_CELL)
        return;
    uint32_t sub = view->target.slot % subs;
    stretch->first = sub < app->drag_sub ? sub : app->drag_sub;
    stretch->last = sub > app->drag_sub ? sub : app->drag_sub;
}

void app_press_stretch(struct app *app, int x, int y)
{
    struct view *view = &app->view;
    app_move(app, x, y);
    if (app->help || app->tour || view->place.screen != SCREEN_TIMELINE ||
        view->target.kind != TARGET_CELL)
        return;
    app->drag_x = x;
    app->drag_y = y;
    app->drag_sub = view->target.slot % run_info(view->run)->sub_partitions;
    app->stretching = view->stretch.on = true;
    stretch_to(app, x);
}

void app_move(struct app *app, int x, int y)
{
    struct view *view = &app->view;
    if (app->stretching)
        stretch_to(app, x);
    minimap_move(app, x);
    if (app->dragging && x != view->pointer_x) {
        place_remember_once(app);
        place_move_to(app, view->place.from - (x - view->pointer_x) * place_per_px(app));
    }
    if (app->dragging && y != view->pointer_y && row_px(view) > 0)
        scroll_by(app, (view->pointer_y - y) / row_px(view));
    view->pointer_x = x;
    view->pointer_y = y;
}

void app_release(struct app *app, int x, int y)
{
    int slack = 4 * app->scale / 100; /* device pixels: a hand moves a little during a click */
    bool click = app->dragging && abs(x - app->drag_x) < slack && abs(y - app->drag_y) < slack;
    app_move(app, x, y);
    app->dragging = app->stretching = false;
    app->grip = GRIP_NONE;
    if (click)
        select_target(app);
}

void app_resize(struct app *app, int width, int height, int scale)
{
    app->width = width;
    app->height = height;
    app->scale = scale;
    app->view.time_area = app->map = (struct rect){0};
    place_clamp(app);
}

double app_play_rate(const struct app *app)
{
    double rate = app->play_speed * (app->view.place.to - app->view.place.from);
    return rate < 1 ? 1 : rate;
}

void app_tick(struct app *app, double seconds)
{
    if (!app->playing)
        return;
    struct view_place *place = &app->view.place;
    double last = (double)run_end(app->view.run) - 1;
    double shown = place->to - place->from;
    if (place->cursor && place->cycle != (uint64_t)app->play_at)
        app->play_at = (double)place->cycle; /* another cycle was selected while playing */
    app->play_at += seconds * app_play_rate(app);
    app->playing = app->play_at < last;
    app->play_at = app->play_at < last ? app->play_at : last;
    place->cycle = (uint64_t)(app->play_at > 0 ? app->play_at : 0);
    place->cursor = true;
    /* The picture moves along when the cycle is near the right edge, or outside. */
    if (app->play_at > place->from + PLAY_EDGE * shown || app->play_at < place->from)
        place_move_to(app, app->play_at - PLAY_EDGE * shown);
}
