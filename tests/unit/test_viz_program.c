/* The screen Program: keys that move through a program, and the way into its launches and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "viz_fixture.h"

#define KERNEL "fake_kernel" /* of timelines that fake_front makes */
enum { WIDTH = 1280, HEIGHT = 720, LAUNCHES = 3 };

static const char file[] = "test_viz_program.tmp.json";

struct fixture {
    struct program_file *program;
    struct run *run[LAUNCHES + 1]; /* by launch */
    struct app app;
    struct canvas *canvas;
};

static struct fixture fixture;

/* Writes a program with three launches on two streams, a copy and a call. */
static void write_program(void)
{
    struct activity_log log = {0};
    struct simsm_error error;
    const struct activity all[] = {
        {.kind = ACTIVITY_CALL, .begin = 0, .end = 100, .name = "cudaMalloc"},
        {.kind = ACTIVITY_KERNEL,
         .stream = 1,
         .begin = 1000,
         .end = 2000,
         .launch = 1,
         .kernel = activity_kernel_id(KERNEL),
         .grid = {6, 1, 1},
         .block = {128, 1, 1},
         .name = "first"},
        {.kind = ACTIVITY_KERNEL,
         .stream = 2,
         .begin = 1500,
         .end = 2500,
         .launch = 2,
         .kernel = activity_kernel_id(KERNEL),
         .grid = {6, 1, 1},
         .block = {128, 1, 1},
         .name = "second"},
        {.kind = ACTIVITY_KERNEL,
         .stream = 1,
         .begin = 2600,
         .end = 3000,
         .launch = 3,
         .kernel = activity_kernel_id("third"),
         .grid = {1, 1, 1},
         .block = {32, 1, 1},
         .name = "third"},
        {.kind = ACTIVITY_TO_HOST,
         .stream = 2,
         .begin = 3000,
         .end = 9000,
         .bytes = 4096,
         .name = "device to host"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        activity_add(&log, &all[i]);
    assert_true(activity_finish(&log));
    assert_int_equal(activity_write(&log, file, &error), SIMSM_OK);
    activity_free(&log);
}

static int open_all(void **state)
{
    struct simsm_error error;
    write_program();
    assert_int_equal(program_file_open(&fixture.program, file, &error), SIMSM_OK);
    for (uint64_t launch = 1; launch < LAUNCHES; launch++) {
        char path[64];
        struct fake_events events[1] = {{0}};
        uint64_t cycles = fake_kernel(&events[0], 0, 16, 4 + (uint32_t)launch, 4, 6, 1);
        (void)program_file_timeline(fixture.program, launch, path, sizeof path);
        viz_record(path, events, 1, 16, cycles);
        free(events[0].list);
    }
    fixture.canvas = canvas_create(WIDTH, HEIGHT, 100);
    *state = &fixture;
    return 0;
}

static int close_all(void **state)
{
    char path[64];
    (void)state;
    canvas_destroy(fixture.canvas);
    for (uint64_t launch = 1; launch <= LAUNCHES; launch++) {
        run_close(fixture.run[launch]);
        (void)unlink(program_file_timeline(fixture.program, launch, path, sizeof path));
    }
    program_file_close(fixture.program);
    return unlink(file);
}

static void draw(struct fixture *f)
{
    app_draw(&f->app, f->canvas);
    assert_string_equal(f->app.view.problem, "");
}

static struct fixture *start(void **state)
{
    struct fixture *f = *state;
    app_init(&f->app, NULL, NULL, WIDTH, HEIGHT, 100);
    f->app.view.patient = true;
    app_show_program(&f->app, f->program);
    draw(f);
    return f;
}

/* Presses keys, and opens the launch that they ask for, as the program around the viewer does. */
static void press(struct fixture *f, const char *keys)
{
    char word[64];
    while (*keys) {
        const size_t length = strcspn(keys, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, keys);
        if (word[0] == '=')
            app_typed(&f->app, word + 1);
        else
            app_key(&f->app, word);
        if (f->app.wish == WISH_LAUNCH) {
            const uint64_t launch = f->app.wanted.launch;
            struct simsm_error error;
            f->app.wish = WISH_NOTHING;
            assert_in_range(launch, 1, LAUNCHES);
            if (f->run[launch] ||
                program_file_open_launch(f->program, launch, &f->run[launch], &error) == SIMSM_OK)
                app_show_launch(&f->app, f->run[launch]);
        }
        draw(f);
        keys += length + strspn(keys + length, " ");
    }
}

static const char *selected(const struct fixture *f)
{
    const uint32_t at = f->app.view.place.activity;
    return at == VIEW_NONE ? "" : activities(&f->program->log)[at].name;
}

static void keys_move_through_a_program(void **state)
{
    struct fixture *f = start(state);
    assert_string_equal(selected(f), "");
    press(f, "g =1 return");
    assert_string_equal(selected(f), "first");
    press(f, "right");
    assert_string_equal(selected(f), "third");
    press(f, "right");
    assert_string_equal(selected(f), "third");
    assert_non_null(strstr(f->app.message, "last of its row"));
    press(f, "down");
    assert_string_equal(selected(f), "device to host");
    press(f, "left");
    assert_string_equal(selected(f), "second");
    press(f, "up up");
    assert_string_equal(selected(f), "cudaMalloc");
    press(f, "/ =device return");
    assert_string_equal(selected(f), "device to host");
    press(f, "escape shift+n");
    assert_string_equal(selected(f), "device to host");
    press(f, "/ =nowhere return");
    assert_string_equal(selected(f), "device to host");
    assert_non_null(strstr(f->app.message, "nowhere"));
    press(f, "g =4 return");
    assert_non_null(strstr(f->app.message, "there is no launch 4; the program has 3"));
    press(f, "g =2 return f");
    assert_true(f->app.view.place.from > 1000 && f->app.view.place.from < 1500);
    assert_true(f->app.view.place.to > 2500 && f->app.view.place.to < 3000);
    press(f, "z escape");
    assert_string_equal(selected(f), "");
    assert_true(f->app.view.place.from == 0 && f->app.view.place.to == 9001);
}

static void other_screens_need_a_launch(void **state)
{
    struct fixture *f = start(state);
    press(f, "1");
    assert_int_equal(f->app.view.place.screen, SCREEN_PROGRAM);
    assert_non_null(strstr(f->app.message, "select a kernel and press return"));
    press(f, "b return ' return [ ] tab h space pagedown return");
    assert_int_equal(f->app.view.place.screen, SCREEN_PROGRAM);
    press(f, "/ =cudaMalloc return return");
    assert_non_null(strstr(f->app.message, "only a kernel has a timeline"));
}

static void into_a_launch_and_back(void **state)
{
    struct fixture *f = start(state);
    press(f, "g =1 return f return");
    const double from = f->app.back[f->app.back_count - 1].from;
    assert_int_equal(f->app.view.place.screen, SCREEN_TIMELINE);
    assert_int_equal(f->app.view.place.launch, 1);
    assert_ptr_equal(f->app.view.run, f->run[1]);
    assert_true(f->app.view.place.to == (double)run_end(f->run[1]));
    press(f, "w w 3");
    const struct view_place inside = f->app.view.place;
    press(f, "9");
    assert_string_equal(selected(f), "first");
    assert_true(f->app.view.place.from == from);
    press(f, "3");
    assert_true(f->app.view.place.from == inside.from && f->app.view.place.to == inside.to);
    press(f, "b =1 9 g =2 return return");
    assert_int_equal(f->app.view.place.launch, 2);
    assert_ptr_equal(f->app.view.run, f->run[2]);
    press(f, "' =1"); /* the bookmark is in the other launch */
    assert_int_equal(f->app.view.place.launch, 1);
    assert_int_equal(f->app.view.place.screen, SCREEN_WAVES);
    assert_true(f->app.view.place.from == inside.from && f->app.view.place.to == inside.to);
    press(f, "backspace");
    assert_int_equal(f->app.view.place.launch, 2);
    press(f, "backspace");
    assert_int_equal(f->app.view.place.screen, SCREEN_PROGRAM);
    assert_string_equal(selected(f), "second");
}

static void a_launch_without_a_timeline(void **state)
{
    struct fixture *f = start(state);
    struct simsm_error error;
    struct run *run;
    assert_true(program_file_has_timeline(f->program, 1));
    assert_false(program_file_has_timeline(f->program, 3));
    assert_int_equal(program_file_open_launch(f->program, 3, &run, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "test_viz_program.tmp.3.smtl"));
    press(f, "g =3 return return");
    assert_int_equal(f->app.view.place.screen, SCREEN_PROGRAM);
    char first[64], third[64];
    (void)program_file_timeline(f->program, 1, first, sizeof first);
    (void)program_file_timeline(f->program, 3, third, sizeof third);
    assert_int_equal(symlink(first, third), 0);
    assert_int_equal(program_file_open_launch(f->program, 3, &run, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "launch 3, kernel third, but of a kernel " KERNEL));
}

/* A click selects a bar, a second one opens it. */
static void the_mouse(void **state)
{
    struct fixture *f = start(state);
    const struct rect area = f->app.view.time_area;
    const int x = area.x + area.w * 2000 / 9001, y = area.y + area.h * 5 / 6; /* launch 2 */
    app_move(&f->app, x, y);
    draw(f);
    assert_non_null(strstr(f->app.view.status, "launch 2: second"));
    app_press(&f->app, x, y, false);
    app_release(&f->app, x, y);
    draw(f);
    assert_string_equal(selected(f), "second");
    app_press(&f->app, x, y, true);
    assert_int_equal(f->app.wish, WISH_LAUNCH);
    assert_int_equal(f->app.wanted.launch, 2);
    f->app.wish = WISH_NOTHING;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_move_through_a_program),
        cmocka_unit_test(other_screens_need_a_launch),
        cmocka_unit_test(into_a_launch_and_back),
        cmocka_unit_test(a_launch_without_a_timeline),
        cmocka_unit_test(the_mouse),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
