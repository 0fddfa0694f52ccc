/* Closes and opens pages of memory that program and kernels reach. */
#include "cuda/host_watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/host_calls.h"
#include "cuda/host_memory.h"
#include "cuda/interrupt.h"
#include "cuda/runtime.h"
#include "sanitize/host_order.h"

/* PAGE_OPENED: was closed until the program accessed it. */
enum page_state { PAGE_OPEN, PAGE_READ_ONLY, PAGE_CLOSED, PAGE_OPENED };

enum { MOST_RUNS = 4096 }; /* of pages that are closed: the system allows some 65000 mappings */

/* The whole pages of a block. */
struct pages {
    uint64_t begin, end, size; /* size: of a page */
    uint64_t used;             /* end of the block's bytes, at most `end` */
};

static struct pages pages_of(const struct host_block *block)
{
    const uint64_t size = (uint64_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)block->address;
    struct pages pages = {.size = size};
    pages.begin = (at + size - 1) / size * size;
    pages.end = block->mapped ? at + block->mapped : (at + block->size) / size * size;
    pages.end = pages.end < pages.begin ? pages.begin : pages.end;
    pages.used = at + block->size < pages.end ? at + block->size : pages.end;
    return pages;
}

static enum page_state judge(struct runtime *rt, const struct pages *pages, uint64_t at,
                             const struct stream_clock *waited)
{
    const uint64_t end = at + pages->size < pages->used ? at + pages->size : pages->used;
    switch (sanitizer_host_may(rt->sanitizer, waited, at, end - at)) {
    case HOST_MAY_WRITE:
        return PAGE_OPEN;
    case HOST_MAY_READ:
        return PAGE_READ_ONLY;
    case HOST_MAY_NOTHING:
        break;
    }
    return PAGE_CLOSED;
}

static bool is_closed(uint8_t state)
{
    return state == PAGE_READ_ONLY || state == PAGE_CLOSED;
}

/* Looks at the pages that were touched since the last look, and, if the program has waited since
 * (`waited`), at those that are closed. Returns whether any is closed. */
static bool look_at_block(struct runtime *rt, struct host_block *block, bool waited)
{
    const struct pages pages = pages_of(block);
    const uint64_t region = UINT64_C(1) << SHADOW_REGION_BITS;
    const struct stream_clock *host = &rt->sanitizer->streams.host;
    bool any = false, touched = false;
    for (uint64_t at = pages.begin; at < pages.end; at += pages.size) {
        if (at == pages.begin || at % region < pages.size)
            touched = shadow_region_touched(rt->sanitizer->shadow, at);
        if (touched && !block->page)
            block->page = calloc((pages.end - pages.begin) / pages.size, 1);
        if (!block->page)
            continue;
        uint8_t *state = &block->page[(at - pages.begin) / pages.size];
        if (touched || (waited && is_closed(*state)))
            *state = (uint8_t)judge(rt, &pages, at, host);
        any |= is_closed(*state);
    }
    return any;
}

/* Forgets which pages are closed: the program has waited for everything. */
static void forget_all(struct runtime *rt)
{
    for (size_t i = 0; i < host_memory_count(rt->host); i++) {
        struct host_block *block = host_memory_block(rt->host, i);
        free(block->page);
        block->page = NULL;
    }
    rt->sanitizer->host_pending = false;
}

static void look(struct runtime *rt)
{
    struct sanitizer *sanitizer = rt->sanitizer;
    struct host_watch *watch = &rt->host_watch;
    const bool waited = memcmp(&watch->host, &sanitizer->streams.host, sizeof watch->host) != 0;
    const bool touched = shadow_host_touched(sanitizer->shadow);
    if (!waited && !touched)
        return;
    watch->host = sanitizer->streams.host;
    if (stream_order_host_has_all(&sanitizer->streams)) {
        forget_all(rt);
    } else if (touched || sanitizer->host_pending) {
        bool any = false;
        for (size_t i = 0; i < host_memory_count(rt->host); i++)
            any |= look_at_block(rt, host_memory_block(rt->host, i), waited);
        sanitizer->host_pending = any;
    }
    shadow_settle_touched(sanitizer->shadow);
}

/* Closes the pages of a block, as the states say, to code of the program that is ordered behind
 * *function (NULL: what the program has waited for). Adds to *runs. */
static void close_block(struct runtime *rt, const struct host_block *block,
                        const struct stream_clock *function, uint32_t *runs)
{
    const struct pages pages = pages_of(block);
    uint64_t from = pages.begin;
    uint8_t before = PAGE_OPEN;
    for (uint64_t at = pages.begin; at <= pages.end; at += pages.size) {
        const uint64_t index = (at - pages.begin) / pages.size;
        uint8_t state = at < pages.end && is_closed(block->page[index]) ? block->page[index]
                                                                        : (uint8_t)PAGE_OPEN;
        if (state != PAGE_OPEN && function)
            state = (uint8_t)judge(rt, &pages, at, function);
        if (state == before)
            continue;
        if (before != PAGE_OPEN && (*runs)++ < MOST_RUNS)
            (void)mprotect((void *)from, at - from,
                           before == PAGE_READ_ONLY ? PROT_READ : PROT_NONE);
        from = at;
        before = state;
    }
}

void host_watch_close(struct runtime *rt, const struct stream_clock *function)
{
    struct host_watch *watch = &rt->host_watch;
    uint32_t runs = 0;
    if (!rt->sanitizer || rt->broken || watch->closed)
        return;
    look(rt);
    if (!rt->sanitizer->host_pending || !interrupt_take_faults())
        return;
    watch->waited = function ? *function : rt->sanitizer->streams.host;
    watch->closed = true;
    for (size_t i = 0; i < host_memory_count(rt->host); i++)
        if (host_memory_block(rt->host, i)->page)
            close_block(rt, host_memory_block(rt->host, i), function, &runs);
}

void host_watch_open(struct runtime *rt)
{
    if (!rt->host_watch.closed)
        return;
    for (size_t i = 0; i < host_memory_count(rt->host); i++) {
        const struct host_block *block = host_memory_block(rt->host, i);
        const struct pages pages = pages_of(block);
        if (block->page)
            (void)mprotect((void *)pages.begin, pages.end - pages.begin, PROT_READ | PROT_WRITE);
    }
    rt->host_watch.closed = false;
}

static void report(struct runtime *rt, const struct host_fault *fault, uint64_t page,
                   const struct pages *pages)
{
    const struct device_allocation *memory = device_nearest(rt->memory, fault->address);
    const struct host_access access = {
        .address = fault->address,
        .page = page,
        .page_bytes = (page + pages->size < pages->used ? page + pages->size : pages->used) - page,
        .writes = fault->writes,
        .what = !fault->known   ? "access"
                : fault->writes ? "write"
                                : "read",
        .stack = host_calls_capture_at(rt->calls, fault->at),
        .memory = memory ? memory->name : "",
        .offset = memory ? fault->address - memory->address : 0};
    sanitizer_host_access_at(rt->sanitizer, &rt->host_watch.waited, &access);
}

bool host_watch_fault(struct runtime *rt, const struct host_fault *fault)
{
    for (size_t i = 0; rt->sanitizer && i < host_memory_count(rt->host); i++) {
        struct host_block *block = host_memory_block(rt->host, i);
        const struct pages pages = pages_of(block);
        if (!block->page || fault->address < pages.begin || fault->address >= pages.end)
            continue;
        const uint64_t index = (fault->address - pages.begin) / pages.size;
        const uint64_t page = pages.begin + index * pages.size;
        const bool closed = is_closed(block->page[index]);
        if (!closed && block->page[index] != PAGE_OPENED) /* another thread has opened it */
            return false;
        if (closed)
            report(rt, fault, page, &pages);
        block->page[index] = PAGE_OPENED;
        return mprotect((void *)page, pages.size, PROT_READ | PROT_WRITE) == 0;
    }
    return false;
}
