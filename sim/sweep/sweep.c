/* Runs a sweep on this machine: makes recordings, simulates points and stores their results. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/err.h"
#include "sweep/sweep_inner.h"
#include "sweep/sweep_outcome.h"
#include "sweep/workers.h"

static const double keep_every = 0.2; /* seconds between two transactions */

double sweep_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Estimates the remaining time: the other points take as long as those that have ended. */
static void estimate(struct sweep_state *sweep)
{
    struct sweep_progress *p = &sweep->progress;
    const uint32_t over = p->done + p->failed;
    p->elapsed = sweep_now() - sweep->begun;
    p->left = NAN;
    if (over && sweep->request->where == SWEEP_SLURM)
        p->left = p->elapsed / over * (sweep->to_run - over);
    else if (over)
        p->left = sweep->working / over * (sweep->to_run - over) / sweep->jobs;
}

void sweep_show_progress(struct sweep_state *sweep)
{
    if (!sweep->request->progress)
        return;
    estimate(sweep);
    sweep->request->progress(sweep->request->context, &sweep->progress);
}

/* ---- Recordings ---- */

struct recording_answer {
    enum simsm_status status;
    struct simsm_error error;
};

/* Returns whether to make a recording: it does not exist, and no earlier sweep failed to make it,
 * or --retry was given. */
static bool is_to_record(const struct sweep_state *sweep, struct sweep_recording *recording)
{
    return !recordings_ready(recording) && (sweep->request->retry || !recordings_failed(recording));
}

static bool next_recording(void *context, uint32_t *job)
{
    struct sweep_state *sweep = context;
    struct sweep_recordings *recordings = &sweep->plan.recordings;
    while (sweep->next < recordings->count &&
           !is_to_record(sweep, &recordings->recording[sweep->next]))
        sweep->next++;
    *job = sweep->next;
    return sweep->next++ < recordings->count;
}

static void work_recording(void *context, uint32_t job, void *answer)
{
    const struct sweep_state *sweep = context;
    struct recording_answer *recorded = answer;
    const struct sweep_recordings *recordings = &sweep->plan.recordings;
    recorded->status = recordings_record(recordings, &recordings->recording[job], workers_stopped,
                                         &recorded->error);
}

static void recording_ended(void *context, uint32_t job, const void *answer, const char *reason,
                            double seconds)
{
    struct sweep_state *sweep = context;
    struct sweep_recording *recording = &sweep->plan.recordings.recording[job];
    const struct recording_answer *recorded = answer;
    (void)seconds;
    sweep->progress.made++;
    recording->tried = true;
    recording->problem[0] = '\0';
    if (recorded && recorded->status == SIMSM_OK && recordings_ready(recording)) {
        recordings_store_problem(recording);
        return;
    }
    if ((recorded && recorded->status == SIMSM_INTERRUPTED) ||
        (sweep->request->stop && sweep->request->stop()))
        return; /* stopped by the user: the next sweep records it */
    char text[1200] = "the recording holds no launch";
    if (!recorded)
        (void)snprintf(text, sizeof text, "%s", reason);
    else if (recorded->status != SIMSM_OK)
        (void)simsm_error_text(&recorded->error, text, sizeof text);
    (void)snprintf(recording->problem, sizeof recording->problem, "recording it failed: %.450s",
                   text);
    recordings_store_problem(recording);
}

static enum simsm_status pause_recording(void *context, struct simsm_error *error)
{
    (void)error;
    sweep_show_progress(context);
    return SIMSM_OK;
}

static enum simsm_status record_all(struct sweep_state *sweep, struct simsm_error *error)
{
    const struct workers workers = {.jobs = sweep->jobs,
                                    .seconds = (double)sweep->plan.spec.seconds,
                                    .memory = sweep->plan.spec.memory,
                                    .answer_size = sizeof(struct recording_answer),
                                    .context = sweep,
                                    .next = next_recording,
                                    .work = work_recording,
                                    .ended = recording_ended,
                                    .pause = pause_recording,
                                    .stop = sweep->request->stop};
    for (uint32_t i = 0; i < sweep->plan.recordings.count; i++)
        sweep->progress.recordings += is_to_record(sweep, &sweep->plan.recordings.recording[i]);
    sweep->next = 0;
    return sweep->progress.recordings ? workers_run(&workers, error) : SIMSM_OK;
}

/* ---- Points ---- */

bool sweep_is_to_run(const struct sweep_state *sweep, const struct plan_point *point)
{
    return !point->again && !point->hopeless &&
           (point->state == STORE_WAITING ||
            (point->state == STORE_FAILED && sweep->request->retry));
}

static bool next_point(void *context, uint32_t *job)
{
    struct sweep_state *sweep = context;
    const struct plan *plan = &sweep->plan;
    while (sweep->next < plan->points && !sweep_is_to_run(sweep, &plan->point[sweep->next]))
        sweep->next++;
    *job = sweep->next;
    return sweep->next++ < plan->points;
}

static void work_point(void *context, uint32_t job, void *answer)
{
    const struct sweep_state *sweep = context;
    const struct plan *plan = &sweep->plan;
    SIMSM_CHECK(job < plan->points && plan->point[job].place < plan->cases,
                "point %u of %u, of %u cases", job, plan->points, plan->cases);
    const struct plan_point *point = &plan->point[job];
    const uint32_t recording = plan->wanted[point->place].recording;
    SIMSM_CHECK(recording == PLAN_NO_RECORDING || recording < plan->recordings.count,
                "recording %u of %u", recording, plan->recordings.count);
    struct sweep_outcome *outcome = answer;
    struct space_case this_case;
    struct simsm_config config;
    struct texts params = {0};
    char launch[32];
    outcome->status =
        plan_configure(plan, point->place, &this_case, &config, &params, &outcome->error);
    if (recording != PLAN_NO_RECORDING)
        texts_free(&params); /* the recording contains them */
    (void)snprintf(launch, sizeof launch, "launch=%u", point->launch);
    if (outcome->status == SIMSM_OK && point->launch && !texts_add(&params, launch, 0, 0))
        outcome->status = err_no_memory(&outcome->error);
    const struct outcome_run run = {
        .config = &config,
        .trace = recording == PLAN_NO_RECORDING ? this_case.kernel->path
                                                : plan->recordings.recording[recording].path,
        .params = &params,
        .max_cycles = plan->spec.max_cycles ? plan->spec.max_cycles : UINT64_MAX,
        .threads = (uint32_t)plan->spec.threads,
        .sample = this_case.kernel->sample,
        .stop = workers_stopped};
    if (outcome->status == SIMSM_OK)
        outcome_simulate(&run, outcome);
    texts_free(&params);
}

static void explain(const struct sweep_state *sweep, const struct sweep_outcome *outcome,
                    char reason[FRAGMENT_REASON])
{
    if (outcome->status == SIMSM_LIMIT && strstr(outcome->error.message, "--max-cycles"))
        (void)snprintf(reason, FRAGMENT_REASON, "stopped after %llu cycles, its limit (max_cycles)",
                       (unsigned long long)sweep->plan.spec.max_cycles);
    else if (outcome->status != SIMSM_OK)
        (void)simsm_error_text(&outcome->error, reason, FRAGMENT_REASON);
}

struct ended_point *sweep_add_ended(struct sweep_state *sweep)
{
    if (sweep->ended_count == sweep->ended_room) {
        const uint32_t room = sweep->ended_room ? sweep->ended_room * 2 : 8;
        struct ended_point *grown = realloc(sweep->ended, room * sizeof *grown);
        sweep->lost |= !grown;
        if (!grown)
            return NULL;
        sweep->ended = grown;
        sweep->ended_room = room;
    }
    return &sweep->ended[sweep->ended_count++];
}

/* Returns whether a point was stopped from outside, so that it waits for the next sweep. */
static bool was_stopped(const struct sweep_state *sweep, const struct sweep_outcome *outcome)
{
    const struct timespec grace = {.tv_sec = 2};
    const bool of_task = sweep->request->where == SWEEP_TASK;
    if (outcome && outcome->status != SIMSM_INTERRUPTED)
        return false;
    if (!outcome && of_task)
        (void)nanosleep(
            &grace,
            NULL); /* who ends a task kills the processes of its points first, then the task */
    return (outcome && of_task) || (sweep->request->stop && sweep->request->stop());
}

static void point_ended(void *context, uint32_t job, const void *answer, const char *reason,
                        double seconds)
{
    struct sweep_state *sweep = context;
    const struct sweep_outcome *outcome = answer;
    if (was_stopped(sweep, outcome))
        return;
    struct ended_point *ended = sweep_add_ended(sweep);
    if (!ended)
        return;
    *ended = (struct ended_point){.point = job, .what = {.seconds = seconds}};
    sweep->working += seconds;
    if (outcome) {
        ended->what.outcome = *outcome;
        explain(sweep, outcome, ended->what.reason);
    } else {
        ended->what.outcome.wall_seconds = seconds;
        (void)snprintf(ended->what.reason, sizeof ended->what.reason, "%s", reason);
    }
}

/* Returns the varied values of a case as "key=value key=value". NULL if memory runs out. The caller
 * frees it. */
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

static void report_point(struct sweep_state *sweep, const struct ended_point *ended)
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
        .reason = ended->what.reason[0] ? ended->what.reason : NULL,
        .settings = settings ? settings : "",
        .launch = point->launch,
        .seconds = ended->what.seconds,
    };
    sweep->request->ended(sweep->request->context, &told, &sweep->progress);
    free(settings);
}

/* Writes the points that have ended in one transaction. A task writes fragments too, for the
 * machine that has the results. */
static enum simsm_status write_ended(struct sweep_state *sweep, struct simsm_error *error)
{
    enum simsm_status status = store_begin(sweep->store, error);
    for (uint32_t i = 0; i < sweep->ended_count && status == SIMSM_OK; i++) {
        const struct ended_point *ended = &sweep->ended[i];
        const struct plan_point *point = &sweep->plan.point[ended->point];
        if (sweep->request->where == SWEEP_TASK)
            status = fragment_write(sweep->folder, point->identity, &ended->what, error);
        if (status == SIMSM_OK)
            status = store_outcome(sweep->store, point->id, &ended->what.outcome,
                                   ended->what.reason[0] ? ended->what.reason : NULL, error);
    }
    return status == SIMSM_OK ? store_commit(sweep->store, error) : status;
}

enum simsm_status sweep_write_ended(struct sweep_state *sweep, struct simsm_error *error)
{
    if (sweep->lost)
        return err_no_memory(error);
    if (!sweep->ended_count)
        return SIMSM_OK;
    enum simsm_status status = write_ended(sweep, error);
    if (status != SIMSM_OK)
        return status;
    for (uint32_t i = 0; i < sweep->ended_count; i++) {
        const struct ended_point *ended = &sweep->ended[i];
        const bool failed = ended->what.reason[0] != '\0';
        sweep->plan.point[ended->point].state = failed ? STORE_FAILED : STORE_DONE;
        sweep->progress.done += !failed;
        sweep->progress.failed += failed;
        estimate(sweep);
        report_point(sweep, ended);
    }
    sweep->ended_count = 0;
    sweep->kept = sweep_now();
    return SIMSM_OK;
}

/* Writes results at intervals: a transaction waits for the disk, so that many short points share
 * one. */
static enum simsm_status pause_point(void *context, struct simsm_error *error)
{
    struct sweep_state *sweep = context;
    const bool due = sweep_now() - sweep->kept >= keep_every;
    enum simsm_status status = due || sweep->lost ? sweep_write_ended(sweep, error) : SIMSM_OK;
    sweep_show_progress(sweep);
    return status;
}

static void count_points(struct sweep_state *sweep)
{
    struct sweep_progress *p = &sweep->progress;
    for (uint32_t i = 0; i < sweep->plan.points; i++) {
        const struct plan_point *point = &sweep->plan.point[i];
        p->points += !point->again;
        sweep->to_run += sweep_is_to_run(sweep, point);
    }
    p->before = p->points - sweep->to_run;
    p->elapsed = 0;
    sweep->begun = sweep_now();
}

static enum simsm_status run_all(struct sweep_state *sweep, struct simsm_error *error)
{
    const struct plan *plan = &sweep->plan;
    const struct workers workers = {.jobs = sweep->jobs,
                                    .seconds = (double)plan->spec.seconds,
                                    .memory = plan->spec.memory,
                                    .answer_size = sizeof(struct sweep_outcome),
                                    .context = sweep,
                                    .next = next_point,
                                    .work = work_point,
                                    .ended = point_ended,
                                    .pause = pause_point,
                                    .stop = sweep->request->stop};
    sweep->next = 0;
    enum simsm_status status = sweep->to_run ? workers_run(&workers, error) : SIMSM_OK;
    struct simsm_error second;
    enum simsm_status kept = sweep_write_ended(sweep, status == SIMSM_OK ? error : &second);
    return status == SIMSM_OK ? kept : status;
}

static void summarize(const struct sweep_state *sweep, struct sweep_summary *summary)
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
    memcpy(summary->job, sweep->job, sizeof summary->job);
    summary->given = sweep->request->where == SWEEP_TASK ? 0 : sweep->batch.count;
    summary->progress.job = NULL;
}

/* Opens the file of results. Uses a mode that is safe on shared disks if other machines take part;
 * a task keeps its results in memory. */
static enum simsm_status open_results(struct sweep_state *sweep, struct simsm_error *error)
{
    switch (sweep->request->where) {
    case SWEEP_TASK:
        return task_open(sweep, error);
    case SWEEP_HERE:
        return store_open(&sweep->store, sweep->plan.spec.results, error);
    default:
        return store_open_shared(&sweep->store, sweep->plan.spec.results, error);
    }
}

/* Simulates the points, or gives them to other processes. */
static enum simsm_status run_points(struct sweep_state *sweep, struct simsm_error *error)
{
    switch (sweep->request->where) {
    case SWEEP_SLURM:
        return distribute_slurm(sweep, error);
    case SWEEP_PRINT:
        return distribute_print(sweep, error);
    case SWEEP_NOWHERE:
        return SIMSM_OK;
    default:
        return run_all(sweep, error);
    }
}

static enum simsm_status find_work(struct sweep_state *sweep, struct simsm_error *error)
{
    uint32_t found;
    enum simsm_status status = plan_points(&sweep->plan, sweep->store, error);
    if (status == SIMSM_OK && sweep->request->where == SWEEP_TASK)
        status = task_choose(sweep, error);
    if (status == SIMSM_OK)
        count_points(sweep);
    if (status == SIMSM_OK && sweep->request->where != SWEEP_TASK)
        status = collect(sweep, &found, error);
    return status == SIMSM_OK && sweep->request->where == SWEEP_HERE
               ? distribute_check_idle(sweep, error)
               : status;
}

/* Returns how many points to simulate at a time: the processors divided by the threads of a point,
 * at least 1. */
static uint32_t jobs_of(const struct sweep_state *sweep)
{
    const uint32_t threads = sweep->plan.spec.threads ? (uint32_t)sweep->plan.spec.threads : 1;
    const uint32_t jobs = workers_processors() / threads;
    return sweep->request->jobs ? sweep->request->jobs : jobs ? jobs : 1;
}

enum simsm_status sweep_spec(const struct sweep_request *request, struct sweep_summary *summary,
                             struct simsm_error *error)
{
    struct sweep_state sweep = {.request = request, .begun = sweep_now()};
    enum simsm_status status =
        plan_read(&sweep.plan, request->spec, request->results, request->simsm, error);
    sweep.jobs = jobs_of(&sweep);
    if (status == SIMSM_OK)
        sweep.folder = plan_folder(&sweep.plan, "tasks");
    if (status == SIMSM_OK && !sweep.folder)
        status = err_no_memory(error);
    if (status == SIMSM_OK)
        status = open_results(&sweep, error);
    if (status == SIMSM_OK && request->where != SWEEP_TASK)
        status = record_all(&sweep, error);
    if (status == SIMSM_OK)
        status = find_work(&sweep, error);
    if (status == SIMSM_OK)
        status = run_points(&sweep, error);
    summarize(&sweep, summary);
    if (status == SIMSM_OK && !summary->waiting && request->where != SWEEP_TASK)
        collect_clean(&sweep);
    store_close(sweep.store);
    batch_free(&sweep.batch);
    free(sweep.folder);
    free(sweep.ended);
    plan_free(&sweep.plan);
    return status;
}
