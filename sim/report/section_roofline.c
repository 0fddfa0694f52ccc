/* Sections of the report: shares of what the GPU can do, the roofline, the memory hierarchy. */
#include <math.h>

#include "model/op.h"
#include "report/memory_links.h"
#include "report/roofline.h"
#include "report/section.h"

static const char *memory_part(unsigned metric)
{
    return metric == METRIC_DRAM_THROUGHPUT ? "DRAM"
           : metric == METRIC_L2_THROUGHPUT ? "L2"
           : metric == METRIC_XBAR_REPLY    ? "the ways back from L2"
                                            : "L1 and shared memory";
}

static void print_shares(const struct section *section)
{
    const unsigned pipe = metrics_busiest_pipe(section->metrics);
    const bool issue = section_value(section, METRIC_ISSUE_SLOTS_BUSY) >
                       section_value(section, METRIC_PIPE_BUSY + pipe);
    section_row(section, "compute", quantity_percent(section_value(section, METRIC_SM_THROUGHPUT)),
                "busiest: %s%s", issue ? "issue slots" : "pipe ",
                issue ? "" : simsm_pipes[pipe].name);
    if (section_count(section, SIMSM_COUNTER_MEM_REQUESTS_STARTED))
        section_row(section, "memory",
                    quantity_percent(section_value(section, METRIC_MEMORY_THROUGHPUT)),
                    "busiest: %s; DRAM: %s of %g GB/s",
                    memory_part(metrics_busiest_memory(section->metrics)),
                    quantity_ratio(section_value(section, METRIC_DRAM_RATE)).text,
                    section->config->dram_bandwidth_gbs);
    section_row(section, "issue", quantity_percent(section_value(section, METRIC_ISSUE_SLOTS_BUSY)),
                "of the issue slots of active SMs");
    section_row(section, "latency", quantity_percent(section_value(section, METRIC_NO_ELIGIBLE)),
                "of the schedulers' active cycles no warp could issue");
}

/* Writes operations or operations per second, given in units of 10^9. */
static struct quantity giga(double value)
{
    return quantity_count(value * 1e9);
}

static struct quantity intensity(const struct roofline *roofline, unsigned type, unsigned level)
{
    const double value =
        roofline_at(roofline, (enum flop_type)type, (enum roofline_level)level).intensity;
    return isinf(value) ? (struct quantity){"-"} : quantity_count(value);
}

static void print_type(const struct section *section, const struct roofline *roofline,
                       unsigned type)
{
    const unsigned limit = roofline_limit(roofline, (enum flop_type)type);
    const double rate = roofline->type[type].rate, peak = roofline->type[type].peak;
    const double roof =
        limit == ROOFLINE_LEVELS
            ? peak
            : roofline_at(roofline, (enum flop_type)type, (enum roofline_level)limit).roof;
    (void)fprintf(section->file, "  %-11s %8s %8s %7s %7s %7s %8s %-4s %8s\n",
                  flop_type_titles[type], giga(rate).text, quantity_percent(100 * rate / peak).text,
                  intensity(roofline, type, ROOFLINE_DRAM).text,
                  intensity(roofline, type, ROOFLINE_L2).text,
                  intensity(roofline, type, ROOFLINE_L1).text, giga(roof).text,
                  limit == ROOFLINE_LEVELS ? "peak" : roofline_level_titles[limit],
                  quantity_percent(100 * rate / roof).text);
}

void section_speed_of_light(const struct section *section)
{
    struct roofline roofline;
    bool head = false;
    if (section_count(section, SIMSM_COUNTER_INST_EXECUTED) == 0)
        return;
    section_title(section, "Speed of light: shares of what the GPU can do");
    print_shares(section);
    roofline_compute(section->config, section->stats, &roofline);
    for (unsigned t = 0; t < FLOP_TYPES; t++) {
        if (roofline.type[t].flop == 0)
            continue;
        if (!head)
            (void)fprintf(section->file, "  %-11s %8s %8s %7s %7s %7s %13s %8s\n", "roofline",
                          "FLOP/s", "of peak", "/B DRAM", "/B L2", "/B L1", "lowest roof", "of it");
        head = true;
        print_type(section, &roofline, t);
    }
}

static struct quantity moved(double bytes)
{
    return bytes > 0 ? quantity_bytes(bytes) : (struct quantity){"-"};
}

void section_memory_links(const struct section *section)
{
    struct memory_link links[LINK_COUNT];
    memory_links(section->config, section->stats, section->metrics, links);
    (void)fprintf(section->file, "  %-20s %10s %10s %10s %9s %9s\n", "between", "read", "written",
                  "other", "hits", "of peak");
    for (unsigned i = 0; i < LINK_COUNT; i++)
        if (memory_link_used(&links[i]))
            (void)fprintf(section->file, "  %-20s %10s %10s %10s %9s %9s\n", links[i].name,
                          moved(links[i].read).text, moved(links[i].written).text,
                          moved(links[i].other).text, quantity_percent(links[i].hit_percent).text,
                          quantity_percent(links[i].peak_percent).text);
}
