/* Text traces that are wrong: where the message points, and what it says. */
#include <stdlib.h>

#include "trace/trace_program.h"
#include "trace_fixture.h"

struct wrong {
    const char *text;
    uint32_t line, column;
    const char *says; /* part of the message */
};

#define H "kernel t\ngrid 4\nblock 64\nregisters 64\nshared 64\nlocal 16\nbuffer a = 64K\n"

static const struct wrong in_header[] = {
    {"", 1, 1, "the header lacks \"kernel\""},
    {"\n\n  # only a comment\n", 4, 1, "the header lacks \"kernel\""},
    {"kernel t\nblock 64\nregisters 8\nNOP\n", 4, 1, "lacks \"grid\", as in: grid 320"},
    {"kernel t\ngrid 1\nregisters 8\nNOP\n", 4, 1, "lacks \"block\""},
    {"kernel t\ngrid 1\nblock 8\nNOP\n", 4, 1, "lacks \"registers\""},
    {"kernel t\nkernel u\n", 2, 1, "kernel is given twice"},
    {"kernel\n", 1, 7, "expected the name of the kernel, found the end of the line"},
    {"grid 0\n", 1, 6, "must be from 1 to 2147483647; this is 0"},
    {"grid 2147483648\n", 1, 6, "this is 2147483648"},
    {"grid 1, 65536\n", 1, 9, "extent in y (blocks) must be from 1 to 65535"},
    {"grid 1, 1, 65536\n", 1, 12, "extent in z (blocks) must be from 1 to 65535"},
    {"grid 1, 1, 1, 1\n", 1, 15, "at most three extents"},
    {"block 1025\n", 1, 7, "must be from 1 to 1024"},
    {"block 1, 1, 65\n", 1, 13, "must be from 1 to 64"},
    {"block 64, 17\n", 1, 7, "at most 1024 threads; 64 x 17 x 1 are 1088"},
    {"registers 256\n", 1, 11, "must be from 1 to 255"},
    {"registers 0\n", 1, 11, "must be from 1 to 255"},
    {"shared 2M\n", 1, 8, "must be from 0 to 1048576"},
    {"carveout 101%\n", 1, 10, "0% to 100%"},
    {"grid 8 blocks\n", 1, 8, "expected the end of the line after grid, found \"blocks\""},
    {"grid lane\n", 1, 6, "\"lane\" is known only after grid and block are given"},
    {"grid 1/0\n", 1, 7, "this divides by 0"},
    {"grid 9223372036854775808\n", 1, 6, "above 2^63 - 1"},
    {"grid 12ab\n", 1, 6, "\"12ab\" is not a number"},
    {"grid 0x\n", 1, 6, "is not a number"},
    {"param n = 4\nparam n = 5\n", 2, 7, "there is a \"n\" already"},
    {"param warp = 4\n", 1, 7, "\"warp\" has a meaning already"},
    {"let R4 = 4\n", 1, 5, "\"R4\" has a meaning already"},
    {"param n\n", 1, 8, "expected \"=\" after the name of a param"},
    {"param = 4\n", 1, 7, "expected the name of a param, found \"=\""},
    {"param abcdefghijklmnopqrstuvwxyz012345 = 4\n", 1, 7, "at most 31 letters"},
    {"buffer a = 0\n", 1, 12, "must be from 1"},
    {"kernel t\ngrid 1\nblock 1\nlet x = random(4)\n", 4, 17, "random() in a let needs a key"},
    {"kernel t\ngrid 1\nblock 32\nparam x = lane\n", 4, 11, "a param must be constant"},
    {"kernel t\ngrid 1\nblock 32\nregisters 8\nshared 1M\ndynamic 1\nNOP\n", 7, 1,
     "together at most 1048576"},
    {"\x7f"
     "ELF\x02\x01",
     1, 1, "byte 0x7f is not text"},
    {"kernel t\ngrid 1\nblock 1\nregisters 8\nNOP\n\xff\n", 6, 1, "byte 0xff is not text"},
    {"grid \"4\"\n", 1, 6, "has no meaning in a trace"},
};

static const struct wrong in_code[] = {
    {H, 8, 1, "this kernel has no instructions"},
    {H "NOP\ngrid 4\n", 9, 1, "\"grid\" belongs to the header"},
    {H "  FMFA R1, R2, R3, R4\n", 8, 3, "unknown instruction \"FMFA\"; did you mean \"FFMA\"?"},
    {H "ffma R1, R2, R3, R4\n", 8, 1, "did you mean \"FFMA\"?"},
    {H "FROBNICATE R1\n", 8, 1, "docs/trace-format.md lists those"},
    {H "BRA R1\n", 8, 1, "BRA is written by simsm itself"},
    {H "BSSY B0, 4\n", 8, 1, "BSSY is written by simsm itself"},
    {H "LDG.E.46 R1, [a]\n", 8, 1, "\"46\" is not a suffix of an instruction"},
    {H "MUFU.RCQ R1, R2\n", 8, 1, "did you mean \"RCP\"?"},
    {H "FFMA R1, R2, R3\n", 8, 1, "FFMA takes 4 operands; 3 found"},
    {H "NOP R1\n", 8, 1, "NOP takes 0 operands; 1 found"},
    {H "MOV R1, P0\n", 8, 9, "operand 2 of MOV must be a register, a number"},
    {H "FADD 1, R2, R3\n", 8, 6, "operand 1 of FADD must be a destination register here; found"},
    {H "ISETP R0, R1, R2\n", 8, 7, "operand 1 of ISETP must be a destination predicate"},
    {H "LDG R1, R2\n", 8, 9, "operand 2 of LDG must be an address in brackets"},
    {H "FADD R1, R64, R3\n", 8, 10, "R64 is beyond the 64 registers that the header gives"},
    {H "LDG.128 R62, [a]\n", 8, 9, "must begin at a multiple of 4"},
    {H "HMMA.884 R60, R2, R4, R8\n", 8, 10, "R67 is beyond the 64 registers"},
    {H "MOV R255, R1\n", 8, 5, "there is no register R255; R0 to R254 exist"},
    {H "MOV R1, UR63\n", 8, 9, "there is no register UR63"},
    {H "@P7 NOP\n", 8, 2, "there is no register P7"},
    {H "@R1 NOP\n", 8, 2, "a guard is a predicate"},
    {H "@ NOP\n", 8, 3, "expected a predicate such as P0 after \"@\""},
    {H "@P0{0-32} NOP\n", 8, 7, "lanes go from 0 to 31 here; this is 32"},
    {H "MOV R1, R2.wrong\n", 8, 9, "\".wrong\" is not a suffix of a register"},
    {H "S2R R1, SR_TIX.X\n", 8, 9, "unknown special register"},
    {H "DEPBAR.LE SB6, 0\n", 8, 11, "there is no scoreboard SB6"},
    {H "MOV R1, R2 R3\n", 8, 12, "expected \",\", \";\" or the end of the line, found \"R3\""},
    {H "MOV R1, c[0x40][0]\n", 8, 11, "the bank of a constant must be from 0 to 31"},
    {H "FADD R1, |R2, R3\n", 8, 13, "expected \"|\" at the end of an absolute value"},
    {H "HMMA R4, R8, R12, R4\n", 8, 1, "HMMA needs a shape as suffix"},
    {H "LDG R1, [R2]\n", 8, 9, "registers have no values in a trace"},
    {H "LDG R1, [R2 4]\n", 8, 13, "expected \"+\" or \"]\" after a register of an address"},
    {H "LDG R1, [R2 + R3 + R4 + a]\n", 8, 20, "at most 2 registers"},
    {H "LDG R1, [a + b]\n", 8, 14, "unknown name \"b\""},
    {H "LDG R1, [a + threed]\n", 8, 14, "did you mean \"thread\"?"},
    {H "LDG R1, [a\n", 8, 11,
     "expected \"]\" at the end of the address; found the end of the line"},
    {H "LDG R1, [(a]\n", 8, 12, "expected \")\""},
    {H "LDS R1, [64 + lane]\n", 8, 9, "outside the 64 bytes of shared memory"},
    {H "LDL R1, [16]\n", 8, 9, "outside the 16 bytes of local memory"},
    {H "LDG R4, [R5 + chase(a, 64K, 32)]\n", 8, 9, "a chase needs its destination as the register"},
    {H "LDG R4, [R4 + chase(a, 96, 32)]\n", 8, 21, "must be a power of two; 96 / 32"},
    {H "LDG R4, [a + random(0)]\n", 8, 21, "N must be from 1 to 2^32"},
    {H "BAR 0\n", 8, 1, "write BAR.SYNC, BAR.ARV or BAR.RED"},
    {H "BAR.SYNC 16\n", 8, 10, "a block has barriers 0 to 15"},
    {H "BAR.ARV 1\n", 8, 1, "BAR.ARV needs the number of threads"},
    {H "BAR.SYNC 1, 33\n", 8, 13, "a multiple of 32"},
    {H "BAR.SYNC 1, 96\n", 8, 13, "to the 64 of a block"},
    {H "MEMBAR\n", 8, 1, "write MEMBAR.CTA"},
    {H "NANOSLEEP -1\n", 8, 11, "sleeps for 0 to 1000000"},
    {H "NOP ; stall=16\n", 8, 13, "a stall count is 0 to 15"},
    {H "NOP ; write=6\n", 8, 13, "a scoreboard barrier is 0 to 5"},
    {H "NOP ; wait=6\n", 8, 12, "a scoreboard barrier is 0 to 5"},
    {H "NOP ; hurry\n", 8, 7, "expected stall=, yield, write=, read= or wait= after \";\""},
    {H "NOP ;\n", 8, 6, "found the end of the line"},
};

static const struct wrong in_structure[] = {
    {H "lanes 0-15 {\nNOP\n", 8, 12, "this \"{\" has no \"}\""},
    {H "NOP }\n", 8, 5, "this \"}\" has no \"{\""},
    {H "else { NOP }\n", 8, 1, "this \"else\" belongs to no block"},
    {H "lanes 0-15 NOP\n", 8, 12, "expected \"{\", found \"NOP\""},
    {H "lanes { NOP }\n", 8, 7, "expected lanes such as 0-15,20"},
    {H "lanes 5-3 { NOP }\n", 8, 7, "ends before it begins"},
    {H "lanes 40 { NOP }\n", 8, 7, "lanes go from 0 to 31"},
    {H "warps 2 { NOP }\n", 8, 7, "warps go from 0 to 1"},
    {H "blocks 4 { NOP }\n", 8, 8, "blocks go from 0 to 3"},
    {H "lanes lane { NOP }\n", 8, 7, "a set is made of constants"},
    {H "warps (lane == 3) { NOP }\n", 8, 7, "cannot differ between the lanes of a warp"},
    {H "repeat lane { NOP }\n", 8, 8, "cannot differ between the lanes"},
    {H "loop 4 as i { repeat i { NOP } }\n", 8, 22, "cannot depend on a loop counter"},
    {H "loop 4 as i { warps (i == 0) { NOP } }\n", 8, 21, "cannot depend on a loop counter"},
    {H "loop 4294967296 { NOP }\n", 8, 1, "at most 2^32 - 1 trips"},
    {H "loop 4 as lane { NOP }\n", 8, 11, "\"lane\" has a meaning already"},
    {H "loop 4 as i { loop 4 as i { NOP } }\n", 8, 25, "there is a \"i\" already"},
    {H "if lane < 4 { NOP }\n", 8, 4, "expected \"(\" after if"},
    {H "if (lane < 4 { NOP }\n", 8, 14, "expected \")\" at the end of the condition"},
    {H "repeat 2 { NOP } NOP\n", 8, 18, "expected the end of the line, found \"NOP\""},
    {H "loop random(65536)*65536 as i {\nloop random(65536)*65536 as j {\n"
       "loop random(4)+1 as k {\nLDG R1, [a + 4*(lane % 3)*i*j*k] } } }\n",
     11, 9, "loops of together more than 2^64 iterations"},
};

static void expect_wrong(const struct wrong *wrong, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct front *front = NULL;
        struct simsm_error error = {0};
        enum simsm_status status = trace_open_text(&front, "t.trace", wrong[i].text,
                                                   strlen(wrong[i].text), NULL, NULL, &error);
        if (status != SIMSM_BAD_INPUT || error.line != wrong[i].line ||
            error.column != wrong[i].column || !strstr(error.message, wrong[i].says))
            fail_msg("case %zu: %s\nexpected %u:%u: ...%s..., got status %d, %u:%u: %s", i,
                     wrong[i].text, wrong[i].line, wrong[i].column, wrong[i].says, (int)status,
                     error.line, error.column, error.message);
        assert_string_equal(error.file, "t.trace");
        assert_null(front);
        /* a caller may not want to know */
        assert_int_equal(trace_open_text(&front, "t.trace", wrong[i].text, strlen(wrong[i].text),
                                         NULL, NULL, NULL),
                         SIMSM_BAD_INPUT);
    }
}

static void header_errors(void **state)
{
    (void)state;
    expect_wrong(in_header, sizeof in_header / sizeof *in_header);
}

static void code_errors(void **state)
{
    (void)state;
    expect_wrong(in_code, sizeof in_code / sizeof *in_code);
}

static void structure_errors(void **state)
{
    (void)state;
    expect_wrong(in_structure, sizeof in_structure / sizeof *in_structure);
}

/* `part` n times between a header and nothing. */
static char *many(const char *part, size_t n, const char *tail)
{
    size_t length = strlen(part), head = strlen(H);
    char *text = malloc(head + n * length + strlen(tail) + 1);
    assert_non_null(text);
    memcpy(text, H, head);
    for (size_t i = 0; i < n; i++)
        memcpy(text + head + i * length, part, length);
    memcpy(text + head + n * length, tail, strlen(tail) + 1);
    return text;
}

static void expect_many(const char *part, size_t n, const char *tail, const char *says)
{
    char *text = many(part, n, tail);
    struct front *front = NULL;
    struct simsm_error error = {0};
    assert_int_equal(trace_open_text(&front, "t.trace", text, strlen(text), NULL, NULL, &error),
                     SIMSM_BAD_INPUT);
    if (!strstr(error.message, says))
        fail_msg("expected ...%s..., got %s", says, error.message);
    assert_in_range(error.line, 8, 8 + n);
    free(text);
}

/* Every nesting and every table has a bound, and the bound has a message. */
static void bounds(void **state)
{
    (void)state;
    expect_many("repeat 1 {", 9, "NOP", "loops are nested more than 8 deep");
    expect_many("loop 1 {\n", 100000, "NOP", "loops are nested more than 8 deep");
    expect_many("lanes 0 {", 17, "NOP", "branches are nested more than 16 deep");
    expect_many("warps 0 {\n", 100000, "NOP", "nested more than 48 deep");
    expect_many("if (block) { NOP } else ", 100000, "NOP", "nested more than 48 deep");
    expect_many("LDG R1, [a + ((((((((((((((((((((((((((((((((((((((((((((((((((((", 1, "",
                "this expression is too large");
    expect_many("LDG R1, [a", 1,
                "+lane/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3"
                "/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3/3]",
                "this expression is too large");
    expect_many("NOP\n", PROGRAM_MAX_CODE + 1, "", "at most 1048576 instructions");
    expect_many("@!", 1, "!", "expected a predicate");
    expect_many("LDG R1, [-", 1, "-----------------------------------------------------1]",
                "this expression is too large");
}

/* Names that double in size must not double the work. */
static void lets_cannot_explode(void **state)
{
    (void)state;
    char text[8192];
    int length = snprintf(text, sizeof text,
                          "kernel t\ngrid 1\nblock 32\nregisters 8\n"
                          "let x0 = lane\n");
    for (int i = 1; i <= 40; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "let x%d = x%d + x%d\n", i,
                           i - 1, i - 1);
    struct front *front = NULL;
    struct simsm_error error = {0};
    assert_int_equal(trace_open_text(&front, "t.trace", text, (size_t)length, NULL, NULL, &error),
                     SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "too large"));
}

static void wrong_params(void **state)
{
    (void)state;
    static const char text[] = "param n = 1\nkernel t\ngrid n\nblock 32\nregisters 8\nNOP\n";
    static const struct {
        const char *param, *says;
    } cases[] = {{"m=1", "has no param \"m\""},
                 {"n", "a param is given as NAME=VALUE"},
                 {"n=x", "param n: \"x\" is not an integer"},
                 {"n=", "is not an integer"},
                 {"n=4 4", "is not an integer"},
                 {"n=0", "this is 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *params[] = {cases[i].param, NULL};
        struct front *front = NULL;
        struct simsm_error error = {0};
        assert_int_equal(
            trace_open_text(&front, "t.trace", text, strlen(text), NULL, params, &error),
            SIMSM_BAD_INPUT);
        if (!strstr(error.message, cases[i].says))
            fail_msg("%s: got %s", cases[i].param, error.message);
    }
}

static void unreadable_files(void **state)
{
    (void)state;
    struct front *front = NULL;
    struct simsm_error error = {0};
    assert_int_equal(trace_open(&front, "/nonexistent.trace", NULL, NULL, &error), SIMSM_BAD_INPUT);
    assert_int_equal(trace_open(&front, "/tmp", NULL, NULL, &error), SIMSM_BAD_INPUT);
    assert_int_equal(trace_open(&front, "/dev/zero", NULL, NULL, &error), SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, "larger than 16 MiB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_errors),       cmocka_unit_test(code_errors),
        cmocka_unit_test(structure_errors),    cmocka_unit_test(bounds),
        cmocka_unit_test(lets_cannot_explode), cmocka_unit_test(wrong_params),
        cmocka_unit_test(unreadable_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
