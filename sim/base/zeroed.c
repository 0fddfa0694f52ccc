#include "base/zeroed.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * A table that is worth it is mapped; its pages come when they are touched. Tables begin at
 * different places of their first pages: else the first entries of all, which are used most, would
 * share the same few sets of the processor's cache. POSIX has no anonymous mappings, but /dev/zero.
 */
enum { LEAST = 1 << 13, PAGE = 4096, LINE = 64, PLACES = 32 };

/* In the LINE bytes before the table. */
struct head {
    void *base;
    size_t mapped; /* bytes; 0: base is from the heap */
};

#if defined(__SANITIZE_ADDRESS__)
enum { MAPS = 0 }; /* AddressSanitizer watches the ends of what is in the heap */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { MAPS = 0 };
#else
enum { MAPS = 1 };
#endif
#else
enum { MAPS = 1 };
#endif

static void *give(const struct head *head, size_t offset)
{
    unsigned char *table = (unsigned char *)head->base + offset;
    *(struct head *)(void *)(table - LINE) = *head;
    return table;
}

static void *map(size_t bytes)
{
    struct head head = {.mapped = (bytes + LINE * (PLACES + 1) + PAGE - 1) / PAGE * PAGE};
    int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
    if (zero < 0)
        return NULL;
    head.base = mmap(NULL, head.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
    (void)close(zero);
    if (head.base == MAP_FAILED)
        return NULL;
    uint32_t place = (uint32_t)((uintptr_t)head.base / PAGE) * UINT32_C(2654435761) >> 27;
    return give(&head, (size_t)LINE * (1 + place));
}

void *zeroed_alloc(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - PAGE - LINE * (PLACES + 1)) / size)
        return NULL;
    void *table = MAPS && count * size >= LEAST ? map(count * size) : NULL;
    if (table)
        return table;
    const struct head head = {.base = calloc(1, count * size + LINE)};
    return head.base ? give(&head, LINE) : NULL;
}

void zeroed_free(void *table)
{
    if (!table)
        return;
    const struct head head = *(struct head *)(void *)((unsigned char *)table - LINE);
    if (head.mapped)
        (void)munmap(head.base, head.mapped);
    else
        free(head.base);
}
