/* Appending to the program that is being read, and finishing it. */
#ifndef SIM_TRACE_EMIT_H
#define SIM_TRACE_EMIT_H

#include "trace/trace_instruction.h"

/* Where the text of an instruction lies in the file; of a generated one, what it asks. */
struct emit_line {
    const char *text;
    size_t length;
};

/* Appends an instruction and its step, whose index is filled in. `text` is its line. */
bool program_add(struct parser *parser, const struct inst *inst, struct step step, const char *text,
                 size_t length);

/* Appends a step that is no instruction. */
bool program_add_choice(struct parser *parser, struct step step);

/*
 * Appends an instruction that a structure of the trace stands for: BSSY, BRA, BSYNC, EXIT.
 * `guard` may be NULL. `label` is what a branch asks, as the trace says it.
 */
bool program_add_control(struct parser *parser, struct step step, const struct guard *guard,
                         uint32_t line, const char *label, size_t length);

/* When all steps are there and have their targets. */
bool program_finish(struct parser *parser);

#endif
