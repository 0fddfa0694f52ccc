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
        {"void a::scan<b::sum<int>, 4>(int*, void (*)(int))", "a::scan<b::sum<int>, 4>",
         "scan<sum<int>, 4>"},
        {"void (anonymous namespace)::k<x<(a::e)3>::y>()",
         "(anonymous namespace)::k<x<(a::e)3>::y>", "k<y>"},
        {"a::f<b::g(int)::{lambda(int)#1}>(c)", "a::f<b::g(int)::{lambda(int)#1}>",
         "f<{lambda(int)#1}>"},
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

static void add(struct summary *summary, const char *title, bool timed)
{
    struct journal_launch row = {.number = summary->launches + 1,
                                 .launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}},
                                 .timed = timed,
                                 .cycles = timed ? 1234 : 0,
                                 .ns = 1000,
                                 .warp_instructions = 77};
    journal_set_title(&row, title, title);
    summary_add_launch(summary, &row);
}

/* Rows of the tables that begin so, after the number of the launch. */
static int rows(const char *text, const char *begin)
{
    char line[64];
    int count = 0;
    (void)snprintf(line, sizeof line, "  %s  ", begin);
    for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
        count++;
    return count;
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
    struct simsm_config config = {.gpu_name = "GPU"};
    struct summary *summary = calloc(1, sizeof *summary);
    assert_non_null(summary);
    summary->config = &config;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        add(summary, titles[i], i != 3);
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    summary_print(summary, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rows(text, "kernel<with_an_argument_that_is_long_..."), 2);
    assert_int_equal(rows(text, "kernel<with_an_argument_that_is_lo... #2"), 2);
    assert_int_equal(rows(text, "add"), 3); /* two launches and one kernel */
    assert_int_equal(rows(text, "add #2"), 2);
    assert_int_equal(rows(text, "mul"), 2);
    const char *untimed = strstr(strstr(text, "\nKernels\n"), "add #2");
    assert_int_equal(strncmp(untimed + strcspn(untimed, "-"), "-         -        77", 21), 0);
    summary_free(summary);
    free(summary);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made_readable),
        cmocka_unit_test(kernels_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
