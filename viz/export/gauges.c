/* Gauges: gathered over windows of cycles, and passed on when they change. */
#include "export/gauges.h"

#include <math.h>

enum { LEAST_WINDOW = 16, MOST_WINDOWS = 8192 };

uint32_t gauges_count(const struct timeline_info *info)
{
    return info->sub_partitions + 2;
}

const char *gauges_name(const struct timeline_info *info, uint32_t gauge, char text[32])
{
    if (gauge < info->sub_partitions)
        (void)snprintf(text, 32, "issue rate sp%u", gauge);
    else
        (void)snprintf(text, 32, "%s",
                       gauge == info->sub_partitions ? "resident warps" : "requests in flight");
    return text;
}

const char *gauges_unit(const struct timeline_info *info, uint32_t gauge)
{
    return gauge < info->sub_partitions    ? "instructions/cycle"
           : gauge == info->sub_partitions ? "warps"
                                           : "warp instructions";
}

void gauges_init(struct gauges *gauges, const struct timeline_info *info, uint64_t from,
                 uint64_t to, gauge_put *put, void *context)
{
    *gauges = (struct gauges){.info = info,
                              .subs = info->sub_partitions,
                              .begin = from,
                              .window = LEAST_WINDOW,
                              .from = from,
                              .to = to,
                              .put = put,
                              .context = context};
    while ((to - from) / gauges->window > MOST_WINDOWS)
        gauges->window *= 2;
    for (uint32_t i = 0; i < GAUGES_MOST; i++)
        gauges->put_last[i] = NAN;
}

static void put(struct gauges *gauges, uint32_t gauge, uint64_t cycle, double value)
{
    if (value == gauges->put_last[gauge])
        return;
    gauges->put_last[gauge] = value;
    gauges->put(gauges->context, gauge, cycle, value);
}

/* Ends the present window at cycle `end` and passes its values on. */
static void end_window(struct gauges *gauges, uint64_t end)
{
    for (uint32_t s = 0; s < gauges->subs; s++) {
        put(gauges, s, gauges->begin, (double)gauges->issues[s] / (double)(end - gauges->begin));
        gauges->issues[s] = 0;
    }
    put(gauges, gauges->subs, gauges->begin, gauges->warps);
    put(gauges, gauges->subs + 1, gauges->begin, gauges->requests);
    gauges->begin = end;
}

void gauges_take(struct gauges *gauges, const struct walk_event *event)
{
    while (event->cycle >= gauges->begin + gauges->window)
        end_window(gauges, gauges->begin + gauges->window);
    if (event->kind == WALK_ISSUE) {
        gauges->issues[event->slot % gauges->subs]++;
    } else if (event->kind == WALK_STATE) {
        bool resident = !export_is_empty(gauges->info, event->state);
        gauges->warps += (uint32_t)resident - (uint32_t)gauges->resident[event->slot];
        gauges->resident[event->slot] = resident;
    } else if (event->kind == WALK_REQUEST) {
        gauges->requests++;
    } else if (event->kind == WALK_ANSWER && event->started != WALK_UNKNOWN &&
               event->started >= gauges->from) {
        gauges->requests--;
    }
}

void gauges_finish(struct gauges *gauges)
{
    while (gauges->begin + gauges->window < gauges->to)
        end_window(gauges, gauges->begin + gauges->window);
    if (gauges->begin < gauges->to)
        end_window(gauges, gauges->to);
    for (uint32_t i = 0; i < gauges->subs + 2; i++)
        put(gauges, i, gauges->to, 0);
}
