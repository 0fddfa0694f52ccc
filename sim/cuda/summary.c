/* The tables that are printed at the end of a program. */
#include "cuda/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "config/schema.h"
#include "report/quantity.h"

enum {
    NAME_LEAST = 28
}; /* least width of the column, which also holds the names of memory operations */

static struct summary_kernel *find_kernel(const struct summary *summary,
                                          const struct journal_launch *row)
{
    for (size_t i = 0; i < summary->kernels; i++) {
        if (summary->kernel[i].identity == row->identity)
            return &summary->kernel[i];
    }
    return NULL;
}

static struct summary_kernel *add_kernel(struct summary *summary, const struct journal_launch *row)
{
    struct summary_kernel *known = find_kernel(summary, row);
    if (known)
        return known;
    void *list = realloc(summary->kernel, (summary->kernels + 1) * sizeof(struct summary_kernel));
    if (!list)
        return NULL;
    summary->kernel = list;
    struct summary_kernel *kernel = &summary->kernel[summary->kernels++];
    *kernel = (struct summary_kernel){.identity = row->identity};
    memcpy(kernel->brief, row->brief, sizeof kernel->brief);
    return kernel;
}

void summary_add_launch(struct summary *summary, const struct journal_launch *row)
{
    if (summary->launches < SUMMARY_ROWS)
        summary->row[summary->launches] = *row;
    summary->launches++;
    struct summary_kernel *kernel = add_kernel(summary, row);
    if (!kernel) {
        summary->failed = true;
        return;
    }
    kernel->launches++;
    kernel->warp_instructions += row->warp_instructions;
    if (!journal_has_figures(row))
        return;
    kernel->timed += row->timed;
    kernel->sampled += !row->timed;
    kernel->cycles += row->cycles;
    kernel->ns += row->ns;
}

void summary_add_transfer(struct summary *summary, enum journal_transfer kind, uint64_t bytes,
                          double ns)
{
    summary->transfer[kind].count++;
    summary->transfer[kind].bytes += bytes;
    summary->transfer[kind].ns += ns;
}

/* Writes grid or block dimensions: "128x2"; trailing dimensions of 1 are left out. */
static const char *extent(const uint32_t size[3], char text[40])
{
    if (size[2] > 1)
        (void)snprintf(text, 40, "%ux%ux%u", size[0], size[1], size[2]);
    else if (size[1] > 1)
        (void)snprintf(text, 40, "%ux%u", size[0], size[1]);
    else
        (void)snprintf(text, 40, "%u", size[0]);
    return text;
}

/* Copies a kernel's name, cut to `size` characters. Unprintable characters are replaced. */
static void cut_name(const char *brief, char *text, size_t size)
{
    char clean[64];
    const size_t length = strlen(printable(brief, clean, sizeof clean));
    (void)snprintf(text, size + 1, "%.*s%s", (int)(length > size ? size - 3 : size), clean,
                   length > size ? "..." : "");
}

/*
 * Sets the names that the tables show; kernels with the same cut name get a number. Returns the
 * width of the column.
 */
static int name_kernels(struct summary *summary)
{
    size_t width = NAME_LEAST;
    for (size_t i = 0; i < summary->kernels; i++)
        cut_name(summary->kernel[i].brief, summary->kernel[i].shown, SUMMARY_NAME);
    for (size_t i = summary->kernels;
         i-- > 0;) { /* from the last to the first: kernels before `i` have no number yet */
        struct summary_kernel *kernel = &summary->kernel[i];
        size_t alike = 0, length;
        for (size_t k = 0; k < i; k++)
            alike += strcmp(summary->kernel[k].shown, kernel->shown) == 0;
        if (alike) {
            char number[24];
            length = (size_t)snprintf(number, sizeof number, " #%zu", alike + 1);
            cut_name(kernel->brief, kernel->shown, SUMMARY_NAME - length);
            memcpy(kernel->shown + strlen(kernel->shown), number, length + 1);
        }
        length = strlen(kernel->shown);
        width = length > width ? length : width;
    }
    return (int)width;
}

static void print_launch(const struct journal_launch *row, const char *name, int width, FILE *file)
{
    char grid[40], block[40];
    (void)fprintf(file, "%6llu  %-*s %11s %9s", (unsigned long long)row->number, width, name,
                  extent(row->launch.grid, grid), extent(row->launch.block, block));
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
static void print_launches(struct summary *summary, int width, FILE *file)
{
    const uint64_t rows = summary->launches < SUMMARY_ROWS ? summary->launches : SUMMARY_ROWS;
    qsort(summary->row, rows, sizeof *summary->row, by_number);
    (void)fprintf(file, "\nLaunches\n%6s  %-*s %11s %9s %10s %9s %9s %6s %7s  %s\n", "", width,
                  "kernel", "grid", "block", "cycles", "time", "warp inst", "IPC", "occup.",
                  "warps mostly");
    for (uint64_t i = 0; i < summary->launches && i < SUMMARY_ROWS; i++) {
        const struct summary_kernel *kernel = find_kernel(summary, &summary->row[i]);
        print_launch(&summary->row[i], kernel ? kernel->shown : "?", width, file);
    }
    if (summary->launches > SUMMARY_ROWS)
        (void)fprintf(file, "        ... and %llu more; --table FILE writes them all\n",
                      (unsigned long long)(summary->launches - SUMMARY_ROWS));
}

static int by_time(const void *a, const void *b)
{
    const struct summary_kernel *left = a, *right = b;
    if (left->ns != right->ns)
        return left->ns < right->ns ? 1 : -1;
    return strcmp(left->brief, right->brief);
}

static void print_kernels(struct summary *summary, int width, FILE *file)
{
    double all = 0;
    for (size_t i = 0; i < summary->kernels; i++)
        all += summary->kernel[i].ns;
    qsort(summary->kernel, summary->kernels, sizeof *summary->kernel, by_time);
    (void)fprintf(file, "\nKernels\n%6s  %-*s %11s %9s %10s %9s %9s %6s\n", "", width, "kernel",
                  "launches", "timed", "cycles", "time", "warp inst", "share");
    for (size_t i = 0; i < summary->kernels; i++) {
        const struct summary_kernel *k = &summary->kernel[i];
        (void)fprintf(file, "%6s  %-*s %11llu %9llu", "", width, k->shown,
                      (unsigned long long)k->launches, (unsigned long long)k->timed);
        char cycles[24] = "-";
        if (k->timed + k->sampled)
            (void)snprintf(cycles, sizeof cycles, "%llu", (unsigned long long)k->cycles);
        (void)fprintf(file, " %10s %9s %9s %6s\n", cycles,
                      k->timed + k->sampled ? quantity_time(k->ns).text : "-",
                      quantity_count((double)k->warp_instructions).text,
                      all > 0 ? quantity_percent(100 * k->ns / all).text : "-");
    }
    if (summary->failed)
        (void)fputs("        (memory ran out: some kernels are missing)\n", file);
}

static void print_transfers(const struct summary *summary, int width, FILE *file)
{
    bool begun = false;
    for (int i = 0; i < TRANSFER_COUNT; i++) {
        const struct summary_transfer *t = &summary->transfer[i];
        if (t->count == 0)
            continue;
        if (!begun)
            (void)fprintf(file, "\nMemory operations (time estimated)\n");
        begun = true;
        (void)fprintf(file, "        %-*s %11llu %9s %10s %9s\n", width, journal_transfer_names[i],
                      (unsigned long long)t->count, "", quantity_bytes((double)t->bytes).text,
                      quantity_time(t->ns).text);
    }
}

void summary_print(struct summary *summary, FILE *file)
{
    if (summary->launches == 0)
        return;
    char name[128];
    (void)fprintf(file, "Program on %s: %llu launch%s of %zu kernel%s, timing %s\n",
                  printable(summary->config->gpu_name, name, sizeof name),
                  (unsigned long long)summary->launches, summary->launches == 1 ? "" : "es",
                  summary->kernels, summary->kernels == 1 ? "" : "s",
                  schema_choice_name(SCHEMA_gpu_timing, summary->config->gpu_timing));
    const int width = name_kernels(summary);
    print_launches(summary, width, file);
    print_kernels(summary, width, file);
    print_transfers(summary, width, file);
}

void summary_free(struct summary *summary)
{
    free(summary->kernel);
    summary->kernel = NULL;
    summary->kernels = 0;
}
