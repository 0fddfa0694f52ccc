/*
 * Writes a Kanata log, version 0004, for Konata: one row for each warp instruction of one SM, in
 * the order in which the instructions come to the heads of their warps. Stages in lane 0:
 *   H    at the head of its warp, not issued; lane 1 has the state of the warp
 *   Is   issues
 *   X    executes, for the latency of its class
 *   Q    in the queue to the load/store stage
 *   Xm   in the memory system, until it is answered
 * https://github.com/shioyadan/Konata/blob/master/docs/kanata-log-format.md
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "export/event_queue.h"
#include "export/writers.h"

enum { REGISTERS = 512, MOST_OUT = 128 };

enum queued_kind { START_EXECUTE, START_QUEUE, RETIRE };

static const uint64_t none = UINT64_MAX;
static const uint32_t unknown_pc = UINT32_MAX;

/* A memory instruction that was issued and is not answered. */
struct pending_memory {
    uint64_t number, id;
};

struct kanata_slot {
    uint64_t head;    /* row of the instruction at the head of the warp */
    uint32_t head_pc; /* unknown_pc: not fetched, so its row has no label */
    bool stalled;     /* the stall stage in lane 1 of the head's row is open */
    uint8_t stall;
    uint32_t out_count;
    struct pending_memory out[MOST_OUT];
    uint64_t writer[REGISTERS]; /* row of the last instruction that wrote each register */
};

struct kanata_log {
    const struct timeline_info *info;
    FILE *file;
    uint64_t cycle, rows, retired;
    struct event_queue scheduled;
    bool failed;
    struct kanata_slot slot[SIMSM_SLOTS_PER_SM];
};

static void put_cycle(struct kanata_log *log, uint64_t cycle)
{
    if (cycle > log->cycle) {
        (void)fprintf(log->file, "C\t%" PRIu64 "\n", cycle - log->cycle);
        log->cycle = cycle;
    }
}

static void put_stage(struct kanata_log *log, char command, uint64_t id, int lane,
                      const char *stage)
{
    (void)fprintf(log->file, "%c\t%" PRIu64 "\t%d\t%s\n", command, id, lane, stage);
}

static void schedule(struct kanata_log *log, uint64_t cycle, enum queued_kind what, uint64_t id)
{
    log->failed |= !event_queue_put(&log->scheduled, cycle, (uint8_t)what, id);
}

/* Writes the scheduled stages and retirements up to and including `cycle`. */
static void write_scheduled(struct kanata_log *log, uint64_t cycle)
{
    struct queued_event entry;
    while (event_queue_take(&log->scheduled, cycle, &entry)) {
        put_cycle(log, entry.cycle);
        if (entry.what == RETIRE)
            (void)fprintf(log->file, "R\t%" PRIu64 "\t%" PRIu64 "\t0\n", entry.id, log->retired++);
        else
            put_stage(log, 'S', entry.id, 0, entry.what == START_QUEUE ? "Q" : "X");
    }
}

static void end_stall(struct kanata_log *log, uint32_t s)
{
    struct kanata_slot *slot = &log->slot[s];
    if (slot->stalled)
        put_stage(log, 'E', slot->head, 1, log->info->states[slot->stall].name);
    slot->stalled = false;
}

/* Ends the row of the instruction at the head: it does not issue within this log. */
static void drop_head(struct kanata_log *log, uint32_t s)
{
    struct kanata_slot *slot = &log->slot[s];
    end_stall(log, s);
    if (slot->head != none)
        (void)fprintf(log->file, "R\t%" PRIu64 "\t0\t1\n", slot->head);
    slot->head = none;
}

static void put_label(struct kanata_log *log, uint64_t id, uint32_t pc)
{
    (void)fprintf(log->file, "L\t%" PRIu64 "\t0\t%04x %s\n", id,
                  pc < log->info->line_count ? log->info->lines[pc].pc : 0,
                  export_line_text(log->info, pc));
}

/* Puts `pc` at the head of the slot's warp: into the open row, or into a new one. */
static void set_head(struct kanata_log *log, uint32_t s, uint32_t pc)
{
    struct kanata_slot *slot = &log->slot[s];
    char name[32];
    bool other = pc != unknown_pc && slot->head_pc != unknown_pc && pc != slot->head_pc;
    if (slot->head != none && other)
        drop_head(log, s);
    if (slot->head == none) {
        slot->head = log->rows++;
        slot->head_pc = unknown_pc;
        (void)fprintf(log->file, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", slot->head, slot->head, s);
        (void)fprintf(log->file, "L\t%" PRIu64 "\t1\t%s\n", slot->head,
                      export_slot_name(log->info, s, name));
    }
    if (slot->head_pc == unknown_pc && pc != unknown_pc) {
        put_label(log, slot->head, pc);
        slot->head_pc = pc;
    }
}

static void begin_warp(struct kanata_log *log, uint32_t s)
{
    struct kanata_slot *slot = &log->slot[s];
    drop_head(log, s);
    for (uint32_t i = 0; i < slot->out_count; i++)
        schedule(log, log->cycle, RETIRE, slot->out[i].id);
    slot->out_count = 0;
    memset(slot->writer, 0xff, sizeof slot->writer);
}

static void take_state(struct kanata_log *log, const struct walk_event *event)
{
    struct kanata_slot *slot = &log->slot[event->slot];
    uint32_t known = log->info->states[event->state].known;
    end_stall(log, event->slot);
    if (known == SIMSM_STATE_EMPTY || known == SIMSM_STATE_EXITED || known == SIMSM_STATE_DRAIN) {
        drop_head(log, event->slot);
        return;
    }
    if (known == SIMSM_STATE_ISSUED)
        return;
    bool fetched = known != SIMSM_STATE_NO_INSTRUCTION && known != SIMSM_STATE_BRANCH_RESOLVING;
    bool opens = slot->head == none;
    set_head(log, event->slot, fetched ? event->pc : unknown_pc);
    if (opens)
        put_stage(log, 'S', slot->head, 0, "H");
    put_stage(log, 'S', slot->head, 1, log->info->states[event->state].name);
    slot->stalled = true;
    slot->stall = event->state;
}

/*
 * Writes arrows from the instructions that wrote the sources of the instruction at the head. Then
 * notes the head as the last writer of its destinations.
 */
static void put_arrows(struct kanata_log *log, struct kanata_slot *slot,
                       const struct timeline_line *line)
{
    uint64_t last = none;
    for (uint32_t i = 0; i < line->n_sources; i++) {
        uint32_t end = (uint32_t)line->source[i].first + line->source[i].count;
        for (uint32_t r = line->source[i].first; r < end && r < REGISTERS; r++) {
            uint64_t producer = slot->writer[r];
            if (producer == none || producer == last)
                continue;
            (void)fprintf(log->file, "W\t%" PRIu64 "\t%" PRIu64 "\t0\n", slot->head, producer);
            last = producer;
        }
    }
    for (uint32_t i = 0; i < line->n_destinations; i++) {
        uint32_t end = (uint32_t)line->destination[i].first + line->destination[i].count;
        for (uint32_t r = line->destination[i].first; r < end && r < REGISTERS; r++)
            slot->writer[r] = slot->head;
    }
}

static void begin_memory(struct kanata_log *log, struct kanata_slot *slot,
                         const struct walk_event *event)
{
    if (slot->out_count ==
        MOST_OUT) { /* a warp cannot have so many: the oldest is taken as never answered */
        schedule(log, event->cycle, RETIRE, slot->out[0].id);
        memmove(slot->out, slot->out + 1, (MOST_OUT - 1) * sizeof slot->out[0]);
        slot->out_count--;
    }
    slot->out[slot->out_count++] =
        (struct pending_memory){.number = event->number, .id = slot->head};
    schedule(log, event->cycle + 1, START_QUEUE, slot->head);
}

static void take_issue(struct kanata_log *log, const struct walk_event *event)
{
    struct kanata_slot *slot = &log->slot[event->slot];
    end_stall(log, event->slot);
    set_head(log, event->slot, event->pc);
    put_stage(log, 'S', slot->head, 0, "Is");
    uint32_t latency = 0;
    if (event->pc < log->info->line_count) {
        const struct timeline_line *line = &log->info->lines[event->pc];
        put_arrows(log, slot, line);
        latency = log->info->ops[line->op].latency;
    }
    if (walk_is_memory(log->info, event->pc)) {
        begin_memory(log, slot, event);
    } else {
        schedule(log, event->cycle + 1, START_EXECUTE, slot->head);
        schedule(log, event->cycle + (latency > 2 ? latency : 2), RETIRE, slot->head);
    }
    slot->head = none;
}

static void take_memory(struct kanata_log *log, const struct walk_event *event)
{
    struct kanata_slot *slot = &log->slot[event->slot];
    uint32_t i = 0;
    while (i < slot->out_count && slot->out[i].number != event->number)
        i++;
    if (i == slot->out_count)
        return; /* issued before the log begins */
    uint64_t id = slot->out[i].id;
    if (event->kind == WALK_REQUEST) {
        put_stage(log, 'S', id, 0, "Xm");
        return;
    }
    (void)fprintf(log->file, "L\t%" PRIu64 "\t2\tanswered by %s\n", id,
                  event->level < log->info->level_count ? log->info->levels[event->level] : "?");
    put_stage(log, 'E', id, 0, "Xm");
    (void)fprintf(log->file, "R\t%" PRIu64 "\t%" PRIu64 "\t0\n", id, log->retired++);
    slot->out_count--;
    memmove(slot->out + i, slot->out + i + 1, (slot->out_count - i) * sizeof slot->out[0]);
}

static enum simsm_status take_event(void *context, const struct walk_event *event,
                                    struct simsm_error *error)
{
    struct kanata_log *log = context;
    write_scheduled(log, event->cycle);
    put_cycle(log, event->cycle);
    switch ((enum walk_kind)event->kind) {
    case WALK_WARP:
        begin_warp(log, event->slot);
        break;
    case WALK_STATE:
        take_state(log, event);
        break;
    case WALK_ISSUE:
        take_issue(log, event);
        break;
    case WALK_REQUEST:
    case WALK_ANSWER:
        take_memory(log, event);
        break;
    }
    return log->failed ? err_no_memory(error) : SIMSM_OK;
}

enum simsm_status kanata(const struct export_request *request, FILE *file,
                         struct simsm_error *error)
{
    struct kanata_log *log = calloc(1, sizeof *log);
    if (!log)
        return err_no_memory(error);
    uint32_t count;
    uint32_t sm = export_sms(request, &count)[0];
    uint64_t to = export_end(request, sm);
    log->info = run_info(request->run);
    log->file = file;
    log->cycle = request->from;
    for (uint32_t s = 0; s < SIMSM_SLOTS_PER_SM; s++) {
        log->slot[s].head = none;
        memset(log->slot[s].writer, 0xff, sizeof log->slot[s].writer);
    }
    (void)fprintf(file, "Kanata\t0004\nC=\t%" PRIu64 "\n", request->from);
    enum simsm_status status =
        walk_sm(run_reader(request->run), sm, request->from, to, take_event, log, error);
    write_scheduled(log, to);
    put_cycle(log, to);
    for (uint32_t s = 0; s < log->info->slots; s++)
        begin_warp(log, s);
    write_scheduled(log, none);
    event_queue_free(&log->scheduled);
    free(log);
    return status;
}
