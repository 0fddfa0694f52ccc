#include "calibrate/closure.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "calibrate/simulate.h"

enum { MOST_JOBS = 256 };

const char *const closure_verdict_names[CLOSURE_VERDICTS] = {
    "ok", "info", "known", "worse than known", "needlessly known", "off", "failed"};

bool closure_is_good(enum closure_verdict verdict)
{
    return verdict == CLOSURE_WITHIN || verdict == CLOSURE_INFO || verdict == CLOSURE_KNOWN;
}

void closure_tolerance(enum point_kind kind, double *share, double *absolute)
{
    static const struct {
        double share, absolute;
    } tolerances[POINT_KINDS] = {
        [POINT_LATENCY] = {0.02, 1.0}, [POINT_THROUGHPUT] = {0.03, 0.0},
        [POINT_LOADED] = {0.05, 0.0},  [POINT_ORDER] = {0.0, 0.0},
        [POINT_SIZE] = {0.0, 0.0},     [POINT_INFO] = {INFINITY, INFINITY},
    };
    *share = tolerances[kind].share;
    *absolute = tolerances[kind].absolute;
}

/* Returns the relative distance of the simulated value from the known value. If published
 * sources differ, the known value is a range, and the distance is that to its nearer end. */
static double distance(const struct closure_row *row)
{
    const struct fact *fact = row->fact;
    const bool published = fact->source[0] != '\0';
    const double low = published ? fmin(fact->min, fact->value) : fact->value;
    const double high = published ? fmax(fact->max, fact->value) : fact->value;
    return fmax(0.0, fmax(low - row->simulated, row->simulated - high));
}

/* Returns whether the value is within the tolerance of its kind. Recorded values have nine
 * digits, so rounding does not count as a difference. */
static bool is_within(const struct closure_row *row)
{
    const struct fact *fact = row->fact;
    double share, absolute;
    if (fact->list || row->list)
        return fact->list && row->list && strcmp(fact->list, row->list) == 0;
    closure_tolerance(row->kind, &share, &absolute);
    const double size = fabs(fact->value);
    return distance(row) <= absolute + 1e-8 * size || distance(row) <= (share + 1e-8) * size;
}

static enum closure_verdict judge(const struct closure_row *row, const struct known_miss *miss,
                                  bool failed)
{
    if (row->kind == POINT_INFO)
        return CLOSURE_INFO;
    if (!failed && is_within(row))
        return miss ? CLOSURE_NEEDLESS : CLOSURE_WITHIN;
    if (!miss)
        return failed ? CLOSURE_FAILED : CLOSURE_OFF;
    return known_is_worse(miss, row->error) ? CLOSURE_WORSE : CLOSURE_KNOWN;
}

/* Data that all threads share. */
struct closure_crew {
    const struct closure_task *task;
    struct closure *closure;
    pthread_mutex_t lock;
    uint32_t next, done;
    bool stopped;
};

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static enum simsm_status run_point(const struct closure_crew *crew, struct closure_row *row,
                                   struct point *point, struct simsm_error *error)
{
    char cubin[PLAN_PATH];
    struct measured *measured = calloc(1, sizeof *measured);
    if (!measured)
        return err_no_memory(error);
    tables_cubin(crew->task->tables, row->table, crew->task->config->gpu_compute_capability, cubin);
    enum simsm_status status = table_point(row->table, row->index, point, error);
    row->kind = point->kind;
    if (status == SIMSM_OK)
        status = simulate(point, cubin, crew->task->config, crew->task->stop, measured, error);
    point_free(point);
    row->simulated = measured->value;
    if (status == SIMSM_OK && measured->text[0] && !(row->list = strdup(measured->text)))
        status = err_no_memory(error);
    free(measured);
    return status;
}

/* Simulates the point of one row. Returns whether the run was stopped. */
static bool run_row(const struct closure_crew *crew, struct closure_row *row, struct point *point)
{
    struct simsm_error error;
    const struct fact *fact = row->fact;
    const double begin = seconds_now();
    const enum simsm_status status = run_point(crew, row, point, &error);
    const bool number = status == SIMSM_OK && !row->list && !fact->list && fact->value != 0.0;
    row->seconds = seconds_now() - begin;
    row->error = number ? row->simulated / fact->value - 1.0 : NAN;
    if (status != SIMSM_OK)
        (void)simsm_error_text(&error, row->note, sizeof row->note);
    const struct known_miss *miss = known_find(crew->task->known, row->table->name, row->name);
    row->verdict = judge(row, miss, status != SIMSM_OK);
    if (miss && !row->note[0] && row->verdict != CLOSURE_NEEDLESS)
        (void)snprintf(row->note, sizeof row->note, "%s", miss->reason);
    return status == SIMSM_INTERRUPTED;
}

static void *work(void *context)
{
    struct closure_crew *crew = context;
    struct point *point = malloc(sizeof *point);
    while (point) {
        (void)pthread_mutex_lock(&crew->lock);
        uint32_t index = crew->next++;
        bool stopped = crew->stopped;
        (void)pthread_mutex_unlock(&crew->lock);
        if (stopped || index >= crew->closure->rows)
            break;
        stopped = run_row(crew, &crew->closure->row[index], point);
        (void)pthread_mutex_lock(&crew->lock);
        crew->stopped |= stopped;
        crew->done++;
        if (crew->task->told)
            crew->task->told(crew->closure, crew->done);
        (void)pthread_mutex_unlock(&crew->lock);
    }
    free(point);
    return NULL;
}

static void run_all(struct closure_crew *crew)
{
    pthread_t thread[MOST_JOBS];
    uint32_t started = 0;
    while (started + 1 < crew->task->jobs && started < MOST_JOBS &&
           pthread_create(&thread[started], NULL, work, crew) == 0)
        started++;
    (void)work(
        crew); /* this thread works too; if no other thread could be started, it works alone */
    while (started)
        (void)pthread_join(thread[--started], NULL);
}

/* Makes rows for the chosen points that have a known value. */
static enum simsm_status find_rows(struct closure *closure, const struct closure_task *task,
                                   struct simsm_error *error)
{
    uint32_t points = 0;
    for (uint32_t i = 0; i < task->tables->count; i++)
        points += task->tables->table[i].points;
    closure->row = calloc(points + 1u, sizeof *closure->row);
    if (!closure->row)
        return err_no_memory(error);
    for (uint32_t i = 0; i < task->tables->count; i++) {
        const struct table *table = &task->tables->table[i];
        for (uint32_t k = 0; k < table->points; k++) {
            const char *name = table->point[k].name;
            const struct fact *fact = facts_find(task->facts, table->name, name);
            if (!tables_chosen(task->tables, table, k))
                continue;
            const bool slow = fact && task->quick && table->point[k].slow;
            closure->unknown += !fact;
            closure->slow += slow;
            if (fact && !slow)
                closure->row[closure->rows++] = (struct closure_row){
                    .table = table, .index = k, .name = name, .fact = fact, .error = NAN};
        }
    }
    return SIMSM_OK;
}

enum simsm_status closure_run(struct closure *closure, const struct closure_task *task,
                              struct simsm_error *error)
{
    struct closure_crew crew = {.task = task, .closure = closure};
    *closure = (struct closure){.rows = 0};
    enum simsm_status status = find_rows(closure, task, error);
    if (status != SIMSM_OK)
        return status;
    if (pthread_mutex_init(&crew.lock, NULL) != 0)
        return err_no_memory(error);
    run_all(&crew);
    (void)pthread_mutex_destroy(&crew.lock);
    if (crew.stopped)
        return err_set(error, SIMSM_INTERRUPTED, "after %u of %u points", crew.done, closure->rows);
    return crew.done == closure->rows ? SIMSM_OK : err_no_memory(error);
}

void closure_free(struct closure *closure)
{
    for (uint32_t i = 0; i < closure->rows; i++)
        free(closure->row[i].list);
    free(closure->row);
    *closure = (struct closure){.rows = 0};
}
