/* Handlers for signals that end the program, and for crashes in code of a policy plugin. */
#define _XOPEN_SOURCE 700 /* for SA_ONSTACK */

#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/signal_stack.h"

enum { PATIENCE = 5 }; /* seconds that a policy plugin has to return after a signal */

static volatile sig_atomic_t first;        /* the first signal; global for the handler */
static volatile sig_atomic_t first_second; /* when the first signal came, in seconds */

static char plugin_path[320];             /* the policy plugin that crashes are attributed to */
static volatile sig_atomic_t plugin_runs; /* whether code of the plugin may run */

static void end_at_once(int number)
{
    outfile_remove_unfinished();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/*
 * Notes the first signal. A second signal, at least one second after the first, ends the process at
 * once: a policy plugin may never return. The second is needed because timeout(1) signals a process
 * and then its process group.
 */
static void on_signal(int number)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (!first) {
        first = number;
        first_second = (sig_atomic_t)(now.tv_sec % SIG_ATOMIC_MAX);
        if (plugin_runs)
            (void)alarm(PATIENCE);
        return;
    }
    if ((sig_atomic_t)(now.tv_sec % SIG_ATOMIC_MAX) <= first_second + 1)
        return;
    end_at_once(number);
}

static void listen_with(int flags)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = flags;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bool kept = numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
                    before.sa_handler == SIG_IGN;
        if (!kept)
            (void)sigaction(numbers[i], &action, NULL);
    }
}

void signals_listen(void)
{
    listen_with(0);
}

void signals_restart(void)
{
    listen_with(SA_RESTART);
}

static const char *clear_line = ""; /* clears a progress line on a terminal */

/* Writes one line about the plugin. Calls only functions that are safe in a signal handler. */
static void write_plugin_line(const char *before, const char *after)
{
    const char *const part[] = {clear_line, "simsm: ", before, plugin_path, after, "\n"};
    char line[1024];
    size_t length = 0;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        size_t bytes = strlen(part[i]);
        memcpy(line + length, part[i], bytes);
        length += bytes;
    }
    ssize_t told = write(STDERR_FILENO, line, length);
    (void)told;
}

static void on_crash(int number)
{
    (void)number;
    write_plugin_line("the run crashed, most likely in the policy plugin ",
                      ": compile it with -g and use gdb");
    outfile_remove_unfinished();
    _exit(1);
}

static void on_alarm(int number)
{
    (void)number;
    write_plugin_line("stopped by a signal: the policy plugin ",
                      " has not returned for some seconds");
    end_at_once((int)first);
}

static void at_exit(void)
{
    if (!plugin_runs)
        return;
    write_plugin_line("the policy plugin ",
                      " called exit(), so the run has no result; a policy must return");
    outfile_remove_unfinished();
    _exit(1);
}

static void handle_crashes(void)
{
    enum { MOST_THREADS = 256 };
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    static struct signal_stack stack; /* of the main thread; used until the process ends */
    struct sigaction action;
    memset(&action, 0, sizeof action);
    (void)sigemptyset(&action.sa_mask);
    action.sa_handler = on_crash;
    action.sa_flags = SA_ONSTACK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
    action.sa_handler = on_alarm;
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGALRM, &action, NULL);
    if (isatty(STDERR_FILENO))
        clear_line = "\r\033[K";
    signal_stack_begin(&stack);
    /* Threads that call exit() at the same time share the list of functions: each takes the next,
     * and one that finds none left ends the process with its own status. */
    for (int i = 0; i < MOST_THREADS; i++)
        (void)atexit(at_exit);
}

void signals_enter_plugin(const char *plugin)
{
    static bool handled;
    if (!plugin[0])
        return;
    (void)snprintf(plugin_path, sizeof plugin_path, "%.300s", plugin);
    if (!handled)
        handle_crashes();
    handled = true;
    plugin_runs = 1;
    if (first)
        (void)alarm(PATIENCE);
}

void signals_leave_plugin(void)
{
    plugin_runs = 0;
    (void)alarm(0);
}

int signals_first(void)
{
    return (int)first;
}

const char *signals_name(void)
{
    return first == SIGTERM ? "SIGTERM" : first == SIGHUP ? "SIGHUP" : "Ctrl-C";
}
