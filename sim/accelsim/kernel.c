/* Converts the trace of one kernel into a launch of a recording. */
#include "accelsim/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "accelsim/accelsim_memory.h"
#include "accelsim/accelsim_walk.h"
#include "accelsim/notes.h"
#include "base/check.h"
#include "base/err.h"
#include "front/packed_warp.h"
#include "model/op.h"

enum { MOST_WARPS = 32 };

struct accelsim_kernel {
    const char *path;
    int (*stop)(void);
    struct accelsim_header header;
    struct accelsim_code code;
    struct memory_map map;
    struct accelsim_notes *notes;
    uint64_t *block; /* [blocks] indices of the blocks, in file order */
    uint64_t blocks, room;
    /* for the second reading: */
    struct recording_writer *writer;
    struct accelsim_header second_header;
    uint32_t warp;        /* index of the current warp in its block */
    uint64_t global_warp; /* index of the current warp in the grid */
    struct byte_buffer bytes[MOST_WARPS];
    struct packed_writer packer[MOST_WARPS];
};

enum simsm_status kernel_launch(const char *path, struct simsm_launch *launch,
                                struct simsm_error *error)
{
    struct accelsim_lines *lines;
    struct accelsim_header header;
    bool blocks;
    enum simsm_status status = lines_open(&lines, path, error);
    if (status != SIMSM_OK)
        return status;
    status = header_read(&header, &blocks, lines, error);
    lines_close(lines);
    if (status == SIMSM_OK)
        *launch = header.launch;
    return status;
}

static bool is_stopped(const struct accelsim_kernel *kernel)
{
    return kernel->stop && kernel->stop() != 0;
}

static void survey_warp(void *context, uint64_t block, uint32_t warp)
{
    (void)context;
    (void)block;
    (void)warp;
}

static void survey_instruction(void *context, uint32_t entry, const struct warp_inst *inst,
                               const struct lane_addresses *addresses)
{
    struct accelsim_kernel *kernel = context;
    kernel->notes->warp_instructions++;
    kernel->notes->thread_instructions += (uint64_t)__builtin_popcount(inst->exec);
    if (entry == CODE_NONE) {
        kernel->notes->added_exits++;
        return;
    }
    struct code_entry *code = &kernel->code.entry[entry];
    code->count++;
    if (op_is_branch(code->inst.op) && inst->exec != inst->active)
        code->inst.conditional = true;
    memory_map_note(&kernel->map, code, inst->exec, addresses);
}

static enum simsm_status survey_block(void *context, uint64_t block, struct simsm_error *error)
{
    struct accelsim_kernel *kernel = context;
    if (is_stopped(kernel))
        return err_set(error, SIMSM_INTERRUPTED, "%s", "");
    if (kernel->blocks == kernel->room) {
        uint64_t room = kernel->room ? 2 * kernel->room : 1024;
        uint64_t *larger = realloc(kernel->block, room * sizeof *larger);
        if (!larger)
            return err_no_memory(error);
        kernel->block = larger;
        kernel->room = room;
    }
    kernel->block[kernel->blocks++] = block;
    return SIMSM_OK;
}

static int compare_blocks(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Checks that the trace has each block of the grid once. */
static enum simsm_status check_blocks(const struct accelsim_kernel *kernel,
                                      struct simsm_error *error)
{
    const uint32_t *grid = kernel->header.launch.grid;
    uint64_t wanted = simsm_grid_blocks(&kernel->header.launch),
             plane = (uint64_t)grid[0] * grid[1];
    if (kernel->blocks)
        qsort(kernel->block, kernel->blocks, sizeof *kernel->block, compare_blocks);
    for (uint64_t i = 1; i < kernel->blocks; i++) {
        uint64_t block = kernel->block[i];
        if (block == kernel->block[i - 1])
            return err_at(error, SIMSM_BAD_INPUT, kernel->path, 0, 0,
                          "block %llu,%llu,%llu is in the trace twice",
                          (unsigned long long)(block % grid[0]),
                          (unsigned long long)(block / grid[0] % grid[1]),
                          (unsigned long long)(block / plane));
    }
    if (kernel->blocks != wanted)
        return err_at(error, SIMSM_BAD_INPUT, kernel->path, 0, 0,
                      "the trace has %llu of the grid's %llu blocks: the file was cut off, or only "
                      "a part of the kernel was traced; trace it whole",
                      (unsigned long long)kernel->blocks, (unsigned long long)wanted);
    return SIMSM_OK;
}

/* Notes the instructions that are approximated. */
static void note_code(const struct accelsim_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->code.count; i++) {
        const struct code_entry *entry = &kernel->code.entry[i];
        if (!entry->known)
            notes_add(kernel->notes, entry->name, ACCELSIM_UNKNOWN, entry->count);
        else if (op_is_memory((enum simsm_op_class)entry->inst.op) && !entry->addressed)
            notes_add(kernel->notes, entry->name, ACCELSIM_NO_ADDRESS, entry->count);
    }
}

static enum simsm_status survey(struct accelsim_kernel *kernel, struct simsm_error *error)
{
    const struct visitor visitor = {kernel, survey_warp, survey_instruction, survey_block};
    enum simsm_status status =
        walk(kernel->path, &kernel->header, &kernel->code, true, &visitor, error);
    if (status == SIMSM_OK)
        status = check_blocks(kernel, error);
    if (status == SIMSM_OK && !code_finish(&kernel->code))
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        note_code(kernel);
    return status;
}

static void convert_warp(void *context, uint64_t block, uint32_t warp)
{
    struct accelsim_kernel *kernel = context;
    SIMSM_CHECK(warp < MOST_WARPS, "warp %u of %d", warp, MOST_WARPS);
    kernel->warp = warp;
    kernel->global_warp = block * simsm_block_warps(&kernel->header.launch) + warp;
    kernel->bytes[warp].size = 0;
    packed_writer_begin(&kernel->packer[warp], kernel->code.inst, &kernel->bytes[warp]);
}

static void convert_instruction(void *context, uint32_t entry, const struct warp_inst *inst,
                                const struct lane_addresses *addresses)
{
    struct accelsim_kernel *kernel = context;
    struct lane_addresses real;
    const struct code_entry *code = entry == CODE_NONE ? NULL : &kernel->code.entry[entry];
    bool access = code && inst->exec && op_is_memory((enum simsm_op_class)code->inst.op);
    if (access)
        memory_map_apply(&kernel->map, code, inst->exec, kernel->global_warp, addresses, &real);
    packed_put(&kernel->packer[kernel->warp], inst, access ? &real : NULL);
}

/* Whether both readings of the trace found a launch of the same shape. */
static bool is_unchanged(const struct accelsim_kernel *kernel)
{
    const struct simsm_launch *first = &kernel->header.launch;
    const struct simsm_launch *second = &kernel->second_header.launch;
    return memcmp(first->grid, second->grid, sizeof first->grid) == 0 &&
           memcmp(first->block, second->block, sizeof first->block) == 0;
}

static enum simsm_status convert_block(void *context, uint64_t block, struct simsm_error *error)
{
    struct accelsim_kernel *kernel = context;
    uint32_t warps = simsm_block_warps(&kernel->header.launch);
    if (is_stopped(kernel))
        return err_set(error, SIMSM_INTERRUPTED, "%s", "");
    if (!is_unchanged(kernel))
        return err_at(error, SIMSM_BAD_INPUT, kernel->path, 0, 0,
                      "the file has changed while it was read");
    for (uint32_t w = 0; w < warps; w++) {
        packed_writer_end(&kernel->packer[w]);
        if (kernel->bytes[w].failed)
            return err_at(error, SIMSM_FAILED, kernel->path, 0, 0,
                          "out of memory, or a warp's instructions need more than %zu MiB: warp %u "
                          "of block %llu",
                          PACKED_MAX_BYTES >> 20, w, (unsigned long long)block);
    }
    return recording_put_block(kernel->writer, block, kernel->bytes, warps, error);
}

static enum simsm_status convert(struct accelsim_kernel *kernel, struct simsm_error *error)
{
    const struct visitor visitor = {kernel, convert_warp, convert_instruction, convert_block};
    const struct recording_launch launch = {
        .launch = &kernel->header.launch,
        .code = kernel->code.inst,
        .text = kernel->code.text,
        .code_size = kernel->code.size,
        .source = kernel->path,
    };
    enum simsm_status status = recording_begin(kernel->writer, &launch, error);
    if (status == SIMSM_OK)
        status = walk(kernel->path, &kernel->second_header, &kernel->code, false, &visitor, error);
    return status;
}

enum simsm_status kernel_convert(const char *path, int (*stop)(void),
                                 struct recording_writer *writer, struct accelsim_notes *notes,
                                 struct simsm_error *error)
{
    struct accelsim_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return err_no_memory(error);
    kernel->path = path;
    kernel->stop = stop;
    kernel->writer = writer;
    kernel->notes = notes;
    kernel->map.header = &kernel->header;
    enum simsm_status status = survey(kernel, error);
    if (status == SIMSM_OK)
        status = convert(kernel, error);
    notes->kernels++;
    for (int w = 0; w < MOST_WARPS; w++)
        buffer_free(&kernel->bytes[w]);
    code_free(&kernel->code);
    free(kernel->block);
    free(kernel);
    return status;
}
