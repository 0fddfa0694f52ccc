/* Progress of a launch on the terminal, and the end of a launch when a signal came. */
#include "cuda/launch_watch.h"

#include "base/printable.h"
#include "cuda/interrupt.h"
#include "report/quantity.h"

/* Shows the progress of execution. Returns false if the launch must end. */
static bool execution_goes_on(void *context, const struct exec_counts *counts)
{
    enum { OFTEN = 1 << 20 };
    struct launch_watch *watch = context;
    double elapsed;
    if (counts->warp_instructions >= watch->next) {
        watch->next = counts->warp_instructions + OFTEN;
        if (progress_due(watch->progress, &elapsed))
            progress_show(watch->progress, "%s: %s warp instructions executed; %s in %.0f s",
                          watch->title, quantity_count((double)counts->warp_instructions).text,
                          watch->before, elapsed);
    }
    return interrupt_came == 0;
}

/* Shows the progress of the simulation. Returns false if the launch must end. */
static bool timing_goes_on(void *context, struct simsm *simulation)
{
    struct launch_watch *watch = context;
    double elapsed;
    if (progress_due(watch->progress, &elapsed)) {
        const struct simsm_stats *stats = simsm_stats(simulation);
        progress_show(watch->progress, "%s: %llu of %llu blocks done, cycle %s; %s in %.0f s",
                      watch->title, (unsigned long long)stats->blocks_done,
                      (unsigned long long)stats->blocks_total,
                      quantity_count((double)stats->cycles).text, watch->before, elapsed);
    }
    return interrupt_came == 0;
}

void launch_watch_begin(struct launch_watch *watch, const struct journal_launch *row, double ns,
                        struct progress *progress)
{
    char name[40];
    const unsigned long long before = row->number - 1;
    *watch = (struct launch_watch){.execution = {execution_goes_on, watch},
                                   .timing = {timing_goes_on, watch},
                                   .progress = progress};
    (void)snprintf(watch->title, sizeof watch->title, "launch %llu, %s",
                   (unsigned long long)row->number, printable(row->brief, name, sizeof name));
    (void)snprintf(watch->before, sizeof watch->before, "before it %llu launch%s, %s simulated",
                   before, before == 1 ? "" : "es", quantity_time(ns).text);
}

void launch_watch_clear(struct launch_watch *watch)
{
    progress_clear(watch->progress);
}
