/*
 * The special function unit against what an H200 computed (driver 580.159.04, 2026-11-21):
 * cuda/probe/mufu.cu dumped whole binades of each function, all 16-bit operands, and numbers at all
 * exponents; cuda/probe/fit/mufu made tables and the hashes below from that. A hash of every 61st
 * result is checked always, one of all 200 million with SIMSM_MUFU_ALL in the environment. (When
 * they were made, the functions were also compared with the GPU over all 2^32 operands of single
 * precision and all high words: no difference.)
 */
#include <stdlib.h>

#include "exec/alu/half.h"
#include "exec/alu/mufu_function.h"
#include "sass_alu_fixture.h"

/* How operand number i of a dump is made: start + i; bits spread over all floats; i as 16 bits. */
enum kind { RANGE, SWEEP, F16, BF16 };

struct dump {
    const char *name;
    enum kind kind;
    enum mufu_function function;
    uint32_t start, count;
    uint64_t hash_of_some, hash_of_all;
};

static const struct dump dumps[] = {
    {"rcp.1", RANGE, MUFU_RCP, 0x3f800000, 8388608, UINT64_C(0x4ffb2ee4e84f831a),
     UINT64_C(0xdef261e090e4aa42)},
    {"rsq.1", RANGE, MUFU_RSQ, 0x3f800000, 8388608, UINT64_C(0x3f96eec8a45a99db),
     UINT64_C(0x6cddbe4e83502033)},
    {"rsq.2", RANGE, MUFU_RSQ, 0x40000000, 8388608, UINT64_C(0xd5870059e76422bc),
     UINT64_C(0x795a49cca1b3891e)},
    {"sqrt.1", RANGE, MUFU_SQRT, 0x3f800000, 8388608, UINT64_C(0x2a4a675250b19021),
     UINT64_C(0x4f1f2bdfa5dcbcd8)},
    {"sqrt.2", RANGE, MUFU_SQRT, 0x40000000, 8388608, UINT64_C(0x3c3b1cc55178b892),
     UINT64_C(0x6e514b4d289e75e4)},
    {"ex2.half", RANGE, MUFU_EX2, 0x3f000000, 8388608, UINT64_C(0x99c309e3e959e7e5),
     UINT64_C(0xdfd1b060bb4385cb)},
    {"ex2.1", RANGE, MUFU_EX2, 0x3f800000, 8388608, UINT64_C(0xf7e2620955200a18),
     UINT64_C(0xae15bd47d03f381f)},
    {"ex2.minus1", RANGE, MUFU_EX2, 0xbf800000, 8388608, UINT64_C(0x85ff4c52716d23d6),
     UINT64_C(0xad850c828e61a027)},
    {"lg2.half", RANGE, MUFU_LG2, 0x3f000000, 8388608, UINT64_C(0x277f64c326a50008),
     UINT64_C(0x326c3b7256edfb59)},
    {"lg2.1", RANGE, MUFU_LG2, 0x3f800000, 8388608, UINT64_C(0x559af060b57fc6fa),
     UINT64_C(0x8a7713681132ecd1)},
    {"lg2.4", RANGE, MUFU_LG2, 0x40800000, 8388608, UINT64_C(0xb27f2de8417043c0),
     UINT64_C(0x688e9eaf45dd55f9)},
    {"sin.16th", RANGE, MUFU_SIN, 0x3d800000, 8388608, UINT64_C(0x19612dd37db55afc),
     UINT64_C(0x7715750c2a87c4c3)},
    {"sin.8th", RANGE, MUFU_SIN, 0x3e000000, 8388608, UINT64_C(0x1571e299261a80c9),
     UINT64_C(0xe369523e048db129)},
    {"sin.quarter", RANGE, MUFU_SIN, 0x3e800000, 8388608, UINT64_C(0x9bf83833bbe890f9),
     UINT64_C(0x2cf4f549f5c2e6a3)},
    {"sin.half", RANGE, MUFU_SIN, 0x3f000000, 8388608, UINT64_C(0xc31070a5db6874f7),
     UINT64_C(0xdb2be75daf59b77c)},
    {"cos.16th", RANGE, MUFU_COS, 0x3d800000, 8388608, UINT64_C(0x103e8787509aee68),
     UINT64_C(0xacd156b2e19d88c0)},
    {"cos.8th", RANGE, MUFU_COS, 0x3e000000, 8388608, UINT64_C(0x23bf89a7d84b3b92),
     UINT64_C(0x6c78d1d73a82c971)},
    {"cos.quarter", RANGE, MUFU_COS, 0x3e800000, 8388608, UINT64_C(0xc4e130f7f4268852),
     UINT64_C(0x9f2a40a205e4dee5)},
    {"cos.half", RANGE, MUFU_COS, 0x3f000000, 8388608, UINT64_C(0x1d1293be0cd16ea1),
     UINT64_C(0xd0d9ba7cddd7eaf2)},
    {"tanh.quarter", RANGE, MUFU_TANH, 0x3e800000, 8388608, UINT64_C(0xdf666390630eb2f4),
     UINT64_C(0x74f6ebb9416ef399)},
    {"tanh.half", RANGE, MUFU_TANH, 0x3f000000, 8388608, UINT64_C(0xcb6373657cf10f6f),
     UINT64_C(0x00e0156da7bd7364)},
    {"tanh.1", RANGE, MUFU_TANH, 0x3f800000, 8388608, UINT64_C(0x260ee736626403f5),
     UINT64_C(0x2d12f36b33d7c102)},
    {"tanh.2", RANGE, MUFU_TANH, 0x40000000, 8388608, UINT64_C(0xa6d667d56bc9a800),
     UINT64_C(0x7e9543e74b256a42)},
    {"tanh.4", RANGE, MUFU_TANH, 0x40800000, 8388608, UINT64_C(0xf2ad4747a8d6a84d),
     UINT64_C(0x352509ee6f71ccad)},
    {"rcp64h", RANGE, MUFU_RCP64H, 0x3ff00000, 1048576, UINT64_C(0x9a34182f2c17fab8),
     UINT64_C(0x94eb68f491e4b8e7)},
    {"rsq64h", RANGE, MUFU_RSQ64H, 0x3ff00000, 2097152, UINT64_C(0x407af3324d5d25a3),
     UINT64_C(0x1bd3290c4213b88c)},
    {"rcp.sweep", SWEEP, MUFU_RCP, 0x00000000, 131072, UINT64_C(0xd911fcaa633ce842),
     UINT64_C(0xdc8883fdc69c0cfc)},
    {"rsq.sweep", SWEEP, MUFU_RSQ, 0x00000000, 131072, UINT64_C(0x085bd2faeb7eb30c),
     UINT64_C(0xac738b847502b7bd)},
    {"sqrt.sweep", SWEEP, MUFU_SQRT, 0x00000000, 131072, UINT64_C(0xa3207a8408d58c01),
     UINT64_C(0x3384a527e5af685b)},
    {"ex2.sweep", SWEEP, MUFU_EX2, 0x00000000, 131072, UINT64_C(0xd7d604dc65a48a59),
     UINT64_C(0xcf139faeada4a561)},
    {"lg2.sweep", SWEEP, MUFU_LG2, 0x00000000, 131072, UINT64_C(0xdd33d170815b7534),
     UINT64_C(0x19a686aea1a05286)},
    {"sin.sweep", SWEEP, MUFU_SIN, 0x00000000, 131072, UINT64_C(0xfa8e15fb6ccb3dd1),
     UINT64_C(0x9662220fa05bba72)},
    {"cos.sweep", SWEEP, MUFU_COS, 0x00000000, 131072, UINT64_C(0x2737e0e0a26d3e7d),
     UINT64_C(0x8da819acb384f52b)},
    {"tanh.sweep", SWEEP, MUFU_TANH, 0x00000000, 131072, UINT64_C(0xfc193275811fdf61),
     UINT64_C(0xbece41a837d47728)},
    {"ex2_f16", F16, MUFU_EX2, 0x00000000, 65536, UINT64_C(0xa86a045cf8a1209b),
     UINT64_C(0xd229fed974e2c023)},
    {"tanh_f16", F16, MUFU_TANH, 0x00000000, 65536, UINT64_C(0xd987e6ef8fb4eec8),
     UINT64_C(0xd8bad204cfc316a7)},
    {"ex2_bf16", BF16, MUFU_EX2, 0x00000000, 65536, UINT64_C(0x5d4ea86378fa0b62),
     UINT64_C(0x83ffef44e21a13f3)},
    {"tanh_bf16", BF16, MUFU_TANH, 0x00000000, 65536, UINT64_C(0x2415bc312d14efad),
     UINT64_C(0x657b893792297a92)},
};

static uint32_t result_of(const struct dump *dump, uint32_t i)
{
    switch (dump->kind) {
    case F16:
        return mufu_half(dump->function, alu_float_bits(half_value(i)));
    case BF16:
        return mufu_bf16(dump->function, i << 16);
    case SWEEP:
        return mufu_functions[dump->function](i << 15 | (i * 0x9e3779b9u) >> 17);
    case RANGE:
        break;
    }
    return mufu_functions[dump->function](dump->start + i);
}

/* The sum that the function `spread` of cuda/probe/fit/mufu makes of every `step`th result. */
static uint64_t spread(const struct dump *dump, uint32_t step)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < dump->count; i += step) {
        uint64_t mixed = result_of(dump, i) + i * UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 29;
        mixed *= UINT64_C(0xbf58476d1ce4e5b9);
        mixed ^= mixed >> 32;
        sum += mixed;
    }
    return sum;
}

static void check_dump(const struct dump *dump, uint32_t step, uint64_t expected)
{
    const uint64_t found = spread(dump, step);
    if (found != expected)
        fail_msg("%s, every %uth result: %016llx, expected %016llx", dump->name, step,
                 (unsigned long long)found, (unsigned long long)expected);
}

static void dumped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
        check_dump(&dumps[i], 61, dumps[i].hash_of_some);
        if (getenv("SIMSM_MUFU_ALL"))
            check_dump(&dumps[i], 1, dumps[i].hash_of_all);
    }
}

#define NAN_ 0x7fffffffu

/* Zeros, denormals, infinities, NaN. */
static void special(void **state)
{
    (void)state;
    const struct word mufu = word_of(0x308);
    CHECK("MUFU.COS", 75, mufu, WORD, {0, 0x7f800000, 0, NAN_}, {0, 0, 0, 0x3f800000},
          {0, 1, 0, 0x3f800000});
    CHECK("MUFU.SIN", 75, with(mufu, 74, 4, MUFU_SIN), WORD, {0, 0xff800000, 0, NAN_},
          {0, 0x80000000, 0, 0x80000000}, {0, 0, 0, 0});
    /* 2^-25 revolutions are the least that counts; just below a half is as a half */
    CHECK("MUFU.SIN least", 75, with(mufu, 74, 4, MUFU_SIN), WORD, {0, 0x32ffffff, 0, 0},
          {0, 0x33000000, 0, 0x34491200}, {0, 0xb3000000, 0, 0xb4491200}, {0, 0x3effffff, 0, 0});
    CHECK("MUFU.COS quarters", 75, mufu, WORD, {0, 0x3e800000, 0, 0x80000000},
          {0, 0x3f400000, 0, 0});
    CHECK("MUFU.EX2", 75, with(mufu, 74, 4, MUFU_EX2), WORD, {0, 0x7f800000, 0, 0x7f800000},
          {0, 0xff800000, 0, 0}, {0, 1, 0, 0x3f800000}, {0, 0xc2fe0000, 0, 0},
          {0, 0xc2fc0000, 0, 0x00800000}, {0, 0x43000000, 0, 0x7f800000}, {0, NAN_, 0, NAN_});
    CHECK("MUFU.LG2", 75, with(mufu, 74, 4, MUFU_LG2), WORD, {0, 0, 0, 0xff800000},
          {0, 0x80000000, 0, 0xff800000}, {0, 1, 0, 0xff800000}, {0, 0xbf800000, 0, NAN_},
          {0, 0x7f800000, 0, 0x7f800000}, {0, 0x3f800000, 0, 0});
    CHECK("MUFU.RCP", 75, with(mufu, 74, 4, MUFU_RCP), WORD, {0, 0, 0, 0x7f800000},
          {0, 0x80000000, 0, 0xff800000}, {0, 1, 0, 0x7f800000}, {0, 0x7f800000, 0, 0},
          {0, 0xff800000, 0, 0x80000000}, {0, 0x7f000000, 0, 0}, {0, 0x40000000, 0, 0x3f000000});
    CHECK("MUFU.RSQ", 75, with(mufu, 74, 4, MUFU_RSQ), WORD, {0, 0, 0, 0x7f800000},
          {0, 0x80000000, 0, 0xff800000}, {0, 0xbf800000, 0, NAN_}, {0, 0x7f800000, 0, 0},
          {0, 0x40800000, 0, 0x3f000000}, {0, 0xff800000, 0, NAN_});
    CHECK("MUFU.RCP64H", 75, with(mufu, 74, 4, MUFU_RCP64H), WORD, {0, 0x40000000, 0, 0x3fe00000},
          {0, 0, 0, 0x7ff00000}, {0, 0x80000000, 0, 0xfff00000}, {0, 0x7ff00000, 0, 0},
          {0, 1, 0, 0x7ff00000});
    CHECK("MUFU.RSQ64H", 75, with(mufu, 74, 4, MUFU_RSQ64H), WORD, {0, 0x40100000, 0, 0x3fe00000},
          {0, 0, 0, 0x7ff00000});
    CHECK("MUFU.SQRT", 75, with(mufu, 74, 4, MUFU_SQRT), WORD, {0, 0x80000000, 0, 0x80000000},
          {0, 0x40800000, 0, 0x40000000}, {0, 0xbf800000, 0, NAN_}, {0, 0x7f800000, 0, 0x7f800000});
    CHECK("MUFU.TANH", 75, with(mufu, 74, 4, MUFU_TANH), WORD, {0, 0x7f800000, 0, 0x3f800000},
          {0, 0xff800000, 0, 0xbf800000}, {0, 0x80000000, 0, 0x80000000});
}

/* Single results, as instructions give them. */
static void single(void **state)
{
    (void)state;
    const struct word mufu = word_of(0x308);
    CHECK("MUFU.COS", 90, mufu, WORD, {0, 0x3e800000, 0, 0x80000000},
          {0, 0x3e800001, 0, 0xb4491200}, {0, 0x3e000000, 0, 0x3f3504f3}, {0, 0x7f800000, 0, NAN_});
    CHECK("MUFU.SIN", 90, with(mufu, 74, 4, MUFU_SIN), WORD, {0, 0x3e800000, 0, 0x3f800000},
          {0, 0x33000000, 0, 0x34491200}, {0, 0x32ffffff, 0, 0}, {0, 0xbe800000, 0, 0xbf800000},
          {0, 0x80000000, 0, 0x80000000});
    CHECK("MUFU.EX2", 90, with(mufu, 74, 4, MUFU_EX2), WORD, {0, 0xbf800000, 0, 0x3f000000},
          {0, 0xbf800001, 0, 0x3efffffe}, {0, 0xc2fc0000, 0, 0x00800000}, {0, 0xc2fc0001, 0, 0},
          {0, 0x42ffffff, 0, 0x7f7fffa8}, {0, 0x43000000, 0, 0x7f800000});
    CHECK("MUFU.LG2", 90, with(mufu, 74, 4, MUFU_LG2), WORD, {0, 0x3f800000, 0, 0},
          {0, 0x3f000000, 0, 0xbf7ffffe}, {0, 0x3f7fffff, 0, 0xb24b4000},
          {0, 0x3f800001, 0, 0x3495f600}, {0, 0x80000001, 0, 0xff800000}, {0, 0xbf800000, 0, NAN_});
    CHECK("MUFU.RCP", 90, with(mufu, 74, 4, MUFU_RCP), WORD, {0, 0x7e800000, 0, 0x00800000},
          {0, 0x7e800001, 0, 0}, {0, 0xff000000, 0, 0x80000000}, {0, 0x3fffffff, 0, 0x3f000001});
    CHECK("MUFU.RSQ", 90, with(mufu, 74, 4, MUFU_RSQ), WORD, {0, 0x3f800000, 0, 0x3f800000},
          {0, 0x40000000, 0, 0x3f3504f2}, {0, 0x80000000, 0, 0xff800000});
    CHECK("MUFU.SQRT", 90, with(mufu, 74, 4, MUFU_SQRT), WORD, {0, 0x40000000, 0, 0x3fb504f3},
          {0, 0x3f800000, 0, 0x3f800000}, {0, 0x80800000, 0, NAN_});
    CHECK("MUFU.RCP64H", 90, with(mufu, 74, 4, MUFU_RCP64H), WORD, {0, 0x3ff00001, 0, 0x3feffffe},
          {0, 0x7fd00000, 0, 0x00100000}, {0, 0xffe00000, 0, 0x80000000}, {0, 0xfff00001, 0, NAN_});
    CHECK("MUFU.RSQ64H", 90, with(mufu, 74, 4, MUFU_RSQ64H), WORD, {0, 0x3ff00001, 0, 0x3feffffe},
          {0, 0x00100000, 0, 0x5fe00000}, {0, 0x800fffff, 0, 0xfff00000});
    CHECK("MUFU.TANH", 90, with(mufu, 74, 4, MUFU_TANH), WORD, {0, 0xcf1b, 0, 0xcf1b},
          {0, 0x3e800000, 0, 0x3e7acbc0}, {0, 0xc0ffffff, 0, 0xbf7ffffc},
          {0, 0x41000000, 0, 0x3f800000});
}

/* Half and bfloat16 take either half of a register; the result's upper half is 0. */
static void halves(void **state)
{
    (void)state;
    const struct word half = with(word_of(0x308), 72, 1, 1), bf16 = with(word_of(0x308), 73, 1, 1);
    const struct word ex2 = with(half, 74, 4, MUFU_EX2), tanh = with(half, 74, 4, MUFU_TANH);
    CHECK("MUFU.EX2.F16", 90, ex2, WORD, {0, 0xcc003c00, 0, 0x4000}, {0, 0x3c00cc00, 0, 0x0100},
          {0, 0x4c00, 0, 0x7c00}, {0, 0x7c01, 0, 0x7fff}, {0, 0x11c5, 0, 0x3c00});
    CHECK("MUFU.EX2.F16 H1", 90, with(ex2, 60, 1, 1), WORD, {0, 0xcc003c00, 0, 0x0100},
          {0, 0x3c00cc00, 0, 0x4000});
    CHECK("MUFU.TANH.F16", 90, tanh, WORD, {0, 0x8001, 0, 0x8001}, {0, 0x1c08, 0, 0x1c07},
          {0, 0xfc00, 0, 0xbc00});
    CHECK("MUFU.EX2.BF16", 90, with(bf16, 74, 4, MUFU_EX2), WORD, {0, 0x0001, 0, 0x3f80},
          {0, 0x3bb9, 0, 0x3f80}, {0, 0xff80, 0, 0});
    CHECK("MUFU.TANH.BF16 H1", 90, with(with(bf16, 74, 4, MUFU_TANH), 60, 1, 1), WORD,
          {0, 0x3b817fff, 0, 0x3b80}, {0, 0x80010000, 0, 0x8001}, {0, 0x7f810000, 0, 0x7fff});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumped),
        cmocka_unit_test(special),
        cmocka_unit_test(single),
        cmocka_unit_test(halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
