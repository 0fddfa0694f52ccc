/* Counts a block's instructions and finds mistakes of a kernel, without simulating time. */
#include "front/audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "model/op.h"

enum { BARRIERS = 64 };

struct audit_warp {
    void *cursor;
    uint32_t alive; /* lanes that have not exited */
    bool ended, waiting;
    uint32_t barrier;
    uint32_t at; /* static index of the warp's latest instruction */
};

struct audit_walk {
    const struct front *front;
    struct audit *audit;
    uint64_t block, limit;
    uint32_t warps;
    struct audit_warp *warp; /* [warps] */
    uint32_t arrived[BARRIERS], expected[BARRIERS];
};

/*
 * Adds a finding to the audit. A finding is dropped if the same instruction already has one whose
 * message begins with the same character, that is, one of the same kind.
 */
static void add_finding(struct audit_walk *walk, uint32_t warp, uint32_t index, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

static void add_finding(struct audit_walk *walk, uint32_t warp, uint32_t index, const char *format,
                        ...)
{
    struct audit *audit = walk->audit;
    struct audit_finding finding = {.index = index, .block = walk->block, .warp = warp};
    va_list list;
    va_start(list, format);
    (void)vsnprintf(finding.message, sizeof finding.message, format, list);
    va_end(list);
    uint32_t kept =
        audit->findings < AUDIT_MAX_FINDINGS ? audit->findings : (uint32_t)AUDIT_MAX_FINDINGS;
    for (uint32_t i = 0; i < kept; i++) {
        if (audit->finding[i].index == index && audit->finding[i].message[0] == finding.message[0])
            return;
    }
    if (kept < AUDIT_MAX_FINDINGS)
        audit->finding[kept] = finding;
    audit->findings++;
}

enum space { SPACE_NONE, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL };

static enum space space_of(uint8_t op)
{
    switch ((enum simsm_op_class)op) {
    case SIMSM_OP_LD_GLOBAL:
    case SIMSM_OP_ST_GLOBAL:
    case SIMSM_OP_ATOM_GLOBAL:
    case SIMSM_OP_RED_GLOBAL:
    case SIMSM_OP_TEX:
    case SIMSM_OP_COPY_ASYNC:
        return SPACE_GLOBAL;
    case SIMSM_OP_LD_LOCAL:
    case SIMSM_OP_ST_LOCAL:
        return SPACE_LOCAL;
    default:
        return op_is_shared((enum simsm_op_class)op) ? SPACE_SHARED : SPACE_NONE;
    }
}

static bool in_region(uint64_t address, uint64_t width, uint64_t base, uint64_t bytes)
{
    return address >= base && address - base <= bytes && bytes - (address - base) >= width;
}

static bool in_a_buffer(const struct front_memory *memory, uint64_t address, uint64_t width)
{
    for (uint32_t i = 0; i < memory->buffers; i++) {
        if (in_region(address, width, memory->buffer[i].base, memory->buffer[i].bytes))
            return true;
    }
    return !memory->buffers; /* without a list of buffers, every address counts as valid */
}

/* Whether the access lies in the part of local memory that belongs to the warp. */
static bool in_local(const struct audit_walk *walk, uint32_t warp, uint64_t address, uint64_t width)
{
    const struct front_memory *memory = &walk->front->memory;
    uint64_t bytes = (uint64_t)memory->local_bytes * SIMSM_WARP_LANES;
    if (!bytes)
        return true;
    uint64_t base = memory->local_base + (walk->block * walk->warps + warp) * bytes;
    return in_region(address, width, base, bytes);
}

static void check_lane(struct audit_walk *walk, uint32_t warp, uint32_t index, unsigned lane,
                       uint64_t address)
{
    const struct inst *inst = &walk->front->code[index];
    const struct simsm_launch *launch = &walk->front->launch;
    const struct front_memory *memory = &walk->front->memory;
    uint64_t shared = (uint64_t)launch->shared_static + launch->shared_dynamic;
    enum space space = space_of(inst->op);
    if (address % inst->width)
        add_finding(walk, warp, index,
                    "misaligned: lane %u accesses %u bytes at 0x%llx, not a multiple of %u", lane,
                    inst->width, (unsigned long long)address, inst->width);
    if (!memory->known) /* sm_90 code sees shared memory behind 1 KiB reserved by the system */
        return;
    if (space == SPACE_SHARED && !in_region(address, inst->width, 0, shared))
        add_finding(walk, warp, index,
                    "outside shared memory: lane %u accesses byte %lld of the block's %llu", lane,
                    (long long)address, (unsigned long long)shared);
    if (space == SPACE_GLOBAL && !in_a_buffer(memory, address, inst->width))
        add_finding(walk, warp, index, "outside all buffers: lane %u accesses 0x%llx", lane,
                    (unsigned long long)address);
    if (space == SPACE_LOCAL && !in_local(walk, warp, address, inst->width))
        add_finding(walk, warp, index, "outside local memory: lane %u goes beyond its %u bytes",
                    lane, memory->local_bytes);
}

static void check_access(struct audit_walk *walk, uint32_t warp, const struct warp_inst *inst)
{
    struct lane_addresses addresses;
    walk->front->ops->addresses(walk->front, walk->warp[warp].cursor, inst, &addresses);
    for (uint32_t rest = inst->exec; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        check_lane(walk, warp, inst->index, lane, lane_address(&addresses, lane));
    }
}

static void arrive_at_barrier(struct audit_walk *walk, uint32_t warp,
                              const struct warp_inst *dynamic)
{
    const struct inst *inst = &walk->front->code[dynamic->index];
    const uint32_t barrier = inst_barrier(inst, dynamic->token, warp) % BARRIERS;
    const uint32_t threads = inst_barrier_threads(inst, dynamic->token);
    const uint32_t expected = (threads + SIMSM_WARP_LANES - 1u) / SIMSM_WARP_LANES;
    if (walk->arrived[barrier] && walk->expected[barrier] != expected)
        add_finding(walk, warp, dynamic->index,
                    "barrier %u is used for different numbers of threads at the same time",
                    barrier);
    walk->arrived[barrier]++;
    walk->expected[barrier] = expected;
    walk->warp[warp].waiting = !inst->barrier_arrive;
    walk->warp[warp].barrier = barrier;
}

/* Runs a warp until it waits at a barrier, ends, or the instruction limit is reached. */
static void run_warp(struct audit_walk *walk, uint32_t index)
{
    struct audit_warp *warp = &walk->warp[index];
    while (!warp->ended && !warp->waiting && walk->audit->instructions < walk->limit) {
        struct warp_inst inst;
        walk->front->ops->warp_next(walk->front, warp->cursor, &inst);
        const struct inst *code = &walk->front->code[inst.index];
        walk->audit->instructions++;
        warp->at = inst.index;
        warp->ended = inst.flags & WARP_INST_LAST;
        if (code->op == SIMSM_OP_BARRIER && inst.exec) {
            if (inst.active != warp->alive)
                add_finding(walk, index, inst.index,
                            "partial barrier: lanes 0x%08x of the warp arrive without its lanes "
                            "0x%08x",
                            inst.active, warp->alive & ~inst.active);
            arrive_at_barrier(walk, index, &inst);
        } else if (code->op == SIMSM_OP_EXIT) {
            warp->alive &= ~inst.exec;
        } else if (code->width)
            check_access(walk, index, &inst);
    }
}

/*
 * Opens every barrier at which all expected warps have arrived. Returns false if no barrier opened.
 */
static bool open_barriers(struct audit_walk *walk)
{
    uint32_t alive = 0;
    bool opened = false;
    for (uint32_t w = 0; w < walk->warps; w++)
        alive += !walk->warp[w].ended;
    for (uint32_t b = 0; b < BARRIERS; b++) {
        uint32_t expected = walk->expected[b] ? walk->expected[b] : alive;
        if (!walk->arrived[b] || walk->arrived[b] < expected)
            continue;
        walk->arrived[b] = 0;
        opened = true;
        for (uint32_t w = 0; w < walk->warps; w++) {
            if (walk->warp[w].barrier == b)
                walk->warp[w].waiting = false;
        }
    }
    return opened;
}

static void report_deadlock(struct audit_walk *walk)
{
    for (uint32_t w = 0; w < walk->warps; w++) {
        if (!walk->warp[w].waiting)
            continue;
        uint32_t b = walk->warp[w].barrier;
        add_finding(walk, w, walk->warp[w].at,
                    "barrier %u never opens: %u of %u warps arrive, the others have ended or wait "
                    "elsewhere",
                    b, walk->arrived[b], walk->expected[b] ? walk->expected[b] : walk->warps);
    }
}

static void run_block(struct audit_walk *walk)
{
    bool moved = true;
    while (moved && walk->audit->instructions < walk->limit) {
        bool waiting = false;
        for (uint32_t w = 0; w < walk->warps; w++) {
            run_warp(walk, w);
            waiting |= walk->warp[w].waiting;
        }
        moved = waiting && open_barriers(walk);
        if (waiting && !moved && walk->audit->instructions < walk->limit)
            report_deadlock(walk);
    }
    for (uint32_t w = 0; w < walk->warps; w++)
        walk->audit->cut |= !walk->warp[w].ended && walk->audit->instructions >= walk->limit;
}

static uint32_t lanes_of(const struct simsm_launch *launch, uint32_t warp)
{
    uint32_t threads = simsm_block_threads(launch) - warp * SIMSM_WARP_LANES;
    return threads >= SIMSM_WARP_LANES ? UINT32_MAX : (1u << threads) - 1;
}

enum simsm_status audit_block(const struct front *front, uint64_t block, uint64_t limit,
                              struct audit *audit, struct simsm_error *error)
{
    struct audit_walk walk = {.front = front,
                              .audit = audit,
                              .block = block,
                              .limit = audit->instructions + limit,
                              .warps = simsm_block_warps(&front->launch)};
    size_t size = (front->cursor_size + 15) / 16 * 16;
    char *cursors = aligned_alloc(16, size * walk.warps);
    walk.warp = calloc(walk.warps, sizeof *walk.warp);
    enum simsm_status status = SIMSM_OK;
    if (cursors && walk.warp) {
        for (uint32_t w = 0; w < walk.warps; w++) {
            walk.warp[w].cursor = cursors + size * w;
            walk.warp[w].alive = lanes_of(&front->launch, w);
            front->ops->warp_begin(front, walk.warp[w].cursor, block, w);
        }
        run_block(&walk);
        for (uint32_t w = 0; w < walk.warps; w++)
            front_warp_end(front, walk.warp[w].cursor);
    } else {
        status = err_no_memory(error);
    }
    free(cursors);
    free(walk.warp);
    return status;
}

bool audit_count(const struct front *front, void *cursor, uint64_t block, uint32_t warp,
                 uint64_t limit, uint64_t *instructions)
{
    struct warp_inst inst = {0};
    *instructions = 0;
    front->ops->warp_begin(front, cursor, block, warp);
    while (!(inst.flags & WARP_INST_LAST) && *instructions < limit) {
        front->ops->warp_next(front, cursor, &inst);
        ++*instructions;
    }
    front_warp_end(front, cursor);
    return inst.flags & WARP_INST_LAST;
}
