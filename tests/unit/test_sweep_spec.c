/* Specs of sweeps: what is read, what is refused and where, which cases they stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/hash.h"
#include "sweep/recordings.h"
#include "sweep/space.h"

static char path[64];

static enum simsm_status read_text(struct spec *spec, const char *text, struct simsm_error *error)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
    return spec_read(spec, path, error);
}

static struct spec parsed(const char *text)
{
    struct spec spec;
    struct simsm_error error = {.message = ""};
    if (read_text(&spec, text, &error) != SIMSM_OK)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    return spec;
}

#define HEAD "configs: [t4]\nkernels: [a.trace]\n"

static void test_read(void **state)
{
    (void)state;
    struct spec spec = parsed("name: n\nresults: r.db\nconfigs: [t4, x.yaml]\n"
                              "kernels:\n"
                              "  - trace: a.trace\n    name: first\n    param: {rounds: 3}\n"
                              "    launches: [2, 5]\n"
                              "  - sub/b.trace\n"
                              "  - program: [./app, -n, \"10\"]\n    env: {A: b}\n"
                              "    files: data.bin\n"
                              "vary:\n  gpu.sms: 1:5:2\n  sm.scheduler: [gto, lrr]\n"
                              "  cache: {small: {l1.ways: 2}, big: {l1.ways: 8, l1.mshrs: 9}}\n"
                              "seeds: [7, 9]\nset: {memory.model: fixed}\n"
                              "max_cycles: 1000\nseconds: 5\nmemory: 1 GiB\n");
    assert_string_equal(spec.name, "n");
    assert_string_equal(spec.results, "/tmp/r.db");
    assert_int_equal(spec.configs.count, 2);
    assert_int_equal(spec.kernels, 3);
    assert_string_equal(spec.kernel[0].path, "/tmp/a.trace");
    assert_string_equal(spec.kernel[0].name, "first");
    assert_string_equal(spec.kernel[0].params.item[0].text, "rounds=3");
    assert_string_equal(spec.kernel[0].launches.item[1].text, "5");
    assert_string_equal(spec.kernel[1].name, "b");
    assert_int_equal(spec.kernel[2].kind, SPEC_PROGRAM);
    assert_string_equal(spec.kernel[2].program.item[2].text, "10");
    assert_string_equal(spec.kernel[2].env.item[0].text, "A=b");
    assert_string_equal(spec.kernel[2].files.item[0].text, "/tmp/data.bin");
    assert_int_equal(spec.vary.count, 4);
    assert_int_equal(spec.vary.axis[0].values.count, 3);
    assert_string_equal(spec.vary.axis[0].values.item[2].text, "5");
    assert_string_equal(spec.vary.axis[2].group[1].item[1].text, "l1.mshrs=9");
    assert_string_equal(spec.vary.axis[3].name, "run.seed");
    assert_true(spec.max_cycles == 1000 && spec.seconds == 5 && spec.memory == 1 << 30);
    spec_free(&spec);
}

static void test_refuse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *words;
    } wrong[] = {
        {"configs: [t4]\n", 0, 0, "names no kernel"},
        {"kernels: [a.trace]\n", 0, 0, "names no GPU"},
        {HEAD "vary: {sm.schedular: [gto]}\n", 3, 23, "the nearest known one is sm.scheduler"},
        {HEAD "vary: {gpu.sms: [1, x]}\n", 3, 21, "expects a whole number"},
        {HEAD "vary: {gpu.sms: [1, 2, 1]}\n", 3, 24, "the value 1 twice"},
        {HEAD "vary: {gpu.sms: []}\n", 3, 8, "has no value"},
        {HEAD "vary: {sms: [1]}\n", 3, 8, "neither section.key"},
        {HEAD "vary: {gpu.sms: {a: {gpu.sms: 1}}}\n", 3, 8, "a name without a dot"},
        {HEAD "vary: {c: {a: {l1.wayz: 1}}}\n", 3, 16, "l1.ways"},
        {HEAD "vary: {gpu.sms: [1]}\nset: {gpu.sms: 2}\n", 4, 7, "remove it here or there"},
        {HEAD "set: {param.x: 2}\n", 3, 7, "belongs to a kernel"},
        {HEAD "seeds: [1]\nvary: {run.seed: [2]}\n", 4, 8, "given twice"},
        {HEAD "exclude: [{gpu.sms: 1}]\n", 3, 12, "does not vary"},
        {HEAD "vary: {gpu.sms: [1, 2]}\nexclude: [{gpu.sms: [2, 3]}]\n", 4, 25, "never 3 in this"},
        {HEAD "exclude: [{config: h200}]\n", 3, 20, "config is never h200"},
        {HEAD "only: [{kernel: b}]\n", 3, 17, "kernel is never b"},
        {HEAD "set: {sm.carveouts: [32KB, {a: 1}]}\n", 3, 28, "a text"},
        {HEAD "set: {gpu.sms: [1, 2]}\n", 3, 7, "expects a whole number"},
        {HEAD "vary: {gpu.sms: 4:1:1}\n", 3, 17, "in 4:1:1 FROM is above TO"},
        {HEAD "vary: {gpu.sms: 1:4:0}\n", 3, 17, "STEP is not above 0"},
        {HEAD "seconds: -1\n", 3, 10, "a whole number of seconds, at least 1, is expected"},
        {HEAD "max_cycles: 4 KiB\n", 3, 13, "a whole number of cycles"},
        {HEAD "foo: 1\n", 3, 1, "no key 'foo' here; there are: name, results, configs, kernels,"},
        {HEAD "varry: {gpu.sms: 1}\n", 3, 1, "is 'vary' meant?"},
        {"configs: t4\nkernels: [{trace: a, launch_file: b}]\n", 2, 11, "is for machine code"},
        {"configs: t4\nkernels: [{trace: a, code: b}]\n", 2, 28, "has one of trace"},
        {"configs: t4\nkernels: [{code: b}]\n", 2, 11, "code needs launch_file"},
        {"configs: t4\nkernels: [{name: b}]\n", 2, 11, "needs a key trace, code or program"},
        {"configs: t4\nkernels: [a.trace, b/a.trace]\n", 2, 20, "a second kernel 'a'"},
        {"configs: t4\nkernels: [{trace: a, launches: 0}]\n", 2, 32, "the number of a launch"},
        {"configs: t4\nkernels: [{program: a, param: {b: 1}}]\n", 2, 32, "takes arguments"},
        {"configs: t4\nkernels: [{trace: a, param: {b: 1}, vary: {param.b: [1]}}]\n", 2, 30,
         "remove its value here"},
        {HEAD "vary: {l1.ways: 2, c: {a: {l1.ways: 1}}}\n", 3, 28,
         "also gets values from 'l1.ways'"},
        {HEAD "vary: {b: {a: {l1.ways: 1}}, c: {a: {l1.ways: 1}}}\n", 3, 16,
         "also gets values from 'c'"},
        {HEAD "vary: {c: {a: {l1.ways: 1}}}\nset: {l1.ways: 2}\n", 4, 7, "'c' varies this key"},
        {"", 0, 0, "configs, kernels and varied keys"},
        {"- a\n", 1, 1, "configs, kernels and varied keys"},
        {HEAD "vary: {policy: [gto, gtoo]}\n", 3, 22,
         "neither a scheduler of simsm nor a policy plugin"},
        {HEAD "vary: {policy: [gto], sm.scheduler: lrr}\n", 3, 17,
         "gets values from 'sm.scheduler'"},
        {HEAD "max_cycles: 0\n", 3, 13, "at least 1"},
        {HEAD "threads: 5000\n", 0, 0, "at most 1024"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct spec spec;
        struct simsm_error error = {.message = ""};
        if (read_text(&spec, wrong[i].text, &error) != SIMSM_BAD_INPUT)
            fail_msg("accepted: %s", wrong[i].text);
        if (!strstr(error.message, wrong[i].words) || error.line != wrong[i].line ||
            error.column != wrong[i].column)
            fail_msg("%s: %u:%u: %s", wrong[i].text, error.line, error.column, error.message);
        spec_free(&spec);
    }
}

/* Writes a case as one text, for comparisons. */
static void show(const struct spec *spec, uint64_t number, char text[256])
{
    struct space_case c;
    space_at(spec, number, &c);
    int used = snprintf(text, 256, "%s %s", spec->configs.item[c.config].text, c.kernel->name);
    for (uint32_t a = 0; a < c.axes; a++)
        used += snprintf(text + used, 256 - (size_t)used, " %s",
                         c.axis[a]->values.item[c.value[a]].text);
}

static void test_cases(void **state)
{
    (void)state;
    struct spec spec = parsed("configs: [t4, h100]\n"
                              "kernels: [a.trace, {trace: b.trace, vary: {param.n: [5, 6]}}]\n"
                              "vary: {gpu.sms: [1, 2], sm.scheduler: [gto, lrr]}\n"
                              "only: [{config: t4}, {kernel: b, param.n: 6}]\n"
                              "exclude: [{gpu.sms: 2, sm.scheduler: lrr},\n"
                              " {config: t4, gpu.sms: 2, param.n: 6}]\n"); /* a has no n */
    static const char *const expected[] = {
        "t4 a 1 gto",     "t4 a 1 lrr",     "t4 a 2 gto",     "t4 b 1 gto 5",
        "t4 b 1 gto 6",   "t4 b 1 lrr 5",   "t4 b 1 lrr 6",   "t4 b 2 gto 5",
        "h100 b 1 gto 6", "h100 b 1 lrr 6", "h100 b 2 gto 6",
    };
    struct simsm_error error;
    uint64_t count;
    size_t found = 0;
    bool met[4] = {false};
    assert_int_equal(space_count(&spec, &count, &error), SIMSM_OK);
    assert_int_equal(count, 2 * (4 + 8));
    for (uint64_t i = 0; i < count; i++) {
        char text[256];
        struct space_case c;
        space_at(&spec, i, &c);
        if (!space_wanted(&spec, &c, met))
            continue;
        show(&spec, i, text);
        assert_true(found < sizeof expected / sizeof expected[0]);
        assert_string_equal(text, expected[found++]);
    }
    assert_int_equal(found, sizeof expected / sizeof expected[0]);
    assert_int_equal(space_check_rules_met(&spec, met, &error), SIMSM_OK);
    met[1] = false;
    assert_int_equal(space_check_rules_met(&spec, met, &error), SIMSM_BAD_INPUT);
    assert_true(error.line == 4 && error.column == 22);
    assert_non_null(strstr(error.message, "only: no point has all of {kernel: b, param.n: 6}"));
    spec_free(&spec);
}

/* A value may be a list. */
static void test_lists(void **state)
{
    (void)state;
    struct spec spec = parsed("configs: t4\nkernels: a\n"
                              "set: {sm.carveouts: [32KB, 64KB]}\n"
                              "vary: {gpu.gpc_tpcs: [[], [1, 2], \"[3]\"]}\n");
    assert_string_equal(spec.set.item[0].text, "sm.carveouts=[32KB, 64KB]");
    assert_int_equal(spec.vary.axis[0].values.count, 3);
    assert_string_equal(spec.vary.axis[0].values.item[0].text, "[]");
    assert_string_equal(spec.vary.axis[0].values.item[1].text, "[1, 2]");
    struct simsm_config config;
    struct simsm_error error;
    struct space_case c;
    struct texts params = {0};
    assert_int_equal(simsm_config_load(&config, "t4", &error), SIMSM_OK);
    space_at(&spec, 1, &c);
    assert_int_equal(space_configure(&spec, &c, &config, &params, &error), SIMSM_OK);
    assert_int_equal(config.sm_carveouts_count, 2);
    assert_int_equal(config.sm_carveouts[1], 65536);
    assert_int_equal(config.gpu_gpc_tpcs_count, 2);
    spec_free(&spec);
}

static void test_configure(void **state)
{
    (void)state;
    struct spec spec = parsed("configs: t4\n"
                              "kernels: [{trace: a, param: {m: 4}, vary: {param.n: [5, 6]}}]\n"
                              "vary: {g: {x: {l1.ways: 2, param.k: 1}, y: {l1.ways: 16}}}\n"
                              "set: {gpu.sms: 3}\n");
    struct simsm_config config;
    struct simsm_error error;
    struct space_case c;
    struct texts params = {0};
    assert_int_equal(simsm_config_load(&config, "t4", &error), SIMSM_OK);
    space_at(&spec, 1, &c);
    assert_int_equal(space_configure(&spec, &c, &config, &params, &error), SIMSM_OK);
    assert_int_equal(config.gpu_sms, 3);
    assert_int_equal(config.l1_ways, 2);
    assert_int_equal(params.count, 3);
    assert_non_null(texts_find(&params, "m=4"));
    assert_non_null(texts_find(&params, "k=1"));
    assert_non_null(texts_find(&params, "n=6"));
    texts_free(&params);
    spec_free(&spec);
}

/* Properties that a program can query decide its recording; keys that only affect time do not. */
static void test_recordings(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        bool same;
    } changes[] = {
        {"sm.scheduler=lrr", true},
        {"memory.model=ideal", true},
        {"l2.latency=300", true},
        {"l1.ways=2", true},
        {"dram.latency=900", true},
        {"dispatch.block_latency=7", true},
        {"policy.params=a=1", true},
        {"gpu.sms=3", false},
        {"gpu.clock_mhz=1000", false},
        {"run.seed=5", false},
        {"divergence.first=taken", false},
        {"l2.bytes=1MiB", false},
        {"sm.registers_per_block=32768", false},
        {"barrier.count=8", false},
        {"dram.channels=4", false},
        {"fetch.instruction_bytes=8", false},
    };
    const struct spec_kernel kernel = {.path = "k.cubin", .kind = SPEC_CODE, .launch_file = "l"};
    const struct inputs inputs = {0};
    const struct texts params = {0};
    struct sweep_recordings recordings = {.folder = text_copy("f", 1)};
    struct simsm_config config, changed;
    struct simsm_error error = {.message = ""};
    uint32_t first, number, known = 1;
    assert_int_equal(simsm_config_load(&config, "t4", &error), SIMSM_OK);
    assert_int_equal(
        recordings_find(&recordings, &kernel, &inputs, &config, &params, &first, &error), SIMSM_OK);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        changed = config;
        if (simsm_config_set(&changed, changes[i].set, &error) != SIMSM_OK)
            fail_msg("%s", error.message);
        assert_int_equal(
            recordings_find(&recordings, &kernel, &inputs, &changed, &params, &number, &error),
            SIMSM_OK);
        if ((number == first) != changes[i].same)
            fail_msg("%s", changes[i].set);
        known += !changes[i].same;
    }
    assert_int_equal(recordings.count, known);
    recordings_free(&recordings);
}

/* FIPS 180-4's example, and what sha256sum prints for the same bytes in a file. */
static void test_hash(void **state)
{
    (void)state;
    static const char expected[] =
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    char hash[HASH_TEXT];
    uint64_t bytes;
    struct simsm_error error;
    hash_bytes("abc", 3, hash);
    assert_string_equal(hash, expected);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("abc", file);
    (void)fclose(file);
    assert_int_equal(hash_file(path, hash, &bytes, &error), SIMSM_OK);
    assert_string_equal(hash, expected);
    assert_int_equal(bytes, 3);
    int free_before = dup(STDIN_FILENO);
    (void)close(free_before);
    assert_int_equal(hash_file(path, hash, &bytes, &error), SIMSM_OK);
    int free_after = dup(STDIN_FILENO);
    (void)close(free_after);
    assert_int_equal(free_after, free_before); /* the file is closed */
    assert_int_equal(hash_file("/tmp", hash, &bytes, &error), SIMSM_BAD_INPUT);
    assert_int_equal(hash_file("/tmp/is/not/there", hash, &bytes, &error), SIMSM_BAD_INPUT);
}

int main(void)
{
    (void)snprintf(path, sizeof path, "/tmp/simsm-spec-%ld.yaml", (long)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),      cmocka_unit_test(test_refuse),
        cmocka_unit_test(test_cases),     cmocka_unit_test(test_lists),
        cmocka_unit_test(test_configure), cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_hash),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(path);
    return failed;
}
