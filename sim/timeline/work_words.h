/* Work beside the warps in words: copies (TMA) and products of warp groups (wgmma). */
#ifndef SIM_TIMELINE_WORK_WORDS_H
#define SIM_TIMELINE_WORK_WORDS_H

#include "timeline/slot_history.h"

enum work_kind { WORK_PRODUCT, WORK_LOAD, WORK_STORE, WORK_REDUCE, WORK_KINDS };

/* Returns what kind of work it is, from its instruction. */
enum work_kind work_kind_of(const struct timeline_info *info, const struct timeline_work *work);

/* Returns the name of the kind: "TMA load". Static memory. */
const char *work_name(const struct timeline_info *info, const struct timeline_work *work);

enum { WORK_WORDS = 400 };

/*
 * Writes what the work is, whose, and how long it takes, as a line; returns `text` (WORK_WORDS
 * bytes): "TMA load of 8192 bytes by warp 0 of block 3, cycles 100 to 700: 600 cycles   `UTMALDG`
 * (line 7)".
 */
const char *work_words(const struct history *history, const struct timeline_work *work, char *text);

#endif
