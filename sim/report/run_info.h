/* Facts about a run that reports print beside its statistics. The caller owns all pointers. */
#ifndef SIM_REPORT_RUN_INFO_H
#define SIM_REPORT_RUN_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simsm/config.h"
#include "simsm/stats.h"

struct run_info {
    const char *config_name, *trace; /* as the user gave them */
    const struct simsm_config *config;
    const char *const *options; /* options of the command line that change the run */
    size_t option_count;
    bool shared; /* other launches shared the GPU: only what instructions count is known, and what
                    follows from it; other counters are 0 */
    uint64_t number;        /* of the launch, from 1; 0: the input has no other launches */
    const char *range;      /* NVTX ranges that were open, "step/attention"; NULL: none */
    const char *stopped_by; /* "--max-cycles 1000", "Ctrl-C"; NULL if the run came to its end */
};

/* Writes that a run was stopped, by what and when: for a run whose statistics are not complete. */
void run_incomplete_text(const struct run_info *run, const struct simsm_stats *stats, char *text,
                         size_t size);

#endif
