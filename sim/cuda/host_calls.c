/* Call stacks of the program: backtrace() of glibc captures them, libdw of elfutils resolves them.
 */
#include "cuda/host_calls.h"

#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pool.h"
#include "cuda/host_source.h"
#include "sanitize/key_map.h"

enum { CAPTURED = 40 };

/* A stack: return addresses [first, first + count) of `address`. */
struct captured {
    uint32_t first, count;
    struct host_stack *resolved; /* NULL: not resolved yet */
};

struct host_calls {
    struct pool stack;    /* struct captured; number 1 is its first */
    struct pool address;  /* void * */
    struct key_map known; /* two hashes of the addresses -> number */
    struct host_source *source;
};

struct host_calls *host_calls_create(struct program_code *code)
{
    struct host_calls *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->stack.size = sizeof(struct captured);
    made->address.size = sizeof(void *);
    made->source = host_source_create(code);
    if (made->source)
        return made;
    free(made);
    return NULL;
}

void host_calls_free(struct host_calls *calls)
{
    if (!calls)
        return;
    const struct captured *stack = calls->stack.data;
    for (size_t i = 0; i < calls->stack.count; i++)
        free(stack[i].resolved);
    host_source_free(calls->source);
    pool_free(&calls->stack);
    pool_free(&calls->address);
    key_map_free(&calls->known);
    free(calls);
}

/* Bounds of the library that this file is part of; the linker defines them. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static bool is_own(const void *address)
{
    return (uintptr_t)address >= (uintptr_t)__ehdr_start && (uintptr_t)address < (uintptr_t)etext;
}

static uint32_t add_stack(struct host_calls *calls, void *const *address, uint32_t count)
{
    const struct captured added = {(uint32_t)calls->address.count, count, NULL};
    if (!pool_reserve(&calls->address, count) || !pool_add(&calls->stack, &added))
        return 0;
    for (uint32_t i = 0; i < count; i++)
        (void)pool_add(&calls->address, &address[i]);
    return (uint32_t)calls->stack.count;
}

static uint32_t number_of(struct host_calls *calls, void *const *address, uint32_t count)
{
    uint64_t hash[2] = {count, 0};
    for (uint32_t i = 0; i < count; i++) {
        hash[0] = (hash[0] ^ (uintptr_t)address[i]) * UINT64_C(0x100000001b3);
        hash[1] = (hash[1] + (uintptr_t)address[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    uint64_t *number = key_map_put(&calls->known, hash[0], hash[1]);
    if (number && !*number)
        *number = add_stack(calls, address, count);
    return number ? (uint32_t)*number : 0;
}

uint32_t host_calls_capture(struct host_calls *calls)
{
    void *address[CAPTURED];
    const int captured = backtrace(address, CAPTURED);
    const uint32_t count = captured > 0 ? (uint32_t)captured : 0;
    uint32_t first = 0;
    while (first < count && is_own(address[first]))
        first++;
    return number_of(calls, address + first, count - first);
}

uint32_t host_calls_capture_at(struct host_calls *calls, uintptr_t at)
{
    void *address[CAPTURED];
    const int captured = backtrace(address, CAPTURED);
    const uint32_t count = captured > 0 ? (uint32_t)captured : 0;
    uint32_t first = 0;
    while (first < count && (uintptr_t)address[first] != at) /* of the signal's handler */
        first++;
    void *const behind = (char *)at + 1; /* as the other addresses, which are behind their calls */
    if (first == count)
        return number_of(calls, &behind, 1);
    address[first] = behind;
    return number_of(calls, address + first, count - first);
}

const struct host_stack *host_calls_resolve(void *calls, uint32_t stack)
{
    struct host_calls *of = calls;
    if (!stack || stack > of->stack.count)
        return NULL;
    struct captured *row = (struct captured *)of->stack.data + stack - 1;
    void *const *address = of->address.data;
    if (row->resolved || !(row->resolved = calloc(1, sizeof *row->resolved)))
        return row->resolved;
    host_source_resolve(of->source, address + row->first, row->count, row->resolved);
    return row->resolved;
}
