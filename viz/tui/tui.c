/* The loop of the viewer in a terminal: reads input, draws frames, carries out wishes. */
#include "tui/tui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/err.h"
#include "tui/keys.h"
#include "tui/paint.h"
#include "tui/tui_frame.h"
#include "tui/tui_terminal.h"

enum {
    IDLE_MS = 200,   /* milliseconds between calls of tui_options.look while idle */
    BUSY_MS = 15,    /* milliseconds between frames while playing */
    ESCAPE_MS = 40,  /* time for the rest of a key's sequence, enough for slow lines */
    DOUBLE_MS = 400, /* most time between the clicks of a double click */
    ROOM = 4096,
    SCALE = 25,          /* percent: makes a column count as a pixel */
    COLUMNS_OF_CYCLE = 8 /* most columns of a cycle: the limit of zooming in */
};

struct tui {
    struct app *app;
    const struct tui_options *options;
    struct tui_frame frame;
    struct grid grid;
    struct tui_painter painter;
    char bytes[ROOM]; /* bytes read but not parsed yet */
    size_t used;
    bool dirty, ended;
    double clicked; /* time of the last click in seconds; 0: none */
    int click_x, click_y;
};

static double seconds_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Adopts the size of the terminal, and repaints. Returns false if memory runs out. */
static bool adopt_size(struct tui *t)
{
    int w, h;
    terminal_size(&w, &h);
    if (!grid_resize(&t->grid, w, h))
        return false;
    paint_forget(&t->painter);
    app_resize(t->app, w, h, SCALE);
    t->dirty = true;
    return true;
}

/* Draws and sends a frame. Returns false if the terminal is gone or memory runs out. */
static bool show_frame(struct tui *t)
{
    char *text = NULL;
    size_t size = 0;
    frame_draw(&t->frame, t->app, &t->grid);
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return false;
    bool ok = paint(&t->painter, &t->grid, file);
    ok = fclose(file) == 0 && ok && terminal_write(text, size);
    free(text);
    t->dirty = t->app->view.loading;
    return ok;
}

static void handle_key(struct tui *t, const struct tui_input *input)
{
    struct app *app = t->app;
    if (strcmp(input->key, "ctrl+z") == 0) {
        terminal_stop();
        t->ended = !adopt_size(t);
    } else if (strcmp(input->key, "ctrl+l") == 0) {
        t->ended = !adopt_size(t);
    } else if (app_asks(app) && input->text[0]) {
        app_typed(app, input->text);
    } else if (app_asks(app) && strcmp(input->key, "ctrl+c") == 0) {
        app_key(app, "escape");
    } else if (!app_asks(app) && action_of(input->key) == ACTION_TOUR) {
        (void)snprintf(app->message, sizeof app->message,
                       "only a window shows the tour: ? explains this screen");
    } else if (!frame_key(&t->frame, app, &t->grid, input->key)) {
        app_key(app, input->key);
    }
    if (app->scale != SCALE) {
        app->scale = SCALE;
        (void)snprintf(app->message, sizeof app->message,
                       "the size of text is a setting of the terminal");
    }
}

/* Moves the pointer and draws a frame, which finds out what is under the pointer. */
static void point_at(struct tui *t, const struct tui_input *input)
{
    app_move(t->app, input->x, input->y);
    frame_draw(&t->frame, t->app, &t->grid);
}

static void handle_press(struct tui *t, const struct tui_input *input)
{
    double time = seconds_now();
    bool twice = t->clicked > 0 && time - t->clicked < DOUBLE_MS / 1000.0 &&
                 input->x == t->click_x && input->y == t->click_y;
    point_at(t, input);
    app_press(t->app, input->x, input->y, twice);
    t->clicked = twice ? 0 : time;
    t->click_x = input->x;
    t->click_y = input->y;
}

static void handle_wheel(struct tui *t, const struct tui_input *input)
{
    if (t->app->help) {
        t->frame.help_top -= 3 * input->clicks;
        return;
    }
    point_at(t, input);
    app_wheel(t->app, input->x, input->y, input->clicks, input->shift, input->ctrl);
}

static void handle_input(struct tui *t, const struct tui_input *input)
{
    t->dirty = true;
    switch (input->kind) {
    case INPUT_KEY:
        handle_key(t, input);
        break;
    case INPUT_PRESS:
        handle_press(t, input);
        break;
    case INPUT_RELEASE:
        app_release(t->app, input->x, input->y);
        break;
    case INPUT_MOVE:
        app_move(t->app, input->x, input->y);
        break;
    case INPUT_WHEEL:
        handle_wheel(t, input);
        break;
    case INPUT_NOTHING:
        break;
    }
}

/* Carries out app->wish. Pictures have the size of the options, not of the terminal. */
static void carry_out_wish(struct tui *t)
{
    struct app *app = t->app;
    app_resize(app, t->options->width, t->options->height, t->options->scale);
    t->options->wish(t->options->context, app);
    app_resize(app, t->grid.w, t->grid.h, SCALE);
    app->wish = app->wish == WISH_QUIT ? WISH_QUIT : WISH_NOTHING;
    t->dirty = true;
}

/*
 * Parses and handles the complete inputs of the bytes read; with `last`, also the incomplete rest.
 */
static void handle_bytes(struct tui *t, bool last)
{
    size_t at = 0;
    while (at < t->used && !t->ended) {
        struct tui_input input;
        size_t length = input_next(t->bytes + at, t->used - at, last, &input);
        if (!length)
            break;
        SIMSM_CHECK(length <= t->used - at, "%zu bytes taken of %zu", length, t->used - at);
        at += length;
        handle_input(t, &input);
        if (t->app->wish == WISH_QUIT)
            t->ended = true;
        else if (t->app->wish != WISH_NOTHING)
            carry_out_wish(t);
    }
    memmove(t->bytes, t->bytes + at, t->used - at);
    t->used -= at;
}

static void wait_for_input(struct tui *t)
{
    size_t count = 0;
    int ms = t->dirty          ? 0 /* loading needs no waiting */
             : t->app->playing ? BUSY_MS
             : t->used         ? ESCAPE_MS
                               : IDLE_MS;
    switch (terminal_wait(ms, t->bytes + t->used, sizeof t->bytes - t->used, &count)) {
    case TERMINAL_NOTHING:
        handle_bytes(t, true);
        break;
    case TERMINAL_INPUT:
        t->used += count;
        handle_bytes(t, t->used == sizeof t->bytes);
        break;
    case TERMINAL_STOP:
        terminal_stop();
        t->ended = !adopt_size(t);
        break;
    case TERMINAL_RESIZED:
        t->ended = !adopt_size(t);
        break;
    case TERMINAL_END:
        t->ended = true;
        break;
    }
}

static void loop(struct tui *t)
{
    double last = seconds_now();
    while (!t->ended) {
        double time = seconds_now();
        if (t->app->playing)
            app_tick(t->app, time - last);
        last = time;
        if (t->options->look(t->options->context, t->app))
            t->dirty = true;
        if ((t->dirty || t->app->playing) && !show_frame(t))
            return;
        wait_for_input(t);
    }
}

/* Returns whether the locale's characters are UTF-8. */
static bool has_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") ||
                   strstr(value, "utf-8");
    }
    return false;
}

enum simsm_status tui_run(struct app *app, const struct tui_options *options,
                          struct simsm_error *error)
{
    static struct tui t;
    const char *kind = getenv("TERM");
    t = (struct tui){.app = app, .options = options};
    enum simsm_status status = terminal_open(error);
    if (status != SIMSM_OK)
        return status;
    t.painter.colours = colours_of(getenv("NO_COLOR"), getenv("COLORTERM"), kind);
    t.grid.colour = t.painter.colours != COLOURS_NONE;
    /* The Linux console lacks braille and some blocks. */
    t.grid.ascii = options->ascii || !has_utf8() || (kind && strcmp(kind, "linux") == 0);
    app->most_px = COLUMNS_OF_CYCLE;
    if (!app->message[0])
        (void)snprintf(app->message, sizeof app->message, "? all keys   Tab next screen   q quit");
    if (adopt_size(&t))
        loop(&t);
    terminal_close();
    grid_free(&t.grid);
    paint_forget(&t.painter);
    return SIMSM_OK;
}
