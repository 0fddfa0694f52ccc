/*
 * One decoded machine instruction (SASS, sm_75 to sm_90): operation, operands by role, modifiers,
 * control bits. The decoder fills it; the disassembler, the lowering to the timing model and the
 * executor read it.
 */
#ifndef SIM_SASS_SASS_INST_H
#define SIM_SASS_SASS_INST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/inst.h"

enum { SASS_RZ = 255, SASS_URZ = 63, SASS_PT = 7 };

/* One value for each row of ops.def. A row is one operation, whatever the form of its operands. */
enum sass_op {
    SASS_OP_UNKNOWN,
#define SASS_OP(id, ...) SASS_OP_##id,
#include "sass/ops.def"
#undef SASS_OP
    SASS_OP_COUNT
};

/*
 * One value for each row of sass_modifiers.def: a field that changes what an operation does or how
 * it is written.
 */
enum sass_mod {
#define SASS_MOD(id, ...) SASS_MOD_##id,
#include "sass/sass_modifiers.def"
#undef SASS_MOD
    SASS_MOD_COUNT
};

/* The role of an operand in its instruction. An operation has the roles that its row names. */
enum sass_role {
    SASS_D,  /* destination: general or uniform registers */
    SASS_D2, /* second destination (textures) */
    SASS_PU,
    SASS_PV, /* predicate destinations */
    SASS_A,
    SASS_B,
    SASS_C, /* sources; A is also the register of an address */
    SASS_PP,
    SASS_PQ,
    SASS_PR,   /* predicate sources */
    SASS_UR,   /* uniform register that is added to an address */
    SASS_DESC, /* uniform register of a descriptor; not added: A holds the whole address */
    SASS_DATA,
    SASS_DATA2, /* value to store, or operand of an atomic; DATA2: new value of compare-and-swap */
    SASS_BREG,  /* convergence barrier register B0..B15 */
    SASS_ROLES
};

enum sass_operand_kind {
    SASS_NONE,
    SASS_REGISTER,          /* R0..R254, RZ */
    SASS_UNIFORM,           /* UR0..UR62, URZ */
    SASS_PREDICATE,         /* P0..P6, PT */
    SASS_UNIFORM_PREDICATE, /* UP0..UP6, UPT */
    SASS_IMMEDIATE,         /* value */
    SASS_CONSTANT,          /* c[bank][value], value in bytes */
    SASS_CONSTANT_UNIFORM,  /* c[UR index][value] */
    SASS_CONVERGENCE,       /* B0..B15 */
};

struct sass_operand {
    uint8_t kind;  /* enum sass_operand_kind; SASS_NONE: the instruction has no such operand */
    uint8_t index; /* number of the register, predicate or barrier register; SASS_RZ, SASS_URZ,
                      SASS_PT */
    uint8_t bank;  /* of a constant */
    uint8_t words; /* consecutive 32-bit registers (1 to 16); 0 for predicates */
    uint8_t half;  /* fp16x2: 0 H1_H0, 1 F32, 2 H0_H0, 3 H1_H1 */
    bool negate, absolute, reuse; /* negate of a predicate: ! */
    uint32_t value;
};

struct sass_inst {
    uint64_t word[2];  /* low, high */
    uint32_t pc;       /* byte offset in its section */
    uint16_t op;       /* enum sass_op */
    uint16_t encoding; /* private to the decoder: row of its table */
    uint8_t sm;        /* 75, 80, 86, 89, 90 */
    uint8_t form;      /* bits 11:9 of an ALU operation, the form of its operands; else 0 */
    struct sass_operand guard;
    struct sass_operand operand[SASS_ROLES];
    int64_t offset;     /* bytes added to an address; LDGSTS: to the global address (see OFFSET2) */
    uint64_t target;    /* of branches, calls, BSSY: byte offset in the section */
    uint64_t unread[2]; /* set bits that are not decoded; not 0: the instruction is not supported */
    struct control_bits control;
};

/* Returns the value of a modifier, or 0 if the operation has no such field. */
uint32_t sass_mod(const struct sass_inst *inst, enum sass_mod mod);

/* Returns the name as NVIDIA writes it, without modifiers: "FFMA". SASS_OP_UNKNOWN is "?". */
const char *sass_op_name(enum sass_op op);

/*
 * Decodes one instruction of code for `sm`. Always fills *inst. An opcode that is unknown, or
 * unknown on this SM, becomes SASS_OP_UNKNOWN.
 */
void sass_decode(struct sass_inst *inst, const uint64_t word[2], uint32_t pc, uint32_t sm);

/* Returns whether code for this SM can be decoded. */
bool sass_knows_sm(uint32_t sm);

/*
 * Writes the text of the instruction as nvdisasm prints it, with its guard and without the
 * semicolon. Returns the length, as snprintf() does.
 */
int sass_text(const struct sass_inst *inst, char *text, unsigned size);

/* Writes the control bits as "B------:R-:W0:-:S04". Returns the length, as snprintf() does. */
int sass_control_text(const struct sass_inst *inst, char *text, unsigned size);

/*
 * Fills *lowered with what the timing model sees: class, registers read and written, width, control
 * bits. A named barrier or a number of threads in a register is unknown here and stays 0. `sleep`
 * is in nanoseconds, 0 for a register. `line` is not set.
 */
void sass_lower(const struct sass_inst *inst, struct inst *lowered);

/* Whether it is WARPGROUP.ARRIVE or WARPGROUP.WAIT: the warps of a warp group meet there. */
bool sass_meets_warpgroup(const struct sass_inst *inst);

/*
 * Whether it is WARPGROUP.WAIT: the warps of a warp group meet there. Compilers emit it behind
 * WARPGROUP.ARRIVE, where one warp goes on to read what the others have written to shared memory.
 */
bool sass_is_warpgroup_wait(const struct sass_inst *inst);

#endif
