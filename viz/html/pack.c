/* Packs one SM's timeline into the bytes described in pack.h. */
#include "html/pack.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "html/flights.h"
#include "track/pyramid.h"

enum { LEAST_SHIFT = PYRAMID_LEAST_SHIFT, LEAST_BUCKETS = 64, FLIGHT_BYTES = 4 };

/* A slot, gathered chunk by chunk. */
struct packed_slot {
    struct byte_buffer warps, spans;
    struct flights flights;
    uint64_t warp_count, span_count;
    uint64_t warp_cycle; /* of the last warp written */
    /* The last span: not written yet, as it may continue. length 0: none. */
    uint64_t length;
    uint32_t state, pc;
    uint32_t expected; /* expected instruction of the next span */
};

struct packer {
    struct run *run;
    const struct timeline_chunk *chunks;
    uint32_t chunk_count;
    struct packed_slot slots[SIMSM_SLOTS_PER_SM];
};

static void write_span(struct packed_slot *slot)
{
    if (!slot->length)
        return;
    bool jump = slot->pc != slot->expected;
    buffer_add_varint(&slot->spans, slot->length << 6 | (uint64_t)jump << 5 | slot->state);
    if (jump)
        buffer_add_varint(&slot->spans, bytes_zigzag((int64_t)slot->pc - slot->expected));
    bool issues = slot->state == SIMSM_STATE_ISSUED;
    slot->expected = slot->pc + (issues ? (uint32_t)slot->length : 0);
    slot->span_count++;
    slot->length = 0;
}

/* Adds `length` cycles in a state. In state `selected`, instruction pc + i issues in cycle i. */
static void add(struct packed_slot *slot, uint32_t state, uint32_t pc, uint64_t length)
{
    bool issued = slot->state == SIMSM_STATE_ISSUED;
    uint32_t next =
        slot->length ? slot->pc + (issued ? (uint32_t)slot->length : 0) : slot->expected;
    if (state == SIMSM_STATE_EMPTY || state == SIMSM_STATE_EXITED)
        pc = next;
    if (!slot->length || slot->state != state || next != pc) {
        write_span(slot);
        slot->state = state;
        slot->pc = pc;
    }
    slot->length += length;
}

/*
 * Adds a span of issues. It is cut where an instruction does not follow the one before it in the
 * code.
 */
static void add_issues(struct packed_slot *slot, const struct timeline_data *data, uint32_t *issue,
                       uint32_t issue_end, uint64_t from, const struct timeline_span *span)
{
    uint32_t pc = span->pc;
    for (uint64_t cycle = from; cycle < span->to; cycle++, pc++) {
        while (*issue < issue_end && data->issues[*issue].cycle < cycle)
            ++*issue;
        if (*issue < issue_end && data->issues[*issue].cycle == cycle)
            pc = data->issues[*issue].pc;
        add(slot, SIMSM_STATE_ISSUED, pc, 1);
    }
}

static void add_warps(struct packed_slot *slot, const struct timeline_data *data, uint32_t s)
{
    for (uint32_t i = data->warp_of[s]; i < data->warp_of[s + 1]; i++) {
        const struct timeline_warp *warp = &data->warps[i];
        bool known = slot->warp_count && warp->cycle <= slot->warp_cycle;
        if (!warp->started || known)
            continue;
        buffer_add_varint(&slot->warps, warp->cycle - slot->warp_cycle);
        buffer_add_varint(&slot->warps, warp->block);
        buffer_add_varint(&slot->warps, warp->warp);
        slot->warp_cycle = warp->cycle;
        slot->warp_count++;
    }
}

static void add_slot(struct packer *packer, const struct timeline_data *data, uint32_t s)
{
    struct packed_slot *slot = &packer->slots[s];
    uint32_t issue = data->issue_of[s];
    add_warps(slot, data, s);
    flights_add(&slot->flights, run_info(packer->run), data, s);
    for (uint32_t i = data->span_of[s]; i < data->span_of[s + 1]; i++) {
        const struct timeline_span *span = &data->spans[i];
        enum simsm_warp_state state = run_known_state(packer->run, span->state);
        uint64_t from = span->from > data->begin ? span->from : data->begin;
        if (state == SIMSM_STATE_ISSUED)
            add_issues(slot, data, &issue, data->issue_of[s + 1], from, span);
        else
            add(slot, state, span->pc, span->to - from);
    }
}

static size_t bytes_so_far(const struct packer *packer, uint32_t slots)
{
    size_t sum = 0;
    for (uint32_t s = 0; s < slots; s++)
        sum += packer->slots[s].spans.size + packer->slots[s].warps.size +
               packer->slots[s].flights.count * (size_t)FLIGHT_BYTES;
    return sum;
}

static void free_slots(struct packer *packer)
{
    for (uint32_t s = 0; s < SIMSM_SLOTS_PER_SM; s++) {
        buffer_free(&packer->slots[s].warps);
        buffer_free(&packer->slots[s].spans);
        flights_free(&packer->slots[s].flights);
    }
}

static void write_head(const struct packer *packer, uint32_t kind, uint32_t shift,
                       struct byte_buffer *to)
{
    uint64_t begin = packer->chunks[0].begin;
    buffer_add_varint(to, kind);
    buffer_add_varint(to, shift);
    buffer_add_varint(to, begin);
    buffer_add_varint(to, packer->chunks[packer->chunk_count - 1].end - begin);
    buffer_add_varint(to, run_info(packer->run)->slots);
}

static void write_exact(struct packer *packer, struct byte_buffer *to)
{
    write_head(packer, 0, 0, to);
    for (uint32_t s = 0; s < run_info(packer->run)->slots; s++) {
        struct packed_slot *slot = &packer->slots[s];
        write_span(slot);
        buffer_add_varint(to, slot->warp_count);
        buffer_add(to, slot->warps.data, slot->warps.size);
        buffer_add_varint(to, slot->span_count);
        buffer_add(to, slot->spans.data, slot->spans.size);
        flights_write(&slot->flights, to);
        to->failed |= slot->warps.failed || slot->spans.failed;
    }
}

/*
 * Packs the exact timeline. If it needs more than `room` bytes, *fits becomes false and nothing is
 * written.
 */
static enum simsm_status pack_exact(struct packer *packer, size_t room, struct byte_buffer *to,
                                    bool *fits, struct simsm_error *error)
{
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    uint32_t slots = run_info(packer->run)->slots;
    *fits = true;
    for (uint32_t c = 0; c < packer->chunk_count && *fits && status == SIMSM_OK; c++) {
        status = timeline_read_chunk(run_reader(packer->run), &packer->chunks[c], &data, error);
        for (uint32_t s = 0; s < slots && status == SIMSM_OK; s++)
            add_slot(packer, &data, s);
        *fits = bytes_so_far(packer, slots) <= room;
    }
    if (status == SIMSM_OK && *fits)
        write_exact(packer, to);
    timeline_data_free(&data);
    free_slots(packer);
    return status;
}

/* ---- Buckets ---- */

/* Returns a share in 7 bits. A share above 0 stays above 0. */
static uint32_t share7(uint8_t share)
{
    uint32_t rounded = ((uint32_t)share * 127 + 127) / 255;
    return share && !rounded ? 1 : rounded;
}

static uint32_t cell_bits(const struct pyramid_cell *cell)
{
    if (!cell)
        return 0;
    return cell->state | (uint32_t)cell->second << 5 | share7(cell->share) << 10 |
           share7(cell->second_share) << 17 | share7(cell->issue_share) << 24;
}

static void write_run(struct byte_buffer *runs, uint64_t count, uint32_t bits)
{
    uint8_t bytes[4];
    bytes_put_u32(bytes, bits);
    buffer_add_varint(runs, count);
    buffer_add(runs, bytes, sizeof bytes);
}

/*
 * Writes buckets of one level. Returns false if they need more than `room` bytes, or memory runs
 * out.
 */
static bool write_buckets(const struct packer *packer, const struct pyramid *pyramid,
                          uint32_t level, size_t room, struct byte_buffer *to)
{
    uint32_t shift = pyramid->shift + level;
    uint64_t first = packer->chunks[0].begin >> shift;
    uint64_t last = (packer->chunks[packer->chunk_count - 1].end - 1) >> shift;
    write_head(packer, 1, shift, to);
    for (uint32_t s = 0; s < pyramid->slots && to->size <= room && !to->failed; s++) {
        struct byte_buffer runs = {0};
        uint64_t count = 0;
        for (uint64_t at = first; at <= last && runs.size <= room;) {
            uint32_t bits = cell_bits(pyramid_at(pyramid, level, s, at));
            uint64_t end = at + 1;
            while (end <= last && cell_bits(pyramid_at(pyramid, level, s, end)) == bits)
                end++;
            write_run(&runs, end - at, bits);
            count++;
            at = end;
        }
        buffer_add_varint(to, count);
        buffer_add(to, runs.data, runs.size);
        to->failed |= runs.failed;
        buffer_free(&runs);
    }
    return to->size <= room && !to->failed;
}

static enum simsm_status fill(struct packer *packer, struct pyramid *pyramid,
                              struct simsm_error *error)
{
    struct timeline_data data = {0};
    enum simsm_status status = SIMSM_OK;
    for (uint32_t c = 0; c < packer->chunk_count && status == SIMSM_OK; c++) {
        status = timeline_read_chunk(run_reader(packer->run), &packer->chunks[c], &data, error);
        for (uint32_t i = 0; i < data.span_count && status == SIMSM_OK; i++) {
            const struct timeline_span *span = &data.spans[i];
            pyramid_add(pyramid, span->slot, run_known_state(packer->run, span->state), span->to);
        }
    }
    pyramid_end(pyramid);
    timeline_data_free(&data);
    return status;
}

static enum simsm_status pack_buckets(struct packer *packer, size_t room, struct byte_buffer *to,
                                      uint32_t *shift, struct simsm_error *error)
{
    struct pyramid pyramid;
    uint64_t begin = packer->chunks[0].begin;
    uint64_t end = packer->chunks[packer->chunk_count - 1].end;
    enum simsm_status status = SIMSM_OK;
    if (!pyramid_create(&pyramid, run_info(packer->run)->slots, begin, end))
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        status = fill(packer, &pyramid, error);
    for (uint32_t level = 0; status == SIMSM_OK && level < pyramid.levels; level++) {
        bool last = level + 1 == pyramid.levels || pyramid.buckets[level] <= LEAST_BUCKETS;
        *shift = pyramid.shift + level;
        buffer_free(to);
        if (write_buckets(packer, &pyramid, level, last ? SIZE_MAX : room, to) || last)
            break;
        if (to->failed)
            status = err_no_memory(error);
    }
    pyramid_free(&pyramid);
    return status;
}

enum simsm_status pack_sm(struct run *run, uint32_t sm, size_t room, struct byte_buffer *to,
                          uint32_t *shift, struct simsm_error *error)
{
    struct packer packer = {.run = run};
    uint64_t changes = 0;
    bool fits = false;
    enum simsm_status status = SIMSM_OK;
    *shift = 0;
    packer.chunks = timeline_read_chunks(run_reader(run), sm, &packer.chunk_count);
    if (!packer.chunk_count)
        return SIMSM_OK;
    for (uint32_t c = 0; c < packer.chunk_count; c++)
        changes += packer.chunks[c].changes;
    if (changes <= room) /* a span takes at least one byte */
        status = pack_exact(&packer, room, to, &fits, error);
    if (status == SIMSM_OK && !fits)
        status = pack_buckets(&packer, room, to, shift, error);
    if (status == SIMSM_OK && to->failed)
        status = err_no_memory(error);
    return status;
}
