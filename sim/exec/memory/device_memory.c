/*
 * MODEL: placement of allocations in device memory: reproducible addresses; allocations of at least
 * 1 MiB begin with a 2 MiB page.
 * SOURCE: addresses that an H200 gives.
 * LEFT OUT: physical addresses. Unlike on a GPU, at least 256 bytes behind each allocation stay
 * free, so that an access beyond its end is found.
 */
#include "exec/memory/device_memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "exec/memory/device_heap.h"
#include "sanitize/sanitizer.h"

enum { ALIGNMENT = 256, GUARD = 256 };

/*
 * Allocations of at least LARGE bytes begin with a page of the device: where lines lie within 2 MiB
 * decides which slices of L2 they meet in. Smaller ones share chunks of one page, at multiples of
 * GRANULE, as cudaMalloc gives them on an H200. Two differences from it: at least GUARD bytes
 * behind each allocation belong to nobody, so that an access that runs over its end is found; and
 * an H200 puts allocations from 1 to 2 MiB into chunks, too.
 */
enum { LARGE = 1 << 20, DEVICE_PAGE = 2 << 20, GRANULE = 512 };

/* Where device_slack begins: what an H200 has below the first large allocation. */
#define SLACK_BASE (DEVICE_BASE - DEVICE_PAGE)

/*
 * The address range is this many times the memory, so that freed addresses need not be reused soon.
 */
enum { SPARE = 4 };

/*
 * Host memory is one private mapping of /dev/zero, inaccessible but for the pages of live
 * allocations: pages come into being, zero, when they are touched.
 */
struct chunk {
    uint64_t next, end; /* bytes from DEVICE_BASE; end 0: there is none */
};

struct device_memory {
    uint8_t *host;     /* of DEVICE_BASE; that of SLACK_BASE lies before it */
    uint64_t reserved; /* bytes of addresses */
    uint64_t used, total;
    uint64_t next;                /* first byte that was never given out, from DEVICE_BASE */
    struct chunk small, malloced; /* where small allocations go, and those of the heap */
    uint64_t heap, heap_used;     /* bytes */
    bool heap_called;             /* by a kernel */
    uint64_t page;
    struct sanitizer *sanitizer; /* NULL: there is none */
    int zero;                    /* /dev/zero */
    struct device_allocation *
        *list; /* allocations by address; freed allocations stay until their addresses are reused */
    size_t count, room;
};

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

/* Returns the first address from `at` on where an allocation of `size` bytes may begin. */
static uint64_t first_place(uint64_t at, uint64_t size)
{
    return round_up(at, size >= LARGE ? DEVICE_PAGE : GRANULE);
}

static enum simsm_status reserve(struct device_memory *memory, struct simsm_error *error)
{
    memory->zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
    if (memory->zero < 0)
        return err_set(error, SIMSM_FAILED,
                       "device memory: /dev/zero cannot be opened, from which it is made");
    void *host =
        mmap(NULL, DEVICE_PAGE + memory->reserved, PROT_NONE, MAP_PRIVATE, memory->zero, 0);
    if (host == MAP_FAILED)
        return err_set(error, SIMSM_FAILED,
                       "device memory: %llu MiB of addresses cannot be reserved; is a limit on "
                       "virtual memory set (ulimit -v)?",
                       (unsigned long long)(memory->reserved >> 20));
    memory->host = (uint8_t *)host + DEVICE_PAGE;
    return SIMSM_OK;
}

enum simsm_status device_memory_create(struct device_memory **memory, uint64_t bytes,
                                       struct simsm_error *error)
{
    *memory = NULL;
    struct device_memory *made = calloc(1, sizeof *made);
    if (!made)
        return err_no_memory(error);
    made->zero = -1;
    made->heap = DEVICE_HEAP;
    made->page = (uint64_t)sysconf(_SC_PAGESIZE);
    made->total = round_up(bytes ? bytes : 1, ALIGNMENT);
    made->reserved = round_up(made->total * SPARE + (UINT64_C(64) << 20), made->page);
    enum simsm_status status = reserve(made, error);
    if (status != SIMSM_OK) {
        device_memory_destroy(made);
        return status;
    }
    *memory = made;
    return SIMSM_OK;
}

void device_memory_destroy(struct device_memory *memory)
{
    if (!memory)
        return;
    for (size_t i = 0; i < memory->count; i++)
        free(memory->list[i]);
    free((void *)memory->list);
    if (memory->host)
        (void)munmap(memory->host - DEVICE_PAGE, DEVICE_PAGE + memory->reserved);
    if (memory->zero >= 0)
        (void)close(memory->zero);
    free(memory);
}

/* Returns the index of the first allocation behind `address`. */
static size_t first_behind(const struct device_memory *memory, uint64_t address)
{
    size_t low = 0, high = memory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->list[middle]->address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Returns the lowest address with room for `size` bytes between live allocations, or 0 if there is
 * none. */
static uint64_t find_gap(const struct device_memory *memory, uint64_t size)
{
    uint64_t at = first_place(DEVICE_BASE, size);
    for (size_t i = 0; i < memory->count; i++) {
        const struct device_allocation *a = memory->list[i];
        if (a->freed || a->host)
            continue;
        if (at + size + GUARD <= a->address)
            return at;
        at = first_place(a->address + a->size + GUARD, size);
    }
    return at + size + GUARD <= DEVICE_BASE + memory->reserved ? at : 0;
}

/* Removes the freed allocations that overlap [from, to). */
static void forget(struct device_memory *memory, uint64_t from, uint64_t to)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->count; i++) {
        struct device_allocation *a = memory->list[i];
        if (a->freed && a->address < to && from < a->address + a->size)
            free(a);
        else
            memory->list[kept++] = a;
    }
    memory->count = kept;
}

/* A place that was never given out, from DEVICE_BASE; memory->reserved: there is none. */
static uint64_t new_place(struct device_memory *memory, struct chunk *chunk, uint64_t size)
{
    uint64_t at = round_up(chunk->next, GRANULE);
    if (size >= LARGE) {
        at = round_up(memory->next, DEVICE_PAGE);
        if (at + size + GUARD > memory->reserved)
            return memory->reserved;
        memory->next = at + size + GUARD;
        return at;
    }
    if (at + size + GUARD > chunk->end) {
        const uint64_t behind = memory->next < GUARD ? 0 : memory->next - GUARD;
        const uint64_t page = round_up(behind, DEVICE_PAGE);
        if (page + DEVICE_PAGE > memory->reserved)
            return memory->reserved;
        at = round_up(page < memory->next ? memory->next : page, GRANULE);
        memory->next = chunk->end = page + DEVICE_PAGE;
    }
    chunk->next = at + size + GUARD;
    return at;
}

static uint64_t place(struct device_memory *memory, struct chunk *chunk, uint64_t size)
{
    uint64_t address = DEVICE_BASE + new_place(memory, chunk, size);
    if (address < DEVICE_BASE + memory->reserved)
        return address;
    address = find_gap(memory, size);
    if (!address)
        return 0;
    forget(memory, address, address + size);
    memory->small = memory->malloced = (struct chunk){0}; /* the gap may be what is left of one */
    if (memory->next < address + size + GUARD - DEVICE_BASE)
        memory->next = address + size + GUARD - DEVICE_BASE;
    return address;
}

/* Where [address, address + size) lies, when its pages can be read and written; NULL: they cannot.
 */
static uint8_t *make_accessible(struct device_memory *memory, uint64_t address, uint64_t size)
{
    uint8_t *first = memory->host - DEVICE_PAGE;
    const uint64_t at = address - SLACK_BASE, from = at / memory->page * memory->page;
    const uint64_t to = round_up(at + size, memory->page);
    return mprotect(first + from, to - from, PROT_READ | PROT_WRITE) == 0 ? first + at : NULL;
}

static bool insert(struct device_memory *memory, struct device_allocation *allocation)
{
    if (memory->count == memory->room) {
        size_t room = memory->room ? 2 * memory->room : 64;
        void *list = realloc((void *)memory->list, room * sizeof(struct device_allocation *));
        if (!list)
            return false;
        memory->list = list;
        memory->room = room;
    }
    size_t at = first_behind(memory, allocation->address);
    memmove((void *)(memory->list + at + 1), (const void *)(memory->list + at),
            (memory->count - at) * sizeof(struct device_allocation *));
    memory->list[at] = allocation;
    memory->count++;
    if (memory->sanitizer)
        allocation->made_by = memory->sanitizer->stack;
    return true;
}

/* Notes that the allocation is in use, or that it no longer is. */
static void count(struct device_memory *memory, const struct device_allocation *a, bool in_use)
{
    const uint64_t sign = in_use ? 1 : UINT64_MAX;
    memory->used += sign * round_up(a->size, ALIGNMENT);
    memory->heap_used += sign * a->heap_piece;
}

static uint64_t allocate(struct device_memory *memory, struct chunk *chunk, uint64_t size,
                         uint64_t heap_piece, const char *name)
{
    if (size > memory->total || memory->used + round_up(size, ALIGNMENT) > memory->total)
        return 0;
    struct device_allocation *made = calloc(1, sizeof *made);
    uint64_t address = made ? place(memory, chunk, size) : 0;
    if (!address) {
        free(made);
        return 0;
    }
    made->address = address;
    made->size = size;
    made->heap_piece = heap_piece;
    (void)snprintf(made->name, sizeof made->name, "%s", name ? name : "");
    if (!make_accessible(memory, address, size) || !insert(memory, made)) {
        free(made);
        return 0;
    }
    count(memory, made, true);
    if (memory->sanitizer)
        sanitizer_allocated(memory->sanitizer, address, size, made->name, heap_piece != 0);
    return address;
}

void device_watch(struct device_memory *memory, struct sanitizer *sanitizer)
{
    memory->sanitizer = sanitizer;
}

uint64_t device_address_bytes(const struct device_memory *memory)
{
    return memory->reserved;
}

void device_holds_values(struct device_memory *memory, uint64_t address)
{
    if (memory->sanitizer)
        sanitizer_forget_memory(memory->sanitizer, address);
}

uint64_t device_alloc(struct device_memory *memory, uint64_t size, const char *name)
{
    return allocate(memory, &memory->small, size ? size : 1, 0, name);
}

uint64_t device_malloc(struct device_memory *memory, uint64_t size)
{
    memory->heap_called = true;
    size = size ? size : 1;
    const uint64_t piece = device_heap_piece(size);
    if (piece > memory->heap - memory->heap_used)
        return 0;
    return allocate(memory, &memory->malloced, size, piece, "malloc in a kernel");
}

bool device_set_heap(struct device_memory *memory, uint64_t bytes)
{
    if (memory->heap_called)
        return false;
    memory->heap = bytes;
    return true;
}

/* The live allocation that has `address`, or NULL. */
static struct device_allocation *find(const struct device_memory *memory, uint64_t address)
{
    size_t behind = first_behind(memory, address);
    if (!behind)
        return NULL;
    struct device_allocation *a = memory->list[behind - 1];
    return !a->freed && address - a->address < a->size ? a : NULL;
}

/* Clears [from, to) for the next allocation there. Pages that lie wholly inside are given back to
 * the host. */
static void clear(struct device_memory *memory, uint64_t from, uint64_t to)
{
    uint64_t first = round_up(from, memory->page), last = to / memory->page * memory->page;
    if (first < last && mmap(memory->host + first, last - first, PROT_NONE, MAP_PRIVATE | MAP_FIXED,
                             memory->zero, (off_t)first) != MAP_FAILED) {
        memset(memory->host + from, 0, first - from);
        memset(memory->host + last, 0, to - last);
    } else {
        memset(memory->host + from, 0, to - from);
    }
}

bool device_free(struct device_memory *memory, uint64_t address)
{
    struct device_allocation *a = find(memory, address);
    if (!a || a->address != address || a->host)
        return false;
    a->freed = true;
    count(memory, a, false);
    if (memory->sanitizer) {
        a->freed_by = memory->sanitizer->stack;
        sanitizer_freed(memory->sanitizer, address);
    }
    clear(memory, address - DEVICE_BASE, address - DEVICE_BASE + a->size);
    return true;
}

uint64_t device_mark(struct device_memory *memory, const uint8_t **host, const uint8_t **host_end)
{
    memory->malloced = (struct chunk){0};
    *host = memory->host + memory->next;
    *host_end = memory->host + memory->reserved;
    return DEVICE_BASE + memory->next;
}

void device_rewind(struct device_memory *memory, uint64_t mark)
{
    const uint64_t end = DEVICE_BASE + memory->reserved;
    for (size_t i = 0; i < memory->count; i++) {
        const struct device_allocation *a = memory->list[i];
        if (!a->freed && a->address >= mark && a->address < end)
            (void)device_free(memory, a->address);
    }
    forget(memory, mark, end);
    memory->next = mark - DEVICE_BASE;
    memory->malloced = (struct chunk){0};
}

void device_revive(struct device_memory *memory, uint64_t address)
{
    size_t behind = first_behind(memory, address);
    struct device_allocation *a = behind ? memory->list[behind - 1] : NULL;
    if (!a || a->address != address || !a->freed || !make_accessible(memory, address, a->size))
        return;
    a->freed = false;
    count(memory, a, true);
}

bool device_map(struct device_memory *memory, uint64_t address, void *host, uint64_t size,
                const char *name)
{
    if (size == 0 || size > UINT64_MAX - address)
        return false;
    size_t below = first_behind(memory, address + size - 1);
    while (below > 0 && memory->list[below - 1]->freed)
        below--;
    if (below > 0 && memory->list[below - 1]->address + memory->list[below - 1]->size > address)
        return false;
    struct device_allocation *made = calloc(1, sizeof *made);
    if (!made)
        return false;
    forget(memory, address, address + size);
    *made = (struct device_allocation){.address = address, .size = size, .host = host};
    (void)snprintf(made->name, sizeof made->name, "%s", name ? name : "");
    if (insert(memory, made))
        return true;
    free(made);
    return false;
}

bool device_unmap(struct device_memory *memory, uint64_t address)
{
    struct device_allocation *a = find(memory, address);
    if (!a || a->address != address || !a->host)
        return false;
    a->freed = true;
    return true;
}

bool device_take(struct device_memory *memory, uint64_t bytes)
{
    if (bytes > memory->total - memory->used)
        return false;
    memory->used += bytes;
    return true;
}

void device_give_back(struct device_memory *memory, uint64_t bytes)
{
    memory->used -= bytes;
}

void *device_slack(struct device_memory *memory, uint64_t address, uint64_t size)
{
    const uint64_t page = address / DEVICE_PAGE * DEVICE_PAGE, end = page + DEVICE_PAGE;
    if (address < SLACK_BASE || address + size > DEVICE_BASE + memory->reserved ||
        address + size > end)
        return NULL;
    for (size_t i = first_behind(memory, end); i > 0; i--) {
        const struct device_allocation *a = memory->list[i - 1];
        const bool small_behind = a->address == end && a->size < LARGE;
        if (a->freed || a->host || small_behind)
            continue;
        return a->address + a->size > page ? make_accessible(memory, address, size) : NULL;
    }
    return NULL;
}

struct device_span device_span(const struct device_memory *memory, uint64_t address)
{
    const struct device_allocation *a = find(memory, address);
    if (!a)
        return (struct device_span){0, 0, NULL};
    uint8_t *host = a->host ? a->host : memory->host + (a->address - DEVICE_BASE);
    return (struct device_span){a->address, a->size, host};
}

void *device_pointer(struct device_memory *memory, uint64_t address, uint64_t size)
{
    struct device_span span = device_span(memory, address);
    uint64_t at = address - span.address;
    if (!span.size || size > span.size - at)
        return NULL;
    return span.host + at;
}

static uint64_t distance(const struct device_allocation *a, uint64_t address)
{
    if (address < a->address)
        return a->address - address;
    return address - a->address < a->size ? 0 : address - a->address - a->size + 1;
}

const struct device_allocation *device_nearest(const struct device_memory *memory, uint64_t address)
{
    size_t behind = first_behind(memory, address);
    const struct device_allocation *below = behind ? memory->list[behind - 1] : NULL;
    const struct device_allocation *above = behind < memory->count ? memory->list[behind] : NULL;
    if (!below || !above)
        return below ? below : above;
    return distance(above, address) < distance(below, address) ? above : below;
}

void device_memory_info(const struct device_memory *memory, uint64_t *used, uint64_t *total)
{
    *used = memory->used;
    *total = memory->total;
}
