/* Parses the byte sequences of keys and of the mouse, as xterm and the Linux console send them. */
#include "tui/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ESC = 27, MOST_SEQUENCE = 32 };

/* Modifiers as xterm numbers them, minus 1. */
enum { WITH_SHIFT = 1, WITH_ALT = 2, WITH_CTRL = 4 };

static void set_key(struct tui_input *input, const char *name, unsigned with)
{
    input->kind = INPUT_KEY;
    (void)snprintf(input->key, sizeof input->key, "%s%s%s%s", with & WITH_CTRL ? "ctrl+" : "",
                   with & WITH_ALT ? "alt+" : "", with & WITH_SHIFT ? "shift+" : "", name);
}

/* Returns a key by the last byte of "ESC [ ... byte" or "ESC O byte"; NULL if unknown. */
static const char *key_of_letter(char letter)
{
    static const struct {
        char letter;
        const char *name;
    } keys[] = {{'A', "up"},  {'B', "down"}, {'C', "right"}, {'D', "left"},  {'H', "home"},
                {'F', "end"}, {'P', "f1"},   {'Z', "tab"},   {'M', "return"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].letter == letter)
            return keys[i].name;
    return NULL;
}

/* Returns a key by the number of "ESC [ number ~"; NULL if unknown. */
static const char *key_of_number(unsigned number)
{
    static const struct {
        unsigned number;
        const char *name;
    } keys[] = {{1, "home"},      {7, "home"},   {4, "end"},      {8, "end"},
                {3, "backspace"}, {5, "pageup"}, {6, "pagedown"}, {11, "f1"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].number == number)
            return keys[i].name;
    return NULL;
}

/*
 * Parses "ESC [ < button ; x ; y M". The last byte is m when a button is released (xterm's mode
 * 1006).
 */
static void parse_mouse(const char *text, struct tui_input *input)
{
    unsigned button, x, y;
    char end;
    if (sscanf(text, "%u;%u;%u%c", &button, &x, &y, &end) != 4 || !x || !y || x > 10000 ||
        y > 10000)
        return;
    input->x = (int)x - 1;
    input->y = (int)y - 1;
    input->shift = button & 4;
    input->ctrl = button & 16;
    unsigned which = button & 3;
    if (button & 64) {
        input->kind = INPUT_WHEEL;
        input->shift = input->shift || which > 1; /* a horizontal wheel moves through time */
        input->clicks = which % 2 == 0 ? 1 : -1;
    } else if (button & 32) {
        input->kind = INPUT_MOVE;
    } else if (which == 0) {
        input->kind = end == 'M' ? INPUT_PRESS : INPUT_RELEASE;
    }
}

/* Parses the `length` bytes behind "ESC [", including the final byte. */
static void parse_control(const char *text, size_t length, unsigned with, struct tui_input *input)
{
    char copy[MOST_SEQUENCE + 1];
    unsigned number = 1;
    unsigned modifier = 1;
    (void)snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    char last = copy[length - 1];
    if (copy[0] == '<') {
        parse_mouse(copy + 1, input);
        return;
    }
    if (copy[0] == '[') { /* function keys of the Linux console */
        if (last == 'A')
            set_key(input, "f1", with);
        return;
    }
    (void)sscanf(copy, "%u;%u", &number, &modifier);
    const char *name = last == '~' ? key_of_number(number) : key_of_letter(last);
    if (!name || modifier < 1 || modifier > 8)
        return;
    with |= modifier - 1;
    set_key(input, name, last == 'Z' ? with | WITH_SHIFT : with);
}

/* Returns the length of "[ ... final byte"; 0 if the final byte is missing. */
static size_t control_length(const char *bytes, size_t count)
{
    size_t i = 1;
    if (count > 1 && bytes[1] == '[')
        return count > 2 ? 3 : 0;
    while (i < count && i < MOST_SEQUENCE && (unsigned char)bytes[i] < 0x40)
        i++;
    return i < count ? i + 1 : 0;
}

static size_t utf8_length(unsigned char first)
{
    return first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

/* Parses a byte that is no printable character. */
static void control_byte(char byte, unsigned with, struct tui_input *input)
{
    char letter[2] = {(char)(byte + 'a' - 1), '\0'};
    if (byte == '\r' || byte == '\n')
        set_key(input, "return", with);
    else if (byte == '\t')
        set_key(input, "tab", with);
    else if (byte == 8 || byte == 127)
        set_key(input, "backspace", with);
    else if (byte == ESC)
        set_key(input, "escape", with);
    else if (byte > 0 && byte <= 26)
        set_key(input, letter, with | WITH_CTRL);
}

/* Parses a character; `with` has WITH_ALT after ESC. Returns the bytes used. */
static size_t parse_character(const char *bytes, size_t count, bool last, unsigned with,
                              struct tui_input *input)
{
    size_t length = utf8_length((unsigned char)bytes[0]);
    if ((unsigned char)bytes[0] < ' ' || bytes[0] == 127) {
        control_byte(bytes[0], with, input);
        return 1;
    }
    if (length > count)
        return last ? count : 0;
    char *text = input->text;
    memcpy(text, bytes, length);
    text[length] = '\0';
    char small[8];
    (void)snprintf(small, sizeof small, "%s", text);
    bool capital = text[0] >= 'A' && text[0] <= 'Z';
    if (capital)
        small[0] = (char)(text[0] - 'A' + 'a');
    set_key(input, text[0] == ' ' ? "space" : small, capital ? with | WITH_SHIFT : with);
    if (with)
        text[0] = '\0';
    return length;
}

/* Parses the bytes behind ESC. Returns the bytes used, 0 if more are needed. */
static size_t parse_escape(const char *bytes, size_t count, bool last, unsigned with,
                           struct tui_input *input)
{
    if (bytes[0] == '[') {
        size_t length = control_length(bytes, count);
        if (length) {
            parse_control(bytes + 1, length - 1, with, input);
            return length;
        }
        return last || count > MOST_SEQUENCE ? count : 0;
    }
    if (bytes[0] == 'O') {
        if (count > 1) {
            const char *name = key_of_letter(bytes[1]);
            if (name)
                set_key(input, name, with);
            return 2;
        }
        if (!last)
            return 0;
    }
    return parse_character(bytes, count, last, with | WITH_ALT, input);
}

size_t input_next(const char *bytes, size_t count, bool last, struct tui_input *input)
{
    *input = (struct tui_input){.kind = INPUT_NOTHING};
    if (!count)
        return 0;
    if (bytes[0] != ESC)
        return parse_character(bytes, count, last, 0, input);
    if (count == 1) {
        if (last)
            set_key(input, "escape", 0);
        return last ? 1 : 0;
    }
    if (bytes[1] == ESC && count > 2) { /* Alt with a key that sends a sequence */
        size_t used = parse_escape(bytes + 2, count - 2, last, WITH_ALT, input);
        return used ? used + 2 : 0;
    }
    if (bytes[1] == ESC) {
        if (last)
            set_key(input, "escape", 0);
        return last ? 1 : 0;
    }
    size_t used = parse_escape(bytes + 1, count - 1, last, 0, input);
    return used ? used + 1 : 0;
}
