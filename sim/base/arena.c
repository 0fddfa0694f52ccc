#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "base/arena.h"

#include <stdint.h>
#include <sys/mman.h>

/* AddressSanitizer learns where each piece ends. */
#if defined __has_include
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(from, bytes)   ((void)(from), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#endif

enum { ALIGN = 64, FENCE = 64 /* bytes behind each piece that nobody may access */ };

#define LARGE_PAGE ((size_t)2 << 20)
#define CHUNK      ((size_t)16 << 20)

/* Header of a chunk; it lies at the beginning of the chunk. */
struct arena_chunk {
    struct arena_chunk *before;
    void *mapped;
    size_t
        bytes; /* mapped bytes, including those skipped so that the chunk begins at a large page */
};

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Maps a new chunk with room for `bytes`. Returns 0, or -1 if memory runs out. */
static int open_chunk(struct arena_part *part, size_t bytes, int advice)
{
    size_t room = round_up(bytes + ALIGN, CHUNK);
    void *mapped = mmap(NULL, room + LARGE_PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        return -1;
    size_t ahead = round_up((uintptr_t)mapped, LARGE_PAGE) - (uintptr_t)mapped;
    struct arena_chunk *chunk = (void *)((char *)mapped + ahead);
    (void)madvise(chunk, room,
                  advice); /* the result is ignored: without large pages only speed suffers */
    *chunk = (struct arena_chunk){part->chunk, mapped, room + LARGE_PAGE};
    *part = (struct arena_part){chunk, ALIGN, room};
    ASAN_POISON_MEMORY_REGION((char *)chunk + ALIGN, room - ALIGN);
    return 0;
}

static void *take(struct arena_part *part, size_t count, size_t size, int advice)
{
    if (size != 0 && count > (SIZE_MAX / 2 - CHUNK) / size)
        return NULL;
    size_t bytes = round_up(count * size + FENCE, ALIGN);
    if (bytes > part->room - part->used && open_chunk(part, bytes, advice) != 0)
        return NULL;
    char *piece = (char *)part->chunk + part->used;
    part->used += bytes;
    ASAN_UNPOISON_MEMORY_REGION(piece, count * size);
    return piece;
}

void *arena_take(struct arena *arena, size_t count, size_t size)
{
    return take(&arena->large, count, size, arena->only_small ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
}

void *arena_take_pool(struct arena *arena, size_t count, size_t size)
{
    return take(&arena->small, count, size, MADV_NOHUGEPAGE);
}

static void free_chunks(struct arena_chunk *chunk)
{
    for (struct arena_chunk *before; chunk != NULL; chunk = before) {
        before = chunk->before;
        ASAN_UNPOISON_MEMORY_REGION(chunk, chunk->bytes - LARGE_PAGE);
        (void)munmap(chunk->mapped, chunk->bytes);
    }
}

void arena_free(struct arena *arena)
{
    free_chunks(arena->large.chunk);
    free_chunks(arena->small.chunk);
    *arena = (struct arena){0};
}
