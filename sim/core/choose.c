/*
 * MODEL: the choice of the warp scheduler: what the policy sees of its sub-partition, and whether
 * its answer is allowed. A policy may hold back, but not for ever. While it holds back its SM is
 * visited in every cycle, so a run without end would look like a slow one.
 * SOURCE: own choice; the policies have sources of their own (sim/policy).
 * LEFT OUT: nothing known.
 */
#include <inttypes.h>
#include <stdio.h>

#include "core/sm_state.h"

/* Cycles without an issue of the SM although slots could issue: longer than any wait for memory. */
enum { HELD_TOO_LONG = 100000 };

static uint32_t kind_of(uint8_t op)
{
    switch (op) {
    case SIMSM_OP_LD_GLOBAL:
    case SIMSM_OP_ATOM_GLOBAL:
    case SIMSM_OP_LD_LOCAL:
    case SIMSM_OP_TEX:
    case SIMSM_OP_COPY_ASYNC:
        return SIMSM_NEXT_LOAD;
    case SIMSM_OP_ST_GLOBAL:
    case SIMSM_OP_RED_GLOBAL:
    case SIMSM_OP_ST_LOCAL:
        return SIMSM_NEXT_STORE;
    case SIMSM_OP_BARRIER:
        return SIMSM_NEXT_BARRIER;
    default:
        return op_is_shared(op)         ? SIMSM_NEXT_SHARED
               : op_is_control_flow(op) ? SIMSM_NEXT_BRANCH
                                        : SIMSM_NEXT_OTHER;
    }
}

static struct simsm_next next_instruction(const struct simsm_sched_view *view, uint32_t slot)
{
    const struct sm *sm = view->core;
    const struct sub *sub = &sm->sub[view->sub_partition];
    if (slot >= sub->slots || !(sub->eligible >> slot & 1u))
        return (struct simsm_next){.index = UINT32_MAX};
    const struct warp *warp = &sub->warp[slot];
    const struct warp_inst *inst = &warp->next;
    return (struct simsm_next){
        .index = inst->index,
        .lanes = inst->active,
        .kind = kind_of(warp->code[inst->index].op),
    };
}

void choose_init(struct sm *sm, struct sub *sub)
{
    sub->view = (struct simsm_sched_view){
        .issued = sub->issued_at,
        .launched = sub->launched,
        .block = sub->block_rank,
        .slots = sub->slots,
        .sm = sm->index,
        .sub_partition = sub->index,
        .sm_state = sm->policy_state,
        .setup = sm->setup->policy,
        .next = next_instruction,
        .core = sm,
    };
}

/* Handles an answer that names no eligible slot: -1, or a fault. */
static __attribute__((noinline)) int refuse_pick(struct sm *sm, const struct sub *sub, int answer)
{
    bool held = answer == -1;
    if (!held || sm->now - sm->busy_at >= HELD_TOO_LONG)
        sm->fault = (struct fault){.kind = held ? FAULT_HELD : FAULT_PICK,
                                   .cycle = sm->now,
                                   .eligible = sub->eligible,
                                   .answer = answer,
                                   .sub = sub->index};
    return -1;
}

int choose_slot(struct sm *sm, struct sub *sub)
{
    struct simsm_sched_view *view = &sub->view;
    view->cycle = sm->now;
    view->eligible = sub->eligible;
    view->resident = sub->alive;
    view->memory_pending = sub->memory_pending;
    view->synchronizing = sub->synchronizing;
    view->yielded = sub->yielded;
    view->to_memory = sub->eligible & (sub->need[UNIT_LG] | sub->need[UNIT_TEX]);
    view->last = sub->last_issued;
    int slot = sm->setup->scheduler->pick(sub->policy_state, view);
    if (slot < 0 || slot >= (int)sub->slots || !(sub->eligible >> slot & 1u))
        return refuse_pick(sm, sub, slot);
    return slot;
}

bool sm_fault(const struct sm *sm, uint64_t *cycle)
{
    *cycle = sm->fault.cycle;
    return sm->fault.kind != FAULT_NONE;
}

/* Returns the slots as text: "0, 3, 5". */
static const char *list_slots(uint64_t slots, char text[256])
{
    size_t n = 0;
    text[0] = '\0';
    for (; slots && n < 250; slots &= slots - 1)
        n += (size_t)snprintf(text + n, 256 - n, "%s%d", n ? ", " : "", __builtin_ctzll(slots));
    return text;
}

void sm_describe_fault(const struct sm *sm, char *text, size_t size)
{
    const struct fault *fault = &sm->fault;
    char slots[256];
    list_slots(fault->eligible, slots);
    if (fault->kind == FAULT_PREFETCH)
        (void)snprintf(text, size,
                       "the L1 policy '%s' asked for %" PRId64 " prefetches at cycle %" PRIu64
                       " on SM %u; at most %d are allowed",
                       sm->setup->l1_policy->name, fault->answer, fault->cycle, sm->index,
                       SIMSM_PREFETCHES);
    else if (fault->kind == FAULT_PICK)
        (void)snprintf(text, size,
                       "the scheduler '%s' picked slot %" PRId64 " of sub-partition %u at cycle "
                       "%" PRIu64 " on SM %u, which cannot issue; it may pick %s, or -1",
                       sm->setup->scheduler->name, fault->answer, fault->sub, fault->cycle,
                       sm->index, slots);
    else
        (void)snprintf(text, size,
                       "no progress: the scheduler '%s' holds back at cycle %" PRIu64
                       " on SM %u, which has not issued for %d cycles; slots of sub-partition %u "
                       "that could issue: %s",
                       sm->setup->scheduler->name, fault->cycle, sm->index, HELD_TOO_LONG,
                       fault->sub, slots);
}
