/* The table of the kinds of launches: a tree of ranges with the kinds as leaves. */
#include <stdlib.h>
#include <string.h>

#include "cuda/summary.h"
#include "draw/label.h"
#include "report/quantity.h"

enum { ROWS = 16 }; /* most lines without --full */

/* A line of the table: a range, a kind of launches or a kind of memory operations within a range.
 */
struct line {
    size_t parent; /* index of the line around it */
    const char *name;
    bool range;
    const struct summary_kind *kind; /* NULL: a range or memory operations */
    uint64_t calls;
    double ns; /* of all launches and memory operations in it */
    bool shown;
};

/* lines[0] is the program; lines[n] is range n; then those of the parts. */
struct table {
    struct line *lines;
    size_t count, ranges;  /* ranges: lines before those of the parts */
    size_t outside;        /* line of what is outside of ranges; 0: there are no ranges */
    int name, grid, block; /* columns */
    bool mean;             /* the table has this column */
    double ns;             /* of all lines without lines in them */
    size_t hidden;
    double hidden_ns;
};

static void add_ranges(struct table *table, const struct summary *summary)
{
    const uint32_t ranges = (uint32_t)summary->ranges.pool.count;
    table->count = 1;
    for (uint32_t i = 1; i <= ranges; i++) {
        const struct range *range = ranges_get(&summary->ranges, i);
        table->lines[table->count++] = (struct line){
            .parent = range->parent, .name = range->name, .range = true, .calls = range->passes};
    }
    if (!ranges)
        return;
    table->outside = table->count++;
    table->lines[table->outside] = (struct line){.name = "(outside of ranges)", .range = true};
}

static void add_parts(struct table *table, const struct summary *summary)
{
    const struct summary_part *parts = summary->parts.data;
    for (size_t i = 0; i < summary->parts.count; i++) {
        const struct summary_part *part = &parts[i];
        if (part->transfers && !table->outside)
            continue; /* without ranges they have a list of their own */
        const struct summary_kind *kind =
            part->transfers ? NULL : &summary_kinds(summary)[part->kind];
        const size_t parent = part->range ? part->range : table->outside;
        table->lines[table->count++] =
            (struct line){.parent = parent,
                          .name = kind ? kind->shown : journal_transfer_names[part->kind],
                          .kind = kind,
                          .calls = part->calls,
                          .ns = part->ns};
        table->ns += part->ns;
        if (table->outside && parent == table->outside)
            table->lines[parent].calls += part->calls;
        for (size_t at = parent; at; at = table->lines[at].parent)
            table->lines[at].ns += part->ns;
    }
}

/* A line in the order by time. */
struct ranked {
    double ns;
    size_t line; /* its index */
};

/* The longest first. A range takes as long as what is in it, and comes before it. */
static int by_time(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Chooses the lines to show: those that take longest. Empty ranges are not shown. */
static void choose(struct table *table, const struct ranked *order, size_t most)
{
    size_t shown = 0;
    for (size_t i = 1; i < table->count; i++) {
        struct line *line = &table->lines[order[i - 1].line];
        if (line->range && line->calls == 0)
            continue;
        line->shown = shown++ < most;
        if (line->shown || line->range)
            continue;
        table->hidden++;
        table->hidden_ns += line->ns;
    }
}

static int depth_of(const struct table *table, size_t at)
{
    int depth = 0;
    for (; table->lines[at].parent; at = table->lines[at].parent)
        depth++;
    return depth;
}

static void measure(struct table *table, const struct report_style *style)
{
    char text[40];
    table->name = 18;
    table->grid = table->block = 5;
    for (size_t i = 1; i < table->count; i++) {
        const struct line *line = &table->lines[i];
        if (!line->shown)
            continue;
        const int name = 2 * depth_of(table, i) + (int)label_width(line->name);
        table->name = name > table->name ? name : table->name;
        if (!line->kind)
            continue;
        const int grid = (int)strlen(summary_extent(line->kind->grid, text));
        const int block = (int)strlen(summary_extent(line->kind->block, text));
        table->grid = grid > table->grid ? grid : table->grid;
        table->block = block > table->block ? block : table->block;
    }
    /* The numbers take 34 columns with the mean, and what limits a kind should have 16. */
    table->mean = style->width >= 80;
    const int room = (int)style->width - table->grid - table->block - (table->mean ? 56 : 46);
    if (table->name > room)
        table->name = room > 12 ? room : 12;
}

/* Returns what limits a kind, in a word. */
static const char *limit_of(const struct summary_kind *kind, char text[80])
{
    const struct digest *digest = kind->digest;
    const bool timed = kind->timed + kind->sampled > 0;
    if (kind->interrupted)
        return timed ? "interrupted" : "not timed, interrupted";
    if (digest && digest->limit[0])
        return digest->limit;
    if (!digest)
        return kind->sampled ? "extrapolated" : timed ? "" : "not timed";
    (void)snprintf(text, 80, "%s %.0f %%", simsm_states[digest->state].title,
                   digest->state_percent);
    return text;
}

/* Prints a name in `width` columns. A longer one is cut in its middle, as ends tell names apart;
 * the mark of an end that was cut goes. */
static void print_name(const char *name, unsigned width, FILE *file)
{
    const size_t length = strlen(name);
    unsigned rest = label_width(name);
    if (rest <= width) {
        label_pad(file, name, width);
        return;
    }
    rest -= length > 3 && strcmp(name + length - 3, "...") == 0 ? 3 : 0;
    const unsigned tail = (width - 2) / 2;
    label_pad(file, name, width - 2 - tail);
    for (; rest > tail; rest--) {
        name++;
        while ((*name & 0xc0) == 0x80) /* the further bytes of a character */
            name++;
    }
    (void)fputs("..", file);
    label_pad(file, name, tail);
}

static void print_line(const struct table *table, size_t at, const struct report_style *style,
                       FILE *file)
{
    const struct line *line = &table->lines[at];
    const struct summary_kind *kind = line->kind;
    const int indent = 2 * depth_of(table, at);
    const bool timed = kind ? kind->timed + kind->sampled : line->ns > 0;
    char grid[40] = "", block[40] = "", text[80];
    if (kind) {
        (void)summary_extent(kind->grid, grid);
        (void)summary_extent(kind->block, block);
    }
    if (line->range)
        report_colour(file, style, COLOUR_TITLE);
    (void)fprintf(file, "  %*s", indent, "");
    print_name(line->name, (unsigned)(table->name > indent + 4 ? table->name - indent : 4), file);
    (void)fprintf(file, "  %*s %*s %6llu %9s", table->grid, grid, table->block, block,
                  (unsigned long long)line->calls, timed ? quantity_time(line->ns).text : "-");
    if (table->mean)
        (void)fprintf(file, " %9s",
                      timed ? quantity_time(line->ns / (double)line->calls).text : "-");
    (void)fprintf(file, " %7s", timed ? quantity_percent(100 * line->ns / table->ns).text : "-");
    if (kind) {
        const int numbers = table->mean ? 36 : 26;
        const int used = 2 + table->name + 2 + table->grid + 1 + table->block + numbers;
        const int room = (int)style->width - used;
        const char *limit = limit_of(kind, text);
        if (room > 0 && limit[0])
            (void)fprintf(file, "  %.*s", room, limit);
    }
    if (line->range)
        report_colour(file, style, COLOUR_NONE);
    (void)fputc('\n', file);
}

/* Prints the lines within `parent`, the longest first: order[] has all lines so. */
static void print_within(const struct table *table, const struct ranked *order, size_t parent,
                         const struct report_style *style, FILE *file)
{
    for (size_t i = 1; i < table->count; i++) {
        const struct line *line = &table->lines[order[i - 1].line];
        if (line->parent != parent || !line->shown)
            continue;
        print_line(table, order[i - 1].line, style, file);
        if (line->range)
            print_within(table, order, order[i - 1].line, style, file);
    }
}

static void print_table(struct table *table, const struct ranked *order,
                        const struct report_style *style, FILE *file)
{
    measure(table, style);
    (void)fprintf(file, "\n  %-*s  %*s %*s %6s %9s", table->name,
                  table->outside ? "range, kernel" : "kernel", table->grid, "grid", table->block,
                  "block", "calls", "time");
    if (table->mean)
        (void)fprintf(file, " %9s", "mean");
    (void)fprintf(file, " %7s  %s\n", "share", "limit");
    print_within(table, order, 0, style, file);
    if (table->hidden)
        (void)fprintf(file, "  %zu further kind%s with %s of the time; --full shows all\n",
                      table->hidden, table->hidden == 1 ? "" : "s",
                      quantity_percent(100 * table->hidden_ns / table->ns).text);
}

void summary_print_table(struct summary *summary, const struct report_style *style, FILE *file)
{
    const size_t most = summary->ranges.pool.count + summary->parts.count + 2;
    struct table table = {.lines = calloc(most, sizeof *table.lines)};
    struct ranked *order = calloc(most, sizeof *order);
    if (table.lines && order) {
        add_ranges(&table, summary);
        add_parts(&table, summary);
        for (size_t i = 1; i < table.count; i++)
            order[i - 1] = (struct ranked){table.lines[i].ns, i};
        qsort(order, table.count - 1, sizeof *order, by_time);
        choose(&table, order, style->full ? SIZE_MAX : ROWS);
        print_table(&table, order, style, file);
    }
    if (summary->failed || !table.lines || !order)
        (void)fputs("  (memory ran out: some launches are missing)\n", file);
    free(table.lines);
    free(order);
}
