/* What a trace shows as curves: issue rates, resident warps, requests in flight. Private. */
#ifndef VIZ_EXPORT_GAUGES_H
#define VIZ_EXPORT_GAUGES_H

#include "export/writers.h"

enum { GAUGES_MOST = SIMSM_SLOTS_PER_SM + 2 };

/* From `cycle` on the gauge has this value, until its next one. */
typedef void gauge_put(void *context, uint32_t gauge, uint64_t cycle, double value);

/* One SM's gauges: an issue rate for each sub-partition, then warps, then requests. */
struct gauges {
    const struct timeline_info *info;
    uint32_t subs;
    uint64_t begin, window; /* of what is being counted; cycles */
    uint64_t from, to;
    uint64_t issues[SIMSM_SLOTS_PER_SM];
    bool resident[SIMSM_SLOTS_PER_SM];
    uint32_t warps, requests;
    double put_last[GAUGES_MOST];
    gauge_put *put;
    void *context;
};

uint32_t gauges_count(const struct timeline_info *info);
/* "issue rate sp0", in instructions per cycle. */
const char *gauges_name(const struct timeline_info *info, uint32_t gauge, char text[32]);
const char *gauges_unit(const struct timeline_info *info, uint32_t gauge);

/* For [from, to); values are means of windows, or what is at their ends. */
void gauges_init(struct gauges *gauges, const struct timeline_info *info, uint64_t from,
                 uint64_t to, gauge_put *put, void *context);
void gauges_take(struct gauges *gauges, const struct walk_event *event);
void gauges_finish(struct gauges *gauges);

#endif
