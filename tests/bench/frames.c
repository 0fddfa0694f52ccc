/*
 * Measures the viewer: opens a timeline, then draws a scripted flight through it at 1080p on all
 * screens, without a window. Prints one line: CHANGES OPEN_MS SCREEN:MEAN_MS/WORST_MS ... PEAK_MB.
 * OPEN_MS is the time until the first frame of the timeline is complete. Frames are drawn as in a
 * window: a frame decodes a part of what is missing and draws the rest coarsely, so the worst frame
 * is the longest delay for a user.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "app/app.h"

enum { WIDTH = 1920, HEIGHT = 1080, ZOOMS = 40, PANS = 20 };

/* Returns the CPU time of this process in milliseconds; other processes do not count. */
static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

struct times {
    double sum, worst;
    unsigned frames;
};

static void frame(struct app *app, struct canvas *canvas, struct times *times)
{
    double begin = now_ms();
    app_draw(app, canvas);
    double took = now_ms() - begin;
    times->sum += took;
    times->worst = took > times->worst ? took : times->worst;
    times->frames++;
}

/* Down to single cycles at a third of the picture, along, and up again. */
static struct times fly(struct app *app, struct canvas *canvas, enum screen_id screen)
{
    struct times times = {0};
    app->view.place.screen = screen;
    app_do(app, ACTION_WHOLE);
    for (int i = 0; i < ZOOMS; i++) {
        app_wheel(app, WIDTH / 3, HEIGHT / 2, 1, false, false);
        frame(app, canvas, &times);
        for (int pan = 0; pan < PANS && i % 8 == 7; pan++) {
            app_do(app, ACTION_PAN_RIGHT);
            frame(app, canvas, &times);
        }
    }
    for (int i = 0; i < ZOOMS; i++) {
        app_wheel(app, WIDTH / 3, HEIGHT / 2, -1, false, false);
        frame(app, canvas, &times);
    }
    return times;
}

int main(int argc, char **argv)
{
    struct simsm_error error;
    struct run *run = NULL;
    static struct app app;
    double begin = now_ms();
    if (argc != 2 || run_open(&run, argv[1], &error) != SIMSM_OK) {
        (void)fprintf(stderr, "bench_frames: %s\n",
                      argc == 2 ? error.message : "one timeline is wanted");
        return 2;
    }
    struct canvas *canvas = canvas_create(WIDTH, HEIGHT, 100);
    app_init(&app, run, NULL, WIDTH, HEIGHT, 100);
    struct times opening = {0};
    do
        frame(&app, canvas, &opening);
    while (app.view.loading);
    const struct timeline_info *info = run_info(run);
    uint64_t changes = 0;
    for (uint32_t i = 0; info->totals && i < info->sm_count; i++)
        changes += info->totals[i].changes;
    printf("%llu %.0f", (unsigned long long)changes, now_ms() - begin);
    for (uint32_t i = 0; i < SCREEN_COUNT; i++) {
        struct times times = fly(&app, canvas, (enum screen_id)i);
        printf(" %s:%.2f/%.2f", screens[i].name, times.sum / times.frames, times.worst);
    }
    app.view.options.by_instruction = false;
    struct times lanes = fly(&app, canvas, SCREEN_LANES);
    printf(" by-cycle:%.2f/%.2f", lanes.sum / lanes.frames, lanes.worst);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(" %.0f\n", (double)usage.ru_maxrss / 1024);
    canvas_destroy(canvas);
    run_close(run);
    return 0;
}
