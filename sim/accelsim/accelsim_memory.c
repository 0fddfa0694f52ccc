/*
 * Translates the addresses of a trace into the addresses of the simulator.
 *
 * MODEL: generic addresses of shared and local memory, and the layout of local memory: the same
 * word of all lanes of a warp lies together.
 * SOURCE: CUDA C++ Programming Guide, Local Memory; windows of 16 MiB: Accel-Sim's traces.
 * LEFT OUT: the real base of local memory, which a trace does not tell: own choice, 2^48.
 */
#include "accelsim/accelsim_memory.h"

#include <stdbool.h>

#include "front/matrix_rows.h"
#include "model/op.h"

enum { WINDOW_BYTES = 1 << 24, LOCAL_ALIGN = 16 };

/* Above all addresses of allocations. */
static const uint64_t local_base = UINT64_C(1) << 48;

static bool is_local(const struct code_entry *entry)
{
    return entry->inst.op == SIMSM_OP_LD_LOCAL || entry->inst.op == SIMSM_OP_ST_LOCAL;
}

static bool is_shared(const struct code_entry *entry)
{
    return op_is_shared((enum simsm_op_class)entry->inst.op);
}

/*
 * Returns the address in the memory behind the window if the address lies in the window, else the
 * address itself.
 */
static uint64_t in_memory(uint64_t address, uint64_t window)
{
    bool inside = window && address >= window && address - window < WINDOW_BYTES;
    return inside ? address - window : address;
}

void memory_map_note(struct memory_map *map, const struct code_entry *entry, uint32_t mask,
                     const struct lane_addresses *addresses)
{
    struct local_memory *local = &map->local;
    if (!entry->addressed || !is_local(entry))
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t address = in_memory(lane_address(addresses, (unsigned)__builtin_ctz(left)),
                                     map->header->local_window);
        uint64_t end = address + entry->inst.width;
        bool first = local->low >= local->high;
        local->low = first || address < local->low ? address : local->low;
        local->high = first || end > local->high ? end : local->high;
    }
}

static void to_shared(const struct memory_map *map, uint32_t mask, struct lane_addresses *addresses)
{
    uint64_t window = map->header->shared_window;
    if (addresses->affine) {
        unsigned first = (unsigned)__builtin_ctz(mask);
        uint64_t address = lane_address(addresses, first);
        addresses->base -= address - in_memory(address, window);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t *address = &addresses->lane[__builtin_ctz(left)];
        *address = in_memory(*address, window);
    }
}

static void to_local(const struct memory_map *map, uint32_t mask, uint64_t warp,
                     struct lane_addresses *addresses)
{
    const struct local_memory *local = &map->local;
    uint64_t low = local->low / LOCAL_ALIGN * LOCAL_ALIGN;
    uint64_t bytes = (local->high - low + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned l = (unsigned)__builtin_ctz(left);
        uint64_t own = in_memory(lane_address(addresses, l), map->header->local_window) - low;
        addresses->lane[l] = local_base + warp * bytes * SIMSM_WARP_LANES + local_place(own, l);
    }
    addresses->affine = false;
}

void memory_map_apply(const struct memory_map *map, const struct code_entry *entry, uint32_t mask,
                      uint64_t warp, const struct lane_addresses *from, struct lane_addresses *to)
{
    if (!entry->addressed) {
        to->affine = true;
        to->base = 0;
        to->stride = 0;
        return;
    }
    if (from->affine) {
        to->affine = true;
        to->base = from->base;
        to->stride = from->stride;
    } else {
        *to = *from;
    }
    if (is_shared(entry))
        to_shared(map, mask, to);
    if (entry->matrix && mask == UINT32_MAX)
        matrix_rows_spread(entry->inst.width, to);
    if (is_local(entry))
        to_local(map, mask, warp, to);
}
