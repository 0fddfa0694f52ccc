/* What is shown: zoom, pan, scroll, back. */
#include <stdio.h>
#include <string.h>

#include "app/moves.h"
#include "base/check.h"
#include "language/language.h"
#include "view/view_compare.h"

enum { ROW_LEAST = 1, ROW_MOST = 40, ROW_FIRST = 12 };

/* Returns the width of the time area as last drawn, or an estimate before the first frame. */
static int time_width(const struct app *app)
{
    return app->view.time_area.w ? app->view.time_area.w : app->width * 2 / 3;
}

double place_per_px(const struct app *app)
{
    return (app->view.place.to - app->view.place.from) / time_width(app);
}

void place_remember(struct app *app)
{
    if (app->back_count == APP_BACK) {
        memmove(app->back, app->back + 1, (APP_BACK - 1) * sizeof *app->back);
        app->back_count--;
    }
    SIMSM_CHECK(app->back_count < APP_BACK, "%u of %d places", app->back_count, (int)APP_BACK);
    app->back[app->back_count++] = app->view.place;
    app->remembered = false;
}

void place_remember_once(struct app *app)
{
    if (!app->remembered)
        place_remember(app);
    app->remembered = true;
}

/* Returns the first recorded SM that issued an instruction; without totals, the first SM. */
static uint32_t first_busy_sm(const struct timeline_info *info)
{
    for (uint32_t i = 0; info->totals && i < info->sm_count; i++)
        if (info->totals[i].issues)
            return info->sm[i];
    return info->sm_count ? info->sm[0] : 0;
}

struct view_place place_first(const struct run *run, uint64_t launch)
{
    return (struct view_place){.screen = SCREEN_TIMELINE,
                               .launch = launch,
                               .sm = run ? first_busy_sm(run_info(run)) : 0,
                               .slot = VIEW_NONE,
                               .line = VIEW_NONE,
                               .activity = VIEW_NONE};
}

void place_go(struct app *app, const struct view_place *to)
{
    struct view_place *place = &app->view.place;
    if (to->screen == SCREEN_PROGRAM) {
        place_screen(app, SCREEN_PROGRAM);
        place->from = to->from;
        place->to = to->to;
        place->scroll = to->scroll;
        place->activity = to->activity;
    } else if (app->view.run && to->launch == place->launch) {
        *place = *to;
    } else {
        app->wanted = *to;
        app->wish = WISH_LAUNCH;
    }
}

void place_back(struct app *app)
{
    if (app->back_count)
        place_go(app, &app->back[--app->back_count]);
    app->remembered = false;
}

void place_clamp(struct app *app)
{
    struct view_place *place = &app->view.place;
    double begin = (double)view_begin(&app->view);
    double end = (double)view_end(&app->view);
    double least = time_width(app) / app->most_px;
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
    place_clamp(app);
}

void place_move_to(struct app *app, double from)
{
    app_show_cycles(app, from, from + app->view.place.to - app->view.place.from);
}

void place_zoom_at(struct app *app, double factor, double x)
{
    struct view_place *place = &app->view.place;
    double share = (x - app->view.time_area.x) / time_width(app);
    double cycle = place->from + share * (place->to - place->from);
    double least = time_width(app) / app->most_px;
    double shown = (place->to - place->from) * factor;
    shown = shown < least ? least : shown;
    app_show_cycles(app, cycle - share * shown, cycle + (1 - share) * shown);
}

void place_zoom_middle(struct app *app, double factor)
{
    place_zoom_at(app, factor, app->view.time_area.x + time_width(app) / 2.0);
}

void place_pan(struct app *app, double share)
{
    struct view_place *place = &app->view.place;
    place_move_to(app, place->from + share * (place->to - place->from));
}

void place_centre_on(struct app *app, double cycle)
{
    struct view_place *place = &app->view.place;
    place_move_to(app, cycle - (place->to - place->from) / 2);
}

void place_rows(struct app *app, int by)
{
    struct view_place *place = &app->view.place;
    int height = place->row_height ? place->row_height : ROW_FIRST;
    int step = height + (by > 0) > 4 ? 2 : 1; /* steps are smaller for thin rows */
    height += by * step;
    place->row_height = height < ROW_LEAST ? ROW_LEAST : height > ROW_MOST ? ROW_MOST : height;
    place_clamp(app);
}

/* Exchanges the time axes of a run and of a program. An axis is whole when it is shown first. */
static void change_axis(struct app *app)
{
    struct view_place *place = &app->view.place;
    const double from = place->from, to = place->to;
    place->from = place->away_from;
    place->to = place->away_to;
    place->away_from = from;
    place->away_to = to;
    if (!(place->to > place->from)) {
        place->from = (double)view_begin(&app->view);
        place->to = (double)view_end(&app->view);
    }
    app->playing = false;
}

/* Returns whether the whole run is in view. */
static bool shows_all(const struct app *app)
{
    const struct view_place *place = &app->view.place;
    return app->view.run && place->from <= (double)view_begin(&app->view) &&
           place->to >= (double)view_end(&app->view);
}

void place_align(struct app *app)
{
    const bool whole = shows_all(app);
    app->view.options.from_launch = !app->view.options.from_launch;
    if (whole)
        app_show_cycles(app, (double)view_begin(&app->view), (double)view_end(&app->view));
    else
        place_clamp(app);
    (void)snprintf(app->message, sizeof app->message, _("the runs are %s"),
                   compare_aligned(&app->view));
}

void place_screen(struct app *app, uint32_t screen)
{
    const bool program = view_is_program(&app->view);
    screen %= SCREEN_COUNT;
    if (!app->view.run && screen != SCREEN_PROGRAM) {
        (void)snprintf(app->message, sizeof app->message,
                       _("this screen shows the timeline of a launch: select a kernel and press "
                         "return"));
        return;
    }
    const bool whole = shows_all(app);
    app->remembered = false;
    app->view.place.screen = (enum screen_id)screen;
    app->view.place.scroll = 0;
    app->follow = true;
    if (view_is_program(&app->view) != program)
        change_axis(app);
    else if (whole) /* the screen Compare has the cycles of both runs, others those of one */
        app_show_cycles(app, (double)view_begin(&app->view), (double)view_end(&app->view));
    else if (app->view.run)
        place_clamp(app);
}

bool place_follow(struct app *app)
{
    const struct view *view = &app->view;
    double row = view->selected_row;
    double scroll = view->place.scroll;
    if (row < 0 || view->content_rows <= view->shown_rows)
        return false;
    if (row < scroll || row + 1 > scroll + view->shown_rows)
        app->view.place.scroll = row - view->shown_rows / 2;
    place_clamp(app);
    double change = view->place.scroll - scroll;
    return change < -0.5 || change > 0.5;
}
