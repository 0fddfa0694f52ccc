/*
 * Translates addresses: shared memory begins at 0, and local memory gets the layout of the
 * hardware.
 */
#ifndef SIM_ACCELSIM_ACCELSIM_MEMORY_H
#define SIM_ACCELSIM_ACCELSIM_MEMORY_H

#include "accelsim/accelsim_code.h"
#include "accelsim/accelsim_header.h"

/*
 * The local memory that a kernel uses. A trace gives addresses in a thread's own local memory; the
 * simulator needs the hardware's layout, in which the same word of all lanes of a warp lies
 * together.
 */
struct local_memory {
    uint64_t low, high; /* bytes of a thread that are used; low >= high: none */
};

struct memory_map {
    const struct accelsim_header *header;
    struct local_memory local;
};

/* Extends map->local by the bytes that `entry` accesses if it accesses local memory. */
void memory_map_note(struct memory_map *map, const struct code_entry *entry, uint32_t mask,
                     const struct lane_addresses *addresses);

/*
 * Translates `from` to `to`. `warp` is the index of the warp in the grid. Addresses of lanes
 * outside `mask` are undefined.
 */
void memory_map_apply(const struct memory_map *map, const struct code_entry *entry, uint32_t mask,
                      uint64_t warp, const struct lane_addresses *from, struct lane_addresses *to);

#endif
