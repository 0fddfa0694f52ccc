/* Derives the active lanes of the instructions of one warp. */
#include "accelsim/accelsim_lanes.h"

#include <string.h>

#include "model/op.h"

/*
 * Whether other lanes may be active after the instruction. A branch that no lane takes changes
 * nothing.
 */
static bool is_control(const struct lanes *lanes, const struct accelsim_instruction *instruction)
{
    return instruction->mask != 0 &&
           op_is_control_flow(lanes->code->entry[instruction->entry].inst.op);
}

static bool follows_in_memory(const struct lanes *lanes, uint32_t before, uint32_t after)
{
    return before != CODE_NONE && code_follows(lanes->code, lanes->code->entry[before].offset,
                                               lanes->code->entry[after].offset);
}

/*
 * Returns the active lanes of the current run: the lanes that its instructions name. If the run
 * follows the previous run in memory, lanes that neither jumped nor exited there are active too,
 * unless the two runs have no lane in common.
 */
static uint32_t active_lanes(const struct lanes *lanes)
{
    uint32_t named = 0, expected = lanes->expected & lanes->alive;
    for (uint32_t i = 0; i < lanes->count; i++)
        named |= lanes->run[i].mask;
    bool onwards = lanes->last_run == CODE_NONE ||
                   (lanes->stays && follows_in_memory(lanes, lanes->last_run, lanes->run[0].entry));
    if (onwards && (named == 0 || (named & expected)))
        named |= expected;
    if (named == 0)
        named = expected ? expected : lanes->alive;
    return named ? named : lanes->expected;
}

static void emit_instruction(struct lanes *lanes, const struct accelsim_instruction *instruction,
                             uint32_t active)
{
    struct warp_inst inst = {
        .index = lanes->code->entry[instruction->entry].index,
        .active = active,
        .exec = instruction->mask,
    };
    bool branch = op_is_branch(lanes->code->entry[instruction->entry].inst.op);
    if (branch && inst.exec != 0 && inst.exec != active)
        inst.flags = WARP_INST_DIVERGENT;
    lanes->sink(lanes->context, instruction->entry, &inst, &instruction->addresses);
}

/* Notes what is known of the active lanes after `last`, which ran with `active` lanes. */
static void look_ahead(struct lanes *lanes, const struct accelsim_instruction *last,
                       uint32_t active)
{
    uint8_t op = lanes->code->entry[last->entry].inst.op;
    uint32_t rest = active & ~last->mask; /* lanes that neither jump nor exit */
    bool leaves = op_is_branch(op) || op == SIMSM_OP_EXIT;
    if (op == SIMSM_OP_EXIT)
        lanes->alive &= ~last->mask;
    lanes->stays = !leaves || rest != 0;
    lanes->expected = leaves && rest ? rest : active & lanes->alive;
    if (!lanes->expected)
        lanes->expected = lanes->alive ? lanes->alive : active;
}

static void end_run(struct lanes *lanes)
{
    if (!lanes->count)
        return;
    uint32_t active = active_lanes(lanes);
    for (uint32_t i = 0; i < lanes->count; i++)
        emit_instruction(lanes, &lanes->run[i], active);
    const struct accelsim_instruction *last = &lanes->run[lanes->count - 1];
    look_ahead(lanes, last, active);
    lanes->last_run = last->entry;
    lanes->count = 0;
}

void lanes_begin(struct lanes *lanes, uint32_t existing)
{
    lanes->alive = lanes->expected = existing;
    lanes->last = lanes->last_run = CODE_NONE;
    lanes->paired = lanes->stays = false;
    lanes->count = 0;
}

static void copy(struct accelsim_instruction *to, const struct accelsim_instruction *from,
                 bool addressed)
{
    to->entry = from->entry;
    to->mask = from->mask;
    if (!addressed)
        return;
    if (from->addresses.affine) {
        to->addresses.affine = true;
        to->addresses.base = from->addresses.base;
        to->addresses.stride = from->addresses.stride;
    } else {
        to->addresses = from->addresses;
    }
}

/*
 * Tracers of version 5 write an LDGSTS as two lines, first with the shared, then with the global
 * addresses. The second line is used.
 */
static bool is_second_line(const struct lanes *lanes,
                           const struct accelsim_instruction *instruction)
{
    return lanes->count && !lanes->paired && lanes->last == instruction->entry &&
           lanes->code->entry[instruction->entry].inst.op == SIMSM_OP_COPY_ASYNC &&
           lanes->run[lanes->count - 1].mask == instruction->mask;
}

void lanes_put(struct lanes *lanes, const struct accelsim_instruction *instruction)
{
    bool second = is_second_line(lanes, instruction);
    bool addressed = lanes->code->entry[instruction->entry].addressed;
    if (!second && lanes->count &&
        (lanes->count == LANES_RUN || is_control(lanes, &lanes->run[lanes->count - 1]) ||
         !follows_in_memory(lanes, lanes->last, instruction->entry)))
        end_run(lanes);
    struct accelsim_instruction *place = &lanes->run[second ? lanes->count - 1 : lanes->count++];
    copy(place, instruction, addressed);
    lanes->paired = second;
    lanes->last = instruction->entry;
}

uint32_t lanes_end(struct lanes *lanes)
{
    uint32_t expected = lanes->expected;
    end_run(lanes);
    if (lanes->last == CODE_NONE)
        return expected;
    bool left = lanes->code->entry[lanes->last].inst.op == SIMSM_OP_EXIT;
    return lanes->alive || left ? lanes->alive : lanes->expected;
}
