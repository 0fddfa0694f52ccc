/* Work beside the warps and clusters in the viewer: sums over time, what is under the pointer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "app/app.h"
#include "viz_fixture.h"

static const char path[] = "test_viz_work.tmp.smtl";

enum { WIDTH = 1280, HEIGHT = 720, SLOTS = 8, CYCLES = 4096, TMA = 0, HGMMA = 1, CODE = 2 };

static const struct inst code[CODE] = {{.op = SIMSM_OP_TMA_STORE, .line = 7},
                                       {.op = SIMSM_OP_GMMA, .pc = 16, .line = 9}};
static const char *const text[CODE] = {"UTMASTG.2D [UR8], [UR6]", "HGMMA.64x64x16.F32 R24"};

struct fixture {
    struct app app;
    struct run *run;
    struct canvas *canvas;
};
static struct fixture fixture;

static void work(struct fake_events *events, enum simsm_event_kind kind, uint64_t cycle,
                 uint32_t slot, uint32_t number, uint32_t reach, uint32_t size)
{
    fake_emit(events, SIMSM_EVENT_WORK_SIZE, cycle, slot, reach, size);
    fake_emit(events, kind, cycle, slot, number, kind == SIMSM_EVENT_PRODUCT ? HGMMA : TMA);
}

/* Warp 3 of block 6 in slot 5 copies from 1024 to 2048, and its copy wakes slot 2; the tensor core
 * of sub-partition 2 works from 1000 to 1512, at two products. */
static void tell(struct fake_events *events)
{
    fake_emit(events, SIMSM_EVENT_BLOCK_START, 100, 0, 0, 6);
    fake_emit(events, SIMSM_EVENT_WARP_START, 100, 5, 3, 6);
    fake_emit(events, SIMSM_EVENT_WARP_STATE, 100, 5, SIMSM_STATE_WAIT, TMA);
    fake_emit(events, SIMSM_EVENT_WARP_STATE, 900, 2, SIMSM_STATE_SHORT_SCOREBOARD, TMA);
    work(events, SIMSM_EVENT_PRODUCT, 990, 2, 0, 0, 10 << 16 | 300);
    work(events, SIMSM_EVENT_PRODUCT, 991, 2, 0, 0, 209 << 16 | 312);
    work(events, SIMSM_EVENT_COPY_START, 1024, 5, 17, 2, 4096);
    fake_emit(events, SIMSM_EVENT_COPY_WAKE, 2048, 2, 17, 0);
    fake_emit(events, SIMSM_EVENT_COPY_END, 2048, 0, 17, 0);
    fake_emit(events, SIMSM_EVENT_WARP_STATE, 2060, 2, SIMSM_STATE_WAIT, TMA);
}

static int open_all(void **state)
{
    struct fake_events events = {0};
    struct front front;
    fake_front(&front);
    front.code = code;
    front.text = text;
    front.code_size = CODE;
    memcpy(front.launch.grid, (uint32_t[]){4, 4, 2}, sizeof front.launch.grid);
    memcpy(front.launch.cluster, (uint32_t[]){2, 2, 1}, sizeof front.launch.cluster);
    tell(&events);
    viz_record_front(path, &front, &events, 1, SLOTS, CYCLES);
    free(events.list);
    fixture.run = viz_open(path);
    fixture.canvas = canvas_create(WIDTH, HEIGHT, 100);
    *state = &fixture;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    canvas_destroy(fixture.canvas);
    run_close(fixture.run);
    return unlink(path);
}

static void draw(struct fixture *f)
{
    app_draw(&f->app, f->canvas);
    assert_string_equal(f->app.view.problem, "");
}

static struct fixture *start(void **state, enum screen_id screen)
{
    struct fixture *f = *state;
    app_init(&f->app, f->run, NULL, WIDTH, HEIGHT, 100);
    f->app.view.patient = true;
    f->app.view.place.screen = screen;
    f->app.view.place.from = 0;
    f->app.view.place.to = CYCLES;
    draw(f);
    draw(f);
    return f;
}

/* In parts of 1/16 of the run, and in parts of a cycle. */
static void sums_are_those_of_the_work(void **state)
{
    struct fixture *f = *state;
    struct track *track = viz_track(f->run, 0);
    static double products[CYCLES];
    static double copies[CYCLES];
    struct simsm_error error;
    assert_true(track_has_products(track));
    assert_int_equal(track_most_copies(track), 1);
    for (uint32_t count = 16; count <= CYCLES; count *= 256) {
        double busy = 0;
        assert_int_equal(track_products(track, 2, 0, CYCLES, products, count, &error), SIMSM_OK);
        assert_int_equal(track_copies(track, 0, CYCLES, copies, count, &error), SIMSM_OK);
        for (uint32_t i = 0; i < count; i++) {
            busy += products[i] * CYCLES / count;
            assert_true(fabs(copies[i] - (i >= count / 4 && i < count / 2)) < 1e-9);
        }
        assert_true(fabs(busy - 512) < 1e-9); /* time of two products at once counts once */
    }
    assert_true(products[999] == 0 && products[1000] == 1 && products[1511] == 1);
    assert_int_equal(track_products(track, 1, 0, CYCLES, products, 16, &error), SIMSM_OK);
    assert_true(products[4] == 0);
}

/* Moves the pointer down over the screen at a cycle, until the status begins with `words`. */
static bool find_below(struct fixture *f, double cycle, const char *words)
{
    const struct view *view = &f->app.view;
    const double part = (cycle - view->shown_from) / view->shown_cycles_per_px;
    for (int y = 40; y < HEIGHT; y++) {
        app_move(&f->app, view->time_area.x + (int)part, y);
        draw(f);
        if (strncmp(view->status, words, strlen(words)) == 0)
            return true;
    }
    return false;
}

static void the_pointer_tells_of_work(void **state)
{
    struct fixture *f = start(state, SCREEN_TIMELINE);
    assert_true(find_below(f, 1500,
                           "Product by slot 0 of sub-partition 2, cycles 1200 to 1512: "
                           "312 cycles, issued at 991"));
    assert_true(find_below(f, 1500,
                           "TMA store of 4096 bytes, multicast to 2 SMs, by warp 3 of block 6, "
                           "cycles 1024 to 2048: 1024 cycles   `UTMASTG.2D [UR8], [UR6]` "
                           "(line 7)"));
    assert_int_equal(f->app.view.target.kind, TARGET_CELL);
    assert_int_equal(f->app.view.target.slot, 5);
    assert_int_equal(f->app.view.target.cycle, 1024);
    assert_false(find_below(f, 2500, "TMA"));
}

static void a_wait_names_the_copy_that_ends_it(void **state)
{
    struct fixture *f = start(state, SCREEN_TIMELINE);
    const uint64_t before = canvas_hash(f->canvas);
    f->app.view.place.slot = 2;
    f->app.view.place.cycle = 1900;
    f->app.view.options.inspector = false;
    draw(f);
    draw(f);
    assert_true(canvas_hash(f->canvas) != before);
    const struct history *history = NULL;
    struct simsm_error error;
    struct track *track = viz_track(f->run, 0);
    assert_int_equal(track_history(track, 0, CYCLES, &history, &error), SIMSM_OK);
    const struct timeline_wake *wake = history_wake_of(history, 2, 1900);
    assert_non_null(wake);
    assert_int_equal(history_waker(history, wake)->slot, 5);
    assert_null(history_wake_of(history, 2, 2100));
    assert_null(history_wake_of(history, 5, 1900));
}

static void blocks_have_ranks_in_clusters(void **state)
{
    struct fixture *f = start(state, SCREEN_WAVES);
    struct run_cluster cluster;
    /* Block 6 is (2, 1, 0), block 29 (1, 3, 1). */
    assert_true(run_cluster_of(f->run, 6, &cluster));
    assert_true(cluster.cluster == 1 && cluster.rank == 2 && cluster.blocks == 4);
    assert_true(run_cluster_of(f->run, 29, &cluster));
    assert_true(cluster.cluster == 6 && cluster.rank == 3);
    assert_true(find_below(f, 1500, "block 6 "));
    assert_non_null(strstr(f->app.view.status, "cluster 1, rank 2 of 4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_those_of_the_work),
        cmocka_unit_test(the_pointer_tells_of_work),
        cmocka_unit_test(a_wait_names_the_copy_that_ends_it),
        cmocka_unit_test(blocks_have_ranks_in_clusters),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
