/* Shows the difference of two runs as text or Markdown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "diff/diff.h"
#include "diff/sheet.h"
#include "diff/source_text.h"

enum { CELL = 400, MAIN_KERNELS = 3, MAIN_ROWS = 10 };

struct show {
    FILE *file;
    const struct diff *diff;
    bool markdown, all;
};

/* "+12.3 %", "4.90 x"; "new" and "gone" where one value is 0. */
static const char *change_text(double a, double b, char text[CELL])
{
    const double ratio = b / a;
    if (isnan(a) || isnan(b) || (a == 0 && b == 0))
        (void)snprintf(text, CELL, "-");
    else if (a == 0 || b == 0)
        (void)snprintf(text, CELL, a == 0 ? "new" : "gone");
    else if (ratio < 2)
        (void)snprintf(text, CELL, "%+.1f %%", 100 * (ratio - 1));
    else
        (void)snprintf(text, CELL, "%s x", quantity_ratio(ratio).text);
    return text;
}

static bool differs(double a, double b, double threshold)
{
    if (isnan(a) || isnan(b))
        return false;
    return fabs(b - a) >= threshold * fmax(fabs(a), fabs(b)) && a != b;
}

static const char *size_text(const uint32_t grid[3], const uint32_t block[3], char text[CELL])
{
    (void)snprintf(text, CELL, "%ux%ux%u, %ux%ux%u", grid[0], grid[1], grid[2], block[0], block[1],
                   block[2]);
    return text;
}

/* Writes what both sides are called if they differ: "old -> new". */
static const char *both(const char *a, const char *b, char text[CELL])
{
    if (!a || !b || strcmp(a, b) == 0)
        (void)snprintf(text, CELL, "%s", a ? a : b);
    else
        (void)snprintf(text, CELL, "%.150s -> %.150s", a, b);
    return text;
}

static void pair_title(const struct diff_pair *pair, char text[CELL])
{
    char names[CELL], first[CELL], second[CELL], sizes[CELL];
    const struct diff_kernel *a = pair->a, *b = pair->b;
    (void)both(a ? a->name : NULL, b ? b->name : NULL, names);
    (void)both(a ? size_text(a->grid, a->block, first) : NULL,
               b ? size_text(b->grid, b->block, second) : NULL, sizes);
    (void)snprintf(text, CELL, "%.290s (%.100s)", names, sizes);
}

static bool write_kernels(const struct show *show)
{
    const struct diff *diff = show->diff;
    struct sheet sheet = {
        .title = "Kernels",
        .columns = 6,
        .texts = 1,
        .text_last = true,
        .heading = {"kernel (grid, block)", "launches", "cycles A", "cycles B", "change", "why"}};
    size_t same = 0;
    for (size_t i = 0; i < diff->pairs; i++) {
        const struct diff_pair *pair = &diff->pair[i];
        char title[CELL], launches[CELL], change[CELL], a_calls[32], b_calls[32];
        const double a = pair->a ? pair->a->side.cycles : NAN;
        const double b = pair->b ? pair->b->side.cycles : NAN;
        if (pair->a && pair->b && pair->change.noise && !show->all) {
            same++;
            continue;
        }
        pair_title(pair, title);
        (void)snprintf(a_calls, sizeof a_calls, "%.0f", pair->a ? pair->a->side.calls : 0);
        (void)snprintf(b_calls, sizeof b_calls, "%.0f", pair->b ? pair->b->side.calls : 0);
        (void)change_text(pair->a ? speed_side_time(&pair->a->side) : 0,
                          pair->b ? speed_side_time(&pair->b->side) : 0, change);
        const char *why = pair->change.causes ? pair->change.cause[0].phrase : "";
        const char *const cells[] = {title,
                                     both(a_calls, b_calls, launches),
                                     quantity_count(a).text,
                                     quantity_count(b).text,
                                     change,
                                     !pair->a   ? "only in B"
                                     : !pair->b ? "only in A"
                                                : why};
        sheet_add(&sheet, cells);
    }
    const bool good = sheet_write(&sheet, show->file, show->markdown);
    if (same)
        (void)fprintf(show->file, "%zu kernel%s with less than %.3g %% of difference.\n\n", same,
                      same == 1 ? "" : "s", 100 * diff->threshold);
    return good;
}

static bool write_figures(const struct show *show, const struct diff_pair *pair)
{
    const struct speed_side *a = &pair->a->side, *b = &pair->b->side;
    struct sheet sheet = {.title = "Figures that changed",
                          .columns = 4,
                          .texts = 1,
                          .heading = {"figure", "A", "B", "change"}};
    for (unsigned i = 0; i < SPEED_FIGURES; i++) {
        const double x = speed_figure_value(i, a), y = speed_figure_value(i, b);
        char change[CELL];
        if (!speed_figure_name(i) || !differs(x, y, show->diff->threshold))
            continue;
        const char *const cells[] = {speed_figure_name(i), speed_figure_text(i, x).text,
                                     speed_figure_text(i, y).text, change_text(x, y, change)};
        sheet_add(&sheet, cells);
    }
    return sheet_write(&sheet, show->file, show->markdown);
}

static double live_of(const struct speed_side *side)
{
    double sum = 0;
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++)
        sum += side->state[s];
    return sum;
}

static bool write_states(const struct show *show, const struct diff_pair *pair)
{
    const struct speed_side *a = &pair->a->side, *b = &pair->b->side;
    const double most = fmax(live_of(a), live_of(b));
    struct sheet sheet = {.title = "What warps spent their cycles on",
                          .columns = 4,
                          .texts = 1,
                          .heading = {"state", "cycles A", "cycles B", "change"}};
    for (unsigned s = SIMSM_STATE_ISSUED; s < SIMSM_STATE_COUNT; s++) {
        char change[CELL];
        if (fabs(b->state[s] - a->state[s]) < show->diff->threshold * most)
            continue;
        const char *const cells[] = {simsm_states[s].title, quantity_count(a->state[s]).text,
                                     quantity_count(b->state[s]).text,
                                     change_text(a->state[s], b->state[s], change)};
        sheet_add(&sheet, cells);
    }
    return sheet_write(&sheet, show->file, show->markdown);
}

/* Writes the place of a line without folders: "transpose.cu:13", "13" in a trace. `file` false:
 * without the file. */
static void one_place(const struct diff_line *line, bool file, char text[CELL])
{
    const char *slash = line->file ? strrchr(line->file, '/') : NULL;
    const char *name = slash ? slash + 1 : line->file;
    text[0] = '\0';
    if (line->line && name && file)
        (void)snprintf(text, CELL, "%.100s:%u", name, line->line);
    else if (line->line)
        (void)snprintf(text, CELL, "%u", line->line);
}

/* Writes the place of a line in both runs: "transpose.cu:13 -> 15". */
static void place_text(const struct diff_line_pair *line, char text[CELL])
{
    char first[CELL], second[CELL];
    const struct diff_line *a = &line->a, *b = &line->b;
    const bool same = a->file && b->file && strcmp(a->file, b->file) == 0;
    one_place(a, true, first);
    one_place(b, !same || a->line == b->line, second);
    (void)both(a->text ? first : NULL, b->text ? second : NULL, text);
}

/* Returns the text of a line: the instruction, or the line of the source if its file is found. */
static const char *words_of(const struct diff_line_pair *line, char text[CELL])
{
    const struct diff_line *known = line->b.text ? &line->b : &line->a;
    if (known->text && *known->text)
        (void)snprintf(text, CELL, "%s", known->text);
    else
        source_text(known->file, known->line, text, CELL);
    return text;
}

static bool write_lines(const struct show *show, const char *title, const struct diff_lines *lines,
                        double most)
{
    struct sheet sheet = {.title = title,
                          .columns = 5,
                          .texts = 1,
                          .text_last = true,
                          .heading = {"line", "cycles A", "cycles B", "change", "text"}};
    for (size_t i = 0; i < lines->lines && (show->all || i < MAIN_ROWS); i++) {
        const struct diff_line_pair *line = &lines->line[i];
        char place[CELL], text[CELL], change[CELL];
        if (fabs(line->b.cycles - line->a.cycles) < show->diff->threshold * most)
            break;
        place_text(line, place);
        (void)snprintf(change, sizeof change, "%s",
                       !line->a.text   ? "added"
                       : !line->b.text ? "removed"
                                       : "");
        if (!change[0])
            (void)change_text(line->a.cycles, line->b.cycles, change);
        const char *const cells[] = {
            place, line->a.text ? quantity_count(line->a.cycles).text : "-",
            line->b.text ? quantity_count(line->b.cycles).text : "-", change, words_of(line, text)};
        sheet_add(&sheet, cells);
    }
    return sheet_write(&sheet, show->file, show->markdown);
}

static bool write_code(const struct show *show, const struct diff_pair *pair)
{
    struct diff_lines instructions = {0}, sources = {0};
    const double most = fmax(live_of(&pair->a->side), live_of(&pair->b->side));
    bool good =
        diff_match_instructions(pair, &instructions) && diff_match_sources(&instructions, &sources);
    if (good)
        good = write_lines(show, "Source lines: cycles of warps before them", &sources, most) &&
               write_lines(show, "Instructions: cycles of warps before them", &instructions, most);
    free(instructions.line);
    free(sources.line);
    return good;
}

static bool write_pair(const struct show *show, const struct diff_pair *pair)
{
    char title[CELL];
    pair_title(pair, title);
    (void)fprintf(show->file,
                  show->markdown ? "<details><summary>%s</summary>\n\n%s.\n\n" : "%s: %s.\n\n",
                  title, pair->change.sentence);
    const bool good = write_figures(show, pair) && write_states(show, pair) &&
                      (!pair->a->lines || !pair->b->lines || write_code(show, pair));
    if (show->markdown)
        (void)fputs("</details>\n\n", show->file);
    return good;
}

static void write_sides(const struct show *show)
{
    const struct diff *diff = show->diff;
    const struct diff_run *const run[2] = {diff->a, diff->b};
    const char *const name[2] = {diff->a_name, diff->b_name};
    for (int i = 0; i < 2; i++) {
        char calls[64];
        (void)snprintf(calls, sizeof calls, "%s launch%s", quantity_count(run[i]->total.calls).text,
                       run[i]->total.calls == 1 ? "" : "es");
        (void)fprintf(show->file, "%s%c: %s on %s%s%s, %s, %s, %s\n", show->markdown ? "- " : "  ",
                      'A' + i, name[i], run[i]->gpu, *run[i]->settings ? " with " : "",
                      run[i]->settings, calls, quantity_of(run[i]->total.cycles, "cycle").text,
                      quantity_time(speed_side_time(&run[i]->total)).text);
    }
    (void)fputc('\n', show->file);
}

static enum simsm_status write_all(const struct show *show, struct simsm_error *error)
{
    const struct diff *diff = show->diff;
    size_t shown = 0;
    (void)fprintf(show->file, show->markdown ? "**%s.**\n\n" : "%s.\n\n", diff->sentence);
    write_sides(show);
    bool good = diff->pairs == 1 || write_kernels(show);
    for (size_t i = 0; i < diff->pairs && good && (show->all || shown < MAIN_KERNELS); i++) {
        const struct diff_pair *pair = &diff->pair[i];
        if (!pair->a || !pair->b || pair->change.noise)
            continue;
        good = write_pair(show, pair);
        shown++;
    }
    return good ? SIMSM_OK : err_no_memory(error);
}

enum simsm_status diff_show_text(FILE *file, const struct diff *diff, bool all,
                                 struct simsm_error *error)
{
    const struct show show = {.file = file, .diff = diff, .all = all};
    return write_all(&show, error);
}

enum simsm_status diff_show_markdown(FILE *file, const struct diff *diff, bool all,
                                     struct simsm_error *error)
{
    const struct show show = {.file = file, .diff = diff, .all = all, .markdown = true};
    return write_all(&show, error);
}
