/* `simsm trace info` and `simsm trace check`: the launch, the code, and findings in the warps. */
#include "cli/trace_show.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "front/audit.h"
#include "record/recording_front.h"

enum {
    COUNT_LIMIT = 20000000, /* instructions that `info` counts at most; takes well below a second */
    CHECK_LIMIT = 2000000,  /* instructions that `check` executes per block at most */
    CHECK_BLOCKS = 8
};

static void print_launch(const struct front *front)
{
    const struct simsm_launch *launch = &front->launch;
    struct recording_about about;
    if (recording_about(front, &about)) {
        (void)printf("recording  launch %u of %u, in a file of %llu B\n", about.launch + 1,
                     about.launches, (unsigned long long)about.bytes);
        (void)printf("made from  %s by %s: %s\n", about.source, about.program, about.command);
        if (front->paths[0])
            (void)printf("paths      %s\n", front->paths);
    }
    (void)printf("kernel     %s\n", launch->name);
    (void)printf("grid       %u x %u x %u: %llu blocks\n", launch->grid[0], launch->grid[1],
                 launch->grid[2], (unsigned long long)simsm_grid_blocks(launch));
    (void)printf("block      %u x %u x %u: %u threads in %u warps\n", launch->block[0],
                 launch->block[1], launch->block[2], simsm_block_threads(launch),
                 simsm_block_warps(launch));
}

/* Returns how many registers the code needs: the highest register that it names, plus 1. */
static uint32_t registers_used(const struct front *front)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < front->code_size; i++) {
        const struct inst *inst = &front->code[i];
        for (unsigned r = 0; r < inst->n_sources + (unsigned)inst->n_destinations; r++) {
            struct reg_range range =
                r < inst->n_sources ? inst->source[r] : inst->destination[r - inst->n_sources];
            uint32_t end = range.first + (uint32_t)range.count;
            if (range.first < REG_P0 && end > used)
                used = end;
        }
    }
    return used;
}

static void print_memory(const struct front *front)
{
    const struct simsm_launch *launch = &front->launch;
    const struct front_memory *memory = &front->memory;
    (void)printf("registers  %u for each thread; the code uses %u\n", launch->registers,
                 registers_used(front));
    (void)printf("shared     %u B for each block: %u static, %u dynamic\n",
                 launch->shared_static + launch->shared_dynamic, launch->shared_static,
                 launch->shared_dynamic);
    if (launch->carveout != SIMSM_CARVEOUT_DEFAULT)
        (void)printf("carve-out  %u B\n", launch->carveout);
    if (memory->local_bytes)
        (void)printf("local      %u B for each thread\n", memory->local_bytes);
    for (uint32_t i = 0; i < memory->buffers; i++)
        (void)printf("buffer     %s: %llu B at 0x%llx\n", memory->buffer[i].name,
                     (unsigned long long)memory->buffer[i].bytes,
                     (unsigned long long)memory->buffer[i].base);
}

static void print_code(const struct front *front, const struct simsm_config *config)
{
    (void)printf("\n%6s %5s  %-11s %-8s instruction\n", "pc", "line", "class", "pipe");
    for (uint32_t i = 0; i < front->code_size; i++) {
        const struct inst *inst = &front->code[i];
        uint32_t pipe = config ? config->ops[inst->op].pipe : simsm_ops[inst->op].pipe;
        char line[16] = "-";
        if (inst->line)
            (void)snprintf(line, sizeof line, "%u", inst->line);
        (void)printf("0x%04x %5s  %-11s %-8s %s\n", inst->pc, line, simsm_ops[inst->op].name,
                     simsm_pipes[pipe].name, front->text[i]);
    }
}

static void print_count(const char *what, bool whole, uint64_t count)
{
    (void)printf("  %-28s %s%llu\n", what, whole ? "" : "more than ", (unsigned long long)count);
}

struct instruction_counts {
    uint64_t first, last, all;
    bool all_counted, last_counted;
};

/* Counts the instructions of all warps, up to COUNT_LIMIT. Goes block after block, because a front
 * may have to execute a block to know its warps. */
static void count_all(const struct front *front, void *cursor, struct instruction_counts *counts)
{
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    uint32_t warps = simsm_block_warps(&front->launch);
    bool whole = true;
    for (uint64_t b = 0; b < blocks && whole; b++) {
        for (uint32_t w = 0; w < warps && whole; w++) {
            uint64_t count;
            whole = audit_count(front, cursor, b, w, COUNT_LIMIT - counts->all, &count);
            counts->all += count;
            counts->last = count;
            if (b == 0 && w == 0)
                counts->first = count;
        }
    }
    counts->all_counted = counts->last_counted = whole;
    if (!whole)
        counts->last_counted =
            audit_count(front, cursor, blocks - 1, warps - 1, COUNT_LIMIT, &counts->last);
}

static enum simsm_status print_counts(const struct front *front, struct simsm_error *error)
{
    struct instruction_counts counts = {0};
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    if (!cursor)
        return err_no_memory(error);
    count_all(front, cursor, &counts);
    free(cursor);
    (void)printf("\nwarp instructions\n");
    print_count("first block, first warp", counts.all_counted || counts.first < COUNT_LIMIT,
                counts.first);
    print_count("last block, last warp", counts.last_counted, counts.last);
    print_count("all warps", counts.all_counted, counts.all);
    return front_status(front, error);
}

enum simsm_status trace_info(const struct front *front, const struct simsm_config *config,
                             struct simsm_error *error)
{
    print_launch(front);
    print_memory(front);
    print_code(front, config);
    return print_counts(front, error);
}

static void print_finding(const struct front *front, const struct audit_finding *finding)
{
    const struct inst *inst = &front->code[finding->index];
    char place[32];
    if (inst->line)
        (void)snprintf(place, sizeof place, ":%u:", inst->line);
    else
        (void)snprintf(place, sizeof place, ": 0x%04x", inst->pc);
    (void)printf("%s%s %s: %s (block %llu, warp %u)\n", front->path, place,
                 front->text[finding->index], finding->message, (unsigned long long)finding->block,
                 finding->warp);
}

/* Checks some blocks, spread evenly over the grid, including the first and the last block. */
enum simsm_status trace_check(const struct front *front, struct simsm_error *error)
{
    struct audit audit = {0};
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    uint64_t walked = blocks < CHECK_BLOCKS ? blocks : CHECK_BLOCKS;
    for (uint64_t i = 0; i < walked; i++) {
        uint64_t block = walked == 1 ? 0 : (blocks - 1) / (walked - 1) * i;
        block = i + 1 == walked ? blocks - 1 : block;
        enum simsm_status status = audit_block(front, block, CHECK_LIMIT, &audit, error);
        if (status == SIMSM_OK)
            status = front_status(front, error);
        if (status != SIMSM_OK)
            return status;
    }
    uint32_t kept = audit.findings < AUDIT_MAX_FINDINGS ? audit.findings : AUDIT_MAX_FINDINGS;
    for (uint32_t i = 0; i < kept; i++)
        print_finding(front, &audit.finding[i]);
    if (audit.findings > kept)
        (void)printf("%s: %u more\n", front->path, audit.findings - kept);
    if (audit.findings)
        return err_at(error, SIMSM_FAILED, front->path, 0, 0, "%u findings", audit.findings);
    (void)printf(
        "%s: good; %u instructions, %llu of %llu blocks walked, %llu warp instructions%s%s\n",
        front->path, front->code_size, (unsigned long long)walked, (unsigned long long)blocks,
        (unsigned long long)audit.instructions, audit.cut ? ", not to their end" : "",
        front->memory.known ? ""
                            : "; which memory the kernel has is not known: barriers and alignment "
                              "were checked, not bounds");
    return SIMSM_OK;
}

static const char *extent(const uint32_t size[3], char text[48])
{
    (void)snprintf(text, 48, "%ux%ux%u", size[0], size[1], size[2]);
    return text;
}

void trace_launches(const char *path, const struct front_launches *launches)
{
    (void)printf("%s: %u launch%s; --launch-number N chooses one\n\n", path, launches->count,
                 launches->count == 1 ? "" : "es");
    (void)printf("%6s  %16s  %16s  kernel\n", "launch", "grid", "block");
    for (uint32_t i = 0; i < launches->count; i++) {
        const struct simsm_launch *launch = &launches->launch[i];
        char grid[48], block[48];
        (void)printf("%6u  %16s  %16s  %s\n", i + 1, extent(launch->grid, grid),
                     extent(launch->block, block), launch->name);
    }
}
