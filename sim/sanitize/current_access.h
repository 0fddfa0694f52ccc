/* An access of a warp, or of a call of the program, while it is looked at. Private to this folder.
 */
#ifndef SIM_SANITIZE_CURRENT_ACCESS_H
#define SIM_SANITIZE_CURRENT_ACCESS_H

#include "sanitize/sanitizer.h"

struct current_access {
    struct sanitizer *sanitizer;
    struct sanitizer_warp *warp;
    struct sanitizer_block *owner; /* of shared memory; NULL: global memory */
    const struct sanitizer_access *access;
    struct past_table *past;
    uint32_t record;       /* of this access; 0: memory is short */
    uint32_t lane, word;   /* of the word that is looked at */
    uint32_t judged, idle; /* bit w: it is known whether the program needs word w; it does not */
    uint64_t address;
};

/* What a race is about. */
enum race_about { READ_AFTER_WRITE, WRITE_AFTER_READ, WRITE_AFTER_WRITE };

static inline bool access_is_of_launch(const struct current_access *current,
                                       const struct past_access *past)
{
    return current->owner || past->launch == current->sanitizer->launch.count - 1;
}

/* The bytes of the word that the lane accesses, as a mask. */
static inline uint32_t access_bytes(const struct current_access *current)
{
    const uint32_t bytes = current->access->bytes;
    return bytes >= 4 ? 15 : ((UINT32_C(1) << bytes) - 1) << (current->address & 3);
}

static inline uint32_t access_reference(const struct current_access *current)
{
    return past_reference(current->record, access_bytes(current), current->lane);
}

static inline uint64_t access_mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 31;
}

/* Returns the line of an address. */
static inline struct shadow_spot access_spot(const struct current_access *current, uint64_t address)
{
    if (!current->owner)
        return shadow_at(current->sanitizer->shadow, address);
    const uint64_t line = address / SHADOW_BYTES;
    if (line >= current->owner->lines)
        return (struct shadow_spot){NULL, NULL};
    return (struct shadow_spot){current->owner->shared + line,
                                current->owner->written + line * SHADOW_BITS};
}

/* Returns whether the access that `reference` stands for happens before the one that is looked at,
 * or does not conflict with it. access_order.c. */
bool access_is_ordered(const struct current_access *current, uint32_t reference);

/* Adds a race with the access that `reference` stands for to the findings. race_report.c. */
void race_report(const struct current_access *current, uint32_t reference, int how);

/* Returns whether the race of the two instructions was reported so often that it is not looked for
 * any more. */
bool race_is_well_known(const struct current_access *current, uint32_t reference, int how);

/* Returns what the program does with the word that the access loads. unwritten.c. */
enum sanitizer_use access_use(const struct current_access *current);

/*
 * Looks whether the bytes that are read were ever written. Where a part of them was, they may be a
 * structure with gaps that is copied: then only a word with which the program computes counts.
 */
void access_look_at_unwritten(struct current_access *current, uint32_t *written);

#endif
