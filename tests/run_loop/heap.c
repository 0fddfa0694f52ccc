/*
 * Takes the place of the C library's heap functions and hands on to them: what libraries and the C
 * library itself allocate is seen as well. So are pages that somebody maps, and pieces of an arena
 * (--wrap), most of which need no new pages.
 */
#include "heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"

enum { CALLERS = 16, DEPTH = 12, OWN_FRAMES = 2, SHOWN = 6, EARLY = 4096 };

struct caller {
    const char *function;
    int depth;
    void *frame[DEPTH];
};

static struct caller callers[CALLERS];
static atomic_ulong calls;
static atomic_uint caller_count;
static atomic_bool watching;
static _Thread_local bool busy; /* backtrace() may allocate */

/* Memory for dlsym(), which allocates before it has found the heap. Never freed. */
static _Alignas(max_align_t) unsigned char early[EARLY];
static size_t early_used;

static bool is_early(const void *pointer)
{
    uintptr_t at = (uintptr_t)pointer;
    return at >= (uintptr_t)early && at < (uintptr_t)early + EARLY;
}

static void *early_calloc(size_t bytes)
{
    size_t taken = (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t);
    taken *= _Alignof(max_align_t);
    if (bytes > EARLY || taken > EARLY - early_used)
        abort();
    void *room = early + early_used;
    early_used += taken;
    return room;
}

/* The next function of this name behind this program. */
static bool find(void *function, const char *name)
{
    static _Thread_local bool finding;
    if (finding)
        return false;
    finding = true;
    void *found = dlsym(RTLD_NEXT, name);
    finding = false;
    if (!found)
        abort();
    memcpy(function, &found, sizeof found);
    return true;
}

static bool is_known(const struct caller *caller)
{
    unsigned known = atomic_load(&caller_count);
    for (unsigned i = 0; i < known && i < CALLERS; i++)
        if (callers[i].depth == caller->depth &&
            memcmp(callers[i].frame, caller->frame, sizeof caller->frame) == 0)
            return true;
    return false;
}

static void count(const char *function)
{
    if (!atomic_load_explicit(&watching, memory_order_relaxed) || busy)
        return;
    busy = true;
    struct caller caller = {.function = function};
    caller.depth = backtrace(caller.frame, DEPTH);
    atomic_fetch_add(&calls, 1);
    if (!is_known(&caller)) {
        unsigned place = atomic_fetch_add(&caller_count, 1);
        if (place < CALLERS)
            callers[place] = caller;
    }
    busy = false;
}

void *malloc(size_t bytes)
{
    static void *(*next)(size_t);
    count("malloc");
    if (!next && !find(&next, "malloc"))
        return early_calloc(bytes);
    return next(bytes);
}

void *calloc(size_t count_, size_t bytes)
{
    static void *(*next)(size_t, size_t);
    count("calloc");
    if (!next && !find(&next, "calloc"))
        return early_calloc(count_ * bytes);
    return next(count_, bytes);
}

void *realloc(void *old, size_t bytes)
{
    static void *(*next)(void *, size_t);
    count("realloc");
    if (!next && !find(&next, "realloc"))
        abort();
    return next(old, bytes);
}

int posix_memalign(void **to, size_t alignment, size_t bytes)
{
    static int (*next)(void **, size_t, size_t);
    count("posix_memalign");
    if (!next && !find(&next, "posix_memalign"))
        abort();
    return next(to, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    static void *(*next)(size_t, size_t);
    count("aligned_alloc");
    if (!next && !find(&next, "aligned_alloc"))
        abort();
    return next(alignment, bytes);
}

void free(void *pointer)
{
    static void (*next)(void *);
    if (!pointer || is_early(pointer))
        return;
    count("free");
    if (!next && !find(&next, "free"))
        return;
    next(pointer);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t from)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);
    count("mmap");
    if (!next && !find(&next, "mmap"))
        return MAP_FAILED;
    return next(at, bytes, protection, flags, file, from);
}

void *mmap64(void *at, size_t bytes, int protection, int flags, int file, off64_t from)
{
    static void *(*next)(void *, size_t, int, int, int, off64_t);
    count("mmap64");
    if (!next && !find(&next, "mmap64"))
        return MAP_FAILED;
    return next(at, bytes, protection, flags, file, from);
}

/* The linker puts these in place of arena_take() and arena_take_pool(). */
void *__real_arena_take(struct arena *arena, size_t count_, size_t size);
void *__wrap_arena_take(struct arena *arena, size_t count_, size_t size);
void *__real_arena_take_pool(struct arena *arena, size_t count_, size_t size);
void *__wrap_arena_take_pool(struct arena *arena, size_t count_, size_t size);

void *__wrap_arena_take(struct arena *arena, size_t count_, size_t size)
{
    count("arena_take");
    return __real_arena_take(arena, count_, size);
}

void *__wrap_arena_take_pool(struct arena *arena, size_t count_, size_t size)
{
    count("arena_take_pool");
    return __real_arena_take_pool(arena, count_, size);
}

void heap_watch(bool on)
{
    void *frame[DEPTH];
    (void)backtrace(frame, DEPTH); /* loads its library now */
    atomic_store(&watching, on);
}

unsigned long heap_calls(void)
{
    return atomic_load(&calls);
}

void heap_forget(void)
{
    atomic_store(&calls, 0);
    atomic_store(&caller_count, 0);
    memset(callers, 0, sizeof callers);
}

/* addr2line knows static functions, too; without it there are addresses alone. */
static void print_frame(FILE *out, void *frame, const char *program)
{
    Dl_info info = {0};
    char command[600], line[400] = "";
    /* The call is before the address to which it returns. */
    uintptr_t at = (uintptr_t)frame - 1;
    if (!dladdr((void *)at, &info) || !info.dli_fname)
        return;
    const char *file = strchr(info.dli_fname, '/') ? info.dli_fname : program;
    (void)snprintf(command, sizeof command, "addr2line -spfe '%s' 0x%llx 2>/dev/null", file,
                   (unsigned long long)(at - (uintptr_t)info.dli_fbase));
    FILE *found = popen(command, "r");
    if (found && !fgets(line, sizeof line, found))
        line[0] = '\0';
    if (found)
        (void)pclose(found);
    line[strcspn(line, "\n")] = '\0';
    (void)fprintf(out, "      %s (%s+0x%llx)\n", line[0] ? line : "?", file,
                  (unsigned long long)(at - (uintptr_t)info.dli_fbase));
}

void heap_print_callers(FILE *out, const char *program)
{
    unsigned known = atomic_load(&caller_count);
    for (unsigned i = 0; i < known && i < CALLERS; i++) {
        (void)fprintf(out, "    %s, called by\n", callers[i].function);
        for (int k = OWN_FRAMES; k < callers[i].depth && k < OWN_FRAMES + SHOWN; k++)
            print_frame(out, callers[i].frame[k], program);
    }
}
