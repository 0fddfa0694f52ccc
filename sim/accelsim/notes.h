/* Collecting what a user should know of a conversion. */
#ifndef SIM_ACCELSIM_NOTES_H
#define SIM_ACCELSIM_NOTES_H

#include "accelsim/accelsim.h"

/* `count` instructions of the name were taken for something else, as `kind` says. */
void notes_add(struct accelsim_notes *notes, const char *name, enum accelsim_note_kind kind,
               uint64_t count);

#endif
