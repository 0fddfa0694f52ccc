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
    uint64_t cycles; /* warp cycles, set for rows in the order of them */
};

/*
 * Returns the rows of the listing in the order of view->options.source, and their number in *count.
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

/* Writes what the numbers cover. `all` are the warp cycles of all instructions. */
void source_note(const struct view *view, uint64_t all, char *text, size_t size);

/*
 * Describes the waits of instruction `index` in view->status, and makes it the target of a click.
 */
void source_describe(struct view *view, uint32_t index, const struct track_line *sums);

/* Returns the most warp cycles of an instruction; `lines` as from track_lines(). */
uint64_t source_most(const struct view *view, const struct track_line *lines);

/*
 * Returns the instruction with the next fewer warp cycles than the selected one, or the next more
 * if `less` is false. Returns the instruction with the most (or fewest) if none is selected, and
 * the selected one if there is no other.
 */
uint32_t source_hottest(const struct view *view, const struct track_line *lines, bool less);

#endif
