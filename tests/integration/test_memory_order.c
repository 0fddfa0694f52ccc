/* Accesses to the same bytes in a timed launch: in which order they take effect, and who sees them.
 */
#include "timed_rig.h"

struct order {
    struct rig rig;
    int *word, *out;
    uint64_t arguments[3]; /* word, out; the test fills the third */
};

static void begin(struct order *order)
{
    *order = (struct order){0};
    rig_open_code(&order->rig, "order", 90);
    order->rig.config.gpu_sms = 2;
    order->arguments[0] = rig_buffer(&order->rig, "word", 4096, &order->word);
    order->arguments[1] = rig_buffer(&order->rig, "out", 4096, &order->out);
}

/* Runs a launch to its end, in time. */
static void run(struct order *order, const char *kernel, uint32_t grid, uint32_t block)
{
    if (rig_time(&order->rig, kernel, grid, block, order->arguments) != SIMSM_OK)
        fail_msg("%s", order->rig.error.message);
}

static void loads_see_own_reductions(void **state)
{
    (void)state;
    struct order order;
    begin(&order);
    run(&order, "own_reductions", 1, 64);
    for (int t = 0; t < 64; t++) {
        assert_int_equal(order.out[3 * t], 15);
        assert_int_equal(order.out[3 * t + 1], 115);
        assert_int_equal(order.out[3 * t + 2], 15);
        assert_int_equal(order.word[t], 115);
    }
    rig_close(&order.rig);
}

static void loads_see_reductions_of_the_block(void **state)
{
    (void)state;
    static const char *const kernels[] = {"reductions_of_the_block", "copied_reductions"};
    for (uint32_t i = 0; i < 2; i++) {
        struct order order;
        begin(&order);
        for (int t = 0; t < 32; t++)
            order.word[t] = t;
        run(&order, kernels[i], 1, i ? 32 : 64);
        for (int t = 0; t < 32; t++)
            assert_int_equal(order.out[t], t + 3);
        rig_close(&order.rig);
    }
}

/* A store that has taken effect does not hide what another SM stores afterwards, while a later
 * store to the same sector is under way. */
static void later_stores_of_others_are_seen(void **state)
{
    (void)state;
    enum { TURNS = 400 };
    struct order order;
    begin(&order);
    order.arguments[2] = TURNS;
    run(&order, "later_store_of_another", 2, 1);
    assert_int_equal(order.word[0], 2);
    assert_in_range(order.out[0], TURNS / 4, TURNS / 2);
    rig_close(&order.rig);
}

/* Memory that is freed has lost the access by its pages: a store that came after it would end the
 * process. */
static void free_waits_for_stores(void **state)
{
    (void)state;
    struct order order;
    begin(&order);
    order.arguments[0] = 1 << 20;
    run(&order, "freed_at_once", 1, 1);
    assert_int_equal(order.out[0], 1);
    rig_close(&order.rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_see_own_reductions),
        cmocka_unit_test(loads_see_reductions_of_the_block),
        cmocka_unit_test(later_stores_of_others_are_seen),
        cmocka_unit_test(free_waits_for_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
