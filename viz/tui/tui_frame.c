/* The frame around every screen in a terminal: tabs, question, status line, help page. */
#include "tui/tui_frame.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "report/quantity.h"
#include "tui/tui_plot.h"
#include "tui/tui_screens.h"
#include "view/chart.h"
#include "view/view_program.h"

enum {
    LEAST_QUESTION = 10, /* least lines of a terminal for showing the question */
    LEAST_KERNEL = 28,   /* least lines for showing the kernel and its launch */
    HELP_KEYS = 19       /* columns of the keys on the help page */
};

static tui_screen *const drawers[SCREEN_COUNT] = {
#define SCREEN(id, name, ...) [SCREEN_##id] = tui_##name,
#include "view/screens.def"
#undef SCREEN
};

static enum tab_words tabs_that_fit(uint32_t here, int room)
{
    for (uint32_t words = 0; words < TABS_KINDS; words++) {
        int width = 0;
        for (uint32_t i = 0; i < SCREEN_COUNT; i++) {
            char text[32];
            app_tab_text(i, (enum tab_words)words, i == here, text, sizeof text);
            width += grid_width(text) + 1;
        }
        if (width <= room)
            return (enum tab_words)words;
    }
    return TABS_HERE;
}

static void draw_tabs(struct app *app, struct grid *grid, struct rect bar)
{
    struct view *view = &app->view;
    const struct theme *theme = view_theme(view);
    uint32_t now = view->place.screen;
    enum tab_words words = tabs_that_fit(now, bar.w);
    grid_fill(grid, bar, theme->panel);
    for (uint32_t i = 0; i < SCREEN_COUNT; i++) {
        char text[32];
        app_tab_text(i, words, i == now, text, sizeof text);
        struct rect tab = rect_cut_left(&bar, grid_width(text));
        if (rect_has(tab, view->pointer_x, view->pointer_y))
            view->target = (struct view_target){.kind = TARGET_TAB, .screen = i};
        if (i == now)
            grid_fill(grid, tab, theme->accent);
        grid_text(grid, tab, ALIGN_LEFT, i == now ? colour_on(theme->accent) : theme->quiet, text);
        grid_style(grid, tab, i == now ? grid->colour ? GRID_BOLD : GRID_REVERSE : 0);
        rect_cut_left(&bar, 1);
    }
    static const char hint[] = "? all keys";
    if (bar.w > (int)sizeof hint)
        grid_text(grid, bar, ALIGN_RIGHT, theme->quiet, hint);
}

static void kernel_words(const struct view *view, char *text, size_t size)
{
    if (view_is_program(view)) {
        program_title(view->program, text, size);
        return;
    }
    const struct timeline_info *info = run_info(view->run);
    char cycles[96];
    char kernel[256];
    (void)snprintf(text, size, "SM %u  %s%s  %.80s on %.40s  grid %u x %u x %u, block %u x %u x %u",
                   view->place.sm, view_cycles_text(view->run, cycles, sizeof cycles),
                   info->damage ? " (the file is not whole)" : "",
                   view_kernel_text(view, kernel, sizeof kernel), info->gpu, info->launch.grid[0],
                   info->launch.grid[1], info->launch.grid[2], info->launch.block[0],
                   info->launch.block[1], info->launch.block[2]);
}

static void scale_words(const struct view *view, char *text, size_t size)
{
    double cycles = view->shown_cycles_per_px;
    char number[32];
    text[0] = '\0';
    if (view->loading)
        (void)snprintf(text, size, "reading");
    else if (view_is_program(view))
        (void)snprintf(text, size, "%s/column", quantity_time(cycles).text);
    else if (view->time_area.w && cycles >= 1)
        (void)snprintf(text, size, "%s cycles/column", chart_number(cycles, number));
    else if (view->time_area.w)
        (void)snprintf(text, size, "%s columns/cycle", chart_number(1 / cycles, number));
}

static void draw_status(const struct app *app, struct grid *grid, struct rect bar)
{
    const struct view *view = &app->view;
    const struct theme *theme = view_theme(view);
    char text[512];
    char scale[64];
    const char *words = app_words(app, text, sizeof text);
    bool problem = view->problem[0] && !app_asks(app);
    bool answer = words == view->problem || words == app->message;
    if (answer && grid_width(words) > bar.w) { /* as many lines as the text needs, upwards */
        int lines = grid_paragraph(grid, bar, 0, words, false);
        lines = lines < bar.y ? lines : bar.y;
        bar = (struct rect){bar.x, bar.y + 1 - lines, bar.w, lines};
        grid_fill(grid, bar, theme->panel);
        grid_paragraph(grid, bar, problem ? theme->warning : theme->text, words, true);
        return;
    }
    grid_fill(grid, bar, theme->panel);
    if (!*words && grid->h < LEAST_KERNEL) {
        kernel_words(view, text, sizeof text);
        words = text;
    }
    scale_words(view, scale, sizeof scale);
    int room = bar.w - grid_width(scale) - 2;
    bool both = grid_width(words) <= room || (!app_asks(app) && room > 50);
    if (both) {
        grid_text(grid, bar, ALIGN_RIGHT, theme->quiet, scale);
        bar.w = room;
    }
    /* The end of the typed text is shown. */
    while (app_asks(app) && grid_width(words) > bar.w)
        words++;
    grid_text(grid, bar, ALIGN_LEFT,
              problem         ? theme->warning
              : app_asks(app) ? theme->accent
                              : theme->text,
              words);
}

/* Draws a paragraph of the help page at *y, and moves *y behind it. */
static void help_words(struct grid *grid, struct rect area, int *y, uint32_t colour,
                       const char *words)
{
    struct rect rest = {area.x, *y, area.w, INT_MAX};
    *y += grid_paragraph(grid, rest, colour, words, true);
}

/* Draws all lines of the help page, the first at `text.y`. Returns one past the last line. */
static int draw_help_lines(const struct app *app, struct grid *grid, struct rect text)
{
    const struct theme *theme = view_theme(&app->view);
    const struct screen *screen = &screens[app->view.place.screen];
    const char *section = "";
    int y = text.y;
    help_words(grid, text, &y, theme->accent, screen->question);
    help_words(grid, text, &y, theme->text, screen->help);
    y++;
    help_words(grid, text, &y, theme->text, app_mouse_help);
    help_words(grid, text, &y, theme->quiet,
               "To select text as the terminal does, hold Shift while you drag.");
    for (uint32_t i = 0; i < ACTION_COUNT; i++) {
        if (strcmp(section, actions[i].section) != 0) {
            y++;
            help_words(grid, text, &y, theme->accent, actions[i].section);
        }
        section = actions[i].section;
        grid_text(grid, (struct rect){text.x, y, HELP_KEYS, 1}, ALIGN_LEFT, theme->quiet,
                  actions[i].keys);
        struct rect meaning = {text.x + HELP_KEYS, y, text.w - HELP_KEYS, text.h};
        help_words(grid, meaning, &y, theme->text, actions[i].meaning);
    }
    return y;
}

static void draw_help(struct tui_frame *frame, const struct app *app, struct grid *grid,
                      struct rect area)
{
    const struct theme *theme = view_theme(&app->view);
    struct rect text = {area.x + 1, area.y, area.w - 3, area.h};
    struct rect saved = grid_clip(grid, (struct rect){0});
    frame->help_lines = draw_help_lines(app, grid, text) - area.y;
    grid_unclip(grid, saved);
    int most = frame->help_lines > area.h ? frame->help_lines - area.h : 0;
    frame->help_top = frame->help_top > most ? most : frame->help_top;
    frame->help_top = frame->help_top < 0 ? 0 : frame->help_top;
    saved = grid_clip(grid, area);
    grid_fill(grid, area, theme->ground);
    text.y -= frame->help_top;
    (void)draw_help_lines(app, grid, text);
    plot_scrollbar(grid, theme, area, frame->help_top, area.h, frame->help_lines);
    grid_unclip(grid, saved);
}

bool frame_key(struct tui_frame *frame, const struct app *app, const struct grid *grid,
               const char *key)
{
    const struct {
        const char *key;
        int by;
    } moves[] = {{"up", -1},
                 {"down", 1},
                 {"pageup", 3 - grid->h},
                 {"pagedown", grid->h - 3},
                 {"space", grid->h - 3},
                 {"home", -frame->help_lines},
                 {"end", frame->help_lines}};
    for (size_t i = 0; app->help && i < sizeof moves / sizeof moves[0]; i++)
        if (strcmp(moves[i].key, key) == 0) {
            frame->help_top += moves[i].by;
            return true;
        }
    if (!app->help)
        frame->help_top = 0;
    return false;
}

static void draw_screen(struct view *view, struct grid *grid, struct rect area)
{
    struct rect saved = grid_clip(grid, area);
    SIMSM_CHECK(view->place.screen < SCREEN_COUNT, "screen %d of %d", (int)view->place.screen,
                (int)SCREEN_COUNT);
    view_start(view, area);
    grid_fill(grid, area, view_theme(view)->ground);
    if (area.h > 0 && area.w > 0)
        drawers[view->place.screen](view, grid);
    grid_unclip(grid, saved);
}

void frame_draw(struct tui_frame *frame, struct app *app, struct grid *grid)
{
    struct view *view = &app->view;
    const struct theme *theme = view_theme(view);
    struct rect all = {0, 0, grid->w, grid->h};
    grid->clip = all;
    grid->plain = grid->ascii || !grid->colour || view->options.theme == THEME_MONO;
    grid_fill(grid, all, theme->ground);
    struct rect bar = rect_cut_top(&all, 1);
    struct rect status = rect_cut_bottom(&all, 1);
    struct rect page = all;
    if (grid->h >= LEAST_QUESTION) {
        struct rect line = rect_cut_top(&all, 1);
        int used =
            grid_text(grid, line, ALIGN_LEFT, theme->text, screens[view->place.screen].question);
        grid_style(grid, (struct rect){line.x, line.y, used, 1}, GRID_BOLD);
    }
    if (grid->h >= LEAST_KERNEL) {
        char text[400];
        kernel_words(view, text, sizeof text);
        grid_text(grid, rect_cut_top(&all, 1), ALIGN_LEFT, theme->quiet, text);
    }
    draw_screen(view, grid, all);
    app->follow =
        app->follow || view->content_rows != frame->rows; /* the number of rows has changed */
    frame->rows = view->content_rows;
    if (app_follow(app))
        draw_screen(view, grid, all);
    draw_tabs(app, grid, bar);
    draw_status(app, grid, status);
    if (app->help)
        draw_help(frame, app, grid, page);
}
