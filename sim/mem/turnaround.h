/*
 * Reads of lines that have just been written. The slice that owns the line serves such a read some
 * cycles after the write, and nothing else meanwhile.
 *
 * Modelled: a read that comes sooner waits. Where accesses wait already, reads and writes of many
 * SMs come in any order on a GPU, but here in that in which they were issued, often all reads and
 * then all writes. So what the order would cost is added up: each access to a line that has been
 * written lately is a read behind a write as often as the line's shares of both say, and when that
 * makes one more the slice waits. SOURCE: an H200, cuda/calib/hot share, visit; its points of loads
 * with stores are met within 25 % in the mean, no better.
 */
#ifndef SIM_MEM_TURNAROUND_H
#define SIM_MEM_TURNAROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { TURNAROUND_LINES = 4096 };

struct turnaround_line {
    uint64_t line;          /* and 1; 0: none */
    uint64_t written;       /* cycle of the last write */
    uint32_t reads, writes; /* lately */
};

struct turnaround {
    uint32_t interval;            /* cycles from a write to a read; 0: all this is off */
    struct turnaround_line *line; /* [TURNAROUND_LINES], by a hash of the line; lines written */
    uint8_t *mark;                /* of each: bits of the hash; of most lines they tell already that
                                     they are not it */
    uint32_t *due;                /* [slices] what has been added up */
};

/* An access to a line at the slice that owns it. */
struct turnaround_access {
    uint64_t line;
    uint64_t asked; /* cycle at which it came */
    uint64_t cycle; /* and at which the slice has time for it */
    uint32_t slice;
    bool write;
};

/* False: out of memory. */
bool turnaround_init(struct turnaround *turnaround, struct arena *arena, uint32_t interval,
                     uint32_t slices);

static inline uint64_t turnaround_place(uint64_t line)
{
    return line * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (TURNAROUND_LINES - 1);
}

/* Never 0, which is the mark of none. */
static inline uint8_t turnaround_mark(uint64_t line)
{
    return (uint8_t)(line * UINT64_C(0x9E3779B97F4A7C15) >> 56 | 1);
}

/* Whether an access to `line` has to be asked about. */
static inline bool turnaround_concerns(const struct turnaround *turnaround, uint64_t line,
                                       bool write)
{
    if (turnaround->interval == 0 || write)
        return turnaround->interval != 0;
    const uint64_t place = turnaround_place(line);
    return turnaround->mark[place] == turnaround_mark(line) &&
           turnaround->line[place].line == line + 1;
}

/* The cycle at which the access has its turn; the slice does nothing else until then. */
uint64_t turnaround_serve(struct turnaround *turnaround, const struct turnaround_access *access);

#endif
