/* A program in a terminal of its own, as a shell starts it: a job that can be stopped. */
#ifndef TESTS_VIZ_PTY_H
#define TESTS_VIZ_PTY_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include "vt.h"

struct pty {
    int master, slave; /* the slave is ours too: to ask for its settings */
    int report, order; /* from and to the shell that has the job */
    pid_t shell, job;
    struct termios before;
    struct vt vt;
};

/* `environment`: "NAME=VALUE NAME=VALUE". What fails here ends the test. */
void pty_start(struct pty *pty, int w, int h, const char *environment, char *const words[]);

/* Reads for at most `ms` milliseconds, or until `done`. True if it was done. */
bool pty_read(struct pty *pty, int ms, bool (*done)(struct pty *pty, const void *what),
              const void *what);

void pty_type(struct pty *pty, const char *keys);
void pty_resize(struct pty *pty, int w, int h);

/* Waits for the job. Returns 'S' if it has stopped, 'X' if it has ended, with *status as
 * waitpid() gives it, and 0 if nothing happens in ten seconds. */
char pty_wait(struct pty *pty, int *status);
void pty_continue(struct pty *pty); /* a stopped job, as fg does */

/* Kills what is left and closes. */
void pty_end(struct pty *pty);

/* Returns whether the terminal is restored: settings, screen, cursor, mouse. */
bool pty_restored(struct pty *pty);

#endif
