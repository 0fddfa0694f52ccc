#include "view/view_csv.h"

#include "base/bits.h"
#include "base/err.h"
#include "track/track_walk.h"
#include "view/chart.h"

struct slot_now {
    uint64_t since;
    uint32_t pc, block;
    uint8_t state, warp;
    bool known, used;
};

struct table {
    FILE *file;
    const struct timeline_info *info;
    uint32_t sm;
    uint32_t slot; /* lanes: the one */
    struct slot_now now[SIMSM_SLOTS_PER_SM];
};

static void put_instruction(const struct table *t, uint32_t pc)
{
    if (pc < t->info->line_count) {
        (void)fprintf(t->file, ",%u,", t->info->lines[pc].pc);
        chart_csv_text(t->file, t->info->lines[pc].text);
    } else {
        (void)fputs(",,", t->file);
    }
}

static void put_warp(const struct table *t, const struct slot_now *now)
{
    if (now->used)
        (void)fprintf(t->file, ",%u,%u", now->block, now->warp);
    else
        (void)fputs(",,", t->file);
}

static void put_state(const struct table *t, uint32_t slot, uint64_t to)
{
    const struct slot_now *now = &t->now[slot];
    uint32_t subs = t->info->sub_partitions;
    if (!now->known || now->since >= to)
        return;
    bool empty = t->info->states[now->state].known == SIMSM_STATE_EMPTY;
    (void)fprintf(t->file, "%u,%u,%u,%llu,%llu,%s", t->sm, slot % subs, slot / subs,
                  (unsigned long long)now->since, (unsigned long long)to,
                  t->info->states[now->state].name);
    put_instruction(t, empty ? UINT32_MAX : now->pc);
    put_warp(t, empty ? &(struct slot_now){.used = false} : now);
    (void)fputc('\n', t->file);
}

static void take_warp(struct table *t, const struct walk_event *event)
{
    struct slot_now *now = &t->now[event->slot];
    now->block = event->block;
    now->warp = event->warp;
    now->used = true;
}

static enum simsm_status visit_states(void *context, const struct walk_event *event,
                                      struct simsm_error *error)
{
    struct table *t = context;
    struct slot_now *now = &t->now[event->slot];
    (void)error;
    if (event->kind == WALK_WARP) {
        put_state(t, event->slot, event->cycle); /* still of the warp before */
        now->since = event->cycle;
        take_warp(t, event);
    } else if (event->kind == WALK_STATE) {
        put_state(t, event->slot, event->cycle);
        now->since = event->cycle;
        now->state = event->state;
        now->pc = event->pc;
        now->known = true;
    }
    return SIMSM_OK;
}

static enum simsm_status visit_issues(void *context, const struct walk_event *event,
                                      struct simsm_error *error)
{
    struct table *t = context;
    (void)error;
    if (event->slot != t->slot)
        return SIMSM_OK;
    if (event->kind == WALK_WARP)
        take_warp(t, event);
    if (event->kind != WALK_ISSUE)
        return SIMSM_OK;
    (void)fprintf(t->file, "%llu", (unsigned long long)event->cycle);
    put_instruction(t, event->pc);
    (void)fprintf(t->file, ",0x%08x,%u", event->mask, bits_count(event->mask));
    put_warp(t, &t->now[event->slot]);
    (void)fputc('\n', t->file);
    return SIMSM_OK;
}

/* Whole cycles that are at least partly shown, within the recording. */
static void shown_cycles(const struct view *view, uint64_t *from, uint64_t *to)
{
    double begin = (double)run_begin(view->run);
    double end = (double)run_end(view->run);
    double right = view->place.to < end ? view->place.to : end;
    *from = (uint64_t)(view->place.from > begin ? view->place.from : begin);
    *to = (uint64_t)right + ((double)(uint64_t)right < right);
}

static enum simsm_status walk_shown(struct view *view, struct table *t, walk_callback *visit,
                                    uint64_t *to, struct simsm_error *error)
{
    uint64_t from;
    uint32_t count;
    (void)timeline_read_chunks(run_reader(view->run), view->place.sm, &count);
    if (!count)
        return err_set(error, SIMSM_BAD_INPUT,
                       run_info(view->run)->damage ? "%s: nothing of SM %u stands before the damage"
                                                   : "%s: SM %u is not recorded",
                       run_info(view->run)->name, view->place.sm);
    shown_cycles(view, &from, to);
    return walk_sm(run_reader(view->run), view->place.sm, from, *to, visit, t, error);
}

enum simsm_status csv_timeline(struct view *view, FILE *file, struct simsm_error *error)
{
    struct table t = {.file = file, .info = run_info(view->run), .sm = view->place.sm};
    uint64_t to;
    (void)fputs("sm,sub_partition,slot,from_cycle,to_cycle,state,pc,instruction,block,warp\n",
                file);
    enum simsm_status status = walk_shown(view, &t, visit_states, &to, error);
    for (uint32_t s = 0; s < t.info->slots && status == SIMSM_OK; s++)
        put_state(&t, s, to);
    return status;
}

enum simsm_status csv_lanes(struct view *view, FILE *file, struct simsm_error *error)
{
    uint32_t slot = view->place.slot == VIEW_NONE ? 0 : view->place.slot;
    struct table t = {
        .file = file, .info = run_info(view->run), .sm = view->place.sm, .slot = slot};
    uint64_t to;
    (void)fputs("cycle,pc,instruction,lanes,active_lanes,block,warp\n", file);
    return walk_shown(view, &t, visit_issues, &to, error);
}
