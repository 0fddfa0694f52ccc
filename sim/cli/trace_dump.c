/* `simsm trace dump`: the instructions of warps with lanes and addresses. */
#include "cli/trace_dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "model/op.h"

enum { TEXT_COLUMNS = 44 };

/* Returns whether the addresses of the lanes are *base + *stride x lane. Two fronts may deliver the
 * same addresses in different forms, so the test uses the addresses themselves. */
static bool is_affine(const uint64_t *lane, uint32_t lanes, uint64_t *base, int64_t *stride)
{
    unsigned first = (unsigned)__builtin_ctz(lanes);
    uint32_t others = lanes & (lanes - 1);
    unsigned second = others ? (unsigned)__builtin_ctz(others) : first + 1;
    *stride = others ? (int64_t)(lane[second] - lane[first]) / (int64_t)(second - first) : 0;
    *base = lane[first] - (uint64_t)*stride * first;
    for (uint32_t rest = others; rest; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctz(rest);
        if (lane[l] != *base + (uint64_t)*stride * l)
            return false;
    }
    return true;
}

static void print_addresses(const struct lane_addresses *addresses, uint32_t lanes)
{
    uint64_t lane[SIMSM_WARP_LANES], base;
    int64_t stride;
    for (unsigned l = 0; l < SIMSM_WARP_LANES; l++)
        lane[l] = lanes >> l & 1u ? lane_address(addresses, l) : 0;
    if (is_affine(lane, lanes, &base, &stride)) {
        (void)printf("  0x%" PRIx64, base);
        if (stride)
            (void)printf(" %c %" PRIu64 "*lane", stride < 0 ? '-' : '+',
                         stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride);
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctz(rest);
        (void)printf("%s%u:0x%" PRIx64, rest == lanes ? "  " : " ", l, lane[l]);
    }
}

/* Prints what the instruction waits for. */
static void print_wait(const struct front *front, const void *cursor)
{
    struct wait wait;
    front->ops->wait(front, cursor, &wait);
    (void)printf("waits for");
    for (uint32_t i = 0; i < wait.words; i++)
        (void)printf("%s 0x%" PRIx64 " to be written %" PRIu32 " times", i ? "," : "",
                     wait.word[i].address, wait.word[i].count);
    (void)printf(":\n");
}

static void print_inst(const struct front *front, const void *cursor, const struct warp_inst *inst)
{
    const struct inst *code = &front->code[inst->index];
    char exec[16] = "       =";
    if (inst->exec != inst->active)
        (void)snprintf(exec, sizeof exec, "%08x", inst->exec);
    (void)printf("0x%04x  %08x  %s  %-*s", code->pc, inst->active, exec, TEXT_COLUMNS,
                 front->text[inst->index]);
    if (inst->exec && op_is_memory((enum simsm_op_class)code->op)) {
        struct lane_addresses addresses;
        front->ops->addresses(front, cursor, inst, &addresses);
        print_addresses(&addresses, inst->exec);
    }
    if (inst->flags & WARP_INST_WRITES)
        (void)printf("  writes what others wait for");
    if (inst->flags & WARP_INST_DIVERGENT)
        (void)printf("  diverges");
    if (inst->flags & WARP_INST_TAKEN)
        (void)printf("  jumps");
    (void)printf("\n");
}

static void dump_warp(const struct front *front, const struct trace_dump *dump, uint32_t warp,
                      void *cursor)
{
    struct warp_inst inst = {0};
    uint64_t count = 0;
    (void)printf("block %" PRIu64 ", warp %u\n", dump->block, warp);
    while (!(inst.flags & WARP_INST_LAST) && count < dump->limit && !ferror(stdout)) {
        front->ops->warp_next(front, cursor, &inst);
        if (inst.flags & WARP_INST_WAITS)
            print_wait(front, cursor);
        print_inst(front, cursor, &inst);
        count++;
    }
    if (!(inst.flags & WARP_INST_LAST))
        (void)printf("and more; %" PRIu64 " are shown\n", count);
}

static enum simsm_status check_request(const struct front *front, const struct trace_dump *dump,
                                       struct simsm_error *error)
{
    uint64_t blocks = simsm_grid_blocks(&front->launch);
    uint32_t warps = simsm_block_warps(&front->launch);
    if (dump->block >= blocks)
        return err_at(error, SIMSM_BAD_INPUT, front->path, 0, 0,
                      "has blocks 0 to %" PRIu64 ", not %" PRIu64, blocks - 1, dump->block);
    if (dump->warp != UINT32_MAX && dump->warp >= warps)
        return err_at(error, SIMSM_BAD_INPUT, front->path, 0, 0,
                      "a block has warps 0 to %u, not %u", warps - 1, dump->warp);
    return SIMSM_OK;
}

enum simsm_status trace_dump(const struct front *front, const struct trace_dump *dump,
                             struct simsm_error *error)
{
    uint32_t warps = simsm_block_warps(&front->launch);
    size_t size = (front->cursor_size + 15) / 16 * 16;
    enum simsm_status status = check_request(front, dump, error);
    if (status != SIMSM_OK)
        return status;
    unsigned char *cursors = aligned_alloc(16, size * warps);
    if (!cursors)
        return err_no_memory(error);
    for (uint32_t w = 0; w < warps; w++)
        front->ops->warp_begin(front, cursors + size * w, dump->block, w);
    (void)printf("pc      active    exec      instruction\n");
    for (uint32_t w = 0; w < warps; w++) {
        if (dump->warp == UINT32_MAX || dump->warp == w)
            dump_warp(front, dump, w, cursors + size * w);
    }
    for (uint32_t w = 0; w < warps; w++)
        front_warp_end(front, cursors + size * w);
    free(cursors);
    return front_status(front, error);
}
