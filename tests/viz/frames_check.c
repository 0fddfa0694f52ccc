/*
 * Golden frames: for each line of frames.txt
 *
 *     RUN SCREEN THEME WIDTHxHEIGHT SCALE [KEYS...] : HASH
 *
 * draws the frame, after these keys, and compares the hash of its pixels. The runs are simulated
 * here. A frame that differs is written as PNG into the folder of the second argument. With
 * REBASELINE=1 in the environment the file is rewritten with what is drawn now.
 */
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "canvas/outline.h"
#include "viz_fixture.h"

enum { MAX_LINE = 1024, TRACES = 3, RUNS = 5 };

static struct {
    const char *name, *config, *trace, *setting;
    struct run *run;
    struct program_file *program; /* a run without a trace is a program */
} runs[RUNS] = {
    {"divergent", "configs/t4.yaml", "traces/divergent.trace", "gpu.sms=2", NULL, NULL},
    {"waves", "configs/t4.yaml", "traces/lessons/waves.trace", NULL, NULL, NULL},
    {"latency", "configs/t4.yaml", "traces/lessons/latency.trace", NULL, NULL, NULL},
    {"program", NULL, NULL, NULL, NULL, NULL},
    {"ahead", "configs/h100.yaml", "traces/lessons/copy_ahead.sm_90a.cubin", "gpu.sms=2", NULL,
     NULL},
};

struct frame {
    char run[32], screen[32], theme[32];
    char keys[256];
    int width, height, scale;
    unsigned long long hash;
};

static bool parse(const char *line, struct frame *frame)
{
    int used = 0;
    const char *colon = strstr(line, " : ");
    *frame = (struct frame){.width = 0};
    if (!colon || sscanf(colon + 3, "%llx", &frame->hash) != 1 ||
        sscanf(line, "%31s %31s %31s %dx%d %d%n", frame->run, frame->screen, frame->theme,
               &frame->width, &frame->height, &frame->scale, &used) != 6)
        return false;
    (void)snprintf(frame->keys, sizeof frame->keys, "%.*s", (int)(colon - line - used),
                   line + used);
    return screen_find(frame->screen) < SCREEN_COUNT && theme_find(frame->theme) < THEME_COUNT;
}

/* The run of that name; its index in `runs`, or RUNS. */
static int open_run(const char *name)
{
    int i = 0;
    while (i < RUNS && strcmp(runs[i].name, name) != 0)
        i++;
    if (i == RUNS || runs[i].run || runs[i].program)
        return i;
    if (!runs[i].trace) {
        struct simsm_error error;
        return program_file_open(&runs[i].program, "tests/data/program/beside.json", &error) ==
                       SIMSM_OK
                   ? i
                   : RUNS;
    }
    char path[64];
    (void)snprintf(path, sizeof path, "frames_%s.tmp.smtl", name);
    viz_simulate(path, runs[i].config, runs[i].trace, runs[i].setting);
    runs[i].run = viz_open(path);
    (void)unlink(path); /* the reader has it open */
    return i;
}

static void press(struct app *app, struct canvas *canvas, char *keys)
{
    for (char *key = strtok(keys, " "); key; key = strtok(NULL, " ")) {
        app_draw(app, canvas);
        if (key[0] == '=')
            app_typed(app, key + 1);
        else
            app_key(app, key);
    }
}

/* Draws on the canvas, which has the frame's size. False, and why, if that is not possible. */
static bool draw(struct frame *frame, struct canvas *canvas)
{
    static struct app app;
    int run = open_run(frame->run);
    if (run == RUNS) {
        (void)fprintf(stderr, "there is no run %s\n", frame->run);
        return false;
    }
    int other = open_run(runs[(run + 1) % TRACES].name);
    app_init(&app, runs[run].run, runs[other].run, frame->width, frame->height, frame->scale);
    app.view.patient = true;
    app.view.options.theme = theme_find(frame->theme);
    app.view.place.screen = screen_find(frame->screen);
    if (runs[run].program)
        app_show_program(&app, runs[run].program);
    app_do(&app, ACTION_WHOLE);
    press(&app, canvas, frame->keys);
    app_draw(&app, canvas); /* twice, as pictures are made: the first finds out widths */
    app_draw(&app, canvas);
    if (app.view.problem[0])
        (void)fprintf(stderr, "%s %s: %s\n", frame->run, frame->screen, app.view.problem);
    return !app.view.problem[0];
}

static void write_png(const struct frame *frame, const struct canvas *canvas, const char *folder)
{
    char path[4096];
    struct simsm_error error;
    (void)snprintf(path, sizeof path, "%s/%s-%s-%s-%dx%d.png", folder, frame->run, frame->screen,
                   frame->theme, frame->width, frame->height);
    FILE *file = fopen(path, "wb");
    bool good = file && canvas_write_png(canvas, file, &error) == SIMSM_OK;
    good = file && fclose(file) == 0 && good;
    (void)fprintf(stderr, "%s %s %s %dx%d: the frame is not the recorded one%s%s\n", frame->run,
                  frame->screen, frame->theme, frame->width, frame->height,
                  good ? ": look at " : "", good ? path : "");
}

/* Returns the frame's hash now; 0 if it cannot be drawn. */
static unsigned long long check(struct frame *frame, const char *folder, bool tell)
{
    struct canvas *canvas = canvas_create(frame->width, frame->height, frame->scale);
    unsigned long long hash = canvas && draw(frame, canvas) ? canvas_hash(canvas) : 0;
    if (hash && hash != frame->hash && tell)
        write_png(frame, canvas, folder);
    canvas_destroy(canvas);
    return hash;
}

static int rewrite(FILE *from, const char *path)
{
    char line[MAX_LINE];
    rewind(from);
    FILE *file = fopen(path, "w");
    while (file && fgets(line, sizeof line, from))
        (void)fputs(line, file);
    return file && fclose(file) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    char line[MAX_LINE];
    outline_disable(); /* frames are the same whatever fonts the machine has */
    FILE *file = argc > 2 ? fopen(argv[1], "r") : NULL;
    FILE *rewritten = file && getenv("REBASELINE") ? tmpfile() : NULL;
    int frames = 0, bad = 0;
    while (file && fgets(line, sizeof line, file)) {
        struct frame frame;
        if (line[0] != '#' && parse(line, &frame)) {
            unsigned long long hash = check(&frame, argv[2], !rewritten);
            frames++;
            bad += !hash || hash != frame.hash;
            (void)snprintf(strstr(line, " : "), 32, " : %016llx\n", hash);
        } else if (line[0] != '#' && line[0] != '\n') {
            (void)fprintf(stderr, "%s: not understood: %s", argv[1], line);
            bad++;
        }
        if (rewritten)
            (void)fputs(line, rewritten);
    }
    for (int i = 0; i < RUNS; i++)
        run_close(runs[i].run);
    if (file)
        (void)fclose(file);
    if (rewritten)
        return rewrite(rewritten, argv[1]);
    if (bad)
        (void)fprintf(stderr, "if what is drawn now is right: REBASELINE=1 %s %s %s\n", argv[0],
                      argv[1], argc > 2 ? argv[2] : ".");
    (void)printf("%d frames, %d differ\n", frames, bad);
    return bad || !frames;
}
