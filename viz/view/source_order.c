/* The rows of the screen Source, and their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "language/language.h"
#include "report/costly.h"
#include "report/quantity.h"
#include "view/view_source.h"

const struct source_sort source_sorts[SOURCE_ORDER_COUNT] = {
    [SOURCE_CODE] = {N_("code"), N_("in the order of the code"), N_("from the end of the code")},
    [SOURCE_INSTRUCTIONS] = {N_("hottest first"), N_("the hottest instructions first"),
                             N_("the instructions with the fewest warp cycles first")},
    [SOURCE_LINES] = {N_("source lines"), N_("the hottest source lines first"),
                      N_("the source lines with the fewest warp cycles first")},
    [SOURCE_NAMES] = {N_("by name"), N_("instructions by name"),
                      N_("instructions by name, from Z")},
    [SOURCE_ISSUES] = {N_("most issued"), N_("the most issued first"),
                       N_("the least issued first")},
    [SOURCE_LANES] = {N_("fewest lanes"), N_("the fewest active lanes first"),
                      N_("the most active lanes first")},
    [SOURCE_SECTORS] = {N_("most sectors"), N_("the most sectors of a request first"),
                        N_("the fewest sectors of a request first")},
    [SOURCE_HITS] = {N_("fewest L1 hits"), N_("the fewest L1 hits first"),
                     N_("the most L1 hits first")},
};

bool source_memory(const struct view *view, uint32_t index, bool whole_line,
                   struct source_memory *memory)
{
    const struct timeline_info *info = run_info(view->run);
    struct costly_line line, more;
    if (!info->stats)
        return false;
    costly_instruction(info->stats, index, &line);
    for (uint32_t i = 0; whole_line && i < info->line_count; i++)
        if (i != index && info->lines[i].line == info->lines[index].line &&
            info->lines[i].file == info->lines[index].file) {
            costly_instruction(info->stats, i, &more);
            costly_add(&line, &more);
        }
    if (!line.requests)
        return false;
    memory->sectors = costly_sectors(&line);
    memory->least = costly_sectors_least(&line);
    memory->hits = line.load_sectors ? costly_hit_percent(&line) : NAN;
    (void)snprintf(memory->sectors_text, sizeof memory->sectors_text, "%s/%s",
                   quantity_ratio(memory->sectors).text, quantity_ratio(memory->least).text);
    (void)snprintf(memory->hits_text, sizeof memory->hits_text, "%s",
                   line.load_sectors ? quantity_percent(memory->hits).text : "");
    return true;
}

static struct source_row *rows_of_code(const struct timeline_info *info, uint32_t *count)
{
    struct source_row *rows = calloc(2 * (size_t)info->line_count, sizeof *rows);
    *count = 0;
    for (uint32_t i = 0; rows && i < info->line_count; i++) {
        const struct timeline_line *line = &info->lines[i];
        const struct timeline_line *before = i ? line - 1 : NULL;
        if (line->file && line->line &&
            (!before || line->line != before->line || line->file != before->file))
            rows[(*count)++] = (struct source_row){.line = i, .head = true};
        rows[(*count)++] = (struct source_row){.line = i};
        SIMSM_CHECK(*count <= 2 * (i + 1), "%u rows of %u lines", *count, i + 1);
    }
    return rows;
}

/* Returns what an order compares, the larger first; -INFINITY for a row without a value. */
static double key_of(const struct view *view, const struct source_row *row,
                     const struct track_line *sums)
{
    struct source_memory memory;
    double key = 0;
    switch (view->options.source) {
    case SOURCE_INSTRUCTIONS:
    case SOURCE_LINES:
        key = (double)row->cycles;
        break;
    case SOURCE_ISSUES:
        key = (double)sums->issues;
        break;
    case SOURCE_LANES:
        key = sums->issues ? -(double)sums->threads / (double)sums->issues : NAN;
        break;
    case SOURCE_SECTORS:
        key = source_memory(view, row->line, false, &memory) ? memory.sectors : NAN;
        break;
    case SOURCE_HITS:
        key = source_memory(view, row->line, false, &memory) ? -memory.hits : NAN;
        break;
    default:
        key = -(double)row->line;
        break;
    }
    return isnan(key) ? -INFINITY : view->options.source_backward ? -key : key;
}

static int by_key(const void *a, const void *b)
{
    const struct source_row *x = a, *y = b;
    if (x->key > y->key || x->key < y->key)
        return x->key > y->key ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int by_name(const void *a, const void *b)
{
    const struct source_row *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : by_key(a, b);
}

/* Sorts rows by operation: their keys become their ranks. */
static void sort_by_name(const struct view *view, struct source_row *rows, uint32_t count)
{
    const struct timeline_info *info = run_info(view->run);
    for (uint32_t i = 0; i < count; i++)
        rows[i].name = view_operation(info->lines[rows[i].line].text);
    qsort(rows, count, sizeof *rows, by_name);
    for (uint32_t i = 0; i < count; i++)
        rows[i].key = view->options.source_backward ? i : -(double)i;
}

struct source_row *source_rows(const struct view *view, const struct track_line *lines,
                               uint32_t *count)
{
    const struct timeline_info *info = run_info(view->run);
    struct source_row *rows = rows_of_code(info, count);
    const bool heads = view->options.source == SOURCE_LINES;
    uint32_t kept = 0;
    if (!rows || (view->options.source == SOURCE_CODE && !view->options.source_backward))
        return rows;
    for (uint32_t i = 0; i < *count; i++) {
        struct track_line sums = lines[rows[i].line];
        if (rows[i].head == heads &&
            (!heads || source_line_sums(info, lines, rows[i].line, &sums))) {
            rows[kept] = rows[i];
            rows[kept].cycles = source_waiting(&sums);
            rows[kept].key = key_of(view, &rows[kept], &sums);
            kept++;
        }
    }
    if (!kept)
        return rows;
    if (view->options.source == SOURCE_NAMES)
        sort_by_name(view, rows, kept);
    qsort(rows, kept, sizeof *rows, by_key);
    *count = kept;
    return rows;
}
