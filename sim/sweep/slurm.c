#include "sweep/slurm.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/printable.h"
#include "sweep/texts.h"

extern char **environ;

enum { SAID = 16384, TOLD = 600 };

/* Takes what there is to read, as far as there is room. */
static void read_all(int from, char said[SAID])
{
    size_t size = 0;
    char rest[256];
    for (;;) {
        const bool room = size + 1 < SAID;
        ssize_t got = read(from, room ? said + size : rest, room ? SAID - 1 - size : sizeof rest);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size += room ? (size_t)got : 0;
    }
    said[size] = '\0';
}

/* Starts a program; *from is where what it says can be read, its errors too. */
static int start(const char *const *words, pid_t *process, int *from)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0)
        return errno;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addclose(&actions, ends[0]);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    (void)posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int bad = posix_spawnp(process, words[0], &actions, NULL, (char *const *)words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[1]);
    if (bad)
        (void)close(ends[0]);
    *from = ends[0];
    return bad;
}

/* Runs a program and takes what it says. Fails if it cannot be started; *good: it has succeeded. */
static enum simsm_status ask(const char *const *words, char said[SAID], bool *good,
                             struct simsm_error *error)
{
    pid_t process;
    int from = -1, state = 0;
    const int bad = start(words, &process, &from);
    if (bad)
        return err_set(error, SIMSM_FAILED, "%s cannot be started: %s%s", words[0], strerror(bad),
                       bad == ENOENT ? "; is Slurm installed on this machine?" : "");
    read_all(from, said);
    (void)close(from);
    while (waitpid(process, &state, 0) < 0 && errno == EINTR)
        continue;
    *good = WIFEXITED(state) && WEXITSTATUS(state) == 0;
    return SIMSM_OK;
}

static enum simsm_status complain(const char *program, const char *said, struct simsm_error *error)
{
    char told[TOLD];
    return err_set(error, SIMSM_FAILED, "%s: %s", program, printable(said, told, sizeof told));
}

/* The last line is "17" or "17;cluster"; what sbatch has to say beside that comes before it. */
static bool take_number(const char *said, char job[SLURM_JOB])
{
    const char *line = said;
    for (const char *next = said; *next; next += *next == '\n') {
        line = next;
        next += strcspn(next, "\n");
    }
    const size_t digits = strspn(line, "0123456789");
    (void)snprintf(job, SLURM_JOB, "%.*s", (int)digits, line);
    return digits > 0 && digits < SLURM_JOB;
}

enum simsm_status slurm_submit(const struct slurm_array *array, char job[SLURM_JOB],
                               struct simsm_error *error)
{
    char count[48], cpus[48], said[SAID];
    bool good;
    (void)snprintf(count, sizeof count, "--array=1-%u", array->tasks);
    (void)snprintf(cpus, sizeof cpus, "--cpus-per-task=%u", array->processors);
    char *name = text_format("--job-name=%s", array->name);
    char *output = text_format("--output=%s", array->output);
    const char *own[] = {"sbatch", "--parsable", "--requeue", "--open-mode=append",
                         count,    cpus,         name,        output};
    const size_t owns = sizeof own / sizeof own[0];
    const char **words = calloc(owns + array->option_count + 2, sizeof *words);
    enum simsm_status status = name && output && words ? SIMSM_OK : err_no_memory(error);
    if (status == SIMSM_OK) {
        memcpy(words, own, sizeof own);
        for (uint32_t i = 0; i < array->option_count; i++)
            words[owns + i] = array->options[i];
        words[owns + array->option_count] = array->script;
        status = ask(words, said, &good, error);
    }
    if (status == SIMSM_OK && (!good || !take_number(said, job)))
        status = complain("sbatch", said, error);
    free(words);
    free(output);
    free(name);
    return status;
}

enum simsm_status slurm_tasks(const char *job, uint32_t *waiting, uint32_t *running,
                              struct simsm_error *error)
{
    char which[64], said[SAID];
    bool good;
    *waiting = *running = 0;
    (void)snprintf(which, sizeof which, "--jobs=%s", job);
    const char *words[] = {"squeue", "--noheader", "--array", which, "--format=%T", NULL};
    enum simsm_status status = ask(words, said, &good, error);
    if (status != SIMSM_OK)
        return status;
    if (!good) /* a job that ended some minutes ago is not known any more */
        return strstr(said, "Invalid job id") ? SIMSM_OK : complain("squeue", said, error);
    for (const char *line = said; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const bool runs = strncmp(line, "RUNNING", 7) == 0 || strncmp(line, "COMPLETING", 10) == 0;
        *running += runs;
        *waiting += !runs;
    }
    return SIMSM_OK;
}
