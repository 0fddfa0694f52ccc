/* The selection on the screen Program: an activity of a program, and the way into a launch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/moves.h"
#include "language/language.h"

static const struct activity_log *log_of(const struct app *app)
{
    return &app->view.program->log;
}

/* Selects an activity, and moves the picture if its begin is outside. */
static void select_activity(struct app *app, uint32_t activity)
{
    const struct activity *entry = &activities(log_of(app))[activity];
    app->view.place.activity = activity;
    app->follow = true;
    if (entry->end < app->view.place.from || entry->begin >= app->view.place.to)
        place_centre_on(app, entry->begin);
}

/*
 * Returns the activity of a lane that begins next after, or before, activity `from` by its time and
 * number; VIEW_NONE if there is none.
 */
static uint32_t next_in_lane(const struct activity_log *log, uint32_t lane, uint32_t from,
                             bool backward)
{
    const struct activity *const all = activities(log);
    uint32_t found = VIEW_NONE;
    for (uint32_t i = 0; i < log->entries.count; i++) {
        const double ahead = all[i].begin - all[from].begin;
        const bool after = ahead > 0 || (ahead == 0 && i > from);
        if (log->lane[i] != lane || i == from || after == backward)
            continue;
        const double nearer = found == VIEW_NONE ? 1 : all[found].begin - all[i].begin;
        if (found == VIEW_NONE || (backward ? nearer <= 0 : nearer > 0))
            found = i;
    }
    return found;
}

/* Returns the activity of a lane that begins nearest to `at`. VIEW_NONE: of all lanes, a kernel. */
static uint32_t nearest(const struct activity_log *log, uint32_t lane, double at)
{
    uint32_t found = VIEW_NONE;
    for (uint32_t i = 0; i < log->entries.count; i++)
        if ((lane == VIEW_NONE ? activities(log)[i].launch != 0 : log->lane[i] == lane) &&
            (found == VIEW_NONE ||
             fabs(activities(log)[i].begin - at) < fabs(activities(log)[found].begin - at)))
            found = i;
    return found;
}

/* Gives the selected activity. Selects a kernel in the middle of the picture if there is none. */
static bool selected(struct app *app, uint32_t *activity)
{
    const struct view_place *place = &app->view.place;
    const bool was = place->activity != VIEW_NONE;
    if (!was) {
        const uint32_t found = nearest(log_of(app), VIEW_NONE, (place->from + place->to) / 2);
        if (found != VIEW_NONE)
            select_activity(app, found);
    }
    *activity = place->activity;
    return was;
}

void activity_step(struct app *app, int by)
{
    uint32_t at;
    if (!selected(app, &at))
        return;
    for (int i = 0; i < abs(by); i++) {
        const uint32_t next = next_in_lane(log_of(app), log_of(app)->lane[at], at, by < 0);
        if (next == VIEW_NONE)
            break;
        at = next;
    }
    if (at == app->view.place.activity)
        (void)snprintf(app->message, sizeof app->message, _("this is the %s of its row"),
                       by < 0 ? _("first") : _("last"));
    select_activity(app, at);
}

void activity_row(struct app *app, int by)
{
    uint32_t at;
    if (!selected(app, &at))
        return;
    const struct activity_log *log = log_of(app);
    for (int64_t lane = (int64_t)log->lane[at] + by; lane >= 0 && lane < log->lane_count;
         lane += by) {
        const uint32_t found = nearest(log, (uint32_t)lane, activities(log)[at].begin);
        if (found == VIEW_NONE)
            continue;
        select_activity(app, found);
        return;
    }
}

void activity_fit(struct app *app)
{
    const uint32_t at = app->view.place.activity;
    if (at == VIEW_NONE)
        return;
    const struct activity *entry = &activities(log_of(app))[at];
    const double margin = (entry->end - entry->begin) * 0.25 + 2;
    place_remember(app);
    app_show_cycles(app, entry->begin - margin, entry->end + margin);
}

void activity_find(struct app *app, bool backward)
{
    const struct activity_log *log = log_of(app);
    const uint32_t count = (uint32_t)log->entries.count;
    const uint32_t from = app->view.place.activity;
    for (uint32_t i = 1; i <= count; i++) {
        const uint32_t begin = from != VIEW_NONE ? from : backward ? 0 : count - 1;
        const uint32_t at = (begin + (backward ? count - i : i)) % count;
        if (strstr(activities(log)[at].name, app->search)) {
            place_remember(app);
            select_activity(app, at);
            return;
        }
    }
    (void)snprintf(app->message, sizeof app->message, _("no call, kernel or copy is called %.100s"),
                   app->search);
}

void select_launch(struct app *app, const char *number)
{
    char *end = NULL;
    const unsigned long long launch = strtoull(number, &end, 10);
    const uint32_t at =
        end == number || *end ? VIEW_NONE : program_file_activity(app->view.program, launch);
    if (at == VIEW_NONE) {
        (void)snprintf(app->message, sizeof app->message,
                       _("there is no launch %.40s; the program has %llu"), number,
                       (unsigned long long)log_of(app)->count[ACTIVITY_KERNEL]);
        return;
    }
    place_remember(app);
    select_activity(app, at);
}

void activity_enter(struct app *app)
{
    const struct view_place *place = &app->view.place;
    const struct activity *entry =
        place->activity == VIEW_NONE ? NULL : &activities(log_of(app))[place->activity];
    if (!entry || !entry->launch) {
        (void)snprintf(app->message, sizeof app->message,
                       _("only a kernel has a timeline: select one first"));
        return;
    }
    place_remember(app);
    if (entry->launch == place->launch) {
        place_screen(app, SCREEN_TIMELINE);
        return;
    }
    app->wanted = (struct view_place){.launch = entry->launch};
    app->wish = WISH_LAUNCH;
}
