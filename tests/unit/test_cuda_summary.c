/* The tables at the end of a program, and the names of kernels in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/kernel_title.h"
#include "cuda/summary.h"

static void names_are_made_readable(void **state)
{
    (void)state;
    static const struct {
        const char *demangled, *title, *brief;
    } names[] = {
        {"add(int*)", "add", "add"},
        {"plain", "plain", "plain"},
        {"std::enable_if<a<(int)1>, void>::type b::k<float, (c)0>(b::p<float>)",
         "b::k<float, (c)0>", "k<float, (c)0>"},
        {"void a::scan<b::sum<int>, 4>(int*, void (*)(int))", "a::scan<b::sum<int>, 4>",
         "scan<sum<int>, 4>"},
        {"void (anonymous namespace)::k<x<(a::e)3>::y>()",
         "(anonymous namespace)::k<x<(a::e)3>::y>", "k<y>"},
        {"a::f<b::g(int)::{lambda(int)#1}>(c)", "a::f<b::g(int)::{lambda(int)#1}>", "f<g>"},
        {"k<4, a::g(int)::{lambda()#2}::operator()() const::{lambda(b)#1}, c>(int)",
         "k<4, a::g(int)::{lambda()#2}::operator()() const::{lambda(b)#1}, c>", "k<4, g, c>"},
        {"f<g::{la", "f<g::{la", "f<g"},
        {"f<g(::operator()x", "f<g(::operator()x", "f<g(operator()x"},
        {"", "", ""},
        {")", "", ""},
        {"void )", "", ""},
        {"::>::(::", "::>::(::", "("},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = strdup(names[i].demangled);
        assert_non_null(text);
        kernel_title_from_demangled(text);
        assert_string_equal(text, names[i].title);
        kernel_title_shorten(text);
        assert_string_equal(text, names[i].brief);
        free(text);
    }
}

/* Adds a launch of `blocks` blocks that takes `ns`; 0: it is not timed. */
static void add(struct summary *summary, const char *title, uint32_t blocks, double ns)
{
    struct journal_launch row = {.number = summary->launches + 1,
                                 .launch = {.grid = {blocks, 1, 1}, .block = {32, 1, 1}},
                                 .timed = ns > 0,
                                 .cycles = (uint64_t)ns,
                                 .ns = ns,
                                 .warp_instructions = 77};
    journal_set_title(&row, title, title);
    if (row.timed) {
        row.digest = calloc(1, sizeof *row.digest);
        assert_non_null(row.digest);
        row.digest->cycles = row.cycles;
        (void)snprintf(row.digest->limit, sizeof row.digest->limit, "a limit");
        (void)snprintf(row.digest->subject, sizeof row.digest->subject, "%s/%u", title, blocks);
    }
    summary_add_launch(summary, &row);
}

static struct summary *new_summary(const struct simsm_config *config)
{
    struct summary *summary = calloc(1, sizeof *summary);
    assert_non_null(summary);
    summary->config = config;
    return summary;
}

/* Returns what summary_print prints. */
static char *page_of(struct summary *summary, bool full)
{
    char *text = NULL;
    size_t size;
    struct report_style style = {.full = full, .width = 96};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    summary_print(summary, &style, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* Returns the number of lines that begin with `begin`, after spaces. */
static int lines(const char *text, const char *begin)
{
    int count = 0;
    while (text) {
        text += strspn(text, " \n");
        count += strncmp(text, begin, strlen(begin)) == 0;
        text = strchr(text, '\n');
    }
    return count;
}

static const struct simsm_config config = {.gpu_name = "GPU"};

static void copies_belong_to_ranges(void **state)
{
    (void)state;
    struct summary *summary = new_summary(&config);
    const struct range range = {.name = strdup("step"), .passes = 1};
    summary->ranges.pool.size = sizeof range;
    assert_true(pool_add(&summary->ranges.pool, &range));
    add(summary, "k", 1, 1000);
    summary_add_transfer(summary, TRANSFER_HOST_TO_DEVICE, 4096, 2000, 1);
    summary_add_transfer(summary, TRANSFER_HOST_TO_DEVICE, 4096, 1000, 0);
    char *text = page_of(summary, true);
    const char *step = strstr(text, "\n  step ");
    assert_non_null(step);
    assert_non_null(strstr(step, "2.00 us"));
    assert_non_null(strstr(step, "50.0 %"));            /* of 4 us */
    assert_int_equal(lines(step, "host to device"), 3); /* 2 of the table, 1 of the list */
    free(text);
    summary_free(summary);
    free(summary);
}

static void kernels_are_told_apart(void **state)
{
    (void)state;
    static const char *const titles[] = {
        "a::kernel<with_an_argument_that_is_long_enough<int>>",
        "a::kernel<with_an_argument_that_is_long_enough<float>>",
        "a::add",
        "b::add",
        "a::add",
        "b::mul",
    };
    struct summary *summary = new_summary(&config);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        add(summary, titles[i], 4, i == 3 ? 0 : 1000);
    char *text = page_of(summary, false);
    assert_int_equal(lines(text, "kernel<with_an.._that_is_long_ "), 1);
    assert_int_equal(lines(text, "kernel<with_an..at_is_lo... #2 "), 1);
    assert_int_equal(lines(text, "add "), 2);
    assert_int_equal(lines(text, "add #2 "), 1);
    assert_int_equal(lines(text, "mul "), 1);
    const char *untimed = strstr(text, "add #2 ");
    assert_non_null(strstr(untimed, "4    32      1         -         -       -  not timed\n"));
    summary_free(summary);
    free(summary);
    free(text);
}

static void launches_of_a_kind_are_summed_up(void **state)
{
    (void)state;
    struct summary *summary = new_summary(&config);
    for (int i = 0; i < 100; i++)
        add(summary, "often", 8, i == 40 ? 900 : 100);
    add(summary, "often", 9, 200);
    add(summary, "once", 8, 5000);
    char *text = page_of(summary, false);
    assert_int_equal(lines(text, "Program on GPU: 102 launches, 16.0 us in kernels"), 1);
    assert_int_equal(lines(text, "often                   8    32    100   10.8 us    108 ns"), 1);
    assert_int_equal(lines(text, "often                   9    32      1    200 ns    200 ns"), 1);
    assert_int_equal(lines(text, "often/8 (launch 41, the longest of 100)"), 1);
    assert_int_equal(lines(text, "once/8 (launch 102)"), 1);
    assert_true(strstr(text, "often/8") < strstr(text, "once/8"));
    free(text);
    text = page_of(summary, true);
    assert_int_equal(lines(text, "... and 62 more; --table FILE writes them all"), 1);
    assert_int_equal(lines(text, "once/8"), 0); /* its report came before the page */
    assert_non_null(strstr(text, "  31.2 %  a limit\n"));
    summary_free(summary);
    free(summary);
    free(text);
}

static void a_page_has_few_lines(void **state)
{
    (void)state;
    struct summary *summary = new_summary(&config);
    for (uint32_t i = 1; i <= 60; i++)
        add(summary, "grows", i, 10 * i);
    char *text = page_of(summary, false);
    assert_int_equal(lines(text, "grows "), 16);
    assert_int_equal(lines(text, "44 further kinds with 54.1 % of the time; --full shows all"), 1);
    free(text);
    text = page_of(summary, true);
    assert_int_equal(lines(text, "grows "), 60);
    summary_free(summary);
    free(summary);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made_readable),
        cmocka_unit_test(copies_belong_to_ranges),
        cmocka_unit_test(kernels_are_told_apart),
        cmocka_unit_test(launches_of_a_kind_are_summed_up),
        cmocka_unit_test(a_page_has_few_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
