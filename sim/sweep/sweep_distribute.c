/*
 * Gives points to other processes: to a Slurm array of jobs, or as printed commands. The machines
 * share only a folder beside the results. It has the lists of tasks and gets a fragment for each
 * point. This process alone writes the results.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/outfile.h"
#include "sweep/slurm.h"
#include "sweep/sweep_inner.h"

/* Polls of a folder or of Slurm, one per second. LATE_LOOKS: after the end of a job, because files
 * of other machines may appear late. SILENT_LOOKS: while Slurm does not answer. */
enum { LATE_LOOKS = 5, SILENT_LOOKS = 120 };

/* ---- The batch ---- */

static bool is_plain(const char *word)
{
    return *word && !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789_-+=.,:@%/")];
}

/* Writes a word, quoted if a shell needs it. */
static void quote(FILE *file, const char *word)
{
    if (is_plain(word)) {
        (void)fputs(word, file);
        return;
    }
    (void)fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'')
            (void)fputs("'\\''", file);
        else
            (void)fputc(*word, file);
    }
    (void)fputc('\'', file);
}

/* Returns the command of a task without the task's number, which follows it. NULL if memory runs
 * out. The caller frees it. */
static char *command_of(const struct sweep_state *sweep)
{
    char *text = NULL, *spec = inputs_absolute(sweep->plan.spec.path);
    char *results = inputs_absolute(sweep->plan.spec.results);
    size_t size;
    FILE *file = spec && results ? open_memstream(&text, &size) : NULL;
    if (file) {
        quote(file, sweep->request->simsm);
        (void)fputs(" sweep ", file);
        quote(file, spec);
        (void)fputs(" --results ", file);
        quote(file, results);
        (void)fprintf(file, " --jobs %u --quiet%s --task %u.",
                      sweep->request->jobs ? sweep->request->jobs : 1,
                      sweep->request->verbose ? " --verbose" : "", sweep->batch.number);
        if (fclose(file) != 0) {
            free(text);
            text = NULL;
        }
    }
    free(spec);
    free(results);
    return text;
}

/* Sets a failed point back to waiting and removes its fragment. */
static enum simsm_status set_waiting(struct sweep_state *sweep, struct plan_point *point,
                                     struct simsm_error *error)
{
    fragment_remove(sweep->folder, point->identity);
    if (point->state == STORE_WAITING)
        return SIMSM_OK;
    point->state = STORE_WAITING;
    return store_set_waiting(sweep->store, point->id, error);
}

static enum simsm_status make_batch(struct sweep_state *sweep, struct simsm_error *error)
{
    struct sweep_batch *batch = &sweep->batch;
    const uint32_t most = sweep->request->tasks ? sweep->request->tasks : SWEEP_TASKS;
    enum simsm_status status = store_begin(sweep->store, error);
    for (uint32_t i = 0; i < sweep->plan.points && status == SIMSM_OK; i++) {
        struct plan_point *point = &sweep->plan.point[i];
        if (!sweep_is_to_run(sweep, point))
            continue;
        struct batch_point listed = {.number = sweep->plan.wanted[point->place].number,
                                     .launch = point->launch};
        memcpy(listed.identity, point->identity, sizeof listed.identity);
        status =
            batch_add(batch, &listed) ? set_waiting(sweep, point, error) : err_no_memory(error);
    }
    if (status == SIMSM_OK)
        status = store_commit(sweep->store, error);
    batch->tasks = batch->count < most ? batch->count : most;
    return status == SIMSM_OK && batch->count ? batch_write(batch, sweep->folder, error) : status;
}

enum simsm_status distribute_print(struct sweep_state *sweep, struct simsm_error *error)
{
    enum simsm_status status = distribute_check_idle(sweep, error);
    if (status == SIMSM_OK)
        status = make_batch(sweep, error);
    char *command = status == SIMSM_OK ? command_of(sweep) : NULL;
    if (status == SIMSM_OK && !command)
        status = err_no_memory(error);
    for (uint32_t t = 1; t <= sweep->batch.tasks && status == SIMSM_OK; t++) {
        char *line = text_format("%s%u", command, t);
        if (line)
            sweep->request->given(sweep->request->context, line);
        else
            status = err_no_memory(error);
        free(line);
    }
    free(command);
    return status;
}

/* ---- Slurm ---- */

/* Reads the job number from a file "N.job" and asks Slurm about the job. If the job has ended,
 * removes the file and sets `job` to "". */
static enum simsm_status read_job(const char *path, char job[SLURM_JOB], struct simsm_error *error)
{
    uint32_t waiting = 0, running = 0;
    FILE *file = fopen(path, "r");
    const bool named = file && fscanf(file, "%31[0-9]", job) == 1;
    if (file)
        (void)fclose(file);
    struct simsm_error silent;
    if (named && slurm_tasks(job, &waiting, &running, &silent) != SIMSM_OK)
        return err_set(error, SIMSM_FAILED,
                       "Slurm job %s has points of this sweep, and Slurm does not say whether it "
                       "still runs (%s); if it does not, remove %s",
                       job, silent.message, path);
    if (waiting + running)
        return SIMSM_OK;
    (void)unlink(path);
    job[0] = '\0';
    return SIMSM_OK;
}

/* Finds the Slurm job that has points of this sweep; `job` is "" if there is none. */
static enum simsm_status find_job(const struct sweep_state *sweep, char job[SLURM_JOB],
                                  struct simsm_error *error)
{
    enum simsm_status status = SIMSM_OK;
    DIR *folder = opendir(sweep->folder);
    job[0] = '\0';
    for (const struct dirent *entry; folder && !job[0] && status == SIMSM_OK;) {
        if (!(entry = readdir(folder)))
            break;
        char path[OUTFILE_PATH];
        const char *dot = strrchr(entry->d_name, '.');
        (void)snprintf(path, sizeof path, "%.3800s/%.255s", sweep->folder, entry->d_name);
        if (dot && strcmp(dot, ".job") == 0)
            status = read_job(path, job, error);
    }
    if (folder)
        (void)closedir(folder);
    return status;
}

enum simsm_status distribute_check_idle(const struct sweep_state *sweep, struct simsm_error *error)
{
    char job[SLURM_JOB];
    enum simsm_status status = find_job(sweep, job, error);
    if (status != SIMSM_OK || !job[0])
        return status;
    return err_set(
        error, SIMSM_FAILED,
        "Slurm job %s runs points of this sweep: --slurm waits for it, and `scancel %s` ends it",
        job, job);
}

static uint32_t count_waiting(const struct sweep_state *sweep)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < sweep->plan.points; i++)
        waiting += !sweep->plan.point[i].again && sweep->plan.point[i].state == STORE_WAITING;
    return waiting;
}

/* Sleeps for a second. Returns false if the sweep is to stop. */
static bool nap(const struct sweep_state *sweep)
{
    const struct timespec piece = {.tv_nsec = 100000000};
    for (int i = 0; i < 10; i++) {
        if (sweep->request->stop && sweep->request->stop())
            return false;
        (void)nanosleep(&piece, NULL);
    }
    return true;
}

/* Collects fragments until no point waits or the job has ended. */
static enum simsm_status watch(struct sweep_state *sweep, struct simsm_error *error)
{
    struct sweep_progress *p = &sweep->progress;
    int late = 0, silent = 0;
    for (;;) {
        uint32_t found;
        struct simsm_error wrong;
        const bool known = slurm_tasks(p->job, &p->waiting, &p->running, &wrong) == SIMSM_OK;
        enum simsm_status status = collect(sweep, &found, error);
        silent = known ? 0 : silent + 1;
        late = known && !found && !p->waiting && !p->running ? late + 1 : 0;
        if (status != SIMSM_OK || !count_waiting(sweep) || late > LATE_LOOKS)
            return status;
        if (silent > SILENT_LOOKS)
            return err_set(error, SIMSM_FAILED, "Slurm does not answer: %s", wrong.message);
        sweep_show_progress(sweep);
        if (!nap(sweep))
            return err_set(error, SIMSM_INTERRUPTED, "stopped");
    }
}

static enum simsm_status write_text(const struct sweep_state *sweep, const char *ending,
                                    const char *text, char path[OUTFILE_PATH],
                                    struct simsm_error *error)
{
    struct outfile out = {0};
    (void)snprintf(path, OUTFILE_PATH, "%.4000s/%u.%s", sweep->folder, sweep->batch.number, ending);
    enum simsm_status status = outfile_open(&out, path, error);
    if (status != SIMSM_OK)
        return status;
    (void)fputs(text, out.file);
    return outfile_commit(&out, error);
}

/* Returns the processors of a task: for all threads of the points that it simulates at a time. */
static uint32_t processors_of(const struct sweep_state *sweep)
{
    const uint32_t jobs = sweep->request->jobs ? sweep->request->jobs : 1;
    return jobs * (sweep->plan.spec.threads ? (uint32_t)sweep->plan.spec.threads : 1);
}

static enum simsm_status submit(struct sweep_state *sweep, char job[SLURM_JOB],
                                struct simsm_error *error)
{
    char script[OUTFILE_PATH], path[OUTFILE_PATH];
    char *command = command_of(sweep), *folder = inputs_absolute(sweep->folder);
    char *text =
        command ? text_format("#!/bin/sh\nexec %s\"$SLURM_ARRAY_TASK_ID\"\n", command) : NULL;
    char *output = folder ? text_format("%s/%u.%%a.log", folder, sweep->batch.number) : NULL;
    enum simsm_status status = text && output ? SIMSM_OK : err_no_memory(error);
    const struct slurm_array array = {.script = script,
                                      .name = sweep->plan.spec.name,
                                      .output = output,
                                      .tasks = sweep->batch.tasks,
                                      .processors = processors_of(sweep),
                                      .options = sweep->request->options,
                                      .option_count = sweep->request->option_count};
    if (status == SIMSM_OK)
        status = write_text(sweep, "sh", text, script, error);
    if (status == SIMSM_OK)
        status = slurm_submit(&array, job, error);
    if (status == SIMSM_OK)
        status = write_text(sweep, "job", job, path, error);
    free(command);
    free(folder);
    free(text);
    free(output);
    return status;
}

enum simsm_status distribute_slurm(struct sweep_state *sweep, struct simsm_error *error)
{
    char *job = sweep->job;
    enum simsm_status status = find_job(sweep, job, error);
    if (status == SIMSM_OK && !job[0]) {
        status = make_batch(sweep, error);
        if (status == SIMSM_OK && sweep->batch.count)
            status = submit(sweep, job, error);
    }
    sweep->progress.job = job;
    return status == SIMSM_OK && job[0] && !sweep->request->leave ? watch(sweep, error) : status;
}
