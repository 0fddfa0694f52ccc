/* Appends instructions and steps to the program that is being read, and finishes the program. */
#ifndef SIM_TRACE_EMIT_H
#define SIM_TRACE_EMIT_H

#include "trace/trace_instruction.h"

/* The text of an instruction in the file; of a generated instruction, the text of its condition. */
struct emit_line {
    const char *text;
    size_t length;
};

/*
 * Appends an instruction and its step; fills in step.index. `text` is its line of the listing and
 * must live until program_finish().
 */
bool program_add(struct parser *parser, const struct inst *inst, struct step step, const char *text,
                 size_t length);

/* Appends a step that is not an instruction. */
bool program_add_choice(struct parser *parser, struct step step);

/*
 * Appends an instruction that a structure of the trace stands for: BSSY, BRA, BSYNC or EXIT.
 * `guard` may be NULL. `label` is the text of a branch's condition.
 */
bool program_add_control(struct parser *parser, struct step step, const struct guard *guard,
                         uint32_t line, const char *label, size_t length);

/*
 * Finishes the program once all steps are there and have their targets: writes the listing and
 * fills in the front's code and text.
 */
bool program_finish(struct parser *parser);

#endif
