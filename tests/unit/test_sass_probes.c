/*
 * Kernels of cuda/probe against the answers of an H200, bit for bit: arrivals at barriers in shared
 * memory (mbarrier), conversions of 8-bit floating-point numbers. And what goes wrong at barriers.
 */
#include "exec_rig.h"

#include "exec/async/mbarrier.h"

enum { ANSWERS = 4096, THREADS = 128 };

static void open_probes(struct rig *rig)
{
    const char *path = "tests/data/sass/probes/probes.sm_90.cubin";
    *rig = (struct rig){.sm = 90};
    assert_int_equal(simsm_config_load(&rig->config, "h200", &rig->error), SIMSM_OK);
    assert_int_equal(sass_file_open(&rig->file, path, &rig->error), SIMSM_OK);
    const struct sass_image *image = sass_file_pick(&rig->file, 90);
    assert_non_null(image);
    assert_int_equal(sass_module_open(&rig->module, image->data, image->size, path, &rig->error),
                     SIMSM_OK);
    assert_int_equal(device_memory_create(&rig->memory, UINT64_C(1) << 20, &rig->error), SIMSM_OK);
    assert_int_equal(exec_module_load(&rig->loaded, rig->module, rig->memory, &rig->error),
                     SIMSM_OK);
}

static uint64_t hash_of(const uint8_t *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Bytes of an answer: cvt.rn.f16x2 gives 4, other conversions 2, barriers 8. */
static size_t width_of(const char *name)
{
    if (strncmp(name, "mbarrier", 8) == 0)
        return 8;
    return strstr(name, "f16x2_e") ? 4 : 2;
}

static void answers(void **state)
{
    (void)state;
    struct rig rig;
    uint8_t *host;
    char line[200], name[100];
    unsigned long long measured;
    unsigned compared = 0, differ = 0;
    open_probes(&rig);
    uint64_t address = rig_buffer(&rig, "answers", ANSWERS * 8, &host);
    FILE *file = fopen("cuda/data/h200/2026-11-21/probes/hashes.csv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%*[^,],%99[^,],%llx", name, &measured) != 2 ||
            !sass_module_kernel(rig.module, name))
            continue;
        rig_must(&rig, name, ANSWERS / THREADS, THREADS, &address);
        compared++;
        if (hash_of(host, ANSWERS * width_of(name)) == measured)
            continue;
        print_error("%s: differs from the hardware\n", name);
        differ++;
    }
    (void)fclose(file);
    rig_close(&rig);
    assert_int_equal(compared, 20);
    assert_int_equal(differ, 0);
}

static void wrong(const char *kernel, const char *expected)
{
    struct rig rig;
    int32_t *host;
    open_probes(&rig);
    uint64_t address = rig_buffer(&rig, "out", 4, &host);
    assert_int_not_equal(rig_run(&rig, kernel, 1, 32, 0, &address), SIMSM_OK);
    assert_non_null(strstr(rig.error.message, expected));
    rig_close(&rig);
}

static void deadlock(void **state)
{
    (void)state;
    wrong("never", "waits for a barrier in shared memory (mbarrier)");
}

static void too_many(void **state)
{
    (void)state;
    wrong("too_many", "Invalid arrival at the barrier (mbarrier)");
}

/* The words that code for sm_80 writes for 2 threads: two arrivals end a phase. */
static void words_80(void **state)
{
    (void)state;
    uint64_t word = UINT64_C(0x7ffffffe3ffffffe);
    assert_true(mbarrier_arrive_80(&word, 1));
    assert_int_equal(word, UINT64_C(0x7fffffff3ffffffe));
    assert_true(mbarrier_arrive_80(&word, 1));
    assert_int_equal(word, UINT64_C(0xfffffffe3ffffffe));
    assert_false(mbarrier_arrive_80(&word, 3));
    assert_true(mbarrier_arrive_80(&word, 2));
    assert_int_equal(word, UINT64_C(0x7ffffffe3ffffffe));
}

/* On sm_90 a phase ends when threads and bytes are complete. */
static void words_90(void **state)
{
    (void)state;
    const struct mbarrier_arrival expect = {.threads = 1, .bytes = 5}, drop = {1, 0, true};
    const struct mbarrier_arrival complete = {.bytes = -5};
    uint64_t word = UINT64_C(0x7ffff000001ffffc);
    assert_true(mbarrier_arrive_90(&word, &expect));
    assert_int_equal(word, UINT64_C(0x7ffffbffff7ffffc));
    assert_true(mbarrier_arrive_90(&word, &drop));
    assert_int_equal(word >> 63, 0);
    assert_true(mbarrier_arrive_90(&word, &complete));
    assert_int_equal(word, UINT64_C(0xfffff800001ffffe));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers), cmocka_unit_test(deadlock),
                                       cmocka_unit_test(too_many), cmocka_unit_test(words_80),
                                       cmocka_unit_test(words_90)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
