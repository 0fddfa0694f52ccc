/*
 * Derives the active lanes. A trace names, for each instruction, the active lanes whose guard is
 * true; the simulator needs both masks. Between two control flow instructions all instructions have
 * the same active lanes. Such instructions form a run, and its active lanes are all lanes that any
 * of its instructions names.
 */
#ifndef SIM_ACCELSIM_ACCELSIM_LANES_H
#define SIM_ACCELSIM_ACCELSIM_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "accelsim/accelsim_code.h"
#include "accelsim/accelsim_instruction.h"
#include "model/inst.h"

enum { LANES_RUN = 256 }; /* a longer run is split */

/* Receives the warp's next instruction. `addresses` is as in the trace. */
typedef void lanes_sink(void *context, uint32_t entry, const struct warp_inst *inst,
                        const struct lane_addresses *addresses);

struct lanes {
    struct accelsim_code *code;
    lanes_sink *sink;
    void *context;
    uint32_t alive;    /* lanes that have not exited */
    uint32_t expected; /* active lanes of the next run, as far as the latest run tells */
    bool stays;        /* some lanes of the latest run continue after it */
    uint32_t last;     /* entry of the latest instruction, or CODE_NONE */
    uint32_t last_run; /* last entry of the previous run, or CODE_NONE */
    bool paired;       /* the latest instruction was the second line of an LDGSTS */
    uint32_t count;
    struct accelsim_instruction run[LANES_RUN];
};

/* Begins a warp with the lanes `existing` (not 0). */
void lanes_begin(struct lanes *lanes, uint32_t existing);

void lanes_put(struct lanes *lanes, const struct accelsim_instruction *instruction);

/*
 * Ends the warp. Returns the lanes that have not exited, for which the caller adds an EXIT, or 0.
 */
uint32_t lanes_end(struct lanes *lanes);

#endif
