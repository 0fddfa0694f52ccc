/*
 * MODEL: printf in kernels. The program supplies the format, so each conversion is checked and
 * executed on its own.
 * SOURCE: CUDA C++ Programming Guide, formatted output; the layout of arguments is that of compiled
 * code.
 * LEFT OUT: the limit of the GPU's printf buffer.
 */
#include <stdio.h>
#include <string.h>

#include "exec/control/externs.h"

enum { SPEC_BYTES = 40, STRING_BYTES = 1024 };

struct printing {
    const struct exec_warp *warp;
    uint32_t lane;
    uint64_t arguments; /* address of the next argument, not aligned yet */
    int count;
    bool wrong; /* an address is invalid */
    char *text;
    size_t length;
};

/* One conversion, such as "%-8.3lld". */
struct conversion {
    char spec[SPEC_BYTES]; /* without length modifiers: "%-8.3" */
    size_t length;
    bool wide; /* 64-bit integer */
    char kind; /* conversion character; 0: the format ends before it */
};

static void append(struct printing *p, const char *bytes, size_t size)
{
    size_t room = EXEC_PRINT_BYTES - 1 - p->length;
    size = size < room ? size : room;
    memcpy(p->text + p->length, bytes, size);
    p->length += size;
}

/* Returns the next argument, which has 4 or 8 bytes and is aligned to its size. */
static uint64_t next(struct printing *p, uint64_t bytes)
{
    uint64_t value = 0;
    p->arguments = (p->arguments + bytes - 1) / bytes * bytes;
    const uint8_t *at = exec_generic_bytes(p->warp, p->lane, p->arguments, bytes);
    p->arguments += bytes;
    p->count++;
    if (at)
        memcpy(&value, at, bytes);
    else
        p->wrong = true;
    return value;
}

static void add_to_spec(struct conversion *c, const char *text, size_t size)
{
    if (size >=
        SPEC_BYTES - 6 - c->length) /* room for "ll", the conversion character and the terminator */
        return;
    memcpy(c->spec + c->length, text, size);
    c->length += size;
    c->spec[c->length] = '\0';
}

/* Reads the conversion behind the % before `at`. Returns the place behind the conversion. */
static const char *read_conversion(struct printing *p, const char *at, struct conversion *c)
{
    *c = (struct conversion){.spec = "%", .length = 1};
    for (; *at && strchr("-+ #0123456789.*", *at); at++) {
        char number[16];
        if (*at != '*') {
            add_to_spec(c, at, 1);
            continue;
        }
        int length = snprintf(number, sizeof number, "%d", (int)(uint32_t)next(p, 4));
        add_to_spec(c, number, length > 0 ? (size_t)length : 0);
    }
    for (; *at && strchr("hlLqjzt", *at); at++)
        c->wide |= *at != 'h' && *at != 'L'; /* long has 64 bits; float and double are double */
    c->kind = *at;
    return *at ? at + 1 : at;
}

static void finish_spec(struct conversion *c, const char *end)
{
    memcpy(c->spec + c->length, end, strlen(end) + 1);
}

static int print_integer(struct printing *p, struct conversion *c, char *out, size_t size)
{
    const bool is_signed = c->kind == 'd' || c->kind == 'i';
    const char end[] = {'l', 'l', c->kind, '\0'};
    uint64_t value = next(p, c->wide ? 8 : 4);
    if (!c->wide && is_signed)
        value = (uint64_t)(int64_t)(int32_t)(uint32_t)value;
    finish_spec(c, end);
    return is_signed ? snprintf(out, size, c->spec, (long long)value)
                     : snprintf(out, size, c->spec, (unsigned long long)value);
}

static int print_real(struct printing *p, struct conversion *c, char *out, size_t size)
{
    const char end[] = {c->kind, '\0'};
    uint64_t bits = next(p, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    finish_spec(c, end);
    return snprintf(out, size, c->spec, value);
}

static int print_other(struct printing *p, struct conversion *c, char *out, size_t size)
{
    const char end[] = {c->kind, '\0'};
    char string[STRING_BYTES] = "(null)";
    finish_spec(c, end);
    if (c->kind == 'c')
        return snprintf(out, size, c->spec, (int)(uint32_t)next(p, 4));
    uint64_t address = next(p, 8);
    if (c->kind == 'p')
        return snprintf(out, size, c->spec, (void *)(uintptr_t)address);
    if (address && !exec_string(p->warp, p->lane, address, string, sizeof string))
        p->wrong = true;
    return snprintf(out, size, c->spec, string);
}

static void print_conversion(struct printing *p, struct conversion *c)
{
    char out[EXEC_PRINT_BYTES];
    int length = 0;
    if (c->kind == '%')
        append(p, "%", 1);
    else if (c->kind && strchr("diouxX", c->kind))
        length = print_integer(p, c, out, sizeof out);
    else if (c->kind && strchr("fFeEgGaA", c->kind))
        length = print_real(p, c, out, sizeof out);
    else if (c->kind && strchr("csp", c->kind))
        length = print_other(p, c, out, sizeof out);
    else /* an unknown conversion is copied */
        append(p, c->spec, c->length);
    if (length > 0)
        append(p, out, (size_t)length < sizeof out ? (size_t)length : sizeof out - 1);
}

int exec_format(const struct exec_warp *warp, uint32_t lane, uint64_t format, uint64_t arguments,
                char text[EXEC_PRINT_BYTES], size_t *length)
{
    char copy[STRING_BYTES];
    struct printing p = {.warp = warp, .lane = lane, .arguments = arguments, .text = text};
    if (!exec_string(warp, lane, format, copy, sizeof copy))
        return -1;
    for (const char *at = copy; *at && !p.wrong;) {
        size_t plain = strcspn(at, "%");
        append(&p, at, plain);
        at += plain;
        struct conversion conversion;
        if (!*at)
            break;
        at = read_conversion(&p, at + 1, &conversion);
        print_conversion(&p, &conversion);
    }
    text[p.length] = '\0';
    *length = p.length;
    return p.wrong ? -1 : p.count;
}
