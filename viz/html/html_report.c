/* The sections of the page that have the same contents as the text report. */
#include "html/html_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html/markup.h"
#include "language/language.h"
#include "report/costly.h"
#include "report/metrics.h"
#include "report/quantity.h"
#include "report/report_gap.h"
#include "report/report_waves.h"
#include "report/verdict.h"

enum { ALSO_SHOWN = 3 };

struct report {
    FILE *file;
    const struct simsm_config *config;
    const struct simsm_stats *stats;
    struct simsm_metric metrics[METRIC_COUNT];
};

static void begin_table(FILE *file)
{
    fputs("<div class=\"wide stack\"><table><tbody>\n", file);
}

static void end_table(FILE *file)
{
    fputs("</tbody></table></div>\n", file);
}

static void verdict(const struct report *report)
{
    struct verdict_finding findings[VERDICT_MAX];
    unsigned count = verdict_find(report->config, report->stats, report->metrics, findings);
    fprintf(report->file, "<section id=\"limits\">\n<h2>%s</h2>\n<p class=\"verdict\">",
            _("What limits this kernel"));
    markup_text(report->file, findings[0].sentence);
    fprintf(report->file, "</p>\n<p><strong>%s</strong> ", _("Try:"));
    markup_text(report->file, findings[0].hint);
    fputs("</p>\n", report->file);
    for (unsigned i = 1; i < count && i <= ALSO_SHOWN; i++) {
        fprintf(report->file, "<p><strong>%s</strong> ", _("Also:"));
        markup_text(report->file, findings[i].sentence);
        fputs("</p>\n", report->file);
    }
    fputs("</section>\n", report->file);
}

static void row(FILE *file, const char *title, struct quantity value, const char *meaning)
{
    fprintf(file, "<tr><th scope=\"row\">%s</th><td class=\"number\">%s</td><td>%s</td></tr>\n",
            title, value.text, meaning);
}

static struct quantity tenths(long n)
{
    return quantity_percent((double)n / 10);
}

/* Writes the theoretical occupancy, the losses by cause, the waves and the tail. */
static void losses(const struct report *report)
{
    FILE *file = report->file;
    struct gap_shares gap;
    char words[160];
    fprintf(file, "<section id=\"losses\">\n<h2>%s</h2>\n", _("Occupancy lost, by cause"));
    begin_table(file);
    if (gap_shares(report->stats, &gap)) {
        row(file, _("Theoretical"), tenths(gap.theoretical), _("of the warp slots can be filled"));
        row(file, _("Achieved"), tenths(gap.achieved), _("were, in the mean"));
        row(file, _("Lost"), tenths(gap.lost), _("the gap between the two, by cause:"));
        for (int i = 0; i < GAP_CAUSES; i++)
            row(file, gap.cause[i].name, tenths(gap.cause[i].tenths), gap.cause[i].phrase);
    }
    if (wave_count_words(report->stats, words, sizeof words))
        row(file, _("Waves"), quantity_ratio(report->metrics[METRIC_WAVES].value), words);
    row(file, _("Tail"), quantity_percent(report->metrics[METRIC_TAIL].value),
        translate(wave_tail_words));
    end_table(file);
    fputs("</section>\n", file);
}

enum { MOST_ROWS = 200 }; /* of a table, so that the page stays small */

static void number(FILE *file, struct quantity value, double order)
{
    fprintf(file, "<td class=\"number\" data-order=\"%.17g\">%s</td>", isnan(order) ? -1 : order,
            value.text);
}

/* Writes the states with most cycles and their shares. */
static void states_cell(FILE *file, const struct costly_line *line)
{
    enum simsm_warp_state order[COSTLY_STATES];
    const unsigned count = costly_states(line, order);
    fputs("<td>", file);
    for (unsigned i = 0; i < count; i++)
        fprintf(file, "%s%s %.0f %%", i ? ", " : "", translate(simsm_states[order[i]].title),
                100 * (double)line->sums.states[order[i]] / (double)line->cycles);
    fputs("</td>", file);
}

static void costly_row(const struct report *report, const struct costly_line *line,
                       enum costly_kind kind, double all)
{
    const struct simsm_line_info *info = line->info;
    FILE *file = report->file;
    const double issues = (double)line->sums.issues, share = 100 * (double)line->cycles / all;
    const double lanes = issues > 0 ? (double)line->sums.threads / issues : NAN;
    const char *slash = info->file ? strrchr(info->file, '/') : NULL;
    fputs("<tr>", file);
    number(file, quantity_percent(share), share);
    number(file, quantity_count(issues), issues);
    number(file, quantity_ratio(lanes), lanes);
    number(file, quantity_ratio(costly_sectors(line)), costly_sectors(line));
    number(file, quantity_ratio(costly_sectors_least(line)), costly_sectors_least(line));
    number(file, quantity_percent(costly_hit_percent(line)), costly_hit_percent(line));
    states_cell(file, line);
    fprintf(file, info->line ? "<td class=\"number\">%u</td>" : "<td class=\"number\">0x%x</td>",
            info->line ? info->line : info->pc);
    fputs("<td><code>", file);
    markup_text(file, kind == COSTLY_INSTRUCTIONS ? info->text : slash ? slash + 1 : info->file);
    fputs("</code></td></tr>\n", file);
}

static void costly_table(const struct report *report, enum costly_kind kind, const char *title,
                         const char *last)
{
    static const char *const heads[] = {N_("Share"),   N_("Issues"),  N_("Lanes"), N_("Sectors"),
                                        N_("At best"), N_("L1 hits"), N_("States")};
    uint32_t count;
    struct costly_line *lines = costly_lines(report->stats, kind, &count);
    const double all = (double)metrics_resident_cycles(report->stats);
    if (lines && count) {
        fprintf(report->file,
                "<h3>%s</h3>\n<div class=\"wide stack\"><table class=\"sorted\"><thead><tr>",
                title);
        for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
            fprintf(report->file, "<th scope=\"col\"%s>%s</th>", i < 6 ? " class=\"number\"" : "",
                    translate(heads[i]));
        fprintf(report->file,
                "<th scope=\"col\" class=\"number\">%s</th><th scope=\"col\">%s</th></tr>"
                "</thead><tbody>\n",
                _("Line"), last);
        for (uint32_t i = 0; i < count && i < MOST_ROWS; i++)
            costly_row(report, &lines[i], kind, all);
        end_table(report->file);
    }
    free(lines);
}

static void costly(const struct report *report)
{
    fprintf(report->file,
            "<section id=\"lines\">\n<h2>%s</h2>\n<p class=\"question\">%s</p>\n<p>%s</p>\n",
            _("Lines that cost most"),
            _("At which instructions do warps spend their cycles, on all SMs?"),
            _("Sectors: of a request to global memory, or passes of a request to shared memory. A "
              "click on the name of a column sorts by it."));
    costly_table(report, COSTLY_SOURCE, _("Lines of the source"), _("File"));
    costly_table(report, COSTLY_INSTRUCTIONS, _("Instructions"), _("Instruction"));
    fputs("</section>\n", report->file);
}

/* Computes the metrics. Returns false if the file lacks the statistics. */
static bool gather(struct report *report, FILE *file, struct run *run)
{
    struct simsm_error error;
    report->file = file;
    report->config = run_config(run, &error);
    report->stats = run_info(run)->stats;
    if (!report->config || !report->stats)
        return false;
    metrics_compute(report->config, report->stats, report->metrics);
    return true;
}

void report_limits(FILE *file, struct run *run)
{
    struct report report;
    if (gather(&report, file, run))
        verdict(&report);
}

void report_details(FILE *file, struct run *run)
{
    struct report report;
    if (!gather(&report, file, run))
        return;
    losses(&report);
    costly(&report);
}
