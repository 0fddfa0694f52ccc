#include "cuda/ranges.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cuda/nvtx/open_ranges.h"

static const char profiler_name[] = "cudaProfilerStart";
static atomic_uint_fast64_t profiler_calls; /* of cudaProfilerStart and -Stop that had an effect */
static atomic_bool profiling;

void ranges_profile(bool on)
{
    if (atomic_exchange(&profiling, on) != on)
        (void)atomic_fetch_add(&profiler_calls, 1);
}

static struct range *range_at(const struct ranges *ranges, uint32_t number)
{
    return (struct range *)ranges->pool.data + number - 1;
}

const struct range *ranges_get(const struct ranges *ranges, uint32_t number)
{
    return range_at(ranges, number);
}

/* State of ranges_now() while the NVTX library visits the open ranges. */
struct range_walk {
    struct ranges *ranges;
    uint32_t number; /* of the range reached so far */
    bool failed;     /* memory ran out */
};

/* Returns the range of this name within `parent`; 0 if there is none. */
static uint32_t find(const struct ranges *ranges, uint32_t parent, const char *name)
{
    for (uint32_t i = 1; i <= ranges->pool.count; i++)
        if (range_at(ranges, i)->parent == parent && strcmp(range_at(ranges, i)->name, name) == 0)
            return i;
    return 0;
}

static void enter(void *context, const char *domain, const char *name, uint64_t serial)
{
    struct range_walk *walk = context;
    char whole[256];
    if (walk->failed)
        return;
    (void)snprintf(whole, sizeof whole, "%s%s%s", domain, domain[0] ? ":" : "", name);
    (void)printable(whole, whole, sizeof whole);
    uint32_t number = find(walk->ranges, walk->number, whole);
    if (!number) {
        const struct range range = {.parent = walk->number, .name = strdup(whole)};
        walk->failed = !range.name || !pool_add(&walk->ranges->pool, &range);
        if (walk->failed) {
            free(range.name);
            return;
        }
        number = (uint32_t)walk->ranges->pool.count;
    }
    struct range *range = range_at(walk->ranges, number);
    range->passes += range->passes == 0 || range->serial != serial;
    range->serial = serial;
    walk->number = number;
}

/* Returns the function of the library that `simsm run` names; NULL if the program has not loaded
 * the library, so that no range can be open. */
static open_ranges_function *find_library(void)
{
    static open_ranges_function *function;
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = !function && path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *symbol = library ? dlsym(library, OPEN_RANGES_FUNCTION) : NULL;
    if (symbol)
        memcpy(&function, &symbol, sizeof function); /* ISO C has no such cast */
    return function;
}

uint32_t ranges_now(struct ranges *ranges)
{
    struct range_walk walk = {.ranges = ranges};
    open_ranges_function *visit_all = find_library();
    ranges->pool.size = sizeof(struct range);
    if (atomic_load(&profiling))
        enter(&walk, "", profiler_name, atomic_load(&profiler_calls));
    if (visit_all)
        visit_all(enter, &walk);
    return walk.failed ? 0 : walk.number;
}

const char *ranges_path(const struct ranges *ranges, uint32_t number, char *text, uint32_t size)
{
    if (!number)
        return NULL;
    text[0] = '\0';
    for (; number; number = range_at(ranges, number)->parent) {
        const char *name = range_at(ranges, number)->name;
        const size_t length = strlen(name), used = strlen(text);
        if (length + used + 2 > size)
            break;
        memmove(text + length + (used > 0), text, used + 1);
        memcpy(text, name, length);
        if (used)
            text[length] = '/';
    }
    return text;
}

void ranges_free(struct ranges *ranges)
{
    for (uint32_t i = 1; i <= ranges->pool.count; i++)
        free(range_at(ranges, i)->name);
    pool_free(&ranges->pool);
}
