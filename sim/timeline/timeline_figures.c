/* The statistics of a run in a timeline file: written and read. */
#include "timeline/timeline_figures.h"

#include <stdlib.h>
#include <string.h>

/* Sums have names in the file. A reader ignores names that it does not know. */
static const struct {
    const char *name;
    size_t offset; /* of a uint64_t in struct simsm_stats */
} sums[] = {
#define SUM(name, member)                                                                          \
    {                                                                                              \
        name, offsetof(struct simsm_stats, member)                                                 \
    }
    SUM("launch_cycles", launch_cycles),
    SUM("blocks_total", blocks_total),
    SUM("blocks_done", blocks_done),
    SUM("block_cycles_sum", block_cycles_sum),
    SUM("block_cycles_min", block_cycles_min),
    SUM("block_cycles_max", block_cycles_max),
    SUM("last_wave_cycle", last_wave_cycle),
    SUM("last_end_cycle", last_end_cycle),
    SUM("block_inst_max", block_inst_max),
    SUM("longest_warps", longest_warps),
    SUM("blocks_inst", blocks_inst),
    SUM("gap_capacity", gap.capacity),
    SUM("gap_alive", gap.alive),
    SUM("gap_within_blocks", gap.within_blocks),
    SUM("gap_refill", gap.refill),
    SUM("gap_few_blocks", gap.few_blocks),
    SUM("gap_partial_wave", gap.partial_wave),
    SUM("gap_across_blocks", gap.across_blocks),
    SUM("gap_idle", gap.idle),
#undef SUM
};

enum { SUMS = sizeof sums / sizeof sums[0] };

static uint64_t *sum_of(struct simsm_stats *stats, size_t i)
{
    return (uint64_t *)(void *)((char *)stats + sums[i].offset);
}

static void add_numbers(struct byte_buffer *payload, const uint64_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        buffer_add_varint(payload, numbers[i]);
}

void figures_add(struct byte_buffer *payload, const struct simsm_stats *stats)
{
    struct simsm_stats copy = *stats;
    buffer_add_varint(payload, SUMS);
    for (size_t i = 0; i < SUMS; i++) {
        buffer_add_text(payload, sums[i].name);
        buffer_add_varint(payload, *sum_of(&copy, i));
    }
    add_numbers(payload, stats->states, SIMSM_STATE_COUNT);
    add_numbers(payload, stats->lanes, SIMSM_WARP_LANES + 1);
    buffer_add_varint(payload, stats->line_count);
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const struct simsm_line_stats *line = &stats->lines[i];
        buffer_add_varint(payload, line->issues);
        buffer_add_varint(payload, line->threads);
        buffer_add_varint(payload, line->sectors);
        add_numbers(payload, line->states, SIMSM_STATE_COUNT);
    }
    for (uint32_t i = 0; i < stats->line_count; i++) {
        const struct simsm_line_stats *line = &stats->lines[i];
        buffer_add_varint(payload, line->threads_off);
        buffer_add_varint(payload, line->sectors - line->sectors_least);
    }
    for (uint32_t i = 0; i < stats->line_count; i++)
        buffer_add_varint(payload, stats->lines[i].sector_hits);
}

static void take_sums(struct simsm_stats *stats, struct smtl_cursor *cursor)
{
    uint32_t count = smtl_take_number(cursor, 4096);
    for (uint32_t i = 0; i < count && !cursor->failed; i++) {
        const char *name = smtl_take_text(cursor, false);
        uint64_t value = smtl_take_varint(cursor);
        for (size_t k = 0; k < SUMS; k++)
            if (strcmp(name, sums[k].name) == 0)
                *sum_of(stats, k) = value;
    }
}

/*
 * Reads a number for each state of the file. States that this program does not know count as
 * `misc`.
 */
static void take_states(const struct info *info, struct smtl_cursor *cursor,
                        uint64_t states[SIMSM_STATE_COUNT])
{
    for (uint32_t s = 0; s < info->view.state_count; s++) {
        uint32_t known = info->states[s].known;
        states[known < SIMSM_STATE_COUNT ? known : SIMSM_STATE_MISC] += smtl_take_varint(cursor);
    }
}

/*
 * Reads the statistics of each static instruction. Returns true if there are some, and this program
 * knows the classes of all instructions.
 */
static bool take_lines(struct info *info, struct smtl_cursor *cursor)
{
    const struct timeline_info *view = &info->view;
    uint32_t count = smtl_take_number(cursor, view->line_count);
    bool understood = true;
    cursor->failed |= count && count != view->line_count;
    if (cursor->failed || count == 0)
        return false;
    info->line_info = calloc(count, sizeof *info->line_info);
    info->line_stats = calloc(count, sizeof *info->line_stats);
    cursor->failed |= !info->line_info || !info->line_stats;
    for (uint32_t i = 0; i < count && !cursor->failed; i++) {
        const struct timeline_line *line = &info->lines[i];
        struct simsm_line_stats *stats = &info->line_stats[i];
        uint32_t known = info->ops[line->op].known;
        understood = understood && known < SIMSM_OP_COUNT;
        info->line_info[i] = (struct simsm_line_info){line->text, line->line, line->pc,
                                                      (enum simsm_op_class)known, line->file};
        stats->issues = smtl_take_varint(cursor);
        stats->threads = smtl_take_varint(cursor);
        stats->sectors = smtl_take_varint(cursor);
        take_states(info, cursor, stats->states);
    }
    return understood && !cursor->failed;
}

/* Reads what a file may hold further of each static instruction. */
static void take_more_of_lines(struct info *info, struct smtl_cursor *cursor)
{
    for (uint32_t i = 0; i < info->view.line_count && cursor->at < cursor->end; i++) {
        struct simsm_line_stats *stats = &info->line_stats[i];
        stats->threads_off = smtl_take_varint(cursor);
        stats->sectors_least = stats->sectors - smtl_take_varint(cursor);
        cursor->failed |=
            stats->threads_off > stats->threads || stats->sectors_least > stats->sectors;
    }
    for (uint32_t i = 0; i < info->view.line_count && cursor->at < cursor->end; i++) {
        struct simsm_line_stats *stats = &info->line_stats[i];
        stats->sector_hits = smtl_take_varint(cursor);
        cursor->failed |= stats->sector_hits > stats->sectors;
    }
}

static void copy_counters(const struct timeline_info *view, struct simsm_stats *stats)
{
    for (uint32_t i = 0; i < view->counter_count; i++)
        for (unsigned c = 0; c < SIMSM_COUNTER_COUNT; c++)
            if (strcmp(view->counters[i].name, simsm_counters[c].name) == 0)
                stats->counter[c] = view->counters[i].value;
}

bool figures_read(struct info *info, struct smtl_cursor *cursor)
{
    struct timeline_info *view = &info->view;
    struct simsm_stats *stats = &info->stats;
    *stats = (struct simsm_stats){.launch = view->launch,
                                  .occupancy = view->occupancy,
                                  .sms = view->sms,
                                  .cycles = view->cycles,
                                  .complete = view->complete,
                                  .line_count = view->line_count};
    copy_counters(view, stats);
    take_sums(stats, cursor);
    take_states(info, cursor, stats->states);
    for (unsigned i = 0; i <= SIMSM_WARP_LANES; i++)
        stats->lanes[i] = smtl_take_varint(cursor);
    if (take_lines(info, cursor)) {
        stats->line_info = info->line_info;
        stats->lines = info->line_stats;
        view->stats = stats;
        take_more_of_lines(info, cursor);
    }
    return !cursor->failed;
}
