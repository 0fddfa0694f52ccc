#include "cli/run_loop.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/simsm_front.h"
#include "cli/signals.h"
#include "report/quantity.h"

/* A slice takes some tens of milliseconds, so that Ctrl-C is heard at once. */
static const double slice_short = 0.04, slice_long = 0.12; /* seconds */
static const double progress_after = 0.5, progress_every = 0.2;
enum { FIRST_SLICE = 4096, LEAST_SLICE = 256 };

struct progress {
    bool wanted, shown;
    double start, last;
};

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void progress_show(struct progress *progress, struct simsm *simulation, double now)
{
    if (!progress->wanted || now - progress->start < progress_after ||
        now - progress->last < progress_every)
        return;
    const struct simsm_stats *stats = simsm_stats(simulation);
    double elapsed = now - progress->start;
    char left[48] = "";
    if (stats->blocks_done) {
        double rest = elapsed / (double)stats->blocks_done *
                      (double)(stats->blocks_total - stats->blocks_done);
        (void)snprintf(left, sizeof left, ", about %.0f s left", rest);
    }
    (void)fprintf(stderr, "\r\033[Kcycle %s, %llu of %llu blocks done, %s cycles/s%s",
                  quantity_count((double)stats->cycles).text,
                  (unsigned long long)stats->blocks_done, (unsigned long long)stats->blocks_total,
                  quantity_count((double)stats->cycles / elapsed).text, left);
    (void)fflush(stderr);
    progress->shown = true;
    progress->last = now;
}

static enum simsm_status slices(struct simsm *simulation, uint64_t max_cycles,
                                struct progress *progress, struct simsm_error *error)
{
    uint64_t at = 0, slice = FIRST_SLICE;
    for (;;) {
        if (signals_first())
            return SIMSM_INTERRUPTED;
        at = max_cycles - at < slice ? max_cycles : at + slice;
        double begin = seconds();
        enum simsm_status status = simsm_advance(simulation, at, max_cycles, error);
        double now = seconds();
        if (status != SIMSM_LIMIT || at == max_cycles)
            return status;
        if (now - begin < slice_short && slice <= UINT64_MAX / 4)
            slice *= 2;
        else if (now - begin > slice_long && slice > LEAST_SLICE)
            slice /= 2;
        progress_show(progress, simulation, now);
    }
}

enum simsm_status run_loop(struct simsm *simulation, uint64_t max_cycles, bool progress,
                           struct simsm_error *error)
{
    struct progress shown = {.wanted = progress, .start = seconds()};
    signals_restart();
    enum simsm_status status = slices(simulation, max_cycles, &shown, error);
    if (shown.shown)
        (void)fprintf(stderr, "\r\033[K");
    return status;
}
