/* The life of a sanitizer, of launches and blocks, and the memory that begins unwritten. */
#include "sanitize/sanitizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sanitizer *sanitizer_create(uint64_t base, uint64_t bytes, uint64_t wanted)
{
    struct sanitizer *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    findings_begin(&made->findings, wanted);
    past_begin(&made->past);
    grid_order_begin(&made->order);
    made->launch.size = sizeof(struct sanitizer_launch);
    made->memory.size = sizeof(struct sanitizer_memory);
    made->shadow = shadow_create(base, bytes);
    if (made->shadow)
        return made;
    sanitizer_destroy(made);
    return NULL;
}

void sanitizer_destroy(struct sanitizer *sanitizer)
{
    if (!sanitizer)
        return;
    findings_free(&sanitizer->findings);
    past_free(&sanitizer->past);
    grid_order_free(&sanitizer->order);
    pool_free(&sanitizer->launch);
    pool_free(&sanitizer->memory);
    key_map_free(&sanitizer->used);
    shadow_destroy(sanitizer->shadow);
    free(sanitizer);
}

void sanitizer_begin(struct sanitizer *sanitizer, const struct sanitizer_launch *launch,
                     uint64_t stream, bool blocking)
{
    struct sanitizer_launch added = *launch;
    added.stack = sanitizer->stack;
    added.operation = stream_order_begin(&sanitizer->streams, stream, blocking);
    sanitizer->time++;
    if (launch->early)
        stream_order_begins_early(&sanitizer->streams, added.operation.slot);
    if (stream_order_is_alone(&sanitizer->streams)) {
        if (past_is_full(&sanitizer->past)) {
            shadow_forget_accesses(sanitizer->shadow);
            past_begin(&sanitizer->past);
        }
        past_settle(&sanitizer->past, sanitizer->host_pending);
        if (!sanitizer->host_pending)
            sanitizer->launch.count = 0;
    }
    sanitizer->any_record = 0;
    grid_order_free(&sanitizer->order);
    grid_order_begin(&sanitizer->order);
    sanitizer->findings.failed |= !pool_add(&sanitizer->launch, &added);
}

struct sanitizer_block *sanitizer_block_create(struct sanitizer *sanitizer, uint32_t warps,
                                               uint32_t shared)
{
    struct sanitizer_block *block = calloc(1, sizeof *block);
    if (!block)
        return NULL;
    block->sanitizer = sanitizer;
    block->warps = warps;
    block->lines = (shared + SHADOW_BYTES - 1) / SHADOW_BYTES;
    block->bulk.size = sizeof(struct bulk_state);
    past_begin(&block->past);
    block->warp = calloc(warps, sizeof *block->warp);
    block->shared = calloc(block->lines + 1, sizeof *block->shared);
    block->written = calloc((size_t)(block->lines + 1) * SHADOW_BITS, sizeof *block->written);
    if (block->warp && block->shared && block->written)
        return block;
    sanitizer_block_destroy(block);
    return NULL;
}

void sanitizer_block_begin(struct sanitizer_block *block, uint64_t index)
{
    block->index = index;
    memset(block->shared, 0, block->lines * sizeof *block->shared);
    memset(block->written, 0, (size_t)block->lines * SHADOW_BITS * sizeof *block->written);
    past_begin(&block->past);
    block->bulk.count = block->bulk_open = 0;
    block->fenced = block->fences = 0;
    block->fenced_shared = block->waited = false;
    key_map_free(&block->mbarriers);
    block_order_settle(&block->order, ++block->sanitizer->time);
    for (uint32_t i = 0; i < block->warps; i++)
        block->warp[i] = (struct sanitizer_warp){.block = block, .index = i};
}

void sanitizer_block_destroy(struct sanitizer_block *block)
{
    if (!block)
        return;
    free(block->warp);
    free(block->shared);
    free(block->written);
    past_free(&block->past);
    pool_free(&block->bulk);
    key_map_free(&block->mbarriers);
    block_order_free(&block->order);
    free(block);
}

/* Returns the index of the first memory behind `address`. */
static size_t first_behind(const struct sanitizer *sanitizer, uint64_t address)
{
    const struct sanitizer_memory *memory = sanitizer->memory.data;
    size_t low = 0, high = sanitizer->memory.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (memory[middle].address > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct sanitizer_memory *sanitizer_memory_at(const struct sanitizer *sanitizer, uint64_t address)
{
    struct sanitizer_memory *memory = sanitizer->memory.data;
    const size_t behind = first_behind(sanitizer, address);
    if (!behind || address - memory[behind - 1].address >= memory[behind - 1].size)
        return NULL;
    return &memory[behind - 1];
}

void sanitizer_forget_memory(struct sanitizer *sanitizer, uint64_t address)
{
    struct sanitizer_memory *memory = sanitizer_memory_at(sanitizer, address);
    if (!memory || memory->address != address)
        return;
    struct sanitizer_memory *end =
        (struct sanitizer_memory *)sanitizer->memory.data + sanitizer->memory.count--;
    memmove(memory, memory + 1, (size_t)(end - memory - 1) * sizeof *memory);
}

void sanitizer_allocated(struct sanitizer *sanitizer, uint64_t address, uint64_t size,
                         const char *name, bool heap)
{
    struct sanitizer_memory made = {
        .address = address, .size = size, .heap = heap, .stack = sanitizer->stack};
    const size_t at = first_behind(sanitizer, address);
    (void)snprintf(made.name, sizeof made.name, "%s", name);
    if (!pool_add(&sanitizer->memory, &made)) {
        sanitizer->findings.failed = true;
        return;
    }
    struct sanitizer_memory *memory = sanitizer->memory.data;
    memmove(memory + at + 1, memory + at, (sanitizer->memory.count - 1 - at) * sizeof *memory);
    memory[at] = made;
    shadow_clear(sanitizer->shadow, address, size);
}

static void report_memory(struct sanitizer *sanitizer, const struct sanitizer_memory *memory,
                          enum finding_kind kind)
{
    struct finding finding = {.kind = kind,
                              .key = (memory->stack ? memory->stack : memory->address) * 64 + kind,
                              .memory.allocation.stack = memory->stack};
    (void)snprintf(finding.message, sizeof finding.message, "%s: \"%s\", %llu bytes at 0x%llx",
                   finding_rows[kind].title, memory->name, (unsigned long long)memory->size,
                   (unsigned long long)memory->address);
    findings_add(&sanitizer->findings, &finding);
}

/* Reports memory that was never read or written. */
static void look_for_use(struct sanitizer *sanitizer, const struct sanitizer_memory *memory)
{
    if (memory->heap)
        return;
    const uint64_t unwritten = shadow_unwritten(sanitizer->shadow, memory->address, memory->size);
    if (unwritten < memory->size - memory->size / 10)
        return;
    const bool untouched = unwritten == memory->size &&
                           shadow_is_untouched(sanitizer->shadow, memory->address, memory->size);
    report_memory(sanitizer, memory, untouched ? FINDING_UNUSED : FINDING_UNUSED_PART);
}

void sanitizer_freed(struct sanitizer *sanitizer, uint64_t address)
{
    struct sanitizer_memory *memory = sanitizer_memory_at(sanitizer, address);
    if (!memory || memory->address != address)
        return;
    look_for_use(sanitizer, memory);
    sanitizer_forget_memory(sanitizer, address);
}

void sanitizer_place_of(const struct sanitizer_warp *warp, uint32_t at, uint32_t lane,
                        const char *what, struct finding_place *place)
{
    const struct sanitizer *sanitizer = warp->block->sanitizer;
    const struct sanitizer_launch *list = sanitizer->launch.data;
    const struct sanitizer_launch *launch = &list[sanitizer->launch.count - 1];
    const uint32_t thread = warp->index * SANITIZER_LANES + lane;
    const uint64_t index = warp->block->index;
    *place = (struct finding_place){.what = what, .launch = launch->number, .has_thread = true};
    place->by.stack = launch->stack;
    sanitizer->place(launch->module, launch->kernel, at, place);
    place->thread[0] = thread % launch->block[0];
    place->thread[1] = thread / launch->block[0] % launch->block[1];
    place->thread[2] = thread / launch->block[0] / launch->block[1];
    place->block[0] = (uint32_t)(index % launch->grid[0]);
    place->block[1] = (uint32_t)(index / launch->grid[0] % launch->grid[1]);
    place->block[2] = (uint32_t)(index / launch->grid[0] / launch->grid[1]);
}

void sanitizer_end(struct sanitizer *sanitizer, bool broken)
{
    const struct sanitizer_memory *memory = sanitizer->memory.data;
    for (size_t i = 0; i < sanitizer->memory.count && !broken; i++) {
        look_for_use(sanitizer, &memory[i]);
        report_memory(sanitizer, &memory[i], memory[i].heap ? FINDING_LEAK_HEAP : FINDING_LEAK);
    }
    findings_settle(&sanitizer->findings);
}
