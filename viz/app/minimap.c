/* The strip above screens with a time axis: the whole run, with the cycles in view marked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/moves.h"
#include "language/language.h"
#include "view/chart.h"
#include "view/states.h"
#include "view/view_compare.h"
#include "view/view_program.h"

enum {
    STRIP = 20,         /* height in pixels at 100 % */
    LEAST_HEIGHT = 600, /* of a window with a strip, in pixels at 100 % */
    EDGE = 5 /* a press takes an edge of the frame from this distance, in pixels at 100 % */
};

/* Returns whether the screen has a time axis, which is known before it is drawn. */
static bool has_time(const struct view *view)
{
    switch (view->place.screen) {
    case SCREEN_TIMELINE:
    case SCREEN_WAVES:
    case SCREEN_LATENCY:
        return true;
    case SCREEN_LANES:
        return !view->options.by_instruction;
    case SCREEN_MEMORY:
        return !view->options.memory_sums;
    case SCREEN_COMPARE:
        return view->other != NULL;
    case SCREEN_PROGRAM:
        return view->program != NULL;
    default:
        return false;
    }
}

int minimap_height(const struct app *app)
{
    if (!has_time(&app->view) || app->height < LEAST_HEIGHT * app->scale / 100)
        return 0;
    return STRIP * app->scale / 100;
}

static double pixel_of(const struct app *app, double cycle)
{
    const double begin = (double)view_begin(&app->view), end = (double)view_end(&app->view);
    return app->map.x + (cycle - begin) / (end > begin ? end - begin : 1) * app->map.w;
}

static double cycle_of(const struct app *app, double x)
{
    const double begin = (double)view_begin(&app->view), end = (double)view_end(&app->view);
    return begin + (x - app->map.x) / (app->map.w > 0 ? app->map.w : 1) * (end - begin);
}

/* Draws the states of all slots of the shown SM of a run; `shift` as view_shift() returns it. */
static void draw_states(const struct app *app, struct canvas *canvas, struct run *run,
                        struct rect area, double shift)
{
    const double begin = (double)view_begin(&app->view) + shift;
    const double end = (double)view_end(&app->view) + shift;
    struct view whole = app->view;
    whole.run = run;
    whole.place.sm = compare_sm(run, whole.place.sm);
    struct track *track = view_track(&whole);
    double *sums = calloc((size_t)area.w * SIMSM_STATE_COUNT, sizeof *sums);
    struct simsm_error error;
    if (track && sums && end > begin &&
        track_states(track, UINT32_MAX, begin, end, sums, NULL, (uint32_t)area.w, &error) ==
            SIMSM_OK)
        states_columns(&whole, canvas, area, sums,
                       (end - begin) / area.w * track_slots_used(track) *
                           run_info(run)->sub_partitions);
    free(sums);
}

/* Draws when the device had work: every kernel, copy and fill of the program. */
static void draw_work(const struct app *app, struct canvas *canvas)
{
    const struct activity_log *log = &app->view.program->log;
    const struct activity *list = activities(log);
    for (uint32_t i = 0; i < log->entries.count; i++) {
        const int x = (int)floor(pixel_of(app, list[i].begin));
        const int end = (int)ceil(pixel_of(app, list[i].end));
        if (list[i].kind != ACTIVITY_CALL && list[i].kind != ACTIVITY_WAIT)
            canvas_fill(canvas,
                        (struct rect){x, app->map.y + 1, end > x ? end - x : 1, app->map.h - 2},
                        program_look(view_theme(&app->view), list[i].kind).colour);
    }
}

/* Draws the runs of the screen Compare, one above the other. */
static void draw_both(const struct app *app, struct canvas *canvas)
{
    const struct view *view = &app->view;
    struct rect lower = app->map;
    const struct rect upper = rect_cut_top(&lower, lower.h / 2);
    rect_cut_top(&lower, canvas_metrics(canvas)->px);
    draw_states(app, canvas, view->run, upper, 0);
    draw_states(app, canvas, view->other, lower, (double)view_shift(view));
}

/* Dims what is not in view, and frames the rest. */
static void draw_mark(const struct app *app, struct canvas *canvas)
{
    const struct theme *theme = view_theme(&app->view);
    const struct rect map = app->map;
    const int px = canvas_metrics(canvas)->px;
    int left = (int)lround(pixel_of(app, app->view.place.from));
    int right = (int)lround(pixel_of(app, app->view.place.to));
    right = right - left < 3 * px ? left + 3 * px : right;
    canvas_blend(canvas, (struct rect){map.x, map.y, left - map.x, map.h}, theme->ground, 150);
    canvas_blend(canvas, (struct rect){right, map.y, map.x + map.w - right, map.h}, theme->ground,
                 150);
    canvas_frame(canvas, (struct rect){left, map.y, right - left, map.h}, px, theme->accent);
}

void minimap_draw(struct app *app, struct canvas *canvas, struct rect strip)
{
    struct view *view = &app->view;
    const struct metrics *m = canvas_metrics(canvas);
    const struct rect time = view->time_area;
    app->map = (struct rect){0};
    if (strip.h <= 0 || !time.w)
        return;
    app->map = rect_inset(strip, m->pad);
    if (time.w > strip.w / 2) { /* above the time axis, if the screen has one for its width */
        app->map.x = time.x;
        app->map.w = time.w;
    }
    app->map.y = strip.y;
    app->map.h = strip.h - 2 * m->px;
    canvas_fill(canvas, app->map, view_theme(view)->panel);
    if (view_is_program(view))
        draw_work(app, canvas);
    else if (view->place.screen == SCREEN_COMPARE)
        draw_both(app, canvas);
    else
        draw_states(app, canvas, view->run, app->map, 0);
    draw_mark(app, canvas);
    if (rect_has(app->map, view->pointer_x, view->pointer_y))
        (void)snprintf(view->status, sizeof view->status,
                       _("the whole run: click or drag to go there, drag an edge of the frame to "
                         "see more or less"));
}

bool minimap_press(struct app *app, int x, int y)
{
    const struct view_place *place = &app->view.place;
    const double left = pixel_of(app, place->from), right = pixel_of(app, place->to);
    const double edge = fmin(EDGE * app->scale / 100.0, (right - left) / 3);
    if (!rect_has(app->map, x, y))
        return false;
    place_remember(app);
    app->grip = fabs(x - left) <= edge ? GRIP_FROM : fabs(x - right) <= edge ? GRIP_TO : GRIP_RANGE;
    if (app->grip == GRIP_RANGE && (x < left || x > right))
        place_centre_on(app, cycle_of(app, x));
    app->grip_at = cycle_of(app, x) - place->from;
    return true;
}

void minimap_move(struct app *app, int x)
{
    const struct view_place *place = &app->view.place;
    const double cycle = cycle_of(app, x);
    if (app->grip == GRIP_RANGE)
        place_move_to(app, cycle - app->grip_at);
    if (app->grip == GRIP_FROM && cycle < place->to)
        app_show_cycles(app, cycle, place->to);
    if (app->grip == GRIP_TO && cycle > place->from)
        app_show_cycles(app, place->from, cycle);
}
