/* The options of `simsm run` as they come in, file names with numbers, and graphs' order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/outfile.h"
#include "cuda/cuda_graph.h"
#include "cuda/outputs.h"
#include "cuda/properties.h"
#include "cuda/settings.h"

static int clear(void **state)
{
    (void)state;
    for (unsigned id = 0; id < SETTING_ID_COUNT; id++)
        (void)unsetenv(option_rows[id].variable);
    return 0;
}

static void defaults_time_everything(void **state)
{
    (void)state;
    struct settings settings;
    struct simsm_error error;
    assert_int_equal(settings_read(&settings, &error), SIMSM_OK);
    assert_true(settings.max_cycles == UINT64_MAX);
    assert_int_equal(settings.device_memory, UINT64_C(16) << 30);
    assert_false(setting_flag(&settings, SETTING_ID_functional));
}

static void values_are_read(void **state)
{
    (void)state;
    struct settings settings;
    struct simsm_error error;
    (void)setenv("SIMSM_LAUNCHES", "3:17", 1);
    (void)setenv("SIMSM_DEVICE_MEMORY", "512MiB", 1);
    (void)setenv("SIMSM_MAX_CYCLES", "1000", 1);
    (void)setenv("SIMSM_QUIET", "", 1); /* as if it were not set */
    assert_int_equal(settings_read(&settings, &error), SIMSM_OK);
    assert_string_equal(setting_text(&settings, SETTING_ID_launches), "3:17");
    assert_int_equal(settings.device_memory, 512 << 20);
    assert_int_equal(settings.max_cycles, 1000);
    assert_false(setting_flag(&settings, SETTING_ID_quiet));
}

static void bad_values_are_named(void **state)
{
    (void)state;
    static const struct {
        enum setting_id id;
        const char *text;
    } bad[] = {
        {SETTING_ID_launches, "3"},
        {SETTING_ID_launches, "0:4"},
        {SETTING_ID_launches, "4:4"},
        {SETTING_ID_launches, "1:2x"},
        {SETTING_ID_max_cycles, "-1"},
        {SETTING_ID_max_cycles, "1e6"},
        {SETTING_ID_device_memory, "MiB"},
        {SETTING_ID_device_memory, "0"},
        {SETTING_ID_device_memory, "9000GiB"},
        {SETTING_ID_kernels, "a(b"},
        {SETTING_ID_max_instructions, "0"},
        {SETTING_ID_timeline_sm, "3:2"},
        {SETTING_ID_timeline_cycles, "7"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct simsm_error error;
        assert_int_equal(settings_set(&(struct settings){0}, bad[i].id, bad[i].text, &error),
                         SIMSM_BAD_INPUT);
        assert_non_null(strstr(error.message, option_rows[bad[i].id].option));
        assert_non_null(strstr(error.message, bad[i].text));
    }
}

static void some_do_not_go_together(void **state)
{
    (void)state;
    static const struct {
        enum setting_id one, other;
        bool good;
    } pairs[] = {{SETTING_ID_json, SETTING_ID_functional, false},
                 {SETTING_ID_csv, SETTING_ID_functional, false},
                 {SETTING_ID_timeline, SETTING_ID_functional, false},
                 {SETTING_ID_table, SETTING_ID_functional, true},
                 {SETTING_ID_timeline_sm, SETTING_ID_json, false},
                 {SETTING_ID_timeline_cycles, SETTING_ID_json, false},
                 {SETTING_ID_timeline_sm, SETTING_ID_timeline, true}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct settings settings;
        struct simsm_error error;
        settings_begin(&settings);
        settings.text[pairs[i].one] = settings.text[pairs[i].other] = "1:2";
        assert_int_equal(settings_check(&settings, &error),
                         pairs[i].good ? SIMSM_OK : SIMSM_BAD_INPUT);
        if (!pairs[i].good)
            assert_non_null(strstr(error.message, option_rows[pairs[i].one].option));
    }
}

static void files_are_numbered(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
    } files[] = {{"run.smtl", "run.7.smtl"},
                 {"/a.b/run", "/a.b/run.7"},
                 {"/a.b/run.c.csv", "/a.b/run.c.7.csv"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char name[64];
        outfile_numbered(name, sizeof name, files[i].path, 7);
        assert_string_equal(name, files[i].name);
    }
}

/* The sizes of cudaDeviceProp in the headers of toolkits 11.8, 12.9 and 13.0 on x86-64. */
static void properties_have_their_toolkits_sizes(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct cuda_properties_11), 728);
    assert_int_equal(sizeof(struct cuda_properties_12), 1032);
    assert_int_equal(sizeof(struct cuda_properties_13), 1008);
}

static char order[8];

static void note(void *letter)
{
    order[strlen(order)] = *(const char *)letter;
}

static struct stream_work call(char *letter)
{
    return (struct stream_work){.kind = WORK_HOST, .as.host = {note, letter}};
}

/* Nodes run after those that they depend on, whatever order they were added in. */
static void graphs_run_in_order(void **state)
{
    (void)state;
    (void)setenv("SIMSM_CONFIG", "configs/teaching.yaml", 1);
    rt_reset_for_test();
    struct runtime *rt = rt_enter(__func__);
    assert_non_null(rt);
    struct graph *graph = graph_create();
    struct stream_work work[3] = {call("a"), call("b"), call("c")};
    struct graph_node *a = graph_add(graph, &work[0], NULL, 0);
    struct graph_node *b = graph_add(graph, &work[1], NULL, 0);
    struct graph_node *c = graph_add(graph, &work[2], &b, 1);
    assert_true(graph_add_dependency(a, c));
    memset(order, 0, sizeof order);
    assert_int_equal(graph_run(rt, graph), CUDA_SUCCESS);
    assert_string_equal(order, "bca");
    struct graph *clone = graph_clone(graph);
    graph_find(clone, c)->disabled = true;
    memset(order, 0, sizeof order);
    assert_int_equal(graph_run(rt, clone), CUDA_SUCCESS);
    assert_string_equal(order, "ba");
    assert_true(graph_add_dependency(b, a));
    assert_false(graph_is_acyclic(graph));
    assert_true(graph_remove_dependency(b, a));
    assert_false(graph_remove_dependency(b, a));
    graph_remove(c);
    assert_int_equal(a->deps, 0);
    graph_destroy(clone);
    graph_destroy(graph);
    (void)rt_leave(CUDA_SUCCESS);
    rt_reset_for_test();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(defaults_time_everything, clear),
        cmocka_unit_test_setup(values_are_read, clear),
        cmocka_unit_test(bad_values_are_named),
        cmocka_unit_test(some_do_not_go_together),
        cmocka_unit_test(files_are_numbered),
        cmocka_unit_test(properties_have_their_toolkits_sizes),
        cmocka_unit_test_setup(graphs_run_in_order, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
