/*
 * MODEL: a read of a line that has been written shortly before. The slice that owns the line serves
 * the read l2.write_read_interval cycles after the write, and nothing else until then. Where
 * accesses queue up, reads and writes of many SMs come in any order on a GPU, but here in the order
 * of issue: often all reads, then all writes. There the model counts statistically. Each access
 * adds the probability that it is a read behind a write, from the line's recent shares of reads and
 * writes; whenever the sum reaches one, the slice waits once.
 * SOURCE: H200, cuda/calib/hot share, visit, behind. The points of loads with stores are met within
 * 25 % in the mean.
 * LEFT OUT: which lines of one slice meet (cuda/calib/hot: 8 lines 128 bytes apart are 2.9 times
 * too slow here).
 */
#include "mem/turnaround.h"

enum {
    MEMORY =
        512, /* recent accesses whose shares count (assumed; cuda/calib/hot has steady shares) */
    WHOLE = 4096 /* the sum at which the slice waits once */
};

bool turnaround_init(struct turnaround *turnaround, struct arena *arena, uint32_t interval,
                     uint32_t slices)
{
    *turnaround = (struct turnaround){.interval = interval};
    if (interval == 0)
        return true;
    turnaround->line = arena_take(arena, TURNAROUND_LINES, sizeof *turnaround->line);
    turnaround->due = arena_take(arena, slices, sizeof *turnaround->due);
    turnaround->mark = arena_take(arena, TURNAROUND_LINES, sizeof *turnaround->mark);
    return turnaround->line != NULL && turnaround->due != NULL && turnaround->mark != NULL;
}

static void count(struct turnaround_line *line, bool write)
{
    line->reads += !write;
    line->writes += write;
    if (line->reads + line->writes < MEMORY)
        return;
    line->reads /= 2;
    line->writes /= 2;
}

/* Returns the probability that an access to the line is a read behind a write, times WHOLE. */
static uint32_t share(const struct turnaround_line *line)
{
    uint32_t all = line->reads + line->writes;
    return WHOLE * line->reads / all * line->writes / all;
}

/* Returns the turn of an access that finds others waiting. */
static uint64_t crowded_turn(struct turnaround *turnaround, const struct turnaround_line *line,
                             const struct turnaround_access *access)
{
    uint32_t *due = &turnaround->due[access->slice];
    *due += share(line);
    if (*due < WHOLE)
        return access->cycle;
    *due -= WHOLE;
    return access->cycle + turnaround->interval;
}

uint64_t turnaround_serve(struct turnaround *turnaround, const struct turnaround_access *access)
{
    const uint64_t place = turnaround_place(access->line);
    struct turnaround_line *line = &turnaround->line[place];
    uint64_t turn = access->cycle, interval = turnaround->interval;
    bool known = line->line == access->line + 1;
    if (!known)
        *line = (struct turnaround_line){.line = access->line + 1};
    turnaround->mark[place] = turnaround_mark(access->line);
    count(line, access->write);
    bool lately = known && line->written + interval > access->asked;
    if (lately && access->cycle > access->asked + interval / 2)
        turn = crowded_turn(turnaround, line, access);
    else if (known && !access->write && line->written + interval > turn)
        turn = line->written + interval;
    if (access->write)
        line->written = turn;
    return turn;
}
