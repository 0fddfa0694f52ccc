/* The kernel's instructions by the time that warps spend at them. */
#ifndef VIZ_VIEW_VIEW_SOURCE_H
#define VIZ_VIEW_VIEW_SOURCE_H

#include "view/view.h"

/* A row of the listing: an instruction, or above it the source line that it comes from. */
struct source_row {
    uint32_t line;
    bool head;
};

/* To be freed; NULL if memory runs out. */
struct source_row *source_rows(const struct timeline_info *info, uint32_t *count);

/* Warp cycles of an instruction. */
uint64_t source_waiting(const struct track_line *line);

/* States that bars can have: of slots in which a warp lives; a bit for each. */
uint32_t source_states(const struct view *view);

/* The instruction that the selected slot has next at the selected cycle; VIEW_NONE: unknown. */
uint32_t source_selected(const struct view *view, struct track *track);

/* The row to be seen first: of what is selected, what the slot has next, or the hottest one. */
uint32_t source_focus(const struct view *view, const struct track_line *lines, uint32_t here);

/*
 * All instructions of the source line of instruction `index` added up; false if that is not the
 * first of them, for which it has been told already.
 */
bool source_line_sums(const struct timeline_info *info, const struct track_line *lines,
                      uint32_t index, struct track_line *sums);

/* What these numbers are of, `all` warp cycles together, in words. */
void source_note(const struct view *view, uint64_t all, char *text, size_t size);

/* Instruction `index` is under the pointer: what it waits for in words; makes it the target. */
void source_describe(struct view *view, uint32_t index, const struct track_line *sums);

/* Most warp cycles of any instruction; lines as track_lines gives them. */
uint64_t source_most(const struct view *view, const struct track_line *lines);

/*
 * The instruction with the next less (or more) warp cycles than the selected one; from none
 * selected, the hottest one. The selected one if there is none.
 */
uint32_t source_hottest(const struct view *view, const struct track_line *lines, bool less);

#endif
