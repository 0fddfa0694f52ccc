/* The old bytes of what a launch writes to device memory, kept by 64-byte lines of host memory. */
#include "exec/memory/undo.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, FIRST_ROOM = 1024 };

/* A line of host memory: its bytes before they were first written. Only noted bytes are restored;
 * their neighbours may belong to the host program, as with managed memory. */
struct undo_line {
    uint8_t *host;  /* aligned to LINE; NULL: the entry is free */
    uint64_t noted; /* bit per noted byte */
    uint8_t was[LINE];
};

struct exec_undo {
    struct device_memory *memory;
    uint64_t mark;        /* allocations of the launch lie from this device address on */
    const uint8_t *fresh; /* host memory of the allocations of the launch, which is not noted */
    const uint8_t *fresh_end;
    struct undo_line *line;   /* [room], a power of two; hashed by address */
    size_t room, count, last; /* last: index of the line that was found last */
    uint64_t *freed;          /* device addresses of allocations that the launch has freed */
    size_t freed_count;
    bool failed;
};

struct exec_undo *exec_undo_create(struct device_memory *memory)
{
    struct exec_undo *undo = calloc(1, sizeof *undo);
    if (!undo)
        return NULL;
    undo->memory = memory;
    undo->mark = device_mark(memory, &undo->fresh, &undo->fresh_end);
    undo->room = FIRST_ROOM;
    undo->line = calloc(undo->room, sizeof *undo->line);
    if (undo->line)
        return undo;
    free(undo);
    return NULL;
}

void exec_undo_destroy(struct exec_undo *undo)
{
    if (!undo)
        return;
    free(undo->line);
    free(undo->freed);
    free(undo);
}

/* Returns the index of the line, or of the free entry for it. The table always has a free entry. */
static size_t place_of(const struct undo_line *line, size_t room, const uint8_t *host)
{
    size_t at = (size_t)(((uintptr_t)host / LINE * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
    for (at &= room - 1; line[at].host && line[at].host != host;)
        at = (at + 1) & (room - 1);
    return at;
}

static bool grow(struct exec_undo *undo)
{
    size_t room = 2 * undo->room;
    struct undo_line *grown = calloc(room, sizeof *grown);
    if (!grown)
        return false;
    for (size_t i = 0; i < undo->room; i++)
        if (undo->line[i].host)
            grown[place_of(grown, room, undo->line[i].host)] = undo->line[i];
    free(undo->line);
    undo->line = grown;
    undo->room = room;
    return true;
}

/* Returns the line that begins at `host`, or NULL if memory is short. */
static struct undo_line *line_at(struct exec_undo *undo, uint8_t *host)
{
    if (undo->line[undo->last].host == host)
        return &undo->line[undo->last];
    if (2 * undo->count >= undo->room && !grow(undo))
        return NULL;
    undo->last = place_of(undo->line, undo->room, host);
    struct undo_line *line = &undo->line[undo->last];
    undo->count += !line->host;
    line->host = host;
    return line;
}

/* Notes bytes [first, end) of a line, unless they are noted already. */
static void note_in(struct undo_line *line, uint32_t first, uint32_t end)
{
    const uint64_t bytes = UINT64_MAX >> (LINE - (end - first)) << first;
    if (!(line->noted & bytes)) {
        memcpy(line->was + first, line->host + first, end - first);
        line->noted |= bytes;
        return;
    }
    for (uint32_t i = first; i < end; i++) {
        if (line->noted >> i & 1)
            continue;
        line->was[i] = line->host[i];
        line->noted |= UINT64_C(1) << i;
    }
}

void exec_undo_note(struct exec_undo *undo, const uint8_t *place, uint32_t bytes)
{
    if (place >= undo->fresh && place < undo->fresh_end)
        return;
    for (uint32_t done = 0; done < bytes && !undo->failed;) {
        uint32_t first = (uint32_t)((uintptr_t)(place + done) % LINE);
        uint32_t end = bytes - done < LINE - first ? first + bytes - done : LINE;
        struct undo_line *line = line_at(undo, (uint8_t *)(uintptr_t)(place + done - first));
        undo->failed = !line;
        if (line)
            note_in(line, first, end);
        done += end - first;
    }
}

void exec_undo_free(struct exec_undo *undo, uint64_t address)
{
    enum { PART = 1 << 20 };
    const struct device_span span = device_span(undo->memory, address);
    if (!span.size || span.address != address || address >= undo->mark)
        return;
    uint64_t *grown = realloc(undo->freed, (undo->freed_count + 1) * sizeof *grown);
    undo->failed |= !grown;
    if (!grown)
        return;
    undo->freed = grown;
    undo->freed[undo->freed_count++] = address;
    for (uint64_t done = 0; done < span.size; done += PART)
        exec_undo_note(undo, span.host + done,
                       span.size - done < PART ? (uint32_t)(span.size - done) : PART);
}

/* Exchanges the noted bytes of a line with the bytes in memory. */
static void swap(struct undo_line *line)
{
    uint8_t is[LINE];
    if (line->noted == UINT64_MAX) {
        memcpy(is, line->host, LINE);
        memcpy(line->host, line->was, LINE);
        memcpy(line->was, is, LINE);
        return;
    }
    for (uint32_t b = 0; b < LINE; b++) {
        if (!(line->noted >> b & 1))
            continue;
        is[b] = line->host[b];
        line->host[b] = line->was[b];
        line->was[b] = is[b];
    }
}

static void swap_all(struct exec_undo *undo)
{
    for (size_t i = 0; i < undo->room; i++)
        if (undo->line[i].host)
            swap(&undo->line[i]);
}

bool exec_undo_restore(struct exec_undo *undo)
{
    if (undo->failed)
        return false;
    device_rewind(undo->memory, undo->mark);
    for (size_t i = 0; i < undo->freed_count; i++)
        device_revive(undo->memory, undo->freed[i]);
    swap_all(undo);
    return true;
}

bool exec_undo_repeatable(const struct exec_undo *undo)
{
    const uint8_t *fresh, *fresh_end;
    return !undo->failed && !undo->freed_count &&
           device_mark(undo->memory, &fresh, &fresh_end) == undo->mark;
}

void exec_undo_repeat(struct exec_undo *undo)
{
    swap_all(undo);
}

/* Returns the byte that the execution has left at bit `b` of a line. */
static uint8_t result_at(const struct undo_line *line, const uint8_t *host, uint32_t b)
{
    return line && line->noted >> b & 1 ? line->was[b] : host[b];
}

static const struct undo_line *find_line(const struct exec_undo *undo, const uint8_t *host)
{
    const struct undo_line *line = &undo->line[place_of(undo->line, undo->room, host)];
    return line->host ? line : NULL;
}

/* Compares the lines of `a` with those of `b`. */
static bool differ_in_lines_of(const struct exec_undo *a, const struct exec_undo *b,
                               const uint8_t **place, uint8_t byte_of[2])
{
    bool found = false;
    for (size_t i = 0; i < a->room; i++) {
        const struct undo_line *line = &a->line[i];
        if (!line->host || (found && line->host >= *place))
            continue;
        const struct undo_line *other = find_line(b, line->host);
        for (uint32_t k = 0; k < LINE; k++) {
            const uint8_t one = result_at(line, line->host, k);
            const uint8_t two = result_at(other, line->host, k);
            if (one == two)
                continue;
            found = true;
            *place = line->host + k;
            byte_of[0] = one;
            byte_of[1] = two;
            break;
        }
    }
    return found;
}

bool exec_undo_differ(const struct exec_undo *a, const struct exec_undo *b, const uint8_t **place,
                      uint8_t byte_of[2])
{
    if (differ_in_lines_of(a, b, place, byte_of))
        return true;
    uint8_t other[2];
    const bool differ = differ_in_lines_of(b, a, place, other);
    byte_of[0] = other[1];
    byte_of[1] = other[0];
    return differ;
}
