/* The part of an instruction's line that is the same each time: registers and opcode. */
#ifndef SIM_ACCELSIM_OPERANDS_H
#define SIM_ACCELSIM_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "accelsim/opcode.h"
#include "model/inst.h"

struct operands {
    struct accelsim_opcode opcode;
    uint8_t n_destinations, n_sources;
    uint16_t destination[INST_MAX_DESTINATIONS], source[INST_MAX_SOURCES]; /* OPERANDS_RZ: R255 */
    uint32_t width; /* bytes as in the line, often wrong; 0: no addresses follow */
};

enum { OPERANDS_RZ = 255 };

/*
 * Reads "destinations opcode sources width" and moves *at past it. Returns NULL; on an error
 * returns what was expected, and *at is where.
 */
const char *operands_read(struct operands *operands, const char **at);

/*
 * Derives the static instruction: class, registers with their widths, bytes of an access.
 * `immediate` is the immediate of the line, or 0. Leaves 0: pc, line, and what depends on the lane
 * masks.
 */
void operands_lower(const struct operands *operands, int64_t immediate, struct inst *inst);

/* Writes the instruction as "LDG.E.64.SYS R4, [R4]", cut to `size` bytes. */
void operands_text(const struct operands *operands, char *text, size_t size);

#endif
