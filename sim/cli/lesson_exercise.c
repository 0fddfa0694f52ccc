#include "cli/lesson_exercise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/infile.h"
#include "base/outfile.h"
#include "language/language.h"
#include "report/metrics.h"
#include "simsm/simsm.h"

enum { TRACE_LIMIT = 16 << 20, FIGURES = SIMSM_COUNTER_COUNT + METRIC_COUNT };

/* A file may take so many times the cycles of the exercise's trace, and some more. */
enum { MOST_TIMES = 20, MOST_MORE = 1000000 };

struct figures {
    double value[FIGURES]; /* counters, then metrics */
    uint64_t cycles;
};

/* A condition: FIGURE <=|>=|= [FACTOR] [start]. */
struct condition {
    char figure[LESSON_ENTRY], relation[4];
    double factor;
    bool of_start; /* the bound is a multiple of the exercise's trace */
};

/* Returns the index in figures.value of a counter or metric; -1 if there is none of this name. */
static int figure_index(const char *name)
{
    struct simsm_metric metrics[METRIC_COUNT];
    for (int i = 0; i < SIMSM_COUNTER_COUNT; i++)
        if (strcmp(simsm_counters[i].name, name) == 0)
            return i;
    metrics_describe(metrics);
    for (int i = 0; i < METRIC_COUNT; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return SIMSM_COUNTER_COUNT + i;
    return -1;
}

static enum simsm_status trace_path(const struct lesson_exercise *exercise,
                                    char path[LESSON_PATH + 512], struct simsm_error *error)
{
    char root[LESSON_PATH];
    enum simsm_status status = lesson_root(root, error);
    if (status == SIMSM_OK)
        (void)snprintf(path, LESSON_PATH + 512, "%s/traces/lessons/%s", root, exercise->trace);
    return status;
}

/* Writes the first lines of the file: what it is, what to do, how to check it. */
static void write_task(FILE *file, const struct lesson *lesson, uint32_t number, const char *name)
{
    struct lesson_section task = lesson_entry(lesson_section(lesson, LESSON_EXERCISE_LIST), number);
    (void)fprintf(file, "# simsm learn %u --exercise %u\n#\n# ", lesson->number, number);
    for (size_t i = 0; i < task.size; i++) {
        char c = task.text[i];
        if (c == '*' || c == '`')
            continue;
        (void)fputc(c, file);
        if (c == '\n')
            (void)fputs("#", file);
    }
    (void)fprintf(file, _("\n#\n# Edit this file, then: simsm learn %u --check %s\n\n"),
                  lesson->number, name);
}

/* Writes the trace with the exercise's parameters in place of the values of the same names. */
static void write_trace(FILE *file, const struct lesson_exercise *exercise, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        const char *given = NULL;
        for (uint32_t i = 0; !given && i < exercise->params.count; i++) {
            const char *param = exercise->params.entry[i];
            size_t name = strcspn(param, "=");
            if (strncmp(text, "param ", 6) == 0 && strncmp(text + 6, param, name) == 0 &&
                text[6 + name] == ' ')
                given = param;
        }
        if (given)
            (void)fprintf(file, "param %.*s = %s\n", (int)strcspn(given, "="), given,
                          strchr(given, '=') + 1);
        else
            (void)fprintf(file, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

enum simsm_status exercise_copy(const struct lesson *lesson, uint32_t number,
                                char name[LESSON_ENTRY], bool *existed, struct simsm_error *error)
{
    const struct lesson_exercise *exercise = &lesson->exercise[number - 1];
    char path[LESSON_PATH + 512], *text;
    size_t size;
    struct outfile out;
    (void)snprintf(name, LESSON_ENTRY, "lesson-%u-%u.trace", lesson->number, number);
    *existed = access(name, F_OK) == 0;
    if (*existed)
        return SIMSM_OK;
    enum simsm_status status = trace_path(exercise, path, error);
    if (status == SIMSM_OK)
        status = infile_read(path, "trace", TRACE_LIMIT, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    status = outfile_open(&out, name, error);
    if (status == SIMSM_OK) {
        write_task(out.file, lesson, number, name);
        write_trace(out.file, exercise, text);
        status = outfile_commit(&out, error);
    }
    free(text);
    return status;
}

enum simsm_status exercise_of_file(const struct lesson *lesson, const char *path, uint32_t *number,
                                   struct simsm_error *error)
{
    char *text;
    size_t size;
    unsigned of = 0;
    *number = 0;
    enum simsm_status status = infile_read(path, "trace", TRACE_LIMIT, &text, &size, error);
    if (status != SIMSM_OK)
        return status;
    bool marked = sscanf(text, "# simsm learn %u --exercise %u", &of, number) == 2;
    free(text);
    if (!marked || of != lesson->number || *number < 1 || *number > lesson->exercises ||
        !lesson->exercise[*number - 1].check.count)
        return err_at(error, SIMSM_BAD_INPUT, path, 1, 0,
                      "expected the first line '# simsm learn %u --exercise K' of a file that "
                      "`simsm learn %u --exercise K` has written",
                      lesson->number, lesson->number);
    return SIMSM_OK;
}

static enum simsm_status load_config(const struct lesson_exercise *exercise,
                                     struct simsm_config *config, struct simsm_error *error)
{
    char root[LESSON_PATH], path[LESSON_PATH + 512];
    enum simsm_status status = lesson_root(root, error);
    if (status != SIMSM_OK)
        return status;
    (void)snprintf(path, sizeof path, "%s/configs/%s.yaml", root, exercise->config);
    status = simsm_config_load(config, path, error);
    for (uint32_t i = 0; status == SIMSM_OK && i < exercise->set.count; i++)
        status = simsm_config_set(config, exercise->set.entry[i], error);
    return status == SIMSM_OK ? simsm_config_check(config, error) : status;
}

/* Simulates a trace and fills the figures. `most`: a limit of cycles; 0: none. */
static enum simsm_status simulate(const struct simsm_config *config, const char *trace,
                                  const struct lesson_list *params, uint64_t most,
                                  struct figures *figures, struct simsm_error *error)
{
    const char *parameters[LESSON_LIST + 1] = {NULL};
    struct simsm_options options = {.parameters = parameters};
    struct simsm *simulation;
    for (uint32_t i = 0; params && i < params->count; i++)
        parameters[i] = params->entry[i];
    enum simsm_status status = simsm_open(&simulation, config, trace, &options, error);
    if (status != SIMSM_OK)
        return status;
    status = simsm_run(simulation, most ? most : UINT64_MAX, error);
    if (status == SIMSM_LIMIT)
        status = err_at(error, SIMSM_FAILED, trace, 0, 0,
                        "has not ended after %llu cycles, %d times as many as the exercise's trace",
                        (unsigned long long)most, MOST_TIMES);
    if (status == SIMSM_OK) {
        struct simsm_metric metrics[METRIC_COUNT];
        const struct simsm_stats *stats = simsm_stats(simulation);
        metrics_compute(config, stats, metrics);
        for (unsigned i = 0; i < SIMSM_COUNTER_COUNT; i++)
            figures->value[i] = (double)stats->counter[i];
        for (unsigned i = 0; i < METRIC_COUNT; i++)
            figures->value[SIMSM_COUNTER_COUNT + i] = metrics[i].value;
        figures->cycles = stats->cycles;
    }
    simsm_close(simulation);
    return status;
}

static enum simsm_status simulate_start(const struct lesson_exercise *exercise,
                                        struct simsm_config *config, struct figures *start,
                                        struct simsm_error *error)
{
    char path[LESSON_PATH + 512];
    enum simsm_status status = load_config(exercise, config, error);
    if (status == SIMSM_OK)
        status = trace_path(exercise, path, error);
    if (status == SIMSM_OK)
        status = simulate(config, path, &exercise->params, 0, start, error);
    return status;
}

static bool read_condition(const char *text, struct condition *condition)
{
    char first[32] = "", second[32] = "", *end = NULL;
    int words =
        sscanf(text, "%159s %3s %31s %31s", condition->figure, condition->relation, first, second);
    bool alone = strcmp(first, "start") == 0;
    condition->factor = alone ? 1 : strtod(first, &end);
    condition->of_start = alone || strcmp(second, "start") == 0;
    return words >= 3 && (alone || (end != first && !*end)) &&
           (words == 3 || (!alone && condition->of_start));
}

static bool holds(double value, const char *relation, double bound)
{
    const double room = 1e-9 * fabs(bound);
    if (strcmp(relation, "<=") == 0)
        return value <= bound + room;
    if (strcmp(relation, ">=") == 0)
        return value >= bound - room;
    return strcmp(relation, "=") == 0 && fabs(value - bound) <= room;
}

/* Checks a condition and prints one line. */
static enum simsm_status check_condition(const char *text, const struct figures *start,
                                         const struct figures *now, bool *good,
                                         struct simsm_error *error)
{
    struct condition condition;
    int index = read_condition(text, &condition) ? figure_index(condition.figure) : -1;
    if (index < 0)
        return err_set(error, SIMSM_BAD_INPUT,
                       "condition '%s' of the lesson: expected FIGURE <=|>=|= [FACTOR] [start]",
                       text);
    double value = now->value[index], before = start->value[index];
    double bound = condition.factor * (condition.of_start ? before : 1);
    *good = holds(value, condition.relation, bound);
    (void)printf(*good ? _("  good     %s is %.6g, wanted %s %.6g")
                       : _("  not yet  %s is %.6g, wanted %s %.6g"),
                 condition.figure, value, condition.relation, bound);
    if (condition.of_start)
        (void)printf(_(" (at the start %.6g)"), before);
    (void)printf("\n");
    return SIMSM_OK;
}

enum simsm_status exercise_check(const struct lesson_exercise *exercise, const char *path,
                                 bool *solved, struct simsm_error *error)
{
    struct simsm_config config;
    struct figures start, now;
    enum simsm_status status = simulate_start(exercise, &config, &start, error);
    if (status == SIMSM_OK)
        status = simulate(&config, path, NULL, start.cycles * MOST_TIMES + MOST_MORE, &now, error);
    *solved = status == SIMSM_OK;
    for (uint32_t i = 0; status == SIMSM_OK && i < exercise->check.count; i++) {
        bool good = false;
        status = check_condition(exercise->check.entry[i], &start, &now, &good, error);
        *solved = *solved && good;
    }
    return status;
}

enum simsm_status exercise_answer(const struct lesson_exercise *exercise, double number,
                                  bool *solved, struct simsm_error *error)
{
    double right = exercise->number;
    if (exercise->figure[0]) {
        struct simsm_config config;
        struct figures start;
        int index = figure_index(exercise->figure);
        if (index < 0)
            return err_set(error, SIMSM_BAD_INPUT, "the lesson asks for '%s', which is no figure",
                           exercise->figure);
        enum simsm_status status = simulate_start(exercise, &config, &start, error);
        if (status != SIMSM_OK)
            return status;
        right = start.value[index];
    }
    *solved = fabs(number - right) <= 0.01 * fabs(right);
    return SIMSM_OK;
}
