/* Reads the launch block of a recording and checks it. */
#include <stdlib.h>
#include <string.h>

#include "model/model_counted.h"
#include "model/op.h"
#include "record/recording_launch.h"

enum { MAX_CLASSES = 256, MAX_WIDTH = 16, MAX_THREADS = 1024, TEXT_MAX = 4096, MAX_PIPES = 16 };

/* State of reading a launch block: what one section needs from earlier sections. */
struct launch_reader {
    struct launch_read *launch;
    uint8_t op_of[MAX_CLASSES]; /* [classes] opcode class by the number in the file; SIMSM_OP_COUNT:
                                   unknown name */
    uint32_t classes;
    bool shape, untranslated;
    const char **text;
    size_t used; /* bytes of launch->characters that are in use */
};

const char *launch_shape_wrong(const struct simsm_launch *launch)
{
    static const uint32_t most[3] = {INT32_MAX, 65535, 65535};
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (!launch->grid[i] || launch->grid[i] > most[i])
            return "the grid has an extent that no GPU allows";
        if (!launch->block[i] || launch->block[i] > MAX_THREADS)
            return "the block has an extent that no GPU allows";
        threads *= launch->block[i];
    }
    return threads > MAX_THREADS ? "the block has more than 1024 threads" : NULL;
}

static bool ranges_wrong(const struct reg_range *range, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (range[i].first + range[i].count > REG_COUNT)
            return true;
    }
    return false;
}

static const char *inst_wrong(const struct inst *inst)
{
    if (inst->op >= SIMSM_OP_COUNT)
        return "an instruction has no class";
    if (inst->n_sources > INST_MAX_SOURCES || inst->n_destinations > INST_MAX_DESTINATIONS)
        return "an instruction has too many registers";
    if (ranges_wrong(inst->source, inst->n_sources) ||
        ranges_wrong(inst->destination, inst->n_destinations))
        return "an instruction has a register that does not exist";
    if (inst->width > MAX_WIDTH || (!inst->width && op_is_memory((enum simsm_op_class)inst->op)))
        return "a memory instruction has a width that is not 1 to 16 bytes";
    if (inst->barrier >= SMTR_MAX_BARRIERS)
        return "an instruction has a named barrier that does not exist";
    if (inst->guarded && !inst->n_sources)
        return "an instruction has a guard, but no source";
    return NULL;
}

const char *launch_code_wrong(const struct inst *code, uint32_t code_size)
{
    const char *wrong = NULL;
    bool exits = false;
    if (!code_size || code_size > SMTR_MAX_CODE)
        return "the code has no instructions, or more than 4 million";
    for (uint32_t i = 0; i < code_size && !wrong; i++) {
        wrong = inst_wrong(&code[i]);
        exits |= code[i].op == SIMSM_OP_EXIT;
    }
    return wrong || exits ? wrong : "no instruction is an EXIT, with which warps end";
}

static const char *take_shape(struct simsm_launch *launch, struct smtr_cursor *cursor)
{
    smtr_take_text(cursor, launch->name, sizeof launch->name);
    for (int i = 0; i < 3; i++)
        launch->grid[i] = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    for (int i = 0; i < 3; i++)
        launch->block[i] = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    launch->registers = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    launch->shared_static = (uint32_t)smtr_take_number(cursor, INT32_MAX);
    launch->shared_dynamic = (uint32_t)smtr_take_number(cursor, INT32_MAX);
    launch->carveout = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    return cursor->failed ? NULL : launch_shape_wrong(launch);
}

/*
 * Reads the names of the opcode classes. The file's class numbers are translated by name, so a
 * recording stays readable when a program has more classes than the writer had.
 */
static void take_classes(struct launch_reader *reading, struct smtr_cursor *cursor)
{
    reading->classes = (uint32_t)smtr_take_number(cursor, MAX_CLASSES);
    for (uint32_t i = 0; i < reading->classes; i++) {
        char name[64];
        smtr_take_text(cursor, name, sizeof name);
        uint8_t op = 0;
        while (op < SIMSM_OP_COUNT && strcmp(simsm_ops[op].name, name) != 0)
            op++;
        reading->op_of[i] = op;
    }
}

static unsigned take_ranges(struct smtr_cursor *cursor, struct reg_range *range, unsigned most)
{
    unsigned count = (unsigned)smtr_take_number(cursor, most);
    for (unsigned i = 0; i < count; i++) {
        range[i].first = (uint16_t)smtr_take_number(cursor, REG_COUNT);
        range[i].count = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
        range[i].reuse = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    }
    return count;
}

static void take_control(struct smtr_cursor *cursor, struct control_bits *control)
{
    control->stall = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    control->write_barrier = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    control->read_barrier = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    control->wait_mask = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
}

static const char *take_inst(struct launch_reader *reading, struct smtr_cursor *cursor,
                             struct inst *inst)
{
    inst->pc = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    inst->line = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    uint32_t class = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    inst->op = class < reading->classes ? reading->op_of[class] : SIMSM_OP_COUNT;
    inst->width = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    unsigned bits = (unsigned)smtr_take_number(cursor, UINT8_MAX);
    inst->conditional = bits & SMTR_CONDITIONAL;
    inst->guarded = bits & SMTR_GUARDED;
    inst->barrier_arrive = (bits & SMTR_ARRIVE) != 0;
    inst->control.present = bits & SMTR_CONTROL;
    inst->control.yield = bits & SMTR_YIELD;
    inst->past_l1 = bits & SMTR_PAST_L1;
    inst->atomic = (uint8_t)(bits >> SMTR_ATOMIC_SHIFT);
    inst->n_sources = (uint8_t)take_ranges(cursor, inst->source, INST_MAX_SOURCES);
    inst->n_destinations = (uint8_t)take_ranges(cursor, inst->destination, INST_MAX_DESTINATIONS);
    if (inst->control.present)
        take_control(cursor, &inst->control);
    inst->barrier = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    inst->barrier_threads = (uint16_t)smtr_take_number(cursor, UINT16_MAX);
    inst->depbar_index = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    inst->depbar_count = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    inst->scope = (uint8_t)smtr_take_number(cursor, UINT8_MAX);
    inst->constant = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    inst->sleep = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    return cursor->failed ? "the list of instructions is damaged" : NULL;
}

static const char *take_code(struct launch_reader *reading, struct smtr_cursor *cursor)
{
    struct launch_read *launch = reading->launch;
    size_t bytes = (size_t)(cursor->end - cursor->at);
    uint32_t count = (uint32_t)smtr_take_number(cursor, SMTR_MAX_CODE);
    if (launch->code || !count || count > bytes)
        return "the list of instructions is damaged";
    launch->code_size = count;
    launch->code = calloc(count, sizeof *launch->code);
    reading->text = calloc(count, sizeof *reading->text);
    launch->text = reading->text;
    launch->characters = malloc(bytes + count); /* enough: texts are not longer than in the file */
    if (!launch->code || !reading->text || !launch->characters)
        return "out of memory for its instructions";
    for (uint32_t i = 0; i < count; i++) {
        char *text = launch->characters + reading->used;
        smtr_take_text(cursor, text, TEXT_MAX);
        reading->used += strlen(text) + 1;
        reading->text[i] = text;
        const char *wrong = take_inst(reading, cursor, &launch->code[i]);
        if (wrong)
            return wrong;
    }
    return launch_code_wrong(launch->code, count);
}

static const char *take_memory(struct launch_read *launch, struct smtr_cursor *cursor)
{
    struct front_memory *memory = &launch->memory;
    memory->local_bytes = (uint32_t)smtr_take_number(cursor, UINT32_MAX);
    memory->local_base = smtr_take_number(cursor, UINT64_MAX);
    const uint32_t count = (uint32_t)smtr_take_number(cursor, SMTR_MAX_BUFFERS);
    if (memory->known || cursor->failed)
        return "the list of buffers is damaged";
    launch->buffer = calloc(count ? count : 1, sizeof *launch->buffer);
    if (!launch->buffer)
        return "out of memory for its buffers";
    for (uint32_t i = 0; i < count; i++) {
        smtr_take_text(cursor, launch->buffer[i].name, sizeof launch->buffer[i].name);
        launch->buffer[i].base = smtr_take_number(cursor, UINT64_MAX);
        launch->buffer[i].bytes = smtr_take_number(cursor, UINT64_MAX);
    }
    memory->known = true;
    memory->buffer = launch->buffer;
    memory->buffers = count;
    return cursor->failed ? "the list of buffers is damaged" : NULL;
}

/*
 * Translates the pipes of an instruction: bit[i] is the bit of the pipe that the file counts as i.
 */
static uint32_t pipes_here(const uint32_t bit[MAX_PIPES], uint64_t mask)
{
    uint32_t pipes = COUNTED_NOWHERE;
    for (unsigned i = 0; mask >> i != 0; i++)
        pipes |= mask >> i & 1u ? bit[i] : 0;
    return pipes;
}

static const char *take_pipes(struct launch_read *launch, struct smtr_cursor *cursor)
{
    uint32_t bit[MAX_PIPES] = {0};
    const unsigned names = (unsigned)smtr_take_number(cursor, MAX_PIPES);
    for (unsigned i = 0; i < names; i++) {
        char name[TEXT_MAX];
        smtr_take_text(cursor, name, sizeof name);
        for (unsigned p = 0; p < COUNTED_BY_ALL; p++)
            if (strcmp(name, simsm_counters[SIMSM_COUNTER_PIPE_ALU + p].name) == 0)
                bit[i] = 1u << p;
    }
    if (smtr_take_number(cursor, SMTR_MAX_CODE) != launch->code_size)
        return "the list of pipes is damaged";
    for (uint32_t i = 0; i < launch->code_size; i++) {
        uint64_t pipes = smtr_take_number(cursor, (uint64_t)1 << names);
        launch->code[i].counted = (uint16_t)(pipes ? pipes_here(bit, pipes - 1) : 0);
    }
    return cursor->failed ? "the list of pipes is damaged" : NULL;
}

static const char *take_section(struct launch_reader *reading, uint64_t section,
                                struct smtr_cursor *cursor)
{
    struct launch_read *launch = reading->launch;
    switch (section) {
    case SMTR_PROGRAM:
        smtr_take_text(cursor, launch->program, sizeof launch->program);
        return NULL;
    case SMTR_COMMAND:
        smtr_take_text(cursor, launch->command, sizeof launch->command);
        return NULL;
    case SMTR_SOURCE:
        smtr_take_text(cursor, launch->source, sizeof launch->source);
        return NULL;
    case SMTR_PATHS:
        smtr_take_text(cursor, launch->paths, sizeof launch->paths);
        return NULL;
    case SMTR_SHAPE:
        reading->shape = true;
        return take_shape(&launch->launch, cursor);
    case SMTR_CLASSES:
        take_classes(reading, cursor);
        return NULL;
    case SMTR_CODE:
        return take_code(reading, cursor);
    case SMTR_MEMORY:
        return take_memory(launch, cursor);
    case SMTR_PIPES:
        return take_pipes(launch, cursor);
    case SMTR_UNTRANSLATED:
        reading->untranslated = true;
        return NULL;
    default:
        return NULL;
    }
}

const char *launch_take(struct launch_read *launch, struct smtr_cursor cursor)
{
    struct launch_reader reading = {.launch = launch};
    const char *wrong = NULL;
    *launch = (struct launch_read){.code_size = 0};
    while (!wrong && !cursor.failed && cursor.at < cursor.end) {
        uint64_t section = smtr_take_number(&cursor, UINT64_MAX);
        struct smtr_cursor part = smtr_take_part(&cursor, smtr_take_number(&cursor, UINT64_MAX));
        wrong = take_section(&reading, section, &part);
        cursor.failed |= part.failed;
    }
    if (!wrong && (cursor.failed || !reading.shape || !launch->code))
        wrong = "the description of a launch is damaged";
    launch->launch.untranslated = reading.untranslated;
    if (wrong)
        launch_read_free(launch);
    return wrong;
}

void launch_read_free(struct launch_read *launch)
{
    free(launch->code);
    free((void *)(uintptr_t)launch->text);
    free(launch->characters);
    free(launch->buffer);
    *launch = (struct launch_read){.code_size = 0};
}
