/* Reads of bytes that nothing has written. */
#include "sanitize/current_access.h"

#include <stdio.h>

enum sanitizer_use access_use(const struct current_access *current)
{
    struct sanitizer *sanitizer = current->sanitizer;
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const struct sanitizer_launch *launch = &list[sanitizer->launch.count - 1];
    uint64_t *known = key_map_put(&sanitizer->used, (uintptr_t)launch->kernel,
                                  (uint64_t)current->access->at * 4 + current->word);
    if (!known)
        return USE_NONE;
    if (!*known)
        *known = 1 + (uint64_t)sanitizer->uses(launch->module, launch->kernel, current->access->at,
                                               current->word);
    return (enum sanitizer_use)(*known - 1);
}

/* Reports that no byte of a word was ever written. */
static void report_unwritten(const struct current_access *current)
{
    const struct sanitizer_access *access = current->access;
    const struct sanitizer_memory *memory =
        sanitizer_memory_at(current->sanitizer, current->address);
    struct finding finding = {.kind = current->owner ? FINDING_INIT_SHARED : FINDING_INIT_GLOBAL};
    const struct sanitizer_launch *list = current->sanitizer->launch.data;
    const void *kernel = list[current->sanitizer->launch.count - 1].kernel;
    finding.key = access_mix(access_mix(finding.kind + 100, (uintptr_t)kernel), access->at);
    if (findings_again(&current->sanitizer->findings, finding.key))
        return;
    (void)snprintf(finding.message, sizeof finding.message, "%s: 0x%llx%s%s%s",
                   finding_rows[finding.kind].title, (unsigned long long)current->address,
                   current->owner || !memory ? "" : ", of \"",
                   current->owner || !memory ? "" : memory->name,
                   current->owner || !memory ? "" : "\"");
    sanitizer_place_of(current->warp, access->at, current->lane, "", &finding.place[0]);
    finding.memory.allocation.stack = current->owner || !memory ? 0 : memory->stack;
    findings_add(&current->sanitizer->findings, &finding);
}

/* Returns whether none of the bytes that the lane accesses was ever written. */
static bool all_unwritten(const struct current_access *current)
{
    const uint64_t first = current->access->address[current->lane];
    const uint32_t bytes = current->access->bytes, at = first % SHADOW_BYTES;
    const struct shadow_spot spot = access_spot(current, first);
    return spot.written && !(spot.written[at / 32] & shadow_bits(at, bytes));
}

void access_look_at_unwritten(struct current_access *current, uint32_t *written)
{
    const uint32_t at = current->address % SHADOW_BYTES, left = current->access->bytes;
    const uint32_t bits = shadow_bits(at, left < 4 ? left : 4);
    if ((written[at / 32] & bits) == bits)
        return;
    if (current->owner || sanitizer_memory_at(current->sanitizer, current->address)) {
        const enum sanitizer_use use = access_use(current);
        const enum sanitizer_use least = left > 4 ? USE_COPIES : USE_MAYBE;
        if (use == USE_COMPUTES || (use >= least && all_unwritten(current)))
            report_unwritten(current);
    }
    written[at / 32] |= bits;
}
