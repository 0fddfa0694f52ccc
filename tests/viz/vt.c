#include "vt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vt_init(struct vt *vt, int w, int h)
{
    *vt = (struct vt){.w = w, .h = h, .cursor = true, .wrap = true};
}

static void fault(struct vt *vt, const char *what, const char *bytes)
{
    if (!vt->fault[0])
        (void)snprintf(vt->fault, sizeof vt->fault, "%s: ESC%s", what, bytes);
}

static void set_mode(struct vt *vt, unsigned mode, bool on)
{
    if (mode == 1049)
        vt->other_screen = on;
    else if (mode == 25)
        vt->cursor = on;
    else if (mode == 7)
        vt->wrap = on;
    else if (mode == 1002 || mode == 1003 || mode == 1006)
        vt->mouse = on;
    else
        fault(vt, "private mode", "");
}

/* FNV-1a. */
#define HASH_BEGIN 0x811c9dc5u
static uint32_t hash(uint32_t value, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        value = (value ^ at[i]) * 0x01000193u;
    return value;
}

uint32_t vt_looks(const struct vt *vt)
{
    uint32_t value = HASH_BEGIN;
    for (int y = 0; y < vt->h; y++)
        value = hash(value, vt->look[y], (size_t)vt->w * sizeof vt->look[y][0]);
    return value;
}

/* "ESC [ ... m": bold, underlined, reversed, or a colour. */
static void look(struct vt *vt, const char *text)
{
    vt->now = hash(HASH_BEGIN, text, strlen(text));
    for (const char *at = text; *at != 'm';) {
        long number = strtol(at, NULL, 10);
        bool known = number == 0 || number == 1 || number == 4 || number == 7;
        if (!known) {
            vt->coloured = true;
            return;
        }
        at += strcspn(at, ";m");
        at += *at == ';';
    }
}

static void sequence(struct vt *vt, const char *text)
{
    unsigned row = 1;
    unsigned column = 1;
    char last = text[strlen(text) - 1];
    if (text[1] == '?' && (last == 'h' || last == 'l')) {
        set_mode(vt, (unsigned)strtoul(text + 2, NULL, 10), last == 'h');
    } else if (last == 'H') {
        (void)sscanf(text + 1, "%u;%u", &row, &column);
        vt->y = (int)row - 1;
        vt->x = (int)column - 1;
        if (vt->y >= vt->h || vt->x >= vt->w)
            fault(vt, "a place outside", text);
    } else if (last == 'm') {
        look(vt, text + 1);
    } else if (strcmp(text, "[2J") == 0) {
        memset(vt->sign, 0, sizeof vt->sign);
    } else {
        fault(vt, "sequence", text);
    }
}

static void put(struct vt *vt, uint32_t sign)
{
    if (!vt->other_screen) /* what a shell prints there is not looked at */
        return;
    if (vt->x < 0 || vt->y < 0 || vt->x >= vt->w || vt->y >= vt->h)
        fault(vt, "text outside", "");
    else
        vt->sign[vt->y][vt->x] = sign;
    if (vt->x >= 0 && vt->y >= 0 && vt->x < vt->w && vt->y < vt->h)
        vt->look[vt->y][vt->x] = vt->now;
    vt->x++;
}

static void take_byte(struct vt *vt, unsigned char byte)
{
    vt->bytes[vt->used++] = (char)byte;
    vt->bytes[vt->used] = '\0';
    unsigned char first = (unsigned char)vt->bytes[0];
    if (first == 27) {
        bool ends = vt->used > 2 && byte >= 0x40;
        if (vt->used == VT_ROOM - 1)
            fault(vt, "endless sequence", vt->bytes + 1);
        else if (!ends)
            return;
        else
            sequence(vt, vt->bytes + 1);
    } else if (first >= 0xe0 && vt->used == 3) {
        put(vt, (first & 15u) << 12 | ((unsigned char)vt->bytes[1] & 63u) << 6 | (byte & 63u));
    } else if (first >= 0xc0 && first < 0xe0 && vt->used == 2) {
        put(vt, (first & 31u) << 6 | (byte & 63u));
    } else if (first >= 0xc0) {
        return;
    } else if (first >= ' ') {
        put(vt, first);
    }
    vt->used = 0;
}

void vt_take(struct vt *vt, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_byte(vt, (unsigned char)bytes[i]);
}

static size_t write_sign(uint32_t sign, char *text)
{
    if (sign < 0x80) {
        text[0] = sign ? (char)sign : '\x7f'; /* nothing was drawn here: not a blank */
        return 1;
    }
    if (sign < 0x800) {
        text[0] = (char)(0xc0 | sign >> 6);
        text[1] = (char)(0x80 | (sign & 63));
        return 2;
    }
    text[0] = (char)(0xe0 | sign >> 12);
    text[1] = (char)(0x80 | (sign >> 6 & 63));
    text[2] = (char)(0x80 | (sign & 63));
    return 3;
}

const char *vt_line(const struct vt *vt, int y, char *text)
{
    size_t used = 0;
    for (int x = 0; x < vt->w; x++)
        used += write_sign(vt->sign[y][x], text + used);
    while (used && text[used - 1] == ' ')
        used--;
    text[used] = '\0';
    return text;
}
