/* The effect of input on the state of the viewer. Frames are drawn in between, as in a window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "app/app.h"
#include "app/moves.h"
#include "app/search.h"
#include "view/timeline_parts.h"
#include "view/view_compare.h"
#include "viz_fixture.h"

static const char path[] = "test_viz_app.tmp.smtl";
enum { WIDTH = 640, HEIGHT = 360, SLOTS = 16 };

struct fixture {
    struct run *run;
    struct app app;
    struct canvas *canvas;
};

static struct fixture fixture;

static int open_all(void **state)
{
    struct fake_events events[3] = {{0}};
    uint64_t cycles = fake_kernel(&events[0], 0, SLOTS, 6, 4, 6, 1);
    (void)fake_kernel(&events[2], 2, SLOTS, 2, 4, 2, 2);
    viz_record(path, events, 3, SLOTS, cycles);
    free(events[0].list);
    free(events[2].list);
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

static struct fixture *start(void **state)
{
    struct fixture *f = *state;
    app_init(&f->app, f->run, NULL, WIDTH, HEIGHT, 100);
    f->app.view.patient = true;
    draw(f);
    return f;
}

static void press_keys(struct fixture *f, const char *keys)
{
    char word[64];
    while (*keys) {
        size_t length = strcspn(keys, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, keys);
        if (word[0] == '=')
            app_typed(&f->app, word + 1);
        else
            app_key(&f->app, word);
        draw(f);
        keys += length + strspn(keys + length, " ");
    }
}

static double cycle_at(const struct fixture *f, int x)
{
    const struct view *view = &f->app.view;
    return view->place.from +
           (x - view->time_area.x) * (view->place.to - view->place.from) / view->time_area.w;
}

static bool same_place(const struct view_place *a, const struct view_place *b)
{
    return a->screen == b->screen && a->sm == b->sm && a->from == b->from && a->to == b->to &&
           a->row_height == b->row_height && a->scroll == b->scroll && a->slot == b->slot &&
           a->cycle == b->cycle && a->line == b->line;
}

/* ---- Keys ---- */

static void test_every_key_has_one_action(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ACTION_COUNT; i++) {
        assert_true(actions[i].keys[0] && actions[i].meaning[0] && actions[i].section[0]);
        const char *at = actions[i].keys;
        while (*at) {
            char key[64];
            size_t length = strcspn(at, " ");
            (void)snprintf(key, sizeof key, "%.*s", (int)length, at);
            if (action_of(key) != (enum app_action)i)
                fail_msg("the key %s of \"%s\" does another thing", key, actions[i].meaning);
            at += length + strspn(at + length, " ");
        }
    }
    assert_int_equal(action_of(""), ACTION_COUNT);
    assert_int_equal(action_of("alt+f4"), ACTION_COUNT);
}

static void test_screens(void **state)
{
    struct fixture *f = start(state);
    for (uint32_t i = 0; i < SCREEN_COUNT; i++) {
        press_keys(f, screens[i].key);
        assert_int_equal(f->app.view.place.screen, i);
        press_keys(f, "tab");
        assert_int_equal(f->app.view.place.screen, (i + 1) % SCREEN_COUNT);
        press_keys(f, "shift+tab");
        assert_int_equal(f->app.view.place.screen, i);
        assert_int_equal(screen_find(screens[i].name), i);
        assert_true(screens[i].question[0] && screens[i].help[0]);
    }
    assert_int_equal(screen_find("nothing"), SCREEN_COUNT);
}

static void test_sms(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "pagedown");
    assert_int_equal(f->app.view.place.sm, 1);
    press_keys(f, "pagedown pagedown pagedown");
    assert_int_equal(f->app.view.place.sm, 2);
    press_keys(f, "pageup pageup pageup pageup");
    assert_int_equal(f->app.view.place.sm, 0);
}

/* A run is first shown at an SM that did something: SM 0 may have no block. */
static void test_first_sm(void **state)
{
    (void)state;
    static const char one[] = "test_viz_app_one.tmp.smtl";
    struct fake_events events[3] = {{0}};
    const uint64_t cycles = fake_kernel(&events[2], 2, SLOTS, 2, 4, 2, 2);
    viz_record(one, events, 3, SLOTS, cycles);
    free(events[2].list);
    struct run *run = viz_open(one);
    assert_int_equal(place_first(run, 0).sm, 2);
    run_close(run);
    assert_int_equal(unlink(one), 0);
}

/* Digits go to the field of Occupancy that has the keyboard, and change the screen otherwise. */
static void test_typed_values(void **state)
{
    struct fixture *f = start(state);
    struct view_options *options = &f->app.view.options;
    press_keys(f, "4 down 2 =56");
    assert_int_equal(f->app.view.place.screen, SCREEN_OCCUPANCY);
    assert_int_equal(options->threads, 256);
    press_keys(f, "=000");
    assert_int_equal(options->threads, 256);
    assert_non_null(strstr(f->app.message, "Threads per block: from 1 to "));
    press_keys(f, "backspace backspace backspace backspace");
    assert_int_equal(options->threads, 25);
    press_keys(f, "return escape");
    assert_int_equal(options->threads, VIEW_NONE);
    press_keys(f, "1");
    assert_int_equal(f->app.view.place.screen, SCREEN_TIMELINE);
}

/* Compare has the cycles of both runs, and other screens show those of one again. */
static void test_whole_runs_stay_whole(void **state)
{
    struct fixture *f = start(state);
    static const char longer[] = "test_viz_app_longer.tmp.smtl";
    struct fake_events events = {0};
    const uint64_t cycles = fake_kernel(&events, 0, SLOTS, 12, 4, 6, 1);
    viz_record(longer, &events, 1, SLOTS, cycles);
    free(events.list);
    f->app.view.other = viz_open(longer);
    assert_true(run_end(f->app.view.other) > run_end(f->run));
    press_keys(f, "8");
    assert_true(f->app.view.place.to == (double)run_end(f->app.view.other));
    press_keys(f, "1");
    assert_true(f->app.view.place.to == (double)run_end(f->run));
    press_keys(f, "8 w w w");
    app_show_cycles(&f->app, (double)run_end(f->run) + 1, (double)run_end(f->app.view.other));
    press_keys(f, "1");
    assert_true(f->app.view.place.to <= (double)run_end(f->run));
    run_close(f->app.view.other);
    f->app.view.other = NULL;
    assert_int_equal(unlink(longer), 0);
}

/* ---- Zoom, pan, back ---- */

static void test_zoom_keeps_the_cycle_under_the_pointer(void **state)
{
    struct fixture *f = start(state);
    struct rect area = f->app.view.time_area;
    static const int percent[] = {1, 25, 50, 99};
    for (int p = 0; p < 4; p++) {
        int x = area.x + area.w * percent[p] / 100;
        app_do(&f->app, ACTION_WHOLE);
        draw(f);
        double cycle = cycle_at(f, x);
        for (int i = 0; i < 60; i++) { /* in as far as it goes */
            double before = f->app.view.place.to - f->app.view.place.from;
            app_wheel(&f->app, x, area.y + 20, 1, false, false);
            draw(f);
            double after = f->app.view.place.to - f->app.view.place.from;
            assert_true(after <= before);
            assert_true(fabs(cycle_at(f, x) - cycle) < 1e-6);
        }
        assert_true(fabs(f->app.view.place.to - f->app.view.place.from - area.w / 64.0) < 1e-9);
        for (int i = 0; i < 60; i++) {
            app_wheel(&f->app, x, area.y + 20, -1, false, false);
            draw(f);
        }
        assert_true(f->app.view.place.from == (double)run_begin(f->run));
        assert_true(f->app.view.place.to == (double)run_end(f->run));
    }
}

static void test_pan_stays_in_the_run(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "w w w w w w");
    double shown = f->app.view.place.to - f->app.view.place.from;
    for (int i = 0; i < 60; i++)
        press_keys(f, "a");
    assert_true(f->app.view.place.from == (double)run_begin(f->run));
    for (int i = 0; i < 200; i++)
        press_keys(f, "d");
    assert_true(fabs(f->app.view.place.to - (double)run_end(f->run)) < 1e-6);
    assert_true(fabs(f->app.view.place.to - f->app.view.place.from - shown) < 1e-6);
    app_wheel(&f->app, 300, 200, 2, true, false); /* Shift: through time */
    assert_true(f->app.view.place.to < (double)run_end(f->run));
}

static void test_drag_moves_what_is_under_it(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "w w w w");
    struct rect area = f->app.view.time_area;
    int x = area.x + area.w / 2, y = area.y + area.h / 2;
    double cycle = cycle_at(f, x);
    struct view_place before = f->app.view.place;
    app_press(&f->app, x, y, false);
    for (int i = 1; i <= 20; i++) {
        app_move(&f->app, x + 3 * i, y);
        draw(f);
        assert_true(fabs(cycle_at(f, x + 3 * i) - cycle) < 1e-6);
    }
    app_release(&f->app, x + 60, y);
    assert_int_equal(f->app.view.place.slot, before.slot); /* a drag is no click */
    app_move(&f->app, x, y);
    assert_true(fabs(cycle_at(f, x + 60) - cycle) < 1e-6);
}

/* The strip of the whole run: a press goes there, a drag moves the picture or one of its edges. */
static void test_minimap(void **state)
{
    struct fixture *f = start(state);
    const struct view_place *place = &f->app.view.place;
    press_keys(f, "1");
    assert_int_equal(f->app.map.w, 0); /* none in a window this low */
    struct canvas *small = f->canvas;
    f->canvas = canvas_create(1280, 720, 100);
    app_resize(&f->app, 1280, 720, 100);
    press_keys(f, "z w w w w w w");
    const struct rect map = f->app.map;
    const double all = (double)run_end(f->run), shown = place->to - place->from;
    const int y = map.y + map.h / 2;
    assert_int_equal(map.x, f->app.view.time_area.x);
    assert_true(map.w > 0 && map.y + map.h <= f->app.view.time_area.y);
    app_press(&f->app, map.x + map.w * 3 / 4, y, false);
    assert_true(fabs((place->from + place->to) / 2 - all * 3 / 4) < 2 * all / map.w);
    app_move(&f->app, map.x + map.w / 4, y);
    assert_true(fabs((place->from + place->to) / 2 - all / 4) < 2 * all / map.w);
    assert_true(fabs(place->to - place->from - shown) < 1e-6);
    app_release(&f->app, map.x + map.w / 4, y);
    draw(f);
    const double from = place->from, to = place->to;
    const int edge = map.x + (int)(to / all * map.w);
    app_press(&f->app, edge, y, false);
    app_move(&f->app, edge + 100, y + 300); /* also beside the strip */
    app_release(&f->app, edge + 100, y + 300);
    assert_true(fabs(place->from - from) < 1e-6);
    assert_true(fabs(place->to - to - 100 * all / map.w) < 2 * all / map.w);
    assert_int_equal(place->slot, VIEW_NONE); /* nothing below was selected */
    app_move(&f->app, edge, y);
    assert_true(fabs(place->from - from) < 1e-6);
    canvas_destroy(f->canvas);
    f->canvas = small;
}

static void test_click_selects_what_is_there(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "w w w w w w w w");
    struct rect area = f->app.view.time_area;
    struct viz_plain plain = viz_plain_of(f->run, 0);
    int chosen = 0;
    for (int y = area.y + 2; y < area.y + area.h; y += 7) {
        int x = area.x + (y * 31) % area.w;
        press_keys(f, "escape");
        const struct view *view = &f->app.view;
        double cycle = view->shown_from + (x - area.x) * view->shown_cycles_per_px;
        app_move(&f->app, x, y);
        draw(f); /* finds out what is there */
        app_press(&f->app, x, y, false);
        app_release(&f->app, x, y);
        draw(f);
        const struct view_place *place = &f->app.view.place;
        if (place->slot == VIEW_NONE)
            continue;
        chosen++;
        assert_true(place->slot < SLOTS);
        if (fabs((double)place->cycle - cycle) > 1 + view->shown_cycles_per_px)
            fail_msg("cycle %g is selected at cycle %g", (double)place->cycle, cycle);
        uint8_t s = plain.state[place->slot][place->cycle - plain.begin];
        assert_non_null(strstr(f->app.view.status, simsm_states[s].title));
    }
    assert_true(chosen > 5);
    viz_plain_free(&plain);
}

static void test_block_of_an_sm_that_is_not_recorded(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "3");
    f->app.view.target = (struct view_target){.kind = TARGET_BLOCK, .sm = 77, .cycle = 1};
    select_target(&f->app);
    assert_non_null(strstr(f->app.message, "SM 77 is not recorded"));
    assert_non_null(strstr(f->app.message, "--timeline-sm"));
    assert_int_equal(f->app.view.place.screen, SCREEN_WAVES);
}

static void test_bookmarks_keep_place_and_zoom(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "w w w w d d 2 pagedown right right");
    struct view_place kept = f->app.view.place;
    press_keys(f, "b =3");
    assert_false(app_asks(&f->app));
    press_keys(f, "z pageup 5 escape ' =3");
    assert_true(same_place(&f->app.view.place, &kept));
    press_keys(f, "backspace"); /* to where one was before */
    assert_int_equal(f->app.view.place.screen, SCREEN_LATENCY);
    press_keys(f, "' =7");
    assert_non_null(strstr(f->app.message, "there is no place 7"));
    press_keys(f, "b =x");
    assert_false(app_asks(&f->app));
}

static void test_back(void **state)
{
    struct fixture *f = start(state);
    struct view_place whole = f->app.view.place;
    press_keys(f, "w w w");
    struct view_place near = f->app.view.place;
    press_keys(f, "z backspace");
    assert_true(same_place(&f->app.view.place, &near));
    for (int i = 0; i < 3 * APP_BACK; i++)
        press_keys(f, "z");
    assert_true(f->app.back_count <= APP_BACK);
    for (int i = 0; i < 3 * APP_BACK; i++)
        press_keys(f, "backspace");
    assert_true(f->app.view.place.from == whole.from && f->app.view.place.to == whole.to);
}

/* A burst of zooms and pans is one step; a drag is a step of its own. */
static void test_back_from_zooming_and_dragging(void **state)
{
    struct fixture *f = start(state);
    struct view_place whole = f->app.view.place;
    struct rect area = f->app.view.time_area;
    for (int i = 0; i < 5; i++)
        app_wheel(&f->app, area.x + area.w / 2, area.y + 20, 1, false, false);
    app_wheel(&f->app, area.x + area.w / 2, area.y + 20, 1, true, false);
    struct view_place near = f->app.view.place;
    assert_true(near.to - near.from < (whole.to - whole.from) / 2);
    app_press(&f->app, area.x + 100, area.y + 20, false);
    for (int x = 90; x > 0; x -= 30)
        app_move(&f->app, area.x + x, area.y + 20);
    app_release(&f->app, area.x, area.y + 20);
    assert_true(f->app.view.place.from > near.from);
    press_keys(f, "backspace");
    assert_true(f->app.view.place.from == near.from && f->app.view.place.to == near.to);
    press_keys(f, "backspace");
    assert_true(f->app.view.place.from == whole.from && f->app.view.place.to == whole.to);
}

static void test_resize(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "w w w w w w");
    struct view_place before = f->app.view.place;
    static const int sizes[][3] = {{1280, 720, 200}, {640, 360, 100}, {250, 200, 100}};
    for (int i = 0; i < 3; i++) {
        assert_true(canvas_resize(f->canvas, sizes[i][0], sizes[i][1], sizes[i][2]));
        app_resize(&f->app, sizes[i][0], sizes[i][1], sizes[i][2]);
        draw(f);
        assert_true(f->app.view.place.from == before.from && f->app.view.place.to == before.to);
        assert_true(f->app.view.time_area.x + f->app.view.time_area.w <= sizes[i][0]);
    }
    assert_true(canvas_resize(f->canvas, WIDTH, HEIGHT, 100));
}

/* Texts grow with the picture, but not so much that it shows no more than a small one. */
static void test_scale_by_size(void **state)
{
    (void)state;
    assert_int_equal(app_fit_scale(640, 360), 100);
    assert_int_equal(app_fit_scale(1280, 720), 100);
    assert_int_equal(app_fit_scale(1920, 1080), 125);
    assert_int_equal(app_fit_scale(3840, 720), 100);
    assert_int_equal(app_fit_scale(3840, 2160), 200);
    assert_int_equal(app_fit_scale(100000, 100000), 400);
}

/* ---- Going to places ---- */

/* In a small window the help has pages. The key closes the help on the last page; then it begins
 * again. */
static void test_help_has_pages_where_it_must(void **state)
{
    struct fixture *f = start(state);
    assert_true(canvas_resize(f->canvas, 1280, 720, 100));
    press_keys(f, "?");
    assert_int_equal(f->app.help_pages, 1);
    press_keys(f, "?");
    assert_false(f->app.help);
    assert_true(canvas_resize(f->canvas, WIDTH, HEIGHT, 100));
    for (int turn = 0; turn < 2; turn++) {
        press_keys(f, "?");
        assert_int_equal(f->app.help_page, 0);
        int pages = f->app.help_pages;
        assert_in_range(pages, 3, 8);
        for (int page = 1; page < pages; page++) {
            press_keys(f, "?");
            assert_true(f->app.help);
            assert_int_equal(f->app.help_page, page);
        }
        press_keys(f, "?");
        assert_false(f->app.help);
    }
}

static void test_go_to_a_cycle(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "w w w w g =1700 return");
    assert_int_equal(f->app.view.place.cycle, 1700);
    assert_true(f->app.view.place.from <= 1700 && f->app.view.place.to > 1700);
    press_keys(f, "g =99x return");
    assert_non_null(strstr(f->app.message, "cycles go from"));
    press_keys(f, "g =99999999999999999999 return");
    assert_non_null(strstr(f->app.message, "cycles go from"));
    press_keys(f, "g =12 backspace backspace backspace escape");
    assert_false(app_asks(&f->app));
    assert_int_equal(f->app.view.place.cycle, 1700);
    for (int i = 0; i < 100; i++) /* longer than there is room for */
        press_keys(f, i ? "=abcdefgh" : "/ =abc");
    press_keys(f, "return");
    assert_false(app_asks(&f->app));
}

static void test_steps_stay_in_the_run(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "g =1600 return right right left ctrl+right ctrl+shift+right ctrl+left");
    assert_int_equal(f->app.view.place.cycle, 1701);
    for (int i = 0; i < 200; i++)
        app_key(&f->app, "ctrl+shift+right");
    assert_int_equal(f->app.view.place.cycle, run_end(f->run) - 1);
    for (int i = 0; i < 200; i++)
        app_key(&f->app, "ctrl+shift+left");
    assert_int_equal(f->app.view.place.cycle, run_begin(f->run));
}

/* Selecting the first slot keeps the visible cycles in the picture. */
static void test_first_row(void **state)
{
    struct fixture *f = start(state);
    app_show_cycles(&f->app, 1600, 1700);
    press_keys(f, "down");
    assert_int_equal(f->app.view.place.slot, 0);
    assert_int_equal(f->app.view.place.cycle, 1650);
    assert_float_equal(f->app.view.place.from, 1600, 0);
}

/* Up and down visit every slot once, sub-partition by sub-partition. */
static void test_rows(void **state)
{
    struct fixture *f = start(state);
    bool seen[SLOTS] = {false};
    press_keys(f, "g =1600 return down");
    for (int i = 0; i < SLOTS; i++)
        press_keys(f, "up");
    for (int i = 0; i < SLOTS; i++) {
        uint32_t slot = f->app.view.place.slot;
        assert_true(slot < SLOTS);
        assert_false(seen[slot]);
        assert_int_equal(slot % 4, i / (SLOTS / 4));
        seen[slot] = true;
        press_keys(f, "down");
    }
    for (int i = 0; i < 2 * SLOTS; i++)
        press_keys(f, "up");
    assert_int_equal(f->app.view.place.slot, 0);
}

/* Through all changes and issues of a slot, forth and back. */
static void test_next_change_and_issue(void **state)
{
    struct fixture *f = start(state);
    struct track *track = viz_track(f->run, 0);
    struct viz_plain plain = viz_plain_of(f->run, 0);
    for (uint32_t slot = 0; slot < SLOTS; slot += 5) {
        const uint8_t *row = plain.state[slot];
        uint64_t at = plain.begin, found;
        for (uint64_t i = 1; i < plain.end - plain.begin; i++) {
            if (row[i] == row[i - 1])
                continue;
            assert_true(search_step(track, slot, at, false, false, &found));
            assert_int_equal(found, plain.begin + i);
            if (row[i] == SIMSM_STATE_ISSUED) {
                assert_true(search_step(track, slot, found - 1, true, false, &found));
                assert_int_equal(found, plain.begin + i);
                assert_true(search_step(track, slot, found + 1, true, true, &found));
                assert_int_equal(found, plain.begin + i);
            }
            if (at > plain.begin) {
                uint64_t back;
                assert_true(search_step(track, slot, found, false, true, &back));
                assert_int_equal(back, at);
            }
            at = found;
        }
        assert_false(search_step(track, slot, plain.end, true, false, &found));
        assert_false(search_step(track, slot, plain.begin, true, true, &found));
    }
    viz_plain_free(&plain);
}

/* Returns the instruction that the slot of a place issues in its cycle. */
static uint32_t issued_at(struct run *run, const struct view_place *place)
{
    struct timeline_data data = {0};
    struct simsm_error error;
    uint32_t count, pc = UINT32_MAX;
    const struct timeline_chunk *chunks = timeline_read_chunks(run_reader(run), place->sm, &count);
    for (uint32_t c = 0; c < count; c++) {
        viz_need(timeline_read_chunk(run_reader(run), &chunks[c], &data, &error) == SIMSM_OK,
                 &error);
        for (uint32_t i = 0; i < data.issue_count; i++)
            if (data.issues[i].slot == place->slot && data.issues[i].cycle == place->cycle)
                pc = data.issues[i].pc;
    }
    timeline_data_free(&data);
    return pc;
}

static void test_search(void **state)
{
    struct fixture *f = start(state);
    struct viz_plain plain = viz_plain_of(f->run, 0);
    static const struct {
        const char *words;
        uint32_t state, pc;
    } cases[] = {
        {"op LDG", SIMSM_STATE_ISSUED, FAKE_LDG},
        {"pc 0x60", SIMSM_STATE_ISSUED, FAKE_BAR},
        {"state B", SIMSM_STATE_BARRIER, UINT32_MAX},
        {"R7, 1.0", SIMSM_STATE_ISSUED, 8},
        {"state long scoreboard", SIMSM_STATE_LONG_SCOREBOARD, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct view_place place = f->app.view.place;
        char message[256] = "";
        uint64_t last = 0;
        for (int n = 0; n < 5; n++) {
            assert_true(search_run(f->run, cases[i].words, &place, false, message, sizeof message));
            assert_int_equal(plain.state[place.slot][place.cycle - plain.begin], cases[i].state);
            if (cases[i].pc != UINT32_MAX)
                assert_int_equal(issued_at(f->run, &place), cases[i].pc);
            assert_true(place.cycle >= last);
            last = place.cycle;
        }
        struct view_place there = place;
        assert_true(search_run(f->run, cases[i].words, &place, false, message, sizeof message));
        assert_true(search_run(f->run, cases[i].words, &place, true, message, sizeof message));
        assert_true(same_place(&place, &there));
    }
    static const char *const nothing[] = {"state Q", "op HMMA", "block 4711",     "mask<3",
                                          "zzz",     "cycle 1", "cycle 999999999"};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        struct view_place place = f->app.view.place;
        char message[256] = "";
        assert_false(search_run(f->run, nothing[i], &place, false, message, sizeof message) &&
                     strcmp(nothing[i], "cycle 1") != 0);
        assert_true(message[0] || strcmp(nothing[i], "cycle 1") == 0);
    }
    viz_plain_free(&plain);
}

/* ---- Playing, wishes, pages ---- */

static void test_playing(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "w w w w w w");
    struct view_place *place = &f->app.view.place;
    double from = place->from;
    double shown = place->to - from;
    app_tick(&f->app, 1);
    assert_true(place->from == from && !place->cursor);
    press_keys(f, "space"); /* the played cycle begins at the left edge */
    double rate = app_play_rate(&f->app);
    assert_true(rate > shown / 100 && rate < shown);
    app_tick(&f->app, 0.5);
    assert_true(place->from == from && place->cursor);
    assert_true(fabs((double)place->cycle - from - rate / 2) <= 1);
    press_keys(f, "] ]");
    assert_true(fabs(app_play_rate(&f->app) - 4 * rate) < 1e-9);
    press_keys(f, "w");
    assert_true(app_play_rate(&f->app) < 4 * rate); /* what is seen is slower when near */
    press_keys(f, "s");
    app_tick(&f->app, shown / app_play_rate(&f->app)); /* the picture goes along */
    assert_true(place->from > from && (double)place->cycle < place->to);
    for (int i = 0; i < 100; i++)
        press_keys(f, "]");
    app_tick(&f->app, 1e9);
    assert_int_equal(place->cycle, run_end(f->run) - 1);
    assert_false(f->app.playing);
    for (int i = 0; i < 100; i++)
        press_keys(f, "[");
    assert_true(app_play_rate(&f->app) >= 1);
}

/* Shift and drag: which cycles, and what the warps did there. */
static void test_stretch(void **state)
{
    struct fixture *f = start(state);
    struct view *view = &f->app.view;
    struct rect area = view->time_area;
    struct view_place before = view->place;
    unsigned long long hash = canvas_hash(f->canvas);
    app_move(&f->app, area.x + 300, area.y + 30);
    draw(f);
    app_press_stretch(&f->app, area.x + 300, area.y + 30);
    app_move(&f->app, area.x + 100, area.y + area.h * 9 / 10);
    draw(f);
    app_release(&f->app, area.x + 100, area.y + area.h * 9 / 10);
    draw(f);
    assert_true(same_place(&before, &view->place)); /* not moved, nothing selected */
    assert_true(view->stretch.on && hash != canvas_hash(f->canvas));
    assert_true(fabs(view->stretch.from - cycle_at(f, area.x + 100)) <= 1);
    assert_true(fabs(view->stretch.to - cycle_at(f, area.x + 300)) <= 1);
    assert_int_equal(view->stretch.first, 0);
    assert_true(view->stretch.last > 0);
    struct stretch_sums sums, whole = {0};
    assert_true(timeline_stretch_sums(view, viz_track(f->run, 0), &sums));
    double slots =
        SLOTS / run_info(f->run)->sub_partitions * (view->stretch.last - view->stretch.first + 1);
    for (int s = 0; s < SIMSM_STATE_COUNT; s++)
        whole.cycles += sums.states[s];
    assert_true(fabs(whole.cycles - slots * sums.cycles) < 1e-6);
    assert_true(fabs(sums.issues - sums.states[SIMSM_STATE_ISSUED]) < 1e-6);
    press_keys(f, "escape");
    assert_false(view->stretch.on);
}

/* A search shows the number of the match; other matches in the picture are marked until Escape. */
static void test_search_counts(void **state)
{
    struct fixture *f = start(state);
    unsigned long long rank = 0, all = 0;
    uint64_t issues = 0;
    for (uint32_t i = 0; i < run_info(f->run)->line_count; i++)
        issues += track_lines(viz_track(f->run, 0))[i].issues;
    press_keys(f, "/ =mask<33 return");
    assert_int_equal(sscanf(f->app.message, "mask<33: %llu of %llu", &rank, &all), 2);
    assert_int_equal(all, issues);
    assert_true(f->app.view.mark_count > 1 && f->app.view.mark_count <= VIEW_MARKS);
    press_keys(f, "n");
    assert_non_null(strstr(f->app.message, " of "));
    unsigned long long next = 0;
    assert_int_equal(sscanf(f->app.message, "mask<33: %llu of", &next), 1);
    assert_int_equal(next, rank + 1);
    press_keys(f, "escape");
    assert_int_equal(f->app.view.mark_count, 0);
}

/* The tour ends by itself, by escape, or by a click beside its box, and returns to where it began.
 */
static void test_tour(void **state)
{
    struct fixture *f = start(state);
    press_keys(f, "6 down");
    const struct view_place before = f->app.view.place;
    const uint64_t hash = canvas_hash(f->canvas);
    press_keys(f, "shift+t");
    assert_int_equal(f->app.tour, 1);
    assert_true(canvas_hash(f->canvas) != hash);
    press_keys(f, "space space right return left");
    assert_int_equal(f->app.tour, 4);
    assert_int_equal(f->app.view.place.screen, SCREEN_TIMELINE);
    app_press(&f->app, f->app.tour_box.x + 1, f->app.tour_box.y + 1, false);
    draw(f);
    assert_int_equal(f->app.tour, 5);
    press_keys(f, "space space");
    assert_int_equal(f->app.tour, 0);
    assert_true(same_place(&f->app.view.place, &before));
    press_keys(f, "shift+t space escape");
    assert_int_equal(f->app.tour, 0);
    assert_true(same_place(&f->app.view.place, &before));
    press_keys(f, "shift+t space");
    app_press(&f->app, 0, HEIGHT - 1, false);
    draw(f);
    assert_int_equal(f->app.tour, 0);
    assert_true(same_place(&f->app.view.place, &before));
    press_keys(f, "shift+t 3"); /* another key does what it does without the tour */
    assert_int_equal(f->app.tour, 0);
    assert_int_equal(f->app.view.place.screen, SCREEN_WAVES);
}

static void test_wishes(void **state)
{
    struct fixture *f = start(state);
    static const struct {
        const char *key;
        enum app_wish wish;
    } cases[] = {{"p", WISH_PNG},
                 {"shift+p", WISH_SVG},
                 {"e", WISH_CSV},
                 {"h", WISH_ONE_WARP},
                 {"q", WISH_QUIT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f->app.wish = WISH_NOTHING;
        press_keys(f, cases[i].key);
        assert_int_equal(f->app.wish, cases[i].wish);
    }
}

/* Two runs whose first blocks start at different cycles: the second one begins later by 300. */
static void test_compare_alignment(void **state)
{
    struct fixture *f = *state;
    static const char late_path[] = "test_viz_app_late.tmp.smtl";
    struct fake_events events[3] = {{0}};
    const uint64_t cycles = fake_kernel(&events[0], 0, SLOTS, 6, 4, 6, 1);
    for (uint32_t i = 0; i < events[0].count; i++)
        events[0].list[i].cycle += 300;
    viz_record(late_path, events, 3, SLOTS, cycles + 300);
    free(events[0].list);
    struct run *late = viz_open(late_path);
    const uint64_t first = run_first_block(f->run), later = run_first_block(late);
    assert_int_equal(later, first + 300);
    for (int swapped = 0; swapped < 2; swapped++) {
        app_init(&f->app, swapped ? late : f->run, swapped ? f->run : late, WIDTH, HEIGHT, 100);
        f->app.view.patient = true;
        struct view *view = &f->app.view;
        press_keys(f, "8 z");
        assert_int_equal(view_shift(view), swapped ? -300 : 300);
        assert_int_equal(view_begin(view), swapped ? 300 : 0);
        static struct compare_side side;
        assert_true(compare_open(view, view->other, &side));
        assert_true(fabs(side.view.place.from - view->place.from - (double)view_shift(view)) <
                    1e-6);
        press_keys(f, "m");
        assert_int_equal(view_shift(view), 0);
        assert_true(view->place.from < 1e-6); /* the whole of both runs stays in view */
        assert_int_equal(view_end(view), run_end(late));
    }
    run_close(late);
    assert_int_equal(unlink(late_path), 0);
}

static uint64_t frame(struct fixture *f)
{
    draw(f);
    draw(f);
    return canvas_hash(f->canvas);
}

/* Each switch changes the picture, and switching back restores it. */
static void test_switches(void **state)
{
    struct fixture *f = start(state);
    assert_true(canvas_resize(f->canvas, 1200, 700, 100)); /* with room for everything */
    app_resize(&f->app, 1200, 700, 100);
    uint64_t plain = frame(f);
    static const char *const keys[] = {"?", "i", "l"};
    for (int i = 0; i < 3; i++) {
        press_keys(f, keys[i]);
        if (frame(f) == plain)
            fail_msg("the key %s changes nothing", keys[i]);
        press_keys(f, keys[i]);
        assert_true(frame(f) == plain);
    }
    for (int i = 0; i < THEME_COUNT; i++) {
        press_keys(f, "t");
        assert_true((frame(f) == plain) == (i + 1 == THEME_COUNT));
    }
    assert_true(canvas_resize(f->canvas, WIDTH, HEIGHT, 100));
}

/* ---- Anything at all ---- */

static void expect_sane(const struct fixture *f)
{
    const struct view_place *place = &f->app.view.place;
    double begin = (double)run_begin(f->run), end = (double)run_end(f->run);
    double least = f->app.width / 64.0;
    assert_true(place->from >= begin && place->from < place->to);
    assert_true(place->to <= fmax(end, begin + least) + 1e-6);
    assert_true(place->screen < SCREEN_COUNT && place->sm < 3);
    assert_true(place->slot == VIEW_NONE || place->slot < SLOTS);
    assert_true(place->line == VIEW_NONE || place->line < FAKE_CODE);
    assert_true(place->cycle < run_end(f->run));
    assert_true(place->scroll >= 0);
    assert_true(f->app.back_count <= APP_BACK);
}

static void test_random_input(void **state)
{
    struct fixture *f = start(state);
    uint64_t seed = 99;
    for (int i = 0; i < 3000; i++) {
        uint32_t r = fake_random(&seed);
        int x = (int)(r >> 3) % (WIDTH + 20) - 10;
        int y = (int)(r >> 13) % (HEIGHT + 20) - 10;
        switch (r % 8) {
        case 0:
        case 1:
            app_do(&f->app, (enum app_action)(fake_random(&seed) % ACTION_COUNT));
            f->app.scale = 100; /* the canvas stays as it is */
            break;
        case 2:
            app_wheel(&f->app, x, y, (double)(r >> 5 & 7) - 3.5, r >> 9 & 1, r >> 10 & 1);
            break;
        case 3:
            app_press(&f->app, x, y, r >> 7 & 1);
            break;
        case 4:
            app_release(&f->app, x, y);
            break;
        case 5:
            app_move(&f->app, x, y);
            break;
        case 6:
            app_typed(&f->app, r & 64 ? "17" : "op L");
            break;
        case 7:
            app_key(&f->app, r & 64 ? "return" : "left");
            break;
        }
        if (i % 4 == 0)
            draw(f);
        expect_sane(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_key_has_one_action),
        cmocka_unit_test(test_screens),
        cmocka_unit_test(test_sms),
        cmocka_unit_test(test_first_sm),
        cmocka_unit_test(test_typed_values),
        cmocka_unit_test(test_whole_runs_stay_whole),
        cmocka_unit_test(test_zoom_keeps_the_cycle_under_the_pointer),
        cmocka_unit_test(test_pan_stays_in_the_run),
        cmocka_unit_test(test_drag_moves_what_is_under_it),
        cmocka_unit_test(test_minimap),
        cmocka_unit_test(test_click_selects_what_is_there),
        cmocka_unit_test(test_block_of_an_sm_that_is_not_recorded),
        cmocka_unit_test(test_bookmarks_keep_place_and_zoom),
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_back_from_zooming_and_dragging),
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_scale_by_size),
        cmocka_unit_test(test_help_has_pages_where_it_must),
        cmocka_unit_test(test_go_to_a_cycle),
        cmocka_unit_test(test_steps_stay_in_the_run),
        cmocka_unit_test(test_first_row),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_next_change_and_issue),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_playing),
        cmocka_unit_test(test_search_counts),
        cmocka_unit_test(test_stretch),
        cmocka_unit_test(test_tour),
        cmocka_unit_test(test_wishes),
        cmocka_unit_test(test_compare_alignment),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_random_input),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
