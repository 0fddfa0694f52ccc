#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

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

int signals_first(void)
{
    return (int)first;
}

const char *signals_words(void)
{
    return first == SIGTERM ? "SIGTERM" : first == SIGHUP ? "SIGHUP" : "Ctrl-C";
}
