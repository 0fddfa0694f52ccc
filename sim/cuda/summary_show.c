/* The page at the end of a program: its kinds of launches, and the short reports of the heaviest.
 */
#include "cuda/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "config/schema.h"
#include "report/quantity.h"

enum { HEAVIEST = 3, NAME_WIDTH = 28 };

const char *summary_extent(const uint32_t size[3], char text[40])
{
    if (size[2] > 1)
        (void)snprintf(text, 40, "%ux%ux%u", size[0], size[1], size[2]);
    else if (size[1] > 1)
        (void)snprintf(text, 40, "%ux%u", size[0], size[1]);
    else
        (void)snprintf(text, 40, "%u", size[0]);
    return text;
}

void summary_cut_name(const char *brief, char *text, size_t size)
{
    char clean[64];
    const size_t length = strlen(printable(brief, clean, sizeof clean));
    (void)snprintf(text, size + 1, "%.*s%s", (int)(length > size ? size - 3 : size), clean,
                   length > size ? "..." : "");
}

/* Returns whether no earlier kind is of the same kernel. */
static bool is_first_of_kernel(const struct summary_kind *kind, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (kind[k].identity == kind[i].identity)
            return false;
    return true;
}

/* Sets the names that the tables show. Kernels with the same cut name get a number. */
static void name_kinds(struct summary *summary)
{
    struct summary_kind *kind = summary_kinds(summary);
    for (size_t i = 0; i < summary->kinds.count; i++) {
        size_t alike = 0;
        bool named = false;
        summary_cut_name(kind[i].brief, kind[i].shown, SUMMARY_NAME);
        for (size_t k = 0; k < i && !named; k++) {
            named = kind[k].identity == kind[i].identity;
            if (named)
                memcpy(kind[i].shown, kind[k].shown, sizeof kind[i].shown);
        }
        for (size_t k = 0; k < i && !named; k++) {
            char plain[SUMMARY_NAME + 1];
            summary_cut_name(kind[k].brief, plain, SUMMARY_NAME);
            alike += strcmp(plain, kind[i].shown) == 0 && is_first_of_kernel(kind, k);
        }
        if (alike) {
            char number[24];
            const int length = snprintf(number, sizeof number, " #%zu", alike + 1);
            summary_cut_name(kind[i].brief, kind[i].shown, SUMMARY_NAME - (size_t)length);
            memcpy(kind[i].shown + strlen(kind[i].shown), number, (size_t)length + 1);
        }
    }
}

static void print_launch(const struct journal_launch *row, int width, FILE *file)
{
    char grid[40], block[40], name[SUMMARY_NAME + 1];
    summary_cut_name(row->brief, name, SUMMARY_NAME);
    (void)fprintf(file, "%6llu  %-*s %11s %9s", (unsigned long long)row->number, width, name,
                  summary_extent(row->launch.grid, grid), summary_extent(row->launch.block, block));
    struct quantity instructions = quantity_count((double)row->warp_instructions);
    const char *interrupted = row->interrupted ? ", interrupted" : "";
    if (!journal_has_figures(row)) {
        (void)fprintf(file, " %10s %9s %9s %6s %7s  not timed%s\n", "-", "-", instructions.text,
                      "-", "-", interrupted);
        return;
    }
    char mostly[64] = "nothing";
    if (row->mark == SAMPLE_COPY)
        (void)snprintf(mostly, sizeof mostly, "as launch %llu, exactly",
                       (unsigned long long)row->like);
    else if (row->mark == SAMPLE_ESTIMATED)
        (void)snprintf(mostly, sizeof mostly, "extrapolated");
    else if (row->state_percent > 0)
        (void)snprintf(mostly, sizeof mostly, "%s %.0f %%", simsm_states[row->state].title,
                       row->state_percent);
    char blocks[64] = "";
    if (row->mark == SAMPLE_BLOCKS)
        (void)snprintf(blocks, sizeof blocks, ", %llu of %llu blocks timed",
                       (unsigned long long)row->blocks_timed,
                       (unsigned long long)simsm_grid_blocks(&row->launch));
    (void)fprintf(file, " %10llu %9s %9s %6s %7s  %s%s%s\n", (unsigned long long)row->cycles,
                  quantity_time(row->ns).text, instructions.text, quantity_ratio(row->ipc).text,
                  quantity_percent(row->occupancy_percent).text, mostly, blocks, interrupted);
}

static int by_number(const void *a, const void *b)
{
    const struct journal_launch *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* With --concurrent, launches end in another order than they were made in. */
static void print_launches(struct summary *summary, FILE *file)
{
    const uint64_t rows =
        summary->launches < SUMMARY_LAUNCHES ? summary->launches : SUMMARY_LAUNCHES;
    qsort(summary->row, rows, sizeof *summary->row, by_number);
    (void)fprintf(file, "\nLaunches\n%6s  %-*s %11s %9s %10s %9s %9s %6s %7s  %s\n", "", NAME_WIDTH,
                  "kernel", "grid", "block", "cycles", "time", "warp inst", "IPC", "occup.",
                  "warps mostly");
    for (uint64_t i = 0; i < rows; i++)
        print_launch(&summary->row[i], NAME_WIDTH, file);
    if (summary->launches > rows)
        (void)fprintf(file, "        ... and %llu more; --table FILE writes them all\n",
                      (unsigned long long)(summary->launches - rows));
}

static void print_transfers(const struct summary *summary, FILE *file)
{
    bool begun = false;
    for (int i = 0; i < TRANSFER_COUNT; i++) {
        const struct summary_transfer *t = &summary->transfer[i];
        if (t->count == 0)
            continue;
        if (!begun)
            (void)fprintf(file, "\nMemory operations (time estimated)\n");
        begun = true;
        (void)fprintf(file, "        %-*s %11llu %9s %10s %9s\n", NAME_WIDTH,
                      journal_transfer_names[i], (unsigned long long)t->count, "",
                      quantity_bytes((double)t->bytes).text, quantity_time(t->ns).text);
    }
}

/* The kinds with digests that take longest, the longest first. Returns their number. */
static size_t find_heaviest(const struct summary *summary,
                            const struct summary_kind *list[HEAVIEST])
{
    size_t count = 0;
    for (size_t i = 0; i < summary->kinds.count; i++) {
        const struct summary_kind *kind = &summary_kinds(summary)[i];
        if (!kind->digest || (count == HEAVIEST && kind->ns <= list[count - 1]->ns))
            continue;
        size_t at = count < HEAVIEST ? count++ : count - 1;
        for (; at && list[at - 1]->ns < kind->ns; at--)
            list[at] = list[at - 1];
        list[at] = kind;
    }
    return count;
}

/* Where to look next in a program: `again` is "simsm run CONFIG -- PROGRAM". */
static void print_next_of_program(const char *again, const char *program, uint64_t launch,
                                  const struct report_style *style, FILE *file)
{
    char full[512], timeline[512], view[64];
    const int length = (int)(program - again);
    const unsigned long long number = launch;
    (void)snprintf(full, sizeof full, "%.*s --launches %llu:%llu --full%s", length, again, number,
                   number + 1, program);
    (void)snprintf(timeline, sizeof timeline, "%.*s --launches %llu:%llu --timeline run.smtl%s",
                   length, again, number, number + 1, program);
    (void)snprintf(view, sizeof view, "simsm view run.%llu.smtl", number);
    const struct next_step steps[] = {{full, "all figures"},
                                      {timeline, "what each warp does,"},
                                      {view, "in a window (in a terminal: simsm tui)"},
                                      {NULL, NULL}};
    digest_print_next(steps, style, file);
}

static void print_next(const struct summary *summary, uint64_t launch,
                       const struct report_style *style, FILE *file)
{
    const char *again = summary->again ? summary->again : "";
    const char *program = strstr(again, " -- ");
    char full[512], view[512];
    if (program)
        print_next_of_program(again, program, launch, style, file);
    if (program || strncmp(again, "simsm ", 6) != 0)
        return;
    (void)snprintf(full, sizeof full, "%s --launch-number %llu --full", again,
                   (unsigned long long)launch);
    (void)snprintf(view, sizeof view, "simsm view %s --launch-number %llu", again + 6,
                   (unsigned long long)launch);
    const struct next_step steps[] = {
        {full, "all figures"}, {view, "what each warp does, cycle by cycle"}, {NULL, NULL}};
    digest_print_next(steps, style, file);
}

/* Prints the short reports of the heaviest kinds. */
static void print_heaviest(const struct summary *summary, struct report_style *style, FILE *file)
{
    const struct summary_kind *list[HEAVIEST];
    const size_t count = find_heaviest(summary, list);
    for (size_t i = 0; i < count; i++) {
        char place[96] = "";
        if (list[i]->calls > 1)
            (void)snprintf(place, sizeof place, " (launch %llu, the longest of %llu)",
                           (unsigned long long)list[i]->longest,
                           (unsigned long long)list[i]->calls);
        else if (summary->launches > 1)
            (void)snprintf(place, sizeof place, " (launch %llu)",
                           (unsigned long long)list[i]->longest);
        (void)fputc('\n', file);
        digest_print(list[i]->digest, place, style, file);
    }
    if (count)
        print_next(summary, list[0]->longest, style, file);
}

static void print_title(const struct summary *summary, const struct report_style *style, FILE *file)
{
    char name[128];
    double ns = 0;
    uint64_t copies = 0;
    for (size_t i = 0; i < summary->kinds.count; i++) {
        ns += summary_kinds(summary)[i].ns;
        copies += summary_kinds(summary)[i].copies;
    }
    report_colour(file, style, COLOUR_TITLE);
    (void)fprintf(file, "Program on %s: %llu launch%s",
                  printable(summary->config->gpu_name, name, sizeof name),
                  (unsigned long long)summary->launches, summary->launches == 1 ? "" : "es");
    if (ns > 0)
        (void)fprintf(file, ", %s in kernels", quantity_time(ns).text);
    report_colour(file, style, COLOUR_NONE);
    (void)fprintf(file, " (timing %s)\n",
                  schema_choice_name(SCHEMA_gpu_timing, summary->config->gpu_timing));
    if (copies)
        (void)fprintf(
            file, "%llu launch%s exactly, and take%s its time; --repeats simulates them again\n",
            (unsigned long long)copies,
            copies == 1 ? " repeats an earlier one" : "es repeat earlier ones",
            copies == 1 ? "s" : "");
}

/* Sums up the memory operations in one row of the short report. `apart`: after an empty line. */
static void print_copies(const struct summary *summary, const struct report_style *style,
                         FILE *file, bool apart)
{
    char note[400] = "";
    double ns = 0;
    for (int i = 0; i < TRANSFER_COUNT; i++) {
        const struct summary_transfer *t = &summary->transfer[i];
        const size_t used = strlen(note);
        ns += t->ns;
        if (t->count)
            (void)snprintf(note + used, sizeof note - used, "%s%llu %s (%s)", used ? ", " : "",
                           (unsigned long long)t->count, journal_transfer_names[i],
                           quantity_bytes((double)t->bytes).text);
    }
    if (note[0] && apart)
        (void)fputc('\n', file);
    if (note[0])
        digest_print_row("copies", quantity_time(ns).text, note, style, file);
}

/* Prints the advice about copies during which no kernel runs. */
static void print_overlap(const struct summary *summary, const struct report_style *style,
                          FILE *file)
{
    struct copy_price price;
    char note[sizeof price.figure + 120];
    if (!summary_copy_price(summary, &price))
        return;
    (void)snprintf(note, sizeof note, "at most, of the time of kernels and copies: %s",
                   price.figure);
    digest_print_row("copies alone", quantity_percent(100 * price.share).text, note, style, file);
    digest_print_row("", "", copy_overlap_remedy, style, file);
}

/* A program with one launch has the short report of this launch. */
static void print_single(const struct summary *summary, struct report_style *style, FILE *file)
{
    const struct summary_kind *kind = summary_kinds(summary);
    char place[160], name[96];
    (void)snprintf(place, sizeof place, " on %s (timing %s)",
                   printable(summary->config->gpu_name, name, sizeof name),
                   schema_choice_name(SCHEMA_gpu_timing, summary->config->gpu_timing));
    digest_print(kind->digest, place, style, file);
    print_copies(summary, style, file, false);
    print_next(summary, kind->longest, style, file);
}

void summary_print(struct summary *summary, struct report_style *style, FILE *file)
{
    if (summary->launches == 0)
        return;
    name_kinds(summary);
    if (!style->full && summary->launches == 1 && summary->ranges.pool.count == 0 &&
        summary_kinds(summary)->digest) {
        print_single(summary, style, file);
        return;
    }
    print_title(summary, style, file);
    if (style->full)
        print_launches(summary, file);
    summary_print_table(summary, style, file);
    if (style->full) {
        print_transfers(summary, file);
        print_overlap(summary, style, file);
    } else {
        print_copies(summary, style, file, true);
        print_overlap(summary, style, file);
        print_heaviest(summary, style, file);
    }
}
