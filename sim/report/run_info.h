/* Facts about a run that reports print beside its statistics. The caller owns all pointers. */
#ifndef SIM_REPORT_RUN_INFO_H
#define SIM_REPORT_RUN_INFO_H

#include <stdbool.h>

#include "simsm/config.h"

struct run_info {
    const char *config_name, *trace; /* as the user gave them */
    const struct simsm_config *config;
    const char *const *options; /* options of the command line that change the run */
    size_t option_count;
    bool shared; /* other launches shared the GPU: only what instructions count is known, and what
                    follows from it; other counters are 0 */
    const char *stopped_by; /* "--max-cycles 1000", "Ctrl-C"; NULL if the run came to its end */
};

#endif
