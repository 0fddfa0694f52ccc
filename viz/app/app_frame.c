/* The frame around every screen: tabs, question, status line, hints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/moves.h"
#include "base/check.h"
#include "config/schema.h"
#include "language/language.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/view_program.h"

void app_tab_text(uint32_t screen, enum tab_words words, bool here, char *text, size_t size)
{
    const char *title = translate(screens[screen].title);
    int length = (int)(words == TABS_WHOLE ? strlen(title) : strcspn(title, " "));
    length = words == TABS_HERE && !here ? 0 : length;
    (void)snprintf(text, size, length ? "%s %.*s" : "%s", screens[screen].key, length, title);
}

/* Returns the longest titles with which all tabs fit into `room` pixels. */
static enum tab_words tabs_that_fit(uint32_t here, const struct metrics *m, int room)
{
    for (uint32_t words = 0; words < TABS_KINDS; words++) {
        int width = 2 * m->pad;
        for (uint32_t i = 0; i < SCREEN_COUNT; i++) {
            char text[48];
            app_tab_text(i, (enum tab_words)words, i == here, text, sizeof text);
            width += text_width(m, TEXT_NORMAL, text) + 2 * m->pad;
        }
        if (width <= room)
            return (enum tab_words)words;
    }
    return TABS_HERE;
}

/* Makes a tab the target of a click, and says what its screen answers. */
static void point_at_tab(struct view *view, uint32_t screen)
{
    view->target = (struct view_target){.kind = TARGET_TAB, .screen = screen};
    (void)snprintf(view->status, sizeof view->status, "%.240s",
                   translate(screens[screen].question));
}

/* The buttons at the right of the tabs, for those who do not know the keys. */
static const struct {
    const char *text;
    enum app_action action;
} buttons[] = {{"\xe2\x88\x92", ACTION_ZOOM_OUT}, {"+", ACTION_ZOOM_IN},
               {N_("whole"), ACTION_WHOLE},       {"SM<", ACTION_SM_PREVIOUS},
               {"SM>", ACTION_SM_NEXT},           {N_("mode"), ACTION_MODE},
               {N_("search"), ACTION_SEARCH},     {N_("? keys"), ACTION_HELP}};
enum { BUTTONS = sizeof buttons / sizeof buttons[0] };

/* Draws a button. Under the pointer it says what it does, and which key does the same. */
static void draw_button(struct app *app, struct canvas *canvas, struct rect box, int i)
{
    const struct theme *theme = view_theme(&app->view);
    const struct action_info *action = &actions[buttons[i].action];
    struct view *view = &app->view;
    const bool here = rect_has(box, view->pointer_x, view->pointer_y);
    canvas_frame(canvas, box, canvas_metrics(canvas)->px, here ? theme->accent : theme->line);
    canvas_text_in(canvas, box, TEXT_SMALL, ALIGN_CENTRE, here ? theme->text : theme->quiet,
                   translate(buttons[i].text));
    if (!here)
        return;
    view->target =
        (struct view_target){.kind = TARGET_ACTION, .value = (uint32_t)buttons[i].action};
    (void)snprintf(view->status, sizeof view->status, _("%.180s   (key %.*s)"),
                   translate(action->meaning), (int)strcspn(action->keys, " "), action->keys);
}

/* Draws as many buttons as `bar` has room for, the last ones first. */
static void draw_buttons(struct app *app, struct canvas *canvas, struct rect bar)
{
    const struct metrics *m = canvas_metrics(canvas);
    for (int i = BUTTONS - 1; i >= 0; i--) {
        const int width = text_width(m, TEXT_SMALL, translate(buttons[i].text)) + 2 * m->pad;
        if (bar.w < width + 2 * m->pad)
            return;
        struct rect box = rect_cut_right(&bar, width);
        rect_cut_right(&bar, m->pad / 2);
        box.y += m->pad / 2;
        box.h -= m->pad;
        draw_button(app, canvas, box, i);
    }
}

/* Returns where the tabs and the buttons are. */
static struct tour_places draw_tabs(struct app *app, struct canvas *canvas, struct rect bar)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&app->view);
    const struct rect all = bar;
    canvas_fill(canvas, bar, theme->panel);
    canvas_fill(canvas, (struct rect){bar.x, bar.y + bar.h - m->px, bar.w, m->px}, theme->line);
    const enum tab_words words = tabs_that_fit(app->view.place.screen, m, bar.w);
    rect_cut_left(&bar, m->pad);
    for (uint32_t i = 0; i < SCREEN_COUNT; i++) {
        char text[48];
        bool here = i == app->view.place.screen;
        app_tab_text(i, words, here, text, sizeof text);
        struct rect tab = rect_cut_left(&bar, text_width(m, TEXT_NORMAL, text) + 2 * m->pad);
        if (rect_has(tab, app->view.pointer_x, app->view.pointer_y))
            point_at_tab(&app->view, i);
        if (here) {
            canvas_fill(canvas, tab, theme->ground);
            canvas_fill(canvas, (struct rect){tab.x, tab.y, tab.w, 2 * m->px}, theme->accent);
        }
        canvas_text_in(canvas, tab, TEXT_NORMAL, ALIGN_CENTRE, here ? theme->text : theme->quiet,
                       text);
    }
    const struct tour_places places = {
        .tabs = {all.x, all.y, bar.x - all.x, all.h},
        .buttons = {bar.x, all.y, bar.w, all.h},
    };
    rect_cut_right(&bar, m->pad);
    draw_buttons(app, canvas, bar);
    return places;
}

static const char *policy_text(struct run *run, char *text, size_t size)
{
    struct simsm_error error;
    const struct simsm_config *config = run_config(run, &error);
    text[0] = '\0';
    if (config)
        (void)snprintf(text, size, _("   scheduler %s, memory %s"), config->sm_scheduler,
                       schema_rows[SCHEMA_memory_model].choices[config->memory_model].name);
    return text;
}

static void draw_head(const struct app *app, struct canvas *canvas, struct rect head)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&app->view);
    char text[512];
    struct rect top = rect_cut_top(&head, m->line[TEXT_TITLE]);
    const char *question = translate(screens[app->view.place.screen].question);
    enum text_size size = text_width(m, TEXT_TITLE, question) <= top.w ? TEXT_TITLE : TEXT_NORMAL;
    canvas_text_in(canvas, top, size, ALIGN_LEFT, theme->text, question);
    if (view_is_program(&app->view)) {
        program_title(app->view.program, text, sizeof text);
        canvas_text_in(canvas, head, TEXT_NORMAL, ALIGN_LEFT, theme->quiet, text);
        return;
    }
    const struct timeline_info *info = run_info(app->view.run);
    char cycles[96];
    char policy[64];
    (void)snprintf(text, sizeof text,
                   _(" on %.60s   grid %u x %u x %u, block %u x %u x %u   %s%s   SM %u%s"),
                   info->gpu, info->launch.grid[0], info->launch.grid[1], info->launch.grid[2],
                   info->launch.block[0], info->launch.block[1], info->launch.block[2],
                   view_cycles_text(app->view.run, cycles, sizeof cycles),
                   info->damage                     ? _(" (the file is not whole)")
                   : info->ended && !info->complete ? _(" (stopped)")
                                                    : "",
                   app->view.place.sm, policy_text(app->view.run, policy, sizeof policy));
    char kernel[256];
    (void)view_kernel_text(&app->view, kernel, sizeof kernel);
    /* A long kernel name is cut so that the text after it fits. */
    int least = 12 * m->advance[TEXT_NORMAL];
    int room = head.w - text_width(m, TEXT_NORMAL, text);
    struct rect name = {head.x, head.y, room > least ? room : least, head.h};
    rect_cut_left(&head,
                  canvas_text_in(canvas, name, TEXT_NORMAL, ALIGN_LEFT, theme->text, kernel));
    canvas_text_in(canvas, head, TEXT_NORMAL, ALIGN_LEFT, theme->quiet, text);
}

static const char *const prompts[] = {
    [ASK_CYCLE] = N_("go to cycle: "),
    [ASK_LAUNCH] = N_("go to launch: "),
    [ASK_SEARCH] = N_("search: "),
    [ASK_BOOKMARK_SET] = N_("digit to keep this place under: "),
    [ASK_BOOKMARK_GO] = N_("digit of the place to go to: "),
    [ASK_VALUE] = N_("value to try: "),
};

static void scale_text(const struct view *view, char *text, size_t size)
{
    double cycles = view->shown_cycles_per_px;
    char number[32];
    if (!view->time_area.w)
        return;
    if (view_is_program(view))
        (void)snprintf(text, size, _("%s per pixel"), quantity_time(cycles).text);
    else if (cycles >= 1000)
        (void)snprintf(text, size, _("%s cycles per pixel"),
                       chart_cycles((uint64_t)(cycles + 0.5), number));
    else
        (void)snprintf(text, size,
                       cycles >= 1 ? _("%.3g cycles per pixel") : _("%.3g pixels per cycle"),
                       cycles >= 1 ? cycles : 1 / cycles);
}

const char *app_words(const struct app *app, char *text, size_t size)
{
    const struct view *view = &app->view;
    if (!app_asks(app))
        return view->problem[0] ? view->problem : app->message[0] ? app->message : view->status;
    (void)snprintf(text, size, "%s%s_", translate(prompts[app->ask]), app->text);
    return text;
}

static void draw_status(const struct app *app, struct canvas *canvas, struct rect bar)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct view *view = &app->view;
    const struct theme *theme = view_theme(view);
    char text[512];
    canvas_fill(canvas, bar, theme->panel);
    canvas_fill(canvas, (struct rect){bar.x, bar.y, bar.w, m->px}, theme->line);
    rect_cut_left(&bar, m->pad);
    rect_cut_right(&bar, m->pad);
    const char *words = app_words(app, text, sizeof text);
    if (app_asks(app)) {
        canvas_text_in(canvas, bar, TEXT_NORMAL, ALIGN_LEFT, theme->accent, words);
        return;
    }
    bool problem = view->problem[0] != '\0';
    char scale[64] = "";
    scale_text(view, scale, sizeof scale);
    struct rect right = rect_cut_right(&bar, text_width(m, TEXT_NORMAL, scale) + m->pad);
    canvas_text_in(canvas, right, TEXT_NORMAL, ALIGN_RIGHT, theme->quiet, scale);
    canvas_text_in(canvas, bar, TEXT_NORMAL, ALIGN_LEFT, problem ? theme->warning : theme->text,
                   words);
}

static void draw_screen(struct app *app, struct canvas *canvas, struct rect area, struct rect map)
{
    struct view *view = &app->view;
    SIMSM_CHECK(view->place.screen < SCREEN_COUNT, "screen %d of %d", (int)view->place.screen,
                (int)SCREEN_COUNT);
    view_start(view, area);
    struct rect saved = canvas_clip(canvas, area);
    if (!view->patient)
        view_begin_frame(view);
    screens[view->place.screen].draw(view, canvas);
    canvas_unclip(canvas, saved);
    minimap_draw(app, canvas, map);
    if (!view->patient)
        view_end_frame(view);
}

bool app_follow(struct app *app)
{
    bool moved = app->follow && place_follow(app);
    app->follow = app->follow && app->view.loading;
    return moved;
}

void app_draw(struct app *app, struct canvas *canvas)
{
    struct view *view = &app->view;
    const struct metrics *m = canvas_metrics(canvas);
    struct rect all = {0, 0, canvas_width(canvas), canvas_height(canvas)};
    canvas_fill(canvas, all, view_theme(view)->ground);
    struct rect bar = rect_cut_top(&all, m->line[TEXT_NORMAL] + 2 * m->pad);
    struct rect status = rect_cut_bottom(&all, m->line[TEXT_NORMAL] + m->pad);
    struct rect head = rect_cut_top(&all, m->line[TEXT_TITLE] + m->line[TEXT_NORMAL] + 2 * m->pad);
    draw_head(app, canvas, rect_inset(head, m->pad));
    struct rect map = rect_cut_top(&all, minimap_height(app));
    draw_screen(app, canvas, all, map);
    if (app_follow(app)) {
        canvas_fill(canvas, all, view_theme(view)->ground);
        draw_screen(app, canvas, all, map);
    }
    struct tour_places places = draw_tabs(app, canvas, bar);
    draw_status(app, canvas, status);
    places.screen = all;
    tour_draw(app, canvas, &places);
    if (app->help) {
        all.h += status.h;
        frame_help(app, canvas, all);
    }
}
