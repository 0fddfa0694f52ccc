/* Starts processes for jobs, reads their answers and enforces their limits. */
#include "sweep/workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/err.h"

/* GRACE_SECONDS: how long a process has to end after SIGTERM. LOOK_MS: the longest wait between two
 * looks at limits and signals. */
enum { GRACE_SECONDS = 5, LOOK_MS = 200 };

struct sweep_worker {
    pid_t process; /* 0: the place is free */
    int from;      /* read end of its pipe */
    uint32_t job;
    size_t got;   /* bytes of the answer that have arrived */
    double begun; /* start in seconds */
    bool late;    /* killed because its time was over */
    char *answer;
};

struct worker_team {
    const struct workers *workers;
    struct sweep_worker *worker; /* [workers->jobs] */
    struct pollfd *poll;         /* [workers->jobs] */
    uint32_t running;
    double stopped; /* when the processes were told to stop, in seconds; 0: not told */
};

static int (*parent_stop)(
    void); /* workers.stop; global, because workers_stopped() has no argument */
static pid_t parent;

int workers_stopped(void)
{
    if (parent_stop && parent_stop())
        return 1;
    return parent && getppid() != parent;
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Executed in the new process: does the job, writes the answer and exits. */
static void do_job(const struct workers *workers, uint32_t job, int to, pid_t before)
{
    parent = before;
    (void)setpgid(0, 0); /* so that the process and its children can be killed together, and Ctrl-C
                            reaches only the parent */
    if (workers->memory) {
        const struct rlimit limit = {workers->memory, workers->memory};
        (void)setrlimit(RLIMIT_AS, &limit);
    }
    char *answer = calloc(1, workers->answer_size);
    if (!answer)
        _exit(SIMSM_FAILED);
    workers->work(workers->context, job, answer);
    _exit(write_all(to, answer, workers->answer_size) ? SIMSM_OK : SIMSM_FAILED);
}

static enum simsm_status start(struct worker_team *team, struct sweep_worker *worker, uint32_t job,
                               struct simsm_error *error)
{
    int ends[2] = {-1, -1};
    const pid_t before = getpid();
    if (pipe(ends) != 0)
        return err_set(error, SIMSM_FAILED, "cannot create a pipe: %s", strerror(errno));
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        (void)close(ends[0]);
        do_job(team->workers, job, ends[1], before);
    }
    (void)close(ends[1]);
    if (process > 0)
        (void)setpgid(process, process);
    if (process < 0) {
        (void)close(ends[0]);
        return err_set(error, SIMSM_FAILED, "cannot start a process: %s", strerror(errno));
    }
    worker->process = process;
    worker->from = ends[0];
    worker->job = job;
    worker->got = 0;
    worker->late = false;
    worker->begun = seconds_now();
    team->running++;
    return SIMSM_OK;
}

/* Starts jobs while there are jobs and free places. If a process cannot be started while others
 * run, the job stays in *kept for a later call. Returns a failure if none runs. */
static enum simsm_status fill(struct worker_team *team, uint32_t *kept, bool *has_kept,
                              struct simsm_error *error)
{
    const struct workers *workers = team->workers;
    for (uint32_t i = 0; i < workers->jobs; i++) {
        if (team->worker[i].process)
            continue;
        if (!*has_kept && !workers->next(workers->context, kept))
            return SIMSM_OK;
        *has_kept = true;
        enum simsm_status status = start(team, &team->worker[i], *kept, error);
        if (status != SIMSM_OK)
            return team->running ? SIMSM_OK : status;
        *has_kept = false;
    }
    return SIMSM_OK;
}

static const char *failure_text(const struct worker_team *team, const struct sweep_worker *worker,
                                int state, char text[WORKERS_REASON])
{
    if (worker->late) {
        (void)snprintf(text, WORKERS_REASON, "stopped after %.0f s, its time limit",
                       team->workers->seconds);
    } else if (WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL) {
        (void)snprintf(text, WORKERS_REASON,
                       "killed (signal 9): the machine may have run out of memory");
    } else if (WIFSIGNALED(state)) {
        (void)snprintf(text, WORKERS_REASON, "crashed: signal %d (%s)", WTERMSIG(state),
                       strsignal(WTERMSIG(state)));
    } else {
        (void)snprintf(text, WORKERS_REASON, "ended without a result, with status %d",
                       WEXITSTATUS(state));
    }
    return text;
}

static void finish(struct worker_team *team, struct sweep_worker *worker)
{
    const struct workers *workers = team->workers;
    char reason[WORKERS_REASON] = "";
    int state = 0;
    (void)close(worker->from);
    while (waitpid(worker->process, &state, 0) < 0 && errno == EINTR)
        continue;
    worker->process = 0;
    team->running--;
    const bool whole = worker->got == workers->answer_size;
    workers->ended(workers->context, worker->job, whole ? worker->answer : NULL,
                   whole ? NULL : failure_text(team, worker, state, reason),
                   seconds_now() - worker->begun);
}

/* Reads what has arrived. Returns false if the answer is complete or the pipe is closed. */
static bool read_answer(struct worker_team *team, struct sweep_worker *worker)
{
    SIMSM_CHECK(worker->got <= team->workers->answer_size, "job %u: %zu bytes of an answer of %zu",
                worker->job, worker->got, team->workers->answer_size);
    const size_t left = team->workers->answer_size - worker->got;
    ssize_t got = read(worker->from, worker->answer + worker->got, left);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (got <= 0)
        return false;
    worker->got += (size_t)got;
    return worker->got < team->workers->answer_size;
}

/* Sends `signal` to the process groups of all jobs. */
static void signal_all(struct worker_team *team, int signal)
{
    for (uint32_t i = 0; i < team->workers->jobs; i++) {
        if (team->worker[i].process)
            (void)kill(-team->worker[i].process, signal);
    }
}

static void check_time_limits(struct worker_team *team)
{
    const double now = seconds_now(), limit = team->workers->seconds;
    for (uint32_t i = 0; limit > 0 && i < team->workers->jobs; i++) {
        struct sweep_worker *worker = &team->worker[i];
        if (!worker->process || worker->late || now - worker->begun < limit)
            continue;
        worker->late = true;
        (void)kill(-worker->process, SIGKILL);
    }
    if (team->stopped > 0 && now - team->stopped > GRACE_SECONDS)
        signal_all(team, SIGKILL);
}

/* Waits until a pipe has data or LOOK_MS have passed, and reads the answers. */
static void wait_for_some(struct worker_team *team)
{
    nfds_t count = 0;
    for (uint32_t i = 0; i < team->workers->jobs; i++) {
        if (team->worker[i].process)
            team->poll[count++] = (struct pollfd){.fd = team->worker[i].from, .events = POLLIN};
    }
    if (poll(team->poll, count, LOOK_MS) <= 0)
        return;
    for (uint32_t i = 0, p = 0; i < team->workers->jobs; i++) {
        struct sweep_worker *worker = &team->worker[i];
        if (!worker->process)
            continue;
        SIMSM_CHECK(p < count, "process %u of %u that were polled", p, (uint32_t)count);
        if (team->poll[p++].revents && !read_answer(team, worker))
            finish(team, worker);
    }
}

static bool told_to_stop(struct worker_team *team)
{
    if (!team->workers->stop || !team->workers->stop())
        return false;
    if (!(team->stopped > 0)) {
        team->stopped = seconds_now();
        signal_all(team, SIGTERM);
    }
    return true;
}

static enum simsm_status run(struct worker_team *team, struct simsm_error *error)
{
    const struct workers *workers = team->workers;
    uint32_t kept = 0;
    bool has_kept = false;
    enum simsm_status status = SIMSM_OK;
    for (;;) {
        const bool stop = told_to_stop(team);
        if (!stop && status == SIMSM_OK)
            status = fill(team, &kept, &has_kept, error);
        /* new jobs run while `pause` stores the results of ended jobs */
        if (workers->pause && status == SIMSM_OK)
            status = workers->pause(workers->context, error);
        if (status != SIMSM_OK && !(team->stopped > 0)) {
            team->stopped = seconds_now();
            signal_all(team, SIGTERM);
        }
        if (!team->running)
            return status != SIMSM_OK ? status
                   : stop             ? err_set(error, SIMSM_INTERRUPTED, "stopped")
                                      : SIMSM_OK;
        wait_for_some(team);
        check_time_limits(team);
    }
}

uint32_t workers_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > WORKERS_MOST ? WORKERS_MOST : (uint32_t)count;
}

enum simsm_status workers_run(const struct workers *workers, struct simsm_error *error)
{
    SIMSM_CHECK(workers->jobs >= 1 && workers->jobs <= WORKERS_MOST, "%u processes, at most %d",
                workers->jobs, WORKERS_MOST);
    struct worker_team team = {.workers = workers,
                               .worker = calloc(workers->jobs, sizeof *team.worker),
                               .poll = calloc(workers->jobs, sizeof *team.poll)};
    bool room = team.worker && team.poll;
    for (uint32_t i = 0; i < workers->jobs && room; i++) {
        team.worker[i].answer = malloc(workers->answer_size);
        room = team.worker[i].answer != NULL;
    }
    parent_stop = workers->stop;
    enum simsm_status status = room ? run(&team, error) : err_no_memory(error);
    for (uint32_t i = 0; team.worker && i < workers->jobs; i++)
        free(team.worker[i].answer);
    free(team.worker);
    free(team.poll);
    return status;
}
