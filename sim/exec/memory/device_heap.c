#include "exec/memory/device_heap.h"

#include <stddef.h>

static const uint32_t pieces[] = {92,    185,   370,    740,    2220,   4440,   8880,
                                  26640, 53280, 106560, 319700, 639400, 1278976};
static const size_t count = sizeof pieces / sizeof pieces[0];

uint64_t device_heap_piece(uint64_t size)
{
    const uint64_t largest = pieces[count - 1];
    for (size_t i = 0; i < count; i++)
        if (size <= pieces[i])
            return pieces[i];
    return (size / largest + (size % largest != 0)) * largest;
}
