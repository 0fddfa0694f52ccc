/* Going to places by what happens there. */
#ifndef VIZ_APP_SEARCH_H
#define VIZ_APP_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/view.h"

/* The nearest change of state (or issue) of a slot after, or before, `cycle`. */
bool search_step(struct track *track, uint32_t slot, uint64_t cycle, bool issues, bool backward,
                 uint64_t *found);

/* The state in which the slot is at `cycle`: half-open cycles. */
bool search_span(struct track *track, uint32_t slot, uint64_t cycle, uint64_t *from, uint64_t *to);

/*
 * Moves `place` to the next cell that `words` describe: "pc 0x120", "op LDG", "state L" (letter or
 * name), "block 17", "mask<32", "cycle 4120", or a part of an instruction's text. False, and the
 * reason in `message`, if there is none.
 */
bool search_run(struct run *run, const char *words, struct view_place *place, bool backward,
                char *message, size_t size);

/* How many cells `words` describe, and which of them is at `place`, counted from 1. */
struct search_tally {
    uint64_t all, rank;
    struct view_mark marks[VIEW_MARKS]; /* those in the cycles of the place, as far as they fit */
    uint32_t mark_count;
};

/* False: the words mean no cells, or the run is too long to count them at once. */
bool search_count(struct run *run, const char *words, const struct view_place *place,
                  struct search_tally *tally);

#endif
