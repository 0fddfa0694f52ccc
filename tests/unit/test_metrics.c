/* Derived figures, the rules of the verdict, JSON and CSV, from statistics made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "export/export.h"
#include "report/digest.h"
#include "report/metrics.h"
#include "report/verdict.h"
#include "unit/synthetic_stats.h"

static const double exact = 1e-9;

static void values_follow_from_the_counters(void **state)
{
    (void)state;
    static const struct {
        unsigned metric;
        double value;
    } expected[] = {
        {METRIC_CYCLES_ELAPSED, 11000},
        {METRIC_CYCLES_ACTIVE, 9000},
        {METRIC_DURATION, 11000},
        {METRIC_LAUNCH_SHARE, 100.0 / 11},
        {METRIC_IPC_ACTIVE, 20.0 / 18},
        {METRIC_IPC_ELAPSED, 20.0 / 22},
        {METRIC_ISSUE_SLOTS_BUSY, 100 * 20.0 / 72},
        {METRIC_ISSUE_ACTIVE, 100 * 20.0 / 64},
        {METRIC_ISSUE_PER_CYCLE, 20.0 / 64},
        {METRIC_WARPS_PER_SCHEDULER, 200.0 / 64},
        {METRIC_ELIGIBLE_PER_SCHEDULER, 0.5},
        {METRIC_LATENCY_PER_ISSUE, 10},
        {METRIC_OCCUPANCY_THEORETICAL, 50},
        {METRIC_OCCUPANCY_ACHIEVED, 100 * 200.0 / 576},
        {METRIC_WARPS_PER_SM, 200.0 / 18},
        {METRIC_TAIL, 25}, /* 40,000 + 20,000 + 2,000 idle SM cycles x 16, of which 500 cycles of
                              both SMs come after the last block; of 9,500 x 32 */
        {METRIC_WAVES, 1.25},
        {METRIC_GRID_SIZE, 10},
        {METRIC_THREAD_COUNT, 1000},
        {METRIC_LIMIT_REGISTERS, 4},
        {METRIC_THREADS_PER_INST, 28},
        {METRIC_PRED_ON_PER_INST, 25},
        {METRIC_LANE_USE, 87.5},
        {METRIC_BODY_LANE_USE, 50},
        {METRIC_BRANCH_EFFICIENCY, 75},
        {METRIC_LD_SECTORS_PER_REQUEST, 16},
        {METRIC_LD_BYTES_PER_SECTOR, 16},
        {METRIC_L1_HIT, 25},
        {METRIC_L2_HIT, 75},
        {METRIC_L2_THROUGHPUT, 100 * 12000.0 * 32 / (11000.0 * 128)},
        {METRIC_XBAR_REPLY, 100 * 12000.0 * 32 / (11000.0 * 2 * 64)},
        {METRIC_DRAM_BYTES, 110000},
        {METRIC_DRAM_RATE, 10},
        {METRIC_DRAM_THROUGHPUT, 10},
        {METRIC_SHARED_LD_PASSES, 2},
        {METRIC_SHARED_CONFLICT_SHARE, 10},
        {METRIC_PIPE_BUSY + SIMSM_PIPE_FMA, 100 * 38.0 / 72},
        {METRIC_PIPE_BUSY + SIMSM_PIPE_LSU, 100 * 1.0 / 72},
    };
    struct synthetic s;
    struct simsm_metric metrics[METRIC_COUNT];
    synthetic_fill(&s);
    metrics_compute(&s.config, &s.stats, metrics);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct simsm_metric *m = &metrics[expected[i].metric];
        if (!(fabs(m->value - expected[i].value) <= exact))
            fail_msg("%s is %.12g, expected %.12g", m->name, m->value, expected[i].value);
    }
}

static void a_shared_pipe_is_busy_for_the_whole_sm(void **state)
{
    (void)state;
    struct synthetic s;
    struct simsm_metric metrics[METRIC_COUNT];
    synthetic_fill(&s);
    s.config.pipe_shared[SIMSM_PIPE_FMA] = true;
    metrics_compute(&s.config, &s.stats, metrics);
    assert_true(fabs(metrics[METRIC_PIPE_BUSY + SIMSM_PIPE_FMA].value - 100 * 38.0 / 18) < exact);
}

static void what_is_not_defined_is_nan(void **state)
{
    (void)state;
    struct synthetic s;
    struct simsm_metric metrics[METRIC_COUNT];
    synthetic_fill(&s);
    memset(s.stats.counter, 0, sizeof s.stats.counter);
    metrics_compute(&s.config, &s.stats, metrics);
    assert_true(isnan(metrics[METRIC_IPC_ACTIVE].value));
    assert_true(isnan(metrics[METRIC_BRANCH_EFFICIENCY].value));
    assert_true(isnan(metrics[METRIC_L1_HIT].value));
    assert_true(isnan(metrics[METRIC_LIMIT_SHARED].value)); /* no limit is no number */
    assert_true(isnan(metrics[metric_stall(SIMSM_STATE_WAIT)].value));
}

/* The parts of a warp's life add up to it, and the parts of the gap to the gap. */
static void parts_add_up(void **state)
{
    (void)state;
    struct synthetic s;
    struct simsm_metric m[METRIC_COUNT];
    double stalls = 0;
    synthetic_fill(&s);
    metrics_compute(&s.config, &s.stats, m);
    for (unsigned i = SIMSM_STATE_ISSUED; i < SIMSM_STATE_COUNT; i++)
        stalls += m[metric_stall((enum simsm_warp_state)i)].value;
    assert_true(fabs(stalls - m[METRIC_LATENCY_PER_ISSUE].value) < exact);
    double lost = m[METRIC_LOST_WITHIN_BLOCKS].value + m[METRIC_LOST_REFILL].value +
                  m[METRIC_LOST_FEW_BLOCKS].value + m[METRIC_LOST_PARTIAL_WAVE].value +
                  m[METRIC_LOST_ACROSS_BLOCKS].value;
    double gap = m[METRIC_OCCUPANCY_THEORETICAL].value - m[METRIC_OCCUPANCY_ACHIEVED].value;
    assert_true(fabs(lost - gap) < exact);
}

static void every_name_is_unique_and_described(void **state)
{
    (void)state;
    struct simsm_metric metrics[METRIC_COUNT];
    const char *names[METRIC_COUNT + SIMSM_COUNTER_COUNT];
    metrics_describe(metrics);
    for (unsigned i = 0; i < METRIC_COUNT; i++) {
        assert_true(metrics[i].name && metrics[i].name[0]);
        assert_true(metrics[i].unit && metrics[i].unit[0]);
        assert_true(metrics[i].meaning && metrics[i].meaning[0]);
        assert_true(isnan(metrics[i].value));
        names[i] = metrics[i].name;
    }
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        names[METRIC_COUNT + i] = simsm_counters[i].name;
    for (unsigned i = 0; i < METRIC_COUNT + SIMSM_COUNTER_COUNT; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (strcmp(names[i], names[k]) == 0)
                fail_msg("two figures are called %s", names[i]);
        }
    }
}

/* --- the verdict: one change to quiet statistics for each rule --- */

static void quiet(struct synthetic *s)
{
    synthetic_fill(s);
    s->stats.launch.block[0] = 128; /* whole warps */
    s->lines[0].threads = 32 * s->lines[0].issues;
    s->lines[1].threads = 32 * s->lines[1].issues;
    s->stats.gap.partial_wave = s->stats.gap.across_blocks = s->stats.gap.idle = 0;
    s->stats.counter[SIMSM_COUNTER_SM_CYCLES_ACTIVE] = 20000;
    memset(s->stats.states, 0, sizeof s->stats.states);
    s->stats.states[SIMSM_STATE_ISSUED] = 100000;
}

static void share_of(struct synthetic *s, enum simsm_warp_state which, unsigned percent)
{
    s->stats.states[which] = 1000 * (uint64_t)percent;
    s->stats.states[SIMSM_STATE_ISSUED] = 1000 * (uint64_t)(100 - percent);
}

static void make_nothing(struct synthetic *s)
{
    memset(s->stats.counter, 0, sizeof s->stats.counter);
}
static void make_launch(struct synthetic *s)
{
    s->stats.launch_cycles = 6000;
}
static void make_dram(struct synthetic *s)
{
    s->stats.counter[SIMSM_COUNTER_DRAM_READ_BYTES] = 700000; /* of 800,000 in 10,000 cycles */
}
static void make_l2(struct synthetic *s)
{
    s->config.xbar_reply_bytes = 1024;
    s->stats.counter[SIMSM_COUNTER_L2_READ_SECTORS] = 32000; /* of 40,000 */
}
static void make_xbar(struct synthetic *s)
{
    s->config.l2_slice_bytes = 1024;
    s->stats.counter[SIMSM_COUNTER_L2_READ_SECTORS] = 32000; /* of 40,000 */
}
static void make_divergence(struct synthetic *s)
{
    s->lines[0].threads = 16 * s->lines[0].issues; /* a quarter is idle */
}
static void make_predication(struct synthetic *s)
{
    s->lines[0].threads_off = 16 * s->lines[0].issues;
}
static void make_partial_warps(struct synthetic *s)
{
    s->stats.launch.block[0] = 72;
    s->stats.occupancy.warps_per_block = 3; /* 24 of 32 lanes */
}
static void make_uncoalesced(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_LG_THROTTLE, 40);
    s->lines[1].sectors_least = 4000; /* of 16,000 */
}
static void make_local(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_LONG_SCOREBOARD, 40);
    s->stats.counter[SIMSM_COUNTER_LOCAL_SECTORS] = 48000; /* of 64,000 */
}
static void make_atomics(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_LONG_SCOREBOARD, 40);
    s->stats.counter[SIMSM_COUNTER_GLOBAL_ATOM_SECTORS] = 3000; /* of 4,000 */
    s->stats.counter[SIMSM_COUNTER_GLOBAL_LD_SECTORS] = 1000;
    s->stats.counter[SIMSM_COUNTER_GLOBAL_ST_SECTORS] = 0;
}
static void make_within(struct synthetic *s)
{
    s->stats.gap.within_blocks = 160000; /* of 320,000 */
    s->stats.longest_warps = 1000;
    s->stats.blocks_inst = 600;
}
static void make_imbalance(struct synthetic *s)
{
    s->stats.launch.grid[0] = 4; /* a single wave: the longest block decides */
    s->stats.block_cycles_max = 10000;
    s->stats.blocks_inst = 4000;
    s->stats.block_inst_max = 1000;
}
static void make_partial_wave(struct synthetic *s)
{
    s->stats.gap.idle = 160000; /* of 320,000; 1.25 of 2 waves leave 37.5 % empty */
}
static void make_no_blocks(struct synthetic *s)
{
    s->stats.blocks_total = 1; /* for two SMs */
    s->stats.launch.grid[0] = s->stats.launch.grid[1] = 1;
}
static void make_double(struct synthetic *s)
{
    s->info[0].op = SIMSM_OP_FP64;
    s->config.ops[SIMSM_OP_FP64] = (struct simsm_op_timing){SIMSM_PIPE_FP64, 8, 4};
    s->lines[0].issues = 16000; /* x 4 of 80,000, half of it without */
}
static void make_unfused(struct synthetic *s)
{
    s->info[0].text = "FMUL R0, R1, R2";
    s->info[1].text = "FADD R4, R0, R3";
    s->lines[0].issues = 20000; /* all instructions */
}
static void make_constants(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_IMC_MISS, 31);
}
static void make_pipe(struct synthetic *s)
{
    s->lines[0].issues = 32000; /* x 2 of 80,000 */
    s->lines[0].threads = 32 * s->lines[0].issues;
}
static void make_issue(struct synthetic *s)
{
    s->stats.counter[SIMSM_COUNTER_ISSUE_ACTIVE] = 70000; /* of 80,000 */
}
static void make_conflicts(struct synthetic *s)
{
    s->info[1].op = SIMSM_OP_LD_SHARED;
    s->lines[1].sectors_least = 4000; /* of 16,000 */
    share_of(s, SIMSM_STATE_MIO_THROTTLE, 40);
}
static void make_queues(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_LG_THROTTLE, 31);
}
static void make_barriers(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_BARRIER, 31);
}
static void make_fences(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_MEMBAR, 31);
}
static void make_fetch(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_NO_INSTRUCTION, 31);
}
static void make_cold(struct synthetic *s)
{
    make_fetch(s);
    s->stats.counter[SIMSM_COUNTER_INST_EXECUTED] = 50;
}
static void make_few_blocks(struct synthetic *s)
{
    s->stats.launch.grid[0] = 1; /* 2 blocks of 8 */
    s->stats.gap.few_blocks = 160000;
}
static void make_few_warps(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_LONG_SCOREBOARD, 41);
}
static void make_few_resident(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_LONG_SCOREBOARD, 41);
    s->stats.occupancy.max_warps = 16; /* all may be resident */
    s->stats.counter[SIMSM_COUNTER_WARPS_ACTIVE] = 100000;
}
static void make_memory_latency(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_LONG_SCOREBOARD, 41);
    s->stats.counter[SIMSM_COUNTER_WARPS_ACTIVE] = 400000; /* of 640,000 */
}
static void make_shared_latency(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_SHORT_SCOREBOARD, 41);
}
static void make_arithmetic(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_WAIT, 41);
}
static void make_branches(struct synthetic *s)
{
    share_of(s, SIMSM_STATE_BRANCH_RESOLVING, 31);
}
static void make_no_limit(struct synthetic *s)
{
    (void)s;
}

static void each_rule_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        void (*make)(struct synthetic *s);
        const char *figure; /* that the sentence must quote */
    } cases[] = {
        {"nothing ran", make_nothing, "No instruction"},
        {"uncoalesced", make_uncoalesced, "16.0 sectors a request where 4.00 would do; line 9"},
        {"local_memory", make_local, "30.0 %"},
        {"bank_conflicts", make_conflicts, "16.0 passes a request where 4.00 would do; line 9"},
        {"atomics", make_atomics, "30.0 %"},
        {"divergence", make_divergence, "24.1 % of the time; 16.0 of 32 lanes"},
        {"predication", make_predication, "24.1 % of the time; 16.0 of 32 lanes"},
        {"partial_warps", make_partial_warps, "22.7 % of the time; a block has 72 threads"},
        {"within_blocks", make_within, "36.4 %"},
        {"imbalance", make_imbalance, "the longest block runs 10.0 k cycles, a mean one 4.00 k"},
        {"partial_wave", make_partial_wave, "34.1 % of the time; 10 blocks are 1.25 waves"},
        {"few_blocks", make_no_blocks, "45.5 % of the time; 1 block on 2 SMs"},
        {"barriers", make_barriers, "31.0 %"},
        {"instruction_cache", make_cold, "31.0 %"},
        {"constant_misses", make_constants, "31.0 %"},
        {"double_precision", make_double, "36.4 %"},
        {"unfused", make_unfused, "100.0 % of all instructions"},
        {"launch_overhead", make_launch, "54.5 %"},
        {"DRAM bandwidth", make_dram, "89.2 %"}, /* 714,000 of 800,000 */
        {"L2 bandwidth", make_l2, "80.0 %"},
        {"way from L2", make_xbar, "80.0 %"},
        {"math pipe", make_pipe, "the fma pipe is busy in 80.0 %"},
        {"issue", make_issue, "87.5 %"},
        {"load/store queues", make_queues, "31.0 %"},
        {"fences and stores", make_fences, "31.0 %"},
        {"instruction fetch", make_fetch, "31.0 %"},
        {"memory latency, few warps", make_few_warps, "occupancy of 31.2 %"},
        {"memory latency, few blocks", make_few_resident, "only 31.2 %"},
        {"memory latency", make_memory_latency, "41.0 %"},
        {"shared-memory latency", make_shared_latency, "41.0 %"},
        {"arithmetic latency", make_arithmetic, "41.0 %"},
        {"few blocks", make_few_blocks, "Too few blocks: 10 blocks on 2 SMs; 47.4 %"},
        {"branches", make_branches, "31.0 %"},
        {"no single limit", make_no_limit, "No single limit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct synthetic s;
        struct simsm_metric metrics[METRIC_COUNT];
        struct verdict_finding findings[VERDICT_MAX];
        quiet(&s);
        cases[i].make(&s);
        metrics_compute(&s.config, &s.stats, metrics);
        unsigned count = verdict_find(&s.config, &s.stats, metrics, findings);
        assert_true(count >= 1);
        assert_string_equal(findings[0].name, cases[i].rule);
        if (!strstr(findings[0].sentence, cases[i].figure))
            fail_msg("%s: '%s' does not quote '%s'", cases[i].rule, findings[0].sentence,
                     cases[i].figure);
        assert_null(strchr(findings[0].sentence, '{'));
    }
}

static void several_rules_come_in_their_order(void **state)
{
    (void)state;
    struct synthetic s;
    struct simsm_metric metrics[METRIC_COUNT];
    struct verdict_finding findings[VERDICT_MAX];
    quiet(&s);
    make_launch(&s);
    make_divergence(&s);
    make_issue(&s);
    metrics_compute(&s.config, &s.stats, metrics);
    assert_int_equal(verdict_find(&s.config, &s.stats, metrics, findings), 3);
    assert_string_equal(findings[0].name, "divergence"); /* each launch has an overhead */
    assert_string_equal(findings[1].name, "launch_overhead");
    assert_string_equal(findings[2].name, "issue");
}

static void a_digest_has_each_advice_once(void **state)
{
    (void)state;
    struct synthetic s;
    struct digest digest;
    quiet(&s);
    make_no_blocks(&s);
    s.stats.gap.few_blocks = 160000; /* two rules say that there are too few blocks */
    digest_make(&digest, &s.run, &s.stats);
    assert_string_equal(digest.limit, "few blocks");
    assert_non_null(strstr(digest.advice[0], "launch more blocks"));
    for (unsigned i = 1; i < DIGEST_ADVICES; i++)
        assert_null(strstr(digest.advice[i], "launch more blocks"));
}

/* --- exports --- */

static char *written(enum simsm_status (*export)(FILE *, const struct run_info *,
                                                 const struct simsm_stats *, struct simsm_error *),
                     const struct synthetic *s)
{
    char *text = NULL;
    size_t size = 0;
    struct simsm_error error;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(export(file, &s->run, &s->stats, &error), SIMSM_OK);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void json_holds_every_figure(void **state)
{
    (void)state;
    struct synthetic s;
    static const char *const options[] = {"--seed 3"};
    synthetic_fill(&s);
    s.run.options = options;
    s.run.option_count = 1;
    char *text = written(export_json, &s);
    json_error_t bad;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &bad);
    if (!root)
        fail_msg("line %d: %s", bad.line, bad.text);
    const json_t *counters = json_object_get(root, "counters");
    const json_t *metrics = json_object_get(root, "metrics");
    assert_int_equal(json_object_size(counters), SIMSM_COUNTER_COUNT);
    assert_int_equal(json_object_size(metrics), METRIC_COUNT);
    for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
        assert_int_equal(json_integer_value(json_object_get(counters, simsm_counters[i].name)),
                         s.stats.counter[i]);
    assert_true(json_is_null(json_object_get(metrics, "launch__occupancy_limit_shared_mem")));
    assert_true(fabs(json_real_value(json_object_get(metrics, "simsm__tail.pct")) - 25) < exact);
    const json_t *line = json_array_get(json_object_get(root, "lines"), 1);
    assert_string_equal(json_string_value(json_object_get(line, "text")), "LDG R1, [R4]");
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(line, "states"), "long_scoreboard")),
        99000);
    const json_t *config = json_object_get(root, "config");
    assert_string_equal(json_string_value(json_array_get(json_object_get(config, "options"), 0)),
                        "--seed 3");
    assert_true(json_is_true(json_object_get(json_object_get(root, "run"), "complete")));
    json_decref(root);
    free(text);
}

static void json_survives_text_that_is_no_utf8(void **state)
{
    (void)state;
    struct synthetic s;
    synthetic_fill(&s);
    (void)strcpy(s.stats.launch.name, "k\xff\xfe\"");
    char *text = written(export_json, &s);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(root, "launch"), "kernel")), "k??\"");
    json_decref(root);
    free(text);
}

static void json_of_a_launch_is_one_line(void **state)
{
    (void)state;
    struct synthetic s;
    synthetic_fill(&s);
    s.run.number = 7;
    s.run.range = "step/attention";
    char *text = written(export_json_line, &s), *whole = written(export_json, &s);
    json_t *line = json_loads(text, 0, NULL), *object = json_loads(whole, 0, NULL);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    assert_true(json_equal(line, object));
    assert_int_equal(json_integer_value(json_object_get(line, "number")), 7);
    assert_string_equal(json_string_value(json_object_get(line, "range")), "step/attention");
    json_decref(line);
    json_decref(object);
    free(text);
    free(whole);
}

static void csv_of_launches_says_which(void **state)
{
    (void)state;
    struct synthetic s;
    synthetic_fill(&s);
    s.run.number = 7;
    (void)strcpy(s.stats.launch.name, "k<\"x\", 2>");
    char *text = written(export_csv_launch, &s);
    unsigned rows = 0;
    for (char *row = strtok(text, "\n"); row; row = strtok(NULL, "\n")) {
        assert_int_equal(strncmp(row, "7,\"k<\"\"x\"\", 2>\",", 16), 0);
        rows++;
    }
    assert_int_equal(rows, 1 + SIMSM_COUNTER_COUNT + METRIC_COUNT);
    free(text);
}

static void csv_has_a_row_for_every_figure(void **state)
{
    (void)state;
    struct synthetic s;
    synthetic_fill(&s);
    char *text = written(export_csv, &s);
    unsigned rows = 0;
    for (const char *c = text; *c; c++)
        rows += *c == '\n';
    assert_int_equal(rows, 2 + SIMSM_COUNTER_COUNT + METRIC_COUNT);
    static const char head[] = "metric,unit,value,description\nsimsm__complete,,1,";
    assert_int_equal(strncmp(text, head, sizeof head - 1), 0);
    assert_non_null(
        strstr(text, "\nsmsp__inst_executed.sum,inst,20000,\"warp instructions executed\"\n"));
    assert_non_null(strstr(text, "\nlaunch__occupancy_limit_shared_mem,block,,\""));
    assert_non_null(strstr(text, "\nsimsm__tail.pct,%,25,\""));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_from_the_counters),
        cmocka_unit_test(a_shared_pipe_is_busy_for_the_whole_sm),
        cmocka_unit_test(what_is_not_defined_is_nan),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(every_name_is_unique_and_described),
        cmocka_unit_test(each_rule_is_found),
        cmocka_unit_test(several_rules_come_in_their_order),
        cmocka_unit_test(a_digest_has_each_advice_once),
        cmocka_unit_test(json_holds_every_figure),
        cmocka_unit_test(json_survives_text_that_is_no_utf8),
        cmocka_unit_test(json_of_a_launch_is_one_line),
        cmocka_unit_test(csv_of_launches_says_which),
        cmocka_unit_test(csv_has_a_row_for_every_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
