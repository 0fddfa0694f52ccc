#include "exec/control/heard.h"

#include <stdlib.h>

#include "exec/control/fault.h"
#include "exec/memory/load_store.h"
#include "model/op.h"

/* Most instructions of a loop that is taken to do nothing but wait. */
enum { LONGEST = 64 };

struct heard *heard_create(void)
{
    return calloc(1, sizeof(struct heard));
}

void heard_destroy(struct heard *heard)
{
    if (heard)
        buffer_free(&heard->bytes);
    free(heard);
}

void heard_begin(struct heard *heard, const struct exec_grid *grid)
{
    heard->polls = false;
    buffer_clear(&heard->bytes);
    packed_writer_begin(&heard->writer, grid->lowered, &heard->bytes);
}

static uint64_t hash_of(const struct exec_grid *grid, uint32_t lanes)
{
    uint64_t hash = 0;
    for (; lanes; lanes &= lanes - 1)
        hash = (hash ^ grid->addresses.lane[__builtin_ctz(lanes)]) * UINT64_C(0x9e3779b97f4a7c15);
    return hash;
}

/* Takes the latest poll back if `inst` is the same once more. */
static void take_poll(const struct exec_grid *grid, struct heard *heard,
                      const struct warp_inst *inst)
{
    const uint64_t addresses = hash_of(grid, inst->exec);
    heard->again = heard->polls && heard->index == inst->index && heard->active == inst->active &&
                   heard->exec == inst->exec && heard->addresses == addresses;
    if (heard->again)
        packed_rewind(&heard->writer, &heard->mark);
    else
        packed_mark(&heard->writer, &heard->mark);
    heard->polls = true;
    heard->behind = 0;
    heard->index = inst->index;
    heard->active = inst->active;
    heard->exec = inst->exec;
    heard->addresses = addresses;
}

/* Returns a number of the warp that few others have. */
static uint32_t name_of(const struct exec_warp *warp)
{
    return (uint32_t)warp->block->index * warp->block->warps + warp->index;
}

/* Sets heard->wait to the writes so far to the words that `lanes` access and that another warp has
 * written last. Returns whether there are such. */
static bool count_words(const struct exec_slot *slot, uint32_t lanes)
{
    const struct exec_grid *grid = slot->warp->block->grid;
    struct wait *wait = &slot->heard->wait;
    uint64_t before = 0;
    wait->words = 0;
    for (; lanes; lanes &= lanes - 1) {
        uint64_t address = grid->addresses.lane[__builtin_ctz(lanes)];
        const struct word_state *word = word_find(&grid->words, address);
        if (word && word->writer != name_of(slot->warp) && (!wait->words || address != before))
            wait->word[wait->words++] = (struct wait_word){address, word->count};
        before = address;
    }
    return wait->words != 0;
}

/* Returns whether others may wait for the write: an atomic operation, a strong store, or a store of
 * one lane, as flags are set. */
static bool may_signal(const struct exec_step *step, uint32_t lanes)
{
    enum { STRONG = 5, STRONG_75 = 8 }; /* SASS_MOD_MEM from here on */
    const struct sass_inst *sass = step->inst.sass;
    if (sass->op != SASS_OP_ST && sass->op != SASS_OP_STG)
        return true;
    return !(lanes & (lanes - 1)) ||
           sass_mod(sass, SASS_MOD_MEM) >= (sass->sm == 75 ? STRONG_75 : STRONG);
}

static bool is_global(const struct exec_grid *grid, uint8_t op, uint32_t lanes)
{
    const uint64_t *address = grid->addresses.lane;
    return !op_is_shared((enum simsm_op_class)op) &&
           !(exec_lanes_in_window(address, lanes, EXEC_SHARED_WINDOW) |
             exec_lanes_in_window(address, lanes, EXEC_LOCAL_WINDOW));
}

static void count_writes(const struct exec_warp *warp, uint32_t lanes)
{
    struct exec_grid *grid = warp->block->grid;
    for (; lanes; lanes &= lanes - 1) {
        struct word_state *word =
            word_add(&grid->words, grid->addresses.lane[__builtin_ctz(lanes)]);
        if (!word) {
            exec_stop(grid, SIMSM_FAILED, "out of memory for what warps wait for");
            return;
        }
        word->count++;
        word->writer = name_of(warp);
    }
}

void heard_put(struct exec_grid *grid, struct exec_slot *slot, struct warp_inst inst, bool wrote,
               const struct wait *wait)
{
    struct heard *heard = slot->heard;
    const struct exec_step *step = &grid->step[inst.index];
    const uint8_t op = grid->lowered[inst.index].op;
    const bool memory = inst.exec && op_is_memory((enum simsm_op_class)op);
    const bool global =
        memory && grid->races && !op_is_mbarrier(op) && is_global(grid, op, inst.exec);
    const bool polls = memory && step->polls && (global || op == SIMSM_OP_MBARRIER_WAIT);
    inst.token = grid->token;
    grid->token = 0;
    if (polls)
        take_poll(grid, heard, &inst);
    else if (memory || op == SIMSM_OP_BARRIER || inst.active != heard->active ||
             ++heard->behind > LONGEST)
        heard->polls = false; /* a loop that may do more than wait */
    /* What changes memory, such as a counter, would be put into the recorded order; only locks that
     * were seen taken need it. */
    if (polls && global && (!wrote || heard->again) && count_words(slot, inst.exec))
        wait = &heard->wait;
    if (wait)
        packed_put_wait(&heard->writer, wait);
    const bool signals = global && wrote && may_signal(step, inst.exec);
    inst.flags |= signals || grid->wrote ? WARP_INST_WRITES : 0;
    grid->wrote = false;
    packed_put(&heard->writer, &inst, &grid->addresses);
    if (signals)
        count_writes(slot->warp, inst.exec);
    heard->polls &= !wrote;
}
