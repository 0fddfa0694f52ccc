/* Trace-event JSON, read back by a JSON library: rules of the format, and sums of the timeline. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>

#include "viz_export_fixture.h"

enum { TIDS = 4096, STATES = 32, BLOCK_TID = 1000, MOST_FLIGHTS = 100000 };

struct seen {
    struct run *run;
    uint64_t last_end[TIDS]; /* of the slices of a thread */
    bool named[TIDS];
    uint64_t states[STATES], blocks;
    uint64_t begun, ended, gauges;
    uint64_t *begin; /* of the flight with that number; [MOST_FLIGHTS] */
    double issues;   /* the rate, summed over cycles */
    double rate[8];
    uint64_t rate_since[8];
};

static uint64_t cycles(const json_t *event, const char *member)
{
    double value = json_number_value(json_object_get(event, member)) * 1000;
    assert_true(fabs(value - round(value)) < 1e-3);
    return (uint64_t)round(value);
}

static const char *text(const json_t *event, const char *member)
{
    const char *value = json_string_value(json_object_get(event, member));
    assert_non_null(value);
    return value;
}

static void see_slice(struct seen *seen, const json_t *event)
{
    uint64_t tid = (uint64_t)json_integer_value(json_object_get(event, "tid"));
    uint64_t from = cycles(event, "ts");
    uint64_t length = cycles(event, "dur");
    assert_true(tid < TIDS && seen->named[tid] && length > 0);
    assert_true(from >= seen->last_end[tid]); /* slices of a thread must not overlap */
    seen->last_end[tid] = from + length;
    if (tid >= BLOCK_TID)
        seen->blocks++;
    else
        seen->states[export_state_of(seen->run, text(event, "name"))] += length;
}

static void see_flight(struct seen *seen, const json_t *event, bool end)
{
    unsigned sm;
    unsigned number;
    assert_int_equal(sscanf(text(event, "id"), "%u.%u", &sm, &number), 2);
    assert_true(number < MOST_FLIGHTS);
    if (end) {
        assert_true(seen->begin[number] && cycles(event, "ts") + 1 > seen->begin[number]);
        assert_non_null(json_object_get(json_object_get(event, "args"), "answered by"));
        seen->ended++;
    } else {
        assert_false(seen->begin[number]);
        seen->begin[number] = cycles(event, "ts") + 1;
        seen->begun++;
    }
}

static void see_gauge(struct seen *seen, const json_t *event)
{
    unsigned sub;
    seen->gauges++;
    if (sscanf(text(event, "name"), "issue rate sp%u", &sub) != 1)
        return;
    uint64_t now = cycles(event, "ts");
    assert_true(sub < 8 && now >= seen->rate_since[sub]);
    seen->issues += seen->rate[sub] * (double)(now - seen->rate_since[sub]);
    seen->rate_since[sub] = now;
    seen->rate[sub] =
        json_number_value(json_object_get(json_object_get(event, "args"), "instructions/cycle"));
}

static void see(struct seen *seen, const json_t *event)
{
    switch (text(event, "ph")[0]) {
    case 'M':
        if (strcmp(text(event, "name"), "thread_name") == 0)
            seen->named[json_integer_value(json_object_get(event, "tid"))] = true;
        break;
    case 'X':
        see_slice(seen, event);
        break;
    case 'b':
    case 'e':
        see_flight(seen, event, text(event, "ph")[0] == 'e');
        break;
    case 'C':
        see_gauge(seen, event);
        break;
    default:
        fail_msg("an event of phase %s", text(event, "ph"));
    }
}

static struct seen read_back(struct run *run, const struct export_request *request)
{
    struct simsm_error error;
    json_error_t problem;
    size_t size;
    struct seen seen = {.run = run, .begin = calloc(MOST_FLIGHTS, sizeof(uint64_t))};
    char *export = export_text(run, EXPORT_PERFETTO_JSON, request, &size, &error);
    viz_need(export != NULL, &error);
    json_t *root = json_loadb(export, size, 0, &problem);
    if (!root)
        fail_msg("line %d: %s", problem.line, problem.text);
    json_t *event;
    size_t i;
    json_array_foreach(json_object_get(root, "traceEvents"), i, event) see(&seen, event);
    assert_true(i > 100);
    json_decref(root);
    free(export);
    free(seen.begin);
    seen.begin = NULL;
    return seen;
}

static uint64_t requests_of(struct run *run)
{
    struct timeline_data data = {0};
    struct simsm_error error;
    uint32_t count;
    uint64_t requests = 0;
    const struct timeline_chunk *chunks = timeline_read_chunks(run_reader(run), 0, &count);
    for (uint32_t c = 0; c < count; c++) {
        viz_need(timeline_read_chunk(run_reader(run), &chunks[c], &data, &error) == SIMSM_OK,
                 &error);
        for (uint32_t i = 0; i < data.memory_count; i++)
            requests += data.memory[i].done;
    }
    timeline_data_free(&data);
    return requests;
}

static void check_whole(const char *trace)
{
    struct run *run = export_run(trace);
    const struct timeline_info *info = run_info(run);
    struct export_request request = export_whole();
    struct seen seen = read_back(run, &request);
    for (uint32_t s = 0; s < info->state_count; s++) {
        bool empty = info->states[s].known == SIMSM_STATE_EMPTY;
        assert_int_equal(seen.states[s], empty ? 0 : info->totals[0].states[s]);
    }
    assert_int_equal(seen.begun, seen.ended);
    assert_int_equal(seen.ended, requests_of(run));
    assert_int_equal(seen.blocks,
                     info->launch.grid[0] * info->launch.grid[1] * info->launch.grid[2]);
    assert_true(fabs(seen.issues - (double)info->totals[0].issues) < 0.01 * seen.issues + 0.5);
    run_close(run);
}

static void whole_runs_add_up(void **state)
{
    (void)state;
    check_whole("traces/lessons/walkthrough.trace");
    check_whole("traces/lessons/latency.trace"); /* several chunks */
}

static void a_range_has_what_is_in_it(void **state)
{
    (void)state;
    struct run *run = export_run("traces/lessons/latency.trace");
    struct viz_plain plain = viz_plain_of(run, 0);
    struct export_request request = {.sm = 0, .from = 65000, .to = 140000};
    struct seen seen = read_back(run, &request);
    uint64_t expected[SIMSM_STATE_COUNT] = {0};
    for (uint32_t s = 0; s < plain.slots; s++)
        for (uint64_t at = request.from; at < request.to; at++)
            expected[plain.state[s][at - plain.begin]]++;
    for (uint32_t i = 0; i < run_info(run)->state_count; i++) {
        uint32_t known = run_info(run)->states[i].known;
        if (known != SIMSM_STATE_EMPTY)
            assert_int_equal(seen.states[i], expected[known]);
    }
    viz_plain_free(&plain);
    run_close(run);
}

static void refused(struct run *run, const struct export_request *request, const char *words)
{
    struct simsm_error error = {0};
    size_t size;
    assert_null(export_text(run, EXPORT_PERFETTO_JSON, request, &size, &error));
    assert_int_equal(error.status, SIMSM_BAD_INPUT);
    assert_non_null(strstr(error.message, words));
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct run *run = export_run("traces/lessons/walkthrough.trace");
    struct export_request many = export_whole();
    many.most_events = 150;
    refused(run, &many, "--cycles");
    struct export_request other_sm = export_whole();
    other_sm.sm = 5;
    refused(run, &other_sm, "--timeline-sm 5");
    struct export_request late = export_whole();
    late.from = 1000000;
    refused(run, &late, "nothing is recorded");
    run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_runs_add_up),
        cmocka_unit_test(a_range_has_what_is_in_it),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
