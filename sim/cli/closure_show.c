/* `simsm closure`: the table of points, the summary by kind, and the CSV file. */
#include "cli/closure_show.h"

#include <math.h>
#include <string.h>

#include "base/csv.h"

enum { NUMBER = 24, NAME_WIDTH = 60 };

static void number_text(double value, char text[NUMBER])
{
    (void)snprintf(text, NUMBER, fabs(value) >= 1000.0 ? "%.0f" : "%.4g", value);
}

static void error_text(double error, char text[NUMBER])
{
    if (isnan(error))
        (void)snprintf(text, NUMBER, "-");
    else if (fabs(error) < 9.995)
        (void)snprintf(text, NUMBER, "%+.1f %%", 100.0 * error);
    else
        (void)snprintf(text, NUMBER, "x %.3g", error + 1.0);
}

static bool is_shown(const struct closure_shown *shown, const struct closure_row *row)
{
    return !shown->only_off || !closure_is_good(row->verdict);
}

static int name_width(const struct closure_shown *shown)
{
    int width = 20;
    for (uint32_t i = 0; i < shown->closure->rows; i++) {
        const struct closure_row *row = &shown->closure->row[i];
        int length = (int)strlen(row->name);
        if (is_shown(shown, row) && length > width)
            width = length < NAME_WIDTH ? length : NAME_WIDTH;
    }
    return width;
}

static void show_row(FILE *file, const struct closure_shown *shown, const struct closure_row *row,
                     int width)
{
    char known[NUMBER] = "-", simulated[NUMBER] = "-", error[NUMBER];
    const bool lists = row->fact->list || row->list;
    if (!lists)
        number_text(row->fact->value, known);
    if (!lists && row->verdict != CLOSURE_FAILED)
        number_text(row->simulated, simulated);
    error_text(row->error, error);
    (void)fprintf(file, "  %-*s  %10s  %10s  %9s  %-18s  %s", width, row->name, known, simulated,
                  error, row->fact->unit, closure_verdict_names[row->verdict]);
    if (shown->times)
        (void)fprintf(file, "  %.2f s", row->seconds);
    if (row->note[0])
        (void)fprintf(file, ": %s", row->note);
    (void)fprintf(file, "\n");
    if (lists && row->verdict != CLOSURE_WITHIN) {
        (void)fprintf(file, "    known     %.400s\n", row->fact->list ? row->fact->list : known);
        (void)fprintf(file, "    simulated %.400s\n", row->list ? row->list : simulated);
    }
}

static void show_rows(FILE *file, const struct closure_shown *shown)
{
    const int width = name_width(shown);
    const struct table *last = NULL;
    for (uint32_t i = 0; i < shown->closure->rows; i++) {
        const struct closure_row *row = &shown->closure->row[i];
        if (!is_shown(shown, row))
            continue;
        if (row->table != last)
            (void)fprintf(file, "%s%-*s  %10s  %10s  %9s  %-18s  %s\n", last ? "\n" : "", width + 2,
                          row->table->name, "hardware", "simulated", "error", "unit", "verdict");
        last = row->table;
        show_row(file, shown, row, width);
    }
    if (last)
        (void)fprintf(file, "\n");
}

/* The counts of one line of the summary. */
struct closure_sums {
    uint32_t rows, verdict[CLOSURE_VERDICTS], errors;
    uint32_t unexplained; /* known misses without a reason */
    double error_sum, worst;
};

static void count(struct closure_sums *sums, const struct closure_row *row)
{
    const double error = fabs(row->error);
    sums->rows++;
    sums->verdict[row->verdict]++;
    sums->unexplained += row->verdict == CLOSURE_KNOWN && !row->note[0];
    if (isnan(error) || row->kind == POINT_INFO)
        return;
    sums->errors++;
    sums->error_sum += error;
    sums->worst = fmax(sums->worst, error);
}

static void show_sums(FILE *file, const char *title, const struct closure_sums *s)
{
    (void)fprintf(file, "%-12s  %6u  %6u  %6u  %6u  %6u  %6u  %6u", title, s->rows,
                  s->verdict[CLOSURE_WITHIN], s->verdict[CLOSURE_KNOWN], s->verdict[CLOSURE_OFF],
                  s->verdict[CLOSURE_WORSE], s->verdict[CLOSURE_NEEDLESS],
                  s->verdict[CLOSURE_FAILED]);
    if (s->errors)
        (void)fprintf(file, "  %8.2f %%  %8.2f %%", 100.0 * s->error_sum / s->errors,
                      100.0 * s->worst);
    (void)fprintf(file, "\n");
}

static void show_summary(FILE *file, const struct closure_shown *shown)
{
    struct closure_sums all = {.rows = 0}, kinds[POINT_KINDS] = {{.rows = 0}};
    for (uint32_t i = 0; i < shown->closure->rows; i++) {
        const struct closure_row *row = &shown->closure->row[i];
        count(&kinds[row->kind], row);
        if (row->kind != POINT_INFO)
            count(&all, row);
    }
    (void)fprintf(file, "%-12s  %6s  %6s  %6s  %6s  %6s  %6s  %6s  %10s  %10s\n", "kind", "points",
                  "ok", "known", "off", "worse", "needl.", "failed", "mean error", "worst");
    for (int i = 0; i < POINT_KINDS; i++)
        if (kinds[i].rows)
            show_sums(file, point_kind_names[i], &kinds[i]);
    show_sums(file, "judged", &all);
    if (all.unexplained)
        (void)fprintf(file, "%u known misses have no reason (closure-reasons.csv).\n",
                      all.unexplained);
    if (shown->closure->unknown)
        (void)fprintf(file,
                      "%u more points were not run: no value of the hardware is known for them.\n",
                      shown->closure->unknown);
    if (shown->closure->slow)
        (void)fprintf(file, "%u more points were not run: they are slow (--quick).\n",
                      shown->closure->slow);
}

void closure_show(FILE *file, const struct closure_shown *shown)
{
    (void)fprintf(file, "%s: points of %s, simulated, beside %s\n\n", shown->config->gpu_name,
                  shown->tables, shown->data);
    show_rows(file, shown);
    show_summary(file, shown);
}

static void csv_number(FILE *file, double value, bool given)
{
    if (given && isfinite(value))
        (void)fprintf(file, "%.9g", value);
    (void)fputc(',', file);
}

bool closure_write_csv(FILE *file, const struct closure_shown *shown)
{
    (void)fprintf(file,
                  "file,point,kind,unit,hardware,min,max,trust,simulated,error,verdict,note\n");
    for (uint32_t i = 0; i < shown->closure->rows; i++) {
        const struct closure_row *row = &shown->closure->row[i];
        const struct fact *fact = row->fact;
        csv_cell(file, row->table->name, ',');
        csv_cell(file, row->name, ',');
        csv_cell(file, point_kind_names[row->kind], ',');
        csv_cell(file, fact->unit, ',');
        if (fact->list)
            (void)fprintf(file, "%s,", fact->list);
        else
            csv_number(file, fact->value, true);
        csv_number(file, fact->min, !fact->list);
        csv_number(file, fact->max, !fact->list);
        csv_cell(file, fact->trust, ',');
        if (row->list)
            (void)fprintf(file, "%s,", row->list);
        else
            csv_number(file, row->simulated, row->verdict != CLOSURE_FAILED);
        csv_number(file, row->error, true);
        csv_cell(file, closure_verdict_names[row->verdict], ',');
        csv_cell(file, row->note, '\n');
    }
    return true;
}
