/* Collects what the user should know about a conversion. */
#ifndef SIM_ACCELSIM_NOTES_H
#define SIM_ACCELSIM_NOTES_H

#include "accelsim/accelsim.h"

/* Notes that `count` instructions of opcode `name` were approximated, as `kind` says. */
void notes_add(struct accelsim_notes *notes, const char *name, enum accelsim_note_kind kind,
               uint64_t count);

#endif
