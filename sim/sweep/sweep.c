#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "sweep/crew.h"
#include "sweep/outcome.h"
#include "sweep/plan.h"

enum { REASON = 1400 };

static const double keep_every = 0.2; /* seconds */

/* A point whose process has ended, until it is in the results. */
struct ended {
    uint32_t point; /* of the plan */
    double seconds;
    struct outcome outcome;
    char reason[REASON]; /* "": it is done */
};

struct sweep {
    const struct sweep_request *request;
    struct plan plan;
    struct store *store;
    struct sweep_progress progress;
    uint32_t next;       /* point of the plan, or stream, to look at next */
    struct ended *ended; /* [ended_count] not yet in the results */
    uint32_t ended_count, ended_room;
    uint32_t jobs, to_run;
    double kept;    /* when the results were written last */
    double begun;   /* seconds */
    double working; /* real time of all points that have ended since then */
    bool lost;      /* memory has run out for what has ended */
};

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What is left, if the other points take as long as those that have ended did. */
static void estimate(struct sweep *sweep)
{
    struct sweep_progress *p = &sweep->progress;
    const uint32_t over = p->done + p->failed;
    p->elapsed = seconds_now() - sweep->begun;
    p->left = over ? sweep->working / over * (sweep->to_run - over) / sweep->jobs : NAN;
}

static void show(struct sweep *sweep)
{
    if (!sweep->request->progress)
        return;
    estimate(sweep);
    sweep->request->progress(sweep->request->context, &sweep->progress);
}

/* ---- Recordings ---- */

struct recorded {
    enum simsm_status status;
    struct simsm_error error;
};

static bool next_stream(void *context, uint32_t *job)
{
    struct sweep *sweep = context;
    struct streams *streams = &sweep->plan.streams;
    while (sweep->next < streams->count && streams_ready(&streams->stream[sweep->next]))
        sweep->next++;
    *job = sweep->next;
    return sweep->next++ < streams->count;
}

static void work_stream(void *context, uint32_t job, void *answer)
{
    const struct sweep *sweep = context;
    struct recorded *recorded = answer;
    const struct streams *streams = &sweep->plan.streams;
    recorded->status =
        streams_record(streams, &streams->stream[job], crew_stopped, &recorded->error);
}

static void ended_stream(void *context, uint32_t job, const void *answer, const char *reason,
                         double seconds)
{
    struct sweep *sweep = context;
    struct stream *stream = &sweep->plan.streams.stream[job];
    const struct recorded *recorded = answer;
    (void)seconds;
    sweep->progress.made++;
    if (recorded && recorded->status == SIMSM_OK && streams_ready(stream))
        return;
    char text[1200] = "the recording holds no launch";
    if (!recorded)
        (void)snprintf(text, sizeof text, "%s", reason);
    else if (recorded->status != SIMSM_OK)
        (void)simsm_error_text(&recorded->error, text, sizeof text);
    (void)snprintf(stream->problem, sizeof stream->problem, "recording it failed: %.450s", text);
}

static enum simsm_status pause_stream(void *context, struct simsm_error *error)
{
    (void)error;
    show(context);
    return SIMSM_OK;
}

static enum simsm_status record_all(struct sweep *sweep, struct simsm_error *error)
{
    const struct crew crew = {.jobs = sweep->jobs,
                              .seconds = (double)sweep->plan.spec.seconds,
                              .memory = sweep->plan.spec.memory,
                              .answer_size = sizeof(struct recorded),
                              .context = sweep,
                              .next = next_stream,
                              .work = work_stream,
                              .ended = ended_stream,
                              .pause = pause_stream,
                              .stop = sweep->request->stop};
    for (uint32_t i = 0; i < sweep->plan.streams.count; i++)
        sweep->progress.recordings += !streams_ready(&sweep->plan.streams.stream[i]);
    sweep->next = 0;
    return sweep->progress.recordings ? crew_run(&crew, error) : SIMSM_OK;
}

/* ---- Points ---- */

static bool is_to_run(const struct sweep *sweep, const struct plan_point *point)
{
    return !point->again && (point->state == STORE_WAITING ||
                             (point->state == STORE_FAILED && sweep->request->retry));
}

static bool next_point(void *context, uint32_t *job)
{
    struct sweep *sweep = context;
    const struct plan *plan = &sweep->plan;
    while (sweep->next < plan->points && !is_to_run(sweep, &plan->point[sweep->next]))
        sweep->next++;
    *job = sweep->next;
    return sweep->next++ < plan->points;
}

static void work_point(void *context, uint32_t job, void *answer)
{
    const struct sweep *sweep = context;
    const struct plan *plan = &sweep->plan;
    const struct plan_point *point = &plan->point[job];
    const uint32_t stream = plan->wanted[point->place].stream;
    struct outcome *outcome = answer;
    struct space_case this_case;
    struct simsm_config config;
    struct texts params = {0};
    char launch[32];
    outcome->status =
        plan_configure(plan, point->place, &this_case, &config, &params, &outcome->error);
    if (stream != PLAN_NO_STREAM)
        texts_free(&params); /* they are in the recording */
    (void)snprintf(launch, sizeof launch, "launch=%u", point->launch);
    if (outcome->status == SIMSM_OK && point->launch && !texts_add(&params, launch, 0, 0))
        outcome->status = err_no_memory(&outcome->error);
    const struct outcome_run run = {
        .config = &config,
        .trace =
            stream == PLAN_NO_STREAM ? this_case.kernel->path : plan->streams.stream[stream].path,
        .params = &params,
        .max_cycles = plan->spec.max_cycles ? plan->spec.max_cycles : UINT64_MAX,
        .stop = crew_stopped};
    if (outcome->status == SIMSM_OK)
        outcome_simulate(&run, outcome);
    texts_free(&params);
}

static void explain(const struct sweep *sweep, const struct outcome *outcome, char reason[REASON])
{
    if (outcome->status == SIMSM_LIMIT && strstr(outcome->error.message, "--max-cycles"))
        (void)snprintf(reason, REASON, "stopped after %llu cycles, its limit (max_cycles)",
                       (unsigned long long)sweep->plan.spec.max_cycles);
    else if (outcome->status != SIMSM_OK)
        (void)simsm_error_text(&outcome->error, reason, REASON);
}

static void ended_point(void *context, uint32_t job, const void *answer, const char *reason,
                        double seconds)
{
    struct sweep *sweep = context;
    const struct outcome *outcome = answer;
    const bool stopped = sweep->request->stop && sweep->request->stop();
    if (stopped && (!outcome || outcome->status == SIMSM_INTERRUPTED))
        return; /* it waits for the next time */
    if (sweep->ended_count == sweep->ended_room) {
        const uint32_t room = sweep->ended_room ? sweep->ended_room * 2 : 8;
        struct ended *grown = realloc(sweep->ended, room * sizeof *grown);
        sweep->lost |= !grown;
        if (!grown)
            return;
        sweep->ended = grown;
        sweep->ended_room = room;
    }
    struct ended *ended = &sweep->ended[sweep->ended_count++];
    *ended = (struct ended){.point = job, .seconds = seconds};
    sweep->working += seconds;
    if (outcome) {
        ended->outcome = *outcome;
        explain(sweep, outcome, ended->reason);
    } else {
        ended->outcome.wall_seconds = seconds;
        (void)snprintf(ended->reason, sizeof ended->reason, "%s", reason);
    }
}

/* "key=value key=value" of what is varied, to be freed. */
static char *settings_of(const struct space_case *this_case)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    for (uint32_t a = 0; file && a < this_case->axes; a++)
        (void)fprintf(file, "%s%s=%s", a ? " " : "", this_case->axis[a]->name,
                      this_case->axis[a]->values.item[this_case->value[a]].text);
    if (!file || fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void tell(struct sweep *sweep, const struct ended *ended)
{
    const struct plan_point *point = &sweep->plan.point[ended->point];
    struct space_case this_case;
    if (!sweep->request->ended)
        return;
    space_at(&sweep->plan.spec, sweep->plan.wanted[point->place].number, &this_case);
    char *settings = settings_of(&this_case);
    const struct sweep_ended told = {
        .id = point->id,
        .config = sweep->plan.spec.configs.item[this_case.config].text,
        .kernel = this_case.kernel->name,
        .reason = ended->reason[0] ? ended->reason : NULL,
        .settings = settings ? settings : "",
        .launch = point->launch,
        .seconds = ended->seconds,
    };
    sweep->request->ended(sweep->request->context, &told, &sweep->progress);
    free(settings);
}

/* Brings into the results what has ended, in one transaction. */
static enum simsm_status keep(struct sweep *sweep, struct simsm_error *error)
{
    if (sweep->lost)
        return err_no_memory(error);
    if (!sweep->ended_count)
        return SIMSM_OK;
    enum simsm_status status = store_begin(sweep->store, error);
    for (uint32_t i = 0; i < sweep->ended_count && status == SIMSM_OK; i++) {
        const struct ended *ended = &sweep->ended[i];
        status = store_outcome(sweep->store, sweep->plan.point[ended->point].id, &ended->outcome,
                               ended->reason[0] ? ended->reason : NULL, error);
    }
    if (status == SIMSM_OK)
        status = store_commit(sweep->store, error);
    if (status != SIMSM_OK)
        return status;
    for (uint32_t i = 0; i < sweep->ended_count; i++) {
        const struct ended *ended = &sweep->ended[i];
        const bool failed = ended->reason[0] != '\0';
        sweep->plan.point[ended->point].state = failed ? STORE_FAILED : STORE_DONE;
        sweep->progress.done += !failed;
        sweep->progress.failed += failed;
        estimate(sweep);
        tell(sweep, ended);
    }
    sweep->ended_count = 0;
    sweep->kept = seconds_now();
    return SIMSM_OK;
}

/* A transaction waits for the disk: many points that are short share one. */
static enum simsm_status pause_point(void *context, struct simsm_error *error)
{
    struct sweep *sweep = context;
    const bool due = seconds_now() - sweep->kept >= keep_every;
    enum simsm_status status = due || sweep->lost ? keep(sweep, error) : SIMSM_OK;
    show(sweep);
    return status;
}

static enum simsm_status run_all(struct sweep *sweep, struct simsm_error *error)
{
    const struct plan *plan = &sweep->plan;
    const struct crew crew = {.jobs = sweep->jobs,
                              .seconds = (double)plan->spec.seconds,
                              .memory = plan->spec.memory,
                              .answer_size = sizeof(struct outcome),
                              .context = sweep,
                              .next = next_point,
                              .work = work_point,
                              .ended = ended_point,
                              .pause = pause_point,
                              .stop = sweep->request->stop};
    for (uint32_t i = 0; i < plan->points; i++) {
        const struct plan_point *point = &plan->point[i];
        sweep->progress.points += !point->again;
        sweep->to_run += is_to_run(sweep, point);
    }
    sweep->progress.before = sweep->progress.points - sweep->to_run;
    sweep->next = 0;
    sweep->begun = seconds_now();
    enum simsm_status status = sweep->to_run ? crew_run(&crew, error) : SIMSM_OK;
    struct simsm_error second;
    enum simsm_status kept = keep(sweep, status == SIMSM_OK ? error : &second);
    return status == SIMSM_OK ? kept : status;
}

static void summarize(const struct sweep *sweep, struct sweep_summary *summary)
{
    *summary = (struct sweep_summary){.progress = sweep->progress};
    for (uint32_t i = 0; i < sweep->plan.points; i++) {
        const struct plan_point *point = &sweep->plan.point[i];
        summary->done += !point->again && point->state == STORE_DONE;
        summary->failed += !point->again && point->state == STORE_FAILED;
        summary->waiting += !point->again && point->state == STORE_WAITING;
    }
    (void)snprintf(summary->results, sizeof summary->results, "%s",
                   sweep->plan.spec.results ? sweep->plan.spec.results : "");
}

enum simsm_status sweep_spec(const struct sweep_request *request, struct sweep_summary *summary,
                             struct simsm_error *error)
{
    struct sweep sweep = {.request = request,
                          .jobs = request->jobs ? request->jobs : crew_processors()};
    enum simsm_status status =
        plan_read(&sweep.plan, request->spec, request->results, request->simsm, error);
    if (status == SIMSM_OK)
        status = store_open(&sweep.store, sweep.plan.spec.results, error);
    if (status == SIMSM_OK)
        status = record_all(&sweep, error);
    if (status == SIMSM_OK)
        status = plan_points(&sweep.plan, sweep.store, error);
    if (status == SIMSM_OK)
        status = run_all(&sweep, error);
    summarize(&sweep, summary);
    store_close(sweep.store);
    free(sweep.ended);
    plan_free(&sweep.plan);
    return status;
}
