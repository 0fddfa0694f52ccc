/*
 * Round trip: what a text trace executes is written as a tracer would, with masks of the lanes that
 * execute only, and must come back with the same active lanes, jumps and addresses. In the format
 * of each version of the tracer: before 3 a line begins with block and warp, from 4 on it may have
 * a source line, and an immediate at its end.
 */
#include "accelsim_fixture.h"

#include "accelsim/accelsim.h"
#include "model/op.h"
#include "trace/trace.h"

enum { BLOCKS = 4 }; /* of each grid */

static const char *version; /* that is written */

static void write_head(FILE *file, const struct simsm_launch *launch)
{
    (void)fprintf(file, "-kernel name = %s\n-grid dim = (%d,1,1)\n-block dim = (%u,%u,%u)\n",
                  launch->name, BLOCKS, launch->block[0], launch->block[1], launch->block[2]);
    (void)fprintf(file, "-shmem = %u\n-nregs = %u\n-binary version = 80\n",
                  launch->shared_static + launch->shared_dynamic, launch->registers);
    (void)fprintf(file, "-accelsim tracer version = %s\n", version);
    if (version[0] >= '4')
        (void)fprintf(file, "-enable lineinfo = 1\n");
    (void)fprintf(file, "\n#traces format = x\n");
}

/* General registers only, as tracers do. */
static void write_registers(FILE *file, const struct reg_range *range, unsigned count)
{
    unsigned general = 0;
    for (unsigned i = 0; i < count; i++)
        general += range[i].first < REG_P0;
    (void)fprintf(file, " %u", general);
    for (unsigned i = 0; i < count; i++) {
        if (range[i].first < REG_P0)
            (void)fprintf(file, " R%u", range[i].first);
    }
}

/* The opcode of a line of code, behind the guard: "@!(lanes 0-7) BRA 0x00e0". */
static void find_opcode(const char *text, char opcode[64])
{
    int depth = 0;
    const char *at = text;
    while (text[0] == '@' && *at && (depth || *at != ' ')) {
        depth += (*at == '(') - (*at == ')');
        at++;
    }
    at += strspn(at, " ");
    (void)snprintf(opcode, 64, "%.*s", (int)strcspn(at, " "), at);
}

static void write_instruction(FILE *file, const struct front *front, const void *cursor,
                              const struct warp_inst *inst, uint64_t block, uint32_t warp)
{
    const struct inst *code = &front->code[inst->index];
    struct lane_addresses addresses;
    char opcode[64];
    find_opcode(front->text[inst->index], opcode);
    if (version[0] < '3')
        (void)fprintf(file, "%u 0 0 %u ", (unsigned)block, warp);
    if (version[0] >= '4')
        (void)fprintf(file, "%u ", code->line);
    (void)fprintf(file, "%04x %08x", code->pc, inst->exec);
    write_registers(file, code->destination, code->n_destinations);
    (void)fprintf(file, " %s", opcode);
    write_registers(file, code->source, code->n_sources);
    (void)fprintf(file, " %u%s", code->width, code->width ? " 0" : "");
    if (code->width && inst->exec)
        front->ops->addresses(front, cursor, inst, &addresses);
    for (uint32_t left = code->width ? inst->exec : 0; left; left &= left - 1)
        (void)fprintf(file, " 0x%llx",
                      (unsigned long long)lane_address(&addresses, (unsigned)__builtin_ctz(left)));
    (void)fprintf(file, version[0] >= '4' ? " 0\n" : "\n");
}

static void write_warp(FILE *file, const struct front *front, void *cursor, uint64_t block,
                       uint32_t warp)
{
    struct warp_inst inst = {0};
    unsigned count = 0;
    front->ops->warp_begin(front, cursor, block, warp);
    for (; !(inst.flags & WARP_INST_LAST); count++)
        front->ops->warp_next(front, cursor, &inst);
    (void)fprintf(file, "\nwarp = %u\ninsts = %u\n", warp, count);
    front->ops->warp_begin(front, cursor, block, warp);
    for (unsigned i = 0; i < count; i++) {
        front->ops->warp_next(front, cursor, &inst);
        write_instruction(file, front, cursor, &inst, block, warp);
    }
}

static void write_trace(const char *path, const struct front *front, void *cursor)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    write_head(file, &front->launch);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        (void)fprintf(file, "\n#BEGIN_TB\n\nthread block = %u,0,0\n", (unsigned)b);
        for (uint32_t w = 0; w < simsm_block_warps(&front->launch); w++)
            write_warp(file, front, cursor, b, w);
        (void)fprintf(file, "\n#END_TB\n");
    }
    assert_int_equal(fclose(file), 0);
}

struct side {
    struct front *front;
    void *cursor;
    struct warp_inst inst;
};

static void check_addresses(const struct side *from, const struct side *to)
{
    struct lane_addresses was, is;
    from->front->ops->addresses(from->front, from->cursor, &from->inst, &was);
    to->front->ops->addresses(to->front, to->cursor, &to->inst, &is);
    for (uint32_t left = from->inst.exec; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        assert_true(lane_address(&was, lane) == lane_address(&is, lane));
    }
}

static void check_instruction(const struct side *from, const struct side *to)
{
    const struct inst *was = &from->front->code[from->inst.index];
    const struct inst *is = &to->front->code[to->inst.index];
    /* The flag `taken` of an instruction that is not a branch has no effect. */
    uint32_t flags = WARP_INST_LAST | WARP_INST_DIVERGENT;
    flags |= op_is_branch(was->op) ? (uint32_t)WARP_INST_TAKEN : 0;
    if (from->inst.active != to->inst.active || from->inst.exec != to->inst.exec ||
        was->op != is->op || was->pc != is->pc || (version[0] >= '4' && was->line != is->line) ||
        ((from->inst.flags ^ to->inst.flags) & flags))
        fail_msg("0x%04x %s: %08x %08x %u became 0x%04x %s: %08x %08x %u", was->pc,
                 from->front->text[from->inst.index], from->inst.active, from->inst.exec,
                 from->inst.flags & flags, is->pc, to->front->text[to->inst.index], to->inst.active,
                 to->inst.exec, to->inst.flags & flags);
    if (was->width && from->inst.exec)
        check_addresses(from, to);
}

static void *new_cursor(const struct front *front)
{
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    assert_non_null(cursor);
    return cursor;
}

static void check_warp(struct side *from, struct side *to, uint64_t block, uint32_t warp)
{
    from->inst = to->inst = (struct warp_inst){0};
    from->front->ops->warp_begin(from->front, from->cursor, block, warp);
    to->front->ops->warp_begin(to->front, to->cursor, block, warp);
    while (!(from->inst.flags & WARP_INST_LAST)) {
        from->front->ops->warp_next(from->front, from->cursor, &from->inst);
        to->front->ops->warp_next(to->front, to->cursor, &to->inst);
        check_instruction(from, to);
    }
    front_warp_end(to->front, to->cursor);
}

static void go_round(const char *trace)
{
    char path[64];
    struct simsm_error error;
    struct side from, to;
    if (trace_open(&from.front, trace, NULL, NULL, &error) != SIMSM_OK)
        fail_msg("%s: %s", trace, error.message);
    assert_true(simsm_grid_blocks(&from.front->launch) >= BLOCKS);
    from.cursor = new_cursor(from.front);
    write_file(path, "");
    write_trace(path, from.front, from.cursor);
    if (accelsim_open(&to.front, path, NULL, NULL, &error) != SIMSM_OK)
        fail_msg("%s: line %u: %s", trace, error.line, error.message);
    (void)unlink(path);
    to.cursor = new_cursor(to.front);
    for (uint64_t b = 0; b < BLOCKS; b++) {
        for (uint32_t w = 0; w < simsm_block_warps(&from.front->launch); w++)
            check_warp(&from, &to, b, w);
    }
    front_close(from.front);
    front_close(to.front);
    free(from.cursor);
    free(to.cursor);
}

static void test_round(void **state)
{
    (void)state;
    static const char *const traces[] = {
        "traces/divergent.trace",           "traces/lessons/branch.trace",
        "traces/lessons/select.trace",      "traces/lessons/sort.trace",
        "traces/lessons/sum_thread0.trace", "traces/lessons/sum_shuffle.trace",
        "traces/lessons/grid_stride.trace", "traces/lessons/imbalance_within.trace",
    };
    static const char *const versions[] = {"1.2", "2", "3", "4", "5"};
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
        version = versions[v];
        for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
            go_round(traces[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
