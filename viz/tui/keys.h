/* What a terminal sends, as keys, text and mouse. */
#ifndef VIZ_TUI_KEYS_H
#define VIZ_TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum input_kind {
    INPUT_NOTHING, /* bytes that mean nothing here */
    INPUT_KEY,
    INPUT_PRESS,
    INPUT_RELEASE,
    INPUT_MOVE,
    INPUT_WHEEL
};

enum { INPUT_TEXT = 32 };

struct tui_input {
    enum input_kind kind;
    char key[INPUT_TEXT]; /* as the table of actions names it: "ctrl+left", "shift+n" */
    char text[8];         /* what the key writes, UTF-8; "" for those that do not */
    int x, y;             /* of the mouse: cells from 0 */
    int clicks;           /* of the wheel: > 0 is up */
    bool shift, ctrl;
};

/*
 * Takes the first input out of `count` bytes. Returns the bytes used: 0 if more are needed, which
 * with `last` (no more came in time) does not happen.
 */
size_t input_next(const char *bytes, size_t count, bool last, struct tui_input *input);

#endif
