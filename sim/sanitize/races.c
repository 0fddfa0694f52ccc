/*
 * MODEL: a race is two accesses to the same byte, at least one of them a write, that nothing orders
 * and that are not both strong or atomic with scopes that include the other thread.
 * SOURCE: PTX ISA, memory consistency model (conflicts, morally strong operations).
 * LEFT OUT: of several concurrent reads of a word, one or "several threads" is remembered; of bytes
 * of a word that several threads write, the last write. Then a race may be missed; none is reported
 * that is not there.
 */
#include "sanitize/current_access.h"

#include <string.h>

/* Looks at one earlier access. */
static void look_back(const struct current_access *current, uint32_t reference, int how)
{
    if (!past_is_known(current->past, reference) ||
        !(past_bytes(reference) & access_bytes(current)))
        return;
    if (current->sanitizer->findings.list.count && race_is_well_known(current, reference, how))
        return;
    if (!access_is_ordered(current, reference))
        race_report(current, reference, how);
}

/* Returns a record of reads by several warps of the block (`blocks`: by several blocks) at the
 * instruction of the access. */
static uint32_t several(struct current_access *current, bool blocks)
{
    struct sanitizer *sanitizer = current->sanitizer;
    const uint32_t at = current->access->at;
    if (blocks && sanitizer->any_record && sanitizer->any_at == at &&
        sanitizer->any_stamp == sanitizer->time && sanitizer->any_record >= current->past->base)
        return sanitizer->any_record;
    struct past_access past = *past_of(current->past, access_reference(current));
    past.warp = PAST_ANY_WARP;
    past.block = blocks ? PAST_ANY_BLOCK : past.block;
    past.stamp = sanitizer->time;
    const uint32_t record = past_add(current->past, &past);
    if (blocks) {
        sanitizer->any_record = record;
        sanitizer->any_at = at;
        sanitizer->any_stamp = sanitizer->time;
    }
    return record ? record : current->record;
}

/* Returns the reference that remembers this read beside the earlier one. */
static uint32_t join_reads(struct current_access *current, uint32_t before)
{
    const uint32_t own = access_reference(current);
    if (!past_is_known(current->past, before))
        return own;
    if (before >> PAST_SHIFT == current->record)
        return before == own ? own : own | PAST_LANES | past_bytes(before) << PAST_BYTES_SHIFT;
    const struct past_access *past = past_of(current->past, before);
    if (!access_is_of_launch(current, past) || access_is_ordered(current, before))
        return own;
    const bool blocks = past->block != current->warp->block->index;
    if (blocks && past->block == PAST_ANY_BLOCK && past->stamp == current->sanitizer->time)
        return before;
    if (!blocks && past->warp == PAST_ANY_WARP && past->stamp == current->sanitizer->time)
        return before;
    if (!blocks && past->warp == current->warp->index)
        return own | PAST_LANES;
    return past_reference(several(current, blocks), 15, 0);
}

/* Returns whether a wide load takes a word along that the program may not need. */
static bool is_idle_word(struct current_access *current)
{
    const struct sanitizer_access *access = current->access;
    const uint32_t bit = UINT32_C(1) << current->word;
    if (!current->warp || access->bytes <= 4 || access->kind != PAST_PLAIN)
        return false;
    if (!(current->judged & bit)) {
        current->judged |= bit;
        current->idle |= access_use(current) < USE_COPIES ? bit : 0;
    }
    return current->idle & bit;
}

static void look_at_read(struct current_access *current, struct shadow_line *line, uint32_t word)
{
    const uint32_t own = access_reference(current);
    if (is_idle_word(current))
        return;
    if (line->write[word] >> PAST_SHIFT != current->record)
        look_back(current, line->write[word], READ_AFTER_WRITE);
    if (line->read[word] != own)
        line->read[word] = join_reads(current, line->read[word]);
}

/* Returns whether the access is known and a write that is not atomic. */
static bool is_plain_write(const struct current_access *current, uint32_t reference)
{
    if (!past_is_known(current->past, reference))
        return false;
    const struct past_access *past = past_of(current->past, reference);
    return past->writes && !past->scope;
}

static void look_at_write(struct current_access *current, struct shadow_line *line, uint32_t word)
{
    uint32_t own = access_reference(current);
    const uint32_t before = line->write[word];
    const bool same = before >> PAST_SHIFT == current->record;
    if (!same || (before & (SANITIZER_LANES - 1)) != current->lane)
        look_back(current, before, WRITE_AFTER_WRITE);
    if (line->read[word] && line->read[word] >> PAST_SHIFT != current->record)
        look_back(current, line->read[word], WRITE_AFTER_READ);
    if (same && before != own) /* neighbouring bytes, or the same ones, by lanes of one store */
        own |= PAST_LANES | past_bytes(before) << PAST_BYTES_SHIFT;
    line->write[word] = own;
    if (current->access->kind != PAST_ATOMIC)
        line->read[word] = 0;
    else if (!line->read[word] && is_plain_write(current, before))
        line->read[word] = before; /* other blocks' atomics still race with it */
}

/* Returns the record of the access: of the warp at this instruction since it was last ordered. */
static uint32_t record_of(struct current_access *current)
{
    struct sanitizer_warp *warp = current->warp;
    const struct sanitizer_access *access = current->access;
    struct sanitizer_record *kept = current->owner ? warp->shared : warp->global;
    kept += access->at % SANITIZER_RECORDS;
    const bool own = !current->owner || current->owner == warp->block;
    if (own && kept->generation == current->past->generation &&
        kept->number >= current->past->base && kept->at == access->at &&
        kept->interval == warp->interval && access->kind != PAST_BULK)
        return kept->number;
    const struct past_access past = {.stamp = current->sanitizer->time,
                                     .block = warp->block->index,
                                     .launch = (uint32_t)current->sanitizer->launch.count - 1,
                                     .at = access->at,
                                     .group =
                                         access->kind == PAST_COPIED ? warp->group : access->group,
                                     .warp = (uint16_t)warp->index,
                                     .kind = access->kind,
                                     .scope = access->scope,
                                     .writes = access->writes,
                                     .tolerant = access->tolerant};
    const uint32_t number = past_add(current->past, &past);
    if (own)
        *kept = (struct sanitizer_record){access->at, warp->interval, number,
                                          current->past->generation};
    return number;
}

static void make_room(struct current_access *current)
{
    if (!past_is_full(current->past))
        return;
    if (current->owner)
        memset(current->owner->shared, 0, current->owner->lines * sizeof *current->owner->shared);
    else
        shadow_forget_accesses(current->sanitizer->shadow);
    past_begin(current->past);
    current->sanitizer->any_record = 0;
}

static void look_at_word(struct current_access *current)
{
    const struct shadow_spot spot = access_spot(current, current->address);
    if (!spot.line)
        return;
    const uint32_t at = current->address % SHADOW_BYTES, word = at / 4;
    const uint32_t left = current->access->bytes;
    if (current->access->reads)
        access_look_at_unwritten(current, spot.written);
    if (current->access->writes) {
        look_at_write(current, spot.line, word);
        spot.written[at / 32] |= shadow_bits(at, left < 4 ? left : 4);
    } else {
        look_at_read(current, spot.line, word);
    }
}

/* The fast path: all lanes access the words of one line in order, and every earlier access to the
 * line is ordered. Updates the line as look_at_word() does for each word. Returns false if the
 * words have to be looked at one by one. */
static bool look_at_line(struct current_access *current)
{
    const struct sanitizer_access *access = current->access;
    const uint64_t first = access->address[0];
    uint64_t apart = access->lanes != UINT32_MAX || access->bytes != 4 || first % SHADOW_BYTES;
    for (uint32_t lane = 0; lane < SANITIZER_LANES; lane++)
        apart |= access->address[lane] - first - 4 * lane;
    if (apart)
        return false;
    const struct shadow_spot spot = access_spot(current, first);
    struct shadow_line *line = spot.line;
    const uint32_t known = current->past->base << PAST_SHIFT;
    uint32_t recent = 0, written = UINT32_MAX;
    if (!line)
        return false;
    for (uint32_t i = 0; i < SHADOW_WORDS; i++)
        recent |= (uint32_t)(line->write[i] >= known) | (uint32_t)(line->read[i] >= known);
    for (uint32_t i = 0; i < SHADOW_BITS; i++)
        written &= spot.written[i];
    if (recent || (access->reads && written != UINT32_MAX))
        return false;
    const uint32_t own = past_reference(current->record, 15, 0);
    uint32_t *to = access->writes ? line->write : line->read;
    for (uint32_t i = 0; i < SHADOW_WORDS; i++)
        to[i] = own | i;
    if (access->writes) {
        memset(line->read, 0, sizeof line->read);
        memset(spot.written, 0xff, SHADOW_BITS * sizeof *spot.written);
    }
    return true;
}

static void look(struct current_access *current)
{
    const struct sanitizer_access *access = current->access;
    const uint32_t words = access->bytes < 4 ? 1 : access->bytes / 4;
    make_room(current);
    current->record = record_of(current);
    if (!current->record || look_at_line(current))
        return;
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        current->lane = (uint32_t)__builtin_ctz(left);
        for (current->word = 0; current->word < words; current->word++) {
            current->address = access->address[current->lane] + 4 * current->word;
            look_at_word(current);
        }
    }
}

void sanitizer_global(struct sanitizer_warp *warp, const struct sanitizer_access *access)
{
    struct sanitizer *sanitizer = warp->block->sanitizer;
    struct current_access current = {
        .sanitizer = sanitizer, .warp = warp, .access = access, .past = &sanitizer->past};
    look(&current);
}

void sanitizer_shared(struct sanitizer_warp *warp, struct sanitizer_block *owner,
                      const struct sanitizer_access *access)
{
    struct current_access current = {.sanitizer = warp->block->sanitizer,
                                     .warp = warp,
                                     .owner = owner,
                                     .access = access,
                                     .past = &owner->past};
    warp->copying |= access->kind == PAST_COPIED;
    look(&current);
}

void sanitizer_host_access(struct sanitizer *sanitizer, uint64_t address, uint64_t bytes,
                           bool writes)
{
    const struct past_access past = {.stamp = sanitizer->time,
                                     .block = PAST_ANY_BLOCK,
                                     .launch = (uint32_t)sanitizer->launch.count - 1,
                                     .warp = PAST_ANY_WARP,
                                     .kind = PAST_BY_HOST,
                                     .writes = writes};
    const struct sanitizer_access access = {.bytes = 4, .kind = PAST_BY_HOST, .writes = writes};
    struct current_access current = {
        .sanitizer = sanitizer, .access = &access, .past = &sanitizer->past};
    make_room(&current);
    current.record = past_add(current.past, &past);
    for (uint64_t at = address / 4 * 4; current.record && at < address + bytes; at += 4) {
        struct shadow_line *line = shadow_at(sanitizer->shadow, at).line;
        current.address = at;
        if (!line)
            return;
        const uint32_t word = at % SHADOW_BYTES / 4;
        look_back(&current, line->write[word], writes ? WRITE_AFTER_WRITE : READ_AFTER_WRITE);
        if (writes) {
            look_back(&current, line->read[word], WRITE_AFTER_READ);
            line->write[word] = access_reference(&current);
            line->read[word] = 0;
        } else {
            line->read[word] = access_reference(&current);
        }
    }
}
