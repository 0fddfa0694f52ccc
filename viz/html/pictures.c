/* Draws the screens for a page, each twice: in a light and in a dark theme. */
#include "html/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "base/err.h"
#include "html/markup.h"
#include "language/language.h"
#include "view/chart.h"

enum {
    WIDTH = 1200, /* pixels, of a picture */
    HEIGHT = 660,
    LEAST_HEIGHT = 300,
    MOST_HEIGHT = 1300,
    ROW = 18, /* pixels, of a line of text, at most */
    CLOSE_CYCLES = 120,
    CLOSE_ISSUES = 40,
    LEAD_IN = 4, /* instructions */
    MOST_PLACES = 4096,
    MOST_SEARCHED = 1 << 18 /* cycles */
};

/* ---- What of the run a picture shows ---- */

struct extent {
    uint64_t from, to; /* cycles */
};

/*
 * Returns few cycles, so that each of them can be seen: the place with the most issues among some
 * thousand places.
 */
static struct extent busiest(struct view *view)
{
    struct track *track = view_track(view);
    uint64_t from = run_begin(view->run);
    uint64_t to = run_end(view->run);
    uint64_t step = 1 + (to - from) / MOST_PLACES;
    step = step > CLOSE_CYCLES ? step : CLOSE_CYCLES;
    uint64_t best = from;
    double most = -1;
    for (uint64_t at = from; track && at < to; at += step) {
        double issues = track_issued_until(track, (double)(at + CLOSE_CYCLES)) -
                        track_issued_until(track, (double)at);
        best = issues > most ? at : best;
        most = issues > most ? issues : most;
    }
    return (struct extent){best, best + CLOSE_CYCLES};
}

/*
 * Returns some instructions of the first slot. They begin shortly before its first instruction with
 * inactive lanes; without such an instruction, at its first one.
 */
static struct extent divergent(struct view *view)
{
    uint64_t from = run_begin(view->run);
    uint64_t to = run_end(view->run);
    struct simsm_error error;
    const struct history *history = NULL;
    struct track *track = view_track(view);
    to = to - from > MOST_SEARCHED ? from + MOST_SEARCHED : to;
    if (!track || track_history(track, from, to, &history, &error) != SIMSM_OK || !history ||
        !history->slot[0].issue_count)
        return (struct extent){from, to};
    const struct history_slot *slot = &history->slot[0];
    uint32_t count = slot->issue_count;
    uint32_t first = 0;
    while (first < count && slot->issues[first].mask == slot->issues[0].mask)
        first++;
    first = first == count || first < LEAD_IN ? 0 : first - LEAD_IN;
    uint32_t last = count - first > CLOSE_ISSUES ? first + CLOSE_ISSUES : count - 1;
    return (struct extent){slot->issues[first].cycle, slot->issues[last].cycle + 1};
}

/* A screen without a row shows the whole run of one SM. */
static const struct {
    struct extent (*extent)(struct view *view); /* NULL: the whole run */
    const char *why;                            /* why these cycles are shown; NULL: not said */
    const char *rows;                           /* what a row is called; NULL: all rows are seen */
    bool no_cycles, whole_gpu;                  /* the picture shows no cycles; more than one SM */
    bool low; /* it grows only if its rows need more than the least height */
} pictures[SCREEN_COUNT] = {
    [SCREEN_OVERVIEW] = {.no_cycles = true, .whole_gpu = true},
    [SCREEN_TIMELINE] = {.extent = busiest,
                         .why = N_(", where most instructions issue"),
                         .rows = N_("warp slots")},
    [SCREEN_LANES] = {.extent = divergent, .why = N_(", at the first divergence if there is one")},
    [SCREEN_WAVES] = {.rows = "SMs", .whole_gpu = true},
    [SCREEN_OCCUPANCY] = {.no_cycles = true},
    [SCREEN_SOURCE] = {.rows = N_("lines")},
    [SCREEN_MEMORY] = {.whole_gpu = true},
    [SCREEN_PROGRAM] = {.no_cycles = true, .low = true},
};
_Static_assert(sizeof pictures / sizeof *pictures == SCREEN_COUNT, "a screen without its picture");

static void set_place(struct app *app, enum screen_id picture)
{
    app->view.place.screen = picture;
    app_do(app, ACTION_WHOLE);
    if (pictures[picture].extent) {
        struct extent extent = pictures[picture].extent(&app->view);
        app_show_cycles(app, (double)extent.from, (double)extent.to);
    }
}

/* Writes the caption: which SM, which cycles, and how many of the rows are seen. */
static void write_caption(FILE *file, const struct view *view, enum screen_id picture)
{
    char from[32];
    char to[32];
    fputs("<figcaption>", file);
    if (pictures[picture].whole_gpu)
        fputs(_("The whole GPU"), file);
    else
        fprintf(file, "SM %u", view->place.sm);
    const struct timeline_info *info = run_info(view->run);
    uint64_t end = (uint64_t)view->place.to;
    end = info->ended && info->cycles < end ? info->cycles : end;
    const char *why = pictures[picture].why;
    if (!pictures[picture].no_cycles)
        fprintf(file, _(", cycles %s to %s%s"), chart_cycles((uint64_t)view->place.from, from),
                chart_cycles(end, to), why ? translate(why) : "");
    if (pictures[picture].rows && view->shown_rows < view->content_rows - 0.5)
        fprintf(file, _("; the first %.0f of %.0f %s are shown"), floor(view->shown_rows),
                view->content_rows, translate(pictures[picture].rows));
    fputs(".</figcaption>\n", file);
}

/* ---- The pictures ---- */

/* Returns a height at which all rows of the screen fit, within limits. */
static int fit_height(const struct view *view, int height)
{
    double missing = view->content_rows - view->shown_rows;
    double row = ROW;
    if (view->time_area.h > 0 && view->shown_rows > 0)
        row = view->time_area.h / view->shown_rows;
    double fit = height + ceil(missing * row);
    return fit < LEAST_HEIGHT ? LEAST_HEIGHT : fit > MOST_HEIGHT ? MOST_HEIGHT : (int)fit;
}

/* Draws the screen twice. The first drawing finds out how many rows there are, and is dropped. */
static bool draw(struct view *view, struct canvas *canvas)
{
    int height = pictures[view->place.screen].low ? LEAST_HEIGHT : HEIGHT;
    for (int i = 0; i < 2; i++) {
        if (!canvas_resize(canvas, WIDTH, height, 100))
            return false;
        view->area = (struct rect){0, 0, WIDTH, height};
        view->time_area = (struct rect){0};
        view->content_rows = view->shown_rows = 0;
        view->problem[0] = '\0';
        canvas_fill(canvas, view->area, view_theme(view)->ground);
        screens[view->place.screen].draw(view, canvas);
        height = fit_height(view, height);
    }
    return true;
}

/* Draws the screen as SVG, without tabs and status line. The caller frees *svg. */
static enum simsm_status picture(struct view *view, enum theme_id theme, char **svg,
                                 struct simsm_error *error)
{
    size_t size;
    struct canvas *canvas = canvas_create_svg(WIDTH, HEIGHT, 100);
    FILE *file = canvas ? open_memstream(svg, &size) : NULL;
    enum simsm_status status = SIMSM_OK;
    view->options.theme = theme;
    if (!file || !draw(view, canvas))
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        status = canvas_write_svg(canvas, file, error);
    if (file && fclose(file) != 0 && status == SIMSM_OK)
        status = err_no_memory(error);
    canvas_destroy(canvas);
    return status;
}

static void begin_section(FILE *file, const struct screen *screen)
{
    fprintf(file, "<section id=\"screen-%s\">\n<h2>%s</h2>\n<p class=\"question\">", screen->name,
            translate(screen->title));
    markup_text(file, translate(screen->question));
    fputs("</p>\n", file);
}

static void end_section(FILE *file, const struct screen *screen)
{
    fprintf(file, "<details open><summary>%s</summary><p>", _("How to read it"));
    markup_text(file, translate(screen->help));
    fputs("</p></details>\n</section>\n", file);
}

/* Writes the picture, or why there is none. `part`: number of the picture in its section. */
static void write_figure(FILE *file, const struct view *view, struct recolour *colours, int part,
                         const char *light, const char *dark)
{
    const enum screen_id number = view->place.screen;
    char ids[32];
    if (view->problem[0]) {
        fputs("<p class=\"note\">", file);
        markup_text(file, view->problem);
        fputs("</p>\n", file);
        return;
    }
    (void)snprintf(ids, sizeof ids, "p%d-%d-", (int)number, part);
    fprintf(file, "<figure tabindex=\"0\" aria-label=\"%s\">\n", translate(screens[number].title));
    recolour_write(colours, light, dark, ids, file);
    write_caption(file, view, number);
    fputs("</figure>\n", file);
}

/* Draws the screen in both themes. The caller frees *light and *dark, also on failure. */
static enum simsm_status draw_themes(struct view *view, char **light, char **dark,
                                     struct simsm_error *error)
{
    *light = *dark = NULL;
    enum simsm_status status = picture(view, THEME_LIGHT, light, error);
    return status == SIMSM_OK ? picture(view, THEME_DARK, dark, error) : status;
}

/* Prepares the viewer for pictures that nobody points at. */
static struct app *still_app(struct run *run, struct run *other)
{
    static struct app app; /* too large for some stacks */
    app_init(&app, run, other, WIDTH, HEIGHT, 100);
    app.view.patient = true;
    app.view.still = true;
    app.view.options.inspector = false;
    return &app;
}

static enum simsm_status add_figure(FILE *file, struct view *view, struct recolour *colours,
                                    int part, struct simsm_error *error)
{
    char *light;
    char *dark;
    enum simsm_status status = draw_themes(view, &light, &dark, error);
    if (status == SIMSM_OK)
        write_figure(file, view, colours, part, light, dark);
    free(light);
    free(dark);
    return status;
}

enum simsm_status pictures_write(FILE *file, struct run *run, struct run *other,
                                 struct recolour *colours, struct simsm_error *error)
{
    struct app *app = still_app(run, other);
    enum simsm_status status = SIMSM_OK;
    for (enum screen_id i = 0; i < SCREEN_COUNT && status == SIMSM_OK; i++) {
        if ((i == SCREEN_COMPARE && !other) || i == SCREEN_PROGRAM)
            continue;
        set_place(app, i);
        begin_section(file, &screens[i]);
        status = add_figure(file, &app->view, colours, 0, error);
        if (i == SCREEN_MEMORY && run_info(run)->stats && status == SIMSM_OK) {
            app->view.options.memory_sums = true;
            status = add_figure(file, &app->view, colours, 1, error);
            app->view.options.memory_sums = false;
        }
        end_section(file, &screens[i]);
    }
    return status;
}

enum simsm_status pictures_write_program(FILE *file, struct view *view,
                                         const struct program_file *program,
                                         struct recolour *colours, struct simsm_error *error)
{
    struct app *app = still_app(NULL, NULL);
    char *light;
    char *dark;
    app_show_program(app, program);
    enum simsm_status status = draw_themes(&app->view, &light, &dark, error);
    if (status == SIMSM_OK)
        recolour_write(colours, light, dark, "program-", file);
    free(light);
    free(dark);
    *view = app->view;
    return status;
}
