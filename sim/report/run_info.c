#include "report/run_info.h"

#include <stdio.h>

#include "base/printable.h"

void run_incomplete_text(const struct run_info *run, const struct simsm_stats *stats, char *text,
                         size_t size)
{
    char why[64];
    (void)snprintf(text, size,
                   "INCOMPLETE: stopped by %s after %llu cycles, when %llu of %llu blocks had "
                   "ended. All figures cover only what ran.",
                   printable(run->stopped_by ? run->stopped_by : "an error", why, sizeof why),
                   (unsigned long long)stats->cycles, (unsigned long long)stats->blocks_done,
                   (unsigned long long)stats->blocks_total);
}
