/* Collects notes about a conversion and writes them as warnings. */
#include "accelsim/notes.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"

void notes_add(struct accelsim_notes *notes, const char *name, enum accelsim_note_kind kind,
               uint64_t count)
{
    for (uint32_t i = 0; i < notes->notes; i++) {
        struct accelsim_note *note = &notes->note[i];
        if (note->kind == kind && strcmp(note->name, name) == 0) {
            note->count += count;
            return;
        }
    }
    if (notes->notes == ACCELSIM_MAX_NOTES) {
        notes->untold += count;
        return;
    }
    struct accelsim_note *note = &notes->note[notes->notes++];
    note->kind = kind;
    note->count = count;
    (void)printable(name, note->name, sizeof note->name);
}

bool accelsim_note_text(const struct accelsim_notes *notes, uint32_t index, char *text, size_t size)
{
    static const char *const meaning[] = {
        [ACCELSIM_UNKNOWN] = "is not known: taken as integer arithmetic",
        [ACCELSIM_NO_ADDRESS] = "has no addresses in the trace: taken as accesses to address 0",
    };
    if (index < notes->notes) {
        const struct accelsim_note *note = &notes->note[index];
        (void)snprintf(text, size, "%s %s (%llu warp instructions)", note->name,
                       meaning[note->kind], (unsigned long long)note->count);
        return true;
    }
    index -= notes->notes;
    if (notes->untold && index-- == 0) {
        (void)snprintf(text, size, "further opcodes are not known (%llu warp instructions)",
                       (unsigned long long)notes->untold);
        return true;
    }
    if (notes->added_exits && index-- == 0) {
        (void)snprintf(text, size, "%llu warps end without EXIT in the trace and got one",
                       (unsigned long long)notes->added_exits);
        return true;
    }
    return false;
}
