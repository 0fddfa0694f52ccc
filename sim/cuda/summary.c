#include "cuda/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "report/quantity.h"

enum { NAME_WIDTH = 28 };

static struct summary_kernel *find_kernel(struct summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->kernels; i++) {
        if (strcmp(summary->kernel[i].name, name) == 0)
            return &summary->kernel[i];
    }
    void *list = realloc(summary->kernel, (summary->kernels + 1) * sizeof(struct summary_kernel));
    if (!list)
        return NULL;
    summary->kernel = list;
    struct summary_kernel *kernel = &summary->kernel[summary->kernels++];
    *kernel = (struct summary_kernel){0};
    (void)snprintf(kernel->name, sizeof kernel->name, "%s", name);
    return kernel;
}

void summary_add_launch(struct summary *summary, const struct journal_launch *row)
{
    if (summary->launches < SUMMARY_ROWS)
        summary->row[summary->launches] = *row;
    summary->launches++;
    struct summary_kernel *kernel = find_kernel(summary, row->launch.name);
    if (!kernel) {
        summary->failed = true;
        return;
    }
    kernel->launches++;
    kernel->warp_instructions += row->warp_instructions;
    if (!row->timed)
        return;
    kernel->timed++;
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

/* "128x1x1" without the ones at the end. */
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

/* The name without its namespaces, cut to its column; a kernel may be named anything. */
static const char *shorten(const char *name, char text[NAME_WIDTH + 1])
{
    char clean[512];
    const char *last = printable(name, clean, sizeof clean);
    for (const char *colons = strstr(last, "::"); colons; colons = strstr(last, "::"))
        last = colons + 2;
    int keep = strlen(last) > NAME_WIDTH ? NAME_WIDTH - 3 : NAME_WIDTH;
    (void)snprintf(text, NAME_WIDTH + 1, "%.*s%s", keep, last, keep < NAME_WIDTH ? "..." : "");
    return text;
}

static void print_launch(const struct journal_launch *row, FILE *file)
{
    char name[NAME_WIDTH + 1], grid[40], block[40];
    (void)fprintf(file, "%6llu  %-*s %11s %9s", (unsigned long long)row->number, NAME_WIDTH,
                  shorten(row->launch.name, name), extent(row->launch.grid, grid),
                  extent(row->launch.block, block));
    struct quantity instructions = quantity_count((double)row->warp_instructions);
    const char *interrupted = row->interrupted ? ", interrupted" : "";
    if (!row->timed) {
        (void)fprintf(file, " %10s %9s %9s %6s %7s  not timed%s\n", "-", "-", instructions.text,
                      "-", "-", interrupted);
        return;
    }
    char mostly[64] = "nothing";
    if (row->state_percent > 0)
        (void)snprintf(mostly, sizeof mostly, "%s %.0f %%", simsm_states[row->state].title,
                       row->state_percent);
    (void)fprintf(file, " %10llu %9s %9s %6s %7s  %s%s\n", (unsigned long long)row->cycles,
                  quantity_time(row->ns).text, instructions.text, quantity_ratio(row->ipc).text,
                  quantity_percent(row->occupancy_percent).text, mostly, interrupted);
}

static void print_launches(const struct summary *summary, FILE *file)
{
    (void)fprintf(file, "\nLaunches\n%6s  %-*s %11s %9s %10s %9s %9s %6s %7s  %s\n", "", NAME_WIDTH,
                  "kernel", "grid", "block", "cycles", "time", "warp inst", "IPC", "occup.",
                  "warps mostly");
    for (uint64_t i = 0; i < summary->launches && i < SUMMARY_ROWS; i++)
        print_launch(&summary->row[i], file);
    if (summary->launches > SUMMARY_ROWS)
        (void)fprintf(file, "        ... and %llu more; --table FILE writes them all\n",
                      (unsigned long long)(summary->launches - SUMMARY_ROWS));
}

static int by_time(const void *a, const void *b)
{
    const struct summary_kernel *left = a, *right = b;
    if (left->ns != right->ns)
        return left->ns < right->ns ? 1 : -1;
    return strcmp(left->name, right->name);
}

static void print_kernels(const struct summary *summary, FILE *file)
{
    double all = 0;
    for (size_t i = 0; i < summary->kernels; i++)
        all += summary->kernel[i].ns;
    qsort(summary->kernel, summary->kernels, sizeof *summary->kernel, by_time);
    (void)fprintf(file, "\nKernels\n%6s  %-*s %11s %9s %10s %9s %9s %6s\n", "", NAME_WIDTH,
                  "kernel", "launches", "timed", "cycles", "time", "warp inst", "share");
    for (size_t i = 0; i < summary->kernels; i++) {
        const struct summary_kernel *k = &summary->kernel[i];
        char name[NAME_WIDTH + 1];
        (void)fprintf(file, "%6s  %-*s %11llu %9llu", "", NAME_WIDTH, shorten(k->name, name),
                      (unsigned long long)k->launches, (unsigned long long)k->timed);
        char cycles[24] = "-";
        if (k->timed)
            (void)snprintf(cycles, sizeof cycles, "%llu", (unsigned long long)k->cycles);
        (void)fprintf(file, " %10s %9s %9s %6s\n", cycles,
                      k->timed ? quantity_time(k->ns).text : "-",
                      quantity_count((double)k->warp_instructions).text,
                      all > 0 ? quantity_percent(100 * k->ns / all).text : "-");
    }
    if (summary->failed)
        (void)fputs("        (memory ran out: some kernels are missing)\n", file);
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

void summary_print(const struct summary *summary, FILE *file)
{
    if (summary->launches == 0)
        return;
    char name[128];
    (void)fprintf(file, "Program on %s: %llu launch%s of %zu kernel%s\n",
                  printable(summary->config->gpu_name, name, sizeof name),
                  (unsigned long long)summary->launches, summary->launches == 1 ? "" : "es",
                  summary->kernels, summary->kernels == 1 ? "" : "s");
    print_launches(summary, file);
    print_kernels(summary, file);
    print_transfers(summary, file);
}

void summary_free(struct summary *summary)
{
    free(summary->kernel);
    summary->kernel = NULL;
    summary->kernels = 0;
}
