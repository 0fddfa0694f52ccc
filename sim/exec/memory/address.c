/*
 * MODEL: addresses of accesses to global, shared, local and generic memory, and the bytes on the
 * host behind them. A generic address means shared or local memory if it lies in the window of one
 * of them. An access of n bytes must be aligned to n.
 * SOURCE: CUDA C++ Programming Guide, device memory accesses; PTX ISA, generic addressing. Local
 * memory: the same word of all lanes side by side.
 * LEFT OUT: nothing known.
 */
#include <string.h>

#include "exec/control/cluster.h"
#include "exec/control/fault.h"
#include "exec/memory/load_store.h"
#include "exec/memory/pending.h"
#include "exec/memory/undo.h"
#include "exec/memory/watched_access.h"

void exec_access_fill(struct exec_inst *inst)
{
    const struct sass_inst *sass = inst->sass;
    static const uint8_t factor[4] = {1, 4, 8, 16};
    const struct sass_operand *ur = &sass->operand[SASS_UR], *data = &sass->operand[SASS_DATA];
    inst->mod[ACCESS_OFFSET] = (uint32_t)sass->offset;
    inst->mod[ACCESS_UR] = ur->kind == SASS_UNIFORM ? ur->index : SASS_URZ;
    inst->mod[ACCESS_DATA] = data->kind == SASS_REGISTER ? data->index : SASS_RZ;
    inst->mod[ACCESS_FACTOR] = factor[sass_mod(sass, SASS_MOD_STRIDE) & 3];
}

/* Returns row `word` (0 low, 1 high) of the address registers. The high row is zeros if the address
 * has 32 bits. */
static const uint32_t *address_row(const struct exec_warp *warp, const struct exec_source *a,
                                   uint32_t word)
{
    bool there = a->kind == SASS_REGISTER && a->index != SASS_RZ && word < a->words;
    return there ? exec_row(warp, a->index + word) : exec_zeros;
}

void exec_address_wide(const struct exec_warp *warp, const struct exec_inst *inst,
                       uint64_t address[EXEC_LANES])
{
    const uint32_t *low = address_row(warp, &inst->a, 0), *high = address_row(warp, &inst->a, 1);
    uint32_t ur = inst->mod[ACCESS_UR];
    uint64_t base = (uint64_t)(int64_t)(int32_t)inst->mod[ACCESS_OFFSET];
    if (ur != SASS_URZ)
        base += warp->ur[ur] | (uint64_t)warp->ur[ur + 1] << 32;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        address[lane] = base + ((uint64_t)high[lane] << 32 | low[lane]);
}

void exec_address_shared(const struct exec_warp *warp, const struct exec_inst *inst,
                         uint64_t address[EXEC_LANES])
{
    const uint32_t *row = address_row(warp, &inst->a, 0), times = inst->mod[ACCESS_FACTOR];
    uint32_t base = inst->mod[ACCESS_OFFSET] + warp->ur[inst->mod[ACCESS_UR]];
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        address[lane] = base + row[lane] * times;
}

/* Handles an access outside of allocations. Returns where its bytes lie if options.tolerate lets it
 * pass, else NULL; the launch has then failed. */
static uint8_t *place_outside_allocations(struct exec_warp *warp, const struct exec_inst *inst,
                                          uint32_t lane, uint64_t address)
{
    struct exec_grid *grid = warp->block->grid;
    const struct exec_options *options = &grid->options;
    uint8_t *slack =
        options->tolerate ? device_slack(grid->memory, address, inst->mod[ACCESS_BYTES]) : NULL;
    if (slack && grid->tolerated)
        return slack;
    exec_fault_global_bounds(warp, inst, lane, address);
    if (!slack)
        return NULL;
    options->tolerate(options->tolerate_context, grid->error.message);
    grid->tolerated = true;
    grid->status = SIMSM_OK;
    if (options->failure)
        *options->failure = EXEC_FAILURE_OTHER;
    return slack;
}

/* Finds the bytes of each lane on its own, in global memory. Handles lanes that are misaligned or
 * outside of allocations. Returns false if the launch has failed. */
static bool find_each(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      const uint64_t address[EXEC_LANES], uint8_t *place[EXEC_LANES])
{
    struct exec_grid *grid = warp->block->grid;
    struct device_span *span = &grid->span[inst->sass->pc / 16];
    uint32_t bytes = inst->mod[ACCESS_BYTES];
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (address[lane] - span->address >= span->size)
            *span = device_span(grid->memory, address[lane]);
        if (address[lane] & (bytes - 1))
            exec_fault_misaligned(warp, inst, lane, "global", address[lane]);
        else if (!span->size || span->size - (address[lane] - span->address) < bytes)
            place[lane] = place_outside_allocations(warp, inst, lane, address[lane]);
        else
            place[lane] = span->host + (address[lane] - span->address);
        if (grid->status != SIMSM_OK)
            return false;
    }
    return true;
}

/* Shows the access to the sanitizer, if there is one. Notes the old bytes of what `lanes` are about
 * to write, if the launch may be undone. Lets loads find the SM's own stores that memory does not
 * hold yet. Always returns true. */
static bool note_old_bytes(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                           const uint64_t address[EXEC_LANES], uint8_t *place[EXEC_LANES])
{
    struct exec_undo *undo = warp->block->grid->undo;
    struct pending *pending = warp->block->grid->pending;
    if (warp->block->watched)
        watch_global(warp, inst, lanes, address, place);
    if (pending && pending->used_count && !pending->hidden && !inst->mod[ACCESS_WRITES])
        pending_merge(pending, lanes, inst->mod[ACCESS_BYTES], place);
    if (!undo || !inst->mod[ACCESS_WRITES])
        return true;
    for (; lanes; lanes &= lanes - 1)
        exec_undo_note(undo, place[__builtin_ctz(lanes)], inst->mod[ACCESS_BYTES]);
    return true;
}

bool exec_find_global(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      const uint64_t address[EXEC_LANES], uint8_t *place[EXEC_LANES])
{
    const struct device_span *span = &warp->block->grid->span[inst->sass->pc / 16];
    uint32_t bytes = inst->mod[ACCESS_BYTES];
    uint64_t wrong = 0, most = span->size >= bytes ? span->size - bytes + 1 : 0;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++) {
        bool asks = lanes >> lane & 1;
        wrong |=
            asks ? (uint64_t)(address[lane] - span->address >= most) | (address[lane] & (bytes - 1))
                 : 0;
    }
    if (wrong)
        return find_each(warp, inst, lanes, address, place) &&
               note_old_bytes(warp, inst, lanes, address, place);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++) {
        uint64_t at = lanes >> lane & 1 ? address[lane] - span->address : 0;
        place[lane] = span->host + at;
    }
    return note_old_bytes(warp, inst, lanes, address, place);
}

bool exec_places_global(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                        uint8_t *place[EXEC_LANES])
{
    uint64_t *address = warp->block->grid->addresses.lane;
    exec_address_wide(warp, inst, address);
    return exec_find_global(warp, inst, lanes, address, place);
}

/* Finds the bytes of each lane on its own, and reports the first lane whose access is wrong. */
static bool find_each_shared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                             const uint64_t address[EXEC_LANES], uint8_t *place[EXEC_LANES])
{
    const struct exec_block *block = warp->block;
    const struct exec_grid *grid = block->grid;
    uint32_t bytes = inst->mod[ACCESS_BYTES];
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint64_t at = address[lane];
        if (at < grid->shared_first || at + bytes > grid->shared_bytes)
            exec_fault_shared_bounds(warp, inst, lane, at);
        else if (at & (bytes - 1))
            exec_fault_misaligned(warp, inst, lane, "shared", at);
        else
            place[lane] = block->shared + at;
        if (grid->status != SIMSM_OK)
            return false;
    }
    return true;
}

/* Takes the block's own rank in its cluster from the addresses of shared memory that have it. */
static void strip_own_rank(const struct exec_warp *warp, uint64_t address[EXEC_LANES])
{
    const uint32_t rank = warp->block->rank;
    for (unsigned lane = 0; rank && lane < EXEC_LANES; lane++)
        if (address[lane] >> CLUSTER_RANK_BIT == rank)
            address[lane] &= (1u << CLUSTER_RANK_BIT) - 1;
}

bool exec_find_shared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                      uint64_t address[EXEC_LANES], bool writes, uint8_t *place[EXEC_LANES])
{
    const struct exec_block *block = warp->block;
    const struct exec_grid *grid = block->grid;
    uint32_t bytes = inst->mod[ACCESS_BYTES], size = grid->shared_bytes - grid->shared_first;
    uint64_t most = size >= bytes ? size - bytes + 1 : 0, wrong = 0;
    strip_own_rank(warp, address);
    for (unsigned lane = 0; lane < EXEC_LANES; lane++) {
        uint64_t asks = 0 - (uint64_t)(lanes >> lane & 1), at = address[lane] & asks;
        wrong |=
            ((uint64_t)(address[lane] - grid->shared_first >= most) | (at & (bytes - 1))) & asks;
        place[lane] = block->shared + (at <= grid->shared_bytes ? at : 0);
    }
    if (wrong && !find_each_shared(warp, inst, lanes, address, place))
        return false;
    if (block->watched)
        watch_shared(warp, inst, block, lanes, address, writes, place);
    return true;
}

bool exec_places_shared(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                        uint8_t *place[EXEC_LANES])
{
    uint64_t *address = warp->block->grid->addresses.lane;
    exec_address_shared(warp, inst, address);
    return exec_find_shared(warp, inst, lanes, address, inst->mod[ACCESS_WRITES] != 0, place);
}

/*
 * Finds the bytes at `offset` of a lane's local memory. Returns false if the access is wrong; the
 * launch has then failed. The timing model gets addresses as hardware lays local memory out: the
 * same word of all lanes side by side, and a range of its own for each warp of the resident blocks.
 */
static bool find_local(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lane,
                       uint64_t offset, uint8_t **place)
{
    const struct exec_block *block = warp->block;
    struct exec_grid *grid = block->grid;
    uint32_t bytes = inst->mod[ACCESS_BYTES];
    if (offset + bytes > grid->local_bytes || offset + bytes < offset) {
        exec_fault_local_bounds(warp, inst, lane, offset);
        return false;
    }
    if (offset & (bytes - 1)) {
        exec_fault_misaligned(warp, inst, lane, "local", offset);
        return false;
    }
    uint64_t thread = (uint64_t)warp->index * EXEC_LANES + lane;
    uint64_t place_of_warp = block->index % grid->resident * block->warps + warp->index;
    *place = block->local + thread * grid->local_bytes + offset;
    if (block->local_written)
        watch_local(warp, inst, lane, offset);
    grid->addresses.lane[lane] = EXEC_LOCAL_WINDOW +
                                 place_of_warp * grid->local_bytes * EXEC_LANES +
                                 local_place(offset, lane);
    return true;
}

bool exec_places_local(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                       uint8_t *place[EXEC_LANES])
{
    uint64_t address[EXEC_LANES];
    exec_address_shared(warp, inst, address);
    for (; lanes; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (!find_local(warp, inst, lane, address[lane] & UINT32_MAX, &place[lane]))
            return false;
    }
    return true;
}

uint32_t exec_lanes_in_window(const uint64_t address[EXEC_LANES], uint32_t lanes, uint64_t window)
{
    uint32_t in = 0;
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        in |= (uint32_t)(address[lane] >> 32 == window >> 32) << lane;
    return in & lanes;
}

/* Finds the bytes of the lanes of a generic access that mean shared memory (`shared`) or local
 * memory (`local`). Returns false if an access is wrong; the launch has then failed. */
static bool find_windows(struct exec_warp *warp, const struct exec_inst *inst, uint32_t shared,
                         uint32_t local, uint8_t *place[EXEC_LANES])
{
    const uint64_t *address = warp->block->grid->addresses.lane;
    uint64_t offset[EXEC_LANES];
    uint8_t *in_shared[EXEC_LANES];
    for (unsigned lane = 0; lane < EXEC_LANES; lane++)
        offset[lane] = address[lane] & UINT32_MAX;
    bool writes = inst->mod[ACCESS_WRITES] != 0;
    if (shared && !cluster_find(warp, inst, shared, offset, writes, in_shared))
        return false;
    for (; shared; shared &= shared - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(shared);
        place[lane] = in_shared[lane];
    }
    for (; local; local &= local - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(local);
        if (!find_local(warp, inst, lane, address[lane] & UINT32_MAX, &place[lane]))
            return false;
    }
    return true;
}

bool exec_places_generic(struct exec_warp *warp, const struct exec_inst *inst, uint32_t lanes,
                         uint8_t *place[EXEC_LANES])
{
    uint64_t *address = warp->block->grid->addresses.lane;
    exec_address_wide(warp, inst, address);
    uint32_t shared = exec_lanes_in_window(address, lanes, EXEC_SHARED_WINDOW);
    uint32_t local = exec_lanes_in_window(address, lanes, EXEC_LOCAL_WINDOW);
    uint32_t global = lanes & ~shared & ~local;
    return (!global || exec_find_global(warp, inst, global, address, place)) &&
           find_windows(warp, inst, shared, local, place);
}
