/* Sets of lanes, warps or blocks: "0-15,20", or an expression in parentheses. */
#ifndef SIM_TRACE_ADDRESS_SET_H
#define SIM_TRACE_ADDRESS_SET_H

#include "trace/parser.h"

enum set_of { SET_LANES, SET_WARPS, SET_BLOCKS };

/*
 * Reads a set, or an expression if the current token is "(", and adds it as a condition.
 * *condition: its index in the program. *varying: whether the lanes of a warp may disagree.
 */
bool set_parse(struct parser *parser, enum set_of of, uint32_t *condition, bool *varying);

#endif
