/*
 * MODEL: a warp polls for ever if it comes back to the same state at the same load while memory
 * stays as it is, or if it has read the same words MANY times. Without time, a warp sleeps after a
 * FEW polls in vain of a few words. If all warps sleep or wait, one after the other goes on until
 * it stops polling, or is found to poll for ever.
 *
 * SOURCE: own choice. States are compared by their hashes, with the state at an earlier load.
 * Another load replaces that load after 1, 2, 4, ... loads, so that loops of any length are found
 * (Brent's algorithm).
 *
 * LEFT OUT: loops that count to more than MANY while they poll, and then stop, are reported. Loops
 * that poll shared memory, or with weak loads, and count the turns or come to a BAR, are found
 * after VERY_MANY loads without time, and never in time.
 */
#include "exec/control/vain.h"

enum {
    FEW = 8,
    FEW_WORDS = 4,
    MANY = 100000,
    VERY_MANY = 1 << 24, /* of loads that may as well do work */
    WORDS = 4096,        /* most words of a loop whose reads are counted */
    TIMES = 4            /* a state may come back once while other values are under way */
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t mix_words(uint64_t hash, const uint32_t *word, size_t words)
{
    for (size_t i = 0; i < words; i++)
        hash = mix(hash, word[i]);
    return hash;
}

/* Returns a hash of the registers of the lowest lane that runs. */
static uint64_t quick_state(const struct exec_slot *slot)
{
    const struct exec_warp *warp = slot->warp;
    const unsigned lane = (unsigned)__builtin_ctz(slot->group[slot->now].lanes);
    uint64_t hash = 0;
    for (uint32_t row = 0; row < warp->block->grid->rows; row++)
        hash = mix(hash, warp->r[row][lane]);
    return hash;
}

/* Returns a hash of all that decides what the warp does next, but memory. */
static uint64_t whole_state(const struct exec_slot *slot)
{
    const struct exec_warp *warp = slot->warp;
    uint64_t hash = slot->own_changes;
    for (uint32_t row = 0; row < warp->block->grid->rows; row++)
        hash = mix_words(hash, warp->r[row], EXEC_LANES);
    hash = mix_words(hash, warp->p, sizeof warp->p / sizeof warp->p[0]);
    hash = mix_words(hash, warp->ur, sizeof warp->ur / sizeof warp->ur[0]);
    hash = mix_words(hash, warp->up, sizeof warp->up / sizeof warp->up[0]);
    hash = mix_words(hash, warp->breg, sizeof warp->breg / sizeof warp->breg[0]);
    for (uint32_t i = 0; i < slot->groups; i++) {
        const struct exec_group *group = &slot->group[i];
        hash = mix(hash, (uint64_t)group->lanes << 32 | group->at);
        hash = mix(hash, (uint64_t)group->wait << 32 | group->mask);
    }
    return hash;
}

void vain_read(struct exec_slot *slot, uint64_t address)
{
    if (address >= EXEC_LOCAL_WINDOW && address < EXEC_SHARED_WINDOW)
        return; /* local memory */
    slot->since++;
    if (slot->polled == address) {
        slot->polled_words = slot->since;
        slot->polls += slot->since;
        slot->since = 0;
    } else if (slot->since >= slot->reach) {
        slot->polled = address;
        slot->polls = slot->since = 0;
        slot->reach = slot->reach < WORDS ? 2 * slot->reach + 1 : 1;
    }
}

bool vain_returns(struct exec_slot *slot, const struct exec_step *step)
{
    struct exec_lap *lap = &slot->lap;
    const bool next = (lap->loads & (lap->loads + 1)) == 0;
    lap->loads++;
    if (lap->step == step && lap->quick == quick_state(slot) && lap->state == whole_state(slot))
        return ++lap->times >= TIMES;
    if (next) {
        lap->step = step;
        lap->quick = quick_state(slot);
        lap->state = whole_state(slot);
        lap->times = 0;
    }
    return false;
}

void vain_forget(struct exec_slot *slot)
{
    slot->polls = slot->polled_words = slot->since = slot->reach = 0;
    slot->polled = 0;
    slot->quiet = slot->watched = 0;
    slot->lap = (struct exec_lap){0};
}

bool vain_for_ever(const struct exec_slot *slot)
{
    return slot->polls > MANY || slot->lap.times >= TIMES;
}

static bool polls_for_ever(struct exec_grid *grid, struct exec_slot *slot,
                           const struct exec_step *step)
{
    if (vain_returns(slot, step))
        return true;
    if (slot->polls <= (step->polls ? MANY : VERY_MANY))
        return false;
    grid->vain.hopeless = step;
    grid->vain.hopeless_changes = grid->changes;
    return true;
}

/* Returns whether the warp is looked at, although it reads more than a few words: at some of its
 * loads, when it has executed many and memory has not changed. */
static bool looked_at(struct exec_slot *slot)
{
    enum { PERIOD = 1 << 16, LOOKS = 1 << 10 };
    return ++slot->quiet % PERIOD >= PERIOD - LOOKS;
}

bool vain_poll(struct exec_grid *grid, struct exec_slot *slot, const struct exec_step *step,
               uint32_t lanes)
{
    if (slot->changes != grid->changes || grid->clock_read) {
        vain_forget(slot);
        slot->asleep = slot->hopeless = false;
        slot->changes = grid->changes;
        grid->clock_read = false;
    }
    vain_read(slot, grid->addresses.lane[__builtin_ctz(lanes)]);
    slot->poll = step;
    const bool few = slot->polls >= FEW && slot->polled_words <= FEW_WORDS;
    const bool looked = looked_at(slot);
    if (!few && !looked)
        return false;
    if (grid->vain.insists || looked)
        slot->hopeless = polls_for_ever(grid, slot, step);
    slot->asleep = slot->hopeless || (few && !grid->vain.insists);
    return slot->asleep;
}

bool vain_asleep(const struct exec_grid *grid, const struct exec_slot *slot)
{
    return slot->asleep && slot->changes == grid->changes;
}

bool vain_insist(struct exec_grid *grid, struct exec_slot *slot)
{
    const struct exec_vain *vain = &grid->vain;
    if (slot->hopeless || (vain->hopeless == slot->poll && vain->hopeless_changes == grid->changes))
        return false;
    grid->vain.insists = true;
    slot->asleep = false;
    return true;
}

void vain_relent(struct exec_grid *grid)
{
    grid->vain.insists = false;
}
