/*
 * Writes a Perfetto trace in Perfetto's own format. An SM is a process. It has tracks for its
 * gauges, its blocks, and for the warp slots of each sub-partition. A slot has a state track,
 * tracks for its memory instructions in flight, and a track of wakes: the moments at which an
 * answer let the warp continue, with an arrow from the memory instruction. 1 cycle is 1 ns.
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "export/gauges.h"
#include "export/trace_packets.h"

enum { LANES = 128, ANSWERS = 8, PLACES = 256 };

/* Kinds of tracks of an SM. With an index they make the track's id. */
enum track_kind {
    TRACK_SM = 1,
    TRACK_GAUGE,
    TRACK_BLOCKS,
    TRACK_PLACE,
    TRACK_SUB,
    TRACK_SLOT,
    TRACK_WAKE,
    TRACK_LANE
};

enum { RANK_GAUGES = 0, RANK_BLOCKS = 100, RANK_SUBS = 101 };

struct memory_answer {
    uint64_t number, cycle;
    uint32_t pc;
};

struct perfetto_slot {
    uint64_t since;    /* cycle at which the slot entered its state */
    uint64_t open;     /* interned name of the open slice; 0: none is open */
    bool waits, wakes; /* waits for a scoreboard; has a track of wakes */
    uint32_t answer_count;
    struct memory_answer answer[ANSWERS]; /* the last ones; entry n is at index n modulo ANSWERS */
    uint32_t lanes;
    uint64_t lane_free[LANES]; /* cycle at which each lane of the memory tracks becomes free */
};

struct perfetto_writer {
    const struct export_request *request;
    const struct timeline_info *info;
    struct packets packets;
    uint32_t sm;
    struct gauges gauges;
    struct perfetto_slot slot[SIMSM_SLOTS_PER_SM];
};

static uint64_t track_id(const struct perfetto_writer *w, enum track_kind kind, uint32_t index)
{
    return (uint64_t)(w->sm + 1) << 32 | (uint64_t)kind << 24 | index;
}

static void add_track(struct perfetto_writer *w, enum track_kind kind, uint32_t index,
                      struct packet_track track)
{
    track.id = track_id(w, kind, index);
    packets_track(&w->packets, &track);
}

static uint32_t slot_rank(const struct perfetto_writer *w, uint32_t slot)
{
    return slot / w->info->sub_partitions * 3;
}

static void add_tracks(struct perfetto_writer *w)
{
    const struct timeline_info *info = w->info;
    uint64_t sm = track_id(w, TRACK_SM, 0);
    char text[160];
    (void)snprintf(text, sizeof text, "SM %u %.120s", w->sm, info->launch.name);
    add_track(w, TRACK_SM, 0, (struct packet_track){.name = text, .pid = export_pid(w->sm)});
    for (uint32_t i = 0; i < gauges_count(info); i++)
        add_track(w, TRACK_GAUGE, i,
                  (struct packet_track){.parent = sm,
                                        .name = gauges_name(info, i, text),
                                        .rank = RANK_GAUGES + i,
                                        .counter = true,
                                        .unit = gauges_unit(info, i)});
    add_track(w, TRACK_BLOCKS, 0,
              (struct packet_track){.parent = sm, .name = "blocks", .rank = RANK_BLOCKS});
    for (uint32_t i = 0; i < info->sub_partitions; i++) {
        (void)snprintf(text, sizeof text, "sub-partition %u", i);
        add_track(w, TRACK_SUB, i,
                  (struct packet_track){.parent = sm, .name = text, .rank = RANK_SUBS + i});
    }
    for (uint32_t s = 0; s < info->slots; s++)
        add_track(w, TRACK_SLOT, s,
                  (struct packet_track){.parent = track_id(w, TRACK_SUB, s % info->sub_partitions),
                                        .name = export_slot_name(info, s, text),
                                        .rank = slot_rank(w, s),
                                        .state = !w->request->begin_end});
}

static void put_slice(struct perfetto_writer *w, uint64_t from, uint64_t to,
                      struct packet_event event)
{
    event.cycle = from;
    event.type = PACKET_BEGIN;
    packets_event(&w->packets, &event);
    packets_event(&w->packets, &(struct packet_event){.cycle = to,
                                                      .track = event.track,
                                                      .type = PACKET_END,
                                                      .line = PACKET_NO_LINE});
}

static enum simsm_status put_blocks(struct perfetto_writer *w, uint64_t to,
                                    struct simsm_error *error)
{
    bool named[PLACES] = {false};
    bool all;
    uint32_t count;
    char text[32];
    const struct run_block *blocks = run_blocks(w->request->run, &count, &all, error);
    for (uint32_t i = 0; blocks && i < count; i++) {
        const struct run_block *block = &blocks[i];
        uint64_t begin = block->start > w->request->from ? block->start : w->request->from;
        uint64_t end = block->end < to ? block->end : to;
        if (block->sm != w->sm || begin >= end)
            continue;
        if (!named[block->place]) {
            (void)snprintf(text, sizeof text, "place %u", block->place);
            add_track(w, TRACK_PLACE, block->place,
                      (struct packet_track){.parent = track_id(w, TRACK_BLOCKS, 0),
                                            .name = text,
                                            .rank = block->place});
            named[block->place] = true;
        }
        (void)snprintf(text, sizeof text, "block %u", block->block);
        put_slice(w, begin, end,
                  (struct packet_event){.track = track_id(w, TRACK_PLACE, block->place),
                                        .text = text,
                                        .line = PACKET_NO_LINE});
    }
    return blocks ? SIMSM_OK : error->status;
}

static void put_gauge(void *context, uint32_t gauge, uint64_t cycle, double value)
{
    struct perfetto_writer *w = context;
    packets_event(&w->packets, &(struct packet_event){.cycle = cycle,
                                                      .track = track_id(w, TRACK_GAUGE, gauge),
                                                      .type = PACKET_COUNTER,
                                                      .line = PACKET_NO_LINE,
                                                      .value = value});
}

/* Writes a change of a slot's state. Name 0: no warp is in the slot. */
static void put_state(struct perfetto_writer *w, uint32_t s, uint64_t cycle, uint64_t name,
                      uint32_t pc)
{
    struct packet_event event = {.cycle = cycle,
                                 .track = track_id(w, TRACK_SLOT, s),
                                 .type = PACKET_STATE,
                                 .name = name,
                                 .line = name ? pc : PACKET_NO_LINE};
    if (w->request->begin_end) {
        if (w->slot[s].open)
            packets_event(&w->packets, &(struct packet_event){.cycle = cycle,
                                                              .track = event.track,
                                                              .type = PACKET_END,
                                                              .line = PACKET_NO_LINE});
        event.type = PACKET_BEGIN;
    }
    if (name || !w->request->begin_end)
        packets_event(&w->packets, &event);
    w->slot[s].open = name;
}

static uint64_t flow_of(const struct perfetto_writer *w, uint64_t number)
{
    return (uint64_t)(w->sm + 1) << 44 | (number + 1);
}

/*
 * Writes a memory instruction when it is answered. Memory instructions of a warp overlap, so each
 * takes the first free lane.
 */
static void put_flight(struct perfetto_writer *w, const struct walk_event *event)
{
    struct perfetto_slot *slot = &w->slot[event->slot];
    if (event->started == WALK_UNKNOWN)
        return;
    uint64_t from = event->started > w->request->from ? event->started : w->request->from;
    uint32_t lane = 0;
    while (lane + 1 < LANES && slot->lane_free[lane] > from)
        lane++;
    slot->lane_free[lane] = event->cycle;
    for (; slot->lanes <= lane; slot->lanes++) {
        char text[64];
        char name[32];
        (void)snprintf(text, sizeof text, "%s memory",
                       export_slot_name(w->info, event->slot, name));
        add_track(w, TRACK_LANE, event->slot * LANES + slot->lanes,
                  (struct packet_track){
                      .parent = track_id(w, TRACK_SUB, event->slot % w->info->sub_partitions),
                      .name = text,
                      .rank = slot_rank(w, event->slot) + 1});
    }
    put_slice(w, from, event->cycle,
              (struct packet_event){.track = track_id(w, TRACK_LANE, event->slot * LANES + lane),
                                    .name = packets_line_name(&w->packets, event->pc),
                                    .line = event->pc,
                                    .flow_out = flow_of(w, event->number)});
    slot->answer[slot->answer_count++ % ANSWERS] =
        (struct memory_answer){.number = event->number, .cycle = event->cycle, .pc = event->pc};
}

static bool reads_what_writes(const struct timeline_info *info, uint32_t reader, uint32_t writer)
{
    if (reader >= info->line_count || writer >= info->line_count)
        return false;
    const struct timeline_line *r = &info->lines[reader];
    const struct timeline_line *w = &info->lines[writer];
    for (uint32_t i = 0; i < r->n_sources; i++)
        for (uint32_t k = 0; k < w->n_destinations; k++)
            if (r->source[i].first < w->destination[k].first + w->destination[k].count &&
                w->destination[k].first < r->source[i].first + r->source[i].count)
                return true;
    return false;
}

/*
 * Writes why a slot leaves its wait for a scoreboard: the answer that ended the wait, and the
 * instruction that needed it.
 */
static void put_wake(struct perfetto_writer *w, uint32_t s, uint64_t cycle, uint32_t pc)
{
    struct perfetto_slot *slot = &w->slot[s];
    char text[64];
    char name[32];
    for (uint32_t i = 0; i < ANSWERS && i < slot->answer_count; i++) {
        const struct memory_answer *answer = &slot->answer[(slot->answer_count - 1 - i) % ANSWERS];
        if (answer->cycle < slot->since || !reads_what_writes(w->info, pc, answer->pc))
            continue;
        if (!slot->wakes) {
            slot->wakes = true;
            (void)snprintf(text, sizeof text, "%s wakes", export_slot_name(w->info, s, name));
            add_track(
                w, TRACK_WAKE, s,
                (struct packet_track){.parent = track_id(w, TRACK_SUB, s % w->info->sub_partitions),
                                      .name = text,
                                      .rank = slot_rank(w, s) + 2});
        }
        packets_event(&w->packets,
                      &(struct packet_event){.cycle = cycle,
                                             .track = track_id(w, TRACK_WAKE, s),
                                             .type = PACKET_INSTANT,
                                             .name = packets_line_name(&w->packets, pc),
                                             .line = pc,
                                             .flow_in = flow_of(w, answer->number)});
        return;
    }
}

static enum simsm_status take_event(void *context, const struct walk_event *event,
                                    struct simsm_error *error)
{
    struct perfetto_writer *w = context;
    (void)error;
    gauges_take(&w->gauges, event);
    if (event->kind == WALK_ANSWER)
        put_flight(w, event);
    if (event->kind != WALK_STATE)
        return SIMSM_OK;
    struct perfetto_slot *slot = &w->slot[event->slot];
    uint32_t known = w->info->states[event->state].known;
    if (slot->waits)
        put_wake(w, event->slot, event->cycle, event->pc);
    put_state(w, event->slot, event->cycle,
              export_is_empty(w->info, event->state) ? 0 : packets_state_name(event->state),
              event->pc);
    slot->since = event->cycle;
    slot->waits = known == SIMSM_STATE_LONG_SCOREBOARD || known == SIMSM_STATE_SHORT_SCOREBOARD;
    return SIMSM_OK;
}

static enum simsm_status put_sm(struct perfetto_writer *w, uint32_t sm, struct simsm_error *error)
{
    const struct export_request *request = w->request;
    uint64_t to = export_end(request, sm);
    if (to <= request->from)
        return SIMSM_OK;
    w->sm = sm;
    memset(w->slot, 0, sizeof w->slot);
    gauges_init(&w->gauges, w->info, request->from, to, put_gauge, w);
    add_tracks(w);
    enum simsm_status status = put_blocks(w, to, error);
    if (status == SIMSM_OK)
        status = walk_sm(run_reader(request->run), sm, request->from, to, take_event, w, error);
    for (uint32_t s = 0; s < w->info->slots && status == SIMSM_OK; s++)
        put_state(w, s, to, 0, 0);
    gauges_finish(&w->gauges);
    return status;
}

enum simsm_status perfetto_proto(const struct export_request *request, FILE *file,
                                 struct simsm_error *error)
{
    struct perfetto_writer *w = calloc(1, sizeof *w);
    uint32_t count;
    const uint32_t *sms = export_sms(request, &count);
    enum simsm_status status = SIMSM_OK;
    if (!w)
        return err_no_memory(error);
    w->request = request;
    w->info = run_info(request->run);
    packets_begin(&w->packets, file, w->info);
    for (uint32_t i = 0; i < count && status == SIMSM_OK; i++)
        status = put_sm(w, sms[i], error);
    if (!packets_free(&w->packets) && status == SIMSM_OK)
        status = err_no_memory(error);
    free(w);
    return status;
}
