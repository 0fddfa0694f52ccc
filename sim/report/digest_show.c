/* Prints the short report: one row for each answer, with a word of explanation once per output. */
#include <stdbool.h>
#include <string.h>

#include "base/printable.h"
#include "draw/label.h"
#include "report/digest.h"
#include "report/quantity.h"

enum { LABEL = 14, VALUE = 9, NOTE = 2 + LABEL + VALUE };

static void label(FILE *file, const char *text)
{
    (void)fprintf(file, "  %-*s", LABEL, text);
}

void digest_print_row(const char *name, const char *value, const char *note,
                      const struct report_style *style, FILE *file)
{
    label(file, name);
    (void)fprintf(file, "%-*s", VALUE, value);
    report_wrap(file, style, NOTE, COLOUR_NONE, note);
}

static void row(const struct report_style *style, FILE *file, const char *name,
                struct quantity value, const char *note)
{
    digest_print_row(name, value.text, note, style, file);
}

static void print_time(const struct digest *d, const struct report_style *style, FILE *file)
{
    char note[160];
    int length = snprintf(note, sizeof note, "%llu cycles at %g MHz", (unsigned long long)d->cycles,
                          d->clock_mhz);
    if (d->launch_percent >= 1)
        (void)snprintf(note + length, sizeof note - (size_t)length,
                       "; %.0f %% of them before the first block starts", d->launch_percent);
    row(style, file, "time", quantity_time(d->ns), note);
}

/* Appends the meaning of a state, without its last parts if it is too long for the line. */
static void explain_state(char *note, size_t size, size_t columns, const char *meaning)
{
    const size_t title = strlen(note);
    (void)snprintf(note + title, size - title, ": %s", meaning);
    for (size_t end = strlen(note); strlen(note) > columns && end > title + 2; end--)
        if (strchr(",:", note[end - 1]))
            note[end - 1] = '\0';
}

/* Explains figures that are no common knowledge, if the output has not explained them yet. */
static void print_figures(const struct digest *d, const struct report_style *style, FILE *file)
{
    const bool explain = !style->explained;
    char note[240];
    (void)snprintf(note, sizeof note,
                   explain ? "of an SM's %u places for warps (of 32 threads each) are taken"
                           : "of %u warps",
                   d->warp_places);
    row(style, file, "occupancy", quantity_percent(d->occupancy_percent), note);
    (void)snprintf(note, sizeof note,
                   explain ? "instructions that an SM issues per cycle, of at most %u" : "of %u",
                   d->issue_max);
    row(style, file, "IPC", quantity_ratio(d->ipc), note);
    (void)snprintf(note, sizeof note, "%s", simsm_states[d->state].title);
    if (explain)
        explain_state(note, sizeof note, style->width - NOTE, simsm_states[d->state].meaning);
    if (d->state_percent > 0)
        row(style, file, "warps mostly", quantity_percent(d->state_percent), note);
    if (!d->line[0])
        return;
    (void)snprintf(note, sizeof note, "%s%s%s", explain ? "of the warps' cycles: " : "", d->line,
                   explain && d->no_source ? " (nvcc -lineinfo names it)" : "");
    row(style, file, "worst line", quantity_percent(d->line_percent), note);
}

static void print_limit(const struct digest *d, const struct report_style *style, FILE *file)
{
    label(file, "limit");
    report_wrap(file, style, 2 + LABEL, COLOUR_LIMIT, d->sentence);
    const bool several = d->advice[1][0] != '\0';
    for (unsigned i = 0; i < DIGEST_ADVICES && d->advice[i][0]; i++) {
        label(file, i ? "" : "try");
        if (several)
            (void)fprintf(file, "%u  ", i + 1);
        report_wrap(file, style, 2 + LABEL + (several ? 3 : 0), COLOUR_ADVICE, d->advice[i]);
    }
}

void digest_print(const struct digest *digest, const char *place, struct report_style *style,
                  FILE *file)
{
    char title[sizeof digest->subject + 160];
    if (digest->interrupted[0])
        report_wrap(file, style, 0, COLOUR_LIMIT, digest->interrupted);
    (void)snprintf(title, sizeof title, "%s%s", digest->subject, place);
    report_wrap(file, style, 0, COLOUR_TITLE, title);
    print_time(digest, style, file);
    print_figures(digest, style, file);
    if (digest->limit[0]) {
        print_limit(digest, style, file);
    } else if (digest->shared) {
        label(file, "limit");
        report_wrap(file, style, 2 + LABEL, COLOUR_NONE,
                    "not judged: other launches shared the GPU, so its memory traffic is not "
                    "known");
    }
    style->explained = true;
}

/*
 * Writes a command from column `column` on. A command that is too long for the line continues on
 * further lines, behind backslashes, so that it can still be copied into a shell. Words in quotes
 * are not parted.
 */
static void print_command(FILE *file, const struct report_style *style, unsigned column,
                          const char *text)
{
    unsigned at = column;
    while (*text) {
        size_t word = 0;
        for (bool quoted = false; text[word] && (quoted || text[word] != ' '); word++)
            quoted ^= text[word] == '\'';
        if (at > column && at + 1 + word + 2 > style->width) {
            (void)fprintf(file, " \\\n%*s", (int)column + 2, "");
            at = column + 2;
        } else if (at > column) {
            (void)fputc(' ', file);
            at++;
        }
        (void)fwrite(text, 1, word, file);
        at += (unsigned)word;
        text += word;
        text += *text == ' ';
    }
}

void digest_print_next(const struct next_step step[], const struct report_style *style, FILE *file)
{
    enum { COMMAND = 1024 };
    unsigned width = 0;
    for (size_t i = 0; step[i].command; i++)
        width = label_width(step[i].command) > width ? label_width(step[i].command) : width;
    const bool beside = 2 + LABEL + width + 2 + 30 <= style->width;
    for (size_t i = 0; step[i].command; i++) {
        char command[COMMAND];
        label(file, i ? "" : "next");
        report_colour(file, style, COLOUR_COMMAND);
        print_command(file, style, 2 + LABEL, printable(step[i].command, command, sizeof command));
        report_colour(file, style, COLOUR_NONE);
        if (beside)
            (void)fprintf(file, "%*s  %s", (int)(width - label_width(step[i].command)), "",
                          step[i].shows);
        (void)fputc('\n', file);
    }
}
