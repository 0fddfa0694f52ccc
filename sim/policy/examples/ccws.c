/*
 * MODEL: cache-conscious wavefront scheduling (CCWS-SWL in its dynamic form). A warp that loses
 * lines of its own to other warps is protected by keeping other warps from loading. Each warp has a
 * small array of victim tags: lines that were brought for it and have been evicted. A miss on a
 * victim tag has lost locality, and the warp's score rises to
 *     throttle x victim hits of the SM x warps x base / instructions of the SM
 * and falls by one a cycle down to `base`. Warps are stacked by their scores, the highest at the
 * bottom. Warps that reach above warps x base may not load. Scheduling is greedy, then oldest.
 * SOURCE: Rogers, O'Connor, Aamodt, MICRO 2012. Changed: victim tags are fully associative, and the
 * stack is sorted once every `period` cycles instead of each cycle.
 * LEFT OUT: nothing known.
 */
#include <simsm/policy.h>

enum { BASE, THROTTLE, PERIOD };
enum { WARPS = 64, TAGS = 16 };

struct ccws_warp {
    uint64_t victim[TAGS]; /* line + 1; a ring */
    uint64_t launched;     /* rank of the warp that the other fields belong to, + 1 */
    uint64_t cycle;        /* cycle of `score` */
    double score;          /* score of lost locality beyond base */
    uint32_t next;         /* index of the next tag to overwrite */
    bool resident, blocked;
};

struct ccws {
    struct ccws_warp warp[WARPS]; /* by slot of the SM */
    uint64_t victim_hits, instructions;
    uint64_t ordered; /* cycle + 1 of the last sort of the stack */
};

static double score_at(const struct ccws_warp *warp, uint64_t cycle)
{
    double fallen = warp->score - (double)(cycle - warp->cycle);
    return fallen > 0 ? fallen : 0;
}

static void on_access(void *state, const struct simsm_l1_view *view, struct simsm_l1_answer *answer)
{
    struct ccws *ccws = state;
    (void)answer;
    for (uint32_t i = 0; i < view->evictions; i++) {
        if (view->evicted[i].slot >= WARPS)
            continue;
        struct ccws_warp *owner = &ccws->warp[view->evicted[i].slot];
        owner->victim[owner->next++ % TAGS] = view->evicted[i].line + 1;
    }
    struct ccws_warp *warp = &ccws->warp[view->slot % WARPS];
    uint32_t lost = 0;
    for (uint32_t i = 0; i < view->lines; i++)
        for (uint32_t tag = 0; tag < TAGS && !(view->present >> i & 1); tag++)
            lost += warp->victim[tag] == view->line[i] + 1;
    if (!lost)
        return;
    uint32_t warps = 0;
    for (uint32_t i = 0; i < WARPS; i++)
        warps += ccws->warp[i].resident;
    ccws->victim_hits += lost;
    double raised = view->setup->param[THROTTLE] * (double)ccws->victim_hits * warps *
                    view->setup->param[BASE] / (double)(ccws->instructions + 1);
    double before = score_at(warp, view->cycle);
    warp->score = raised > before ? raised : before;
    warp->cycle = view->cycle;
}

/* Sorts the stack: from the highest score down, warps may load until the limit is reached. */
static void order(struct ccws *ccws, const struct simsm_sched_view *view)
{
    double base = view->setup->param[BASE], left = 0;
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < WARPS; i++) {
        waiting |= (uint64_t)ccws->warp[i].resident << i;
        left += ccws->warp[i].resident ? base : 0;
    }
    while (waiting) {
        uint32_t best = (uint32_t)__builtin_ctzll(waiting);
        for (uint64_t rest = waiting & (waiting - 1); rest; rest &= rest - 1) {
            uint32_t i = (uint32_t)__builtin_ctzll(rest);
            double ahead =
                score_at(&ccws->warp[i], view->cycle) - score_at(&ccws->warp[best], view->cycle);
            if (ahead > 0 || (ahead == 0 && ccws->warp[i].launched < ccws->warp[best].launched))
                best = i;
        }
        ccws->warp[best].blocked = left <= 0;
        left -= base + score_at(&ccws->warp[best], view->cycle);
        waiting &= ~(UINT64_C(1) << best);
    }
    ccws->ordered = view->cycle + 1;
}

/* Updates the resident warps of a sub-partition. Returns its slots that must not load. */
static uint64_t blocked_slots(struct ccws *ccws, const struct simsm_sched_view *view)
{
    uint64_t blocked = 0;
    for (uint32_t slot = 0; slot < view->slots; slot++) {
        struct ccws_warp *warp =
            &ccws->warp[(slot * view->setup->sub_partitions + view->sub_partition) % WARPS];
        warp->resident = view->resident >> slot & 1;
        if (warp->resident && warp->launched != view->launched[slot] + 1)
            *warp = (struct ccws_warp){.launched = view->launched[slot] + 1, .resident = true};
        blocked |= (uint64_t)(warp->resident && warp->blocked) << slot;
    }
    return blocked;
}

static int pick(void *state, const struct simsm_sched_view *view)
{
    struct ccws *ccws = view->sm_state;
    (void)state;
    uint64_t blocked = blocked_slots(ccws, view);
    if (!ccws->ordered || view->cycle + 1 >= ccws->ordered + (uint64_t)view->setup->param[PERIOD]) {
        order(ccws, view);
        blocked = blocked_slots(ccws, view);
    }
    uint64_t choice = view->eligible;
    for (uint64_t rest = blocked & view->to_memory; rest; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        if (view->next(view, slot).kind == SIMSM_NEXT_LOAD)
            choice &= ~(UINT64_C(1) << slot);
    }
    if (!choice)
        return -1;
    int best = __builtin_ctzll(choice);
    for (uint64_t rest = choice & (choice - 1); rest; rest &= rest - 1) {
        int slot = __builtin_ctzll(rest);
        if (view->launched[slot] < view->launched[best])
            best = slot;
    }
    if (view->last >= 0 && choice >> view->last & 1)
        best = view->last;
    ccws->instructions++;
    return best;
}

static const struct simsm_policy_param params[] = {
    {"base", "least score of each warp", SIMSM_PARAM_WHOLE, 100, 1, 100000},
    {"throttle", "how much a lost line raises the score", SIMSM_PARAM_REAL, 8, 0, 100000},
    {"period", "cycles between two sorts of the stack of warps", SIMSM_PARAM_WHOLE, 32, 1, 100000},
};

static const struct simsm_scheduler scheduler = {
    .name = "ccws",
    .summary = "greedy, then oldest; warps that lose lines of L1 keep other warps from loading",
    .pick = pick,
};

static const struct simsm_l1_policy l1 = {
    .name = "ccws",
    .summary = "keeps victim tags of each warp; changes nothing in L1",
    .on_access = on_access,
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "ccws",
    .summary = "cache-conscious throttling of loads (Rogers et al., MICRO 2012)",
    .params = params,
    .schedulers = &scheduler,
    .l1_policies = &l1,
    .param_count = 3,
    .scheduler_count = 1,
    .l1_policy_count = 1,
    .sm_state_size = sizeof(struct ccws),
};
