/* Runs a simulation and shows its progress on a terminal. */
#include "cli/run_loop.h"

#include <stdio.h>

#include "api/watched.h"
#include "cli/signals.h"
#include "report/progress.h"
#include "report/quantity.h"

static void show(struct progress *progress, struct simsm *simulation)
{
    double elapsed;
    if (!progress_due(progress, &elapsed))
        return;
    const struct simsm_stats *stats = simsm_stats(simulation);
    char left[48] = "";
    if (stats->blocks_done) {
        double rest = elapsed / (double)stats->blocks_done *
                      (double)(stats->blocks_total - stats->blocks_done);
        (void)snprintf(left, sizeof left, ", about %.0f s left", rest);
    }
    progress_show(progress, "cycle %s, %llu of %llu blocks done, %s cycles/s%s",
                  quantity_count((double)stats->cycles).text,
                  (unsigned long long)stats->blocks_done, (unsigned long long)stats->blocks_total,
                  quantity_count((double)stats->cycles / elapsed).text, left);
}

static bool go_on(void *context, struct simsm *simulation)
{
    if (signals_first())
        return false;
    show(context, simulation);
    return true;
}

enum simsm_status run_loop(struct simsm *simulation, uint64_t max_cycles, bool progress,
                           struct simsm_error *error)
{
    struct progress shown;
    progress_begin(&shown, progress ? stderr : NULL);
    signals_restart();
    const struct simsm_watch watch = {go_on, &shown};
    enum simsm_status status = simsm_run_watched(simulation, max_cycles, &watch, error);
    progress_clear(&shown);
    return status;
}
