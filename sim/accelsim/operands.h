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
    uint32_t width; /* bytes as the line gives them, often wrong; 0: no addresses follow */
};

enum { OPERANDS_RZ = 255 };

/*
 * Reads "destinations opcode sources width" and moves *at past it. Returns NULL, or what was
 * expected where *at then is.
 */
const char *operands_read(struct operands *operands, const char **at);

/*
 * The static instruction: class, registers with their widths, bytes of an access. `immediate` is
 * that of the line, or 0. pc, line and what depends on masks are left 0.
 */
void operands_lower(const struct operands *operands, int64_t immediate, struct inst *inst);

/* Writes it as "LDG.E.64.SYS R4, [R4]". */
void operands_text(const struct operands *operands, char *text, size_t size);

#endif
