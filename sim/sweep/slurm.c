/* Runs sbatch and squeue and reads their output. */
#include "sweep/slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/printable.h"
#include "base/program.h"
#include "sweep/texts.h"

enum { SAID = 16384, TOLD = 600 };

static enum simsm_status fail_with_output(const char *program, const char *said,
                                          struct simsm_error *error)
{
    char told[TOLD];
    return err_set(error, SIMSM_FAILED, "%s: %s", program, printable(said, told, sizeof told));
}

/* Reads the number of the job from the last line, "17" or "17;cluster". Messages of sbatch precede
 * it. */
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
        status = program_ask(words, said, sizeof said, &good, error);
    }
    if (status == SIMSM_OK && (!good || !take_number(said, job)))
        status = fail_with_output("sbatch", said, error);
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
    enum simsm_status status = program_ask(words, said, sizeof said, &good, error);
    if (status != SIMSM_OK)
        return status;
    if (!good) /* Slurm forgets a job some minutes after its end */
        return strstr(said, "Invalid job id") ? SIMSM_OK : fail_with_output("squeue", said, error);
    for (const char *line = said; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const bool runs = strncmp(line, "RUNNING", 7) == 0 || strncmp(line, "COMPLETING", 10) == 0;
        *running += runs;
        *waiting += !runs;
    }
    return SIMSM_OK;
}
