#include "base/sort.h"

#include <string.h>

struct heap {
    unsigned char *items;
    size_t size;
    int (*compare)(const void *a, const void *b);
};

static void *item(const struct heap *heap, size_t i)
{
    return heap->items + i * heap->size;
}

static void swap(const struct heap *heap, size_t i, size_t k)
{
    unsigned char kept[SORT_ITEM];
    memcpy(kept, item(heap, i), heap->size);
    memcpy(item(heap, i), item(heap, k), heap->size);
    memcpy(item(heap, k), kept, heap->size);
}

/* Moves item i down the heap of the first `count` items until its children are not greater. */
static void sink(const struct heap *heap, size_t i, size_t count)
{
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && heap->compare(item(heap, child), item(heap, child + 1)) < 0)
            child++;
        if (heap->compare(item(heap, i), item(heap, child)) >= 0)
            return;
        swap(heap, i, child);
    }
}

void sort_in_place(void *items, size_t count, size_t size,
                   int (*compare)(const void *a, const void *b))
{
    const struct heap heap = {.items = items, .size = size, .compare = compare};
    for (size_t i = count / 2; i-- > 0;)
        sink(&heap, i, count);
    for (size_t last = count; last-- > 1;) {
        swap(&heap, 0, last);
        sink(&heap, 0, last);
    }
}
