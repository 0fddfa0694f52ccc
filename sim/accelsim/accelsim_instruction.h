/* One line of a trace: an instruction that a warp has run. */
#ifndef SIM_ACCELSIM_ACCELSIM_INSTRUCTION_H
#define SIM_ACCELSIM_ACCELSIM_INSTRUCTION_H

#include "accelsim/accelsim_code.h"
#include "accelsim/accelsim_header.h"
#include "accelsim/lines.h"
#include "model/inst.h"

struct accelsim_instruction {
    uint32_t entry;                  /* index in the code */
    uint32_t mask;                   /* active lanes whose guard is true */
    struct lane_addresses addresses; /* as in the trace; only if the entry is `addressed` */
};

struct instruction_reader {
    const struct accelsim_header *header;
    struct accelsim_code *code;
    const struct accelsim_lines *lines;
    bool collecting;   /* new instructions are added to the code */
    uint64_t place[4]; /* block x, y, z, warp; before version 3 each line repeats them */
    uint32_t before;   /* entry that the warp ran before, or CODE_NONE */
};

/* Reads `line`, the latest line of reader->lines. */
enum simsm_status instruction_read(struct instruction_reader *reader, const char *line,
                                   struct accelsim_instruction *instruction,
                                   struct simsm_error *error);

#endif
