/* Things that are going to happen, first the earliest; those of one cycle in their order. Private.
 */
#ifndef VIZ_EXPORT_LATER_H
#define VIZ_EXPORT_LATER_H

#include <stdbool.h>
#include <stdint.h>

struct later_entry {
    uint64_t cycle, order;
    uint64_t id;
    uint8_t what;
};

struct later {
    struct later_entry *heap;
    uint32_t count, room;
    uint64_t order;
};

/* False if memory runs out. */
bool later_put(struct later *later, uint64_t cycle, uint8_t what, uint64_t id);
/* Takes the first one that happens at or before `cycle`; false if there is none. */
bool later_take(struct later *later, uint64_t cycle, struct later_entry *entry);
void later_free(struct later *later);

#endif
