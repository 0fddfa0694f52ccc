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
static void add_section(struct byte_buffer *payload, enum smtr_section section,
                        struct byte_buffer *content)
{
    buffer_add_varint(payload, section);
    buffer_add_varint(payload, content->size);
    buffer_add(payload, content->data, content->size);
    payload->failed |= content->failed;
    content->size = 0;
}

static void add_shape(struct byte_buffer *content, const struct simsm_launch *launch)
{
    buffer_add_text(content, launch->name);
    for (int i = 0; i < 3; i++)
        buffer_add_varint(content, launch->grid[i]);
    for (int i = 0; i < 3; i++)
        buffer_add_varint(content, launch->block[i]);
    buffer_add_varint(content, launch->registers);
    buffer_add_varint(content, launch->shared_static);
    buffer_add_varint(content, launch->shared_dynamic);
    buffer_add_varint(content, launch->carveout);
}

static void add_memory(struct byte_buffer *content, const struct front_memory *memory)
{
    buffer_add_varint(content, memory->local_bytes);
    buffer_add_varint(content, memory->local_base);
    buffer_add_varint(content, memory->buffers);
    for (uint32_t i = 0; i < memory->buffers; i++) {
        buffer_add_text(content, memory->buffer[i].name);
        buffer_add_varint(content, memory->buffer[i].base);
        buffer_add_varint(content, memory->buffer[i].bytes);
    }
}

static void add_ranges(struct byte_buffer *content, const struct reg_range *range, unsigned count)
{
    buffer_add_varint(content, count);
    for (unsigned i = 0; i < count; i++) {
        buffer_add_varint(content, range[i].first);
        buffer_add_varint(content, range[i].count);
        buffer_add_varint(content, range[i].reuse);
    }
}

static void add_control(struct byte_buffer *content, const struct control_bits *control)
{
    buffer_add_varint(content, control->stall);
    buffer_add_varint(content, control->write_barrier);
    buffer_add_varint(content, control->read_barrier);
    buffer_add_varint(content, control->wait_mask);
}

static void add_inst(struct byte_buffer *content, const struct inst *inst, const char *text)
{
    unsigned bits =
        (inst->conditional ? SMTR_CONDITIONAL : 0u) | (inst->guarded ? SMTR_GUARDED : 0u) |
        (inst->barrier_arrive ? SMTR_ARRIVE : 0u) | (inst->control.present ? SMTR_CONTROL : 0u) |
        (inst->control.yield ? SMTR_YIELD : 0u) | (inst->past_l1 ? SMTR_PAST_L1 : 0u) |
        (unsigned)inst->atomic << SMTR_ATOMIC_SHIFT;
    buffer_add_text(content, text);
    buffer_add_varint(content, inst->pc);
    buffer_add_varint(content, inst->line);
    buffer_add_varint(content, inst->op);
    buffer_add_varint(content, inst->width);
    buffer_add_varint(content, bits);
    add_ranges(content, inst->source, inst->n_sources);
    add_ranges(content, inst->destination, inst->n_destinations);
    if (inst->control.present)
        add_control(content, &inst->control);
    buffer_add_varint(content, inst->barrier);
    buffer_add_varint(content, inst->barrier_threads);
    buffer_add_varint(content, inst->depbar_index);
    buffer_add_varint(content, inst->depbar_count);
    buffer_add_varint(content, inst->scope);
    buffer_add_varint(content, inst->constant);
    buffer_add_varint(content, inst->sleep);
}

/*
 * Appends for each instruction the pipes that count it, or 0 if these are the pipes of its class.
 * Returns false if all instructions have 0; the section is then not needed.
 */
static bool add_pipes(struct byte_buffer *content, const struct inst *code, uint32_t size)
{
    uint32_t any = 0;
    buffer_add_varint(content, COUNTED_BY_ALL);
    for (int i = 0; i < COUNTED_BY_ALL; i++)
        buffer_add_text(content, simsm_counters[SIMSM_COUNTER_PIPE_ALU + i].name);
    buffer_add_varint(content, size);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t pipes = code[i].counted & ~(uint32_t)COUNTED_NOWHERE;
        buffer_add_varint(content, code[i].counted ? pipes + 1 : 0);
        any |= code[i].counted;
    }
    return any != 0;
}

void launch_write(struct byte_buffer *payload, const struct recording_launch *launch,
                  const char *command)
{
    struct byte_buffer content = {0};
    buffer_add_text(&content, "simsm " SIMSM_VERSION);
    add_section(payload, SMTR_PROGRAM, &content);
    buffer_add_text(&content, command);
    add_section(payload, SMTR_COMMAND, &content);
    buffer_add_text(&content, launch->source);
    add_section(payload, SMTR_SOURCE, &content);
    if (launch->paths && launch->paths[0]) {
        buffer_add_text(&content, launch->paths);
        add_section(payload, SMTR_PATHS, &content);
    }
    add_shape(&content, launch->launch);
    add_section(payload, SMTR_SHAPE, &content);
    buffer_add_varint(&content, SIMSM_OP_COUNT);
    for (int i = 0; i < SIMSM_OP_COUNT; i++)
        buffer_add_text(&content, simsm_ops[i].name);
    add_section(payload, SMTR_CLASSES, &content);
    buffer_add_varint(&content, launch->code_size);
    for (uint32_t i = 0; i < launch->code_size; i++)
        add_inst(&content, &launch->code[i], launch->text[i]);
    add_section(payload, SMTR_CODE, &content);
    if (launch->memory && launch->memory->known) {
        add_memory(&content, launch->memory);
        add_section(payload, SMTR_MEMORY, &content);
    }
    if (add_pipes(&content, launch->code, launch->code_size))
        add_section(payload, SMTR_PIPES, &content);
    if (launch->launch->untranslated)
        add_section(payload, SMTR_UNTRANSLATED, &content);
    buffer_free(&content);
}
