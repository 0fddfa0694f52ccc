/* Collective operations whose lanes bring different masks give what the lanes of each mask have. */
#include "exec_rig.h"

enum { LANES = 32, WAYS = 5 };

struct warp_data {
    int label[LANES], value[LANES];
};

static int label_of(int way, int lane)
{
    const int label[WAYS] = {0, lane / 16, lane % 4, lane * 37 % 11 % 5, lane};
    return label[way];
}

static struct warp_data make_data(int way)
{
    struct warp_data data;
    for (int i = 0; i < LANES; i++) {
        data.label[i] = label_of(way, i);
        data.value[i] = (int)(((uint32_t)i + 1) * 2654435761u >> 27) + 32 * (data.label[i] == 1);
    }
    return data;
}

static uint32_t mask_of(const struct warp_data *data, int lane)
{
    uint32_t mask = 0;
    for (int i = 0; i < LANES; i++)
        mask |= (uint32_t)(data->label[i] == data->label[lane]) << i;
    return mask;
}

typedef int expected_fn(const struct warp_data *data, int lane);

static int greatest(const struct warp_data *data, int lane)
{
    int most = data->value[lane];
    for (uint32_t left = mask_of(data, lane); left; left &= left - 1)
        if (data->value[__builtin_ctz(left)] > most)
            most = data->value[__builtin_ctz(left)];
    return most;
}

static int odd_ones(const struct warp_data *data, int lane)
{
    uint32_t odd = 0;
    for (int i = 0; i < LANES; i++)
        odd |= ((uint32_t)data->value[i] & 1) << i;
    return (int)(odd & mask_of(data, lane));
}

static int as_odd(const struct warp_data *data, int lane)
{
    uint32_t odd = (uint32_t)odd_ones(data, lane), mask = mask_of(data, lane);
    return (int)(data->value[lane] & 1 ? odd : mask & ~odd);
}

static int all_alike(const struct warp_data *data, int lane)
{
    uint32_t mask = mask_of(data, lane);
    for (uint32_t left = mask; left; left &= left - 1)
        if (data->value[__builtin_ctz(left)] >> 4 != data->value[lane] >> 4)
            return 0;
    return (int)mask;
}

static int first_value(const struct warp_data *data, int lane)
{
    return data->value[__builtin_ctz(mask_of(data, lane))] + (lane & 1 ? 0 : 1000);
}

/* Launches `kernel` for each way to part the lanes. */
static void expect(const char *kernel, expected_fn *expected)
{
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        struct warp_data *given;
        int *out;
        rig_open_code(&rig, "masks", rig_sms[i]);
        uint64_t from = rig_buffer(&rig, "given", sizeof *given, &given);
        const uint64_t arguments[] = {from, from + sizeof given->label,
                                      rig_buffer(&rig, "out", 64 * sizeof *out, &out)};
        for (int way = 0; way < WAYS; way++) {
            *given = make_data(way);
            rig_must(&rig, kernel, 1, LANES, arguments);
            for (int lane = 0; lane < LANES; lane++)
                if (out[lane] != expected(given, lane))
                    fail_msg("sm_%u %s way %d lane %d: expected %d, found %d", rig.sm, kernel, way,
                             lane, expected(given, lane), out[lane]);
        }
        rig_close(&rig);
    }
}

static void reduces_each_label(void **state)
{
    (void)state;
    expect("labeled_max", greatest);
}

static void ballots_of_each_mask(void **state)
{
    (void)state;
    expect("ballot", odd_ones);
}

static void matches_in_each_mask(void **state)
{
    (void)state;
    expect("match_any", as_odd);
    expect("match_all", all_alike);
}

static void lanes_wait_for_their_own_mask(void **state)
{
    (void)state;
    expect("apart", first_value);
}

/* The message names the lanes that have not come with the same mask, though all are there. */
static void unequal_masks_are_a_deadlock(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rig_sms / sizeof rig_sms[0]; i++) {
        struct rig rig;
        int *out;
        rig_open_code(&rig, "masks", rig_sms[i]);
        const uint64_t arguments[] = {rig_buffer(&rig, "out", 64 * sizeof *out, &out)};
        assert_int_equal(rig_run(&rig, "unequal", 1, LANES, 0, arguments), SIMSM_FAILED);
        if (!strstr(rig.error.message,
                    "lanes 0xaaaaaaaa waits for lanes of its warp, 0x55555555, "))
            fail_msg("sm_%u: %s", rig.sm, rig.error.message);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduces_each_label),
        cmocka_unit_test(ballots_of_each_mask),
        cmocka_unit_test(matches_in_each_mask),
        cmocka_unit_test(lanes_wait_for_their_own_mask),
        cmocka_unit_test(unequal_masks_are_a_deadlock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
