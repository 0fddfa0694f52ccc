/* Accel-Sim traces as fronts: active lanes, code, memories, lists, and what is not whole. */
#include "accelsim_fixture.h"

#include "accelsim/accelsim.h"
#include "record/recording_front.h"

#define DATA "tests/data/accelsim/"

enum { T = WARP_INST_TAKEN, D = WARP_INST_DIVERGENT, L = WARP_INST_LAST };

static struct front *open_file(const char *path, const char *launch)
{
    struct front *front;
    struct simsm_error error;
    const char *params[] = {launch, NULL};
    if (accelsim_open(&front, path, NULL, params, &error) != SIMSM_OK)
        fail_msg("%s: %s", path, error.message);
    return front;
}

/* The static instruction whose text begins so. */
static const struct inst *find(const struct front *front, const char *text)
{
    for (uint32_t i = 0; i < front->code_size; i++) {
        if (strncmp(front->text[i], text, strlen(text)) == 0)
            return &front->code[i];
    }
    fail_msg("no instruction %s", text);
    return NULL;
}

struct step {
    uint32_t pc, active, exec, flags;
    uint64_t first, last; /* addresses of the first and last lane that executes; 0: no access */
};

static void *new_cursor(const struct front *front)
{
    void *cursor = aligned_alloc(16, (front->cursor_size + 15) / 16 * 16);
    assert_non_null(cursor);
    return cursor;
}

static void check_step(const struct front *front, const void *cursor, const struct warp_inst *inst,
                       const struct step *step)
{
    struct lane_addresses addresses;
    const struct inst *code = &front->code[inst->index];
    uint32_t flags = inst->flags & (T | D | L);
    if (code->pc != step->pc || inst->active != step->active || inst->exec != step->exec ||
        flags != step->flags)
        fail_msg("expected 0x%04x %08x %08x %u, got 0x%04x %08x %08x %u (%s)", step->pc,
                 step->active, step->exec, step->flags, code->pc, inst->active, inst->exec, flags,
                 front->text[inst->index]);
    if (!code->width || !inst->exec || !step->first)
        return;
    front->ops->addresses(front, cursor, inst, &addresses);
    unsigned first = (unsigned)__builtin_ctz(inst->exec);
    unsigned last = 31u - (unsigned)__builtin_clz(inst->exec);
    if (lane_address(&addresses, first) != step->first ||
        lane_address(&addresses, last) != step->last)
        fail_msg("0x%04x: addresses 0x%llx to 0x%llx", code->pc,
                 (unsigned long long)lane_address(&addresses, first),
                 (unsigned long long)lane_address(&addresses, last));
}

/* A warp's instructions are these. */
static void check_warp(const struct front *front, uint64_t block, uint32_t warp,
                       const struct step *steps, size_t count)
{
    struct warp_inst inst = {0};
    void *cursor = new_cursor(front);
    front->ops->warp_begin(front, cursor, block, warp);
    for (size_t i = 0; i < count; i++) {
        assert_false(inst.flags & L);
        front->ops->warp_next(front, cursor, &inst);
        check_step(front, cursor, &inst, &steps[i]);
    }
    assert_true(inst.flags & L);
    front_warp_end(front, cursor);
    free(cursor);
}

#define ALL  0xffffffffu
#define LOW  0x0000ffffu
#define HIGH 0xffff0000u

static const struct step diverging[] = {
    {0x000, ALL, ALL, 0, 0, 0},
    {0x010, ALL, ALL, 0, 0, 0},
    {0x020, ALL, 0, 0, 0, 0}, /* EXIT of no lane */
    {0x030, ALL, ALL, 0, 0, 0},
    {0x040, ALL, HIGH, D, 0, 0}, /* goes on with the lanes that do not jump */
    {0x050, LOW, LOW, 0, 0x100, 0x178},
    {0x060, LOW, 0x0f0f, 0, 0, 0}, /* a guard: the run says which lanes are active */
    {0x070, LOW, LOW, 0, 0x200, 0x278},
    {0x080, LOW, LOW, 0, 0, 0},
    {0x090, HIGH, HIGH, 0, 0x40 - 0, 0x40 + 15 * 4}, /* generic, in shared memory */
    /* generic, in local memory: offset 0 of those that are used */
    {0x0a0, HIGH, 0x00ff0000, 0, (1ull << 48) + 16 * 4, (1ull << 48) + 23 * 4},
    {0x0b0, HIGH, HIGH, T, 0, 0},
    {0x0b0, LOW, LOW, 0, 0, 0},
    {0x0c0, ALL, ALL, 0, (1ull << 48) + 16 * 32, (1ull << 48) + 16 * 32 + 31 * 4},
    {0x0d0, ALL, ALL, 0, 0, 0},
    {0x0e0, ALL, ALL, 0, 0, 0},
    {0x0f0, ALL, ALL, T, 0, 0},
    {0x200, ALL, ALL, 0, 0, 0}, /* offset 0 of another function */
    {0x210, ALL, ALL, T, 0, 0},
    {0x150, ALL, ALL, 0, 0x7f1000000000, 0x7f1000000000},
    {0x160, ALL, ALL, 0, 0, 0},
    {0x170, ALL, ALL, L, 0, 0},
};

static const struct step half_warp[] = {
    {0x000, LOW, LOW, 0, 0, 0},
    {0x010, LOW, LOW, 0, 0, 0},
    {0x020, LOW, 0x00ff, 0, 0, 0}, /* half of its lanes leave */
    {0x030, 0xff00, 0xff00, 0, 0, 0},
    {0x040, 0xff00, 0, 0, 0, 0}, /* nobody jumps */
    {0x050, 0xff00, 0xff00, T, 0x180, 0x180 + 7 * 8},
    {0x230, 0xff00, 0xff00, L, 0, 0}, /* the EXIT that the trace lacks */
};

static const struct step empty_warp[] = {{0x230, LOW, LOW, L, 0, 0}};

static void test_divergent(void **state)
{
    (void)state;
    struct front *front = open_file(DATA "divergent.traceg", NULL);
    assert_string_equal(front->launch.name, "divergent");
    check_warp(front, 0, 0, diverging, sizeof diverging / sizeof *diverging);
    check_warp(front, 0, 1, half_warp, sizeof half_warp / sizeof *half_warp);
    check_warp(front, 1, 1, empty_warp, 1);
    assert_true(find(front, "BRA")->conditional);
    assert_false(find(front, "CALL")->conditional);
    assert_int_equal(find(front, "LD.E R4")->op, SIMSM_OP_LD_SHARED);
    assert_int_equal(find(front, "LD.E R5")->op, SIMSM_OP_LD_LOCAL);
    assert_int_equal(find(front, "(code that")->pc, 0x100);
    assert_int_equal(find(front, "FROB")->op, SIMSM_OP_INT);
    front_close(front);
}

/* A switch: all lanes jump, each group to a case of its own, the first one right behind. */
static void test_switch(void **state)
{
    (void)state;
    static const char text[] = HEAD WARP_0("10") "0000 ffffffff 0 BSSY 0 0\n"
                                                 "0010 ffffffff 0 BRX 1 R2 0\n"
                                                 "0020 00ff00ff 1 R5 MOV 0 0\n"
                                                 "0030 00ff00ff 0 BRA 0 0\n"
                                                 "0060 00ff00ff 0 BSYNC 0 0\n"
                                                 "0040 ff00ff00 1 R5 MOV 0 0\n"
                                                 "0050 00000000 0 EXIT 0 0\n"
                                                 "0060 ff00ff00 0 BSYNC 0 0\n"
                                                 "0070 00000000 0 EXIT 0 0\n"
                                                 "0080 ffffffff 0 EXIT 0 0\n" END;
    static const struct step steps[] = {
        {0x00, ALL, ALL, 0, 0, 0},
        {0x10, ALL, ALL, 0, 0, 0},
        {0x20, 0x00ff00ff, 0x00ff00ff, 0, 0, 0},
        {0x30, 0x00ff00ff, 0x00ff00ff, T, 0, 0},
        {0x60, 0x00ff00ff, 0x00ff00ff, T, 0, 0},
        {0x40, 0xff00ff00, 0xff00ff00, 0, 0, 0},
        {0x50, 0xff00ff00, 0, 0, 0, 0},
        {0x60, 0xff00ff00, 0xff00ff00, 0, 0, 0},
        {0x70, ALL, 0, 0, 0, 0}, /* nobody leaves: the next instruction says who is here */
        {0x80, ALL, ALL, L, 0, 0},
    };
    char path[64];
    write_file(path, text);
    struct front *front = open_file(path, NULL);
    (void)unlink(path);
    check_warp(front, 0, 0, steps, sizeof steps / sizeof *steps);
    front_close(front);
}

static void test_warnings(void **state)
{
    (void)state;
    struct front *front = open_file(DATA "divergent.traceg", NULL);
    assert_string_equal(
        front->warnings,
        "FROB is not known: taken as integer arithmetic (2 warp instructions)\n"
        "TEX has no addresses in the trace: taken as accesses to address 0 (2 warp instructions)\n"
        "2 warps end without EXIT in the trace and got one\n");
    front_close(front);
    front = open_file(DATA "list.traceg", NULL);
    assert_null(front->warnings);
    front_close(front);
}

/* All kernels of a list go into one recording. */
static void test_convert(void **state)
{
    (void)state;
    char path[64];
    struct simsm_error error;
    struct accelsim_notes notes = {0};
    struct recording_writer *writer;
    struct recording_about about;
    struct simsm_launch launch;
    struct front *front;
    const char *params[] = {"launch=2", NULL};
    write_file(path, "");
    assert_int_equal(recording_create(&writer, path, "", &error), SIMSM_OK);
    const struct accelsim_request request = {DATA "kernelslist.g", ACCELSIM_ALL, NULL};
    assert_int_equal(accelsim_convert(&request, writer, &notes, &error), SIMSM_OK);
    assert_int_equal(recording_finish(writer, &error), SIMSM_OK);
    assert_int_equal(notes.kernels, 3);
    assert_int_equal(notes.copies, 2);
    assert_int_equal(notes.copy_bytes, 1536);
    assert_int_equal(notes.warp_instructions, 2 * 2 * 6 + (2 * 22 + 7 + 1) + 2 * 2 * 9);
    assert_int_equal(recording_open(&front, path, NULL, params, &error), SIMSM_OK);
    assert_string_equal(front->launch.name, "divergent");
    assert_true(recording_about(front, &about));
    assert_int_equal(about.launches, 3);
    assert_int_equal(recording_launch(front, 2, &launch, &error), SIMSM_OK);
    assert_string_equal(launch.name, "copies");
    front_close(front);
    (void)unlink(path);
}

static int stop_at_once(void)
{
    return 1;
}

static void test_stop(void **state)
{
    (void)state;
    char path[64];
    struct simsm_error error;
    struct accelsim_notes notes = {0};
    struct recording_writer *writer;
    const struct accelsim_request request = {DATA "kernelslist.g", ACCELSIM_ALL, stop_at_once};
    write_file(path, "");
    assert_int_equal(recording_create(&writer, path, "", &error), SIMSM_OK);
    assert_int_equal(accelsim_convert(&request, writer, &notes, &error), SIMSM_INTERRUPTED);
    recording_abandon(writer);
    (void)unlink(path);
}

static const char *changing_path;

/* Called at each block: the file gets a header with fewer warps between its two readings. */
static int change_file(void)
{
    FILE *file = changing_path ? fopen(changing_path, "w") : NULL;
    if (!file)
        return 0;
    (void)fprintf(file, "%s",
                  "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (16,1,1)\n-shmem = 64\n"
                  "-nregs = 8\n-binary version = 70\n-accelsim tracer version = 3\n" WARP_0(
                      "1") "0000 0000ffff 0 EXIT 0 0\n" END);
    assert_int_equal(fclose(file), 0);
    changing_path = NULL;
    return 0;
}

static void test_changed_file(void **state)
{
    (void)state;
    char path[64], trace[64];
    struct simsm_error error;
    struct accelsim_notes notes = {0};
    struct recording_writer *writer;
    write_file(path, "");
    write_file(trace, HEAD WARP_0("1") "0000 ffffffff 0 EXIT 0 0\n" END);
    changing_path = trace;
    const struct accelsim_request request = {trace, ACCELSIM_ALL, change_file};
    assert_int_equal(recording_create(&writer, path, "", &error), SIMSM_OK);
    assert_int_equal(accelsim_convert(&request, writer, &notes, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "has changed while it was read"));
    recording_abandon(writer);
    (void)unlink(path);
    (void)unlink(trace);
}

static void test_first_version(void **state)
{
    (void)state;
    static const struct step steps[] = {
        {0x00, 0xff, 0xff, 0, 0, 0},
        {0x10, 0xff, 0xff, 0, 0, 0},
        {0x20, 0xff, 0xff, 0, 0x7f1000000100, 0x7f100000011c},
        {0x30, 0xff, 0xff, 0, 0, 0},
        {0x40, 0xff, 0xff, 0, 0x7f1000000100, 0x7f100000011c},
        {0x50, 0xff, 0xff, L, 0, 0},
    };
    struct front *front = open_file(DATA "list.traceg", NULL);
    check_warp(front, 1, 1, steps, sizeof steps / sizeof *steps);
    front_close(front);
}

static void test_last_version(void **state)
{
    (void)state;
    static const struct step steps[] = {
        {0x00, ALL, ALL, 0, 0, 0},
        {0x10, ALL, ALL, 0, 0x7f1000000280, 0x7f1000000280 + 31 * 16}, /* once, global */
        {0x20, ALL, ALL, 0, 0, 0},
        {0x30, ALL, ALL, 0, 0, 0},
        {0x40, ALL, ALL, 0, 0, 0},
        {0x50, ALL, ALL, 0, 0, 31 * 8}, /* 16 rows of 16 bytes */
        {0x60, ALL, ALL, 0, 0, 0},
        {0x70, ALL, ALL, 0, 0, 0},
        {0x80, ALL, ALL, L, 0, 0},
    };
    struct front *front = open_file(DATA "copies.traceg.xz", NULL);
    check_warp(front, 1, 1, steps, sizeof steps / sizeof *steps);
    assert_int_equal(find(front, "LDSM")->width, 8);
    assert_int_equal(find(front, "LDSM")->line, 10);
    assert_int_equal(find(front, "DEPBAR")->depbar_count, 1);
    assert_int_equal(find(front, "BAR.SYNC")->barrier, 3);
    front_close(front);
}

/* The list names copies.traceg, of which there is only copies.traceg.xz. */
static void test_list(void **state)
{
    (void)state;
    struct front *front = open_file(DATA "kernelslist.g", "launch=3");
    assert_string_equal(front->launch.name, "copies");
    front_close(front);
    struct simsm_error error;
    const char *params[] = {"launch=4", NULL};
    assert_int_equal(accelsim_open(&front, DATA "kernelslist.g", NULL, params, &error),
                     SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "no kernel launch 4: it has 3"));
    assert_int_equal(accelsim_open(&front, DATA "kernelslist.g", NULL, NULL, &error),
                     SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "holds 3 kernel launches; choose one"));
    assert_int_equal(accelsim_open(&front, DATA "no-such-file", NULL, NULL, &error),
                     SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "cannot open"));
}

#define TWO_BLOCKS                                                                                 \
    "-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n-binary version = 70\n"   \
    "-accelsim tracer version = 3\n"
#define BLOCK(x) "#BEGIN_TB\nthread block = " x ",0,0\nwarp = 0\ninsts = 0\n#END_TB\n"

static const struct wrong wrongs[] = {
    {TWO_BLOCKS, 0, "the trace has 0 of the grid's 2 blocks"},
    {TWO_BLOCKS BLOCK("1"), 0, "the trace has 1 of the grid's 2 blocks"},
    {TWO_BLOCKS BLOCK("1") BLOCK("1"), 0, "block 1,0,0 is in the trace twice"},
    {"kernel-1.traceg\nsaxpy\n", 2, "expected the name of a trace (kernel-N.traceg)"},
    {"kernel-1.traceg\nMemcpyHtoD,0x10\n", 2, "expected 'MemcpyHtoD,ADDRESS,BYTES'"},
    {"MemcpyHtoD,0x10,4\n", 0, "a list of kernels without a kernel"},
    {"no-such-kernel.traceg\n", 0, "cannot open: No such file or directory"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        char path[64];
        struct front *front;
        struct simsm_error error = {.status = SIMSM_OK};
        write_file(path, wrongs[i].text);
        enum simsm_status status = accelsim_open(&front, path, NULL, NULL, &error);
        check_wrong(&wrongs[i], status, &error);
        (void)unlink(path);
    }
}

/* Every cut of a good file is refused; none is read beyond its end. */
static void test_cut(void **state)
{
    (void)state;
    static const char *const files[] = {DATA "divergent.traceg", DATA "copies.traceg.xz"};
    for (int f = 0; f < 2; f++) {
        static char content[1 << 16];
        FILE *file = fopen(files[f], "rb");
        assert_non_null(file);
        size_t size = fread(content, 1, sizeof content, file);
        assert_int_equal(fclose(file), 0);
        for (size_t cut = 0; cut + 8 < size; cut += 7) {
            char path[64];
            struct front *front;
            struct simsm_error error;
            write_file(path, "");
            file = fopen(path, "wb");
            assert_int_equal(fwrite(content, 1, cut, file), cut);
            assert_int_equal(fclose(file), 0);
            assert_int_equal(accelsim_open(&front, path, NULL, NULL, &error), SIMSM_BAD_INPUT);
            (void)unlink(path);
        }
    }
}

static void test_probe(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        bool mine;
    } heads[] = {
        {"-kernel name = k\n", true},
        {"\xFD"
         "7zXZ",
         true},
        {"kernel-1.traceg\n", true},
        {"MemcpyHtoD,0x10,4\n", true},
        {"kernel saxpy\n", false},
        {"# see kernel-1.traceg\n", false},
        {"\x7f"
         "ELF",
         false},
        {"", false},
        {"SMTR", false},
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        assert_int_equal(accelsim_probe((const uint8_t *)heads[i].head, strlen(heads[i].head)),
                         heads[i].mine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergent),     cmocka_unit_test(test_switch),
        cmocka_unit_test(test_warnings),      cmocka_unit_test(test_convert),
        cmocka_unit_test(test_stop),          cmocka_unit_test(test_changed_file),
        cmocka_unit_test(test_first_version), cmocka_unit_test(test_last_version),
        cmocka_unit_test(test_list),          cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_cut),           cmocka_unit_test(test_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
