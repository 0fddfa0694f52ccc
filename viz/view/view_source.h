/*
 * What the screen Source shows: the kernel's instructions and the warp cycles spent at each of
 * them.
 */
#ifndef VIZ_VIEW_VIEW_SOURCE_H
#define VIZ_VIEW_VIEW_SOURCE_H

#include "view/view.h"

/*
 * A row of the listing: an instruction, or (`head`) the source line of the instructions below it.
 */
struct source_row {
    uint32_t line;
    bool head;
    /* Set for rows that are sorted: warp cycles; what the order compares; the operation. */
    uint64_t cycles;
    double key;
    const char *name;
};

/* An order in words: for the note, and where a click would choose it, forward or backward. */
struct source_sort {
    const char *brief, *forward, *backward;
};
extern const struct source_sort source_sorts[SOURCE_ORDER_COUNT];

/* Sectors of a request (passes, for shared memory), how many would do, and L1 hits in per cent. */
struct source_memory {
    double sectors, least, hits; /* hits: NaN without loads through L1 */
    char sectors_text[96], hits_text[48];
};

/*
 * Fills *memory over all SMs: of an instruction, or of all instructions of its source line. Returns
 * false if they have not accessed memory, or the file has no sums.
 */
bool source_memory(const struct view *view, uint32_t index, bool whole_line,
                   struct source_memory *memory);

/*
 * Makes the head of a column sort by a click, if the pointer is at it: by `order`, or the other way
 * round if the listing has this order.
 */
void source_point_at_head(struct view *view, struct rect cell, enum source_order order);

/*
 * Returns the rows of the listing in the order of view->options, and their number in *count.
 * The caller frees them. Returns NULL if memory runs out. Without source lines, SOURCE_LINES is the
 * order of the code.
 */
struct source_row *source_rows(const struct view *view, const struct track_line *lines,
                               uint32_t *count);

/* Returns the warp cycles of an instruction, over all states. */
uint64_t source_waiting(const struct track_line *line);

/* Returns the states that bars can have, a bit for each: states of slots in which a warp lives. */
uint32_t source_states(const struct view *view);

/*
 * Returns the instruction that the selected slot issues next at the selected cycle; VIEW_NONE:
 * unknown.
 */
uint32_t source_selected(const struct view *view, struct track *track);

/*
 * Returns the instruction that scrolling brings into view: the selected instruction, else `here`,
 * else the instruction with the most warp cycles.
 */
uint32_t source_focus(const struct view *view, const struct track_line *lines, uint32_t here);

/*
 * Adds up all instructions of the source line of instruction `index`. Returns false if `index` is
 * not the first instruction of this line: the sums stand at the first.
 */
bool source_line_sums(const struct timeline_info *info, const struct track_line *lines,
                      uint32_t index, struct track_line *sums);

/*
 * Describes the waits of instruction `index` in view->status, and makes it the target of a click.
 */
void source_describe(struct view *view, uint32_t index, const struct track_line *sums);

/* Returns the most warp cycles of an instruction; `lines` as from track_lines(). */
uint64_t source_most(const struct view *view, const struct track_line *lines);

/* Returns the most warp cycles of the rows of a sorted listing. */
uint64_t source_most_of(const struct source_row *rows, uint32_t count);

/*
 * Returns the instruction with the next fewer warp cycles than the selected one, or the next more
 * if `less` is false. Returns the instruction with the most (or fewest) if none is selected, and
 * the selected one if there is no other.
 */
uint32_t source_hottest(const struct view *view, const struct track_line *lines, bool less);

#endif
