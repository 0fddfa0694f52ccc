/* Groups launches by kinds, and simulates them with and without costs. */
#include "sweep/experiments.h"

#include <stdlib.h>
#include <string.h>

#include "api/simsm_front.h"
#include "api/watched.h"
#include "base/err.h"
#include "config/schema.h"
#include "input/front_launches.h"
#include "input/front_open.h"
#include "sweep/texts.h"
#include "sweep/workers.h"

/* One simulation. */
struct experiment_job {
    uint32_t kind;
    const char *key; /* NULL: the launch as it is */
};

/* What a process answers. */
struct experiment_answer {
    enum simsm_status status;
    struct simsm_error error;
    uint64_t cycles;
    struct advice_roof roof;
    struct advice advice[ADVICE_COUNT];
    unsigned advices;
};

struct experiment_run {
    struct experiments *experiments;
    struct experiment_job *job; /* [jobs] */
    uint32_t jobs, next;
};

bool experiments_has_key(const char *key)
{
    return schema_find("what_if", NULL, key) >= 0;
}

static bool same_three(const uint32_t a[3], const uint32_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool same_kind(const struct experiment_kind *kind, const char *trace,
                      const struct simsm_launch *launch)
{
    const struct simsm_launch *known = &kind->launch;
    return strcmp(kind->trace, trace) == 0 && strcmp(known->name, launch->name) == 0 &&
           same_three(known->grid, launch->grid) && same_three(known->block, launch->block) &&
           same_three(known->cluster, launch->cluster) && known->registers == launch->registers &&
           known->shared_static == launch->shared_static &&
           known->shared_dynamic == launch->shared_dynamic && known->carveout == launch->carveout;
}

static enum simsm_status add_launch(struct experiments *experiments, const char *trace,
                                    uint32_t number, const struct simsm_launch *launch,
                                    struct simsm_error *error)
{
    for (uint32_t i = 0; i < experiments->kinds; i++) {
        if (!same_kind(&experiments->kind[i], trace, launch))
            continue;
        experiments->kind[i].count++;
        return SIMSM_OK;
    }
    if (experiments->kinds == experiments->room) {
        const uint32_t room = experiments->room ? 2 * experiments->room : 16;
        struct experiment_kind *grown = realloc(experiments->kind, room * sizeof *grown);
        if (!grown)
            return err_no_memory(error);
        experiments->kind = grown;
        experiments->room = room;
    }
    struct experiment_kind *kind = &experiments->kind[experiments->kinds++];
    memset(kind, 0, sizeof *kind);
    kind->trace = trace;
    kind->number = number;
    kind->count = 1;
    kind->launch = *launch;
    return SIMSM_OK;
}

/* Adds the only launch of a file without launch numbers, such as a text trace. */
static enum simsm_status add_only(struct experiments *experiments, const char *trace,
                                  struct simsm_error *error)
{
    struct front *front;
    enum simsm_status status =
        front_open(&front, trace, experiments->config, experiments->params, error);
    if (status != SIMSM_OK)
        return status;
    status = add_launch(experiments, trace, 0, &front->launch, error);
    front_close(front);
    return status;
}

/* Returns whether the parameters choose a launch. */
static bool chooses_launch(const char *const *params)
{
    for (; params && *params; params++)
        if (strncmp(*params, "launch=", strlen("launch=")) == 0)
            return true;
    return false;
}

static bool is_chosen(const struct experiments *experiments, uint32_t number,
                      const struct simsm_launch *launch)
{
    return !experiments->choice || launch_choice_takes(experiments->choice, number, launch->name);
}

enum simsm_status experiments_add(struct experiments *experiments, const char *trace,
                                  struct simsm_error *error)
{
    struct front_launches launches;
    enum simsm_status status = front_launches_read(&launches, trace, error);
    if (status != SIMSM_OK)
        return status;
    if (!launches.count || chooses_launch(experiments->params))
        status = add_only(experiments, trace, error);
    else
        for (uint32_t i = 0; i < launches.count && status == SIMSM_OK; i++)
            if (is_chosen(experiments, i + 1, &launches.launch[i]))
                status = add_launch(experiments, trace, i + 1, &launches.launch[i], error);
    front_launches_free(&launches);
    return status;
}

static bool go_on(void *context, struct simsm *simulation)
{
    (void)context;
    (void)simulation;
    return !workers_stopped();
}

static void take_stats(const struct simsm_config *config, const struct simsm_stats *stats,
                       struct experiment_answer *answer)
{
    struct simsm_metric metrics[METRIC_COUNT];
    metrics_compute(config, stats, metrics);
    answer->cycles = stats->cycles;
    answer->roof = advice_roof(config, stats, metrics);
    answer->advices = advice_find(config, stats, metrics, answer->advice);
}

/* Returns a list of `first` (NULL: none) and the parameters, which the caller frees; NULL if memory
 * is short. */
static const char **list_params(const char *first, const char *const *params)
{
    size_t count = 0, put = 0;
    while (params && params[count])
        count++;
    const char **list = calloc(count + 2, sizeof *list);
    if (list && first)
        list[put++] = first;
    if (list && count)
        memcpy(list + put, params, count * sizeof *list);
    return list;
}

static enum simsm_status simulate(const struct simsm_config *config,
                                  const struct experiment_kind *kind, const char *const *list,
                                  struct experiment_answer *answer)
{
    struct simsm *simulation;
    const struct simsm_options options = {.parameters = list};
    const struct simsm_watch watch = {go_on, NULL};
    enum simsm_status status =
        simsm_open(&simulation, config, kind->trace, &options, &answer->error);
    if (status != SIMSM_OK)
        return status;
    front_stop_when(simsm_front(simulation), workers_stopped);
    status = simsm_run_watched(simulation, UINT64_MAX, &watch, &answer->error);
    if (status == SIMSM_OK)
        take_stats(config, simsm_stats(simulation), answer);
    simsm_close(simulation);
    return status;
}

static void work(void *context, uint32_t number, void *to)
{
    const struct experiment_run *run = context;
    const struct experiments *experiments = run->experiments;
    const struct experiment_job *job = &run->job[number];
    struct experiment_answer *answer = to;
    struct simsm_config config = *experiments->config;
    char *assignment = job->key ? text_format("what_if.%s=true", job->key) : NULL;
    answer->status = SIMSM_OK;
    if (assignment)
        answer->status = simsm_config_set(&config, assignment, &answer->error);
    else if (job->key)
        answer->status = err_no_memory(&answer->error);
    free(assignment);
    const struct experiment_kind *kind = &experiments->kind[job->kind];
    char launch[32];
    (void)snprintf(launch, sizeof launch, "launch=%u", kind->number);
    const char **list = list_params(kind->number ? launch : NULL, experiments->params);
    if (answer->status == SIMSM_OK)
        answer->status =
            list ? simulate(&config, kind, list, answer) : err_no_memory(&answer->error);
    free(list);
}

static bool next_job(void *context, uint32_t *number)
{
    struct experiment_run *run = context;
    *number = run->next;
    return run->next++ < run->jobs;
}

/* Puts the answer of the launch as it is into its kind. */
static void take_plain(struct experiment_kind *kind, const struct experiment_answer *answer)
{
    kind->cycles = answer->cycles;
    kind->roof = answer->roof;
    kind->advices = answer->advices;
    memcpy(kind->advice, answer->advice, sizeof kind->advice);
}

/* Returns what the advice that `key` prices is estimated to cost, added up. */
static double estimated(const struct experiment_kind *kind, const char *key)
{
    double sum = 0;
    for (unsigned i = 0; i < kind->advices; i++)
        if (strcmp(advice_rows[kind->advice[i].id].experiment, key) == 0)
            sum += kind->advice[i].share;
    return sum;
}

/* Prices the advice of an experiment. Advice that shares the experiment shares its price in the
 * proportion of the estimates. */
static void take_price(struct experiment_kind *kind, const char *key, uint64_t cycles)
{
    const double all = estimated(kind, key);
    const double gained = 1 - (double)cycles / (double)kind->cycles;
    for (unsigned i = 0; i < kind->advices; i++) {
        struct advice *advice = &kind->advice[i];
        if (advice->measured || strcmp(advice_rows[advice->id].experiment, key) != 0)
            continue;
        advice->share = all > 0 && gained > 0 ? gained * advice->share / all : 0;
        advice->measured = true;
    }
}

/* Keeps the first failure of a kind. */
static void take_failure(struct experiment_kind *kind, const struct experiment_answer *answer,
                         const char *reason)
{
    if (kind->status != SIMSM_OK)
        return;
    if (answer)
        kind->error = answer->error;
    kind->status = answer
                       ? answer->status
                       : err_set(&kind->error, SIMSM_FAILED, "%s: %s", kind->launch.name, reason);
}

static void ended(void *context, uint32_t number, const void *from, const char *reason,
                  double seconds)
{
    struct experiment_run *run = context;
    struct experiments *experiments = run->experiments;
    const struct experiment_job *job = &run->job[number];
    struct experiment_kind *kind = &experiments->kind[job->kind];
    const struct experiment_answer *answer = from;
    (void)seconds;
    experiments->ended++;
    if (experiments->progress)
        experiments->progress(experiments);
    if (!answer || answer->status != SIMSM_OK) {
        take_failure(kind, answer, reason);
    } else if (!job->key) {
        take_plain(kind, answer);
    } else {
        take_price(kind, job->key, answer->cycles);
        kind->only_cycles = experiments->only ? answer->cycles : 0;
    }
}

static enum simsm_status run_jobs(struct experiment_run *run, struct simsm_error *error)
{
    const struct experiments *experiments = run->experiments;
    const struct workers workers = {.jobs = experiments->jobs,
                                    .answer_size = sizeof(struct experiment_answer),
                                    .context = run,
                                    .next = next_job,
                                    .work = work,
                                    .ended = ended,
                                    .stop = experiments->stop};
    enum simsm_status status = workers_run(&workers, error);
    for (uint32_t i = 0; i < experiments->kinds && status == SIMSM_OK; i++) {
        status = experiments->kind[i].status;
        if (status != SIMSM_OK)
            *error = experiments->kind[i].error;
    }
    return status;
}

static uint64_t time_of(const struct experiment_kind *kind)
{
    return kind->cycles * kind->count;
}

static int by_time(const void *a, const void *b)
{
    const struct experiment_kind *x = a, *y = b;
    if (time_of(x) != time_of(y))
        return time_of(x) > time_of(y) ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

enum simsm_status experiments_run_plain(struct experiments *experiments, struct simsm_error *error)
{
    struct experiment_run run = {.experiments = experiments,
                                 .job = calloc(experiments->kinds + 1, sizeof *run.job)};
    if (!run.job)
        return err_no_memory(error);
    for (uint32_t i = 0; i < experiments->kinds; i++)
        run.job[run.jobs++].kind = i;
    enum simsm_status status = run_jobs(&run, error);
    free(run.job);
    if (status == SIMSM_OK && experiments->kinds)
        qsort(experiments->kind, experiments->kinds, sizeof *experiments->kind, by_time);
    return status;
}

/* Adds the experiments of a kind, each once. */
static void add_jobs(struct experiment_run *run, uint32_t number)
{
    const struct experiments *experiments = run->experiments;
    const struct experiment_kind *kind = &experiments->kind[number];
    const uint32_t first = run->jobs;
    if (experiments->only) {
        run->job[run->jobs++] = (struct experiment_job){number, experiments->only};
        return;
    }
    for (unsigned i = 0; i < kind->advices; i++) {
        const char *key = advice_rows[kind->advice[i].id].experiment;
        bool known = !*key;
        for (uint32_t j = first; j < run->jobs && !known; j++)
            known = strcmp(run->job[j].key, key) == 0;
        if (!known)
            run->job[run->jobs++] = (struct experiment_job){number, key};
    }
}

enum simsm_status experiments_run(struct experiments *experiments, uint32_t kinds,
                                  struct simsm_error *error)
{
    struct experiment_run run = {.experiments = experiments,
                                 .job = calloc((size_t)kinds * ADVICE_COUNT + 1, sizeof *run.job)};
    if (!run.job)
        return err_no_memory(error);
    for (uint32_t i = 0; i < kinds; i++)
        add_jobs(&run, i);
    enum simsm_status status = run_jobs(&run, error);
    free(run.job);
    for (uint32_t i = 0; i < kinds; i++)
        advice_rank(experiments->kind[i].advice, experiments->kind[i].advices);
    return status;
}

void experiments_free(struct experiments *experiments)
{
    free(experiments->kind);
    experiments->kind = NULL;
    experiments->kinds = experiments->room = 0;
}
