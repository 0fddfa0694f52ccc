/* The terminal as a device: taken over, read, written, and always restored. */
#ifndef VIZ_TUI_TUI_TERMINAL_H
#define VIZ_TUI_TUI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "simsm/error.h"

/*
 * Takes over the terminal of standard input and output: raw keys, the alternate screen, the mouse.
 * terminal_close() restores it; a crash restores it too. Returns SIMSM_FAILED if there is no
 * terminal or it cannot be drawn on; the message says what to use instead.
 */
enum simsm_status terminal_open(struct simsm_error *error);
void terminal_close(void);

/* Sets *w and *h to the size in cells; 80 x 24 if unknown. */
void terminal_size(int *w, int *h);

/* Writes `size` bytes. Returns false if the terminal is gone. */
bool terminal_write(const char *text, size_t size);

enum terminal_event {
    TERMINAL_NOTHING, /* the time is over */
    TERMINAL_INPUT,   /* *used bytes were read */
    TERMINAL_RESIZED, /* resized, or continued after a stop: size and contents are not known */
    TERMINAL_STOP,    /* another program asks to stop: call terminal_stop() */
    TERMINAL_END      /* the terminal is gone, or another program asks to end */
};

/*
 * Waits at most `ms` milliseconds (-1: without limit) for the next event. Reads at most `room`
 * bytes of input.
 */
enum terminal_event terminal_wait(int ms, char *bytes, size_t room, size_t *used);

/* Restores the terminal and stops the job, until the shell continues it. */
void terminal_stop(void);

#endif
