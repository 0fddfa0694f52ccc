#include "cuda/nvtx/range_list.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct open_range {
    struct open_range *older, *newer;
    const struct range_domain *domain;
    char *name;
    uint64_t serial, thread; /* numbers of the range and of the thread that opened it, from 1 */
    bool pushed;
};

/* The open ranges of all threads, few at any time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct open_range *oldest, *newest;
static uint64_t ranges, threads;

/* Numbers of threads are never used again, unlike those of pthread_self. Needs the lock. */
static uint64_t this_thread(void)
{
    static _Thread_local uint64_t number;
    if (!number)
        number = ++threads;
    return number;
}

/*
 * Returns how much of a range's name says what it is. PyTorch's ranges go on with numbers of the
 * call: "aten::mm, seq = 3, op_id = 7".
 */
static size_t kind_length(const char *name)
{
    static const char *const numbers[] = {", seq = ", ", op_id = "};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const char *at = strstr(name, numbers[i]);
        length = at && (size_t)(at - name) < length ? (size_t)(at - name) : length;
    }
    return length;
}

uint64_t range_list_open(const struct range_domain *domain, const char *name, bool pushed)
{
    struct open_range *range = malloc(sizeof *range);
    char *copy = strndup(name, kind_length(name));
    if (!range || !copy) {
        free(range);
        free(copy);
        return 0;
    }
    (void)pthread_mutex_lock(&lock);
    *range = (struct open_range){.older = newest,
                                 .domain = domain,
                                 .name = copy,
                                 .serial = ++ranges,
                                 .thread = this_thread(),
                                 .pushed = pushed};
    *(newest ? &newest->newer : &oldest) = range;
    newest = range;
    const uint64_t serial = range->serial;
    (void)pthread_mutex_unlock(&lock);
    return serial;
}

/* Takes a range off the list and frees it. Needs the lock. */
static void close_range(struct open_range *range)
{
    *(range->older ? &range->older->newer : &oldest) = range->newer;
    *(range->newer ? &range->newer->older : &newest) = range->older;
    free(range->name);
    free(range);
}

static bool is_pushed_here(const struct open_range *range, const struct range_domain *domain)
{
    return range->pushed && range->domain == domain && range->thread == this_thread();
}

void range_list_pop(const struct range_domain *domain)
{
    (void)pthread_mutex_lock(&lock);
    struct open_range *range = newest;
    while (range && !is_pushed_here(range, domain))
        range = range->older;
    if (range)
        close_range(range);
    (void)pthread_mutex_unlock(&lock);
}

void range_list_end(uint64_t serial)
{
    (void)pthread_mutex_lock(&lock);
    struct open_range *range = newest;
    while (range && (range->pushed || range->serial != serial))
        range = range->older;
    if (range)
        close_range(range);
    (void)pthread_mutex_unlock(&lock);
}

int range_list_depth(const struct range_domain *domain)
{
    int depth = 0;
    (void)pthread_mutex_lock(&lock);
    for (const struct open_range *range = oldest; range; range = range->newer)
        depth += is_pushed_here(range, domain);
    (void)pthread_mutex_unlock(&lock);
    return depth;
}

open_ranges_function simsm_open_ranges;

void simsm_open_ranges(open_range_visit *visit, void *context)
{
    (void)pthread_mutex_lock(&lock);
    for (const struct open_range *range = oldest; range; range = range->newer)
        if (range->thread == this_thread())
            visit(context, range->domain ? range->domain->name : "", range->name, range->serial);
    (void)pthread_mutex_unlock(&lock);
}
