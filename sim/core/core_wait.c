/*
 * MODEL: warps that wait for memory to be written (model/wait.h). They issue the pass of a spin
 * loop again and again, until a poll finds that the words have been written as often as the wait
 * asks for. Poll and write count from the cycle in which they issue, because their ways to the
 * place where they meet are about equally long. Words of shared memory belong to the block. Polls
 * and writes of words of global memory are exchanged at the end of each window (sm_take_posts).
 * SOURCE: own choice; H200, cuda/calib/signal, for the time of a poll (docs/memory.md, "Left out").
 * LEFT OUT: different ways to L2; a poll that hits L1; that a store counts for other SMs only when
 * it is in L2.
 */
#include <stdlib.h>

#include "core/sm_state.h"
#include "model/op.h"

static void add_post(struct sm *sm, const struct sm_post *entry)
{
    if (sm->post_count == sm->post_room) {
        uint32_t room = sm->post_room ? 2 * sm->post_room : 64;
        struct sm_post *grown = realloc(sm->post, room * sizeof *grown);
        if (!grown) {
            sm->posts_lost = true;
            return;
        }
        sm->post = grown;
        sm->post_room = room;
    }
    sm->post[sm->post_count++] = *entry;
}

static bool is_shared(const struct sm *sm, uint32_t index)
{
    return op_is_shared((enum simsm_op_class)sm->code[index].op);
}

static void write_words(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst)
{
    struct lane_addresses addresses;
    sm->ops->addresses(sm->front, slot_cursor(sm, sub, slot), inst, &addresses);
    struct sm_block *block = &sm->block[sub->warp[slot].place];
    bool shared = is_shared(sm, inst->index);
    struct sm_post entry = {.cycle = sm->now};
    for (uint32_t rest = inst->exec; rest; rest &= rest - 1) {
        uint64_t address = lane_address(&addresses, (unsigned)__builtin_ctz(rest));
        if (shared) {
            sm->posts_lost |= !word_written(&block->words, address, 1);
            continue;
        }
        if (entry.count && entry.address != address) {
            add_post(sm, &entry);
            entry.count = 0;
        }
        entry.address = address;
        entry.count++;
    }
    if (entry.count)
        add_post(sm, &entry);
}

/* Polls for the words of a wait. Words of shared memory decide at once, words of global memory at
 * the end of the window. */
static void poll(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    struct sm_block *block = &sm->block[warp->place];
    struct wait wait;
    if (warp->granted)
        return;
    warp->waits = true;
    sm->ops->wait(sm->front, slot_cursor(sm, sub, slot), &wait);
    bool denied = !wait_is_over(&block->words, &wait, true), global = false;
    for (uint32_t i = 0; i < wait.words; i++)
        global |= !wait.word[i].shared;
    if (global)
        warp->poll_until = sm->now + sm->setup->poll_cycles;
    warp->granted = !global && !denied;
    if (warp->granted)
        sm->posts_lost |= !wait_take(&block->words, &wait, true);
    else
        add_post(sm, &(struct sm_post){.cycle = sm->now,
                                       .sub = (uint8_t)sub->index,
                                       .slot = (uint8_t)slot,
                                       .denied = denied});
}

void wait_issue(struct sm *sm, struct sub *sub, unsigned slot, const struct warp_inst *inst)
{
    uint8_t op = sm->code[inst->index].op;
    bool memory = inst->exec && op_is_memory((enum simsm_op_class)op) && !op_is_mbarrier(op);
    if (memory && (inst->flags & WARP_INST_WRITES))
        write_words(sm, sub, slot, inst);
    if (memory && (inst->flags & WARP_INST_WAITS))
        poll(sm, sub, slot);
}

bool wait_decide(struct sm *sm, struct sub *sub, unsigned slot)
{
    struct warp *warp = &sub->warp[slot];
    /* Only a recording of another program has a pass without a poll. */
    if (warp->waits && !warp->granted) {
        TALLY(sm->tally, WAIT_TURNS, 1);
        return false;
    }
    warp->waits = warp->granted = false;
    sm->busy_at = sm->now;
    TALLY(sm->tally, WAITS, 1);
    return true;
}

const struct sm_post *sm_take_posts(struct sm *sm, uint32_t *count)
{
    *count = sm->post_count;
    sm->post_count = 0;
    return sm->post;
}

bool sm_posts_lost(const struct sm *sm)
{
    return sm->posts_lost;
}

bool sm_poll_open(const struct sm *sm, const struct sm_post *poll)
{
    const struct warp *warp = &sm->sub[poll->sub].warp[poll->slot];
    return warp->waits && !warp->granted;
}

void sm_poll_wait(const struct sm *sm, const struct sm_post *poll, struct wait *wait)
{
    sm->ops->wait(sm->front, slot_cursor(sm, &sm->sub[poll->sub], poll->slot), wait);
}

void sm_poll_grant(struct sm *sm, const struct sm_post *poll, bool forced)
{
    struct warp *warp = &sm->sub[poll->sub].warp[poll->slot];
    struct wait wait;
    sm_poll_wait(sm, poll, &wait);
    sm->posts_lost |= !wait_take(&sm->block[warp->place].words, &wait, true);
    warp->granted = true;
    TALLY(sm->tally, WAITS_FORCED, forced);
}

void sm_poll_warp(const struct sm *sm, const struct sm_post *poll, uint64_t *block, uint32_t *warp)
{
    const struct warp *polling = &sm->sub[poll->sub].warp[poll->slot];
    *block = sm->block[polling->place].linear;
    *warp = polling->in_block;
}

bool sm_only_waits(const struct sm *sm, uint64_t *block, uint32_t *warp)
{
    for (uint32_t i = 0; i < sm->subs; i++) {
        const struct sub *sub = &sm->sub[i];
        if (sub->placed)
            return false;
        for (uint64_t alive = sub->alive; alive; alive &= alive - 1) {
            const struct warp *one = &sub->warp[__builtin_ctzll(alive)];
            if (one->barrier_waiting || phase_waits(sm, sub, (unsigned)__builtin_ctzll(alive)))
                continue;
            if (!one->waits || one->granted)
                return false;
            uint64_t linear = sm->block[one->place].linear;
            if (linear > *block || (linear == *block && one->in_block >= *warp))
                continue;
            *block = linear;
            *warp = one->in_block;
        }
    }
    return true;
}

uint64_t sm_busy_at(const struct sm *sm)
{
    return sm->busy_at;
}
