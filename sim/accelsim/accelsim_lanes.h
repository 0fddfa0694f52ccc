/*
 * Which lanes are active. A trace gives, for each instruction, the lanes that are active and whose
 * guard is true; the simulator wants both. Between two instructions of control all instructions
 * have the same active lanes, so those of such a run are all lanes that one of them names.
 */
#ifndef SIM_ACCELSIM_ACCELSIM_LANES_H
#define SIM_ACCELSIM_ACCELSIM_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "accelsim/accelsim_code.h"
#include "accelsim/accelsim_instruction.h"
#include "model/inst.h"

enum { LANES_RUN = 256 }; /* a longer run is cut */

/* Takes the warp's next instruction. `addresses` is as the trace has them. */
typedef void lanes_sink(void *context, uint32_t entry, const struct warp_inst *inst,
                        const struct lane_addresses *addresses);

struct lanes {
    struct accelsim_code *code;
    lanes_sink *sink;
    void *context;
    uint32_t alive;    /* lanes that have not exited */
    uint32_t expected; /* lanes of the next run, as far as the last one tells */
    bool stays;        /* some lanes of the last run go on behind it */
    uint32_t last;     /* entry that was put last, or CODE_NONE */
    uint32_t last_run; /* entry that ended the run before, or CODE_NONE */
    bool paired;       /* the last one is the second line of an LDGSTS */
    uint32_t count;
    struct accelsim_instruction run[LANES_RUN];
};

/* Begins a warp in which the lanes `existing` (not 0) exist. */
void lanes_begin(struct lanes *lanes, uint32_t existing);

void lanes_put(struct lanes *lanes, const struct accelsim_instruction *instruction);

/*
 * The warp ends. Returns the lanes that have not exited, 0 if all have: for them the caller adds an
 * EXIT.
 */
uint32_t lanes_end(struct lanes *lanes);

#endif
