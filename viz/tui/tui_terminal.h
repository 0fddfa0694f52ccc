/* The terminal as a device: taken over, read, written, and always given back as it was. */
#ifndef VIZ_TUI_TUI_TERMINAL_H
#define VIZ_TUI_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

/*
 * Takes over the terminal of standard input and output: raw keys, its other screen, mouse. Give it
 * back with terminal_close; on a crash that happens by itself. SIMSM_FAILED, with what else can be
 * done, if there is none or it can do nothing.
 */
enum simsm_status terminal_open(struct simsm_error *error);
void terminal_close(void);

/* In cells; 80 x 24 if it does not say. */
void terminal_size(int *w, int *h);

/* False if the terminal is gone. */
bool terminal_write(const char *text, size_t size);

enum terminal_event {
    TERMINAL_NOTHING, /* time is up */
    TERMINAL_INPUT,   /* *used bytes have come */
    TERMINAL_RESIZED, /* or back from being stopped: size and contents are not known */
    TERMINAL_STOP,    /* another program asks to stop: terminal_stop */
    TERMINAL_END      /* it is gone, or another program asks to end */
};

/* Waits at most `ms` milliseconds (-1: for ever) for what happens next. */
enum terminal_event terminal_wait(int ms, char *bytes, size_t room, size_t *used);

/* Gives the terminal back to the shell until it continues this job. */
void terminal_stop(void);

#endif
