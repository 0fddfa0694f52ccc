/* Reads the meta block and the last block of a timeline file. */
#include "timeline/timeline_info.h"

#include <stdlib.h>
#include <string.h>

/*
 * Allocates `count` entries, set to zero. Fails if the rest of the payload cannot hold them: each
 * entry takes at least `least` bytes there.
 */
static void *room_for(struct smtl_cursor *cursor, uint32_t count, size_t size, size_t least)
{
    if (cursor->failed || (uint64_t)count * least > (uint64_t)(cursor->end - cursor->at)) {
        cursor->failed = true;
        return NULL;
    }
    void *room = calloc(count ? count : 1, size);
    cursor->failed |= !room;
    return room;
}

static void read_gpu(struct info *info, struct smtl_cursor *cursor)
{
    struct timeline_info *view = &info->view;
    view->gpu = smtl_take_text(cursor, false);
    view->sms = smtl_take_number(cursor, 1024);
    view->sub_partitions = smtl_take_number(cursor, SIMSM_SLOTS_PER_SM);
    view->slots = smtl_take_number(cursor, SIMSM_SLOTS_PER_SM);
    view->clock_khz = smtl_take_varint(cursor);
    cursor->failed |= !view->sms || !view->sub_partitions || !view->slots;
}

static void read_launch(struct info *info, struct smtl_cursor *cursor)
{
    struct simsm_launch *launch = &info->view.launch;
    const char *name = smtl_take_text(cursor, false);
    size_t length = strlen(name);
    if (length >= sizeof launch->name)
        length = sizeof launch->name - 1;
    memcpy(launch->name, name, length);
    for (int i = 0; i < 3; i++)
        launch->grid[i] = smtl_take_number(cursor, UINT32_MAX);
    for (int i = 0; i < 3; i++)
        launch->block[i] = smtl_take_number(cursor, UINT32_MAX);
    launch->registers = smtl_take_number(cursor, UINT32_MAX);
    launch->shared_static = smtl_take_number(cursor, UINT32_MAX);
    launch->shared_dynamic = smtl_take_number(cursor, UINT32_MAX);
    launch->carveout = smtl_take_number(cursor, UINT32_MAX);
}

static void read_cluster(struct info *info, struct smtl_cursor *cursor)
{
    for (int i = 0; i < 3; i++)
        info->view.launch.cluster[i] = smtl_take_number(cursor, UINT32_MAX);
}

static void read_occupancy(struct info *info, struct smtl_cursor *cursor)
{
    struct simsm_occupancy *occupancy = &info->view.occupancy;
    occupancy->blocks = smtl_take_number(cursor, UINT32_MAX);
    occupancy->warps = smtl_take_number(cursor, UINT32_MAX);
    occupancy->warps_per_block = smtl_take_number(cursor, UINT32_MAX);
    occupancy->max_warps = smtl_take_number(cursor, UINT32_MAX);
    occupancy->limiters = smtl_take_number(cursor, UINT32_MAX);
    occupancy->registers_per_warp = smtl_take_number(cursor, UINT32_MAX);
    occupancy->shared_per_block = smtl_take_number(cursor, UINT32_MAX);
    occupancy->carveout = smtl_take_number(cursor, UINT32_MAX);
    for (int i = 0; i < SIMSM_LIMIT_COUNT; i++)
        occupancy->limit[i] = smtl_take_number(cursor, UINT32_MAX);
}

static void read_recording(struct info *info, struct smtl_cursor *cursor)
{
    struct timeline_info *view = &info->view;
    view->from = smtl_take_varint(cursor);
    view->to = smtl_take_varint(cursor);
    uint32_t count = smtl_take_number(cursor, 1024);
    free(info->sm);
    view->sm = info->sm = room_for(cursor, count, sizeof *info->sm, 1);
    view->sm_count = cursor->failed ? 0 : count;
    for (uint32_t i = 0; i < view->sm_count; i++) {
        info->sm[i] = smtl_take_number(cursor, 1023);
        cursor->failed |= i && info->sm[i] <= info->sm[i - 1];
    }
}

static uint32_t read_colour(struct smtl_cursor *cursor)
{
    uint32_t red = smtl_take_byte(cursor), green = smtl_take_byte(cursor);
    return red << 16 | green << 8 | smtl_take_byte(cursor);
}

static uint32_t state_named(const char *name)
{
    uint32_t i = 0;
    while (i < SIMSM_STATE_COUNT && strcmp(simsm_states[i].name, name) != 0)
        i++;
    return i;
}

static void read_states(struct info *info, struct smtl_cursor *cursor)
{
    uint32_t count = smtl_take_number(cursor, SMTL_ISSUE);
    free(info->states);
    info->view.states = info->states = room_for(cursor, count, sizeof *info->states, 11);
    info->view.state_count = cursor->failed ? 0 : count;
    info->selected = count;
    for (uint32_t i = 0; i < info->view.state_count; i++) {
        struct timeline_state *state = &info->states[i];
        state->name = smtl_take_text(cursor, false);
        state->title = smtl_take_text(cursor, false);
        state->meaning = smtl_take_text(cursor, false);
        char letter = (char)smtl_take_byte(cursor);
        state->letter = letter > ' ' && letter < 0x7f ? letter : '?';
        state->xterm = smtl_take_byte(cursor);
        state->dark = read_colour(cursor);
        state->light = read_colour(cursor);
        state->known = state_named(state->name);
        if (state->known == SIMSM_STATE_ISSUED)
            info->selected = i;
    }
    cursor->failed |= info->selected == count;
}

static uint32_t op_named(const char *name)
{
    uint32_t i = 0;
    while (i < SIMSM_OP_COUNT && strcmp(simsm_ops[i].name, name) != 0)
        i++;
    return i;
}

static void read_ops(struct info *info, struct smtl_cursor *cursor)
{
    uint32_t count = smtl_take_number(cursor, 1024);
    free(info->ops);
    info->view.ops = info->ops = room_for(cursor, count, sizeof *info->ops, 5);
    info->view.op_count = cursor->failed ? 0 : count;
    for (uint32_t i = 0; i < info->view.op_count; i++) {
        struct timeline_op *op = &info->ops[i];
        op->name = smtl_take_text(cursor, false);
        op->route = smtl_take_number(cursor, SIMSM_ROUTE_CONTROL);
        op->pipe = smtl_take_number(cursor, 1023);
        op->latency = smtl_take_number(cursor, UINT32_MAX);
        op->interval = smtl_take_number(cursor, UINT32_MAX);
        op->known = op_named(op->name);
    }
}

static void read_pipes(struct info *info, struct smtl_cursor *cursor)
{
    uint32_t count = smtl_take_number(cursor, 1024);
    free(info->pipes);
    info->view.pipes = info->pipes = room_for(cursor, count, sizeof *info->pipes, 2);
    info->view.pipe_count = cursor->failed ? 0 : count;
    for (uint32_t i = 0; i < info->view.pipe_count; i++) {
        info->pipes[i].name = smtl_take_text(cursor, false);
        info->pipes[i].shared = smtl_take_number(cursor, 1);
    }
}

static void read_levels(struct info *info, struct smtl_cursor *cursor)
{
    uint32_t count = smtl_take_number(cursor, 4);
    free(info->levels);
    info->view.levels = info->levels = room_for(cursor, count, sizeof *info->levels, 1);
    info->view.level_count = cursor->failed ? 0 : count;
    for (uint32_t i = 0; i < info->view.level_count; i++)
        info->levels[i] = smtl_take_text(cursor, false);
}

static uint8_t read_ranges(struct smtl_cursor *cursor, struct reg_range *ranges, uint32_t most)
{
    uint32_t count = smtl_take_number(cursor, most);
    for (uint32_t i = 0; i < count; i++) {
        ranges[i].first = (uint16_t)smtl_take_number(cursor, UINT16_MAX);
        ranges[i].count = (uint8_t)smtl_take_number(cursor, UINT8_MAX);
    }
    return (uint8_t)count;
}

static void read_code(struct info *info, struct smtl_cursor *cursor)
{
    uint32_t count = smtl_take_number(cursor, SMTL_MAX_META);
    free(info->lines);
    info->view.lines = info->lines = room_for(cursor, count, sizeof *info->lines, 9);
    info->view.line_count = cursor->failed ? 0 : count;
    for (uint32_t i = 0; i < info->view.line_count; i++) {
        struct timeline_line *line = &info->lines[i];
        line->text = smtl_take_text(cursor, false);
        line->pc = smtl_take_number(cursor, UINT32_MAX);
        line->line = smtl_take_number(cursor, UINT32_MAX);
        line->op = smtl_take_number(cursor, 1023);
        line->width = (uint8_t)smtl_take_number(cursor, UINT8_MAX);
        line->barrier = (uint8_t)smtl_take_number(cursor, UINT8_MAX);
        line->barrier_arrive = (uint8_t)smtl_take_number(cursor, UINT8_MAX);
        line->n_sources = read_ranges(cursor, line->source, INST_MAX_SOURCES);
        line->n_destinations = read_ranges(cursor, line->destination, INST_MAX_DESTINATIONS);
    }
}

/* Reads the source files of the instructions. This section follows the code section. */
static void read_sources(struct info *info, struct smtl_cursor *cursor)
{
    uint32_t count = smtl_take_number(cursor, SMTL_MAX_META);
    const char **names = room_for(cursor, count, sizeof *names, 1);
    for (uint32_t i = 0; names && i < count; i++)
        names[i] = smtl_take_text(cursor, false);
    for (uint32_t i = 0; names && i < info->view.line_count; i++) {
        uint32_t place = smtl_take_number(cursor, count);
        info->lines[i].file = place && !cursor->failed ? names[place - 1] : NULL;
    }
    free(names);
}

static void read_program(struct info *info, struct smtl_cursor *cursor)
{
    info->view.program = smtl_take_text(cursor, false);
}

static void read_command(struct info *info, struct smtl_cursor *cursor)
{
    info->view.command_line = smtl_take_text(cursor, false);
}

static void read_config(struct info *info, struct smtl_cursor *cursor)
{
    info->view.config = smtl_take_text(cursor, true);
}

static void read_trace(struct info *info, struct smtl_cursor *cursor)
{
    info->view.trace = smtl_take_text(cursor, false);
}

static void (*const sections[])(struct info *, struct smtl_cursor *) = {
    [SMTL_PROGRAM] = read_program,
    [SMTL_COMMAND] = read_command,
    [SMTL_CONFIG] = read_config,
    [SMTL_TRACE] = read_trace,
    [SMTL_GPU] = read_gpu,
    [SMTL_LAUNCH] = read_launch,
    [SMTL_OCCUPANCY] = read_occupancy,
    [SMTL_RECORDING] = read_recording,
    [SMTL_STATES] = read_states,
    [SMTL_OPS] = read_ops,
    [SMTL_PIPES] = read_pipes,
    [SMTL_LEVELS] = read_levels,
    [SMTL_CODE] = read_code,
    [SMTL_SOURCES] = read_sources,
    [SMTL_CLUSTER] = read_cluster,
};

/* Checks the references between sections. */
static bool consistent(const struct info *info)
{
    const struct timeline_info *view = &info->view;
    for (uint32_t i = 0; i < view->sm_count; i++) {
        if (view->sm[i] >= view->sms)
            return false;
    }
    for (uint32_t i = 0; i < view->op_count; i++) {
        if (view->ops[i].pipe >= view->pipe_count)
            return false;
    }
    for (uint32_t i = 0; i < view->line_count; i++) {
        if (view->lines[i].op >= view->op_count)
            return false;
    }
    return true;
}

const char *info_read_meta(struct info *info, struct smtl_cursor cursor)
{
    struct timeline_info *view = &info->view;
    view->program = view->command_line = view->config = view->trace = view->gpu = "";
    while (cursor.at < cursor.end && !cursor.failed) {
        uint32_t section = smtl_take_number(&cursor, UINT32_MAX);
        uint64_t length = smtl_take_varint(&cursor);
        struct smtl_cursor part = smtl_take_part(&cursor, length);
        if (section < sizeof sections / sizeof *sections && sections[section] && !part.failed)
            sections[section](info, &part);
        cursor.failed |= part.failed;
    }
    if (cursor.failed || !consistent(info))
        return "its head contradicts itself";
    if (!view->slots || !view->sm_count || !view->state_count || !view->line_count)
        return "its head lacks the GPU, the SMs, the states or the code";
    return NULL;
}

static void read_totals(struct info *info, struct smtl_cursor *cursor)
{
    const struct timeline_info *view = &info->view;
    for (uint32_t i = 0; i < view->sm_count; i++) {
        struct timeline_totals *totals = &info->totals[i];
        totals->states = info->total_states + (size_t)i * view->state_count;
        totals->issues = smtl_take_varint(cursor);
        totals->changes = smtl_take_varint(cursor);
        for (uint32_t s = 0; s < view->state_count; s++)
            totals->states[s] = smtl_take_varint(cursor);
    }
}

const char *info_read_end(struct info *info, struct smtl_cursor *cursor)
{
    struct timeline_info *view = &info->view;
    bool complete = smtl_take_number(cursor, 1);
    uint64_t cycles = smtl_take_varint(cursor);
    uint32_t counters = smtl_take_number(cursor, 65536);
    info->counters = room_for(cursor, counters, sizeof *info->counters, 2);
    for (uint32_t i = 0; i < counters && !cursor->failed; i++) {
        info->counters[i].name = smtl_take_text(cursor, false);
        info->counters[i].value = smtl_take_varint(cursor);
    }
    uint32_t sums = view->sm_count * view->state_count;
    info->totals = room_for(cursor, view->sm_count, sizeof *info->totals, 2);
    info->total_states = room_for(cursor, sums, sizeof *info->total_states, 1);
    if (!cursor->failed)
        read_totals(info, cursor);
    if (cursor->failed) {
        free(info->counters);
        free(info->totals);
        free(info->total_states);
        info->counters = NULL;
        info->totals = NULL;
        info->total_states = NULL;
        return "its last block contradicts itself";
    }
    view->ended = true;
    view->complete = complete;
    view->cycles = cycles;
    view->counter_count = counters;
    view->counters = info->counters;
    view->totals = info->totals;
    return NULL;
}

uint32_t info_sm_place(const struct info *info, uint32_t sm)
{
    uint32_t i = 0;
    while (i < info->view.sm_count && info->sm[i] != sm)
        i++;
    return i;
}

void info_free(struct info *info)
{
    free(info->sm);
    free(info->states);
    free(info->ops);
    free(info->pipes);
    free(info->levels);
    free(info->lines);
    free(info->counters);
    free(info->totals);
    free(info->total_states);
    free(info->line_info);
    free(info->line_stats);
    free(info->meta);
    free(info->end);
    *info = (struct info){0};
}
