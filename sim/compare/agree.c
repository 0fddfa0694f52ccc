#include "compare/agree.h"

#include <math.h>
#include <string.h>

struct agreed_quantity {
    const char *what, *within, *metric, *and_metric; /* the quantity is the sum of both metrics */
    double percent, points; /* allowed difference; the larger of both counts */
};

static const struct agreed_quantity quantities[] = {
    {"executed warp instructions", "equal", "smsp__inst_executed.sum", NULL, 0, 0},
    {"achieved occupancy", "5 points", "sm__warps_active.avg.pct_of_peak_sustained_active", NULL, 0,
     5},
    {"L1 sectors of global loads and stores", "3 %",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 3, 0},
    {"L2 sectors that SMs read and write", "3 %", "lts__t_sectors_srcunit_tex_op_read.sum",
     "lts__t_sectors_srcunit_tex_op_write.sum", 3, 0},
    {"DRAM bytes read and written", "10 %", "dram__bytes_read.sum", "dram__bytes_write.sum", 10, 0},
};

double agree_sum(const struct launches *launches, const struct launch_row *row, const char *first,
                 const char *second)
{
    const double sum = launches_get(row, launches_find(launches, first));
    return second ? sum + launches_get(row, launches_find(launches, second)) : sum;
}

static struct agreement count(const struct match *match, const struct agreed_quantity *q)
{
    struct agreement row = {q->what, q->within, 0, 0};
    for (size_t i = 0; i < match->pairs; i++) {
        const struct match_pair *p = &match->pair[i];
        const double s = agree_sum(match->simulated, p->simulated, q->metric, q->and_metric);
        const double m = agree_sum(match->measured, p->measured, q->metric, q->and_metric);
        if (isnan(s) || isnan(m))
            continue;
        row.launches++;
        row.agree += fabs(s - m) <= fmax(q->percent / 100.0 * fabs(m), q->points);
    }
    return row;
}

static struct agreement count_stalls(const struct match *match)
{
    struct agreement row = {"what warps wait for most", "the same", 0, 0};
    for (size_t i = 0; i < match->pairs; i++) {
        char s[FIGURES_STALL], m[FIGURES_STALL];
        (void)figures_main_stall(match->simulated, match->pair[i].simulated, s);
        (void)figures_main_stall(match->measured, match->pair[i].measured, m);
        row.launches += *s && *m;
        row.agree += *s && strcmp(s, m) == 0;
    }
    return row;
}

/* Counts the launches whose simulated cycles lie in the range of the GPU's runs. */
static struct agreement count_ranges(const struct match *match)
{
    static const char metric[] = "sm__cycles_elapsed.max";
    struct agreement row = {"elapsed cycles", "between the GPU's own runs", 0, 0};
    const int measured = launches_find(match->measured, metric);
    const int simulated = launches_find(match->simulated, metric);
    for (size_t i = 0; i < match->pairs; i++) {
        struct launch_range range;
        const double s = launches_get(match->pair[i].simulated, simulated);
        if (isnan(s) || !launches_range(match->pair[i].measured, measured, &range))
            continue;
        row.launches++;
        row.agree += s >= range.low && s <= range.high;
    }
    return row;
}

size_t agree_count(const struct match *match, struct agreement rows[AGREE_MOST])
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) {
        rows[used] = count(match, &quantities[i]);
        used += rows[used].launches > 0;
    }
    rows[used] = count_stalls(match);
    used += rows[used].launches > 0;
    rows[used] = count_ranges(match);
    return used + (rows[used].launches > 0);
}
