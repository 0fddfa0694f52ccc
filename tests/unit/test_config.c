/* Configurations: what is read, what is refused and with which words, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "config/config_files.h"
#include "config/sources.h"
#include "config/suggest.h"
#include "config/value.h"

/* The least that a file must say; one line for each section. */
#define GPU "gpu: {compute_capability: 7.5, sms: 2, clock_mhz: 1000}\n"
#define SM                                                                                         \
    "sm: {warp_slots: 8, max_blocks: 8, max_threads: 256, max_threads_per_block: 256, "            \
    "l1_shared_bytes: 64KB, shared_bytes: 32KB, shared_per_block: 32KB, "                          \
    "shared_per_block_optin: 32KB, carveouts: [16KB, 32KB]}\n"
#define L2      "l2: {bytes: 1MiB, slices: 4, latency: 300}\n"
#define DRAM    "dram: {channels: 2, bandwidth_gbs: 10, latency: 500}\n"
#define MINIMAL GPU SM L2 DRAM

static struct simsm_config parsed(const char *text)
{
    struct simsm_config config;
    struct simsm_error error = {.message = ""};
    if (config_parse(text, strlen(text), NULL, &config, &error) != SIMSM_OK)
        fail_msg("line %u: %s", error.line, error.message);
    return config;
}

static void refuse(const char *text, size_t size, uint32_t line, uint32_t column, const char *words)
{
    struct simsm_config config;
    struct simsm_error error = {.message = ""};
    assert_int_equal(config_parse(text, size, NULL, &config, &error), SIMSM_BAD_INPUT);
    if (!strstr(error.message, words) || error.line != line || error.column != column)
        fail_msg("expected %u:%u: %s\n   found %u:%u: %s\n in %.400s", line, column, words,
                 error.line, error.column, error.message, text);
}

static void values_of_all_types(void **state)
{
    (void)state;
    struct simsm_config c = parsed("# a comment\n" MINIMAL "pipes: {fp64: {shared: true}}\n"
                                   "ops:\n  int: {pipe: fma, latency: 7, interval: 3}\n"
                                   "  fp32: {latency: 5}\n"
                                   "divergence: {first: \"taken\"}\n"
                                   "fetch: {ideal: true, l0_bytes: 32 KiB}\n");
    assert_int_equal(c.gpu_compute_capability, 75);
    assert_int_equal(c.gpu_sms, 2);
    assert_true(c.gpu_clock_mhz >= 1000 && c.gpu_clock_mhz <= 1000);
    assert_int_equal(c.sm_l1_shared_bytes, 65536);
    assert_int_equal(c.l2_bytes, 1 << 20);
    assert_int_equal(c.fetch_l0_bytes, 32768);
    assert_int_equal(c.sm_carveouts_count, 2);
    assert_int_equal(c.sm_carveouts[0], 16384);
    assert_int_equal(c.sm_carveouts[1], 32768);
    assert_true(c.pipe_shared[SIMSM_PIPE_FP64]);
    assert_false(c.pipe_shared[SIMSM_PIPE_FMA]);
    assert_int_equal(c.ops[SIMSM_OP_INT].pipe, SIMSM_PIPE_FMA);
    assert_int_equal(c.ops[SIMSM_OP_INT].latency, 7);
    assert_int_equal(c.ops[SIMSM_OP_INT].interval, 3);
    assert_int_equal(c.ops[SIMSM_OP_FP32].latency, 5);
    assert_int_equal(c.ops[SIMSM_OP_FP32].pipe, simsm_ops[SIMSM_OP_FP32].pipe);
    assert_int_equal(c.ops[SIMSM_OP_FP32].interval, simsm_ops[SIMSM_OP_FP32].interval);
    assert_int_equal(c.divergence_first, SIMSM_TAKEN_divergence_first);
    assert_true(c.fetch_ideal);
    assert_string_equal(c.sm_scheduler, "gto"); /* a default */
    assert_int_equal(c.shared_latency, 24);
}

static void mistakes_have_a_place_and_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *words;
    } cases[] = {
        /* names */
        {MINIMAL "fetsh: {width: 1}\n", 5, 1,
         "fetsh: unknown section; the nearest known one is fetch"},
        {MINIMAL "fetch: {wdith: 1}\n", 5, 9,
         "fetch.wdith: unknown key; the nearest known one is fetch.width"},
        {MINIMAL "mio: {bandwidth_gb: 1}\n", 5, 7, "the nearest known one is dram.bandwidth_gbs"},
        {MINIMAL "fetch:\n  scheduler: gto\n", 6, 3, "this key belongs in the section sm"},
        {MINIMAL "scheduler: gto\n", 5, 1, "scheduler: this key belongs in the section sm"},
        {MINIMAL "fetch: {banks: 3}\n", 5, 9, "belongs in the section shared or dram"},
        {MINIMAL "fetch:\n  barrier: {latency: 1}\n", 6, 3, "barrier is a section of its own"},
        {MINIMAL "ops: {fp23: {latency: 1}}\n", 5, 7,
         "unknown opcode class; the nearest known one is fp"},
        {MINIMAL "ops: {fp32: {latancy: 1}}\n", 5, 14,
         "ops.fp32.latancy: unknown key; the nearest known one is latency"},
        {MINIMAL "pipes: {fb64: {shared: true}}\n", 5, 9,
         "pipes.fb64: unknown pipe; the nearest known one is fp64"},
        {MINIMAL "ops: {fp32: {pipe: fam}}\n", 5, 20, "ops.fp32.pipe: expects one of alu, fma,"},
        {MINIMAL "\"a\\x1b[2J\\x9b\": {a: 1}\n", 5, 1, "a?[2J??: unknown section"},
        /* structure */
        {MINIMAL "fetch: 3\n", 5, 8,
         "fetch: expects keys and values such as `ideal: ...`, found a single value"},
        {MINIMAL "fetch:\n", 5, 7,
         "fetch: expects keys and values such as `ideal: ...`, found nothing"},
        {MINIMAL "ops: {fp32: 4}\n", 5, 13,
         "ops.fp32: expects keys and values such as `pipe: ...`"},
        {MINIMAL "ops: [1]\n", 5, 6,
         "ops: expects keys and values such as `int: ...`, found a list"},
        {MINIMAL "fetch: {width: [1]}\n", 5, 16,
         "fetch.width: expects a whole number from 1 to 4, found a list"},
        {MINIMAL "fetch: {width: {a: 1}}\n", 5, 16, "found keys and values"},
        {MINIMAL "fetch: {[1]: 1}\n", 5, 9, "expects the name of a key, found a list"},
        {GPU L2 DRAM "sm: {carveouts: 32KB}\n", 4, 17,
         "sm.carveouts: expects a list of at most 16 ascending sizes"},
        {GPU L2 DRAM "sm: {carveouts: [1, [2]]}\n", 4, 21, "sm.carveouts: expects"},
        {GPU L2 DRAM "sm: {carveouts: [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}\n", 4, 56,
         "more than 16 items"},
        {GPU L2 DRAM "sm: {carveouts: [16KB, 8KB]}\n", 4, 24,
         "ascending values, found 8192 after 16384"},
        {"- a\n", 1, 1, "are expected, found a list; this is no configuration"},
        {"hello\n", 1, 1, "found a single value"},
        {"", 0, 0, "is empty"},
        {"# only a comment\n", 0, 0, "is empty"},
        /* twice */
        {MINIMAL "fetch: {width: 1, width: 1}\n", 5, 19,
         "fetch.width: given twice, first in line 5"},
        {MINIMAL "gpu: {sms: 3}\n", 5, 1, "gpu: given twice, first in line 1"},
        {MINIMAL "ops:\n  fp32: {latency: 1}\n  fp32: {interval: 1}\n", 7, 3,
         "ops.fp32: given twice, first in line 6"},
        /* values */
        {MINIMAL "fetch: {width: 0}\n", 5, 16,
         "fetch.width: 0 is below 1 (instruction/cycle), the least allowed"},
        {MINIMAL "fetch: {width: 99999999999999999999}\n", 5, 16, "is above 4"},
        {MINIMAL "fetch: {width: -1}\n", 5, 16, "expects a whole number from 1 to 4, found \"-1\""},
        {MINIMAL "fetch: {width: 1.5}\n", 5, 16, "found \"1.5\""},
        {MINIMAL "fetch: {width: 1KB}\n", 5, 16, "found \"1KB\""},
        {MINIMAL "fetch: {width: \"1\"}\n", 5, 16, "without quotes"},
        {MINIMAL "fetch: {width: }\n", 5, 16, "nothing is given"},
        {MINIMAL "fetch: {ideal: yes}\n", 5, 16,
         "fetch.ideal: expects true or false, found \"yes\""},
        {MINIMAL "fetch: {l0_bytes: 16Kb}\n", 5, 19,
         "expects a size such as 64KB from 128 to 1048576"},
        {MINIMAL "fetch: {l0_bytes: 9999999GB}\n", 5, 19, "is above 1048576 (byte)"},
        {"gpu: {compute_capability: 75}\n", 1, 27, "expects a version such as 7.5"},
        {"gpu: {compute_capability: 3.5}\n", 1, 27, "3.5 is below 6, the least"},
        {"gpu: {clock_mhz: fast}\n", 1, 18, "expects a number from 1 to 100000"},
        {"gpu: {clock_mhz: .nan}\n", 1, 18, "found \".nan\""},
        {"gpu: {clock_mhz: 1e999}\n", 1, 18, "is above 100000"},
        {"gpu: {clock_mhz: 1-2}\n", 1, 18, "found \"1-2\""},
        {"gpu: {name: \"a\\nb\"}\n", 1, 13, "printable ASCII"},
        {"gpu: {name: \"a\\0b\"}\n", 1, 13, "found a text with NUL bytes"},
        {"gpu: {name: 1234567890123456789012345678901234567890123456789012345678901234}\n", 1, 13,
         "is 64 bytes long; at most 63"},
        {"\"\xc3\xa9\": *a\n", 1, 7, "anchors and aliases"}, /* a column is a byte */
        /* what YAML can do and configurations do not */
        {"gpu: &a {sms: 1}\n", 1, 6, "anchors and aliases"},
        {"gpu: {sms: *a}\n", 1, 12, "anchors and aliases"},
        {"gpu: {sms: !!int 1}\n", 1, 12, "tags (!)"},
        {MINIMAL "---\na: 1\n", 5, 1, "a second document begins here"},
        {"gpu: {sms: 1\n", 2, 1, "this is not valid YAML: did not find expected ',' or '}'"},
        {"gpu:\n  sms: 1\n bad: 2\n", 3, 2, "this is not valid YAML"},
        {"a\tb\x01\n", 1, 4, "byte 0x01 is not text"},
        {"gpu: {}\nsm: \"\xff\xfe\"\n", 2, 6, "this is not UTF-8 text"},
        {"base: x.yaml\n", 1, 7, "a configuration that is no file cannot build on one"},
        {GPU "base: x.yaml\n", 2, 1, "base: must be the first key of the file"},
        {"base: [x]\n", 1, 7, "base: expects the name of a file, found a list"},
        /* what is missing */
        {"gpu: {sms: 1}\n", 0, 0,
         "must be given: gpu.compute_capability, gpu.clock_mhz, sm.warp_slots, sm.max_blocks"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].column,
               cases[i].words);
    refuse("gpu:\0 1", 7, 1, 5, "byte 0x00 is not text");
}

static void a_contradiction_names_its_key(void **state)
{
    (void)state;
    static const struct {
        const char *extra;
        uint32_t column;
        const char *words;
    } cases[] = {
        {"fetch: {line_bytes: 96}\n", 9, "fetch.line_bytes: must be a power of two, found 96"},
        {"fetch: {l0_bytes: 200}\n", 9, "200 is no multiple of fetch.line_bytes, which is 128"},
        {"fetch: {l15_bytes: 64}\n", 9, "64 is no multiple of fetch.line_bytes, which is 128"},
        {"constant: {gpc_line_bytes: 96}\n", 12, "96 is no multiple of constant.line_bytes"},
        {"tlb: {reach_bytes: 3MiB}\n", 7, "must be a power of two, found 3145728"},
        {"tlb: {reach_bytes: 64MiB}\n", 7, "67108864 is above tlb.page_bytes"},
        {"fetch: {width: 4, buffer_entries: 3}\n", 9,
         "4 is above fetch.buffer_entries, which is 3"},
        {"shared: {latency: 10}\n", 10, "10 must be above mio.queue_latency, which is 10"},
        {"l1: {latency: 9}\n", 6, "l1.latency: 9 must be above mio.queue_latency"},
        {"l1: {ways: 512}\n", 6,
         "do not fit into the 32768 bytes that the largest carve-out leaves"},
        {"shared: {banks: 31}\n", 10, "must be a power of two"},
    };
    char text[2048];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)snprintf(text, sizeof text, "%s%s", MINIMAL, cases[i].extra);
        refuse(text, strlen(text), 5, cases[i].column, cases[i].words);
    }
    refuse(MINIMAL "xbar: {latency: 134}\n", strlen(MINIMAL "xbar: {latency: 134}\n"), 3, 30,
           "l2.latency: 300 must be above l1.latency + 2 x xbar.latency, which is 300");
    refuse(GPU SM L2 "dram: {channels: 1, bandwidth_gbs: 1, latency: 300}\n",
           strlen(GPU SM L2 "dram: {channels: 1, bandwidth_gbs: 1, latency: 300}\n"), 4, 39,
           "dram.latency: 300 must be above l2.latency, which is 300");
}

static void set(struct simsm_config *config, const char *assignment)
{
    struct simsm_error error = {.message = ""};
    if (simsm_config_set(config, assignment, &error) != SIMSM_OK)
        fail_msg("%s: %s", assignment, error.message);
}

static void check_after(const char *assignment, const char *words)
{
    struct simsm_config config = parsed(MINIMAL);
    struct simsm_error error = {.message = ""};
    set(&config, assignment);
    assert_int_equal(simsm_config_check(&config, &error), SIMSM_BAD_INPUT);
    assert_int_equal(error.line, 0);
    if (!strstr(error.message, words))
        fail_msg("%s: expected %s, found %s", assignment, words, error.message);
}

static void check_after_set(void **state)
{
    (void)state;
    check_after("sm.warp_slots=10", "sm.warp_slots: 10 is no multiple of sm.sub_partitions");
    check_after("sm.warp_slots=4", "sm.max_blocks: 8 is above sm.warp_slots, which is 4");
    check_after("sm.max_threads=512", "512 threads do not fit into sm.warp_slots, 8 warps of 32");
    check_after("sm.max_threads_per_block=512", "is above sm.max_threads, which is 256");
    check_after("sm.registers_per_block=131072", "is above sm.registers, which is 65536");
    check_after("sm.registers=65600", "is no multiple of sm.register_unit");
    check_after("sm.l1_shared_bytes=16KB", "sm.shared_bytes: 32768 is above sm.l1_shared_bytes");
    check_after("sm.l1_shared_bytes=32KB", "do not fit into the 0 bytes");
    check_after("sm.shared_per_block_optin=16KB",
                "above sm.shared_per_block_optin, which is 16384");
    check_after("sm.shared_reserved=1KB", "with the 1024 bytes of sm.shared_reserved is above");
    check_after("sm.carveouts=0,8KB", "the last size, 8192, must be sm.shared_bytes");
    check_after("sm.carveouts=[]", "give the sizes that shared memory can be set to");
    check_after("fetch.instruction_bytes=12", "must be a power of two");
    check_after("l2.slices=1024", "l2.bytes: 1048576 bytes are less than one set of 16 ways");
    check_after("l2.fetch_bytes=256", "l2.fetch_bytes: 256 is above l2.line_bytes");
    check_after("dram.row_bytes=64", "l2.line_bytes: 128 is above dram.row_bytes");
    check_after("shared.atomic_latency=3", "shared.atomic_latency: 3 must be above");
    struct simsm_config config = parsed(MINIMAL);
    struct simsm_error error;
    set(&config, "memory.model=fixed"); /* takes no latency apart */
    set(&config, "shared.latency=1");
    assert_int_equal(simsm_config_check(&config, &error), SIMSM_OK);
}

static void set_one_field(void **state)
{
    (void)state;
    struct simsm_config c = parsed(MINIMAL);
    set(&c, "sm.scheduler=gto");
    assert_int_equal(c.gpu_timing, SIMSM_PUBLISHED_timing); /* nothing is changed */
    set(&c, "ops.fp32.latency=9");
    assert_int_equal(c.gpu_timing, SIMSM_CHANGED_timing);
    set(&c, " ops.fp32.pipe = alu ");
    set(&c, "pipes.fp64.shared=true");
    set(&c, "sm.scheduler=my own");
    set(&c, "gpu.compute_capability=9.0");
    set(&c, "sm.carveouts=[0, 4KB,32KB]");
    set(&c, "dram.efficiency=0.5");
    assert_int_equal(c.ops[SIMSM_OP_FP32].latency, 9);
    assert_int_equal(c.ops[SIMSM_OP_FP32].pipe, SIMSM_PIPE_ALU);
    assert_true(c.pipe_shared[SIMSM_PIPE_FP64]);
    assert_string_equal(c.sm_scheduler, "my own");
    assert_int_equal(c.gpu_compute_capability, 90);
    assert_int_equal(c.sm_carveouts_count, 3);
    assert_int_equal(c.sm_carveouts[1], 4096);
    assert_true(c.dram_efficiency >= 0.5 && c.dram_efficiency <= 0.5);
    static const char *const bad[][2] = {
        {"sm.scheduler", "expects section.key=value"},
        {"=", "unknown section"},
        {"", "expects section.key=value"},
        {"sm=1", "sm is a section; name one of its keys, as in sm.sub_partitions=..."},
        {"ops.fp32=1", "ops.fp32: name one of its keys as well"},
        {"ops=1", "as in ops.NAME.pipe=..."},
        {"ops.fp33.latency=1", "unknown opcode class; the nearest known one is fp32"},
        {"ops.fp32.lateny=1", "the nearest known one is latency"},
        {"sm.scheduler.x=1", "has no further keys within"},
        {"sm.shedule=1", "the nearest known one is sm.scheduler"},
        {"sm.latency=1", "belongs in the section"},
        {"sm.warp_slots=65", "sm.warp_slots: 65 is above 64"},
        {"sm.carveouts=1,x", "found \"x\""},
        {"sm.carveouts=2,1", "ascending"},
        {"sm.warp_slots=", "nothing is given"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct simsm_config before;
        struct simsm_error error = {.message = ""};
        memcpy(&before, &c, sizeof c);
        assert_int_equal(simsm_config_set(&c, bad[i][0], &error), SIMSM_BAD_INPUT);
        if (!strstr(error.message, bad[i][1]))
            fail_msg("%s: expected %s, found %s", bad[i][0], bad[i][1], error.message);
        assert_memory_equal(&before, &c, sizeof c);
    }
}

static void same_after_dump(const struct simsm_config *config)
{
    char *text = NULL;
    size_t size = 0;
    struct simsm_config again;
    struct simsm_error error = {.message = ""};
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(simsm_config_dump(config, file, &error), SIMSM_OK);
    assert_int_equal(fclose(file), 0);
    if (config_parse(text, size, NULL, &again, &error) != SIMSM_OK)
        fail_msg("line %u: %s", error.line, error.message);
    assert_memory_equal(config, &again, sizeof again);
    free(text);
}

static void shipped_round_trip(const char *name, const char *path, void *count)
{
    struct simsm_config config;
    struct simsm_error error = {.message = ""};
    (void)path;
    if (simsm_config_load(&config, name, &error) != SIMSM_OK)
        fail_msg("%s:%u: %s", error.file, error.line, error.message);
    same_after_dump(&config);
    ++*(int *)count;
}

static void dump_loads_back_to_the_same_bits(void **state)
{
    (void)state;
    int count = 0;
    config_files_in("configs", shipped_round_trip, &count);
    assert_true(count >= 8);
    struct simsm_config config = parsed(MINIMAL);
    set(&config, "gpu.clock_mhz=1234.5678901234567");
    set(&config, "dram.row_miss_ns=0.1");
    set(&config, "dram.bandwidth_gbs=0.30000000000000004");
    set(&config, "gpu.name=a \"b\" \\ # c: {d}");
    set(&config, "run.seed=4294967295");
    set(&config, "policy.module=/some where/\"mine\".so");
    set(&config, "policy.params=window=20 above=0.5,free=true");
    set(&config, "policy.params.limit=-4");
    set(&config, "policy.params.above=1e-3");
    assert_string_equal(config.policy_params, "above=1e-3 free=true limit=-4 window=20");
    same_after_dump(&config);
    struct simsm_error error;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(simsm_config_dump(&config, full, &error), SIMSM_FAILED);
    (void)fclose(full);
}

static void shipped_sources(const char *name, const char *path, void *count)
{
    struct simsm_config config;
    struct config_origins origins;
    struct simsm_error error = {.message = ""};
    struct source *source = calloc(SCHEMA_ROWS, sizeof *source);
    assert_non_null(source);
    assert_int_equal(config_parse_file(path, &config, &origins, &error), SIMSM_OK);
    assert_int_equal(sources_read(&origins, source, &error), SIMSM_OK);
    for (int id = 0; id < SCHEMA_ROWS; id++) {
        char key[SCHEMA_PATH];
        bool run = strcmp(schema_rows[id].section, "run") == 0 ||
                   strcmp(schema_rows[id].section, "policy") == 0 ||
                   strcmp(schema_rows[id].section, "what_if") == 0;
        schema_path(&schema_rows[id], key);
        if (!run && strcmp(source[id].trust, "default") == 0)
            fail_msg("%s does not give %s", name, key);
        if (!source[id].trust[0] || (!source[id].text[0] && !run))
            fail_msg("%s:%u: the value of %s has no [trust] and source", path, origins.at[id].line,
                     key);
    }
    free(source);
    ++*(int *)count;
}

static void every_shipped_value_has_a_source(void **state)
{
    (void)state;
    int count = 0;
    config_files_in("configs", shipped_sources, &count);
    assert_true(count >= 8);
}

/* A folder with files, removed at the end of the test. */
static char folder[64], made[16][128];
static int made_count;

static const char *make(const char *name, const char *text)
{
    char *path = made[made_count++];
    (void)snprintf(path, sizeof made[0], "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    made_count = 0;
    (void)snprintf(folder, sizeof folder, "/tmp/test_config.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    while (made_count > 0)
        (void)unlink(made[--made_count]);
    return rmdir(folder);
}

static void refuse_file(const char *path, const char *file, uint32_t line, const char *words)
{
    struct simsm_config config;
    struct simsm_error error = {.message = ""};
    assert_int_equal(simsm_config_load(&config, path, &error), SIMSM_BAD_INPUT);
    if (error.line != line || !strstr(error.file, file) || !strstr(error.message, words))
        fail_msg("expected %s:%u: %s\n   found %s:%u: %s", file, line, words, error.file,
                 error.line, error.message);
}

static void files_build_on_files(void **state)
{
    (void)state;
    (void)make("a.yaml", MINIMAL "fetch: {width: 2, ideal: true}\n");
    const char *b = make("b.yaml", "base: a.yaml\nfetch: # [paper] not the value's\n"
                                   "  width: 3 # [vendor]  said 'so' # there\n"
                                   "sm: {carveouts: [32KB]}\n"
                                   "gpu: {name: \"# no comment\"} # [guess] what\n");
    struct simsm_config c;
    struct config_origins origins;
    struct simsm_error error = {.message = ""};
    assert_int_equal(config_parse_file(b, &c, &origins, &error), SIMSM_OK);
    assert_int_equal(c.fetch_width, 3);
    assert_true(c.fetch_ideal);
    assert_int_equal(c.sm_carveouts_count, 1);
    assert_int_equal(c.sm_carveouts[1], 0);
    struct source *source = calloc(SCHEMA_ROWS, sizeof *source);
    assert_non_null(source);
    assert_int_equal(sources_read(&origins, source, &error), SIMSM_OK);
    assert_string_equal(source[SCHEMA_fetch_width].trust, "vendor");
    assert_string_equal(source[SCHEMA_fetch_width].text, "said 'so' # there");
    assert_string_equal(source[SCHEMA_fetch_ideal].trust, "");
    assert_string_equal(source[SCHEMA_gpu_name].trust, "");
    assert_string_equal(source[SCHEMA_gpu_name].text, "[guess] what");
    assert_string_equal(source[SCHEMA_fetch_latency].trust, "default");
    free(source);
    assert_int_equal(c.gpu_timing, SIMSM_PUBLISHED_timing); /* no file says it */
    refuse_file(make("c.yaml", "base: none.yaml\n"), "c.yaml", 1, "there is no file \"none.yaml\"");
    refuse_file(make("d.yaml", "base: .\n"), "d.yaml", 1, "there is no file \".\"");
    refuse_file(make("e.yaml", "base: ./e.yaml\n"), "e.yaml", 1, "builds on itself");
    (void)make("f.yaml", "base: g.yaml\n");
    refuse_file(make("g.yaml", "# line 1\nbase: f.yaml\n"), "f.yaml", 1, "builds on itself");
    (void)make("h.yaml", MINIMAL "l1: {latency: 32, speed: 1}\n");
    refuse_file(make("i.yaml", "base: h.yaml\n"), "h.yaml", 5, "l1.speed: unknown key");
    /* the key that is to blame lies in the base */
    refuse_file(make("j.yaml", "base: a.yaml\nxbar: {latency: 200}\n"), "a.yaml", 3, "l2.latency");
}

/* gpu.timing of a base does not hold for a file above it that gives other values. */
static void changed_values_are_not_measured(void **state)
{
    static const struct {
        const char *text;
        enum simsm_timing timing;
    } files[] = {
        {"base: measured.yaml\n", SIMSM_MEASURED_timing},
        {"base: measured.yaml\nl1: {latency: 33}\n", SIMSM_CHANGED_timing},
        {"base: measured.yaml\ngpu: {timing: measured}\nl1: {latency: 33}\n",
         SIMSM_MEASURED_timing},
        {"base: changed.yaml\n", SIMSM_CHANGED_timing},
    };
    (void)state;
    (void)make("measured.yaml", "gpu: {timing: measured, compute_capability: 7.5, sms: 2, "
                                "clock_mhz: 1000}\n" SM L2 DRAM);
    (void)make("changed.yaml", files[1].text);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct simsm_config c;
        struct config_origins origins;
        struct simsm_error error = {.message = ""};
        assert_int_equal(config_parse_file(make("top.yaml", files[i].text), &c, &origins, &error),
                         SIMSM_OK);
        assert_int_equal(c.gpu_timing, files[i].timing);
    }
}

static void a_chain_of_files_is_bounded(void **state)
{
    (void)state;
    char name[16], text[32];
    const char *path = make("0.yaml", MINIMAL);
    struct simsm_config c;
    struct simsm_error error = {.message = ""};
    for (int i = 1; i <= 9; i++) {
        (void)snprintf(name, sizeof name, "%d.yaml", i);
        (void)snprintf(text, sizeof text, "base: %d.yaml\n", i - 1);
        path = make(name, text);
        if (i == 8)
            assert_int_equal(simsm_config_load(&c, path, &error), SIMSM_OK);
    }
    refuse_file(path, "1.yaml", 1, "more than 8 files build one on another");
}

static void hostile_files_end_in_one_message(void **state)
{
    (void)state;
    size_t size = 2 * CONFIG_LIMIT;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, '[', size);
    text[size] = '\0';
    refuse(text, CONFIG_LIMIT, 1, 1, "are expected, found a list");
    memcpy(text, "fetch: {width: ", 15);
    refuse(text, CONFIG_LIMIT, 1, 16, "fetch.width: expects");
    for (size_t i = 0; i < size; i += 2)
        memcpy(text + i, "{?", 2);
    refuse(text, CONFIG_LIMIT, 1, 3, "expects the name of a key, found keys and values");
    memset(text, '#', size);
    refuse_file(make("large.yaml", text), "large.yaml", 0, "larger than 1 MiB");
    free(text);
    refuse_file("/dev/null/x", "/dev/null/x", 0, "cannot read this configuration");
    refuse_file("configs/", "configs/", 0, "is a directory");
    refuse_file("t5", "", 0, "there is no configuration \"t5\" in ./configs");
    refuse_file("", "", 0, "is no name of a configuration");
}

/* However a file is cut short, it is refused or understood: never more. */
static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    for (size_t size = 0; size < strlen(MINIMAL); size++) {
        char *text = malloc(size + 1); /* of its own, so that a sanitizer sees every overrun */
        struct simsm_config config;
        struct simsm_error error = {.message = ""};
        assert_non_null(text);
        memcpy(text, MINIMAL, size);
        enum simsm_status status = config_parse(text, size, NULL, &config, &error);
        if (size + 1 < strlen(MINIMAL)) {
            assert_int_equal(status, SIMSM_BAD_INPUT);
            assert_true(error.message[0] != '\0');
        }
        free(text);
    }
}

static void distances_between_names(void **state)
{
    (void)state;
    assert_int_equal(suggest_distance("", ""), 0);
    assert_int_equal(suggest_distance("abc", ""), 3);
    assert_int_equal(suggest_distance("latency", "latency"), 0);
    assert_int_equal(suggest_distance("latnecy", "latency"), 1); /* swapped */
    assert_int_equal(suggest_distance("latncy", "latency"), 1);
    assert_int_equal(suggest_distance("kitten", "sitting"), 3);
    char text[200];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(suggest_distance(text, "x"), 198);
}

/* Two numbers of each shipped GPU that everything else hangs on. */
static void shipped_gpus_are_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t capability, sms, warps, blocks, shared;
    } gpus[] = {
        {"t4", 75, 40, 32, 16, 64},        {"gtx1080", 61, 20, 64, 32, 96},
        {"rtx4090", 89, 128, 48, 24, 100}, {"a100", 80, 108, 64, 32, 164},
        {"h100", 90, 132, 64, 32, 228},    {"h200", 90, 132, 64, 32, 228},
        {"l4", 89, 58, 48, 24, 100},       {"a10", 86, 72, 48, 16, 100},
        {"rtx3090", 86, 82, 48, 16, 100},  {"rtx5090", 120, 170, 48, 24, 100},
        {"b200", 100, 148, 64, 32, 228},   {"teaching", 75, 1, 64, 64, 64},
        {"teaching8", 75, 1, 8, 8, 64},
    };
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        struct simsm_config c;
        struct simsm_error error;
        assert_int_equal(simsm_config_load(&c, gpus[i].name, &error), SIMSM_OK);
        assert_int_equal(c.gpu_compute_capability, gpus[i].capability);
        assert_int_equal(c.gpu_sms, gpus[i].sms);
        assert_int_equal(c.sm_warp_slots, gpus[i].warps);
        assert_int_equal(c.sm_max_blocks, gpus[i].blocks);
        assert_int_equal(c.sm_shared_bytes, gpus[i].shared * 1024);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_types),
        cmocka_unit_test(mistakes_have_a_place_and_words),
        cmocka_unit_test(a_contradiction_names_its_key),
        cmocka_unit_test(check_after_set),
        cmocka_unit_test(set_one_field),
        cmocka_unit_test(dump_loads_back_to_the_same_bits),
        cmocka_unit_test(every_shipped_value_has_a_source),
        cmocka_unit_test_setup_teardown(files_build_on_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(changed_values_are_not_measured, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_chain_of_files_is_bounded, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(hostile_files_end_in_one_message, make_folder,
                                        remove_folder),
        cmocka_unit_test(a_truncated_file_is_refused),
        cmocka_unit_test(distances_between_names),
        cmocka_unit_test(shipped_gpus_are_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
