/*
 * MODEL: global memory as several SMs see it. Stores, reductions, atomics and strong loads of a
 * window of cycles are executed when it ends, in the order of (cycle of issue, SM, program order);
 * stores count as issued l2.store_effect later, but not after accesses of their SM to their bytes.
 * Weak loads find what memory held at the beginning of the window, and the SM's own stores. A weak
 * load of bytes that an atomic operation of its SM has yet to change is executed behind it, and its
 * warp waits. Other answers of L2 take longer than a window, so no warp reads a register before its
 * value is there; the core checks that (check_values in sim/core/flight.c). Fences need no rule:
 * they take no less time than a store (store_effect in exec_grid.c).
 * SOURCE: own choice; windows are shorter than the way to L2 (docs/architecture.md). H200: a store
 * is seen 43 cycles later by SMs of the same partition of L2, 218 by others
 * (cuda/probe/partitions.cu); the mean of pairs of SMs: cuda/calib/signal.
 * LEFT OUT: partitions; stale lines of L1. Texture loads find none of the SM's own stores: what
 * they find of memory that their kernel writes is undefined (CUDA C++ Programming Guide).
 */
#include "exec/memory/pending.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "exec/control/fault.h"
#include "exec/memory/load_store.h"

enum { SECTOR = 32, FIRST_SECTORS = 1024, FIRST_BYTES = 1 << 16 };

void pending_free(struct pending *pending)
{
    buffer_free(&pending->stores.bytes);
    buffer_free(&pending->others.bytes);
    free(pending->sector);
    free(pending->used);
}

static uint64_t hash_of(const uint8_t *at)
{
    return (uintptr_t)at / SECTOR * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns the entry of the sector at `at`, or the free entry for it. */
static struct pending_sector *find(const struct pending *pending, const uint8_t *at)
{
    uint32_t i = (uint32_t)(hash_of(at) >> 40) & (pending->sectors - 1);
    while (pending->sector[i].at && pending->sector[i].at != at)
        i = (i + 1) & (pending->sectors - 1);
    return &pending->sector[i];
}

/* Returns the word of pending->seen that has the bit of the sector at `at`. */
static uint32_t seen_word(const uint8_t *at, uint64_t *bit)
{
    const uint64_t hash = hash_of(at);
    *bit = UINT64_C(1) << (hash >> 53 & 63);
    return (uint32_t)(hash >> 59); /* below PENDING_SEEN */
}

/* Returns the entry of the sector at `at`; NULL if there is none. */
static struct pending_sector *find_used(const struct pending *pending, const uint8_t *at)
{
    uint64_t bit;
    const uint32_t word = seen_word(at, &bit);
    struct pending_sector *sector = pending->seen[word] & bit ? find(pending, at) : NULL;
    return sector && sector->at ? sector : NULL;
}

static bool grow(struct pending *pending)
{
    struct pending old = *pending;
    uint32_t sectors = old.sectors ? 2 * old.sectors : FIRST_SECTORS;
    pending->sector = calloc(sectors, sizeof *pending->sector);
    pending->used = calloc(sectors, sizeof *pending->used);
    if (!pending->sector || !pending->used) {
        free(pending->sector);
        free(pending->used);
        pending->sector = old.sector;
        pending->used = old.used;
        return false;
    }
    pending->sectors = sectors;
    for (uint32_t i = 0; i < old.used_count; i++) {
        struct pending_sector *to = find(pending, old.sector[old.used[i]].at);
        *to = old.sector[old.used[i]];
        pending->used[i] = (uint32_t)(to - pending->sector);
    }
    free(old.sector);
    free(old.used);
    return true;
}

bool pending_init(struct pending *pending)
{
    return grow(pending) && buffer_reserve(&pending->stores.bytes, FIRST_BYTES) != NULL &&
           buffer_reserve(&pending->others.bytes, FIRST_BYTES) != NULL;
}

/* Returns the entry of the sector at `at`, a new one if there is none; NULL: out of memory. */
static struct pending_sector *take_sector(struct pending *pending, uint8_t *at)
{
    if (2 * pending->used_count >= pending->sectors && !grow(pending))
        return NULL;
    struct pending_sector *sector = find(pending, at);
    if (!sector->at) {
        sector->at = at;
        sector->mask = sector->late = 0;
        uint64_t bit;
        const uint32_t word = seen_word(at, &bit);
        pending->seen[word] |= bit;
        pending->used[pending->used_count++] = (uint32_t)(sector - pending->sector);
    }
    return sector;
}

static uint8_t *sector_of(uint8_t *place)
{
    return place - (uintptr_t)place % SECTOR;
}

/* Returns the mask of `count` bytes at `place` in the sector at `at`. */
static uint32_t mask_of(const uint8_t *at, const uint8_t *place, uint32_t count)
{
    return (uint32_t)((UINT64_C(1) << count) - 1) << (place - at);
}

static void forget_read(struct pending_log *log)
{
    const size_t left = log->bytes.size - log->read;
    if (left)
        memmove(log->bytes.data, log->bytes.data + log->read, left);
    log->bytes.size = left;
    log->read = 0;
}

/* Adds an entry with room for `bytes`. Returns the content, or NULL: out of memory. */
static uint8_t *add(struct exec_grid *grid, struct pending_entry entry, size_t bytes)
{
    struct pending *pending = grid->pending;
    const bool store = entry.kind == PENDING_STORE;
    struct byte_buffer *log = store ? &pending->stores.bytes : &pending->others.bytes;
    entry.cycle = grid->cycle + (store ? grid->store_effect : 0);
    entry.number = ++pending->number;
    entry.bytes = (uint32_t)((bytes + 7) / 8 * 8);
    uint8_t *to = buffer_reserve(log, sizeof entry + entry.bytes);
    if (!to) {
        exec_stop(grid, SIMSM_FAILED, "out of memory for accesses to global memory");
        return NULL;
    }
    log->size += sizeof entry + entry.bytes;
    memcpy(to, &entry, sizeof entry);
    return to + sizeof entry;
}

/* The SM sees the bytes of one lane from now on. */
static bool show(struct pending *pending, struct pending_sector **last, uint8_t *place,
                 const uint8_t *bytes, uint32_t count)
{
    uint8_t *at = sector_of(place);
    if (!*last || (*last)->at != at)
        *last = take_sector(pending, at);
    if (!*last)
        return false;
    memcpy((*last)->data + (place - at), bytes, count);
    (*last)->mask |= mask_of(at, place, count);
    return true;
}

void pending_store(struct exec_warp *warp, uint32_t data, uint32_t lanes,
                   uint8_t *const place[EXEC_LANES], uint32_t element, uint32_t words)
{
    struct exec_grid *grid = warp->block->grid;
    const uint32_t together = words == 4 ? 0xff : words == 2 ? 0xffff : UINT32_MAX;
    const size_t each = sizeof(uint8_t *) + (size_t)4 * words;
    struct pending_sector *last = NULL;
    if (!lanes)
        return;
    uint8_t *to = add(grid,
                      (struct pending_entry){.kind = PENDING_STORE,
                                             .lanes = lanes,
                                             .element = (uint8_t)element,
                                             .words = (uint8_t)words},
                      (size_t)__builtin_popcount(lanes) * each);
    for (uint32_t first = 0; to && first < EXEC_LANES; first += EXEC_LANES / words) {
        for (uint32_t left = lanes & together << first; left;) {
            unsigned lane = 31 - (unsigned)__builtin_clz(left);
            left ^= UINT32_C(1) << lane;
            memcpy(to, &place[lane], sizeof place[lane]);
            uint8_t *bytes = to + sizeof place[lane];
            for (uint32_t word = 0; word < words; word++) {
                memcpy(bytes + (size_t)4 * word, &exec_row(warp, data + word)[lane], 4);
            }
            if (!show(grid->pending, &last, place[lane], bytes, element * words)) {
                exec_stop(grid, SIMSM_FAILED, "out of memory for stores to global memory");
                return;
            }
            to += each;
        }
    }
}

/* Shows the stores again that have not taken effect. Returns false if memory runs out. */
static bool show_left(struct pending *pending)
{
    const struct byte_buffer *log = &pending->stores.bytes;
    for (size_t at = 0; at < log->size;) {
        struct pending_entry entry;
        struct pending_sector *last = NULL;
        memcpy(&entry, log->data + at, sizeof entry);
        const uint8_t *from = log->data + at + sizeof entry;
        at += sizeof entry + entry.bytes;
        for (uint32_t left = entry.lanes; left; left &= left - 1) {
            uint8_t *place;
            memcpy(&place, from, sizeof place);
            from += sizeof place;
            if (!show(pending, &last, place, from, (uint32_t)entry.element * entry.words))
                return false;
            from += (size_t)4 * entry.words;
        }
    }
    return true;
}

bool pending_forget(struct pending *pending)
{
    forget_read(&pending->stores);
    forget_read(&pending->others);
    for (uint32_t i = 0; i < pending->used_count; i++)
        pending->sector[pending->used[i]].at = NULL;
    if (pending->used_count)
        memset(pending->seen, 0, sizeof pending->seen);
    pending->used_count = 0;
    pending->late = false;
    return show_left(pending);
}

void pending_merge(struct pending *pending, uint32_t lanes, uint32_t bytes,
                   uint8_t *place[EXEC_LANES])
{
    const struct pending_sector *last = NULL;
    const uint8_t *last_at = NULL;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        const uint8_t *at = sector_of(place[lane]);
        if (at != last_at) {
            last_at = at;
            last = find_used(pending, at);
        }
        if (!last)
            continue;
        uint32_t first = (uint32_t)(place[lane] - at);
        if (!(last->mask & mask_of(at, place[lane], bytes)))
            continue;
        for (uint32_t i = 0; i < bytes; i++)
            pending->merged[lane][i] =
                last->mask >> (first + i) & 1 ? last->data[first + i] : place[lane][i];
        place[lane] = pending->merged[lane];
    }
}

void pending_text(struct exec_grid *grid, enum pending_kind kind, const char *text, size_t size)
{
    uint8_t *to = add(grid, (struct pending_entry){.kind = (uint8_t)kind}, sizeof size + size);
    if (!to)
        return;
    memcpy(to, &size, sizeof size);
    memcpy(to + sizeof size, text, size);
}

/* Returns how many rows of 128 bytes the general registers of `range` fill. */
static uint32_t rows_of(const struct reg_range *range, unsigned count)
{
    uint32_t rows = 0;
    for (unsigned i = 0; i < count; i++)
        rows += range[i].first < REG_P0 ? range[i].count : 0;
    return rows;
}

/* Returns where `address` lies on the host; NULL: in no allocation. */
static uint8_t *host_of(struct exec_grid *grid, const struct exec_step *step, uint64_t address)
{
    struct device_span *span = &grid->span[step - grid->step];
    if (address - span->address >= span->size)
        *span = device_span(grid->memory, address);
    return span->size ? span->host + (address - span->address) : NULL;
}

bool pending_is_behind(struct exec_grid *grid, const struct exec_step *step, uint32_t lanes)
{
    for (; lanes; lanes &= lanes - 1) {
        const uint8_t *place = host_of(grid, step, grid->addresses.lane[__builtin_ctz(lanes)]);
        const uint8_t *at = place - (uintptr_t)place % SECTOR;
        const struct pending_sector *sector = find_used(grid->pending, at);
        if (place && sector && sector->late & mask_of(at, place, step->inst.mod[ACCESS_BYTES]))
            return true;
    }
    return false;
}

/* Returns whether the SM has stored to a sector that `lanes` access at grid->addresses. Marks the
 * bytes if the access may change them. */
static bool mark_late(struct exec_grid *grid, const struct exec_step *step, uint32_t lanes)
{
    struct pending *pending = grid->pending;
    const uint32_t *mod = step->inst.mod;
    struct pending_sector *last = NULL;
    bool stored = false;
    pending->late |= mod[ACCESS_WRITES] != 0;
    for (; lanes && (pending->used_count || mod[ACCESS_WRITES]); lanes &= lanes - 1) {
        uint8_t *place = host_of(grid, step, grid->addresses.lane[__builtin_ctz(lanes)]), *at;
        if (!place)
            continue;
        at = sector_of(place);
        if (!last || last->at != at)
            last = mod[ACCESS_WRITES] ? take_sector(pending, at) : find(pending, at);
        if (!last) {
            exec_stop(grid, SIMSM_FAILED, "out of memory for accesses to global memory");
            return false;
        }
        stored |= last->at && last->mask;
        last->late |= mod[ACCESS_WRITES] ? mask_of(at, place, mod[ACCESS_BYTES]) : 0;
    }
    return stored;
}

/* Returns the bytes that an entry has for uniform registers; entries are aligned to 8 bytes. */
static size_t uniform_room(const struct exec_step *step)
{
    return (step->uniforms + 1u) / 2 * sizeof(uint64_t);
}

uint32_t pending_access(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes,
                        bool holds)
{
    const struct exec_warp *warp = slot->warp;
    struct exec_grid *grid = warp->block->grid;
    const struct inst *inst = &grid->lowered[step - grid->step];
    const size_t row = sizeof warp->r[0],
                 plain = sizeof warp->p + sizeof warp->up + uniform_room(step);
    uint8_t *to = add(grid,
                      (struct pending_entry){.kind = PENDING_ACCESS,
                                             .block = warp->block->serial,
                                             .slot = slot,
                                             .step = step,
                                             .lanes = lanes,
                                             .behind_stores = mark_late(grid, step, lanes),
                                             .holds = holds},
                      plain + rows_of(inst->source, inst->n_sources) * row);
    if (!to)
        return 0;
    memcpy(to, warp->p, sizeof warp->p);
    memcpy(to + sizeof warp->p, warp->up, sizeof warp->up);
    memcpy(to + sizeof warp->p + sizeof warp->up, &warp->ur[step->uniform],
           step->uniforms * sizeof warp->ur[0]);
    to += plain;
    for (unsigned i = 0; i < inst->n_sources; i++) {
        const struct reg_range *range = &inst->source[i];
        if (range->first >= REG_P0)
            continue;
        memcpy(to, warp->r[range->first], range->count * row);
        to += range->count * row;
    }
    return grid->pending->number;
}

uint32_t pending_copy(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    const struct exec_warp *warp = slot->warp;
    struct exec_grid *grid = warp->block->grid;
    uint8_t *to = add(grid,
                      (struct pending_entry){.kind = PENDING_COPY,
                                             .block = warp->block->serial,
                                             .slot = slot,
                                             .step = step,
                                             .lanes = lanes,
                                             .behind_stores = true},
                      sizeof warp->ur);
    if (to)
        memcpy(to, warp->ur, sizeof warp->ur);
    return grid->pending->number;
}

void pending_call(struct exec_slot *slot, const struct exec_step *step, uint32_t lanes)
{
    (void)add(slot->warp->block->grid,
              (struct pending_entry){.kind = PENDING_CALL,
                                     .block = slot->warp->block->serial,
                                     .slot = slot,
                                     .step = step,
                                     .lanes = lanes},
              0);
}

static const struct pending_entry *next_of(const struct pending_log *log)
{
    return log->read < log->bytes.size
               ? (const struct pending_entry *)(const void *)(log->bytes.data + log->read)
               : NULL;
}

/* Returns whether entry `a` takes effect before `b`; NULL: there is none. */
static bool is_before(const struct pending_entry *a, const struct pending_entry *b)
{
    if (!a || !b)
        return a != NULL;
    return a->cycle != b->cycle ? a->cycle < b->cycle : (int32_t)(a->number - b->number) < 0;
}

const struct pending_entry *pending_next(const struct pending *pending)
{
    const struct pending_entry *store = next_of(&pending->stores);
    const struct pending_entry *other = next_of(&pending->others);
    return is_before(store, other) ? store : other;
}

/* Writes what one lane stores. Returns whether memory has changed. */
static inline bool write_lane(uint8_t *place, const uint8_t *bytes, size_t size)
{
    const bool changed = memcmp(place, bytes, size) != 0;
    memcpy(place, bytes, size);
    return changed;
}

/* Returns whether memory has changed. Where a size is known to the compiler there is neither a call
 * nor a branch: misses of the processor's caches for several lanes overlap. */
static bool execute_store(const struct pending_entry *entry, const uint8_t *from)
{
    const size_t size = (size_t)entry->element * entry->words;
    bool changed = false;
    for (uint32_t left = entry->lanes; left; left &= left - 1) {
        uint8_t *place;
        memcpy(&place, from, sizeof place);
        const uint8_t *bytes = from + sizeof place;
        switch (size) {
        case 4:
            changed |= write_lane(place, bytes, 4);
            break;
        case 8:
            changed |= write_lane(place, bytes, 8);
            break;
        case 16:
            changed |= write_lane(place, bytes, 16);
            break;
        default:
            changed |= write_lane(place, bytes, size);
            break;
        }
        from += sizeof place + (size_t)4 * entry->words;
    }
    return changed;
}

/* Predicates are known when the access issues (access_in_exchange), and may have other values by
 * now. */
static void give_results(struct exec_warp *to, const struct exec_warp *from,
                         const struct inst *inst, uint32_t lanes)
{
    for (unsigned i = 0; i < inst->n_destinations; i++) {
        const struct reg_range *range = &inst->destination[i];
        if (range->first >= REG_P0)
            continue;
        for (uint32_t row = range->first; row < (uint32_t)range->first + range->count; row++)
            for (uint32_t left = lanes; left; left &= left - 1) {
                unsigned lane = (unsigned)__builtin_ctz(left);
                to->r[row][lane] = from->r[row][lane];
            }
    }
}

static void execute_access(struct exec_grid *grid, const struct pending_entry *entry,
                           const uint8_t *from, struct exec_warp *room)
{
    struct exec_warp *warp = entry->slot->warp;
    const struct inst *inst = &grid->lowered[entry->step - grid->step];
    grid->copying = entry->slot;
    grid->copy_number = entry->number;
    room->block = warp->block;
    room->index = warp->index;
    memcpy(room->p, from, sizeof room->p);
    from += sizeof room->p;
    memcpy(room->up, from, sizeof room->up);
    from += sizeof room->up;
    memcpy(&room->ur[entry->step->uniform], from, entry->step->uniforms * sizeof room->ur[0]);
    from += uniform_room(entry->step);
    for (unsigned i = 0; i < inst->n_sources; i++) {
        const struct reg_range *range = &inst->source[i];
        if (range->first >= REG_P0)
            continue;
        memcpy(room->r[range->first], from, range->count * sizeof room->r[0]);
        from += range->count * sizeof room->r[0];
    }
    entry->step->inst.run(room, &entry->step->inst, entry->lanes);
    if (warp->block->serial == entry->block)
        give_results(warp, room, inst, entry->lanes);
}

/* The shared memory of a block that has ended without waiting may serve another block. */
static void execute_copy(struct exec_grid *grid, const struct pending_entry *entry,
                         const uint8_t *from, struct exec_warp *room)
{
    struct exec_warp *warp = entry->slot->warp;
    if (warp->block->serial != entry->block)
        return;
    room->block = warp->block;
    room->index = warp->index;
    memcpy(room->ur, from, sizeof room->ur);
    grid->copying = entry->slot;
    grid->copy_number = entry->number;
    entry->step->inst.run(room, &entry->step->inst, entry->lanes);
}

static void execute_next_store(struct exec_grid *grid)
{
    struct pending_log *log = &grid->pending->stores;
    const struct pending_entry entry = *next_of(log);
    grid->changes += execute_store(&entry, log->bytes.data + log->read + sizeof entry);
    log->read += sizeof entry + entry.bytes;
}

/* Executes the stores that the SM has issued before entry `number`. */
static void execute_stores_before(struct exec_grid *grid, uint32_t number)
{
    const struct pending_entry *store;
    while ((store = next_of(&grid->pending->stores)) && (int32_t)(store->number - number) < 0)
        execute_next_store(grid);
}

void pending_execute_stores(struct exec_grid *grid, uint64_t cycle)
{
    const struct pending_entry *store;
    while ((store = next_of(&grid->pending->stores)) && store->cycle <= cycle + grid->store_effect)
        execute_next_store(grid);
}

static void hold_longer(struct pending *pending, struct exec_slot *slot, uint64_t until)
{
    slot->holding = true;
    slot->held_until = until;
    slot->next_held = pending->held;
    pending->held = slot;
}

bool pending_let_go(struct pending *pending, uint64_t cycle)
{
    bool any = false;
    for (struct exec_slot **at = &pending->held; *at;) {
        struct exec_slot *slot = *at;
        if (slot->held_until >= cycle) {
            at = &slot->next_held;
            continue;
        }
        slot->holding = false;
        *at = slot->next_held;
        any = true;
    }
    return any;
}

void pending_execute(struct exec_grid *grid, struct exec_warp *room)
{
    struct pending *pending = grid->pending;
    struct pending_entry entry = *pending_next(pending);
    const uint8_t *content;
    size_t size;
    if (entry.kind == PENDING_STORE) {
        execute_next_store(grid);
        return;
    }
    if (entry.behind_stores)
        execute_stores_before(grid, entry.number);
    content = pending->others.bytes.data + pending->others.read + sizeof entry;
    pending->others.read += sizeof entry + entry.bytes;
    pending->hidden = true;
    const uint64_t now = grid->cycle;
    grid->cycle = entry.cycle;
    switch ((enum pending_kind)entry.kind) {
    case PENDING_STORE: /* above */
        break;
    case PENDING_ACCESS:
        entry.slot->holding &= !entry.holds;
        execute_access(grid, &entry, content, room);
        break;
    case PENDING_COPY:
        execute_copy(grid, &entry, content, room);
        break;
    case PENDING_CALL:
        entry.slot->holding = false;
        pending->took = 0;
        entry.step->control(entry.slot->warp->block, entry.slot, entry.step, entry.lanes);
        if (pending->took)
            hold_longer(pending, entry.slot, entry.cycle + pending->took);
        break;
    case PENDING_PRINT:
    case PENDING_WARNING:
        memcpy(&size, content, sizeof size);
        content += sizeof size;
        if (entry.kind == PENDING_PRINT)
            grid->own.print(grid->own.print_context, (const char *)content, size);
        else
            grid->own.tolerate(grid->own.tolerate_context, (const char *)content);
        break;
    }
    grid->cycle = now;
    pending->hidden = false;
}
