/*
 * CSV of the screens that show cells, Timeline and Lanes: one exact line for each state or issue.
 */
#include "view/view_screens.h"

#include "base/bits.h"
#include "base/check.h"
#include "base/err.h"
#include "track/track_walk.h"
#include "view/chart.h"

/* The state and the warp of a slot at the point that the walk over the recording has reached. */
struct csv_slot {
    uint64_t since;
    uint32_t pc, block;
    uint8_t state, warp;
    bool known, used;
};

struct csv_table {
    FILE *file;
    const struct timeline_info *info;
    uint32_t sm;
    uint32_t slot; /* the slot that view_lanes_csv() writes */
    struct csv_slot now[SIMSM_SLOTS_PER_SM];
};

static void put_instruction(const struct csv_table *t, uint32_t pc)
{
    if (pc < t->info->line_count) {
        (void)fprintf(t->file, ",%u,", t->info->lines[pc].pc);
        chart_csv_text(t->file, t->info->lines[pc].text);
    } else {
        (void)fputs(",,", t->file);
    }
}

static void put_warp(const struct csv_table *t, const struct csv_slot *now)
{
    if (now->used)
        (void)fprintf(t->file, ",%u,%u", now->block, now->warp);
    else
        (void)fputs(",,", t->file);
}

static void put_state(const struct csv_table *t, uint32_t slot, uint64_t to)
{
    const struct csv_slot *now = &t->now[slot];
    uint32_t subs = t->info->sub_partitions;
    if (!now->known || now->since >= to)
        return;
    bool empty = t->info->states[now->state].known == SIMSM_STATE_EMPTY;
    (void)fprintf(t->file, "%u,%u,%u,%llu,%llu,%s", t->sm, slot % subs, slot / subs,
                  (unsigned long long)now->since, (unsigned long long)to,
                  t->info->states[now->state].name);
    put_instruction(t, empty ? UINT32_MAX : now->pc);
    put_warp(t, empty ? &(struct csv_slot){.used = false} : now);
    (void)fputc('\n', t->file);
}

static void set_warp(struct csv_table *t, const struct walk_event *event)
{
    struct csv_slot *now = &t->now[event->slot];
    now->block = event->block;
    now->warp = event->warp;
    now->used = true;
}

static enum simsm_status write_states(void *context, const struct walk_event *event,
                                      struct simsm_error *error)
{
    struct csv_table *t = context;
    struct csv_slot *now = &t->now[event->slot];
    (void)error;
    if (event->kind == WALK_WARP) {
        put_state(t, event->slot,
                  event->cycle); /* the state belongs to the previous warp of the slot */
        now->since = event->cycle;
        set_warp(t, event);
    } else if (event->kind == WALK_STATE) {
        put_state(t, event->slot, event->cycle);
        now->since = event->cycle;
        now->state = event->state;
        now->pc = event->pc;
        now->known = true;
    }
    return SIMSM_OK;
}

static enum simsm_status write_issues(void *context, const struct walk_event *event,
                                      struct simsm_error *error)
{
    struct csv_table *t = context;
    (void)error;
    if (event->slot != t->slot)
        return SIMSM_OK;
    if (event->kind == WALK_WARP)
        set_warp(t, event);
    if (event->kind != WALK_ISSUE)
        return SIMSM_OK;
    (void)fprintf(t->file, "%llu", (unsigned long long)event->cycle);
    put_instruction(t, event->pc);
    (void)fprintf(t->file, ",0x%08x,%u", event->mask, bits_count(event->mask));
    put_warp(t, &t->now[event->slot]);
    (void)fputc('\n', t->file);
    return SIMSM_OK;
}

/* Sets *from and *to to the whole cycles that are at least partly shown and recorded. */
static void shown_cycles(const struct view *view, uint64_t *from, uint64_t *to)
{
    double begin = (double)run_begin(view->run);
    double end = (double)run_end(view->run);
    double right = view->place.to < end ? view->place.to : end;
    *from = (uint64_t)(view->place.from > begin ? view->place.from : begin);
    *to = (uint64_t)right + ((double)(uint64_t)right < right);
}

/*
 * Calls `visit` for each event of the shown SM in the shown cycles. Sets *to to the end of these
 * cycles.
 */
static enum simsm_status walk_shown(struct view *view, struct csv_table *t, walk_callback *visit,
                                    uint64_t *to, struct simsm_error *error)
{
    uint64_t from;
    uint32_t count;
    SIMSM_CHECK(t->info->slots <= SIMSM_SLOTS_PER_SM, "%u slots, room for %d", t->info->slots,
                (int)SIMSM_SLOTS_PER_SM);
    (void)timeline_read_chunks(run_reader(view->run), view->place.sm, &count);
    if (!count)
        return err_set(error, SIMSM_BAD_INPUT,
                       run_info(view->run)->damage ? "%s: nothing of SM %u stands before the damage"
                                                   : "%s: SM %u is not recorded",
                       run_info(view->run)->name, view->place.sm);
    shown_cycles(view, &from, to);
    return walk_sm(run_reader(view->run), view->place.sm, from, *to, visit, t, error);
}

/*
 * Writes each state of each slot of the SM in the shown cycles, with the instruction and the warp.
 */
enum simsm_status view_timeline_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    struct csv_table t = {.file = file, .info = run_info(view->run), .sm = view->place.sm};
    uint64_t to;
    (void)fputs("sm,sub_partition,slot,from_cycle,to_cycle,state,pc,instruction,block,warp\n",
                file);
    enum simsm_status status = walk_shown(view, &t, write_states, &to, error);
    for (uint32_t s = 0; s < t.info->slots && status == SIMSM_OK; s++)
        put_state(&t, s, to);
    return status;
}

/*
 * Writes each issue of the selected slot, or of slot 0 if none is selected, in the shown cycles
 * with its lanes.
 */
enum simsm_status view_lanes_csv(struct view *view, FILE *file, struct simsm_error *error)
{
    uint32_t slot = view->place.slot == VIEW_NONE ? 0 : view->place.slot;
    struct csv_table t = {
        .file = file, .info = run_info(view->run), .sm = view->place.sm, .slot = slot};
    uint64_t to;
    (void)fputs("cycle,pc,instruction,lanes,active_lanes,block,warp\n", file);
    return walk_shown(view, &t, write_issues, &to, error);
}
