/* The tour at the first start: a few steps, each of which points at a part of the window. */
#include <stdio.h>
#include <string.h>

#include "app/moves.h"
#include "base/check.h"
#include "language/language.h"

enum {
    BOX = 62,   /* characters of a line in the box */
    SHADE = 150 /* opacity of the shade over the rest of the window, of 255 */
};

/* What a step points at. */
enum tour_at { AT_TABS, AT_SCREEN, AT_TIME, AT_STRIP, AT_SIDE, AT_BUTTONS };

/* `screen`: shown with the step if a timeline is open; steps `of_run` need one. */
static const struct {
    enum screen_id screen;
    enum tour_at at;
    bool of_run;
    const char *words;
} steps[] = {
    {SCREEN_OVERVIEW, AT_TABS, false,
     N_("Each screen answers one question. Click a tab, or press its digit, to change the "
        "screen.")},
    {SCREEN_OVERVIEW, AT_SCREEN, true,
     N_("The sentence on top says what limits this kernel, and what to try. Every row below it "
        "leads to the screen that shows more: click it.")},
    {SCREEN_TIMELINE, AT_TIME, true,
     N_("A row is a warp slot, and time runs to the right. Green works, blue waits for memory, "
        "purple for other warps, orange for room. Turn the wheel to zoom, drag to move.")},
    {SCREEN_TIMELINE, AT_SIDE, true,
     N_("Click a cell of the picture: here stands why the warp is in that state, and what it waits "
        "for. Before that, why the SM does not issue more often.")},
    {SCREEN_TIMELINE, AT_STRIP, false,
     N_("This strip is the whole run, and the frame is what you see below. Click or drag to go "
        "elsewhere.")},
    {SCREEN_TIMELINE, AT_BUTTONS, false,
     N_("These buttons do what keys do. The last one explains the screen and lists all keys; the "
        "key shift+t shows this tour again.")},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* Moves `by` steps on. Skips the steps that need a timeline if none is open. */
static void go(struct app *app, int by)
{
    int step = (int)app->tour - 1 + by;
    while (step >= 0 && step < STEPS && steps[step].of_run && !app->view.run)
        step += by;
    if (step >= STEPS)
        tour_leave(app);
    if (step < 0 || step >= STEPS)
        return;
    app->tour = (uint32_t)step + 1;
    if (app->view.run)
        place_screen(app, steps[step].screen);
}

void tour_start(struct app *app)
{
    app->tour_from = app->view.place;
    app->tour = 0;
    app->help = false;
    go(app, 1);
}

void tour_leave(struct app *app)
{
    if (app->tour)
        app->view.place = app->tour_from;
    app->tour = 0;
}

bool tour_key(struct app *app, const char *key)
{
    static const struct {
        const char *key;
        int by;
    } moves[] = {{"space", 1}, {"return", 1}, {"right", 1}, {"left", -1}, {"backspace", -1}};
    if (!app->tour)
        return false;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        if (strcmp(moves[i].key, key) == 0) {
            go(app, moves[i].by);
            return true;
        }
    tour_leave(app);
    return strcmp(key, "escape") == 0;
}

bool tour_press(struct app *app, int x, int y)
{
    if (!app->tour)
        return false;
    if (rect_has(app->tour_box, x, y))
        go(app, 1);
    else
        tour_leave(app);
    return true;
}

static struct rect target_of(const struct app *app, const struct tour_places *places)
{
    const struct rect time = app->view.time_area, screen = places->screen;
    const int right = time.x + time.w;
    switch (steps[app->tour - 1].at) {
    case AT_TABS:
        return places->tabs;
    case AT_BUTTONS:
        return places->buttons;
    case AT_TIME:
        return time;
    case AT_STRIP:
        return app->map.w ? app->map : time; /* low windows have no strip */
    case AT_SIDE:
        return (struct rect){right, screen.y, screen.x + screen.w - right, screen.h};
    default:
        return screen;
    }
}

/* Darkens everything but the target. */
static void draw_shade(const struct app *app, struct canvas *canvas, struct rect at)
{
    const struct theme *theme = view_theme(&app->view);
    const int w = canvas_width(canvas), h = canvas_height(canvas), px = canvas_metrics(canvas)->px;
    const struct rect around[] = {{0, 0, w, at.y},
                                  {0, at.y + at.h, w, h - at.y - at.h},
                                  {0, at.y, at.x, at.h},
                                  {at.x + at.w, at.y, w - at.x - at.w, at.h}};
    for (int i = 0; i < 4; i++)
        canvas_blend(canvas, around[i], theme->ground, SHADE);
    canvas_frame(canvas, at, 2 * px, theme->accent);
}

/* Returns the place of a box of this size: below the target, at its left, or in its middle. */
static struct rect box_at(const struct canvas *canvas, struct rect at, int w, int h)
{
    const int pad = 2 * canvas_metrics(canvas)->pad, high = canvas_height(canvas);
    struct rect box = {at.x + (at.w - w) / 2, at.y + at.h + pad, w, h};
    if (box.y + h > high) {
        box.y = at.y + (at.h - h) / 2;
        box.x = at.x > w + 2 * pad ? at.x - pad - w : box.x;
    }
    if (box.x + w > canvas_width(canvas) - pad)
        box.x = canvas_width(canvas) - pad - w;
    box.x = box.x < pad ? pad : box.x;
    return box;
}

void tour_draw(struct app *app, struct canvas *canvas, const struct tour_places *places)
{
    const struct metrics *m = canvas_metrics(canvas);
    const struct theme *theme = view_theme(&app->view);
    char foot[96];
    if (!app->tour)
        return;
    SIMSM_CHECK(app->tour <= STEPS, "step %u of %d", app->tour, (int)STEPS);
    const struct rect at = target_of(app, places);
    const int room = canvas_width(canvas) - 4 * m->pad, wide = BOX * m->advance[TEXT_LARGE];
    const char *words = translate(steps[app->tour - 1].words);
    struct rect inner = {.w = (wide < room ? wide : room) - 4 * m->pad};
    const int high = canvas_paragraph(canvas, inner, TEXT_LARGE, theme->text, words, false);
    draw_shade(app, canvas, at);
    const struct rect box = app->tour_box =
        box_at(canvas, at, inner.w + 4 * m->pad, high + m->line[TEXT_NORMAL] + 5 * m->pad);
    canvas_fill(canvas, box, theme->panel);
    canvas_frame(canvas, box, 2 * m->px, theme->accent);
    inner = rect_inset(box, 2 * m->pad);
    (void)canvas_paragraph(canvas, inner, TEXT_LARGE, theme->text, words, true);
    (void)snprintf(foot, sizeof foot,
                   _("%u of %d   space: next   left: back   escape, or a click beside: leave"),
                   app->tour, (int)STEPS);
    canvas_text_in(canvas, rect_cut_bottom(&inner, m->line[TEXT_NORMAL]), TEXT_NORMAL, ALIGN_LEFT,
                   theme->quiet, foot);
}
