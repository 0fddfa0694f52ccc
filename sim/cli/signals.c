#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static volatile sig_atomic_t first; /* a handler has no other way to speak */

/* Who asks twice does not want to wait until the run can stop: a policy may never return. */
static void on_signal(int number)
{
    if (first) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
    first = number;
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
