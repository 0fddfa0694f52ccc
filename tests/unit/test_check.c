/* A failed invariant ends the process with status 1 and says where and what. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/check.h"

static void take_slot(unsigned slot, unsigned slots)
{
    SIMSM_CHECK(slot < slots, "slot %u of %u", slot, slots);
}

/* Runs take_slot in a child process; returns its wait status and what it wrote to stderr. */
static int in_child(unsigned slot, char *said, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        take_slot(slot, 16);
        _exit(0);
    }
    (void)close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    (void)close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void a_failure_says_where_and_what(void **state)
{
    (void)state;
    char said[512];
    int status = in_child(17, said, sizeof said);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_non_null(strstr(said, "internal error in take_slot (test_check.c:"));
    assert_non_null(strstr(said, "slot 17 of 16: expected slot < slots"));
    assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
}

static void what_holds_says_nothing(void **state)
{
    (void)state;
    char said[512];
    int status = in_child(15, said, sizeof said);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_string_equal(said, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_says_where_and_what),
        cmocka_unit_test(what_holds_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
