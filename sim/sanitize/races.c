/*
 * MODEL: a race is two accesses to the same byte, at least one of them a write, that nothing orders
 * and that are not both strong or atomic with scopes that include the other thread.
 * SOURCE: PTX ISA, memory consistency model (conflicts, morally strong operations).
 * LEFT OUT: of several concurrent reads of a word, one or "several threads" is remembered; of bytes
 * of a word that several threads write, the last write. Then a race may be missed; none is reported
 * that is not there.
 */
#include "sanitize/sanitizer.h"

#include <stdio.h>
#include <string.h>

/* A warp's access while it is looked at. */
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

static bool is_of_launch(const struct current_access *current, const struct past_access *past)
{
    return current->owner || past->launch == current->sanitizer->launch.count - 1;
}

/* Returns whether lanes of the warp have met since `stamp` so that what lane `from` did happens
 * before what `to` does. */
static bool lanes_ordered(const struct sanitizer_warp *warp, uint32_t from, uint64_t stamp,
                          uint32_t to)
{
    if (from == to || stamp < warp->lanes_synced)
        return true;
    uint32_t reached = UINT32_C(1) << from;
    const uint32_t first = warp->lane_syncs > LANE_SYNCS ? warp->lane_syncs - LANE_SYNCS : 0;
    for (uint32_t i = first; i < warp->lane_syncs; i++) {
        const struct lane_sync *sync = &warp->lane_sync[i % LANE_SYNCS];
        if (first && i == first && stamp < sync->time)
            return true; /* older meetings are not known any more */
        if (sync->time > stamp && sync->lanes & reached)
            reached |= sync->lanes;
    }
    return reached >> to & 1;
}

/* Returns whether a copy beside the warps is complete, and happens before the access. */
static bool bulk_ordered(const struct current_access *current, const struct past_access *past)
{
    struct sanitizer_block *owner = current->owner;
    if (!owner || past->group >= owner->bulk.count)
        return true;
    const struct bulk_state *bulk = &((const struct bulk_state *)owner->bulk.data)[past->group];
    const uint32_t warp = current->warp->index;
    if (current->access->kind == PAST_BULK && current->access->group == past->group)
        return true;
    if (!bulk->done)
        return false;
    return current->warp->block != owner || bulk->waiter == warp ||
           block_order_acquired(&owner->order, bulk->object, bulk->started, warp) ||
           block_order_before(&owner->order, bulk->waiter, bulk->done, warp);
}

/* Returns since when the access has its effect: a copy when its warp has waited for it. Returns
 * false if it was not waited for. */
static bool complete_at(const struct sanitizer_block *block, const struct past_access *past,
                        uint64_t *stamp)
{
    *stamp = past->stamp;
    if (past->kind != PAST_COPIED)
        return true;
    const struct sanitizer_warp *warp = &block->warp[past->warp];
    if (past->group >= warp->groups_done)
        return false;
    if (warp->groups_done - past->group <= SANITIZER_GROUPS)
        *stamp = warp->group_done[past->group % SANITIZER_GROUPS];
    return true;
}

/* Of an access by another warp of the block, or by several. */
static bool warps_ordered(const struct current_access *current, const struct past_access *past,
                          uint64_t stamp)
{
    struct sanitizer_warp *warp = current->warp;
    if (past->warp == PAST_ANY_WARP)
        return stamp < warp->synced;
    return block_order_before(&warp->block->order, past->warp, stamp, warp->index);
}

static bool blocks_ordered(const struct current_access *current, const struct past_access *past)
{
    const struct sanitizer_warp *warp = current->warp;
    const struct grid_place place = {warp->block->index, warp->synced, warp->index};
    struct grid_order *order = &current->sanitizer->order;
    enum { FEW_STEPS = 1 << 8, STEPS = 1 << 14 }; /* whether two reads are ordered is no mistake */
    const bool conflict = past->writes || current->access->writes;
    if (past->block == PAST_ANY_BLOCK)
        return grid_order_has_acquired(order, place.block, past->stamp);
    return grid_order_before(order, past->block, past->warp, past->stamp, &place,
                             conflict ? STEPS : FEW_STEPS);
}

/* Returns whether both are strong or atomic, so that they may meet. `apart`: in different blocks.
 */
static bool both_strong(const struct current_access *current, const struct past_access *past,
                        bool apart)
{
    const uint8_t least = apart ? 2 : 1;
    return past->scope >= least && current->access->scope >= least;
}

/* Returns whether the access that `reference` stands for happens before the one that is looked at,
 * or does not conflict with it. */
static bool is_ordered(const struct current_access *current, uint32_t reference)
{
    const struct past_access *past = past_of(current->past, reference);
    const uint32_t lane = reference & (SANITIZER_LANES - 1);
    struct sanitizer_warp *warp = current->warp;
    if (!is_of_launch(current, past)) {
        const struct sanitizer_launch *launch = current->sanitizer->launch.data;
        return stream_order_before(&current->sanitizer->streams, launch[past->launch].operation,
                                   !warp || warp->block->waited);
    }
    if (!warp) /* a copy of the program, against itself */
        return true;
    const bool apart = past->block != warp->block->index;
    if (both_strong(current, past, apart))
        return true;
    if (past->kind == PAST_BULK)
        return bulk_ordered(current, past);
    if (apart)
        return blocks_ordered(current, past);
    uint64_t stamp;
    if (!complete_at(warp->block, past, &stamp))
        return current->access->kind == PAST_COPIED && past->warp == warp->index;
    if (past->warp != warp->index)
        return warps_ordered(current, past, stamp);
    if (reference & PAST_LANES && current->access->bytes < 4)
        return true; /* which lane has accessed which bytes of the word is not known */
    if (reference & PAST_LANES && lane == current->lane) /* and others, which are not known */
        return stamp < warp->lanes_synced || warp->lane_syncs ||
               reference >> PAST_SHIFT == current->record;
    return lanes_ordered(warp, lane, stamp, current->lane);
}

/* The bytes of the word that the lane accesses, as a mask. */
static uint32_t bytes_of(const struct current_access *current)
{
    const uint32_t bytes = current->access->bytes;
    return bytes >= 4 ? 15 : ((UINT32_C(1) << bytes) - 1) << (current->address & 3);
}

static uint32_t own_reference(const struct current_access *current)
{
    return past_reference(current->record, bytes_of(current), current->lane);
}

/* Returns whether the lane writes what memory holds already, or what the lane of `reference` writes
 * by the same instruction. */
static bool writes_same_value(const struct current_access *current, uint32_t reference)
{
    const struct sanitizer_access *access = current->access;
    if (!access->writes || !access->place || !access->value[current->word])
        return false;
    const uint32_t bytes = access->bytes < 4 ? access->bytes : 4;
    const uint32_t value = access->value[current->word][current->lane];
    if (reference >> PAST_SHIFT == current->record)
        return memcmp(&access->value[current->word][reference & (SANITIZER_LANES - 1)], &value,
                      bytes) == 0;
    return memcmp(access->place[current->lane] + (size_t)4 * current->word, &value, bytes) == 0;
}

/* What a race is about, for its message. */
enum { READ_AFTER_WRITE, WRITE_AFTER_READ, WRITE_AFTER_WRITE };

/* Returns whether one of the two is an allocation or a free in a stream. */
static bool is_about_memory(const struct current_access *current, const struct past_access *past)
{
    const struct sanitizer_launch *list = current->sanitizer->launch.data;
    const char *calls[2] = {list[past->launch].call,
                            list[current->sanitizer->launch.count - 1].call};
    bool about = false;
    for (size_t i = 0; i < 2; i++)
        about |= calls[i] && (strstr(calls[i], "Malloc") || strstr(calls[i], "Free"));
    return about;
}

static enum finding_kind kind_of(const struct current_access *current,
                                 const struct past_access *past, uint32_t reference, int how)
{
    if (!is_of_launch(current, past))
        return is_about_memory(current, past) ? FINDING_STREAM_ORDER : FINDING_RACE_STREAMS;
    if (past->kind == PAST_COPIED || past->kind == PAST_BULK)
        return FINDING_RACE_ASYNC;
    if ((how == WRITE_AFTER_READ && !past->scope && current->access->tolerant) ||
        (how == READ_AFTER_WRITE && !current->access->scope && past->tolerant))
        return FINDING_OLD_VALUE;
    if (how == WRITE_AFTER_WRITE && writes_same_value(current, reference))
        return FINDING_SAME_VALUE;
    return current->owner ? FINDING_RACE_SHARED : FINDING_RACE_GLOBAL;
}

/* The name of an access, for messages. */
static const char *access_name(bool writes, uint8_t kind)
{
    static const char *const plain[2] = {"read", "write"};
    switch (kind) {
    case PAST_ATOMIC:
        return "atomic operation";
    case PAST_COPIED:
        return "copy (cp.async)";
    case PAST_BULK:
        return "bulk copy";
    default:
        return plain[writes];
    }
}

void sanitizer_past_place(const struct sanitizer *sanitizer, const struct sanitizer_launch *launch,
                          const struct past_access *past, uint32_t reference,
                          struct finding_place *place)
{
    *place = (struct finding_place){.what = access_name(past->writes, past->kind),
                                    .launch = launch->number,
                                    .by.stack = launch->stack};
    if (launch->call) {
        (void)snprintf(place->kernel, sizeof place->kernel, "%s", launch->call);
        return;
    }
    sanitizer->place(launch->module, launch->kernel, past->at, place);
    if (past->block == PAST_ANY_BLOCK || past->warp == PAST_ANY_WARP)
        return;
    const uint32_t thread = past->warp * SANITIZER_LANES + (reference & (SANITIZER_LANES - 1));
    const uint32_t *block = launch->block, *grid = launch->grid;
    place->has_thread = true;
    place->thread[0] = thread % block[0];
    place->thread[1] = thread / block[0] % block[1];
    place->thread[2] = thread / block[0] / block[1];
    place->block[0] = (uint32_t)(past->block % grid[0]);
    place->block[1] = (uint32_t)(past->block / grid[0] % grid[1]);
    place->block[2] = (uint32_t)(past->block / grid[0] / grid[1]);
}

/* Returns whether the past access is known to be of another lane of the warp, but not of which. */
static bool is_unknown_lane(const struct current_access *current, const struct past_access *past,
                            uint32_t reference)
{
    return current->warp && is_of_launch(current, past) &&
           past->block == current->warp->block->index && past->warp == current->warp->index &&
           reference & PAST_LANES && (reference & (SANITIZER_LANES - 1)) == current->lane;
}

static void place_of_past(const struct current_access *current, const struct past_access *past,
                          uint32_t reference, struct finding_place *place)
{
    const struct sanitizer *sanitizer = current->sanitizer;
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const uint32_t launch = current->owner ? (uint32_t)sanitizer->launch.count - 1 : past->launch;
    sanitizer_past_place(sanitizer, &list[launch], past, reference, place);
    place->same_warp = is_unknown_lane(current, past, reference);
    place->has_thread = place->has_thread && !place->same_warp;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 31;
}

/* What identifies a race: its kind and the two instructions. */
static uint64_t race_key(const struct current_access *current, const struct past_access *past,
                         enum finding_kind kind, int how)
{
    const struct sanitizer_launch *list = current->sanitizer->launch.data;
    const struct sanitizer_launch *now = &list[current->sanitizer->launch.count - 1];
    const struct sanitizer_launch *then = current->owner ? now : &list[past->launch];
    uint64_t key = mix((uint64_t)kind * 4 + (unsigned)how + 1, (uintptr_t)now->kernel);
    key = mix(key, (uintptr_t)(then->kernel ? then->kernel : (const void *)then->call));
    return mix(key, (uint64_t)past->at << 32 | current->access->at);
}

/* Says what memory holds, and what the access writes there. */
static void describe_values(const struct current_access *current, char *text, size_t size)
{
    const struct sanitizer_access *access = current->access;
    uint32_t before = 0, after = 0;
    if (!access->place)
        return;
    const uint32_t bytes = access->bytes < 4 ? access->bytes : 4;
    memcpy(&before, access->place[current->lane] + (size_t)4 * current->word, bytes);
    if (!access->writes || !access->value[current->word]) {
        (void)snprintf(text, size, ", which holds 0x%x", before);
        return;
    }
    memcpy(&after, &access->value[current->word][current->lane], bytes);
    (void)snprintf(text, size, ", which holds 0x%x and gets 0x%x", before, after);
}

static void describe(const struct current_access *current, const struct past_access *past, int how,
                     struct finding *finding)
{
    static const char *const names[] = {"read after write", "write after read",
                                        "write after write"};
    const struct sanitizer_memory *memory =
        current->owner ? NULL : sanitizer_memory_at(current->sanitizer, current->address);
    char where[120];
    if (memory)
        (void)snprintf(where, sizeof where, "0x%llx, byte %llu of \"%s\"",
                       (unsigned long long)current->address,
                       (unsigned long long)(current->address - memory->address), memory->name);
    else
        (void)snprintf(where, sizeof where, "0x%llx", (unsigned long long)current->address);
    finding->memory.allocation.stack = memory ? memory->stack : 0;
    char values[80] = "";
    describe_values(current, values, sizeof values);
    const bool both_atomic = past->scope && current->access->scope;
    (void)snprintf(finding->message, sizeof finding->message, "%s (%s): %s%s%s",
                   finding_rows[finding->kind].title, names[how], where, values,
                   both_atomic ? ": both are atomic, but for the threads of a block only" : "");
}

static void report(const struct current_access *current, uint32_t reference, int how)
{
    const struct past_access *past = past_of(current->past, reference);
    how = how == WRITE_AFTER_READ && past->writes ? WRITE_AFTER_WRITE : how;
    struct findings *findings = &current->sanitizer->findings;
    struct finding finding = {.kind = kind_of(current, past, reference, how)};
    finding.key = race_key(current, past, finding.kind, how);
    if (findings_again(findings, finding.key))
        return;
    describe(current, past, how, &finding);
    if (current->warp)
        sanitizer_place_of(current->warp, current->access->at, current->lane,
                           access_name(current->access->writes, current->access->kind),
                           &finding.place[0]);
    else
        place_of_past(current, past_of(current->past, own_reference(current)),
                      own_reference(current), &finding.place[0]);
    place_of_past(current, past, reference, &finding.place[1]);
    const struct finding_place *one = &finding.place[0], *two = &finding.place[1];
    if (finding.kind == FINDING_OLD_VALUE && one->line && one->line == two->line &&
        strcmp(one->file, two->file) == 0)
        findings_ignore(findings, finding.key); /* an atomic operation that is made of both */
    else
        findings_add(findings, &finding);
}

/* Returns whether the race of the two instructions was reported so often that it is not looked for
 * any more. */
static bool is_well_known(const struct current_access *current, uint32_t reference, int how)
{
    enum { OFTEN = 1000 };
    const struct past_access *past = past_of(current->past, reference);
    const enum finding_kind kind = kind_of(current, past, reference, how);
    const uint64_t key = race_key(current, past, kind, how);
    return findings_times(&current->sanitizer->findings, key) >= OFTEN;
}

/* Looks at one earlier access. */
static void look_back(const struct current_access *current, uint32_t reference, int how)
{
    if (!past_is_known(current->past, reference) || !(past_bytes(reference) & bytes_of(current)))
        return;
    if (current->sanitizer->findings.list.count && is_well_known(current, reference, how))
        return;
    if (!is_ordered(current, reference))
        report(current, reference, how);
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
    struct past_access past = *past_of(current->past, own_reference(current));
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
    const uint32_t own = own_reference(current);
    if (!past_is_known(current->past, before))
        return own;
    if (before >> PAST_SHIFT == current->record)
        return before == own ? own : own | PAST_LANES | past_bytes(before) << PAST_BYTES_SHIFT;
    const struct past_access *past = past_of(current->past, before);
    if (!is_of_launch(current, past) || is_ordered(current, before))
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

/* Returns what the program does with the word that the access loads. */
static enum sanitizer_use use_of(const struct current_access *current)
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

/* Returns whether a wide load takes a word along that the program may not need. */
static bool is_idle_word(struct current_access *current)
{
    const struct sanitizer_access *access = current->access;
    const uint32_t bit = UINT32_C(1) << current->word;
    if (!current->warp || access->bytes <= 4 || access->kind != PAST_PLAIN)
        return false;
    if (!(current->judged & bit)) {
        current->judged |= bit;
        current->idle |= use_of(current) < USE_COPIES ? bit : 0;
    }
    return current->idle & bit;
}

static void look_at_read(struct current_access *current, struct shadow_line *line, uint32_t word)
{
    const uint32_t own = own_reference(current);
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
    uint32_t own = own_reference(current);
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

/* Returns the line of an address. */
static struct shadow_spot spot_of(const struct current_access *current, uint64_t address)
{
    if (!current->owner)
        return shadow_at(current->sanitizer->shadow, address);
    const uint64_t line = address / SHADOW_BYTES;
    if (line >= current->owner->lines)
        return (struct shadow_spot){NULL, NULL};
    return (struct shadow_spot){current->owner->shared + line,
                                current->owner->written + line * SHADOW_BITS};
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
    finding.key = mix(mix(finding.kind + 100, (uintptr_t)kernel), access->at);
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
    const struct shadow_spot spot = spot_of(current, first);
    return spot.written && !(spot.written[at / 32] & shadow_bits(at, bytes));
}

/*
 * Looks whether the bytes that are read were ever written. Where a part of them was, they may be a
 * structure with gaps that is copied: then only a word with which the program computes counts.
 */
static void look_at_unwritten(struct current_access *current, uint32_t *written)
{
    const uint32_t at = current->address % SHADOW_BYTES, left = current->access->bytes;
    const uint32_t bits = shadow_bits(at, left < 4 ? left : 4);
    if ((written[at / 32] & bits) == bits)
        return;
    if (current->owner || sanitizer_memory_at(current->sanitizer, current->address)) {
        const enum sanitizer_use use = use_of(current);
        const enum sanitizer_use least = left > 4 ? USE_COPIES : USE_MAYBE;
        if (use == USE_COMPUTES || (use >= least && all_unwritten(current)))
            report_unwritten(current);
    }
    written[at / 32] |= bits;
}

static void look_at_word(struct current_access *current)
{
    const struct shadow_spot spot = spot_of(current, current->address);
    if (!spot.line)
        return;
    const uint32_t at = current->address % SHADOW_BYTES, word = at / 4;
    const uint32_t left = current->access->bytes;
    if (current->access->reads)
        look_at_unwritten(current, spot.written);
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
    const struct shadow_spot spot = spot_of(current, first);
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
            line->write[word] = own_reference(&current);
            line->read[word] = 0;
        } else {
            line->read[word] = own_reference(&current);
        }
    }
}
