/* The command `simsm-view`: options, and what follows from them. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/printable.h"
#include "canvas/outline.h"
#include "language/language.h"
#include "main/viz_exports.h"
#include "main/viz_files.h"
#include "main/viz_first.h"
#include "main/viz_rerun.h"
#include "sdl/window.h"
#include "timeline/cycle_selection.h"
#include "tui/tui.h"

enum view_option_key {
    KEY_PNG = 256,
    KEY_SVG,
    KEY_CSV,
    KEY_HTML,
    KEY_PERFETTO,
    KEY_PERFETTO_JSON,
    KEY_KANATA,
    KEY_COMPAT,
    KEY_MOST_EVENTS,
    KEY_SCREEN,
    KEY_SM,
    KEY_CYCLES,
    KEY_SIZE,
    KEY_SCALE,
    KEY_THEME,
    KEY_SELECT,
    KEY_KEYS,
    KEY_TUI,
    KEY_ASCII,
    KEY_TOUR,
    KEY_LANG
};

enum { OUTPUTS = 4, LEAST_WIDTH = 640, LEAST_HEIGHT = 360, MOST_SIDE = 8192 };

struct view_request {
    const char *file, *other;
    const char *output[OUTPUTS]; /* PNG, SVG, CSV, HTML */
    struct exports exports;
    const char *compat;
    const char *screen, *sm, *cycles, *size, *scale, *theme, *select, *keys;
    const char *tui, *ascii, *tour;
};

static const char screen_names[] = "one of:"
#define SCREEN(id, name, ...) " " #name
#include "view/screens.def"
#undef SCREEN
    ;

static const struct argp_option options[] = {
    {"png", KEY_PNG, "FILE", 0, "draw into FILE as PNG; no window", 0},
    {"svg", KEY_SVG, "FILE", 0, "draw into FILE as SVG; no window", 0},
    {"csv", KEY_CSV, "FILE", 0, "the numbers of the screen's chart; no window", 0},
    {"html", KEY_HTML, "FILE", 0,
     "one page for a browser: figures, all screens, a timeline to explore; no window", 0},
    {"perfetto", KEY_PERFETTO, "FILE", 0,
     "a trace for ui.perfetto.dev: states, blocks, memory instructions, curves", 0},
    {"perfetto-json", KEY_PERFETTO_JSON, "FILE", 0,
     "the same as trace-event JSON, for other tools and small ranges", 0},
    {"kanata", KEY_KANATA, "FILE", 0, "a log for Konata: one row for each instruction of one SM",
     0},
    {"perfetto-compat", KEY_COMPAT, NULL, 0,
     "--perfetto: states as slices, for versions of Perfetto before 57", 0},
    {"max-events", KEY_MOST_EVENTS, "N", 0,
     "--perfetto-json: refuse to write more (default: 2000000; 0: no limit)", 0},
    {"screen", KEY_SCREEN, "NAME", 0, screen_names, 0},
    {"sm", KEY_SM, "N", 0, "the SM to show (default: the first recorded SM)", 0},
    {"cycles", KEY_CYCLES, "A:B", 0, "cycles from A up to but not including B (default: all)", 0},
    {"select", KEY_SELECT, "SUB:SLOT:CYCLE", 0, "select this cell", 0},
    {"size", KEY_SIZE, "WxH", 0, "size in pixels (default: 1280x720)", 0},
    {"scale", KEY_SCALE, "PERCENT", 0,
     "size of text and lines: 100 to 400, or a factor from 1 to 4 (default: by the size)", 0},
    {"theme", KEY_THEME, "NAME", 0, "dark, light, contrast or mono", 0},
    {"keys", KEY_KEYS, "KEYS", 0,
     "press these keys first, separated by blanks: \"w w ctrl+right\"; =TEXT is typed", 0},
    {"tui", KEY_TUI, NULL, 0, "show the timeline in this terminal, without a window", 0},
    {"tour", KEY_TOUR, NULL, 0, "begin with the tour of the first start", 0},
    {"ascii", KEY_ASCII, NULL, 0, "--tui: ASCII characters only", 0},
    {"lang", KEY_LANG, "LANGUAGE", 0, "en or zh (default: as LANG says)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_argument(const char *text, struct view_request *request,
                              struct argp_state *state)
{
    if (!request->file)
        request->file = text;
    else if (!request->other)
        request->other = text;
    else
        argp_error(state, "too many arguments, beginning with '%s'", text);
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct view_request *request = state->input;
    const char **const place[] = {
        [KEY_PNG - KEY_PNG] = &request->output[0],
        [KEY_SVG - KEY_PNG] = &request->output[1],
        [KEY_CSV - KEY_PNG] = &request->output[2],
        [KEY_HTML - KEY_PNG] = &request->output[3],
        [KEY_PERFETTO - KEY_PNG] = &request->exports.path[EXPORT_PERFETTO],
        [KEY_PERFETTO_JSON - KEY_PNG] = &request->exports.path[EXPORT_PERFETTO_JSON],
        [KEY_KANATA - KEY_PNG] = &request->exports.path[EXPORT_KANATA],
        [KEY_COMPAT - KEY_PNG] = &request->compat,
        [KEY_MOST_EVENTS - KEY_PNG] = &request->exports.most_events,
        [KEY_SCREEN - KEY_PNG] = &request->screen,
        [KEY_SM - KEY_PNG] = &request->sm,
        [KEY_CYCLES - KEY_PNG] = &request->cycles,
        [KEY_SIZE - KEY_PNG] = &request->size,
        [KEY_SCALE - KEY_PNG] = &request->scale,
        [KEY_THEME - KEY_PNG] = &request->theme,
        [KEY_SELECT - KEY_PNG] = &request->select,
        [KEY_KEYS - KEY_PNG] = &request->keys,
        [KEY_TUI - KEY_PNG] = &request->tui,
        [KEY_ASCII - KEY_PNG] = &request->ascii,
        [KEY_TOUR - KEY_PNG] = &request->tour,
    };
    if (key >= KEY_PNG && key <= KEY_TOUR) {
        *place[key - KEY_PNG] = text ? text : ""; /* a flag has no text */
        return 0;
    }
    switch (key) {
    case KEY_LANG:
        if (!language_choose(text))
            argp_error(state, LANGUAGE_UNKNOWN, text, language_names());
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(text, request, state);
    case ARGP_KEY_END:
        if (!request->file)
            argp_error(
                state,
                "name the timeline to show: a .smtl file, as simsm --timeline writes it, or a "
                "program: a .json file, as simsm run --program writes it");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum simsm_status number(const char *option, const char *text, uint64_t least, uint64_t most,
                                uint64_t *value, struct simsm_error *error)
{
    if (!text)
        return SIMSM_OK;
    if (selection_number(text, value, NULL) != SIMSM_OK || *value < least || *value > most)
        return err_set(error, SIMSM_BAD_INPUT, "%s '%s': expected a number from %llu to %llu",
                       option, text, (unsigned long long)least, (unsigned long long)most);
    return SIMSM_OK;
}

static enum simsm_status size_of(const char *text, int *width, int *height,
                                 struct simsm_error *error)
{
    char *end = NULL;
    long w = text ? strtol(text, &end, 10) : 1280;
    long h = text && *end == 'x' ? strtol(end + 1, &end, 10) : text ? 0 : 720;
    if ((text && *end) || w < LEAST_WIDTH || h < LEAST_HEIGHT || w > MOST_SIDE || h > MOST_SIDE)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--size '%s': expected WIDTHxHEIGHT, from %dx%d to %dx%d pixels", text,
                       LEAST_WIDTH, LEAST_HEIGHT, MOST_SIDE, MOST_SIDE);
    *width = (int)w;
    *height = (int)h;
    return SIMSM_OK;
}

static enum simsm_status select_cell(struct app *app, const char *text, struct simsm_error *error)
{
    const struct timeline_info *info = run_info(app->view.run);
    unsigned sub, slot;
    unsigned long long cycle;
    char more;
    if (sscanf(text, "%u:%u:%llu%c", &sub, &slot, &cycle, &more) != 3 ||
        sub >= info->sub_partitions || slot >= info->slots / info->sub_partitions ||
        cycle < run_begin(app->view.run) || cycle >= run_end(app->view.run))
        return err_set(
            error, SIMSM_BAD_INPUT,
            "--select '%s': expected SUB:SLOT:CYCLE, with sub-partitions 0 to %u, slots 0 to "
            "%u and cycles %llu to %llu",
            text, info->sub_partitions - 1, info->slots / info->sub_partitions - 1,
            (unsigned long long)run_begin(app->view.run),
            (unsigned long long)run_end(app->view.run) - 1);
    app->view.place.slot = slot * info->sub_partitions + sub;
    app->view.place.cycle = cycle;
    app->view.place.cursor = true;
    return SIMSM_OK;
}

/* The files that are shown, and the second run of key h. */
struct shown {
    struct program_file *program; /* NULL: a timeline was named */
    struct run *run, *other;
    struct rerun rerun;
    bool started; /* the window has been open for a moment */
};

static enum simsm_status set_names(struct app *app, const struct view_request *request,
                                   struct simsm_error *error)
{
    if (request->screen) {
        const enum screen_id screen = screen_find(request->screen);
        if (screen == SCREEN_COUNT)
            return err_set(error, SIMSM_BAD_INPUT, "--screen '%s': expected %s", request->screen,
                           screen_names);
        if (!app->view.run && screen != SCREEN_PROGRAM)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--screen %s shows the timeline of a launch, and %s is a program: name "
                           "the .smtl file of a launch",
                           request->screen, request->file);
        app->view.place.screen = screen;
    }
    if (request->theme) {
        app->view.options.theme = theme_find(request->theme);
        if (app->view.options.theme == THEME_COUNT)
            return err_set(error, SIMSM_BAD_INPUT,
                           "--theme '%s': expected dark, light, contrast or mono", request->theme);
    }
    return SIMSM_OK;
}

/* Shows the SM, cycles and cell of the options. */
static enum simsm_status set_place(struct app *app, const struct view_request *request,
                                   struct simsm_error *error)
{
    const struct timeline_info *info = run_info(app->view.run);
    uint64_t sm = app->view.place.sm;
    uint64_t from, to;
    enum simsm_status status = number("--sm", request->sm, 0, info->sms - 1, &sm, error);
    app->view.place.sm = (uint32_t)sm;
    if (status == SIMSM_OK && request->cycles) {
        status = selection_cycles(request->cycles, &from, &to, error);
        if (status == SIMSM_OK && from >= run_end(app->view.run))
            status = err_set(error, SIMSM_BAD_INPUT,
                             "--cycles %s: none of them is recorded; cycles %llu:%llu are recorded",
                             request->cycles, (unsigned long long)run_begin(app->view.run),
                             (unsigned long long)run_end(app->view.run));
        if (status == SIMSM_OK)
            app_show_cycles(app, (double)from, (double)(to ? to : run_end(app->view.run)));
    }
    if (status == SIMSM_OK && request->select)
        status = select_cell(app, request->select, error);
    return status;
}

/* Applies the options to the application, which has its final size. */
static enum simsm_status set_up(struct app *app, const struct view_request *request,
                                struct simsm_error *error)
{
    enum simsm_status status = set_names(app, request, error);
    if (status != SIMSM_OK || app->view.run)
        return status == SIMSM_OK ? set_place(app, request, error) : status;
    if (request->sm || request->cycles || request->select || exports_any(&request->exports))
        return err_set(
            error, SIMSM_BAD_INPUT,
            "%s is a program: --sm, --cycles, --select, --perfetto and --kanata need the "
            ".smtl file of one launch",
            request->file);
    return SIMSM_OK;
}

/* Shows the timeline of the launch that the application wants, or says why there is none. */
static void open_launch(struct shown *shown, struct app *app)
{
    struct run *run = NULL;
    struct simsm_error error;
    char text[1400];
    if (program_file_open_launch(shown->program, app->wanted.launch, &run, &error) != SIMSM_OK) {
        (void)snprintf(app->message, sizeof app->message, "%.250s",
                       simsm_error_text(&error, text, sizeof text));
        return;
    }
    rerun_close(&shown->rerun);
    shown->rerun = (struct rerun){0};
    app_show_launch(app, run);
    run_close(shown->run);
    shown->run = run;
}

/*
 * Presses the keys of --keys. A second run that a key asks for is waited for; wishes to write files
 * are dropped, as no file was named.
 */
static enum simsm_status press_keys(struct app *app, struct shown *shown, const char *keys,
                                    struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    struct canvas *canvas = canvas_create(app->width, app->height, app->scale);
    char word[APP_TEXT];
    while (canvas && keys && *keys && status == SIMSM_OK) {
        size_t length = strcspn(keys, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, keys);
        app_draw(app, canvas);
        if (word[0] == '=')
            app_typed(app, word + 1);
        else if (word[0] && !app_key(app, word))
            status = err_set(error, SIMSM_BAD_INPUT,
                             "--keys: no action has the key '%.40s'; `man simsm-view` and "
                             "docs/viewer.md list all keys, such as 'w', 'ctrl+up' and "
                             "'return'",
                             word);
        if (app->wish == WISH_ONE_WARP) {
            rerun_toggle(&shown->rerun, app);
            (void)rerun_poll(&shown->rerun, app, true);
        }
        if (app->wish == WISH_LAUNCH)
            open_launch(shown, app);
        app->wish = WISH_NOTHING;
        keys += length + strspn(keys + length, " ");
    }
    canvas_destroy(canvas);
    return status;
}

static bool has_outputs(const struct view_request *request)
{
    bool any = exports_any(&request->exports);
    for (int i = 0; i < OUTPUTS; i++)
        any = any || request->output[i];
    return any;
}

static enum simsm_status write_outputs(struct app *app, const struct view_request *request,
                                       struct simsm_error *error)
{
    typedef enum simsm_status output(struct app * app, const char *path, struct simsm_error *error);
    static output *const outputs[OUTPUTS] = {files_png, files_svg, files_csv, files_html};
    struct exports exports = request->exports;
    exports.sm = request->sm;
    exports.cycles = request->cycles;
    exports.begin_end = request->compat != NULL;
    enum simsm_status status =
        exports_any(&exports) ? exports_write(&exports, app->view.run, error) : SIMSM_OK;
    for (int i = 0; i < OUTPUTS && status == SIMSM_OK; i++)
        if (request->output[i])
            status = outputs[i](app, request->output[i], error);
    return status;
}

/* Carries out what a key asked for while the window is open. */
static void carry_out_wish(void *context, struct app *app)
{
    static const struct {
        const char *suffix;
        enum simsm_status (*write)(struct app *app, const char *path, struct simsm_error *error);
    } files[] = {[WISH_PNG] = {".png", files_png},
                 [WISH_SVG] = {".svg", files_svg},
                 [WISH_CSV] = {".csv", files_csv}};
    enum app_wish wish = app->wish;
    char path[4096];
    struct simsm_error error;
    app->wish = WISH_NOTHING;
    struct shown *shown = context;
    if (wish == WISH_ONE_WARP)
        rerun_toggle(&shown->rerun, app);
    if (wish == WISH_LAUNCH)
        open_launch(shown, app);
    if (wish != WISH_PNG && wish != WISH_SVG && wish != WISH_CSV)
        return;
    files_name(app, files[wish].suffix, path, sizeof path);
    if (files[wish].write(app, path, &error) == SIMSM_OK)
        (void)snprintf(app->message, sizeof app->message, "written: %.240s", path);
    else
        (void)snprintf(app->message, sizeof app->message, "%.250s", error.message);
}

static bool poll_rerun(void *context, struct app *app)
{
    struct shown *shown = context;
    return rerun_poll(&shown->rerun, app, false);
}

/* As poll_rerun(), for a window: begins the tour if this is the first one. */
static bool poll_window(void *context, struct app *app)
{
    struct shown *shown = context;
    const bool begins = !shown->started && first_start() && !app->tour;
    shown->started = true;
    if (begins)
        tour_start(app);
    return poll_rerun(context, app) || begins;
}

static enum simsm_status show_in_terminal(struct app *app, struct shown *shown, bool ascii,
                                          struct simsm_error *error)
{
    struct tui_options terminal = {.ascii = ascii,
                                   .width = app->width,
                                   .height = app->height,
                                   .scale = app->scale,
                                   .wish = carry_out_wish,
                                   .look = poll_rerun,
                                   .context = shown};
    app->tour = 0;               /* --keys may have begun it, and a terminal does not show it */
    (void)language_choose("en"); /* a terminal need not have Chinese characters */
    return tui_run(app, &terminal, error);
}

/* Shows the window. `scale` in percent; 0: as the display says. */
static enum simsm_status show(struct app *app, struct shown *shown, int scale,
                              struct simsm_error *error)
{
#if SIMSM_WINDOW
    char title[256];
    (void)snprintf(title, sizeof title, "%.200s - simsm",
                   shown->program ? shown->program->name : run_info(shown->run)->name);
    struct window_options window = {.width = app->width,
                                    .height = app->height,
                                    .scale = scale,
                                    .title = title,
                                    .wish = carry_out_wish,
                                    .look = poll_window,
                                    .context = shown};
    return window_run(app, &window, error);
#else
    (void)app;
    (void)shown;
    (void)scale;
    (void)carry_out_wish;
    (void)poll_window;
    return err_set(
        error, SIMSM_FAILED,
        "this simsm-view was built without SDL2 and has no window: --tui shows it in a "
        "terminal, --png and --svg draw without one; or install libsdl2-dev and build again");
#endif
}

static void warn_of_damage(const struct run *run)
{
    const struct timeline_info *info = run ? run_info(run) : NULL;
    if (info && info->damage)
        (void)fprintf(stderr, "simsm-view: %s: %s\n", info->name, info->damage);
}

static enum simsm_status open_files(struct shown *shown, const struct view_request *request,
                                    struct simsm_error *error)
{
    if (!activity_is_file(request->file)) {
        const enum simsm_status status = run_open(&shown->run, request->file, error);
        return status == SIMSM_OK && request->other ? run_open(&shown->other, request->other, error)
                                                    : status;
    }
    if (request->other)
        return err_set(
            error, SIMSM_BAD_INPUT,
            "%s is a program, which is not compared: name the .smtl files of two launches",
            request->file);
    return program_file_open(&shown->program, request->file, error);
}

static void close_files(struct shown *shown)
{
    rerun_close(&shown->rerun);
    run_close(shown->other);
    run_close(shown->run);
    program_file_close(shown->program);
}

/* Shows the open files as the options say. `scale` in percent. */
static enum simsm_status show_files(struct app *app, struct shown *shown,
                                    const struct view_request *request, int scale,
                                    struct simsm_error *error)
{
    warn_of_damage(shown->run);
    warn_of_damage(shown->other);
    if (shown->program)
        app_show_program(app, shown->program);
    if (shown->other) {
        app->view.place.screen = SCREEN_COMPARE;
        app_do(app, ACTION_WHOLE);
    } else if (shown->run && run_info(shown->run)->stats && !shown->program && !request->select &&
               !request->cycles && !request->sm)
        app->view.place.screen = SCREEN_OVERVIEW;
    const bool files = has_outputs(request);
    if (request->tour && request->tui)
        return err_set(error, SIMSM_BAD_INPUT,
                       "--tour is shown in a window: leave out --tui, or press ? in the terminal");
    app->view.patient = files;
    enum simsm_status status = set_up(app, request, error);
    if (status == SIMSM_OK && request->tour)
        tour_start(app);
    if (status == SIMSM_OK)
        status = press_keys(app, shown, request->keys, error);
    if (status != SIMSM_OK)
        return status;
    return files          ? write_outputs(app, request, error)
           : request->tui ? show_in_terminal(app, shown, request->ascii, error)
                          : show(app, shown, request->scale ? scale : 0, error);
}

/* A window and a PNG are drawn with fonts of this machine: without a Chinese one, in English. */
static void check_font(const struct view_request *request)
{
    const bool drawn = request->output[0] || !has_outputs(request);
    if (!drawn || strcmp(language_name(), "zh") != 0 || outline_has_chinese())
        return;
    (void)fprintf(stderr, "simsm-view: no font with Chinese characters, so the text is English: "
                          "install fonts-noto-cjk, or name a font file in SIMSM_FONT\n");
    (void)language_choose("en");
}

static enum simsm_status run(const struct view_request *request, struct simsm_error *error)
{
    static struct app app;
    struct shown shown = {0};
    int width = 0;
    int height = 0;
    enum simsm_status status = size_of(request->size, &width, &height, error);
    uint64_t scale = (uint64_t)app_fit_scale(width, height);
    if (status == SIMSM_OK)
        status = number("--scale", request->scale, 1, 400, &scale, error);
    if (status == SIMSM_OK && scale <= 4)
        scale *= 100; /* as percent such numbers make no sense */
    if (status == SIMSM_OK && scale < 100)
        status = err_set(error, SIMSM_BAD_INPUT,
                         "--scale '%s': expected 100 to 400 percent, or a factor from 1 to 4",
                         request->scale);
    if (status == SIMSM_OK)
        status = open_files(&shown, request, error);
    if (status == SIMSM_OK) {
        app_init(&app, shown.run, shown.other, width, height, (int)scale);
        status = show_files(&app, &shown, request, (int)scale, error);
    }
    close_files(&shown);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "FILE.smtl [OTHER.smtl]\nPROGRAM.json",
        .doc =
            "Shows a timeline in a window: what every warp slot does in every cycle, and why. "
            "With a second file, compares both. Of a program, shows when its kernels, copies and "
            "calls ran; the timelines of its launches open from there.\v"
            "The digit keys change the screen; ? shows all keys. --png and --svg draw the same "
            "pictures "
            "without a display, --tui shows the timeline in a terminal; --perfetto and --kanata "
            "write files for other viewers. If FILE is -, standard output is written.",
    };
    struct view_request request = {0};
    struct simsm_error error = {0};
    argp_err_exit_status = SIMSM_BAD_INPUT;
    (void)language_choose(NULL);
    argp_parse(&argp, argc, argv, 0, NULL, &request);
    if (!request.tui)
        check_font(&request);
    enum simsm_status status = run(&request, &error);
    if (status != SIMSM_OK) {
        char text[1400];
        (void)fprintf(stderr, "simsm-view: %s\n", simsm_error_text(&error, text, sizeof text));
    }
    return (int)status;
}
