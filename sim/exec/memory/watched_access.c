/*
 * MODEL: what kind of access each instruction makes: strong or weak, atomic, a copy.
 * SOURCE: PTX ISA, memory consistency model; nvcc's code for cuda::atomic_ref, volatile, cp.async.
 * LEFT OUT: textures and surfaces.
 */
#include "exec/memory/watched_access.h"

#include <stdarg.h>
#include <stdio.h>

#include "exec/control/cluster.h"
#include "exec/control/fault.h"
#include "exec/memory/atomic.h"
#include "exec/memory/load_store.h"

/* Returns 1 + enum inst_scope of a strong access, 0 of a weak one, by SASS_MOD_MEM. */
static uint8_t scope_of(const struct sass_inst *sass)
{
    static const uint8_t scopes[] = {[5] = 1, [7] = 2, [10] = 3, [12] = 3, [13] = 0};
    static const uint8_t scopes_75[] = {[8] = 1, 1, 2, 3, 1, 1, 2, 3};
    const uint32_t mem = sass_mod(sass, SASS_MOD_MEM);
    if (sass->sm == 75)
        return mem < sizeof scopes_75 ? scopes_75[mem] : 0;
    return mem < sizeof scopes ? scopes[mem] : 0;
}

/* Programs read a word plainly before a compare-and-swap, which checks what they have read; and
 * before a minimum or maximum that may be spared. */
static bool tolerates_old_values(uint32_t op)
{
    return op == ATOMIC_COMPARE_AND_SWAP || op == ATOMIC_COMPARE_AND_TEST || op == ATOMIC_MIN ||
           op == ATOMIC_MAX;
}

/* Fills what is known of the instruction. */
static struct sanitizer_access access_of(struct exec_warp *warp, const struct exec_inst *inst,
                                         uint32_t lanes, const uint64_t *address, bool writes)
{
    const struct sass_inst *sass = inst->sass;
    struct sanitizer_access access = {.at = sass->pc / 16,
                                      .lanes = lanes,
                                      .bytes = inst->mod[ACCESS_BYTES],
                                      .reads = !writes,
                                      .writes = writes,
                                      .address = address};
    switch (sass->op) {
    case SASS_OP_ST:
    case SASS_OP_STG:
    case SASS_OP_STS:
        for (uint32_t i = 0; i < 4 && 4 * i < access.bytes; i++)
            access.value[i] = exec_row(warp, inst->mod[ACCESS_DATA] + i);
        access.scope = sass->op == SASS_OP_STS ? 0 : scope_of(sass);
        break;
    case SASS_OP_LD:
    case SASS_OP_LDG:
        access.scope = scope_of(sass);
        break;
    case SASS_OP_ATOM:
    case SASS_OP_ATOMG:
    case SASS_OP_RED:
        access.kind = PAST_ATOMIC;
        access.scope = scope_of(sass);
        access.tolerant = tolerates_old_values(inst->mod[ACCESS_WHAT]);
        access.reads = access.writes = true;
        break;
    case SASS_OP_UBLKRED:
    case SASS_OP_UTMAREDG: /* reductions are relaxed, at device scope */
        access.kind = writes ? PAST_ATOMIC : PAST_PLAIN;
        access.scope = writes ? 2 : 0;
        break;
    case SASS_OP_ATOMS:
        access.tolerant = tolerates_old_values(inst->mod[ACCESS_WHAT]);
        access.kind = PAST_ATOMIC;
        access.scope = 3; /* other blocks of the cluster take part, too */
        access.reads = true;
        break;
    case SASS_OP_ATOMS_ARRIVE:
    case SASS_OP_SYNCS_ARRIVE:
    case SASS_OP_SYNCS_PHASECHK:
    case SASS_OP_ARRIVES:
        access.kind = PAST_ATOMIC;
        access.scope = 3; /* other blocks of the cluster take part, too */
        access.reads = true;
        break;
    default:
        break;
    }
    return access;
}

/* A strong write behind a fence releases what came before the fence. */
static void release(struct sanitizer_warp *warp, const struct sanitizer_access *access)
{
    struct sanitizer *sanitizer = warp->block->sanitizer;
    uint64_t last = 0;
    if (!warp->fenced[1] && !warp->block->fences)
        return;
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        const uint64_t object = access->address[__builtin_ctz(left)] / 4;
        if (object == last)
            continue;
        last = object;
        sanitizer_release(warp, object);
        if (access->scope < 2 || !(warp->fenced[2] || warp->block->fences))
            continue;
        const struct grid_event event = {.time = sanitizer->time,
                                         .object = object,
                                         .block = warp->block->index,
                                         .warp = warp->index,
                                         .fences = warp->block->fences,
                                         .own = warp->fenced[2],
                                         .shared = warp->fenced_synced[2]};
        grid_order_release(&sanitizer->order, &event);
    }
}

/* Notes strong reads: the next fence makes them acquires. */
static void note_reads(struct sanitizer_warp *warp, const struct sanitizer_access *access)
{
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        const uint64_t object = access->address[__builtin_ctz(left)] / 4;
        uint32_t at = 0;
        if (access->scope == 1) { /* an acquire at block scope is this load alone */
            sanitizer_acquire(warp, object);
            continue;
        }
        while (at < warp->reads && at < STRONG_READS && warp->read[at].object != object)
            at++;
        if (at == STRONG_READS)
            at = (uint32_t)(object % STRONG_READS);
        else if (at == warp->reads)
            warp->reads++;
        warp->read[at] =
            (struct strong_read){object, ++warp->block->sanitizer->time, access->scope};
    }
}

void watch_global(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                  const uint64_t address[EXEC_LANES], uint8_t *const place[EXEC_LANES])
{
    const bool stores = inst->mod[ACCESS_WRITES] && inst->sass->op != SASS_OP_LDGSTS;
    struct sanitizer_access access = access_of(warp, inst, lanes, address, stores);
    access.place = place;
    sanitizer_global(watch_warp(warp), &access);
    if (access.scope && access.writes)
        release(watch_warp(warp), &access);
    if (access.scope && access.reads)
        note_reads(watch_warp(warp), &access);
}

/* An atomic operation on shared memory may be a flag: releases behind a fence, and acquires. */
static void synchronise(struct sanitizer_warp *warp, const struct sanitizer_access *access)
{
    uint64_t last = UINT64_MAX;
    for (uint32_t left = access->lanes; left; left &= left - 1) {
        const uint64_t object = watch_flag_object(access->address[__builtin_ctz(left)]);
        if (object == last || !warp->block->fenced_shared)
            continue;
        last = object;
        if (warp->fenced[1])
            sanitizer_release(warp, object);
        sanitizer_acquire(warp, object);
    }
}

/* An mbarrier is made: once, for at least one arrival. */
static void make_mbarrier(struct exec_warp *warp, const struct exec_inst *inst, uint64_t *state)
{
    const uint32_t data = inst->mod[ACCESS_DATA], lane = 0;
    const uint32_t low = data == SASS_URZ ? 0 : warp->ur[data];
    if (*state == MBARRIER_LIVE)
        watch_report(warp, inst, lane, FINDING_MBARRIER,
                     "An mbarrier is initialised again, without mbarrier.inval");
    if (!(low >> 1 & 0xfffff))
        watch_report(warp, inst, lane, FINDING_MBARRIER,
                     "An mbarrier is initialised for 0 arrivals; it needs 1 to 1048575");
    *state = MBARRIER_LIVE;
}

/* Looks for misuse of the mbarriers of the block: where they are made and used, and where others
 * write over them. */
static void look_at_mbarriers(struct exec_warp *warp, const struct exec_inst *inst,
                              const struct sanitizer_access *access)
{
    struct key_map *states = &warp->block->watched->mbarriers;
    const uint32_t first = (uint32_t)__builtin_ctz(access->lanes);
    const uint16_t op = inst->sass->op;
    if (op == SASS_OP_SYNCS_EXCH) {
        uint64_t *state = key_map_put(states, access->address[first], 0);
        if (state)
            make_mbarrier(warp, inst, state);
        return;
    }
    const bool uses = op == SASS_OP_SYNCS_ARRIVE || op == SASS_OP_SYNCS_PHASECHK;
    for (uint32_t left = states->count && (uses || op == SASS_OP_STS) ? access->lanes : 0; left;
         left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t *state = key_map_find(states, access->address[lane] / 8 * 8, 0);
        if (uses && state && *state == MBARRIER_ENDED)
            watch_report(warp, inst, lane, FINDING_MBARRIER,
                         "An mbarrier is used behind mbarrier.inval");
        if (uses || !state || *state != MBARRIER_LIVE)
            continue;
        watch_report(warp, inst, lane, FINDING_MBARRIER,
                     "Data overwrite an mbarrier; mbarrier.inval ends its use first");
        *state = MBARRIER_ENDED;
    }
}

/* Notes what threads write, and looks whether a copy beside the warps reads it without a fence. */
static void look_at_proxies(struct exec_warp *warp, const struct exec_inst *inst,
                            const struct sanitizer_access *access)
{
    struct sanitizer_block *block = warp->block->watched;
    struct sanitizer_warp *own = &block->warp[warp->index];
    const bool stores = inst->sass->op == SASS_OP_STS || inst->sass->op == SASS_OP_STSM;
    const bool copies = inst->sass->op == SASS_OP_UBLKCP && !access->writes;
    for (uint32_t left = stores || copies ? access->lanes : 0; left; left &= left - 1) {
        const uint64_t first = access->address[__builtin_ctz(left)], end = first + access->bytes;
        for (uint32_t i = 0; i < block->warps && copies; i++)
            if (first < block->warp[i].unfenced_end && end > block->warp[i].unfenced_first)
                watch_report(warp, inst, 0, FINDING_PROXY,
                             "Bulk copy of shared memory at 0x%llx, which warp %u has written "
                             "without fence.proxy.async",
                             (unsigned long long)first, i);
        if (!stores)
            continue;
        const bool none = own->unfenced_end == 0;
        own->unfenced_first = none || first < own->unfenced_first ? first : own->unfenced_first;
        own->unfenced_end = end > own->unfenced_end ? end : own->unfenced_end;
        own->unfenced_since = block->sanitizer->time;
    }
}

void watch_shared(struct exec_warp *warp, const struct exec_inst *inst,
                  const struct exec_block *owner, uint32_t lanes,
                  const uint64_t address[EXEC_LANES], bool writes, uint8_t *const place[EXEC_LANES])
{
    struct sanitizer_access access = access_of(warp, inst, lanes, address, writes);
    access.place = place;
    if (owner == warp->block && warp->block->grid->sm >= 90) {
        look_at_mbarriers(warp, inst, &access);
        look_at_proxies(warp, inst, &access);
    }
    if (inst->sass->op == SASS_OP_SYNCS_EXCH) /* once for the whole warp */
        access.lanes = lanes & (0u - lanes);
    if (inst->sass->op == SASS_OP_LDGSTS)
        access.kind = PAST_COPIED;
    if (writes && (inst->sass->op == SASS_OP_UBLKCP || inst->sass->op == SASS_OP_STAS)) {
        access.kind = PAST_BULK;
        access.group = warp->block->grid->bulk;
    }
    sanitizer_shared(watch_warp(warp), owner->watched, &access);
    if (inst->sass->op == SASS_OP_ATOMS && owner == warp->block)
        synchronise(watch_warp(warp), &access);
}

void watch_local(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                 uint64_t offset)
{
    struct exec_block *block = warp->block;
    const uint32_t bytes = inst->mod[ACCESS_BYTES], local = block->grid->local_bytes;
    uint8_t *written =
        block->local_written + ((size_t)warp->index * EXEC_LANES + lane) * local + offset;
    bool any = inst->mod[ACCESS_WRITES] != 0;
    for (uint32_t i = 0; i < bytes && !any; i++)
        any = written[i];
    if (!any)
        watch_report(warp, inst, lane, FINDING_INIT_LOCAL,
                     "Read of %u bytes of local memory that were never written, at 0x%llx", bytes,
                     (unsigned long long)offset);
    for (uint32_t i = 0; i < bytes; i++)
        written[i] = 1;
}

void watch_bulk_begin(struct exec_warp *warp, const struct exec_inst *inst, uint32_t barrier)
{
    uint32_t at;
    const struct exec_block *owner = cluster_target(warp, inst, 0, barrier, &at);
    if (owner)
        warp->block->grid->bulk = sanitizer_bulk(owner->watched, watch_mbarrier_object(at));
}

void watch_bulk(struct exec_warp *warp, const struct exec_inst *inst,
                const struct exec_block *owner, uint64_t address, uint32_t bytes, bool writes)
{
    enum { PIECE = 16 };
    uint64_t at[EXEC_LANES] = {0};
    struct sanitizer_access access = access_of(warp, inst, 0, at, writes);
    access.bytes = PIECE;
    access.kind = owner && writes ? PAST_BULK : access.kind;
    access.group = warp->block->grid->bulk;
    for (uint32_t done = 0; done < bytes; done += PIECE * EXEC_LANES) {
        access.lanes = 0;
        for (uint32_t lane = 0; lane < EXEC_LANES && done + lane * PIECE < bytes; lane++) {
            at[lane] = address + done + lane * PIECE;
            access.lanes |= UINT32_C(1) << lane;
        }
        if (owner)
            sanitizer_shared(watch_warp(warp), owner->watched, &access);
        else
            sanitizer_global(watch_warp(warp), &access);
    }
}

void watch_report(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                  enum finding_kind kind, const char *format, ...)
{
    struct exec_grid *grid = warp->block->grid;
    struct sanitizer *sanitizer = grid->options.sanitizer;
    const uint32_t at = inst->sass->pc / 16;
    struct finding finding = {.kind = kind,
                              .key = (uintptr_t)grid->kernel * 64 + kind + ((uint64_t)at << 40)};
    finding.memory = sanitizer->named;
    sanitizer->named = (struct finding_memory){{0}, {0}};
    if (findings_again(&sanitizer->findings, finding.key))
        return;
    va_list list;
    va_start(list, format);
    (void)vsnprintf(finding.message, sizeof finding.message, format, list);
    va_end(list);
    sanitizer_place_of(watch_warp(warp), at, lane, "", &finding.place[0]);
    findings_add(&sanitizer->findings, &finding);
}

void watch_fault(const struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                 enum exec_failure failure, const char *what)
{
    static const enum finding_kind kinds[EXEC_FAILURE_COUNT] = {
        [EXEC_FAILURE_OTHER] = FINDING_TRAP,          [EXEC_FAILURE_ADDRESS] = FINDING_ACCESS,
        [EXEC_FAILURE_ALIGNMENT] = FINDING_ACCESS,    [EXEC_FAILURE_ASSERTION] = FINDING_TRAP,
        [EXEC_FAILURE_JUMP] = FINDING_TRAP,           [EXEC_FAILURE_ILLEGAL] = FINDING_TRAP,
        [EXEC_FAILURE_UNSUPPORTED] = FINDING_TRAP,    [EXEC_FAILURE_DEADLOCK] = FINDING_DEADLOCK,
        [EXEC_FAILURE_BARRIER] = FINDING_MBARRIER,    [EXEC_FAILURE_LIMIT] = FINDING_TRAP,
        [EXEC_FAILURE_ENDED_BLOCK] = FINDING_CLUSTER, [EXEC_FAILURE_FREE] = FINDING_FREE,
        [EXEC_FAILURE_GRID] = FINDING_GRID,
    };
    watch_report(warp, inst, lane, kinds[failure], "%s", what);
}

void watch_deadlock(const struct exec_block *block)
{
    for (uint32_t i = 0; i < block->warps; i++) {
        const struct exec_slot *slot = &block->slot[i];
        if (!slot->groups)
            continue;
        const struct exec_group *group = &slot->group[0];
        watch_report(slot->warp, &block->grid->step[group->at].inst,
                     (uint32_t)__builtin_ctz(group->lanes), FINDING_DEADLOCK,
                     "Threads wait for one another for ever; one of those that wait is named");
        return;
    }
}
