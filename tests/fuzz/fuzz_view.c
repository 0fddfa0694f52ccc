/*
 * A timeline file in the viewer: opened, built, and all screens drawn, the whole run and close up,
 * as a picture, as SVG and in terminals; numbers written; searched. The last file is the one to
 * compare with.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "tui/tui_frame.h"

enum { WIDTH = 400, HEIGHT = 240, MOST_CYCLES = 1 << 26 };

static void check(int holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s\n", what);
    abort();
}

static void draw(struct app *app, struct canvas *canvas)
{
    app_draw(app, canvas);
    check(app->view.place.from < app->view.place.to, "the time that is shown runs backwards");
}

/* Draws the screens in terminals of several sizes, with and without colours. */
static void draw_cells(struct app *app)
{
    static const struct {
        int w, h;
        bool ascii, colour;
    } sizes[] = {{80, 24, false, true}, {40, 12, true, false}, {3, 2, false, true}};
    struct grid grid = {.w = 0};
    struct tui_frame frame = {.rows = 0};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check(grid_resize(&grid, sizes[i].w, sizes[i].h), "out of memory");
        grid.ascii = sizes[i].ascii;
        grid.colour = sizes[i].colour;
        app_resize(app, grid.w, grid.h, 100);
        frame_draw(&frame, app, &grid);
        for (int k = 0; k < grid.w * grid.h; k++)
            check(grid.cells[k].sign >= ' ', "a sign that moves a terminal's cursor");
    }
    grid_free(&grid);
    app_resize(app, WIDTH, HEIGHT, 100);
}

static void write_numbers(struct app *app)
{
    char *text = NULL;
    size_t size = 0;
    struct simsm_error error;
    FILE *file = open_memstream(&text, &size);
    if (file)
        (void)screens[app->view.place.screen].csv(&app->view, file, &error);
    if (file)
        (void)fclose(file);
    free(text);
}

static void press(struct app *app, const char *const *keys)
{
    for (; *keys; keys++)
        app_key(app, *keys);
}

/* Each screen: the whole run, then where something is issued, close up, with a selection. */
static void look_around(struct app *app, struct canvas *canvas, struct canvas *svg)
{
    static const char *const select[] = {"down", "alt+right", "f", "f", ".", "down", "right", NULL};
    static const char *const words[] = {"op L", "state L", "block 0", "mask<32", "pc 0x10", "a"};
    for (uint32_t i = 0; i < SCREEN_COUNT; i++) {
        app_do(app, (enum app_action)(ACTION_SCREEN_OVERVIEW + i));
        app_do(app, ACTION_WHOLE);
        draw(app, canvas);
        press(app, select);
        app_wheel(app, WIDTH / 2, HEIGHT / 2, 9, false, false);
        draw(app, canvas);
        app_press(app, WIDTH / 3, HEIGHT / 2, false);
        app_release(app, WIDTH / 3, HEIGHT / 2);
        app_do(app, ACTION_MODE);
        draw(app, canvas);
        draw(app, svg);
        draw_cells(app);
        write_numbers(app);
        app_key(app, "/");
        app_typed(app, words[i % (sizeof words / sizeof words[0])]);
        app_key(app, "return");
        app_do(app, ACTION_SM_NEXT);
    }
}

static void view(struct run *run)
{
    static struct app app;
    static struct canvas *canvas; /* made once: that takes longest */
    canvas = canvas ? canvas : canvas_create(WIDTH, HEIGHT, 100);
    struct canvas *svg = canvas_create_svg(WIDTH, HEIGHT, 100);
    check(canvas && svg, "out of memory");
    app_init(&app, run, run, WIDTH, HEIGHT, 100);
    app.view.patient = true;
    look_around(&app, canvas, svg);
    canvas_destroy(svg);
}

/* Very long runs are built slowly: that is no defect, but nothing to wait for here. */
static bool is_long(const struct run *run)
{
    return run_end(run) - run_begin(run) > MOST_CYCLES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    struct run *run = NULL;
    struct simsm_error error = {.status = SIMSM_OK};
    (void)snprintf(path, sizeof path, "/tmp/simsm_fuzz_view.%ld.smtl", (long)getpid());
    FILE *file = fopen(path, "wb");
    check(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, "no room in /tmp");
    enum simsm_status status = run_open(&run, path, &error);
    (void)unlink(path);
    if (status != SIMSM_OK) {
        check(error.message[0] != '\0', "refused without a reason");
        return 0;
    }
    if (!is_long(run))
        view(run);
    run_close(run);
    return 0;
}
