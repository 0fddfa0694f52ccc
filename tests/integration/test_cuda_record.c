/* simsm record: the launches of a program as a recording, which runs in the cycles that they take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "cuda_fixture.h"
#include "input/front_launches.h"
#include "simsm/simsm.h"

enum { N = 3000, LAUNCHES = 3 };

static const char vecadd[1]; /* its address is the host function */
static struct test_fatbin fatbin;
static void **handle;
static char folder[] = "/tmp/simsm_test_cuda_record_XXXXXX", recording[64], table[64];

/* Begins a program whose launches are recorded, or timed. */
static void begin(bool record, const char *variable, const char *value)
{
    assert_true(fatbin_make(&fatbin, "tests/data/sass/execute/kernels.sm_75.cubin", 75));
    program_begin("configs/t4.yaml", record ? "SIMSM_RECORD" : NULL, recording);
    if (record)
        (void)setenv("SIMSM_FUNCTIONAL", "1", 1);
    (void)setenv("SIMSM_SET", "gpu.sms=2", 1);
    (void)setenv("SIMSM_TABLE", table, 1);
    (void)setenv(variable, value, 1);
    handle = __cudaRegisterFatBinary(&fatbin);
    __cudaRegisterFunction(handle, vecadd, NULL, "vecadd", -1, NULL, NULL, NULL, NULL, NULL);
}

/* Closes the device, and with it all files. */
static void end(void)
{
    __cudaUnregisterFatBinary(handle);
    rt_reset_for_test();
    free(fatbin.bytes);
}

static enum cuda_error launch(void **array, int n)
{
    void *arguments[] = {&array[0], &array[1], &array[2], &n};
    return cudaLaunchKernel(vecadd, (struct cuda_dim3){((unsigned)n + 127) / 128, 1, 1},
                            (struct cuda_dim3){128, 1, 1}, arguments, 0, NULL);
}

/* Launches of N, N/2, ... threads. */
static void program(void)
{
    void *array[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(cudaMalloc(&array[i], N * sizeof(float)), CUDA_SUCCESS);
    for (int i = 0; i < LAUNCHES; i++)
        assert_int_equal(launch(array, N >> i), CUDA_SUCCESS);
    assert_int_equal(cudaDeviceSynchronize(), CUDA_SUCCESS);
}

/* Cycles of each launch, from the table; how many rows say so. */
static int read_cycles(uint64_t cycles[LAUNCHES])
{
    char line[512];
    int count = 0;
    FILE *file = fopen(table, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        const char *at = line;
        if (!strstr(line, ",kernel,") || count == LAUNCHES)
            continue;
        for (int comma = 0; comma < 12; comma++)
            at = strchr(at, ',') + 1;
        cycles[count++] = strtoull(at, NULL, 10);
    }
    (void)fclose(file);
    return count;
}

static uint64_t replay(uint32_t number)
{
    struct simsm_config config;
    struct simsm_error error;
    struct simsm *simulation;
    char parameter[32];
    const struct simsm_options options = {.parameters = (const char *const[]){parameter, NULL},
                                          .check = true};
    (void)snprintf(parameter, sizeof parameter, "launch=%u", number + 1);
    assert_int_equal(simsm_config_load(&config, "configs/t4.yaml", &error), SIMSM_OK);
    assert_int_equal(simsm_config_set(&config, "gpu.sms=2", &error), SIMSM_OK);
    assert_int_equal(simsm_open(&simulation, &config, recording, &options, &error), SIMSM_OK);
    assert_string_equal(simsm_launch_of(simulation)->name, "vecadd");
    assert_int_equal(simsm_run(simulation, UINT64_MAX, &error), SIMSM_OK);
    const uint64_t cycles = simsm_stats(simulation)->cycles;
    simsm_close(simulation);
    return cycles;
}

static uint32_t launches_recorded(void)
{
    struct front_launches launches;
    struct simsm_error error;
    assert_int_equal(front_launches_read(&launches, recording, &error), SIMSM_OK);
    const uint32_t count = launches.count;
    front_launches_free(&launches);
    return count;
}

static void replay_takes_the_same_cycles(void **state)
{
    uint64_t timed[LAUNCHES], cycles[LAUNCHES];
    (void)state;
    begin(false, "SIMSM_ASCII", "1");
    program();
    end();
    assert_int_equal(read_cycles(timed), LAUNCHES);
    begin(true, "SIMSM_ASCII", "1");
    program();
    end();
    assert_int_equal(read_cycles(cycles), LAUNCHES);
    assert_int_equal(launches_recorded(), LAUNCHES);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        assert_true(timed[i] > 1500);
        assert_int_equal(replay(i), timed[i]);
    }
}

static void chosen_launches_alone_are_recorded(void **state)
{
    uint64_t timed[LAUNCHES];
    (void)state;
    begin(false, "SIMSM_LAUNCHES", "2:3");
    program();
    end();
    assert_int_equal(read_cycles(timed), LAUNCHES);
    begin(true, "SIMSM_LAUNCHES", "2:3");
    program();
    end();
    assert_int_equal(launches_recorded(), 1);
    assert_int_equal(replay(0), timed[1]);
}

static void a_failed_launch_is_left_out(void **state)
{
    void *null[3] = {0};
    (void)state;
    begin(true, "SIMSM_ASCII", "1");
    program();
    assert_int_equal(launch(null, N), CUDA_SUCCESS);
    assert_int_equal(cudaDeviceSynchronize(), CUDA_ILLEGAL_ADDRESS);
    end();
    assert_int_equal(launches_recorded(), LAUNCHES);
    assert_true(replay(2) > 1500);
}

static void without_launches_there_is_no_file(void **state)
{
    (void)state;
    (void)unlink(recording);
    begin(true, "SIMSM_LAUNCHES", "7:9");
    program();
    end();
    assert_int_not_equal(access(recording, F_OK), 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(recording, sizeof recording, "%s/a.smtr", folder);
    (void)snprintf(table, sizeof table, "%s/a.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(recording);
    (void)unlink(table);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replay_takes_the_same_cycles),
        cmocka_unit_test(chosen_launches_alone_are_recorded),
        cmocka_unit_test(a_failed_launch_is_left_out),
        cmocka_unit_test(without_launches_there_is_no_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
