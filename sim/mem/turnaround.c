#include "mem/turnaround.h"

enum {
    MEMORY = 512, /* accesses whose shares count: assumed; calib/hot has steady shares */
    WHOLE = 4096  /* one read behind a write */
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

/* How often an access to the line is a read behind a write, of WHOLE. */
static uint32_t share(const struct turnaround_line *line)
{
    uint32_t all = line->reads + line->writes;
    return WHOLE * line->reads / all * line->writes / all;
}

/* When an access that finds others waiting has its turn. */
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
