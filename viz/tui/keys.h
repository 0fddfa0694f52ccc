/* Parses the bytes of a terminal into keys, text and mouse events. */
#ifndef VIZ_TUI_KEYS_H
#define VIZ_TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum input_kind {
    INPUT_NOTHING, /* bytes without a meaning */
    INPUT_KEY,
    INPUT_PRESS,
    INPUT_RELEASE,
    INPUT_MOVE,
    INPUT_WHEEL
};

enum { INPUT_TEXT = 32 };

struct tui_input {
    enum input_kind kind;
    char key[INPUT_TEXT]; /* as in actions.def: "ctrl+left", "shift+n" */
    char text[8];         /* UTF-8 text of the key; "" if it writes none */
    int x, y;             /* cell of the mouse, from 0 */
    int clicks;           /* clicks of the wheel; > 0: up */
    bool shift, ctrl;
};

/*
 * Parses the first input of `count` bytes into *input. Returns the bytes used, 0 if more bytes are
 * needed. `last`: no more bytes came in time; then the result is never 0.
 */
size_t input_next(const char *bytes, size_t count, bool last, struct tui_input *input);

#endif
