/* What L2 holds when a launch begins, where caches stay as they are. */
#ifndef SIM_MEM_L2_LINES_H
#define SIM_MEM_L2_LINES_H

#include "mem/l2.h"

/*
 * Exchanges the lines of an L2 that has not begun with those that another one had when it ended.
 * False: that one was of another size, and nothing has happened.
 */
bool l2_give_lines(struct l2 *l2, struct tags *lines);

/* Lines that a copy has written: in the partition of their memory, and no longer in the other. */
void l2_hold(struct l2 *l2, uint64_t address, uint64_t bytes);

#endif
