#include "html/pictures.h"

#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "base/err.h"
#include "html/markup.h"

enum {
    WIDTH = 1200,
    HEIGHT = 660,
    CLOSE_CYCLES = 120,
    CLOSE_INSTRUCTIONS = 1000,
    MOST_PLACES = 4096
};

static const struct {
    enum screen_id screen;
    uint64_t close; /* show so many cycles, where most is issued; 0: the whole run */
    int height;
} pictures[] = {
    {SCREEN_TIMELINE, CLOSE_CYCLES, HEIGHT + 140},
    {SCREEN_LANES, CLOSE_INSTRUCTIONS, HEIGHT},
    {SCREEN_WAVES, 0, HEIGHT},
    {SCREEN_OCCUPANCY, 0, HEIGHT},
    {SCREEN_LATENCY, 0, HEIGHT},
    {SCREEN_SOURCE, 0, HEIGHT},
    {SCREEN_MEMORY, 0, HEIGHT},
    {SCREEN_COMPARE, 0, HEIGHT},
};

/* Where, of some thousand places, most is issued in `cycles`. */
static uint64_t busiest(struct view *view, uint64_t cycles)
{
    struct track *track = view_track(view);
    uint64_t begin = run_begin(view->run);
    uint64_t end = run_end(view->run);
    uint64_t step = 1 + (end - begin) / MOST_PLACES;
    step = step > cycles ? step : cycles;
    uint64_t best = begin;
    double most = -1;
    for (uint64_t at = begin; track && at < end; at += step) {
        double issues = track_issued_until(track, (double)(at + cycles)) -
                        track_issued_until(track, (double)at);
        best = issues > most ? at : best;
        most = issues > most ? issues : most;
    }
    return best;
}

static void set_place(struct app *app, size_t picture)
{
    app->view.place.screen = pictures[picture].screen;
    app_do(app, ACTION_WHOLE);
    uint64_t cycles = pictures[picture].close;
    uint64_t from = cycles ? busiest(&app->view, cycles) : 0;
    if (cycles)
        app_show_cycles(app, (double)from, (double)(from + cycles));
}

/* The screen alone, without tabs and status, as SVG; the caller frees it. */
static enum simsm_status draw(struct view *view, int height, enum theme_id theme, char **svg,
                              struct simsm_error *error)
{
    size_t size;
    struct canvas *canvas = canvas_create_svg(WIDTH, height, 100);
    FILE *file = canvas ? open_memstream(svg, &size) : NULL;
    if (!file) {
        canvas_destroy(canvas);
        return err_no_memory(error);
    }
    view->options.theme = theme;
    view->area = (struct rect){0, 0, WIDTH, height};
    view->problem[0] = '\0';
    enum simsm_status status = SIMSM_OK;
    for (int i = 0; i < 2 && status == SIMSM_OK; i++) {
        /* The first drawing finds out how wide things are, and is thrown away. */
        if (!canvas_resize(canvas, WIDTH, height, 100))
            status = err_no_memory(error);
        canvas_fill(canvas, view->area, view_theme(view)->ground);
        screens[view->place.screen]->draw(view, canvas);
    }
    if (status == SIMSM_OK)
        status = canvas_write_svg(canvas, file, error);
    bool written = fclose(file) == 0;
    canvas_destroy(canvas);
    if (status == SIMSM_OK && !written)
        status = err_no_memory(error);
    if (status != SIMSM_OK) {
        free(*svg);
        *svg = NULL;
    }
    return status;
}

static void write_section(FILE *file, const struct view *view, struct recolour *colours,
                          const char *light, const char *dark)
{
    const struct screen *screen = screens[view->place.screen];
    char ids[16];
    fprintf(file, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"question\">", screen->name,
            screen->title);
    markup_text(file, screen->question);
    fputs("</p>\n", file);
    if (view->problem[0]) {
        fputs("<p class=\"note\">", file);
        markup_text(file, view->problem);
        fputs("</p>\n", file);
    } else {
        (void)snprintf(ids, sizeof ids, "p%d-", (int)view->place.screen);
        fprintf(file, "<figure tabindex=\"0\" aria-label=\"%s\">\n", screen->title);
        recolour_write(colours, light, dark, ids, file);
        fputs("</figure>\n", file);
    }
    fputs("<details open><summary>How to read it</summary><p>", file);
    markup_text(file, screen->help);
    fputs("</p></details>\n</section>\n", file);
}

enum simsm_status pictures_write(FILE *file, struct run *run, struct run *other,
                                 struct recolour *colours, struct simsm_error *error)
{
    static struct app app; /* too large for some stacks */
    struct view *view = &app.view;
    app_init(&app, run, other, WIDTH, HEIGHT, 100);
    view->patient = true;
    view->options.inspector = false;
    view->options.by_instruction = true;
    enum simsm_status status = SIMSM_OK;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0] && status == SIMSM_OK; i++) {
        char *light = NULL;
        char *dark = NULL;
        if (pictures[i].screen == SCREEN_COMPARE && !other)
            continue;
        set_place(&app, i);
        status = draw(view, pictures[i].height, THEME_LIGHT, &light, error);
        if (status == SIMSM_OK)
            status = draw(view, pictures[i].height, THEME_DARK, &dark, error);
        if (status == SIMSM_OK)
            write_section(file, view, colours, light, dark);
        free(light);
        free(dark);
    }
    return status;
}
