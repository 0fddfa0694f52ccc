#include "report/copy_overlap.h"

#include <stdio.h>
#include <string.h>

#include "report/quantity.h"

static const double worth = 0.05; /* a smaller share of the time is not worth advice */

const char *const copy_alone_names[COPY_ALONE_COUNT] = {[COPY_MAY_OVERLAP] = "",
                                                        [COPY_WAITED_FOR] = "call waits",
                                                        [COPY_PAGEABLE] = "pageable memory",
                                                        [COPY_DEFAULT_STREAM] = "default stream"};

static const char *const reasons[COPY_ALONE_COUNT] = {
    [COPY_MAY_OVERLAP] = "",
    [COPY_WAITED_FOR] = "the call waits for the copy",
    [COPY_PAGEABLE] = "the memory of the host is pageable",
    [COPY_DEFAULT_STREAM] = "the copies are in the default stream"};

const char copy_overlap_remedy[] =
    "copy one chunk while another is computed: pinned memory (cudaMallocHost), cudaMemcpyAsync and "
    "two or more streams from cudaStreamCreate.";

enum copy_alone copy_alone_named(const char *name)
{
    for (int i = COPY_MAY_OVERLAP + 1; i < COPY_ALONE_COUNT; i++)
        if (strcmp(copy_alone_names[i], name) == 0)
            return (enum copy_alone)i;
    return COPY_MAY_OVERLAP;
}

static struct copy_row *find(const struct copy_overlap *overlap, const struct copy_row *copy)
{
    struct copy_row *rows = overlap->rows.data;
    for (size_t i = 0; i < overlap->rows.count; i++)
        if (rows[i].alone == copy->alone && strcmp(rows[i].call, copy->call) == 0 &&
            strcmp(rows[i].what, copy->what) == 0)
            return &rows[i];
    return NULL;
}

bool copy_overlap_add(struct copy_overlap *overlap, const struct copy_row *copy)
{
    struct copy_row *row = find(overlap, copy);
    if (!overlap->begun || copy->alone == COPY_MAY_OVERLAP)
        return true;
    if (row) {
        row->open_count++;
        row->open_bytes += copy->bytes;
        row->open_ns += copy->ns;
        return true;
    }
    struct copy_row made = {.to_device = copy->to_device,

                            .alone = copy->alone,
                            .open_count = 1,
                            .open_bytes = copy->bytes,
                            .open_ns = copy->ns};
    memcpy(made.call, copy->call, sizeof made.call);
    memcpy(made.what, copy->what, sizeof made.what);
    overlap->rows.size = sizeof made;
    return pool_add(&overlap->rows, &made);
}

void copy_overlap_launch(struct copy_overlap *overlap)
{
    struct copy_row *rows = overlap->rows.data;
    overlap->begun = true;
    for (size_t i = 0; i < overlap->rows.count; i++) {
        rows[i].count += rows[i].open_count;
        rows[i].bytes += rows[i].open_bytes;
        rows[i].ns += rows[i].open_ns;
        rows[i].open_count = rows[i].open_bytes = 0;
        rows[i].open_ns = 0;
    }
}

void copy_overlap_free(struct copy_overlap *overlap)
{
    pool_free(&overlap->rows);
}

/* Writes the calls, and why their copies run alone; of the reasons that of the longest copies. */
static void describe(const struct copy_overlap *overlap, struct copy_price *price)
{
    const struct copy_row *rows = overlap->rows.data, *longest = NULL;
    size_t used = 0;
    for (size_t i = 0; i < overlap->rows.count; i++) {
        const struct copy_row *row = &rows[i];
        if (!row->count || used >= sizeof price->figure)
            continue;
        used +=
            (size_t)snprintf(price->figure + used, sizeof price->figure - used, "%s%llu %s %s (%s)",
                             used ? ", " : "", (unsigned long long)row->count, row->call, row->what,
                             quantity_bytes((double)row->bytes).text);
        longest = !longest || row->ns > longest->ns ? row : longest;
    }
    if (used < sizeof price->figure)
        (void)snprintf(price->figure + used, sizeof price->figure - used,
                       " between launches take %s, and no kernel runs beside them: %s",
                       quantity_time(price->ns).text, longest ? reasons[longest->alone] : "");
}

/*
 * Returns the time that overlapping saves at most. Kernels, copies to the device and copies to the
 * host run on three units. The unit with most work remains.
 */
static double most_saved(double kernels, double to_device, double to_host)
{
    double most = kernels > to_device ? kernels : to_device;
    most = most > to_host ? most : to_host;
    return kernels + to_device + to_host - most;
}

bool copy_overlap_price(const struct copy_overlap *overlap, const struct copy_times *times,
                        struct copy_price *price)
{
    const struct copy_row *rows = overlap->rows.data;
    double to_device = 0;
    *price = (struct copy_price){0};
    for (size_t i = 0; i < overlap->rows.count; i++) {
        price->ns += rows[i].ns;
        to_device += rows[i].to_device ? rows[i].ns : 0;
    }
    if (!(price->ns > 0))
        return false;
    const double part = price->ns > times->alone ? times->alone / price->ns : 1;
    price->share =
        most_saved(times->kernels, part * to_device, part * (price->ns - to_device)) / times->all;
    if (!(price->share >= worth))
        return false;
    describe(overlap, price);
    return true;
}
