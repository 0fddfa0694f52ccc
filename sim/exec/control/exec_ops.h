/*
 * What each operation does to registers, predicates and nothing else. Memory, control flow and
 * what warps do together are with the block that runs them (block.h).
 */
#ifndef SIM_EXEC_CONTROL_EXEC_OPS_H
#define SIM_EXEC_CONTROL_EXEC_OPS_H

#include "exec/control/exec_warp.h"

/*
 * Fills run, body and mod of *inst, whose other members exec_fill has filled, for an operation that
 * works on registers alone (arithmetic, logic, conversions, predicates, votes, shuffles, matrix
 * products). It may rewrite sources (a, b, c). False: it is none of these, or a modifier of it is
 * not supported (*why says which, static text).
 */
bool exec_prepare_alu(struct exec_inst *inst, const char **why);

#endif
