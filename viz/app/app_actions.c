/* The actions: their keys and texts (actions.def), and what each of them does (deeds[]). */
#include <stdio.h>
#include <string.h>

#include "app/moves.h"
#include "base/check.h"

const struct action_info actions[ACTION_COUNT] = {
#define ACTION(id, section_, keys_, meaning_)                                                      \
    [ACTION_##id] = {.section = (section_), .keys = (keys_), .meaning = (meaning_)},
#include "app/actions.def"
#undef ACTION
};

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
    app->ask = (enum app_ask)what;
    app->text[0] = '\0';
}

static void do_play(struct app *app, int unused)
{
    (void)unused;
    const struct view_place *place = &app->view.place;
    app->playing = !app->playing;
    bool seen = view_has_cycle(place) && (double)place->cycle >= place->from &&
                (double)place->cycle < place->to;
    app->play_at = seen ? (double)place->cycle : place->from;
    app->view.place.cycle = (uint64_t)app->play_at;
    app->view.place.cursor = true;
    if (app->playing)
        (void)snprintf(app->message, sizeof app->message,
                       "playing %.3g cycles a second: [ slower, ] faster, space stops",
                       app_play_rate(app));
}

static void do_rate(struct app *app, int by)
{
    double speed = app->play_speed * (by > 0 ? 2 : 0.5);
    app->play_speed = speed < PLAY_LEAST ? PLAY_LEAST : speed > PLAY_MOST ? PLAY_MOST : speed;
    (void)snprintf(app->message, sizeof app->message, "%.3g cycles a second%s", app_play_rate(app),
                   app->playing ? "" : ": space plays");
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
    else
        (void)snprintf(app->message, sizeof app->message,
                       "this screen has no other mode: m has no effect");
}

static void do_scale(struct app *app, int by)
{
    int scale = app->scale + by * SCALE_STEP;
    app->scale = scale < SCALE_LEAST ? SCALE_LEAST : scale > SCALE_MOST ? SCALE_MOST : scale;
    (void)snprintf(app->message, sizeof app->message, "text at %d %%", app->scale);
}

static void do_wish(struct app *app, int wish)
{
    app->wish = (enum app_wish)wish;
}

static void do_help(struct app *app, int unused)
{
    (void)unused;
    app->help_page = app->help ? app->help_page + 1 : 0;
    app->help = app->help_page == 0 || app->help_page < app->help_pages;
}

static const struct {
    void (*run)(struct app *app, int with);
    int with;
} deeds[ACTION_COUNT] = {
#define SCREEN(id, ...) [ACTION_SCREEN_##id] = {do_screen, SCREEN_##id},
#include "view/screens.def"
#undef SCREEN
    [ACTION_SCREEN_NEXT] = {do_next_screen, 1},
    [ACTION_SCREEN_PREVIOUS] = {do_next_screen, -1},
    [ACTION_SM_NEXT] = {select_sm, 1},
    [ACTION_SM_PREVIOUS] = {select_sm, -1},
    [ACTION_ZOOM_IN] = {do_zoom, 1},
    [ACTION_ZOOM_OUT] = {do_zoom, -1},
    [ACTION_PAN_LEFT] = {do_pan, -10},
    [ACTION_PAN_RIGHT] = {do_pan, 10},
    [ACTION_WHOLE] = {do_whole, 0},
    [ACTION_CENTRE] = {do_centre, 0},
    [ACTION_GO] = {do_ask, ASK_CYCLE},
    [ACTION_BACK] = {do_back, 0},
    [ACTION_PLAY] = {do_play, 0},
    [ACTION_SLOWER] = {do_rate, -1},
    [ACTION_FASTER] = {do_rate, 1},
    [ACTION_STEP_LEFT] = {select_step, -1},
    [ACTION_STEP_RIGHT] = {select_step, 1},
    [ACTION_STEP_LEFT_10] = {select_step, -10},
    [ACTION_STEP_RIGHT_10] = {select_step, 10},
    [ACTION_STEP_LEFT_100] = {select_step, -100},
    [ACTION_STEP_RIGHT_100] = {select_step, 100},
    [ACTION_ISSUE_PREVIOUS] = {do_issue, -1},
    [ACTION_ISSUE_NEXT] = {do_issue, 1},
    [ACTION_CHANGE_PREVIOUS] = {do_change, -1},
    [ACTION_CHANGE_NEXT] = {do_change, 1},
    [ACTION_ROW_UP] = {select_row, -1},
    [ACTION_ROW_DOWN] = {select_row, 1},
    [ACTION_SLOT_PREVIOUS] = {select_slot, -1},
    [ACTION_SLOT_NEXT] = {select_slot, 1},
    [ACTION_UNSELECT] = {do_escape, 0},
    [ACTION_SEARCH] = {do_ask, ASK_SEARCH},
    [ACTION_FIND_NEXT] = {do_find, 1},
    [ACTION_FIND_PREVIOUS] = {do_find, -1},
    [ACTION_BOOKMARK_SET] = {do_ask, ASK_BOOKMARK_SET},
    [ACTION_BOOKMARK_GO] = {do_ask, ASK_BOOKMARK_GO},
    [ACTION_ROWS_HIGHER] = {place_rows, 1},
    [ACTION_ROWS_LOWER] = {place_rows, -1},
    [ACTION_TEXT_LARGER] = {do_scale, 1},
    [ACTION_TEXT_SMALLER] = {do_scale, -1},
    [ACTION_INSPECTOR] = {do_inspector, 0},
    [ACTION_LEGEND] = {do_legend, 0},
    [ACTION_THEME] = {do_theme, 0},
    [ACTION_MODE] = {do_mode, 0},
    [ACTION_ONE_WARP] = {do_wish, WISH_ONE_WARP},
    [ACTION_PICTURE] = {do_wish, WISH_PNG},
    [ACTION_SVG] = {do_wish, WISH_SVG},
    [ACTION_NUMBERS] = {do_wish, WISH_CSV},
    [ACTION_HELP] = {do_help, 0},
    [ACTION_QUIT] = {do_wish, WISH_QUIT},
};

void app_do(struct app *app, enum app_action action)
{
    SIMSM_CHECK(action < ACTION_COUNT && deeds[action].run, "action %d of %d", (int)action,
                (int)ACTION_COUNT);
    app->message[0] = '\0';
    app->tips = false;
    deeds[action].run(app, deeds[action].with);
}
