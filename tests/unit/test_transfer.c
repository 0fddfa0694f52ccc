/* Taking values of a measured GPU over into another configuration. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "calibrate/transfer.h"
#include "simsm/simsm.h"

static bool is_tag(const char *text)
{
    return strcmp(sources_trusts[sources_rank(text)].name, text) == 0;
}

/* Every key of a configuration has a rule: whoever adds a key decides what another GPU does. */
static void test_all_keys(void **state)
{
    char path[SCHEMA_PATH];
    (void)state;
    for (int key = 0; key < SCHEMA_ROWS; key++)
        if (!transfer_rule(key))
            fail_msg("%s has no rule in sim/calibrate/transfer_rules.def",
                     schema_path(&schema_rows[key], path));
}

/* Every rule is some key's, and names keys and tags that exist. */
static void test_all_rules(void **state)
{
    (void)state;
    for (const struct transfer_rule *rule = transfer_rules; rule->key; rule++) {
        int keys = 0;
        for (int key = 0; key < SCHEMA_ROWS; key++)
            keys += transfer_rule(key) == rule;
        if (!keys)
            fail_msg("no key has the rule %s", rule->key);
        if (rule->how == TRANSFER_OWN)
            continue;
        assert_true(is_tag(rule->over));
        assert_true(!rule->where[0] || schema_find_path(rule->where) >= 0 ||
                    atof(rule->where) >= 7.0);
        if (rule->how != TRANSFER_SCALED)
            continue;
        const int reference = schema_find_path(rule->reference);
        assert_true(reference >= 0);
        assert_true(transfer_rule(reference) < rule);
    }
}

static struct config_origins *origins; /* of the configuration that load() read last */

static struct transfer_config *load(const char *path, const char *name)
{
    struct transfer_config *config = calloc(1, sizeof *config);
    origins = origins ? origins : malloc(sizeof *origins);
    struct simsm_error error;
    assert_non_null(config);
    assert_non_null(origins);
    config->name = name;
    if (config_parse_file(path, &config->config, origins, &error) != SIMSM_OK)
        fail_msg("%s:%u: %s", path, error.line, error.message);
    assert_int_equal(sources_read(origins, config->source, &error), SIMSM_OK);
    return config;
}

static const struct transfer_row *row_of(const struct transfer *transfer, const char *path)
{
    for (uint32_t i = 0; i < transfer->rows; i++)
        if (transfer->row[i].key == schema_find_path(path))
            return &transfer->row[i];
    return NULL;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A GPU of another generation and clock, of which some things are known. */
static const char before[] = "base: TREE/configs/t4.yaml\n"
                             "gpu:\n"
                             "  clock_mhz: 990                   # [vendor] half of the other's\n"
                             "  launch_cycles: 7                 # [paper] a simulator\n"
                             "sm:\n"
                             "  carveout_policy: fit             # [estimate] a guess\n"
                             "barrier: {latency: 7, count: 7}    # [estimate] guesses; both\n"
                             "shared:\n"
                             "  atomic_latency: 70               # [measured] here\n"
                             "  return_bytes: 7                  # [estimate] another stage\n"
                             "l2:\n"
                             "  latency: 160                     # [measured] here\n"
                             "gmma: {latency: 7}                 # [estimate] this GPU has none\n"
                             "ops:\n"
                             "  special: {latency: 7, interval: 7} # [estimate] a guess\n"
                             "  st_global: {latency: 7, interval: 7} # [derived] of its own\n"
                             "  fp32: {latency: 7}               # [estimate] a guess\n";

static const struct {
    const char *key, *after, *comment; /* after NULL: keeps its value */
} expected[] = {
    {"gpu.launch_cycles", "950", "ns: other 1899 at 1980 MHz"},
    {"sm.carveout_policy", "roomy", "same: other roomy"},
    {"barrier.latency", "12", "cycles: other 12"},
    {"barrier.count", NULL, NULL},
    {"barrier.fence_near", "58", "l2.latency: other 102 at 283"},
    {"barrier.fence_far", NULL, NULL},
    {"shared.atomic_latency", NULL, NULL},
    {"shared.return_bytes", NULL, NULL},
    {"l2.latency", NULL, NULL},
    {"gmma.latency", NULL, NULL},
    {"ops.special.latency", "23", "cycles: other 23"},
    {"ops.st_global.interval", "2", "cycles: other 2"},
    {"ops.fp32.latency", NULL, NULL},
};

static void check_rows(const struct transfer *transfer)
{
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct transfer_row *row = row_of(transfer, expected[i].key);
        assert_int_equal(row != NULL, expected[i].after != NULL);
        if (!row)
            continue;
        assert_string_equal(row->after, expected[i].after);
        assert_string_equal(row->comment, expected[i].comment);
        assert_string_equal(row->trust, "transferred");
    }
}

static struct transfer_config *source(void)
{
    struct transfer_config *from = load("configs/h200.yaml", "other");
    from->config.gpu_launch_cycles = 1899;
    from->config.l2_latency = 283;
    from->config.barrier_fence_near = 102;
    from->config.ops[SIMSM_OP_SPECIAL].latency = 23;
    return from;
}

/* Applies the rules to the file at `path` and writes the result there. */
static void transfer_file(const char *path, bool all)
{
    struct transfer_config *from = source(), *target = load(path, "target");
    struct transfer transfer;
    struct simsm_error error;
    char *text = NULL;
    size_t size;
    assert_int_equal(transfer_run(&transfer, from, target, all, &error), SIMSM_OK);
    if (!all)
        check_rows(&transfer);
    if (transfer_write(&transfer, path, &text, &size, &error) != SIMSM_OK)
        fail_msg("%s", error.message);
    write_text(path, text);
    transfer_free(&transfer);
    free(text);
    free(target);
    free(from);
}

static void assert_line(const char *path, const char *line)
{
    char found[600];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool here = false;
    while (!here && fgets(found, sizeof found, file))
        here = strstr(found, line) != NULL;
    (void)fclose(file);
    if (!here)
        fail_msg("no line has %s", line);
}

/* Values of little trust are replaced, others stay, and doing it again gives the same file. */
static void test_rewrite(void **state)
{
    char path[] = "/tmp/simsm-transfer-XXXXXX", folder[900], text[2000], copy[80], command[300];
    (void)state;
    assert_true(close(mkstemp(path)) == 0);
    assert_non_null(getcwd(folder, sizeof folder));
    (void)snprintf(text, sizeof text, "base: %s%s", folder, strchr(before, '/'));
    write_text(path, text);
    transfer_file(path, false);
    assert_line(path,
                "  launch_cycles: 950               # [transferred] ns: other 1899 at 1980 MHz");
    assert_line(path, "  atomic_latency: 70               # [measured] here");
    assert_line(
        path,
        "special: {latency: 23, interval: 2} # [transferred] cycles: other 23, cycles: other 2");
    assert_line(path, "barrier: {latency: 12, count: 7, fence_device: 143, fence_near: 58");
    assert_line(path, "# [estimate] cycles: other 12, l2.latency: other 253 at 283, ");
    assert_line(path, "; guesses; both");
    (void)snprintf(copy, sizeof copy, "%s.once", path);
    (void)snprintf(command, sizeof command, "cp %s %s", path, copy);
    assert_int_equal(system(command), 0);
    transfer_file(path, false);
    (void)snprintf(command, sizeof command, "cmp %s %s", path, copy);
    assert_int_equal(system(command), 0);
    assert_int_equal(unlink(copy), 0);
    /* As if nothing had been measured. */
    transfer_file(path, true);
    assert_line(path, "  atomic_latency: 26               # [transferred] cycles: other 26");
    assert_line(path,
                "  latency: 142                     # [transferred] ns: other 283 at 1980 MHz");
    assert_line(path, "  clock_mhz: 990                   # [vendor] half of the other's");
    assert_int_equal(unlink(path), 0);
}

/* gpu.timing is the trust of most of the keys that a measurement or a transfer can give. */
static void test_timing(void **state)
{
    static const char *const names[] = {"measured", "transferred", "other"};
    (void)state;
    glob_t found;
    assert_int_equal(glob("configs/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct transfer_config *config = load(found.gl_pathv[i], "");
        uint32_t count[3] = {0};
        for (int key = 0; key < SCHEMA_ROWS; key++) {
            const struct transfer_rule *rule = transfer_rule(key);
            const char *trust = config->source[key].trust;
            if (rule->how == TRANSFER_OWN || strcmp(rule->where, "9.0") == 0)
                continue; /* facts, and what only Hopper has */
            const bool measured = sources_rank(trust) <= sources_rank("derived");
            const bool inherited = origins->at[key].file > 1; /* another GPU's */
            const bool transferred = strcmp(trust, names[1]) == 0 || (measured && inherited);
            count[transferred ? 1 : measured ? 0 : 2]++;
        }
        const int most = count[0] >= count[1] && count[0] >= count[2] ? 0
                         : count[1] >= count[2]                       ? 1
                                                                      : 2;
        const char *said = schema_choice_name(SCHEMA_gpu_timing, config->config.gpu_timing);
        const bool named = strcmp(said, names[0]) == 0 || strcmp(said, names[1]) == 0;
        if (strcmp(named ? said : names[2], names[most]) != 0)
            fail_msg("%s: gpu.timing is %s, but %u values are measured, %u transferred, %u other",
                     found.gl_pathv[i], said, count[0], count[1], count[2]);
        free(config);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keys),
        cmocka_unit_test(test_all_rules),
        cmocka_unit_test(test_rewrite),
        cmocka_unit_test(test_timing),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(origins);
    return failed;
}
