/* What the files watched_*.c share. Private to them. */
#ifndef SIM_EXEC_CONTROL_WATCHED_INNER_H
#define SIM_EXEC_CONTROL_WATCHED_INNER_H

#include <stdbool.h>

#include "sass/sass_inst.h"

/* Indices into mod[] of instructions with a mask: 1 if the mask is the program's and not one of the
 * compiler in front of a barrier; number of its register + 1, 0: all lanes. */
enum { NAMES_MASK = 6, MASK_REGISTER = 7 };

/* Returns whether a predicate operand is true for all lanes. */
static inline bool watch_is_always(const struct sass_operand *predicate)
{
    return predicate->kind == SASS_NONE || (predicate->index == SASS_PT && !predicate->negate);
}

#endif
