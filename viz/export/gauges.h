/*
 * Gauges: what a trace shows as curves, which are issue rates, resident warps, and memory requests
 * in flight. Private to this folder.
 */
#ifndef VIZ_EXPORT_GAUGES_H
#define VIZ_EXPORT_GAUGES_H

#include "export/writers.h"

enum { GAUGES_MOST = SIMSM_SLOTS_PER_SM + 2 };

/* Gets a value of a gauge: it holds from `cycle` to the next value. */
typedef void gauge_put(void *context, uint32_t gauge, uint64_t cycle, double value);

/*
 * The gauges of one SM: the issue rate of each sub-partition, then resident warps, then requests in
 * flight.
 */
struct gauges {
    const struct timeline_info *info;
    uint32_t subs;
    uint64_t begin, window; /* begin and length of the present window, in cycles */
    uint64_t from, to;
    uint64_t issues[SIMSM_SLOTS_PER_SM];
    bool resident[SIMSM_SLOTS_PER_SM];
    uint32_t warps, requests;
    double put_last[GAUGES_MOST];
    gauge_put *put;
    void *context;
};

/* Returns the number of gauges of an SM. */
uint32_t gauges_count(const struct timeline_info *info);
/* Returns the name of a gauge, as "issue rate sp0". `text` is memory for it. */
const char *gauges_name(const struct timeline_info *info, uint32_t gauge, char text[32]);
/* Returns the unit of a gauge, as "instructions/cycle". */
const char *gauges_unit(const struct timeline_info *info, uint32_t gauge);

/*
 * Begins the gauges of cycles [from, to). Issue rates are means over windows; the other values are
 * from the ends of windows.
 */
void gauges_init(struct gauges *gauges, const struct timeline_info *info, uint64_t from,
                 uint64_t to, gauge_put *put, void *context);
/* Takes the next event of the walk through the SM. */
void gauges_take(struct gauges *gauges, const struct walk_event *event);
/* Ends the last window and sets all gauges to 0 at cycle `to`. */
void gauges_finish(struct gauges *gauges);

#endif
