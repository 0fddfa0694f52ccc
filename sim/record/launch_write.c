/* Writes the launch block of a recording. */
#include <stdio.h>

#include "front/packing.h"
#include "model/model_counted.h"
#include "record/recording_launch.h"
#include "simsm/simsm.h"

/*
 * Appends a section to the payload and empties `content`. The section's length precedes its
 * content, so the content is collected in a buffer of its own.
 */
static void add_section(struct packed_bytes *payload, enum smtr_section section,
                        struct packed_bytes *content)
{
    smtr_add_number(payload, section);
    smtr_add_number(payload, content->size);
    smtr_add(payload, content->data, content->size);
    payload->failed |= content->failed;
    content->size = 0;
}

static void add_shape(struct packed_bytes *content, const struct simsm_launch *launch)
{
    smtr_add_text(content, launch->name);
    for (int i = 0; i < 3; i++)
        smtr_add_number(content, launch->grid[i]);
    for (int i = 0; i < 3; i++)
        smtr_add_number(content, launch->block[i]);
    smtr_add_number(content, launch->registers);
    smtr_add_number(content, launch->shared_static);
    smtr_add_number(content, launch->shared_dynamic);
    smtr_add_number(content, launch->carveout);
}

static void add_memory(struct packed_bytes *content, const struct front_memory *memory)
{
    smtr_add_number(content, memory->local_bytes);
    smtr_add_number(content, memory->local_base);
    smtr_add_number(content, memory->buffers);
    for (uint32_t i = 0; i < memory->buffers; i++) {
        smtr_add_text(content, memory->buffer[i].name);
        smtr_add_number(content, memory->buffer[i].base);
        smtr_add_number(content, memory->buffer[i].bytes);
    }
}

static void add_ranges(struct packed_bytes *content, const struct reg_range *range, unsigned count)
{
    smtr_add_number(content, count);
    for (unsigned i = 0; i < count; i++) {
        smtr_add_number(content, range[i].first);
        smtr_add_number(content, range[i].count);
        smtr_add_number(content, range[i].reuse);
    }
}

static void add_control(struct packed_bytes *content, const struct control_bits *control)
{
    smtr_add_number(content, control->stall);
    smtr_add_number(content, control->write_barrier);
    smtr_add_number(content, control->read_barrier);
    smtr_add_number(content, control->wait_mask);
}

static void add_inst(struct packed_bytes *content, const struct inst *inst, const char *text)
{
    unsigned bits =
        (inst->conditional ? SMTR_CONDITIONAL : 0u) | (inst->guarded ? SMTR_GUARDED : 0u) |
        (inst->barrier_arrive ? SMTR_ARRIVE : 0u) | (inst->control.present ? SMTR_CONTROL : 0u) |
        (inst->control.yield ? SMTR_YIELD : 0u) | (inst->past_l1 ? SMTR_PAST_L1 : 0u) |
        (unsigned)inst->atomic << SMTR_ATOMIC_SHIFT;
    smtr_add_text(content, text);
    smtr_add_number(content, inst->pc);
    smtr_add_number(content, inst->line);
    smtr_add_number(content, inst->op);
    smtr_add_number(content, inst->width);
    smtr_add_number(content, bits);
    add_ranges(content, inst->source, inst->n_sources);
    add_ranges(content, inst->destination, inst->n_destinations);
    if (inst->control.present)
        add_control(content, &inst->control);
    smtr_add_number(content, inst->barrier);
    smtr_add_number(content, inst->barrier_threads);
    smtr_add_number(content, inst->depbar_index);
    smtr_add_number(content, inst->depbar_count);
    smtr_add_number(content, inst->scope);
    smtr_add_number(content, inst->constant);
    smtr_add_number(content, inst->sleep);
}

/*
 * Appends for each instruction the pipes that count it, or 0 if these are the pipes of its class.
 * Returns false if all instructions have 0; the section is then not needed.
 */
static bool add_pipes(struct packed_bytes *content, const struct inst *code, uint32_t size)
{
    uint32_t any = 0;
    smtr_add_number(content, COUNTED_BY_ALL);
    for (int i = 0; i < COUNTED_BY_ALL; i++)
        smtr_add_text(content, simsm_counters[SIMSM_COUNTER_PIPE_ALU + i].name);
    smtr_add_number(content, size);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t pipes = code[i].counted & ~(uint32_t)COUNTED_NOWHERE;
        smtr_add_number(content, code[i].counted ? pipes + 1 : 0);
        any |= code[i].counted;
    }
    return any != 0;
}

void launch_write(struct packed_bytes *payload, const struct recording_launch *launch,
                  const char *command)
{
    struct packed_bytes content = {0};
    smtr_add_text(&content, "simsm " SIMSM_VERSION);
    add_section(payload, SMTR_PROGRAM, &content);
    smtr_add_text(&content, command);
    add_section(payload, SMTR_COMMAND, &content);
    smtr_add_text(&content, launch->source);
    add_section(payload, SMTR_SOURCE, &content);
    if (launch->paths && launch->paths[0]) {
        smtr_add_text(&content, launch->paths);
        add_section(payload, SMTR_PATHS, &content);
    }
    add_shape(&content, launch->launch);
    add_section(payload, SMTR_SHAPE, &content);
    smtr_add_number(&content, SIMSM_OP_COUNT);
    for (int i = 0; i < SIMSM_OP_COUNT; i++)
        smtr_add_text(&content, simsm_ops[i].name);
    add_section(payload, SMTR_CLASSES, &content);
    smtr_add_number(&content, launch->code_size);
    for (uint32_t i = 0; i < launch->code_size; i++)
        add_inst(&content, &launch->code[i], launch->text[i]);
    add_section(payload, SMTR_CODE, &content);
    if (launch->memory && launch->memory->known) {
        add_memory(&content, launch->memory);
        add_section(payload, SMTR_MEMORY, &content);
    }
    if (add_pipes(&content, launch->code, launch->code_size))
        add_section(payload, SMTR_PIPES, &content);
    packed_bytes_free(&content);
}
