#include "exec/waiting/visit.h"

#include <stdlib.h>
#include <string.h>

#include "exec/control/exec_grid.h"
#include "exec/control/fault.h"
#include "exec/control/split.h"
#include "exec/memory/load_store.h"
#include "model/op.h"

static bool is_shared(const struct inst *inst)
{
    return op_is_shared((enum simsm_op_class)inst->op);
}

/* Returns whether a generic address means shared or local memory; writes to such addresses are not
 * counted. */
static bool in_window(uint64_t address)
{
    return address >> 32 == EXEC_SHARED_WINDOW >> 32 || address >> 32 == EXEC_LOCAL_WINDOW >> 32;
}

static struct word_table *table_of(struct exec_warp *warp, bool shared)
{
    return shared ? &warp->block->words : &warp->block->grid->words;
}

static struct word_state *word_of(struct exec_warp *warp, bool shared, uint64_t address)
{
    struct word_state *word = word_add(table_of(warp, shared), address);
    if (!word)
        exec_stop(warp->block->grid, SIMSM_FAILED, "out of memory for what warps wait for");
    return word;
}

/* Returns whether a store may be the write that a wait needs: a store of one lane, a strong store,
 * or a store to a word that is polled. */
static bool is_signal(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      bool shared)
{
    enum { STRONG = 5, STRONG_75 = 8 }; /* SASS_MOD_MEM from here on */
    uint32_t mem = sass_mod(inst->sass, SASS_MOD_MEM);
    if (!(lanes & (lanes - 1)) || mem >= (inst->sass->sm == 75 ? STRONG_75 : STRONG))
        return true;
    for (; lanes; lanes &= lanes - 1) {
        uint64_t address = warp->block->grid->addresses.lane[__builtin_ctz(lanes)];
        const struct word_state *word = word_find(table_of(warp, shared), address);
        if (word && word->polled)
            return true;
    }
    return false;
}

/* Counts a write to a word, and keeps the value written if the word is polled. */
static void count_write(struct exec_grid *grid, struct word_state *word, const uint8_t *place,
                        uint32_t bytes)
{
    uint32_t kept = word->count++ - word->first;
    if (!word->polled || word->lock)
        return;
    if (kept >= word->room) {
        uint32_t room = word->room ? 2 * word->room : 4;
        uint64_t *grown = realloc(word->value, room * sizeof *grown);
        if (!grown) {
            exec_stop(grid, SIMSM_FAILED, "out of memory for what warps wait for");
            return;
        }
        word->value = grown;
        word->room = room;
    }
    word->value[kept] = 0;
    memcpy(&word->value[kept], place, bytes < 8 ? bytes : 8);
}

void exec_visit_wrote(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      bool atomic, uint8_t *const place[EXEC_LANES])
{
    struct exec_grid *grid = warp->block->grid;
    bool shared = is_shared(&grid->lowered[inst->sass->pc / 16]);
    if (!atomic && !is_signal(warp, inst, lanes, shared))
        return;
    for (uint32_t left = lanes; !shared && left; left &= left - 1)
        if (in_window(grid->addresses.lane[__builtin_ctz(left)]))
            return;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct word_state *word = word_of(warp, shared, grid->addresses.lane[lane]);
        if (word)
            count_write(grid, word, place[lane], inst->mod[ACCESS_BYTES]);
    }
    grid->wrote = true;
}

/* Records the instructions of the pass as they were executed. */
static void put_all(const struct exec_grid *grid, struct exec_slot *slot)
{
    struct exec_visit *visit = slot->visit;
    uint32_t access = 0;
    for (uint32_t i = 0; i < visit->insts; i++) {
        const struct warp_inst *inst = &visit->inst[i];
        bool memory =
            inst->exec && op_is_memory((enum simsm_op_class)grid->lowered[inst->index].op);
        if (grid->recording)
            packed_put(&slot->writer, inst, memory ? &visit->access[access++] : NULL);
    }
    visit->insts = visit->loop = visit->missed_polls = visit->clock_reads = 0;
}

/* Drops a loop pass that found nothing, but keeps what it has read. */
static void forget_turn(struct exec_slot *slot)
{
    struct exec_visit *visit = slot->visit;
    visit->clock_reads = 0;
    if (!visit->insts)
        return;
    visit->missed_polls = visit->polls;
    for (uint32_t i = 0; i < visit->polls; i++)
        visit->missed[i] =
            (struct exec_missed){.address = visit->poll[i].address, .count = visit->poll[i].count};
    visit->insts = 0;
}

/* A turn begins. */
static void begin(struct exec_visit *visit, uint32_t loop, uint32_t lanes)
{
    if (visit->loop != loop || visit->lanes != lanes)
        visit->missed_polls = 0;
    visit->loop = loop;
    visit->lanes = lanes;
    visit->insts = visit->accesses = visit->polls = visit->clock_reads = visit->asleep = 0;
    visit->wrote = visit->turned = visit->partial = false;
}

/* Where the bytes of a polled word are. */
static uint8_t *place_of(struct exec_slot *slot, bool shared, uint64_t address)
{
    struct exec_block *block = slot->warp->block;
    if (shared)
        return block->shared + address;
    struct device_span span = device_span(block->grid->memory, address);
    return span.host + (address - span.address);
}

static void keep_access(struct exec_grid *grid, struct exec_slot *slot,
                        const struct warp_inst *inst)
{
    struct exec_visit *visit = slot->visit;
    bool shared = is_shared(&grid->lowered[inst->index]);
    uint8_t width = grid->lowered[inst->index].width;
    visit->access[visit->accesses++] = grid->addresses;
    visit->partial |= width > 8;
    for (uint32_t left = inst->exec; left; left &= left - 1) {
        uint8_t lane = (uint8_t)__builtin_ctz(left);
        uint64_t address = grid->addresses.lane[lane];
        if (!shared && in_window(address)) {
            visit->partial = true;
            continue;
        }
        struct word_state *word = word_of(slot->warp, shared, address);
        if (!word)
            return;
        word->first = word->polled ? word->first : word->count;
        word->polled = true;
        struct exec_polled *poll = &visit->poll[visit->polls++];
        *poll = (struct exec_polled){
            .address = address,
            .count = word->count,
            .index = inst->index,
            .lane = lane,
            .shared = shared,
            .lock = word->lock,
            .taken = (inst->flags & WARP_INST_WRITES) != 0,
            .bytes = width < 8 ? width : 8,
            .place = place_of(slot, shared, address),
        };
        memcpy(&poll->value, poll->place, poll->bytes);
    }
}

/*
 * Decides what to do with the recorded loop pass when `inst` issues: a pass that found nothing and
 * wrote nothing is dropped. Returns false if `inst` belongs to other lanes, which run while the
 * lanes of the pass spin.
 */
static bool settle_turn(struct exec_grid *grid, struct exec_slot *slot,
                        const struct warp_inst *inst, bool begins)
{
    struct exec_visit *visit = slot->visit;
    bool same = visit->loop == grid->step[inst->index].loop && visit->lanes == inst->active;
    if (visit->turned && !visit->wrote) {
        forget_turn(slot);
        return same || begins;
    }
    if (same && begins && !visit->wrote)
        forget_turn(slot); /* of the test before the loop */
    else if (!same || begins)
        put_all(grid, slot);
    return true;
}

bool exec_visit_keep(struct exec_grid *grid, struct exec_slot *slot, const struct warp_inst *inst)
{
    struct exec_visit *visit = slot->visit;
    uint32_t number = grid->step[inst->index].loop;
    if (!number && !visit->loop)
        return false;
    const struct exec_loop *loop = &grid->loop[number ? number - 1 : 0];
    bool begins = number && (inst->index == loop->head || inst->index == loop->peel);
    if (visit->loop && !settle_turn(grid, slot, inst, begins))
        return false;
    if (begins)
        begin(visit, number, inst->active);
    if (!visit->loop)
        return false;
    visit->inst[visit->insts++] = *inst;
    visit->wrote |= (inst->flags & WARP_INST_WRITES) != 0;
    visit->clock_reads += inst->exec && grid->lowered[inst->index].reads_clock;
    if (inst->exec && op_is_memory((enum simsm_op_class)grid->lowered[inst->index].op))
        keep_access(grid, slot, inst);
    return true;
}

/* Returns the word of the wait for this poll, or NULL if the wait does not have it yet. */
static struct wait_word *find(struct wait *wait, const struct exec_polled *poll)
{
    for (uint32_t i = 0; i < wait->words; i++)
        if (wait->word[i].address == poll->address && wait->word[i].shared == poll->shared)
            return &wait->word[i];
    return NULL;
}

static void add_word(struct exec_slot *slot, struct wait *wait, const struct exec_polled *poll,
                     uint32_t enough)
{
    struct wait_word *word = find(wait, poll);
    uint8_t kind = poll->taken ? WAIT_TAKE : poll->lock ? WAIT_FREE : WAIT_WRITTEN;
    if (kind == WAIT_WRITTEN && !poll->count)
        return;
    if (!word && wait->words == WAIT_WORDS)
        return;
    if (!word) {
        word = &wait->word[wait->words++];
        *word = (struct wait_word){.address = poll->address, .shared = poll->shared};
    }
    word->kind = kind > word->kind ? kind : word->kind;
    if (kind == WAIT_WRITTEN)
        word->count = enough > word->count ? enough : word->count;
    if (!poll->taken)
        return;
    struct word_state *state = word_of(slot->warp, poll->shared, poll->address);
    if (state)
        state->lock = true;
}

/* Returns whether the pass has written nothing, or has only taken a lock. */
static bool takes_at_most(const struct exec_grid *grid, const struct exec_visit *visit)
{
    uint32_t writes = 0;
    for (uint32_t i = 0; i < visit->insts; i++) {
        if (!(visit->inst[i].flags & WARP_INST_WRITES))
            continue;
        writes++;
        if (!exec_atomic_takes(&grid->step[visit->inst[i].index].inst))
            return false;
    }
    return writes <= 1;
}

/* How many writes to the word of poll `i` were enough to leave. */
static uint32_t find_enough(struct exec_grid *grid, struct exec_slot *slot, uint32_t i,
                            uint32_t leaving)
{
    const struct exec_visit *visit = slot->visit;
    const struct exec_polled *poll = &visit->poll[i];
    bool missed = i < visit->missed_polls && visit->missed[i].address == poll->address;
    if (!missed || !grid->loop[visit->loop - 1].plain || poll->lock ||
        visit->missed[i].count + 1 >= poll->count)
        return poll->count;
    return exec_visit_earliest(grid, slot, poll, visit->missed[i].count, leaving);
}

/* Records the pass as a wait: it has ended, and the lanes `leaving` go on behind the loop. */
static void leave(struct exec_grid *grid, struct exec_slot *slot, uint32_t leaving)
{
    struct exec_visit *visit = slot->visit;
    struct wait wait = {.length = visit->insts};
    for (uint32_t i = 0; grid->recording && i < visit->polls && takes_at_most(grid, visit); i++)
        if (leaving >> visit->poll[i].lane & 1)
            add_word(slot, &wait, &visit->poll[i], find_enough(grid, slot, i, leaving));
    if (wait.words && grid->recording) {
        packed_put_wait(&slot->writer, &wait);
        for (uint32_t i = 0; i < visit->insts; i++) /* the wait's end does it */
            visit->inst[i].flags &= ~(uint32_t)WARP_INST_WRITES;
    }
    put_all(grid, slot);
}

bool exec_visit_changed(const struct exec_slot *slot)
{
    const struct exec_visit *visit = slot->visit;
    for (uint32_t i = 0; i < visit->polls; i++)
        if (memcmp(&visit->poll[i].value, visit->poll[i].place, visit->poll[i].bytes) != 0)
            return true;
    return false;
}

/*
 * Puts the lanes of a kernel that races to sleep after a loop pass that found nothing, until one of
 * the words that it has read changes. Every pass until then would find nothing, so only the cost of
 * executing them is saved.
 */
static void fall_asleep(struct exec_grid *grid, struct exec_slot *slot)
{
    if (slot->now == EXEC_NOBODY || slot->visit->partial || exec_visit_changed(slot))
        return;
    struct exec_group *group = split_running(slot);
    if (group->lanes != slot->visit->lanes)
        return;
    group->wait = EXEC_SPINNING;
    group->polls = group->suspect = true;
    group->seen = grid->changes;
    group->yields = grid->spin.yields;
    slot->visit->asleep = group->lanes;
    slot->now = EXEC_NOBODY;
}

void exec_visit_branch(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
                       const struct warp_inst *inst)
{
    if (!slot->visit->loop)
        return;
    const struct exec_loop *loop = &grid->loop[slot->visit->loop - 1];
    uint32_t taken = inst->exec & exec_predicate(slot->warp, &step->inst.pp) &
                     exec_predicate(slot->warp, &step->inst.pq);
    uint32_t leaving = inst->index == loop->jump ? inst->active & ~taken : 0;
    if (step->target < loop->peel || step->target > loop->jump)
        leaving |= taken;
    if (leaving)
        leave(grid, slot, leaving);
    else
        slot->visit->turned = inst->index == loop->jump;
    if (!slot->visit->turned || slot->visit->wrote)
        return;
    if (grid->races && !slot->visit->clock_reads)
        fall_asleep(grid, slot);
    slot->visit->clock_reads = 0;
}
