/*
 * Writes trace events as JSON, which every version of Perfetto reads. A process is an SM; a thread
 * is a warp slot or a block's place. 1 cycle is 1 ns; times are written in microseconds.
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */
#include <string.h>

#include "base/err.h"
#include "export/gauges.h"
#include "export/json_text.h"

enum { BLOCK_TID = 1000, SLOT_ORDER = 1000, BLOCK_ORDER = 1000000 };

struct slot_state {
    uint64_t since;
    uint32_t pc;
    uint8_t state;
    bool known;
};

struct json_writer {
    const struct export_request *request;
    const struct timeline_info *info;
    FILE *file;
    uint64_t events;
    uint32_t sm, pid;
    struct slot_state slot[SIMSM_SLOTS_PER_SM];
    struct gauges gauges;
};

/* Begins an event. It stays open for further members. */
static void begin_event(struct json_writer *w, const char *phase, uint32_t tid)
{
    (void)fprintf(w->file, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", w->events++ ? ",\n" : "\n",
                  phase, w->pid, tid);
}

static void put_time(struct json_writer *w, const char *member, uint64_t cycles)
{
    (void)fprintf(w->file, ",\"%s\":%llu.%03u", member, (unsigned long long)(cycles / 1000),
                  (unsigned)(cycles % 1000));
}

static void put_name(struct json_writer *w, const char *name)
{
    (void)fputs(",\"name\":", w->file);
    json_text(w->file, name);
}

static void put_meta(struct json_writer *w, uint32_t tid, const char *what, const char *name)
{
    begin_event(w, "M", tid);
    (void)fprintf(w->file, ",\"name\":\"%s_name\",\"args\":{\"name\":", what);
    json_text(w->file, name);
    (void)fputs("}}", w->file);
}

static void put_order(struct json_writer *w, uint32_t tid, const char *what, uint32_t order)
{
    begin_event(w, "M", tid);
    (void)fprintf(w->file, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%u}}", what,
                  order);
}

static void name_rows(struct json_writer *w)
{
    char text[160];
    (void)snprintf(text, sizeof text, "SM %u %.120s", w->sm, w->info->launch.name);
    put_meta(w, 0, "process", text);
    put_order(w, 0, "process", w->sm);
    for (uint32_t s = 0; s < w->info->slots; s++) {
        put_meta(w, s + 1, "thread", export_slot_name(w->info, s, text));
        put_order(w, s + 1, "thread",
                  s % w->info->sub_partitions * SLOT_ORDER + s / w->info->sub_partitions);
    }
}

static void put_block(struct json_writer *w, const struct run_block *block, bool named[256])
{
    const struct export_request *request = w->request;
    uint64_t from = block->start > request->from ? block->start : request->from;
    uint64_t to = block->end < request->to ? block->end : request->to;
    char text[32];
    if (block->sm != w->sm || from >= to)
        return;
    uint32_t tid = BLOCK_TID + block->place;
    if (!named[block->place]) {
        (void)snprintf(text, sizeof text, "block place %u", block->place);
        put_meta(w, tid, "thread", text);
        put_order(w, tid, "thread", BLOCK_ORDER + block->place);
        named[block->place] = true;
    }
    begin_event(w, "X", tid);
    put_time(w, "ts", from);
    put_time(w, "dur", to - from);
    (void)fprintf(w->file, ",\"name\":\"block %u\",\"args\":{\"wave\":%u}}", block->block,
                  block->wave);
}

static enum simsm_status put_blocks(struct json_writer *w, struct simsm_error *error)
{
    bool named[256] = {false};
    bool all;
    uint32_t count;
    const struct run_block *blocks = run_blocks(w->request->run, &count, &all, error);
    if (!blocks)
        return error->status;
    for (uint32_t i = 0; i < count; i++)
        put_block(w, &blocks[i], named);
    return SIMSM_OK;
}

/* Writes the state that a slot leaves at cycle `to`. */
static void put_span(struct json_writer *w, uint32_t s, uint64_t to)
{
    const struct slot_state *slot = &w->slot[s];
    if (!slot->known || slot->since >= to || export_is_empty(w->info, slot->state))
        return;
    begin_event(w, "X", s + 1);
    put_time(w, "ts", slot->since);
    put_time(w, "dur", to - slot->since);
    put_name(w, w->info->states[slot->state].name);
    if (slot->pc < w->info->line_count) {
        (void)fprintf(w->file,
                      ",\"args\":{\"pc\":%u,\"instruction\":", w->info->lines[slot->pc].pc);
        json_text(w->file, w->info->lines[slot->pc].text);
        (void)fputc('}', w->file);
    }
    (void)fputc('}', w->file);
}

/*
 * Writes a memory instruction when it is answered. Memory instructions of a warp overlap, so they
 * cannot be slices of the slot's thread.
 */
static void put_flight(struct json_writer *w, const struct walk_event *event)
{
    if (event->started == WALK_UNKNOWN)
        return;
    uint64_t from = event->started > w->request->from ? event->started : w->request->from;
    for (int end = 0; end < 2; end++) {
        begin_event(w, end ? "e" : "b", event->slot + 1u);
        (void)fprintf(w->file, ",\"cat\":\"memory\",\"id\":\"%u.%llu\"", w->sm,
                      (unsigned long long)event->number);
        put_time(w, "ts", end ? event->cycle : from);
        put_name(w, export_line_text(w->info, event->pc));
        if (end)
            (void)fprintf(w->file, ",\"args\":{\"answered by\":\"%s\"}",
                          event->level < w->info->level_count ? w->info->levels[event->level]
                                                              : "?");
        (void)fputc('}', w->file);
    }
}

static void put_gauge(void *context, uint32_t gauge, uint64_t cycle, double value)
{
    struct json_writer *w = context;
    char text[32];
    begin_event(w, "C", 0);
    put_time(w, "ts", cycle);
    put_name(w, gauges_name(w->info, gauge, text));
    (void)fprintf(w->file, ",\"args\":{\"%s\":%.6g}}", gauges_unit(w->info, gauge), value);
}

static enum simsm_status too_many(const struct json_writer *w, struct simsm_error *error)
{
    return err_set(error, SIMSM_BAD_INPUT,
                   "%s: more than %llu events, up to cycle %llu of SM %u; trace-event JSON of that "
                   "size is too much for most viewers: choose fewer cycles (--cycles A:B) or one "
                   "SM (--sm N), write --perfetto in place of --perfetto-json, or raise "
                   "--max-events (0: no limit)",
                   w->info->name, (unsigned long long)w->request->most_events,
                   (unsigned long long)w->gauges.begin, w->sm);
}

static enum simsm_status take_event(void *context, const struct walk_event *event,
                                    struct simsm_error *error)
{
    struct json_writer *w = context;
    gauges_take(&w->gauges, event);
    if (event->kind == WALK_STATE) {
        put_span(w, event->slot, event->cycle);
        w->slot[event->slot] = (struct slot_state){
            .since = event->cycle, .pc = event->pc, .state = event->state, .known = true};
    } else if (event->kind == WALK_ANSWER) {
        put_flight(w, event);
    }
    if (w->request->most_events && w->events > w->request->most_events)
        return too_many(w, error);
    return SIMSM_OK;
}

static enum simsm_status put_sm(struct json_writer *w, uint32_t sm, struct simsm_error *error)
{
    const struct export_request *request = w->request;
    w->sm = sm;
    w->pid = export_pid(sm);
    memset(w->slot, 0, sizeof w->slot);
    uint64_t to = export_end(request, sm);
    if (to <= request->from)
        return SIMSM_OK;
    gauges_init(&w->gauges, w->info, request->from, to, put_gauge, w);
    name_rows(w);
    enum simsm_status status = put_blocks(w, error);
    if (status == SIMSM_OK)
        status = walk_sm(run_reader(request->run), sm, request->from, to, take_event, w, error);
    for (uint32_t s = 0; s < w->info->slots && status == SIMSM_OK; s++)
        put_span(w, s, to);
    gauges_finish(&w->gauges);
    return status;
}

enum simsm_status perfetto_json(const struct export_request *request, FILE *file,
                                struct simsm_error *error)
{
    struct json_writer w = {.request = request, .info = run_info(request->run), .file = file};
    uint32_t count;
    const uint32_t *sms = export_sms(request, &count);
    enum simsm_status status = SIMSM_OK;
    (void)fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":", file);
    json_text(file, w.info->program);
    (void)fputs(",\"gpu\":", file);
    json_text(file, w.info->gpu);
    (void)fputs(",\"kernel\":", file);
    json_text(file, w.info->launch.name);
    (void)fputs(",\"time\":\"1 ns is 1 cycle\"},\"traceEvents\":[", file);
    for (uint32_t i = 0; i < count && status == SIMSM_OK; i++)
        status = put_sm(&w, sms[i], error);
    (void)fputs("\n]}\n", file);
    return status;
}
