/* The second run with one resident block on each SM. */
#include "main/viz_rerun.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "language/language.h"

/*
 * Shows a message that the second run has begun. It has one whole block on an SM, which may be
 * several warps.
 */
static void show_running(struct app *app)
{
    const struct timeline_info *info = run_info(app->view.run);
    uint32_t warps = info->occupancy.warps_per_block;
    (void)snprintf(app->message, sizeof app->message,
                   _("runs again with one resident block on each SM (%u warp%s%s); h stops it"),
                   warps, warps == 1 ? "" : "s",
                   warps <= info->sub_partitions ? _(", at most one for each scheduler") : "");
}

static bool make_folder(struct rerun *rerun)
{
    const char *folder = getenv("TMPDIR");
    (void)snprintf(rerun->folder, sizeof rerun->folder, "%.4000s/simsm-view-XXXXXX",
                   folder && *folder ? folder : "/tmp");
    if (!mkdtemp(rerun->folder)) {
        rerun->folder[0] = '\0';
        return false;
    }
    (void)snprintf(rerun->timeline, sizeof rerun->timeline, "%s/one-block.smtl", rerun->folder);
    (void)snprintf(rerun->log, sizeof rerun->log, "%s/log", rerun->folder);
    return true;
}

static void start(struct rerun *rerun, struct app *app)
{
    const char *const words[] = {"repeat",
                                 "--timeline",
                                 rerun->timeline,
                                 "--set",
                                 "sm.max_blocks=1",
                                 "--quiet",
                                 "--",
                                 run_info(app->view.run)->name,
                                 NULL};
    struct simsm_error error;
    int log = -1;
    if (rerun->folder[0] || make_folder(rerun))
        log = open(rerun->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (log < 0) {
        (void)snprintf(app->message, sizeof app->message,
                       "not run again: no folder for it can be made in $TMPDIR or /tmp");
        return;
    }
    if (companion_start(&rerun->simulator, "simsm", words, COMPANION_SILENT, log, &error) ==
        SIMSM_OK)
        show_running(app);
    else
        (void)snprintf(app->message, sizeof app->message, "not run again: %.230s", error.message);
    (void)close(log);
}

void rerun_toggle(struct rerun *rerun, struct app *app)
{
    if (!app->view.run) {
        (void)snprintf(app->message, sizeof app->message,
                       "only a timeline can be repeated: open a launch first");
        return;
    }
    if (!rerun->simulator.process) {
        start(rerun, app);
        return;
    }
    companion_stop(&rerun->simulator);
    (void)snprintf(app->message, sizeof app->message, "%s", _("the second run was stopped"));
}

/* Shows the simulator's first line of output as the reason. */
static void show_failure(const struct rerun *rerun, struct app *app)
{
    char line[240] = "simsm gave no reason";
    FILE *log = fopen(rerun->log, "r");
    if (log && fgets(line, sizeof line, log))
        line[strcspn(line, "\n")] = '\0';
    if (log)
        (void)fclose(log);
    (void)snprintf(app->message, sizeof app->message, "not run again: %s",
                   printable(line, line, sizeof line));
}

static void show_result(struct rerun *rerun, struct app *app)
{
    struct run *run = NULL;
    struct simsm_error error;
    if (run_open(&run, rerun->timeline, &error) != SIMSM_OK) {
        (void)snprintf(app->message, sizeof app->message, "%.250s", error.message);
        return;
    }
    app->view.other = run;
    run_close(rerun->run);
    rerun->run = run;
    app_do(app, ACTION_SCREEN_COMPARE);
    app_do(app, ACTION_WHOLE);
    (void)snprintf(app->message, sizeof app->message, "%s",
                   _("A: this run; B: the same with one resident block on each SM"));
}

bool rerun_poll(struct rerun *rerun, struct app *app, bool wait)
{
    int result = 0;
    if (!rerun->simulator.process)
        return false;
    if (!companion_ended(&rerun->simulator, !wait, &result)) {
        bool silent = !app->message[0]; /* another key has removed the message */
        if (silent)
            show_running(app);
        return silent;
    }
    if (result == SIMSM_OK || result == SIMSM_LIMIT)
        show_result(rerun, app);
    else
        show_failure(rerun, app);
    return true;
}

void rerun_close(struct rerun *rerun)
{
    companion_stop(&rerun->simulator);
    run_close(rerun->run);
    if (!rerun->folder[0])
        return;
    (void)unlink(rerun->timeline);
    (void)unlink(rerun->log);
    (void)rmdir(rerun->folder);
}
