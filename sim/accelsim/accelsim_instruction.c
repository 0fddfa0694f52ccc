/*
 * Reads one instruction of a trace, as Accel-Sim's tracer (tracer_tool.cu) prints it:
 *
 *   [block x y z, warp]  before version 3
 *   [source line]        if the header says so, from version 4 on
 *   PC mask destinations opcode sources width  [addresses]
 *   [immediate]          from version 4 on
 */
#include "accelsim/accelsim_instruction.h"

#include <string.h>

#include "accelsim/scan.h"
#include "base/err.h"
#include "base/printable.h"
#include "model/op.h"

enum { WINDOW_BYTES = 1 << 24 }; /* generic addresses of shared, or local, memory */

enum address_mode { MODE_LIST, MODE_STRIDE, MODE_DELTAS };

static enum simsm_status expected(const struct instruction_reader *reader, const char *at,
                                  const char *what, struct simsm_error *error)
{
    char found[32];
    while (*at == ' ')
        at++;
    if (*at == '\0')
        return lines_fail(reader->lines, error, "the line ends early: expected %s", what);
    return lines_fail(reader->lines, error, "expected %s, found '%s'", what,
                      printable(at, found, sizeof found));
}

/* Reads the block and the warp, with which tracers before version 3 begin each line. */
static enum simsm_status read_place(const struct instruction_reader *reader, const char **at,
                                    struct simsm_error *error)
{
    static const char *const what[] = {"the block's x", "the block's y", "the block's z",
                                       "the number of the warp"};
    for (int i = 0; i < 4; i++) {
        uint64_t value;
        const char *start = *at;
        if (!scan_decimal(at, &value) || value != reader->place[i])
            return expected(reader, start, what[i], error);
    }
    return SIMSM_OK;
}

static bool read_list(const char **at, uint32_t mask, struct lane_addresses *addresses)
{
    addresses->affine = false;
    for (; mask; mask &= mask - 1) {
        if (!scan_hex(at, &addresses->lane[__builtin_ctz(mask)]))
            return false;
    }
    return true;
}

static bool read_stride(const char **at, uint32_t mask, struct lane_addresses *addresses)
{
    uint64_t base;
    addresses->affine = true;
    if (!scan_hex(at, &base) || !scan_signed(at, &addresses->stride))
        return false;
    unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0;
    addresses->base = base - first * (uint64_t)addresses->stride;
    return true;
}

/* Reads the first lane's address, then for each other lane the difference to the lane before. */
static bool read_deltas(const char **at, uint32_t mask, struct lane_addresses *addresses)
{
    uint64_t address;
    addresses->affine = false;
    if (!scan_hex(at, &address))
        return false;
    for (uint32_t left = mask; left; left &= left - 1) {
        int64_t delta = 0;
        if (left != mask && !scan_signed(at, &delta))
            return false;
        address += (uint64_t)delta;
        addresses->lane[__builtin_ctz(left)] = address;
    }
    return true;
}

static enum simsm_status read_addresses(const struct instruction_reader *reader, const char **at,
                                        uint32_t mask, struct lane_addresses *addresses,
                                        struct simsm_error *error)
{
    uint64_t mode;
    const char *start = *at;
    if (!scan_decimal(at, &mode) || mode > MODE_DELTAS)
        return expected(reader, start, "how addresses are written: 0 list, 1 stride, 2 deltas",
                        error);
    bool good = mode == MODE_LIST     ? read_list(at, mask, addresses)
                : mode == MODE_STRIDE ? read_stride(at, mask, addresses)
                                      : read_deltas(at, mask, addresses);
    if (!good)
        return expected(reader, *at,
                        mode == MODE_LIST     ? "an address for each lane of the mask"
                        : mode == MODE_STRIDE ? "an address and a stride"
                                              : "an address, then the difference to the next one "
                                                "for each further lane of the mask",
                        error);
    return SIMSM_OK;
}

static bool in_window(uint64_t address, uint64_t window)
{
    return window && address >= window && address - window < WINDOW_BYTES;
}

/* Returns the memory that the first lane's address means. */
static enum code_space find_space(const struct accelsim_header *header,
                                  const struct accelsim_instruction *instruction)
{
    if (!instruction->mask)
        return CODE_SPACE_ANY;
    uint64_t address =
        lane_address(&instruction->addresses, (unsigned)__builtin_ctz(instruction->mask));
    return in_window(address, header->shared_window)  ? CODE_SHARED
           : in_window(address, header->local_window) ? CODE_LOCAL
                                                      : CODE_GLOBAL;
}

/* Returns the class of a generic access whose addresses lie in `space`. */
static enum simsm_op_class class_in(enum simsm_op_class op, enum code_space space)
{
    bool load = op == SIMSM_OP_LD_GLOBAL, store = op == SIMSM_OP_ST_GLOBAL;
    if (space == CODE_SHARED)
        return load ? SIMSM_OP_LD_SHARED : store ? SIMSM_OP_ST_SHARED : SIMSM_OP_ATOM_SHARED;
    if (space == CODE_LOCAL && (load || store))
        return load ? SIMSM_OP_LD_LOCAL : SIMSM_OP_ST_LOCAL;
    return op;
}

static enum simsm_status add_entry(struct instruction_reader *reader,
                                   const struct code_entry *entry, uint32_t *added,
                                   struct simsm_error *error)
{
    if (!reader->collecting)
        return lines_fail(reader->lines, error, "the file has changed while it was read");
    switch (code_add(reader->code, entry, reader->before, added)) {
    case CODE_ADDED:
        return SIMSM_OK;
    case CODE_NO_ROOM:
        return lines_fail(reader->lines, error,
                          "more than %d different instructions at offset 0x%04x: the "
                          "trace is damaged",
                          CODE_MAX_LAYERS, entry->offset);
    default:
        return err_no_memory(error);
    }
}

/* Adds an entry for the instruction at *at, which is new. Moves *at past it. */
static enum simsm_status collect(struct instruction_reader *reader, uint32_t offset,
                                 uint32_t source_line, const char **at, uint32_t *added,
                                 struct simsm_error *error)
{
    struct operands operands;
    char text[128];
    const char *start = *at;
    const char *problem = operands_read(&operands, at);
    if (problem || (**at != ' ' && **at != '\0'))
        return expected(reader, *at, problem ? problem : "a blank", error);
    struct code_entry entry = {
        .key_length = (uint32_t)(*at - start),
        .offset = offset,
        .space = CODE_SPACE_ANY,
        .addressed = operands.width != 0,
        .known = operands.opcode.known,
        .text = text,
    };
    /* code_add() copies the key. */
    entry.key = (char *)(uintptr_t)start;
    entry.generic = operands.opcode.generic && entry.addressed;
    entry.matrix = opcode_named(&operands.opcode, "LDSM") || opcode_named(&operands.opcode, "STSM");
    size_t name = operands.opcode.name_length;
    name = name < sizeof entry.name ? name : sizeof entry.name - 1;
    memcpy(entry.name, operands.opcode.text, name);
    operands_text(&operands, text, sizeof text);
    operands_lower(&operands, 0, &entry.inst);
    entry.inst.line = source_line;
    return add_entry(reader, &entry, added, error);
}

/*
 * Chooses the entry for the memory that a generic access means. Such an instruction has one entry
 * for each memory.
 */
static enum simsm_status settle_space(struct instruction_reader *reader,
                                      struct accelsim_instruction *instruction,
                                      struct simsm_error *error)
{
    struct code_entry *entry = &reader->code->entry[instruction->entry];
    if (!entry->generic)
        return SIMSM_OK;
    enum code_space space = find_space(reader->header, instruction);
    if (space == CODE_SPACE_ANY || entry->space == (uint8_t)space)
        return SIMSM_OK;
    uint32_t other = code_in_space(reader->code, instruction->entry, space);
    if (other == CODE_NONE && entry->space == CODE_SPACE_ANY) {
        entry->space = (uint8_t)space;
        entry->inst.op = (uint8_t)class_in((enum simsm_op_class)entry->inst.op, space);
        return SIMSM_OK;
    }
    if (other == CODE_NONE) {
        struct code_entry copy = *entry;
        struct operands operands;
        const char *at = copy.key;
        (void)operands_read(&operands, &at);
        copy.space = (uint8_t)space;
        copy.count = 0;
        copy.inst.op = (uint8_t)class_in(operands.opcode.op, space);
        enum simsm_status status = add_entry(reader, &copy, &other, error);
        if (status != SIMSM_OK)
            return status;
    }
    instruction->entry = other;
    return SIMSM_OK;
}

/* Reads the rest of the line: nothing, or an immediate operand with or without a sign. */
static enum simsm_status read_tail(const struct instruction_reader *reader, const char *at,
                                   int64_t *immediate, struct simsm_error *error)
{
    const char *start = at;
    uint64_t large;
    *immediate = 0;
    if (reader->header->version >= 4 && !scan_end(at) && !scan_signed(&at, immediate) &&
        !scan_decimal(&at, &large))
        return expected(reader, start, "an immediate operand", error);
    if (!scan_end(at))
        return expected(reader, at, "the end of the line", error);
    return SIMSM_OK;
}

/* Applies the immediate operand to a new entry; it is known only at the end of the line. */
static void apply_immediate(struct code_entry *entry, int64_t immediate)
{
    struct operands operands;
    const char *at = entry->key;
    enum simsm_op_class op = (enum simsm_op_class)entry->inst.op;
    bool concerned = op == SIMSM_OP_BARRIER || op == SIMSM_OP_DEPBAR || op == SIMSM_OP_SLEEP;
    if (!concerned || immediate == 0 || operands_read(&operands, &at))
        return;
    uint32_t line = entry->inst.line;
    operands_lower(&operands, immediate, &entry->inst);
    entry->inst.line = line;
}

enum simsm_status instruction_read(struct instruction_reader *reader, const char *line,
                                   struct accelsim_instruction *instruction,
                                   struct simsm_error *error)
{
    const struct accelsim_header *header = reader->header;
    enum simsm_status status = SIMSM_OK;
    uint64_t source_line = 0, offset, mask;
    int64_t immediate;
    const char *at = line, *end;
    if (header->version < 3)
        status = read_place(reader, &at, error);
    if (status != SIMSM_OK)
        return status;
    if (header->line_numbers && (!scan_decimal(&at, &source_line) || source_line > UINT32_MAX))
        return expected(reader, at, "the source line", error);
    if (!scan_hex(&at, &offset) || offset >= CODE_MAX_PC)
        return expected(reader, at, "the offset of an instruction, below 0x1000000", error);
    if (!scan_hex(&at, &mask) || mask > UINT32_MAX || *at != ' ')
        return expected(reader, at, "a mask of 32 lanes", error);
    at++;
    instruction->mask = (uint32_t)mask;
    instruction->entry = code_find(reader->code, (uint32_t)offset, at, &end);
    bool fresh = instruction->entry == CODE_NONE;
    if (fresh)
        status = collect(reader, (uint32_t)offset, (uint32_t)source_line, &at, &instruction->entry,
                         error);
    else
        at = end;
    if (status == SIMSM_OK && reader->code->entry[instruction->entry].addressed)
        status = read_addresses(reader, &at, instruction->mask, &instruction->addresses, error);
    if (status == SIMSM_OK)
        status = read_tail(reader, at, &immediate, error);
    if (status == SIMSM_OK && fresh)
        apply_immediate(&reader->code->entry[instruction->entry], immediate);
    return status == SIMSM_OK ? settle_space(reader, instruction, error) : status;
}
