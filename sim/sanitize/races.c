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
struct visit {
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

static bool is_of_launch(const struct visit *visit, const struct past_access *past)
{
    return visit->owner || past->launch == visit->sanitizer->launch.count - 1;
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
static bool bulk_ordered(const struct visit *visit, const struct past_access *past)
{
    struct sanitizer_block *owner = visit->owner;
    if (!owner || past->group >= owner->bulk.count)
        return true;
    const struct bulk_state *bulk = &((const struct bulk_state *)owner->bulk.data)[past->group];
    const uint32_t warp = visit->warp->index;
    if (visit->access->kind == PAST_BULK && visit->access->group == past->group)
        return true;
    if (!bulk->done)
        return false;
    return visit->warp->block != owner || bulk->waiter == warp ||
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
static bool warps_ordered(const struct visit *visit, const struct past_access *past, uint64_t stamp)
{
    struct sanitizer_warp *warp = visit->warp;
    if (past->warp == PAST_ANY_WARP)
        return stamp < warp->synced;
    return block_order_before(&warp->block->order, past->warp, stamp, warp->index);
}

static bool blocks_ordered(const struct visit *visit, const struct past_access *past)
{
    const struct sanitizer_warp *warp = visit->warp;
    const struct grid_place place = {warp->block->index, warp->synced, warp->index};
    struct grid_order *order = &visit->sanitizer->order;
    enum { FEW_STEPS = 1 << 8, STEPS = 1 << 14 }; /* whether two reads are ordered is no mistake */
    const bool conflict = past->writes || visit->access->writes;
    if (past->block == PAST_ANY_BLOCK)
        return grid_order_has_acquired(order, place.block, past->stamp);
    return grid_order_before(order, past->block, past->warp, past->stamp, &place,
                             conflict ? STEPS : FEW_STEPS);
}

/* Returns whether both are strong or atomic, so that they may meet. `apart`: in different blocks.
 */
static bool both_strong(const struct visit *visit, const struct past_access *past, bool apart)
{
    const uint8_t least = apart ? 2 : 1;
    return past->scope >= least && visit->access->scope >= least;
}

/* Returns whether the access that `reference` stands for happens before the one that is looked at,
 * or does not conflict with it. */
static bool is_ordered(const struct visit *visit, uint32_t reference)
{
    const struct past_access *past = past_of(visit->past, reference);
    const uint32_t lane = reference & (SANITIZER_LANES - 1);
    struct sanitizer_warp *warp = visit->warp;
    if (!is_of_launch(visit, past)) {
        const struct sanitizer_launch *launch = visit->sanitizer->launch.data;
        return stream_order_before(&visit->sanitizer->streams, launch[past->launch].operation,
                                   !warp || warp->block->waited);
    }
    if (!warp) /* a copy of the program, against itself */
        return true;
    const bool apart = past->block != warp->block->index;
    if (both_strong(visit, past, apart))
        return true;
    if (past->kind == PAST_BULK)
        return bulk_ordered(visit, past);
    if (apart)
        return blocks_ordered(visit, past);
    uint64_t stamp;
    if (!complete_at(warp->block, past, &stamp))
        return visit->access->kind == PAST_COPIED && past->warp == warp->index;
    if (past->warp != warp->index)
        return warps_ordered(visit, past, stamp);
    if (reference & PAST_LANES && visit->access->bytes < 4)
        return true; /* which lane has accessed which bytes of the word is not known */
    if (reference & PAST_LANES && lane == visit->lane) /* and others, which are not known */
        return stamp < warp->lanes_synced || warp->lane_syncs ||
               reference >> PAST_SHIFT == visit->record;
    return lanes_ordered(warp, lane, stamp, visit->lane);
}

/* The bytes of the word that the lane accesses, as a mask. */
static uint32_t bytes_of(const struct visit *visit)
{
    const uint32_t bytes = visit->access->bytes;
    return bytes >= 4 ? 15 : ((UINT32_C(1) << bytes) - 1) << (visit->address & 3);
}

static uint32_t own_reference(const struct visit *visit)
{
    return past_reference(visit->record, bytes_of(visit), visit->lane);
}

/* Returns whether the lane writes what memory holds already, or what the lane of `reference` writes
 * by the same instruction. */
static bool writes_same_value(const struct visit *visit, uint32_t reference)
{
    const struct sanitizer_access *access = visit->access;
    if (!access->writes || !access->place || !access->value[visit->word])
        return false;
    const uint32_t bytes = access->bytes < 4 ? access->bytes : 4;
    const uint32_t value = access->value[visit->word][visit->lane];
    if (reference >> PAST_SHIFT == visit->record)
        return memcmp(&access->value[visit->word][reference & (SANITIZER_LANES - 1)], &value,
                      bytes) == 0;
    return memcmp(access->place[visit->lane] + (size_t)4 * visit->word, &value, bytes) == 0;
}

/* What a race is about, for its message. */
enum { READ_AFTER_WRITE, WRITE_AFTER_READ, WRITE_AFTER_WRITE };

/* Returns whether one of the two is an allocation or a free in a stream. */
static bool is_about_memory(const struct visit *visit, const struct past_access *past)
{
    const struct sanitizer_launch *list = visit->sanitizer->launch.data;
    const char *calls[2] = {list[past->launch].call, list[visit->sanitizer->launch.count - 1].call};
    bool about = false;
    for (size_t i = 0; i < 2; i++)
        about |= calls[i] && (strstr(calls[i], "Malloc") || strstr(calls[i], "Free"));
    return about;
}

static enum finding_kind kind_of(const struct visit *visit, const struct past_access *past,
                                 uint32_t reference, int how)
{
    if (!is_of_launch(visit, past))
        return is_about_memory(visit, past) ? FINDING_STREAM_ORDER : FINDING_RACE_STREAMS;
    if (past->kind == PAST_COPIED || past->kind == PAST_BULK)
        return FINDING_RACE_ASYNC;
    if ((how == WRITE_AFTER_READ && !past->scope && visit->access->tolerant) ||
        (how == READ_AFTER_WRITE && !visit->access->scope && past->tolerant))
        return FINDING_OLD_VALUE;
    if (how == WRITE_AFTER_WRITE && writes_same_value(visit, reference))
        return FINDING_SAME_VALUE;
    return visit->owner ? FINDING_RACE_SHARED : FINDING_RACE_GLOBAL;
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

static void place_of_past(const struct visit *visit, const struct past_access *past,
                          uint32_t reference, struct finding_place *place)
{
    const struct sanitizer *sanitizer = visit->sanitizer;
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const uint32_t launch = visit->owner ? (uint32_t)sanitizer->launch.count - 1 : past->launch;
    sanitizer_past_place(sanitizer, &list[launch], past, reference, place);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 31;
}

/* What identifies a race: its kind and the two instructions. */
static uint64_t race_key(const struct visit *visit, const struct past_access *past,
                         enum finding_kind kind, int how)
{
    const struct sanitizer_launch *list = visit->sanitizer->launch.data;
    const struct sanitizer_launch *now = &list[visit->sanitizer->launch.count - 1];
    const struct sanitizer_launch *then = visit->owner ? now : &list[past->launch];
    uint64_t key = mix((uint64_t)kind * 4 + (unsigned)how + 1, (uintptr_t)now->kernel);
    key = mix(key, (uintptr_t)(then->kernel ? then->kernel : (const void *)then->call));
    return mix(key, (uint64_t)past->at << 32 | visit->access->at);
}

/* Says what memory holds, and what the access writes there. */
static void describe_values(const struct visit *visit, char *text, size_t size)
{
    const struct sanitizer_access *access = visit->access;
    uint32_t before = 0, after = 0;
    if (!access->place)
        return;
    const uint32_t bytes = access->bytes < 4 ? access->bytes : 4;
    memcpy(&before, access->place[visit->lane] + (size_t)4 * visit->word, bytes);
    if (!access->writes || !access->value[visit->word]) {
        (void)snprintf(text, size, ", which holds 0x%x", before);
        return;
    }
    memcpy(&after, &access->value[visit->word][visit->lane], bytes);
    (void)snprintf(text, size, ", which holds 0x%x and gets 0x%x", before, after);
}

static void describe(const struct visit *visit, const struct past_access *past, int how,
                     struct finding *finding)
{
    static const char *const names[] = {"read after write", "write after read",
                                        "write after write"};
    const struct sanitizer_memory *memory =
        visit->owner ? NULL : sanitizer_memory_at(visit->sanitizer, visit->address);
    char where[120];
    if (memory)
        (void)snprintf(where, sizeof where, "0x%llx, byte %llu of \"%s\"",
                       (unsigned long long)visit->address,
                       (unsigned long long)(visit->address - memory->address), memory->name);
    else
        (void)snprintf(where, sizeof where, "0x%llx", (unsigned long long)visit->address);
    finding->memory.allocation.stack = memory ? memory->stack : 0;
    char values[80] = "";
    describe_values(visit, values, sizeof values);
    const bool both_atomic = past->scope && visit->access->scope;
    (void)snprintf(finding->message, sizeof finding->message, "%s (%s): %s%s%s",
                   finding_rows[finding->kind].title, names[how], where, values,
                   both_atomic ? ": both are atomic, but for the threads of a block only" : "");
}

static void report(const struct visit *visit, uint32_t reference, int how)
{
    const struct past_access *past = past_of(visit->past, reference);
    how = how == WRITE_AFTER_READ && past->writes ? WRITE_AFTER_WRITE : how;
    struct findings *findings = &visit->sanitizer->findings;
    struct finding finding = {.kind = kind_of(visit, past, reference, how)};
    finding.key = race_key(visit, past, finding.kind, how);
    if (findings_again(findings, finding.key))
        return;
    describe(visit, past, how, &finding);
    if (visit->warp)
        sanitizer_place_of(visit->warp, visit->access->at, visit->lane,
                           access_name(visit->access->writes, visit->access->kind),
                           &finding.place[0]);
    else
        place_of_past(visit, past_of(visit->past, own_reference(visit)), own_reference(visit),
                      &finding.place[0]);
    place_of_past(visit, past, reference, &finding.place[1]);
    const struct finding_place *one = &finding.place[0], *two = &finding.place[1];
    if (finding.kind == FINDING_OLD_VALUE && one->line && one->line == two->line &&
        strcmp(one->file, two->file) == 0)
        findings_ignore(findings, finding.key); /* an atomic operation that is made of both */
    else
        findings_add(findings, &finding);
}

/* Returns whether the race of the two instructions was reported so often that it is not looked for
 * any more. */
static bool is_well_known(const struct visit *visit, uint32_t reference, int how)
{
    enum { OFTEN = 1000 };
    const struct past_access *past = past_of(visit->past, reference);
    const enum finding_kind kind = kind_of(visit, past, reference, how);
    const uint64_t key = race_key(visit, past, kind, how);
    return findings_times(&visit->sanitizer->findings, key) >= OFTEN;
}

/* Looks at one earlier access. */
static void look_back(const struct visit *visit, uint32_t reference, int how)
{
    if (!past_is_known(visit->past, reference) || !(past_bytes(reference) & bytes_of(visit)))
        return;
    if (visit->sanitizer->findings.list.count && is_well_known(visit, reference, how))
        return;
    if (!is_ordered(visit, reference))
        report(visit, reference, how);
}

/* Returns a record of reads by several warps of the block (`blocks`: by several blocks) at the
 * instruction of the access. */
static uint32_t several(struct visit *visit, bool blocks)
{
    struct sanitizer *sanitizer = visit->sanitizer;
    const uint32_t at = visit->access->at;
    if (blocks && sanitizer->any_record && sanitizer->any_at == at &&
        sanitizer->any_stamp == sanitizer->time && sanitizer->any_record >= visit->past->base)
        return sanitizer->any_record;
    struct past_access past = *past_of(visit->past, own_reference(visit));
    past.warp = PAST_ANY_WARP;
    past.block = blocks ? PAST_ANY_BLOCK : past.block;
    past.stamp = sanitizer->time;
    const uint32_t record = past_add(visit->past, &past);
    if (blocks) {
        sanitizer->any_record = record;
        sanitizer->any_at = at;
        sanitizer->any_stamp = sanitizer->time;
    }
    return record ? record : visit->record;
}

/* Returns the reference that remembers this read beside the earlier one. */
static uint32_t join_reads(struct visit *visit, uint32_t before)
{
    const uint32_t own = own_reference(visit);
    if (!past_is_known(visit->past, before))
        return own;
    if (before >> PAST_SHIFT == visit->record)
        return before == own ? own : own | PAST_LANES | past_bytes(before) << PAST_BYTES_SHIFT;
    const struct past_access *past = past_of(visit->past, before);
    if (!is_of_launch(visit, past) || is_ordered(visit, before))
        return own;
    const bool blocks = past->block != visit->warp->block->index;
    if (blocks && past->block == PAST_ANY_BLOCK && past->stamp == visit->sanitizer->time)
        return before;
    if (!blocks && past->warp == PAST_ANY_WARP && past->stamp == visit->sanitizer->time)
        return before;
    if (!blocks && past->warp == visit->warp->index)
        return own | PAST_LANES;
    return past_reference(several(visit, blocks), 15, 0);
}

/* Returns what the program does with the word that the access loads. */
static enum sanitizer_use use_of(const struct visit *visit)
{
    struct sanitizer *sanitizer = visit->sanitizer;
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const struct sanitizer_launch *launch = &list[sanitizer->launch.count - 1];
    uint64_t *known = key_map_put(&sanitizer->used, (uintptr_t)launch->kernel,
                                  (uint64_t)visit->access->at * 4 + visit->word);
    if (!known)
        return USE_NONE;
    if (!*known)
        *known = 1 + (uint64_t)sanitizer->uses(launch->module, launch->kernel, visit->access->at,
                                               visit->word);
    return (enum sanitizer_use)(*known - 1);
}

/* Returns whether a wide load takes a word along that the program may not need. */
static bool is_idle_word(struct visit *visit)
{
    const struct sanitizer_access *access = visit->access;
    const uint32_t bit = UINT32_C(1) << visit->word;
    if (!visit->warp || access->bytes <= 4 || access->kind != PAST_PLAIN)
        return false;
    if (!(visit->judged & bit)) {
        visit->judged |= bit;
        visit->idle |= use_of(visit) < USE_COPIES ? bit : 0;
    }
    return visit->idle & bit;
}

static void look_at_read(struct visit *visit, struct shadow_line *line, uint32_t word)
{
    const uint32_t own = own_reference(visit);
    if (is_idle_word(visit))
        return;
    if (line->write[word] >> PAST_SHIFT != visit->record)
        look_back(visit, line->write[word], READ_AFTER_WRITE);
    if (line->read[word] != own)
        line->read[word] = join_reads(visit, line->read[word]);
}

/* Returns whether the access is known and a write that is not atomic. */
static bool is_plain_write(const struct visit *visit, uint32_t reference)
{
    if (!past_is_known(visit->past, reference))
        return false;
    const struct past_access *past = past_of(visit->past, reference);
    return past->writes && !past->scope;
}

static void look_at_write(struct visit *visit, struct shadow_line *line, uint32_t word)
{
    uint32_t own = own_reference(visit);
    const uint32_t before = line->write[word];
    const bool same = before >> PAST_SHIFT == visit->record;
    if (!same || (before & (SANITIZER_LANES - 1)) != visit->lane)
        look_back(visit, before, WRITE_AFTER_WRITE);
    if (line->read[word] && line->read[word] >> PAST_SHIFT != visit->record)
        look_back(visit, line->read[word], WRITE_AFTER_READ);
    if (same && before != own) /* neighbouring bytes, or the same ones, by lanes of one store */
        own |= PAST_LANES | past_bytes(before) << PAST_BYTES_SHIFT;
    line->write[word] = own;
    if (visit->access->kind != PAST_ATOMIC)
        line->read[word] = 0;
    else if (!line->read[word] && is_plain_write(visit, before))
        line->read[word] = before; /* other blocks' atomics still race with it */
}

/* Returns the record of the access: of the warp at this instruction since it was last ordered. */
static uint32_t record_of(struct visit *visit)
{
    struct sanitizer_warp *warp = visit->warp;
    const struct sanitizer_access *access = visit->access;
    struct sanitizer_record *kept = visit->owner ? warp->shared : warp->global;
    kept += access->at % SANITIZER_RECORDS;
    const bool own = !visit->owner || visit->owner == warp->block;
    if (own && kept->generation == visit->past->generation && kept->number >= visit->past->base &&
        kept->at == access->at && kept->interval == warp->interval && access->kind != PAST_BULK)
        return kept->number;
    const struct past_access past = {.stamp = visit->sanitizer->time,
                                     .block = warp->block->index,
                                     .launch = (uint32_t)visit->sanitizer->launch.count - 1,
                                     .at = access->at,
                                     .group =
                                         access->kind == PAST_COPIED ? warp->group : access->group,
                                     .warp = (uint16_t)warp->index,
                                     .kind = access->kind,
                                     .scope = access->scope,
                                     .writes = access->writes,
                                     .tolerant = access->tolerant};
    const uint32_t number = past_add(visit->past, &past);
    if (own)
        *kept =
            (struct sanitizer_record){access->at, warp->interval, number, visit->past->generation};
    return number;
}

static void make_room(struct visit *visit)
{
    if (!past_is_full(visit->past))
        return;
    if (visit->owner)
        memset(visit->owner->shared, 0, visit->owner->lines * sizeof *visit->owner->shared);
    else
        shadow_forget_accesses(visit->sanitizer->shadow);
    past_begin(visit->past);
    visit->sanitizer->any_record = 0;
}

/* Returns the line of an address. */
static struct shadow_spot spot_of(const struct visit *visit, uint64_t address)
{
    if (!visit->owner)
        return shadow_at(visit->sanitizer->shadow, address);
    const uint64_t line = address / SHADOW_BYTES;
    if (line >= visit->owner->lines)
        return (struct shadow_spot){NULL, NULL};
    return (struct shadow_spot){visit->owner->shared + line,
                                visit->owner->written + line * SHADOW_BITS};
}

/* Reports that no byte of a word was ever written. */
static void report_unwritten(const struct visit *visit)
{
    const struct sanitizer_access *access = visit->access;
    const struct sanitizer_memory *memory = sanitizer_memory_at(visit->sanitizer, visit->address);
    struct finding finding = {.kind = visit->owner ? FINDING_INIT_SHARED : FINDING_INIT_GLOBAL};
    const struct sanitizer_launch *list = visit->sanitizer->launch.data;
    const void *kernel = list[visit->sanitizer->launch.count - 1].kernel;
    finding.key = mix(mix(finding.kind + 100, (uintptr_t)kernel), access->at);
    if (findings_again(&visit->sanitizer->findings, finding.key))
        return;
    (void)snprintf(finding.message, sizeof finding.message, "%s: 0x%llx%s%s%s",
                   finding_rows[finding.kind].title, (unsigned long long)visit->address,
                   visit->owner || !memory ? "" : ", of \"",
                   visit->owner || !memory ? "" : memory->name,
                   visit->owner || !memory ? "" : "\"");
    sanitizer_place_of(visit->warp, access->at, visit->lane, "", &finding.place[0]);
    finding.memory.allocation.stack = visit->owner || !memory ? 0 : memory->stack;
    findings_add(&visit->sanitizer->findings, &finding);
}

/* Returns whether none of the bytes that the lane accesses was ever written. */
static bool all_unwritten(const struct visit *visit)
{
    const uint64_t first = visit->access->address[visit->lane];
    const uint32_t bytes = visit->access->bytes, at = first % SHADOW_BYTES;
    const struct shadow_spot spot = spot_of(visit, first);
    return spot.written && !(spot.written[at / 32] & shadow_bits(at, bytes));
}

/*
 * Looks whether the bytes that are read were ever written. Where a part of them was, they may be a
 * structure with gaps that is copied: then only a word with which the program computes counts.
 */
static void look_at_unwritten(struct visit *visit, uint32_t *written)
{
    const uint32_t at = visit->address % SHADOW_BYTES, left = visit->access->bytes;
    const uint32_t bits = shadow_bits(at, left < 4 ? left : 4);
    if ((written[at / 32] & bits) == bits)
        return;
    if (visit->owner || sanitizer_memory_at(visit->sanitizer, visit->address)) {
        const enum sanitizer_use use = use_of(visit);
        const enum sanitizer_use least = left > 4 ? USE_COPIES : USE_MAYBE;
        if (use == USE_COMPUTES || (use >= least && all_unwritten(visit)))
            report_unwritten(visit);
    }
    written[at / 32] |= bits;
}

static void look_at_word(struct visit *visit)
{
    const struct shadow_spot spot = spot_of(visit, visit->address);
    if (!spot.line)
        return;
    const uint32_t at = visit->address % SHADOW_BYTES, word = at / 4;
    const uint32_t left = visit->access->bytes;
    if (visit->access->reads)
        look_at_unwritten(visit, spot.written);
    if (visit->access->writes) {
        look_at_write(visit, spot.line, word);
        spot.written[at / 32] |= shadow_bits(at, left < 4 ? left : 4);
    } else {
        look_at_read(visit, spot.line, word);
    }
}

/* The fast path: all lanes access the words of one line in order, and every earlier access to the
 * line is ordered. Updates the line as look_at_word() does for each word. Returns false if the
 * words have to be looked at one by one. */
static bool look_at_line(struct visit *visit)
{
    const struct sanitizer_access *access = visit->access;
    const uint64_t first = access->address[0];
    uint64_t apart = access->lanes != UINT32_MAX || access->bytes != 4 || first % SHADOW_BYTES;
    for (uint32_t lane = 0; lane < SANITIZER_LANES; lane++)
        apart |= access->address[lane] - first - 4 * lane;
    if (apart)
        return false;
    const struct shadow_spot spot = spot_of(visit, first);
    struct shadow_line *line = spot.line;
    const uint32_t known = visit->past->base << PAST_SHIFT;
    uint32_t recent = 0, written = UINT32_MAX;
    if (!line)
        return false;
    for (uint32_t i = 0; i < SHADOW_WORDS; i++)
        recent |= (uint32_t)(line->write[i] >= known) | (uint32_t)(line->read[i] >= known);
    for (uint32_t i = 0; i < SHADOW_BITS; i++)
        written &= spot.written[i];
    if (recent || (access->reads && written != UINT32_MAX))
        return false;
    const uint32_t own = past_reference(visit->record, 15, 0);
    uint32_t *to = access->writes ? line->write : line->read;
    for (uint32_t i = 0; i < SHADOW_WORDS; i++)
        to[i] = own | i;
    if (access->writes) {
        memset(line->read, 0, sizeof line->read);
        memset(spot.written, 0xff, SHADOW_BITS * sizeof *spot.written);
    }
    return true;
}

static void look(struct visit *visit)
{
    const struct sanitizer_access *access = visit->access;
    const uint32_t words = access->bytes < 4 ? 1 : access->bytes / 4;
    make_room(visit);
    visit->record = record_of(visit);
    if (!visit->record || look_at_line(visit))
        return;
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        visit->lane = (uint32_t)__builtin_ctz(left);
        for (visit->word = 0; visit->word < words; visit->word++) {
            visit->address = access->address[visit->lane] + 4 * visit->word;
            look_at_word(visit);
        }
    }
}

void sanitizer_global(struct sanitizer_warp *warp, const struct sanitizer_access *access)
{
    struct sanitizer *sanitizer = warp->block->sanitizer;
    struct visit visit = {
        .sanitizer = sanitizer, .warp = warp, .access = access, .past = &sanitizer->past};
    look(&visit);
}

void sanitizer_shared(struct sanitizer_warp *warp, struct sanitizer_block *owner,
                      const struct sanitizer_access *access)
{
    struct visit visit = {.sanitizer = warp->block->sanitizer,
                          .warp = warp,
                          .owner = owner,
                          .access = access,
                          .past = &owner->past};
    warp->copying |= access->kind == PAST_COPIED;
    look(&visit);
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
    struct visit visit = {.sanitizer = sanitizer, .access = &access, .past = &sanitizer->past};
    make_room(&visit);
    visit.record = past_add(visit.past, &past);
    for (uint64_t at = address / 4 * 4; visit.record && at < address + bytes; at += 4) {
        struct shadow_line *line = shadow_at(sanitizer->shadow, at).line;
        visit.address = at;
        if (!line)
            return;
        const uint32_t word = at % SHADOW_BYTES / 4;
        look_back(&visit, line->write[word], writes ? WRITE_AFTER_WRITE : READ_AFTER_WRITE);
        if (writes) {
            look_back(&visit, line->read[word], WRITE_AFTER_READ);
            line->write[word] = own_reference(&visit);
            line->read[word] = 0;
        } else {
            line->read[word] = own_reference(&visit);
        }
    }
}
