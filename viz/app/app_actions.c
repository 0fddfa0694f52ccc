/* The functions of the actions (actions.def), and the table that joins both. */
#include <stdio.h>
#include <string.h>

#include "app/moves.h"
#include "base/check.h"
#include "language/language.h"

enum app_action action_of(const char *key)
{
    size_t length = strlen(key);
    for (uint32_t i = 0; i < ACTION_COUNT; i++)
        for (const char *at = actions[i].keys; *at;) {
            size_t size = strcspn(at, " ");
            if (size == length && memcmp(at, key, size) == 0)
                return (enum app_action)i;
            at += size + strspn(at + size, " ");
        }
    return ACTION_COUNT;
}

#define ZOOM_STEP  1.25
#define PLAY_LEAST 0.001 /* limits of the speed: shares of the shown cycles in a second */
#define PLAY_MOST  2.0

enum { SCALE_STEP = 25, SCALE_LEAST = 100, SCALE_MOST = 400 };

static void do_screen(struct app *app, int screen)
{
    place_screen(app, (uint32_t)screen);
}

static void do_next_screen(struct app *app, int by)
{
    place_screen(app, app->view.place.screen + (uint32_t)(SCREEN_COUNT + by));
}

static void do_zoom(struct app *app, int by)
{
    place_remember_once(app);
    place_zoom_middle(app, by > 0 ? 1 / ZOOM_STEP : ZOOM_STEP);
}

static void do_pan(struct app *app, int percent)
{
    place_remember_once(app);
    place_pan(app, percent / 100.0);
}

static void do_whole(struct app *app, int unused)
{
    (void)unused;
    place_remember(app);
    app_show_cycles(app, (double)view_begin(&app->view), (double)view_end(&app->view));
}

static void do_centre(struct app *app, int unused)
{
    (void)unused;
    select_centre(app);
}

static void do_back(struct app *app, int unused)
{
    (void)unused;
    place_back(app);
}

static void do_ask(struct app *app, int what)
{
    const bool launch = what == ASK_CYCLE && view_is_program(&app->view);
    app->ask = launch ? ASK_LAUNCH : (enum app_ask)what;
    app->text[0] = '\0';
}

static void do_play(struct app *app, int unused)
{
    (void)unused;
    const struct view_place *place = &app->view.place;
    if (view_is_program(&app->view)) {
        (void)snprintf(app->message, sizeof app->message, _("only a timeline can be played"));
        return;
    }
    app->playing = !app->playing;
    bool seen = view_has_cycle(place) && (double)place->cycle >= place->from &&
                (double)place->cycle < place->to;
    app->play_at = seen ? (double)place->cycle : place->from;
    app->view.place.cycle = (uint64_t)app->play_at;
    app->view.place.cursor = true;
    if (app->playing)
        (void)snprintf(app->message, sizeof app->message,
                       _("playing %.3g cycles a second: [ slower, ] faster, space stops"),
                       app_play_rate(app));
}

static void do_rate(struct app *app, int by)
{
    if (view_is_program(&app->view)) {
        (void)snprintf(app->message, sizeof app->message, _("only a timeline can be played"));
        return;
    }
    double speed = app->play_speed * (by > 0 ? 2 : 0.5);
    app->play_speed = speed < PLAY_LEAST ? PLAY_LEAST : speed > PLAY_MOST ? PLAY_MOST : speed;
    (void)snprintf(app->message, sizeof app->message, _("%.3g cycles a second%s"),
                   app_play_rate(app), app->playing ? "" : _(": space plays"));
}

static void do_issue(struct app *app, int by)
{
    select_event(app, true, by < 0);
}

static void do_change(struct app *app, int by)
{
    select_event(app, false, by < 0);
}

static void do_escape(struct app *app, int unused)
{
    (void)unused;
    if (app->help)
        app->help = false;
    else if (app->playing)
        app->playing = false;
    else if (app->view.stretch.on)
        app->view.stretch.on = false;
    else
        select_nothing(app);
}

static void do_find(struct app *app, int by)
{
    select_find(app, by < 0);
}

static void do_inspector(struct app *app, int unused)
{
    (void)unused;
    app->view.options.inspector = !app->view.options.inspector;
}

static void do_legend(struct app *app, int unused)
{
    (void)unused;
    app->view.options.legend = !app->view.options.legend;
}

static void do_theme(struct app *app, int unused)
{
    (void)unused;
    app->view.options.theme = (enum theme_id)((app->view.options.theme + 1u) % THEME_COUNT);
}

static void do_mode(struct app *app, int unused)
{
    (void)unused;
    struct view_options *options = &app->view.options;
    app->view.place.scroll = 0;
    if (app->view.place.screen == SCREEN_WAVES)
        options->waves = (enum waves_mode)((options->waves + 1u) % WAVES_MODE_COUNT);
    else if (app->view.place.screen == SCREEN_LANES)
        options->by_instruction = !options->by_instruction;
    else if (app->view.place.screen == SCREEN_SOURCE)
        select_order(app, (enum source_order)((options->source + 1u) % SOURCE_ORDER_COUNT));
    else if (app->view.place.screen == SCREEN_MEMORY)
        options->memory_sums = !options->memory_sums;
    else if (app->view.place.screen == SCREEN_COMPARE && app->view.other)
        place_align(app);
    else
        (void)snprintf(app->message, sizeof app->message,
                       _("this screen has no other mode: m has no effect"));
}

static void do_turn(struct app *app, int unused)
{
    (void)unused;
    if (app->view.place.screen == SCREEN_SOURCE)
        select_order(app, app->view.options.source);
    else
        (void)snprintf(app->message, sizeof app->message,
                       _("this screen has no order: shift+m has no effect"));
}

static void do_scale(struct app *app, int by)
{
    int scale = app->scale + by * SCALE_STEP;
    app->scale = scale < SCALE_LEAST ? SCALE_LEAST : scale > SCALE_MOST ? SCALE_MOST : scale;
    (void)snprintf(app->message, sizeof app->message, _("text at %d %%"), app->scale);
}

static void do_wish(struct app *app, int wish)
{
    app->wish = (enum app_wish)wish;
}

static void do_tour(struct app *app, int unused)
{
    (void)unused;
    tour_start(app);
}

static void do_help(struct app *app, int unused)
{
    (void)unused;
    app->help_page = app->help ? app->help_page + 1 : 0;
    app->help = app->help_page == 0 || app->help_page < app->help_pages;
}

const struct action_info actions[ACTION_COUNT] = {
#define ACTION(id, section_, keys_, meaning_, run_, with_)                                         \
    [ACTION_##id] = {.section = (section_),                                                        \
                     .keys = (keys_),                                                              \
                     .meaning = (meaning_),                                                        \
                     .run = (run_),                                                                \
                     .with = (with_)},
#include "app/actions.def"
#undef ACTION
};

void app_do(struct app *app, enum app_action action)
{
    SIMSM_CHECK(action < ACTION_COUNT && actions[action].run, "action %d of %d", (int)action,
                (int)ACTION_COUNT);
    app->message[0] = '\0';
    tour_leave(app);
    actions[action].run(app, actions[action].with);
}
