/* The order of use of a set's ways (recency.h). */
#include "mem/recency.h"

void recency_init(uint64_t *words, uint32_t ways)
{
    if (ways <= RECENCY_PACKED) {
        words[0] = UINT64_C(0xFEDCBA9876543210);
        return;
    }
    struct recency_link *link = (struct recency_link *)words;
    for (uint32_t way = 0; way <= ways; way++) {
        link[way].newer = (uint16_t)(way == 0 ? ways : way - 1);
        link[way].older = (uint16_t)(way == ways ? 0 : way + 1);
    }
}
