/*
 * MODEL: criticality-aware warp scheduling (CAWA): the predictor and the greedy scheduler. A warp's
 * criticality is
 *     instructions that it has more to go than others x its cycles per instruction + its stalls
 * Each instruction lowers the first factor; a branch raises it by the length of the path that it
 * takes. The most critical warp that can issue does so, and goes on while it can issue; ties go to
 * the oldest warp.
 * SOURCE: Lee, Arunkumar, Wu: CAWA, ISCA 2015. Changed: paths are compared with straight code. A
 * backward branch adds the instructions between, a branch that skips code subtracts them.
 * LEFT OUT: the part of CAWA that concerns L1.
 */
#include <simsm/policy.h>

enum { SLOTS = 64 };

struct cawa_warp {
    int64_t left;   /* instructions, relative to straight code */
    uint64_t begun; /* cycle of its first issue */
    uint64_t issues, stalls, issued;
    uint32_t last;          /* instruction issued last */
    bool known, at_barrier; /* at a barrier the warp has no stalls: other warps are critical then */
};

struct cawa {
    struct cawa_warp warp[SLOTS];
};

static void on_slot(void *state, uint32_t slot, bool filled)
{
    if (filled)
        ((struct cawa *)state)->warp[slot] = (struct cawa_warp){0};
}

static double criticality(const struct cawa_warp *warp, uint64_t cycle)
{
    if (!warp->issues)
        return 0;
    double cycles_each = (double)(cycle - warp->begun + 1) / (double)warp->issues;
    double now = warp->at_barrier ? 0 : (double)(cycle - warp->issued) - 1;
    return (double)warp->left * cycles_each + (double)warp->stalls + now;
}

static void note_issue(struct cawa_warp *warp, uint64_t cycle, struct simsm_next next)
{
    uint32_t index = next.index;
    if (!warp->known) {
        *warp = (struct cawa_warp){.begun = cycle, .known = true};
    } else {
        warp->stalls += warp->at_barrier ? 0 : cycle - warp->issued - 1;
        warp->left += (int64_t)warp->last + 1 - (int64_t)index;
    }
    warp->left--;
    warp->issues++;
    warp->issued = cycle;
    warp->last = index;
    warp->at_barrier = next.kind == SIMSM_NEXT_BARRIER;
}

static int pick(void *state, const struct simsm_sched_view *view)
{
    struct cawa *cawa = state;
    int best = -1;
    double most = 0;
    for (uint64_t rest = view->eligible; rest; rest &= rest - 1) {
        int slot = __builtin_ctzll(rest);
        double value = criticality(&cawa->warp[slot], view->cycle);
        if (best < 0 || value > most ||
            (value == most && view->launched[slot] < view->launched[best])) {
            best = slot;
            most = value;
        }
    }
    if (view->last >= 0 && view->eligible >> view->last & 1)
        best = view->last;
    note_issue(&cawa->warp[best], view->cycle, view->next(view, (uint32_t)best));
    return best;
}

static const struct simsm_scheduler scheduler = {
    .name = "gcaws",
    .summary = "the most critical warp, by instructions left and stalls, as long as it can issue",
    .state_size = sizeof(struct cawa),
    .pick = pick,
    .on_slot = on_slot,
};

const struct simsm_policy_module simsm_policy_module = {
    .head = SIMSM_POLICY_HEAD,
    .name = "cawa",
    .summary = "criticality-aware scheduling (Lee et al., ISCA 2015)",
    .schedulers = &scheduler,
    .scheduler_count = 1,
};
