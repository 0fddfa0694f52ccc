/* The figures of a run as HTML tables and lists. */
#include "html/html_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html/markup.h"
#include "language/language.h"
#include "report/metrics.h"
#include "report/quantity.h"
#include "view/chart.h"
#include "view/states.h"

void figures_item(FILE *file, const char *name, const char *text)
{
    if (!*text)
        return;
    fprintf(file, "<div><dt>%s</dt><dd>", name);
    markup_text(file, text);
    fputs("</dd></div>\n", file);
}

static const char *extent(const uint32_t of[3], char text[48])
{
    (void)snprintf(text, 48, "%u × %u × %u", of[0], of[1], of[2]);
    return text;
}

static void item_launch(FILE *file, const struct simsm_launch *launch)
{
    char text[256], grid[48], block[48];
    (void)snprintf(text, sizeof text, _("%s blocks of %s threads"), extent(launch->grid, grid),
                   extent(launch->block, block));
    figures_item(file, _("Launch"), text);
    (void)snprintf(text, sizeof text,
                   _("%u registers of a thread, %u + %u bytes of shared memory of a block "
                     "(static + dynamic)"),
                   launch->registers, launch->shared_static, launch->shared_dynamic);
    figures_item(file, _("Resources"), text);
}

static void item_recorded(FILE *file, const struct run *run)
{
    const struct timeline_info *info = run_info(run);
    char text[160];
    char from[32];
    char to[32];
    (void)snprintf(
        text, sizeof text, _("%u of %u SMs, cycles %s to %s"), info->sm_count, info->sms,
        chart_cycles(run_begin(run), from),
        chart_cycles(info->ended && info->cycles < run_end(run) ? info->cycles : run_end(run), to));
    figures_item(file, _("Recorded"), text);
    if (info->damage)
        figures_item(file, _("Damage"), info->damage);
    else if (info->ended && !info->complete)
        figures_item(file, _("Stopped"), _("the run was stopped before the kernel had ended"));
}

void figures_run(FILE *file, const struct run *run)
{
    const struct timeline_info *info = run_info(run);
    fputs("<dl>\n", file);
    figures_item(file, _("Kernel"), info->launch.name);
    figures_item(file, "GPU", info->gpu);
    item_launch(file, &info->launch);
    item_recorded(file, run);
    figures_item(file, _("Command"), info->command_line);
    figures_item(file, _("Input"), info->trace);
    figures_item(file, _("Program"), info->program);
    fputs("</dl>\n", file);
}

/* ---- Metrics ---- */

static struct quantity percent(double value)
{
    return quantity_percent(value);
}

/* Metrics that follow from the contents of a timeline: counters, launch, configuration. */
static const struct {
    enum metric metric;
    const char *title;
    struct quantity (*show)(double value);
} rows[] = {
    {METRIC_CYCLES_ELAPSED, N_("Cycles"), quantity_count},
    {METRIC_DURATION, N_("Time"), quantity_time},
    {METRIC_IPC_ACTIVE, N_("Instructions per active cycle of an SM"), quantity_ratio},
    {METRIC_IPC_ELAPSED, N_("Instructions per elapsed cycle of an SM"), quantity_ratio},
    {METRIC_ISSUE_ACTIVE, N_("Schedulers issue in"), percent},
    {METRIC_WARPS_PER_SCHEDULER, N_("Warps of a scheduler"), quantity_ratio},
    {METRIC_ELIGIBLE_PER_SCHEDULER, N_("Eligible warps of a scheduler"), quantity_ratio},
    {METRIC_LATENCY_PER_ISSUE, N_("Cycles of a warp for each issue"), quantity_ratio},
    {METRIC_OCCUPANCY_THEORETICAL, N_("Theoretical occupancy"), percent},
    {METRIC_OCCUPANCY_ACHIEVED, N_("Achieved occupancy"), percent},
    {METRIC_WAVES, N_("Waves of blocks"), quantity_ratio},
    {METRIC_LANE_USE, N_("Lanes in use"), percent},
    {METRIC_BRANCH_EFFICIENCY, N_("Branch efficiency"), percent},
    {METRIC_LD_SECTORS_PER_REQUEST, N_("Sectors of a global load"), quantity_ratio},
    {METRIC_ST_SECTORS_PER_REQUEST, N_("Sectors of a global store"), quantity_ratio},
    {METRIC_L1_HIT, N_("L1 hits of global loads"), percent},
    {METRIC_L2_HIT, N_("L2 hits of reads"), percent},
    {METRIC_DRAM_BYTES, N_("DRAM traffic"), quantity_bytes},
    {METRIC_DRAM_RATE, N_("DRAM rate"), quantity_rate},
    {METRIC_DRAM_THROUGHPUT, N_("Share of the DRAM bandwidth"), percent},
    {METRIC_SHARED_CONFLICT_SHARE, N_("Passes added by bank conflicts"), percent},
};

static void row(FILE *file, const char *title, const char *value, const char *meaning,
                const char *name)
{
    fprintf(file, "<tr><th scope=\"row\">%s</th><td class=\"number\">%s</td><td>", title, value);
    markup_text(file, meaning);
    fprintf(file, "</td><td><code>%s</code></td></tr>\n", name);
}

void figures_metrics(FILE *file, struct run *run)
{
    const struct timeline_info *info = run_info(run);
    struct simsm_error error;
    const struct simsm_config *config = run_config(run, &error);
    const struct simsm_stats *stats = info->stats;
    struct simsm_metric metrics[METRIC_COUNT];
    if (!stats || !config) {
        fprintf(file, "<p>%s", _("The file has no figures of the whole run: "));
        markup_text(file, !config        ? error.message
                          : !info->ended ? _("it was cut off before its end.")
                                         : _("the program that wrote the file left them out."));
        fputs("</p>\n", file);
        return;
    }
    metrics_compute(config, stats, metrics);
    fprintf(file,
            "<div class=\"wide stack\"><table><thead><tr><th scope=\"col\">%s</th>"
            "<th scope=\"col\" class=\"number\">%s</th><th scope=\"col\">%s</th>"
            "<th scope=\"col\">%s</th></tr></thead><tbody>\n",
            _("Figure"), _("Value"), _("Meaning"), _("Name in Nsight Compute or simsm"));
    const struct simsm_counter_info *issued = &simsm_counters[SIMSM_COUNTER_INST_EXECUTED];
    row(file, _("Warp instructions"),
        quantity_count((double)stats->counter[SIMSM_COUNTER_INST_EXECUTED]).text,
        _("warp instructions executed"), issued->name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct simsm_metric *metric = &metrics[rows[i].metric];
        if (!isnan(metric->value))
            row(file, translate(rows[i].title), rows[i].show(metric->value).text,
                translate(metric->meaning), metric->name);
    }
    fputs("</tbody></table></div>\n", file);
}

/* ---- States ---- */

/*
 * Adds up the slot cycles by state over all recorded SMs. Returns the slot cycles of warps that
 * have not exited.
 */
static double sum_states(const struct run *run, double sum[SIMSM_STATE_COUNT])
{
    const struct timeline_info *info = run_info(run);
    double living = 0;
    memset(sum, 0, SIMSM_STATE_COUNT * sizeof *sum);
    for (uint32_t i = 0; info->totals && i < info->sm_count; i++)
        for (uint32_t s = 0; s < info->state_count; s++)
            sum[run_known_state(run, (uint8_t)s)] += (double)info->totals[i].states[s];
    for (uint32_t s = 0; s < SIMSM_STATE_COUNT; s++)
        living += track_is_resident(s) ? sum[s] : 0;
    return living;
}

static void cell(FILE *file, uint32_t state)
{
    fprintf(file,
            "<span class=\"cell\" style=\"background:var(--s%u);color:var(--i%u)\" "
            "aria-hidden=\"true\">%c</span>",
            state, state, simsm_states[state].letter);
}

static void state_row(FILE *file, uint32_t state, double share, double most)
{
    struct quantity text = quantity_percent(100 * share);
    if (share < 0.0005)
        text = (struct quantity){"&lt; 0.1 %"};
    fputs("<tr><th scope=\"row\">", file);
    cell(file, state);
    fprintf(file,
            " %s</th><td class=\"number\">%s</td><td class=\"bars\"><span class=\"bar\" "
            "style=\"width:%.2f%%;background:var(--s%u)\"></span></td><td>%s</td></tr>\n",
            translate(simsm_states[state].title), text.text, 100 * share / most, state,
            translate(simsm_states[state].meaning));
}

void figures_states(FILE *file, const struct run *run)
{
    double sum[SIMSM_STATE_COUNT];
    const double living = sum_states(run, sum);
    if (living <= 0) {
        fprintf(file, "<p>%s</p>\n", _("The file has no sums of states."));
        return;
    }
    fprintf(file,
            "<div class=\"wide stack\"><table><thead><tr><th scope=\"col\">%s</th>"
            "<th scope=\"col\" class=\"number\">%s</th><th scope=\"col\"></th>"
            "<th scope=\"col\">%s</th></tr></thead><tbody>\n",
            _("State"), _("Share"), _("Meaning"));
    const uint32_t first = states_next(sum, 0);
    uint32_t taken = 0;
    for (uint32_t s; (s = states_next(sum, taken)) < SIMSM_STATE_COUNT; taken |= 1u << s)
        state_row(file, s, sum[s] / living, sum[first] / living);
    fputs("</tbody></table></div>\n", file);
}

void figures_legend(FILE *file, const struct run *run)
{
    double sum[SIMSM_STATE_COUNT];
    const double living = sum_states(run, sum);
    fputs("<ul class=\"legend\">\n", file);
    for (uint32_t s = SIMSM_STATE_EXITED; s < SIMSM_STATE_COUNT; s++) {
        if (living > 0 && sum[s] <= 0)
            continue;
        fprintf(file, "<li title=\"%s\">", translate(simsm_states[s].meaning));
        cell(file, s);
        fprintf(file, " %s</li>\n", translate(simsm_states[s].title));
    }
    fputs("</ul>\n", file);
}
