/* Shares of the time that faults cost, estimated from the statistics of a launch. */
#ifndef SIM_REPORT_ADVICE_ESTIMATE_H
#define SIM_REPORT_ADVICE_ESTIMATE_H

#include "report/advice.h"

struct advice_input {
    const struct simsm_config *config;
    const struct simsm_stats *stats;
    const struct simsm_metric *metrics;
};

/* Fills share, line and figure of advice->id. The share is 0 or NaN if the fault is not there. */
void advice_estimate(const struct advice_input *in, struct advice *advice);

#endif
