/* Reads of lines that have been written shortly before: state and interface. */
#ifndef SIM_MEM_TURNAROUND_H
#define SIM_MEM_TURNAROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { TURNAROUND_LINES = 4096 };

struct turnaround_line {
    uint64_t line;          /* line + 1; 0: the entry is free */
    uint64_t written;       /* cycle of the last write */
    uint32_t reads, writes; /* recent accesses; halved when there are many */
};

struct turnaround {
    uint32_t interval;            /* cycles from a write to a read; 0: reads do not wait */
    struct turnaround_line *line; /* [TURNAROUND_LINES]: written lines, by a hash of the line */
    uint8_t
        *mark; /* [TURNAROUND_LINES]: bits of the hash, which mostly suffice to tell another line */
    uint32_t *due; /* [slices]: the shares of reads behind writes, added up */
};

/* An access to a line at the slice that owns the line. */
struct turnaround_access {
    uint64_t line;
    uint64_t asked; /* cycle at which the access came */
    uint64_t cycle; /* cycle at which the slice has time for it */
    uint32_t slice;
    bool write;
};

/* Initialises the state for `slices` slices. Returns false if memory runs out. */
bool turnaround_init(struct turnaround *turnaround, struct arena *arena, uint32_t interval,
                     uint32_t slices);

static inline uint64_t turnaround_place(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (TURNAROUND_LINES - 1);
}

/* Returns the mark of a line; never 0, which marks a free entry. */
static inline uint8_t turnaround_mark(uint64_t line)
{
    return (uint8_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 56 | 1);
}

/* Returns whether turnaround_serve must be called for an access to `line`. */
static inline bool turnaround_concerns(const struct turnaround *turnaround, uint64_t line,
                                       bool write)
{
    if (turnaround->interval == 0 || write)
        return turnaround->interval != 0;
    const uint64_t place = turnaround_place(line);
    return turnaround->mark[place] == turnaround_mark(line) &&
           turnaround->line[place].line == line + 1;
}

/* Returns the cycle at which the access has its turn. The slice does nothing else until then. */
uint64_t turnaround_serve(struct turnaround *turnaround, const struct turnaround_access *access);

#endif
