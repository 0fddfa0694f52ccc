/* The sections of the page that have the same contents as the text report. */
#include "html/html_report.h"

#include "html/markup.h"
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
    fputs("<section id=\"limits\">\n<h2>What limits this kernel</h2>\n<p class=\"verdict\">",
          report->file);
    markup_text(report->file, findings[0].sentence);
    fputs("</p>\n<p><strong>Try:</strong> ", report->file);
    markup_text(report->file, findings[0].hint);
    fputs("</p>\n", report->file);
    for (unsigned i = 1; i < count && i <= ALSO_SHOWN; i++) {
        fputs("<p><strong>Also:</strong> ", report->file);
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
    fputs("<section id=\"losses\">\n<h2>Occupancy lost, by cause</h2>\n", file);
    begin_table(file);
    if (gap_shares(report->stats, &gap)) {
        row(file, "Theoretical", tenths(gap.theoretical), "of the warp slots can be filled");
        row(file, "Achieved", tenths(gap.achieved), "were, in the mean");
        row(file, "Lost", tenths(gap.lost), "the gap between the two, by cause:");
        for (int i = 0; i < GAP_CAUSES; i++)
            row(file, gap.cause[i].name, tenths(gap.cause[i].tenths), gap.cause[i].phrase);
    }
    if (wave_count_words(report->stats, words, sizeof words))
        row(file, "Waves", quantity_ratio(report->metrics[METRIC_WAVES].value), words);
    row(file, "Tail", quantity_percent(report->metrics[METRIC_TAIL].value), wave_tail_words);
    end_table(file);
    fputs("</section>\n", file);
}

static void costly_row(const struct report *report, const struct costly_line *costly, double all)
{
    const struct simsm_line_info *info = &report->stats->line_info[costly->line];
    const struct simsm_line_stats *line = &report->stats->lines[costly->line];
    FILE *file = report->file;
    char where[24];
    double lanes = line->issues ? (double)line->threads / (double)line->issues : 0;
    double share = 100.0 * (double)line->states[costly->state] / (double)costly->cycles;
    (void)snprintf(where, sizeof where, info->line ? "%u" : "0x%x",
                   info->line ? info->line : info->pc);
    fprintf(file, "<tr><td class=\"number\">%s</td><td class=\"number\">%s</td>",
            quantity_percent(100.0 * (double)costly->cycles / all).text,
            quantity_count((double)line->issues).text);
    fprintf(file, "<td class=\"number\">%s</td><td>%s %.0f %%</td><td class=\"number\">%s</td>",
            line->issues ? quantity_ratio(lanes).text : "-", simsm_states[costly->state].title,
            share, where);
    fputs("<td><code>", file);
    markup_text(file, info->text);
    fputs("</code></td></tr>\n", file);
}

static void costly(const struct report *report)
{
    struct costly_line lines[COSTLY_LINES];
    unsigned count = costly_lines(report->stats, lines);
    double all = (double)metrics_resident_cycles(report->stats);
    if (!count)
        return;
    fputs(
        "<section id=\"lines\">\n<h2>Lines that cost most</h2>\n"
        "<p class=\"question\">At which instructions do warps spend their cycles, on all SMs?</p>\n"
        "<div class=\"wide stack\"><table><thead><tr><th scope=\"col\" class=\"number\">Share</th>"
        "<th scope=\"col\" class=\"number\">Issues</th>"
        "<th scope=\"col\" class=\"number\">Lanes</th><th scope=\"col\">Mostly</th>"
        "<th scope=\"col\" class=\"number\">Line</th><th scope=\"col\">Instruction</th></tr>"
        "</thead><tbody>\n",
        report->file);
    for (unsigned i = 0; i < count; i++)
        costly_row(report, &lines[i], all);
    end_table(report->file);
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
