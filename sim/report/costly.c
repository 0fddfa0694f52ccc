#include "report/costly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void costly_add(struct costly_line *line, const struct costly_line *more)
{
    struct simsm_line_stats *to = &line->sums;
    const struct simsm_line_stats *from = &more->sums;
    line->requests += more->requests;
    line->load_sectors += more->load_sectors;
    to->issues += from->issues;
    to->threads += from->threads;
    to->threads_off += from->threads_off;
    to->sectors += from->sectors;
    to->sectors_least += from->sectors_least;
    to->sector_hits += from->sector_hits;
    for (unsigned s = 0; s < SIMSM_STATE_COUNT; s++)
        to->states[s] += from->states[s];
}

static void find_cycles(struct costly_line *line)
{
    const uint64_t *states = line->sums.states;
    line->state = SIMSM_STATE_ISSUED;
    line->cycles = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        line->cycles += states[s];
        if (states[s] > states[line->state])
            line->state = (enum simsm_warp_state)s;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct costly_line *x = a, *y = b;
    const int file = strcmp(x->info->file, y->info->file);
    if (file != 0)
        return file;
    if (x->info->line != y->info->line)
        return x->info->line < y->info->line ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int by_cycles(const void *a, const void *b)
{
    const struct costly_line *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Adds up neighbours of one line of the source. Returns the number of lines. */
static uint32_t merge(struct costly_line *lines, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct costly_line *last = kept ? &lines[kept - 1] : NULL;
        if (last && last->info->line == lines[i].info->line &&
            strcmp(last->info->file, lines[i].info->file) == 0)
            costly_add(last, &lines[i]);
        else
            lines[kept++] = lines[i];
    }
    return kept;
}

static bool is_cached(enum simsm_op_class op)
{
    return op == SIMSM_OP_LD_GLOBAL || op == SIMSM_OP_LD_LOCAL || op == SIMSM_OP_COPY_ASYNC;
}

void costly_instruction(const struct simsm_stats *stats, uint32_t index, struct costly_line *line)
{
    const struct simsm_line_info *info = &stats->line_info[index];
    *line = (struct costly_line){.info = info, .line = index, .sums = stats->lines[index]};
    find_cycles(line);
    line->requests = line->sums.sectors ? line->sums.issues : 0;
    line->load_sectors = is_cached(info->op) ? line->sums.sectors : 0;
}

struct costly_line *costly_lines(const struct simsm_stats *stats, enum costly_kind kind,
                                 uint32_t *count)
{
    struct costly_line *lines = calloc(stats->line_count + 1, sizeof *lines);
    *count = 0;
    for (uint32_t i = 0; lines && i < stats->line_count; i++) {
        const struct simsm_line_info *info = &stats->line_info[i];
        struct costly_line line;
        costly_instruction(stats, i, &line);
        if ((line.cycles || line.sums.issues) &&
            (kind == COSTLY_INSTRUCTIONS || (info->file && info->line)))
            lines[(*count)++] = line;
    }
    if (lines && kind == COSTLY_SOURCE) {
        qsort(lines, *count, sizeof *lines, by_place);
        *count = merge(lines, *count);
        for (uint32_t i = 0; i < *count; i++)
            find_cycles(&lines[i]);
    }
    if (lines)
        qsort(lines, *count, sizeof *lines, by_cycles);
    return lines;
}

unsigned costly_states(const struct costly_line *line, enum simsm_warp_state order[COSTLY_STATES])
{
    const uint64_t *states = line->sums.states;
    unsigned count = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        unsigned at = count;
        if (states[s] * 100 < line->cycles || !states[s])
            continue;
        while (at && states[order[at - 1]] < states[s])
            at--;
        if (at == COSTLY_STATES)
            continue;
        count += count < COSTLY_STATES;
        for (unsigned k = count - 1; k > at; k--)
            order[k] = order[k - 1];
        order[at] = (enum simsm_warp_state)s;
    }
    return count;
}

static double each(const struct costly_line *line, uint64_t sum)
{
    return line->requests ? (double)sum / (double)line->requests : NAN;
}

double costly_sectors(const struct costly_line *line)
{
    return each(line, line->sums.sectors);
}

double costly_sectors_least(const struct costly_line *line)
{
    return each(line, line->sums.sectors_least);
}

double costly_hit_percent(const struct costly_line *line)
{
    return line->load_sectors ? 100 * (double)line->sums.sector_hits / (double)line->load_sectors
                              : NAN;
}
