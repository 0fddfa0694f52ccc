/*
 * Reads the registers, opcode and width of an instruction, and derives the static instruction.
 *
 * The tracer uses NVBit, which lists general registers only: no predicates, uniform registers,
 * constants or immediates, and of a 64-bit value only the first register. If a missing operand
 * makes it unclear which register is which, one register per operand is assumed.
 */
#include "accelsim/operands.h"

#include <stdio.h>
#include <string.h>

#include "accelsim/scan.h"
#include "model/op.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool read_register(const char **at, uint16_t *number)
{
    const char *word;
    size_t length;
    uint64_t value;
    if (!scan_word(at, &word, &length) || word[0] != 'R')
        return false;
    word++;
    if (!scan_decimal(&word, &value) || word != *at || value > OPERANDS_RZ)
        return false;
    *number = (uint16_t)value;
    return true;
}

static bool read_registers(const char **at, uint16_t *list, uint8_t *count, uint64_t most)
{
    uint64_t n;
    if (!scan_decimal(at, &n) || n > most)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!read_register(at, &list[i]))
            return false;
    }
    *count = (uint8_t)n;
    return true;
}

/*
 * Moves the first source to the destinations if the tracer took the destination for a source, as in
 * ATOMG P0, R4, ... where a predicate precedes it.
 */
static void find_destination(struct operands *operands)
{
    if (operands->n_destinations || !operands->n_sources || !operands->opcode.leads)
        return;
    operands->destination[0] = operands->source[0];
    operands->n_destinations = 1;
    operands->n_sources--;
    memmove(operands->source, operands->source + 1,
            operands->n_sources * sizeof operands->source[0]);
}

static bool read_opcode(const char **at, struct accelsim_opcode *opcode)
{
    const char *word;
    size_t length;
    if (!scan_word(at, &word, &length) || length >= OPCODE_LONGEST || word[0] < 'A' ||
        word[0] > 'Z')
        return false;
    *opcode = opcode_read(word, length);
    return true;
}

static bool read_width(const char **at, uint32_t *width)
{
    uint64_t value;
    if (!scan_decimal(at, &value) || value > 1024)
        return false;
    *width = (uint32_t)value;
    return true;
}

const char *operands_read(struct operands *operands, const char **at)
{
    const char *start = *at, *problem = NULL;
    if (!read_registers(at, operands->destination, &operands->n_destinations,
                        INST_MAX_DESTINATIONS))
        problem = "the number of destination registers (0 to 3) and each as R0 to R255";
    else if (start = *at, !read_opcode(at, &operands->opcode))
        problem = "an opcode such as LDG.E.64";
    else if (start = *at,
             !read_registers(at, operands->source, &operands->n_sources, INST_MAX_SOURCES))
        problem = "the number of source registers (0 to 8) and each as R0 to R255";
    else if (start = *at, !read_width(at, &operands->width))
        problem = "the width of the memory access in bytes, 0 for none";
    if (problem)
        *at = start;
    else
        find_destination(operands);
    return problem;
}

/* Number of registers of each operand: of all destinations, and of each source in order. */
struct widths {
    uint8_t destination, source[INST_MAX_SOURCES];
};

static uint8_t words(unsigned bytes)
{
    return (uint8_t)((bytes + 3) / 4);
}

struct accelsim_shape {
    const char *name, *shape, *type; /* type: NULL fits any */
    uint8_t d, a, b, c;              /* registers of each matrix */
};

/* rows x columns x bits / (32 lanes x 32 bits); the first row that fits is used */
static const struct accelsim_shape shapes[] = {
    {"HMMA", "884", "STEP0", 2, 2, 2, 2}, {"HMMA", "884", "STEP1", 2, 2, 2, 2},
    {"HMMA", "884", "STEP2", 2, 2, 2, 2}, {"HMMA", "884", "STEP3", 2, 2, 2, 2},
    {"HMMA", "1688", "TF32", 4, 4, 2, 4}, {"HMMA", "1688", NULL, 4, 2, 1, 4},
    {"HMMA", "16816", NULL, 4, 4, 2, 4},  {"HMMA", "1684", NULL, 4, 2, 1, 4},
    {"IMMA", "8816", NULL, 2, 1, 1, 2},   {"IMMA", "8832", NULL, 2, 1, 1, 2},
    {"IMMA", "16816", NULL, 4, 2, 1, 4},  {"IMMA", "16832", "S4", 4, 2, 1, 4},
    {"IMMA", "16832", "U4", 4, 2, 1, 4},  {"IMMA", "16832", NULL, 4, 4, 2, 4},
    {"IMMA", "16864", NULL, 4, 4, 2, 4},  {"BMMA", "88128", NULL, 2, 1, 1, 2},
    {"BMMA", "168128", NULL, 4, 2, 1, 4}, {"BMMA", "168256", NULL, 4, 4, 2, 4},
    {"DMMA", "884", NULL, 4, 2, 2, 4},    {"QMMA", "16832", NULL, 4, 4, 2, 4},
};

static void matrix_widths(const struct accelsim_opcode *opcode, struct widths *widths)
{
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const struct accelsim_shape *shape = &shapes[i];
        if (!opcode_named(opcode, shape->name) || !opcode_modified(opcode, shape->shape) ||
            (shape->type && !opcode_modified(opcode, shape->type)))
            continue;
        /* 16-bit accumulators take half as many registers. */
        bool half = opcode_named(opcode, "HMMA") && opcode_modified(opcode, "F16") &&
                    !opcode_modified(opcode, "F32");
        widths->destination = half ? shape->d / 2 : shape->d;
        widths->source[0] = shape->a;
        widths->source[1] = shape->b;
        widths->source[2] = half ? shape->c / 2 : shape->c;
        return;
    }
}

static void access_widths(const struct operands *operands, struct widths *widths)
{
    const struct accelsim_opcode *opcode = &operands->opcode;
    uint8_t address = opcode_modified(opcode, "E") ? 2 : 1;
    widths->destination = words(opcode->width);
    memset(widths->source, widths->destination, sizeof widths->source);
    widths->source[0] = address;
    if (opcode->op == SIMSM_OP_COPY_ASYNC) { /* shared address, then global address */
        widths->source[0] = 1;
        widths->source[1] = address;
    }
}

static void find_widths(const struct operands *operands, struct widths *widths)
{
    const struct accelsim_opcode *opcode = &operands->opcode;
    widths->destination = 1;
    memset(widths->source, 1, sizeof widths->source);
    if (op_is_memory(opcode->op) && opcode->op != SIMSM_OP_TEX) {
        access_widths(operands, widths);
    } else if (opcode->op == SIMSM_OP_FP64) {
        widths->destination = 2;
        memset(widths->source, 2, sizeof widths->source);
    } else if (opcode->op == SIMSM_OP_IMAD_WIDE && opcode_modified(opcode, "WIDE")) {
        widths->destination = widths->source[2] = 2;
    } else if (opcode->op == SIMSM_OP_CONVERT) {
        widths->destination = words(opcode->width);
        widths->source[0] = words(opcode->operand);
    } else if (opcode->op == SIMSM_OP_LD_CONST) {
        widths->destination = words(opcode->width);
    } else if (opcode_named(opcode, "CS2R")) {
        widths->destination = opcode_modified(opcode, "32") ? 1 : 2;
    } else {
        matrix_widths(opcode, widths);
    }
}

static bool add(struct reg_range *range, uint16_t number, uint8_t count)
{
    if (number == OPERANDS_RZ)
        return false;
    unsigned room = OPERANDS_RZ - number;
    *range = (struct reg_range){.first = (uint16_t)(REG_R0 + number),
                                .count = (uint8_t)(count < room ? count : room)};
    return true;
}

static uint8_t atomic_kind(const struct accelsim_opcode *opcode)
{
#define KIND(suffix, kind)                                                                         \
    if (opcode_modified(opcode, suffix))                                                           \
        return kind;
    OP_ATOMIC_SUFFIXES(KIND)
#undef KIND
    return ATOMIC_INTEGER;
}

static uint8_t fence_scope(const struct accelsim_opcode *opcode)
{
    bool device = opcode_modified(opcode, "GPU") || opcode_modified(opcode, "GL");
    return opcode_modified(opcode, "SYS") ? 2 : device ? 1 : 0;
}

/*
 * As for machine code (sim/sass/lower.c): strong loads at device or system scope bypass L1, and so
 * do copies to shared memory with BYPASS.
 */
static void lower_past_l1(const struct accelsim_opcode *opcode, struct inst *inst)
{
    bool mmio = opcode_modified(opcode, "MMIO");
    bool strong = mmio || opcode_modified(opcode, "STRONG");
    bool system = mmio || opcode_modified(opcode, "SYS");
    if (opcode->op == SIMSM_OP_LD_GLOBAL)
        inst->past_l1 = strong && (system || opcode_modified(opcode, "GPU"));
    else if (opcode->op == SIMSM_OP_COPY_ASYNC)
        inst->past_l1 = opcode_modified(opcode, "BYPASS");
    if (inst->past_l1)
        inst->scope = opcode->op == SIMSM_OP_LD_GLOBAL && system ? SCOPE_SYSTEM : SCOPE_DEVICE;
}

/*
 * Sets the named barrier. Tracers from version 4 on print the last immediate operand. BAR has one
 * or two immediates: the number of a barrier (up to 15), then optionally the number of threads,
 * which hides the number of the barrier.
 */
static void lower_barrier(const struct accelsim_opcode *opcode, int64_t immediate,
                          struct inst *inst)
{
    inst->barrier_arrive = opcode_modified(opcode, "ARV");
    if (immediate > 0 && immediate < 16) {
        inst->barrier = (uint8_t)immediate;
    } else if (immediate >= 32 && immediate <= 1024) {
        inst->barrier = 1;
        inst->barrier_threads = (uint16_t)immediate;
    }
}

static void lower_depbar(const struct accelsim_opcode *opcode, int64_t immediate, struct inst *inst)
{
    bool commit = opcode->op == SIMSM_OP_COPY_GROUP;
    inst->depbar_index = commit ? DEPBAR_COMMIT : DEPBAR_GROUPS;
    inst->depbar_count = immediate > 0 && immediate < 64 ? (uint8_t)immediate : 0;
}

void operands_lower(const struct operands *operands, int64_t immediate, struct inst *inst)
{
    struct widths widths;
    const struct accelsim_opcode *opcode = &operands->opcode;
    *inst = (struct inst){.op = (uint8_t)opcode->op};
    inst->control.write_barrier = inst->control.read_barrier = 7;
    find_widths(operands, &widths);
    for (unsigned i = 0; i < operands->n_destinations; i++)
        inst->n_destinations += add(&inst->destination[inst->n_destinations],
                                    operands->destination[i], widths.destination);
    for (unsigned i = 0; i < operands->n_sources; i++)
        inst->n_sources +=
            add(&inst->source[inst->n_sources], operands->source[i], widths.source[i]);
    if (op_is_memory(opcode->op))
        inst->width = opcode->width;
    if (op_is_atomic((uint8_t)opcode->op))
        inst->atomic = atomic_kind(opcode);
    lower_past_l1(opcode, inst);
    if (opcode->op == SIMSM_OP_BARRIER)
        lower_barrier(opcode, immediate, inst);
    else if (opcode->op == SIMSM_OP_DEPBAR || opcode->op == SIMSM_OP_COPY_GROUP)
        lower_depbar(opcode, immediate, inst);
    else if (opcode->op == SIMSM_OP_MEMBAR)
        inst->scope = fence_scope(opcode);
    else if (opcode->op == SIMSM_OP_SLEEP && immediate > 0)
        inst->sleep = (uint32_t)(immediate < 1000000 ? immediate : 1000000);
}

static size_t append(char *text, size_t size, size_t used, const char *before, uint16_t number,
                     const char *after)
{
    if (used >= size)
        return used;
    int n = number == OPERANDS_RZ
                ? snprintf(text + used, size - used, "%sRZ%s", before, after)
                : snprintf(text + used, size - used, "%sR%u%s", before, number, after);
    return n < 0 ? used : used + (size_t)n;
}

void operands_text(const struct operands *operands, char *text, size_t size)
{
    const struct accelsim_opcode *opcode = &operands->opcode;
    size_t used = (size_t)snprintf(text, size, "%s", opcode->text);
    const char *between = " ";
    bool memory = op_is_memory(opcode->op) && operands->width;
    unsigned addresses = !memory ? 0 : opcode->op == SIMSM_OP_COPY_ASYNC ? 2 : 1;
    for (unsigned i = 0; i < operands->n_destinations; i++, between = ", ")
        used = append(text, size, used, between, operands->destination[i], "");
    for (unsigned i = 0; i < operands->n_sources; i++, between = ", ") {
        char before[4];
        bool address = i < addresses;
        (void)snprintf(before, sizeof before, "%s%s", between, address ? "[" : "");
        used = append(text, size, used, before, operands->source[i], address ? "]" : "");
    }
}
