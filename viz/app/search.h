/* Search in a run: cells by what happens in them. */
#ifndef VIZ_APP_SEARCH_H
#define VIZ_APP_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/view.h"

/*
 * Sets *found to the cycle of the nearest change of state, or issue, of a slot after `cycle`, or
 * before it. Returns false if there is none.
 */
bool search_step(struct track *track, uint32_t slot, uint64_t cycle, bool issues, bool backward,
                 uint64_t *found);

/*
 * Sets *from and *to to the cycles [from, to) of the state in which the slot is at `cycle`. Returns
 * false if the cycle is not recorded.
 */
bool search_span(struct track *track, uint32_t slot, uint64_t cycle, uint64_t *from, uint64_t *to);

/*
 * Moves `place` to the next cell that `words` describe: "pc 0x120", "op LDG", "state L" (letter or
 * name), "block 17", "mask<32", "cycle 4120", or a part of an instruction's text. Returns false and
 * writes the reason to `message` if there is none. Also writes a message if the search continued at
 * the other end of the run.
 */
bool search_run(struct run *run, const char *words, struct view_place *place, bool backward,
                char *message, size_t size);

/*
 * The cells of the shown SM that match: their number, and the number of the one at the place, from
 * 1.
 */
struct search_tally {
    uint64_t all, rank;
    struct view_mark marks[VIEW_MARKS]; /* the matches in the shown cycles, at most VIEW_MARKS */
    uint32_t mark_count;
};

/*
 * Counts the cells that `words` describe. Returns false if `words` describe a cycle or nothing, or
 * if the run is too long to be counted after each key.
 */
bool search_count(struct run *run, const char *words, const struct view_place *place,
                  struct search_tally *tally);

#endif
