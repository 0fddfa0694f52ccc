/* Kanata logs, read back line by line by the rules of the format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viz_export_fixture.h"

enum { ROWS = 40000, SLOTS = 64, NAME = 32, STATES = 32 };

struct row {
    bool begun, labelled, retired, flushed, executes;
    uint32_t slot;
    uint64_t issued;
    char stage[2][NAME]; /* open in each lane; "" if none */
    uint64_t since[2];
};

struct log {
    struct run *run;
    uint64_t cycle;
    uint32_t rows, retired, arrows;
    uint64_t states[STATES]; /* cycles in lane 1 */
    struct row row[ROWS];
};

static struct row *row_of(struct log *log, unsigned id, bool alive)
{
    assert_true(id < ROWS && log->row[id].begun);
    assert_true(!alive || !log->row[id].retired);
    return &log->row[id];
}

static void end_stage(struct log *log, struct row *row, unsigned lane)
{
    if (lane == 1 && row->stage[1][0])
        log->states[export_state_of(log->run, row->stage[1])] += log->cycle - row->since[1];
    row->stage[lane][0] = '\0';
}

static void take_stage(struct log *log, char command, unsigned id, unsigned lane, const char *stage)
{
    struct row *row = row_of(log, id, true);
    assert_true(lane < 2 && strlen(stage) < NAME);
    if (command == 'E')
        assert_string_equal(row->stage[lane], stage);
    end_stage(log, row, lane);
    if (command == 'E')
        return;
    (void)snprintf(row->stage[lane], NAME, "%s", stage);
    row->since[lane] = log->cycle;
    row->executes |= strchr(stage, 'X') != NULL;
    if (strcmp(stage, "Is") == 0)
        row->issued = log->cycle;
}

static void take_row(struct log *log, unsigned id, unsigned slot)
{
    assert_true(id == log->rows && id < ROWS && slot < SLOTS);
    log->rows++;
    log->row[id] = (struct row){.begun = true, .slot = slot, .issued = UINT64_MAX};
}

static void take_end(struct log *log, unsigned id, unsigned number, unsigned flushed)
{
    struct row *row = row_of(log, id, true);
    assert_true(flushed || number == log->retired);
    log->retired += !flushed;
    row->retired = true;
    row->flushed = flushed;
    end_stage(log, row, 1);
}

static void take_line(struct log *log, char *line)
{
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned long long cycles;
    char stage[NAME];
    if (sscanf(line, "C\t%llu", &cycles) == 1) {
        assert_true(cycles > 0);
        log->cycle += cycles;
    } else if (sscanf(line, "I\t%u\t%u\t%u", &a, &b, &c) == 3) {
        take_row(log, a, c);
    } else if (sscanf(line, "L\t%u\t%u\t", &a, &b) == 2) {
        row_of(log, a, true)->labelled |= b == 0;
    } else if (sscanf(line, "S\t%u\t%u\t%31s", &a, &b, stage) == 3 ||
               sscanf(line, "E\t%u\t%u\t%31s", &a, &b, stage) == 3) {
        take_stage(log, line[0], a, b, stage);
    } else if (sscanf(line, "R\t%u\t%u\t%u", &a, &b, &c) == 3) {
        take_end(log, a, b, c);
    } else if (sscanf(line, "W\t%u\t%u\t%u", &a, &b, &c) == 3) {
        assert_true(b < a && row_of(log, b, false)->slot == row_of(log, a, true)->slot);
        assert_true(row_of(log, b, false)->issued < log->cycle);
        log->arrows++;
    } else {
        fail_msg("line '%s'", line);
    }
}

static struct log *read_back(struct run *run, const struct export_request *request)
{
    struct simsm_error error;
    size_t size;
    unsigned long long begin;
    struct log *log = calloc(1, sizeof *log);
    char *export = export_text(run, EXPORT_KANATA, request, &size, &error);
    viz_need(export && log, &error);
    log->run = run;
    char *rest = export;
    assert_string_equal(strtok_r(export, "\n", &rest), "Kanata\t0004");
    assert_int_equal(sscanf(strtok_r(NULL, "\n", &rest), "C=\t%llu", &begin), 1);
    log->cycle = begin;
    for (char *line; (line = strtok_r(NULL, "\n", &rest));)
        take_line(log, line);
    free(export);
    return log;
}

/* States in which an instruction is, or is going to be, at the head of the warp. */
static bool is_stall(enum simsm_warp_state state)
{
    return state != SIMSM_STATE_EMPTY && state != SIMSM_STATE_EXITED &&
           state != SIMSM_STATE_DRAIN && state != SIMSM_STATE_ISSUED;
}

static void check_whole(const char *trace, bool has_arrows)
{
    struct run *run = export_run(trace);
    const struct timeline_info *info = run_info(run);
    struct export_request request = export_whole();
    struct log *log = read_back(run, &request);
    assert_int_equal(log->rows, info->totals[0].issues); /* each once, and none flushed */
    assert_int_equal(log->retired, log->rows);
    for (uint32_t i = 0; i < log->rows; i++) {
        const struct row *row = &log->row[i];
        assert_true(row->labelled && row->retired && row->executes && row->issued != UINT64_MAX);
    }
    for (uint32_t s = 0; s < info->state_count; s++)
        assert_int_equal(log->states[s],
                         is_stall(info->states[s].known) ? info->totals[0].states[s] : 0);
    assert_true(!has_arrows || log->arrows > log->rows / 4);
    free(log);
    run_close(run);
}

static void every_instruction_has_its_row(void **state)
{
    (void)state;
    check_whole("traces/lessons/walkthrough.trace", true);
    check_whole("traces/lessons/latency.trace", true); /* several chunks */
    check_whole("traces/lessons/two_paths.trace", false);
}

static void a_range_ends_its_rows(void **state)
{
    (void)state;
    struct run *run = export_run("traces/lessons/latency.trace");
    struct export_request request = {.sm = UINT32_MAX, .from = 65000, .to = 70000};
    struct log *log = read_back(run, &request);
    uint32_t issued = 0;
    uint32_t expected = 0;
    struct history history;
    struct simsm_error error;
    for (uint32_t i = 0; i < log->rows; i++) {
        assert_true(log->row[i].retired);
        issued += !log->row[i].flushed;
        assert_true(log->row[i].flushed == (log->row[i].issued == UINT64_MAX));
    }
    viz_need(history_load(&history, run_reader(run), 0, request.from, request.to, &error) ==
                 SIMSM_OK,
             &error);
    for (uint32_t s = 0; s < run_info(run)->slots; s++)
        for (uint32_t i = 0; i < history.slot[s].issue_count; i++)
            expected += history.slot[s].issues[i].cycle >= request.from &&
                        history.slot[s].issues[i].cycle < request.to;
    assert_int_equal(issued, expected);
    assert_true(issued > 0 && issued < log->rows);
    history_free(&history);
    free(log);
    run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_has_its_row),
        cmocka_unit_test(a_range_ends_its_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
