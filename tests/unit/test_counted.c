/* The pipes that count an instruction: by class, by configuration, and by the front. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "config/schema.h"
#include "model/model_counted.h"

static uint32_t pipes(const struct inst *inst)
{
    struct simsm_config config;
    schema_defaults(&config);
    config.ops[SIMSM_OP_IMAD].pipe = SIMSM_PIPE_FMAHEAVY;
    config.ops[SIMSM_OP_FP16].pipe = SIMSM_PIPE_FMA;
    return counted_pipes(inst, &config);
}

static uint32_t class_pipes(enum simsm_op_class op)
{
    return pipes(&(struct inst){.op = (uint8_t)op});
}

static void a_class_counts_where_it_runs(void **state)
{
    (void)state;
    assert_int_equal(class_pipes(SIMSM_OP_INT), COUNTED_BY(ALU));
    assert_int_equal(class_pipes(SIMSM_OP_FP32), COUNTED_BY(FMA));
    assert_int_equal(class_pipes(SIMSM_OP_BARRIER), COUNTED_BY(ADU));
}

static void half_of_a_pipe_counts_in_the_whole(void **state)
{
    (void)state;
    assert_int_equal(class_pipes(SIMSM_OP_IMAD), COUNTED_BY(FMA) | COUNTED_BY(FMAHEAVY));
    assert_int_equal(class_pipes(SIMSM_OP_FP16), COUNTED_BY(FMA) | COUNTED_BY(FMAHEAVY) |
                                                     COUNTED_BY(FMALITE) | COUNTED_BY(FP16));
}

static void some_count_elsewhere(void **state)
{
    (void)state;
    assert_int_equal(class_pipes(SIMSM_OP_BRANCH), 0);
    assert_int_equal(class_pipes(SIMSM_OP_NOP), 0);
    assert_int_equal(class_pipes(SIMSM_OP_BSYNC), COUNTED_BY(CBU));
    assert_int_equal(class_pipes(SIMSM_OP_BRANCH_REGISTER), COUNTED_BY(ADU) | COUNTED_BY(CBU));
    assert_int_equal(class_pipes(SIMSM_OP_HFMA2_MMA), COUNTED_BY(TENSOR));
}

static void a_fence_beyond_the_block_counts_in_tex_as_well(void **state)
{
    (void)state;
    struct inst fence = {.op = SIMSM_OP_MEMBAR, .scope = SCOPE_BLOCK};
    assert_int_equal(pipes(&fence), COUNTED_BY(LSU));
    fence.scope = SCOPE_DEVICE;
    assert_int_equal(pipes(&fence), COUNTED_BY(LSU) | COUNTED_BY(TEX));
}

static void the_front_end_has_the_last_word(void **state)
{
    (void)state;
    struct inst inst = {.op = SIMSM_OP_UNIFORM, .counted = COUNTED_NOWHERE};
    assert_int_equal(pipes(&inst), 0);
    inst.counted = COUNTED_BY(ALU);
    assert_int_equal(pipes(&inst), COUNTED_BY(ALU));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_counts_where_it_runs),
        cmocka_unit_test(half_of_a_pipe_counts_in_the_whole),
        cmocka_unit_test(some_count_elsewhere),
        cmocka_unit_test(a_fence_beyond_the_block_counts_in_tex_as_well),
        cmocka_unit_test(the_front_end_has_the_last_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
