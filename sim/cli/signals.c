#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t first; /* a handler has no other way to speak */
static volatile sig_atomic_t asked; /* seconds, when it came */

/*
 * Who asks again after a second does not want to wait until the run can stop: a policy may never
 * return. (Within it: timeout(1) signals a program and then the group that it is in.)
 */
static void on_signal(int number)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (!first) {
        first = number;
        asked = (sig_atomic_t)(now.tv_sec % SIG_ATOMIC_MAX);
        return;
    }
    if ((sig_atomic_t)(now.tv_sec % SIG_ATOMIC_MAX) <= asked + 1)
        return;
    (void)signal(number, SIG_DFL);
    (void)raise(number);
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

static char blame[512];

static void on_crash(int number)
{
    (void)number;
    ssize_t told = write(STDERR_FILENO, blame, strlen(blame));
    (void)told;
    _exit(1);
}

void signals_blame(const char *module)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_crash;
    (void)sigemptyset(&action.sa_mask);
    (void)snprintf(
        blame, sizeof blame,
        "%ssimsm: the run has crashed, most likely in the policy module %.300s: compile it "
        "with -g and look with gdb\n",
        isatty(STDERR_FILENO) ? "\r\033[K" : "", module);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
}

int signals_first(void)
{
    return (int)first;
}

const char *signals_words(void)
{
    return first == SIGTERM ? "SIGTERM" : first == SIGHUP ? "SIGHUP" : "Ctrl-C";
}
