/* The overview: gathered while a run is recorded, written, and read. */
#include "timeline/timeline_overview.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/*
 * Returns whether the overview has a counter. Left out are counters of time, which are late by up
 * to one window of the simulation, and counters of pipes, which are complete at the end of the run
 * only.
 */
static bool is_kept(int counter)
{
    if (counter >= SIMSM_COUNTER_PIPE_ALU && counter <= SIMSM_COUNTER_PIPE_FMALITE)
        return false;
    switch (counter) {
    case SIMSM_COUNTER_SMSP_CYCLES_ACTIVE:
    case SIMSM_COUNTER_SM_CYCLES_ACTIVE:
    case SIMSM_COUNTER_WARPS_ACTIVE:
    case SIMSM_COUNTER_WARPS_ELIGIBLE:
    case SIMSM_COUNTER_ICACHE_REQUESTS:
    case SIMSM_COUNTER_ICACHE_MISSES:
        return false;
    default:
        return true;
    }
}

bool overview_init(struct overview *overview, uint32_t sms)
{
    *overview = (struct overview){.sms = sms, .step = OVERVIEW_CYCLES};
    overview->places = calloc((size_t)sms * OVERVIEW_PLACES, sizeof *overview->places);
    overview->cycle = calloc(OVERVIEW_ROWS, sizeof *overview->cycle);
    overview->counters =
        calloc((size_t)OVERVIEW_ROWS * SIMSM_COUNTER_COUNT, sizeof *overview->counters);
    return overview->places && overview->cycle && overview->counters;
}

void overview_free(struct overview *overview)
{
    free(overview->places);
    free(overview->cycle);
    free(overview->counters);
    buffer_free(&overview->blocks);
    *overview = (struct overview){0};
}

static uint64_t zigzag(uint64_t difference)
{
    return (difference << 1) ^ (difference >> 63 ? UINT64_MAX : 0);
}

static uint64_t unzigzag(uint64_t value)
{
    return value >> 1 ^ (value & 1 ? UINT64_MAX : 0);
}

/* Appends a block that was resident for `cycles` cycles. 0: it has not ended. */
static void add_block(struct overview *overview, uint32_t sm, uint32_t place, uint64_t cycles)
{
    const struct overview_place *at = &overview->places[sm * OVERVIEW_PLACES + place];
    struct byte_buffer *blocks = &overview->blocks;
    if (blocks->size > OVERVIEW_MOST) {
        overview->cut = true;
        return;
    }
    buffer_add_varint(blocks, zigzag((uint64_t)at->block - overview->last_block));
    buffer_add_varint(blocks, sm);
    buffer_add_varint(blocks, place);
    buffer_add_varint(blocks, zigzag(at->start - overview->last_start));
    buffer_add_varint(blocks, cycles);
    overview->last_block = at->block;
    overview->last_start = at->start;
    overview->block_count++;
}

void overview_event(struct overview *overview, uint32_t sm, const struct simsm_event *event)
{
    if (sm >= overview->sms)
        return;
    struct overview_place *place = &overview->places[sm * OVERVIEW_PLACES + event->sub];
    if (event->kind == SIMSM_EVENT_BLOCK_START) {
        *place = (struct overview_place){.start = event->cycle, .block = event->arg, .open = true};
    } else if (event->kind == SIMSM_EVENT_BLOCK_END && place->open) {
        add_block(overview, sm, event->sub, event->cycle - place->start);
        place->open = false;
    }
}

/* Drops every other sample and doubles the distance between samples. */
static void thin_out(struct overview *overview)
{
    uint32_t kept = 0;
    for (uint32_t row = 1; row < overview->rows; row += 2, kept++) {
        overview->cycle[kept] = overview->cycle[row];
        memcpy(overview->counters + (size_t)kept * SIMSM_COUNTER_COUNT,
               overview->counters + (size_t)row * SIMSM_COUNTER_COUNT,
               SIMSM_COUNTER_COUNT * sizeof *overview->counters);
    }
    overview->rows = kept;
    overview->step *= 2;
}

void overview_sample(struct overview *overview, uint64_t cycle, const uint64_t *counters)
{
    uint64_t last = overview->rows ? overview->cycle[overview->rows - 1] : 0;
    if (cycle < last + overview->step)
        return;
    if (overview->rows == OVERVIEW_ROWS)
        thin_out(overview);
    SIMSM_CHECK(overview->rows < OVERVIEW_ROWS, "%u samples of %d", overview->rows, OVERVIEW_ROWS);
    overview->cycle[overview->rows] = cycle;
    memcpy(overview->counters + (size_t)overview->rows * SIMSM_COUNTER_COUNT, counters,
           SIMSM_COUNTER_COUNT * sizeof *counters);
    overview->rows++;
}

static void add_column(const struct overview *overview, int counter, struct byte_buffer *payload)
{
    uint64_t last = 0;
    for (uint32_t row = 0; row < overview->rows; row++) {
        uint64_t value = overview->counters[(size_t)row * SIMSM_COUNTER_COUNT + (size_t)counter];
        buffer_add_varint(payload, value - last);
        last = value;
    }
}

void overview_payload(struct overview *overview, struct byte_buffer *payload)
{
    for (uint32_t i = 0; i < overview->sms * OVERVIEW_PLACES; i++)
        if (overview->places[i].open)
            add_block(overview, i / OVERVIEW_PLACES, i % OVERVIEW_PLACES, 0);
    buffer_add_varint(payload, overview->cut);
    buffer_add_varint(payload, overview->block_count);
    buffer_add(payload, overview->blocks.data, overview->blocks.size);
    payload->failed |= overview->blocks.failed;
    int kept = 0;
    for (int i = 0; i < SIMSM_COUNTER_COUNT; i++)
        kept += is_kept(i);
    buffer_add_varint(payload, (uint64_t)kept);
    for (int i = 0; i < SIMSM_COUNTER_COUNT; i++)
        if (is_kept(i))
            buffer_add_text(payload, simsm_counters[i].name);
    buffer_add_varint(payload, overview->rows);
    /* The samples are written column by column: neighbours are similar, and pack well. */
    for (uint32_t row = 0; row < overview->rows; row++)
        buffer_add_varint(payload, overview->cycle[row] - (row ? overview->cycle[row - 1] : 0));
    for (int i = 0; i < SIMSM_COUNTER_COUNT; i++)
        if (is_kept(i))
            add_column(overview, i, payload);
}

/* ---- Reading ---- */

/*
 * Returns whether the rest of the payload can hold `count` entries of at least `least` bytes each.
 */
static bool plausible(const struct smtl_cursor *cursor, uint64_t count, size_t least)
{
    return !cursor->failed && count <= (uint64_t)(cursor->end - cursor->at) / least;
}

static bool read_blocks(struct overview_data *data, struct smtl_cursor *cursor, uint32_t sms)
{
    data->view.cut = smtl_take_number(cursor, 1);
    uint64_t count = smtl_take_varint(cursor);
    if (!plausible(cursor, count, 5))
        return false;
    data->blocks = calloc(count + 1, sizeof *data->blocks);
    if (!data->blocks)
        return false;
    uint64_t start = 0;
    uint64_t number = 0;
    for (uint64_t i = 0; i < count && !cursor->failed; i++) {
        struct overview_block *block = &data->blocks[i];
        number += unzigzag(smtl_take_varint(cursor));
        block->block = (uint32_t)number;
        block->sm = smtl_take_number(cursor, sms - 1);
        block->place = (uint8_t)smtl_take_number(cursor, OVERVIEW_PLACES - 1);
        start += unzigzag(smtl_take_varint(cursor));
        uint64_t cycles = smtl_take_varint(cursor);
        block->start = start;
        block->end = !cycles || cycles > UINT64_MAX / 2 || start > UINT64_MAX / 2 ? UINT64_MAX
                                                                                  : start + cycles;
    }
    data->view.block_count = (uint32_t)count;
    return !cursor->failed;
}

static bool read_samples(struct overview_data *data, struct smtl_cursor *cursor)
{
    uint64_t columns = smtl_take_varint(cursor);
    if (!plausible(cursor, columns, 1))
        return false;
    data->names = calloc(columns + 1, sizeof *data->names);
    for (uint64_t i = 0; data->names && i < columns; i++)
        data->names[i] = smtl_take_text(cursor, false);
    uint64_t rows = smtl_take_varint(cursor);
    if (!data->names || !plausible(cursor, rows, 1) || !plausible(cursor, rows * columns, 1))
        return false;
    data->cycle = calloc(rows + 1, sizeof *data->cycle);
    data->values = calloc(rows * columns + 1, sizeof *data->values);
    if (!data->cycle || !data->values)
        return false;
    uint64_t sum = 0;
    for (uint64_t row = 0; row < rows; row++)
        data->cycle[row] = sum += smtl_take_varint(cursor);
    for (uint64_t i = 0; i < columns; i++) {
        sum = 0;
        for (uint64_t row = 0; row < rows; row++)
            data->values[row * columns + i] = sum += smtl_take_varint(cursor);
    }
    data->view.rows = (uint32_t)rows;
    data->view.columns = (uint32_t)columns;
    return !cursor->failed;
}

const char *overview_read(struct overview_data *data, struct smtl_cursor cursor, uint32_t sms)
{
    *data = (struct overview_data){0};
    if (!read_blocks(data, &cursor, sms) || !read_samples(data, &cursor) ||
        cursor.at != cursor.end) {
        overview_data_free(data);
        return "its overview contradicts itself";
    }
    data->view.blocks = data->blocks;
    data->view.cycle = data->cycle;
    data->view.values = data->values;
    data->view.names = data->names;
    return NULL;
}

void overview_data_free(struct overview_data *data)
{
    free(data->blocks);
    free(data->cycle);
    free(data->values);
    free(data->names);
    *data = (struct overview_data){0};
}
