/* `simsm sweep SPEC.yaml`: prints progress, failed points and the summary. */
#include "cli/sweep_spec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/signals.h"
#include "report/progress.h"

struct sweep_display {
    const struct sweep_spec *options;
    struct progress line;
    uint32_t failures; /* number of failures so far */
};

enum { FAILURES = 10 }; /* the most that are printed without --verbose */

/* Writes a duration: "5 s", "12 min" or "3.5 h". */
static const char *duration(double seconds, char text[32])
{
    if (isnan(seconds))
        (void)snprintf(text, 32, "?");
    else if (seconds < 120)
        (void)snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 7200)
        (void)snprintf(text, 32, "%.0f min", seconds / 60);
    else
        (void)snprintf(text, 32, "%.1f h", seconds / 3600);
    return text;
}

static void show_progress(void *context, const struct sweep_progress *p)
{
    struct sweep_display *shown = context;
    double elapsed;
    char left[32];
    if (!progress_due(&shown->line, &elapsed))
        return;
    if (!p->points) {
        progress_show(&shown->line, "%u of %u recordings made", p->made, p->recordings);
        return;
    }
    char failed[32] = "";
    if (p->failed)
        (void)snprintf(failed, sizeof failed, ", %u failed", p->failed);
    char job[96] = "";
    if (p->job)
        (void)snprintf(job, sizeof job, "; job %s: %u tasks run, %u wait", p->job, p->running,
                       p->waiting);
    progress_show(&shown->line, "%u of %u points done%s, about %s left%s",
                  p->before + p->done + p->failed, p->points, failed, duration(p->left, left), job);
}

/* Prints a point that has ended: with --verbose every point, otherwise the first failures. */
static void print_point(void *context, const struct sweep_ended *ended,
                        const struct sweep_progress *p)
{
    struct sweep_display *shown = context;
    char launch[32] = "", reason[1200];
    const bool failure = ended->reason != NULL;
    if (ended->launch)
        (void)snprintf(launch, sizeof launch, " launch %u", ended->launch);
    if (shown->options->verbose) {
        progress_clear(&shown->line);
        (void)printf("%u/%u point %lld %s: %s %s%s %s (%.2f s)\n", p->before + p->done + p->failed,
                     p->points, (long long)ended->id, failure ? "failed" : "done", ended->config,
                     ended->kernel, launch, ended->settings, ended->seconds);
        (void)fflush(stdout);
    }
    if (!failure || (shown->failures++ >= FAILURES && !shown->options->verbose))
        return;
    progress_clear(&shown->line);
    (void)fprintf(stderr, "simsm: point %lld failed: %s %s%s%s%s: %s\n", (long long)ended->id,
                  ended->config, ended->kernel, launch, *ended->settings ? " " : "",
                  ended->settings, printable(ended->reason, reason, sizeof reason));
}

static void print_summary(const struct sweep_summary *summary)
{
    const struct sweep_progress *p = &summary->progress;
    char elapsed[32];
    (void)printf("%u point%s: %u done, %u failed", p->points, p->points == 1 ? "" : "s",
                 summary->done, summary->failed);
    if (summary->waiting)
        (void)printf(", %u left", summary->waiting);
    (void)printf("; %u of them in this run, in %s\n", p->done + p->failed,
                 duration(p->elapsed, elapsed));
    if (summary->job[0])
        (void)printf("Slurm job %s: `squeue -j %s` shows it\n", summary->job, summary->job);
    (void)printf("%s: `simsm results` shows these results\n", summary->results);
}

/* Prints the command of a task, which is all that --print-jobs prints to stdout. */
static void print_command(void *context, const char *command)
{
    (void)context;
    (void)puts(command);
}

/* Returns the status and the message of the command after a sweep has ended with `status`. */
static enum simsm_status judge(const struct sweep_request *request,
                               const struct sweep_summary *summary, enum simsm_status status,
                               struct simsm_error *error)
{
    const bool waits = request->where == SWEEP_SLURM && !request->leave;
    if (status == SIMSM_INTERRUPTED && summary->job[0])
        return err_set(
            error, status,
            "job %s continues (`scancel %s` ends it); the same command waits for it again",
            summary->job, summary->job);
    if (status == SIMSM_INTERRUPTED)
        return err_set(error, status, "the same command continues from here");
    if (status != SIMSM_OK || request->where == SWEEP_TASK)
        return status; /* a task succeeds if it has run its points, even if points have failed */
    if (waits && summary->waiting)
        return err_set(error, SIMSM_FAILED,
                       "job %s has ended, and %u of %u points have no result; its logs are beside "
                       "%s; the same command continues",
                       summary->job, summary->waiting, summary->progress.points, summary->results);
    if (summary->failed)
        return err_set(error, SIMSM_FAILED,
                       "%u of %u points failed; `simsm results %s --failed` shows why, and --retry "
                       "simulates them again",
                       summary->failed, summary->progress.points, summary->results);
    return status;
}

enum simsm_status sweep_spec_command(const struct sweep_spec *options, struct simsm_error *error)
{
    struct sweep_display shown = {.options = options};
    struct sweep_summary summary;
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    struct sweep_request request = options->request;
    request.simsm = self;
    request.verbose = options->verbose;
    request.stop = signals_first;
    request.context = &shown;
    request.progress = show_progress;
    request.ended = print_point;
    request.given = print_command;
    signals_listen();
    progress_begin(&shown.line, options->quiet ? NULL : stderr);
    enum simsm_status status = sweep_spec(&request, &summary, error);
    progress_clear(&shown.line);
    if (summary.progress.points && !options->quiet && request.where != SWEEP_PRINT)
        print_summary(&summary);
    return judge(&request, &summary, status, error);
}
