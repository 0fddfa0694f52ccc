/* Addresses as the simulator wants them: shared ones from 0, local ones where they lie. */
#ifndef SIM_ACCELSIM_ACCELSIM_MEMORY_H
#define SIM_ACCELSIM_ACCELSIM_MEMORY_H

#include "accelsim/accelsim_code.h"
#include "accelsim/accelsim_header.h"

/*
 * The local memory that a kernel uses: in a trace, the address in a thread's own; in the machine,
 * the same word of all lanes of a warp lies together (CUDA C++ Programming Guide, Local Memory).
 */
struct local_memory {
    uint64_t low, high; /* bytes of a thread that are used; none while low >= high */
};

struct memory_map {
    const struct accelsim_header *header;
    struct local_memory local;
};

/* Makes the map hold what `entry` accesses, if that is local memory. */
void memory_map_note(struct memory_map *map, const struct code_entry *entry, uint32_t mask,
                     const struct lane_addresses *addresses);

/* `warp` counts the warps of the grid. Lanes outside of `mask` get anything. */
void memory_map_apply(const struct memory_map *map, const struct code_entry *entry, uint32_t mask,
                      uint64_t warp, const struct lane_addresses *from, struct lane_addresses *to);

#endif
