/* Accel-Sim traces: what lines, opcodes and registers mean, and messages for what is wrong. */
#include "accelsim_fixture.h"

#include "accelsim/accelsim_walk.h"
#include "accelsim/opcode.h"
#include "accelsim/operands.h"

static void ignore_warp(void *context, uint64_t block, uint32_t warp)
{
    (void)context;
    (void)block;
    (void)warp;
}

static void ignore_instruction(void *context, uint32_t entry, const struct warp_inst *inst,
                               const struct lane_addresses *addresses)
{
    (void)context;
    (void)entry;
    (void)inst;
    (void)addresses;
}

static enum simsm_status ignore_block(void *context, uint64_t block, struct simsm_error *error)
{
    (void)context;
    (void)block;
    (void)error;
    return SIMSM_OK;
}

/* Walks through `text` and forgets what it holds. */
static enum simsm_status read_text(const char *text, struct accelsim_header *header,
                                   struct simsm_error *error)
{
    static const struct visitor visitor = {NULL, ignore_warp, ignore_instruction, ignore_block};
    char path[64];
    struct accelsim_code code = {0};
    write_file(path, text);
    enum simsm_status status = walk(path, header, &code, true, &visitor, error);
    (void)unlink(path);
    code_free(&code);
    return status;
}

static const struct wrong wrongs[] = {
    {"", 0, "has no line '-grid dim = ...'"},
    {"-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n#BEGIN_TB\n", 5,
     "has no line '-binary version = ...'"},
    {"-grid dim = (1,1)\n", 1, "-grid dim: expected (X,Y,Z)"},
    {"-grid dim = (1,1,65536)\n", 1, "-grid dim: expected (X,Y,Z)"},
    {"-block dim = (1024,2,1)\n", 1, "at most 1024 threads"},
    {"-block dim = (0,1,1)\n", 1, "-block dim: expected"},
    {"-nregs = 256\n", 1, "registers of a thread, 1 to 255, found '256'"},
    {"-nregs = -1\n", 1, "found '-1'"},
    {"-accelsim tracer version = 6\n", 1, "expected a version from 1 to 5, found '6'"},
    {"kernel saxpy\n", 1, "found 'kernel saxpy'"},
    {HEAD "0 0 0 0 0000 ffffffff 0 EXIT 0 0\n", 15, "the trace has not been grouped"},
    {HEAD "#BEGIN_TB\nwarp = 0\n", 16, "expected 'thread block = x,y,z', found 'warp = 0'"},
    {HEAD "#BEGIN_TB\nthread block = 1,0,0\n", 16, "block 1,0,0 does not exist"},
    {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n", 17, "with a warp that the block has"},
    {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\nwarp = 1\n", 18, "expected 'insts = n'"},
    {HEAD WARP_0("1") "0000 ffffffff 0 EXIT 0 0\nwarp = 0\n", 21, "warp 0 is in this block twice"},
    {HEAD WARP_0("2") "0000 ffffffff 0 EXIT 0 0\n" END, 21, "instruction 2 of the 2 of warp 0"},
    {HEAD WARP_0("2") "0000 ffffffff 0 EXIT 0 0\n", 20, "the file ends in block 0,0,0"},
    {HEAD WARP_0("1") "0000 ffffffff 0 EXIT 0 0\n0010 ffffffff 0 NOP 0 0\n", 21,
     "expected #END_TB or 'warp = n'"},
    {HEAD WARP_0("0") END "rubbish\n", 21, "expected #BEGIN_TB or the end of the file"},
    {HEAD "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\ninsts = 1\n0000 00010000 0 NOP 0 0\n", 19,
     "lanes that do not exist"},
    {HEAD WARP_0("1") "xyz ffffffff 0 NOP 0 0\n", 20, "the offset of an instruction"},
    {HEAD WARP_0("1") "1000000 ffffffff 0 NOP 0 0\n", 20, "below 0x1000000"},
    {HEAD WARP_0("1") "0000 1ffffffff 0 NOP 0 0\n", 20, "a mask of 32 lanes"},
    {HEAD WARP_0("1") "0000\n", 20, "the line ends early: expected a mask"},
    {HEAD WARP_0("1") "0000 ffffffff 4 R1 R2 R3 R4 NOP 0 0\n", 20, "(0 to 3)"},
    {HEAD WARP_0("1") "0000 ffffffff 1 R256 NOP 0 0\n", 20, "R0 to R255"},
    {HEAD WARP_0("1") "0000 ffffffff 0 nop 0 0\n", 20,
     "an opcode such as LDG.E.64, found 'nop 0 0'"},
    {HEAD WARP_0("1") "0000 ffffffff 0 NOP 9 R1\n", 20, "(0 to 8)"},
    {HEAD WARP_0("1") "0000 ffffffff 0 NOP 0\n", 20, "the width of the memory access"},
    {HEAD WARP_0("1") "0000 ffffffff 0 NOP 0 0x\n", 20, "expected a blank, found 'x'"},
    {HEAD WARP_0("1") "0000 ffffffff 0 NOP 0 0 7\n", 20, "the end of the line, found '7'"},
    {HEAD WARP_0("1") "0000 0000000f 1 R1 LDG.E 1 R2 4 3 0x10 4\n", 20, "0 list, 1 stride"},
    {HEAD WARP_0("1") "0000 0000000f 1 R1 LDG.E 1 R2 4 1 0x10\n", 20, "an address and a stride"},
    {HEAD WARP_0("1") "0000 0000000f 1 R1 LDG.E 1 R2 4 2 0x10 4 4\n", 20, "for each further lane"},
    {HEAD WARP_0("1") "0000 0000000f 1 R1 LDG.E 1 R2 4 0 0x10 0x20\n", 20, "for each lane"},
    {HEAD_OF("1.2", "") WARP_0("1") "0 0 0 1 0000 ffffffff 0 EXIT 0 0\n", 20,
     "expected the number of the warp, found '1"},
    {HEAD_OF("5", "-enable lineinfo = 1\n") WARP_0("1") "x 0000 ffffffff 0 EXIT 0 0 0\n", 21,
     "expected the source line"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        struct accelsim_header header;
        struct simsm_error error = {.status = SIMSM_OK};
        check_wrong(&wrongs[i], read_text(wrongs[i].text, &header, &error), &error);
    }
}

static void test_header(void **state)
{
    (void)state;
    struct accelsim_header header;
    struct simsm_error error;
    static const char text[] = "-kernel name = _Z1fv\n-grid dim = (5,4,3)\n-block dim = (8,4,2)\n"
                               "-shmem = 128\n-nregs = 40\n-binary version = 86\n"
                               "-shmem base_addr = 0x00007f0000000000\n"
                               "-accelsim tracer version = 5\n-enable lineinfo = 1\n"
                               "-something new = 7\n\n# a remark\n";
    assert_int_equal(read_text(text, &header, &error), SIMSM_OK);
    assert_string_equal(header.launch.name, "f");
    assert_int_equal(simsm_grid_blocks(&header.launch), 60);
    assert_int_equal(simsm_block_threads(&header.launch), 64);
    assert_int_equal(header.launch.shared_static, 128);
    assert_int_equal(header.launch.registers, 40);
    assert_int_equal(header.launch.carveout, SIMSM_CARVEOUT_DEFAULT);
    assert_int_equal(header.binary, 86);
    assert_int_equal(header.version, 5);
    assert_true(header.line_numbers);
    assert_true(header.shared_window == 0x7f0000000000);
}

static void test_opcodes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum simsm_op_class op;
        unsigned width;
    } opcodes[] = {
        {"IMAD", SIMSM_OP_IMAD, 4},
        {"IMAD.MOV.U32", SIMSM_OP_IMAD, 4},
        {"IMAD.WIDE.U32", SIMSM_OP_IMAD_WIDE, 4},
        {"LDG.E.128.CONSTANT.SYS", SIMSM_OP_LD_GLOBAL, 16},
        {"LDG.E.LTC128B.U8", SIMSM_OP_LD_GLOBAL, 1},
        {"ATOMG.E.ADD.F16x2.RN", SIMSM_OP_ATOM_GLOBAL, 4},
        {"ATOMS.CAS.64", SIMSM_OP_ATOM_SHARED, 8},
        {"RED.E.ADD.F64.RN.STRONG.GPU", SIMSM_OP_RED_GLOBAL, 8},
        {"LDSM.16.MT88.4", SIMSM_OP_LD_SHARED, 16},
        {"LDSM.16.M88", SIMSM_OP_LD_SHARED, 4},
        {"LDGSTS.E.BYPASS.LTC128B.128", SIMSM_OP_COPY_ASYNC, 16},
        {"HFMA2.MMA", SIMSM_OP_HFMA2_MMA, 4},
        {"XMAD.PSL.CBCC", SIMSM_OP_IMAD, 4},
        {"SSY", SIMSM_OP_CONVERGE, 4},
        {"TEXS", SIMSM_OP_TEX, 4},
        {"DEPBAR.LE", SIMSM_OP_DEPBAR, 4},
        {"NANOSLEEP", SIMSM_OP_SLEEP, 4},
    };
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        struct accelsim_opcode opcode = opcode_read(opcodes[i].text, strlen(opcodes[i].text));
        if (!opcode.known || opcode.op != opcodes[i].op || opcode.width != opcodes[i].width)
            fail_msg("%s: known %d, class %s, %u bytes", opcodes[i].text, opcode.known,
                     simsm_ops[opcode.op].name, opcode.width);
    }
    struct accelsim_opcode frob = opcode_read("IMADX.WIDE", 10);
    assert_false(frob.known);
    assert_int_equal(frob.op, SIMSM_OP_INT);
}

/* Registers of an instruction: "d first:count ... s first:count ...". */
static void list_registers(const struct inst *inst, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "d");
    for (unsigned i = 0; i < inst->n_destinations; i++)
        used += (size_t)snprintf(text + used, size - used, " %u:%u", inst->destination[i].first,
                                 inst->destination[i].count);
    used += (size_t)snprintf(text + used, size - used, " s");
    for (unsigned i = 0; i < inst->n_sources; i++)
        used += (size_t)snprintf(text + used, size - used, " %u:%u", inst->source[i].first,
                                 inst->source[i].count);
}

static void test_registers(void **state)
{
    (void)state;
    static const struct {
        const char *line, *registers, *text;
    } lines[] = {
        {"1 R8 IMAD 2 R8 R3 0", "d 8:1 s 8:1 3:1", "IMAD R8, R8, R3"},
        {"1 R4 IMAD.WIDE 3 R8 R9 R10 0", "d 4:2 s 8:1 9:1 10:2", "IMAD.WIDE R4, R8, R9, R10"},
        {"1 R4 IMAD.HI.U32 3 R8 R9 R10 0", "d 4:1 s 8:1 9:1 10:1", NULL},
        {"1 R6 DADD 2 R4 R255 0", "d 6:2 s 4:2", "DADD R6, R4, RZ"},
        {"1 R4 LDG.E.64.SYS 1 R2 8", "d 4:2 s 2:2", "LDG.E.64.SYS R4, [R2]"},
        {"0 STG.E.128 2 R8 R12 16", "d s 8:2 12:4", "STG.E.128 [R8], R12"},
        {"0 STS 2 R8 R12 4", "d s 8:1 12:1", "STS [R8], R12"},
        {"1 R253 LDS.128 1 R0 16", "d 253:2 s 0:1", "LDS.128 R253, [R0]"},
        {"0 ATOMG.E.ADD.64 3 R4 R2 R8 8", "d 4:2 s 2:2 8:2", "ATOMG.E.ADD.64 R4, [R2], R8"},
        {"0 SHFL.IDX 4 R255 R3 R4 R5 0", "d s 3:1 4:1 5:1", "SHFL.IDX RZ, R3, R4, R5"},
        {"0 LDGSTS.E.128 2 R5 R2 16", "d s 5:1 2:2", "LDGSTS.E.128 [R5], [R2]"},
        {"1 R4 F2F.F64.F32 1 R2 0", "d 4:2 s 2:1", NULL},
        {"1 R4 I2F.F64 1 R2 0", "d 4:2 s 2:1", NULL},
        {"1 R4 F2I.F64.TRUNC 1 R2 0", "d 4:1 s 2:2", NULL},
        {"1 R4 I2F.U64 1 R2 0", "d 4:1 s 2:2", NULL},
        {"1 R4 CS2R 0 0", "d 4:2 s", NULL},
        {"1 R4 HMMA.16816.F32 3 R8 R12 R4 0", "d 4:4 s 8:4 12:2 4:4", NULL},
        {"1 R4 HMMA.16816.F16 3 R8 R12 R4 0", "d 4:2 s 8:4 12:2 4:2", NULL},
        {"1 R4 LDC.64 1 R2 0", "d 4:2 s 2:1", NULL},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct operands operands;
        struct inst inst;
        char registers[128], text[128];
        const char *at = lines[i].line;
        assert_null(operands_read(&operands, &at));
        assert_int_equal(*at, '\0');
        operands_lower(&operands, 0, &inst);
        list_registers(&inst, registers, sizeof registers);
        assert_string_equal(registers, lines[i].registers);
        operands_text(&operands, text, sizeof text);
        if (lines[i].text)
            assert_string_equal(text, lines[i].text);
    }
}

static void lower(const char *line, int64_t immediate, struct inst *inst)
{
    struct operands operands;
    assert_null(operands_read(&operands, &line));
    operands_lower(&operands, immediate, inst);
}

static void test_immediates(void **state)
{
    (void)state;
    struct inst inst;
    lower("0 BAR.SYNC 0 0", 0, &inst);
    assert_int_equal(inst.barrier + inst.barrier_threads + inst.barrier_arrive, 0);
    lower("0 BAR.ARV 0 0", 5, &inst);
    assert_int_equal(inst.barrier, 5);
    assert_int_equal(inst.barrier_arrive, 1);
    lower("0 BAR.SYNC 0 0", 96, &inst);
    assert_int_equal(inst.barrier_threads, 96);
    lower("0 LDGDEPBAR 0 0", 0, &inst);
    assert_int_equal(inst.depbar_index, DEPBAR_COMMIT);
    lower("0 DEPBAR.LE 0 0", 2, &inst);
    assert_int_equal(inst.depbar_index, DEPBAR_GROUPS);
    assert_int_equal(inst.depbar_count, 2);
    lower("0 MEMBAR.SC.GPU 0 0", 0, &inst);
    assert_int_equal(inst.scope, 1);
    lower("0 MEMBAR.SYS 0 0", 0, &inst);
    assert_int_equal(inst.scope, 2);
    lower("0 NANOSLEEP 0 0", 100, &inst);
    assert_int_equal(inst.sleep, 100);
}

/* Loads go past L1 as the same instructions of machine code do. */
static void test_past_l1(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool past_l1;
        uint8_t scope;
    } lines[] = {
        {"1 R4 LDG.E 1 R2 4", false, 0},
        {"1 R4 LDG.E.SYS 1 R2 4", false, 0}, /* how a T4 writes a plain load */
        {"1 R4 LDG.E.STRONG.CTA 1 R2 4", false, 0},
        {"1 R4 LDG.E.STRONG.SM 1 R2 4", false, 0},
        {"1 R4 LDG.E.STRONG.GPU 1 R2 4", true, SCOPE_DEVICE},
        {"1 R4 LDG.E.64.STRONG.SYS 1 R2 8", true, SCOPE_SYSTEM},
        {"1 R4 LD.E.STRONG.GPU 1 R2 4", true, SCOPE_DEVICE},
        {"1 R4 LDG.E.MMIO.SYS 1 R2 4", true, SCOPE_SYSTEM},
        {"0 STG.E.STRONG.GPU 2 R2 R4 4", false, 0},
        {"0 RED.E.ADD.STRONG.GPU 2 R2 R4 4", false, 0},
        {"0 LDGSTS.E.128 2 R5 R2 16", false, 0},
        {"0 LDGSTS.E.BYPASS.128 2 R5 R2 16", true, SCOPE_DEVICE},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct inst inst;
        lower(lines[i].line, 0, &inst);
        if (inst.past_l1 != lines[i].past_l1 || inst.scope != lines[i].scope)
            fail_msg("%s: past L1 %d, scope %u", lines[i].line, inst.past_l1, inst.scope);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),      cmocka_unit_test(test_header),
        cmocka_unit_test(test_opcodes),    cmocka_unit_test(test_registers),
        cmocka_unit_test(test_immediates), cmocka_unit_test(test_past_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
