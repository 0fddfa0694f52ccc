/* Work beside the warps over time: copies (TMA), and products of warp groups on tensor cores. */
#include <string.h>

#include "track/exact_sums.h"

/* Adds a product, without the time in which the tensor core works at the one before, too. */
static void add_product(struct track *track, const struct timeline_work *work)
{
    const uint32_t sub = work->slot % track->run->info->sub_partitions;
    const uint64_t from =
        work->from > track->product_end[sub] ? work->from : track->product_end[sub];
    track->has_products = true;
    if (work->to <= from)
        return;
    sums_add_time(&track->sums, sub, SUMS_PRODUCTS, from, work->to);
    track->product_end[sub] = work->to;
}

void track_add_works(struct track *track)
{
    const struct timeline_data *data = &track->data;
    for (uint32_t i = 0; i < data->work_count; i++) {
        const struct timeline_work *work = &data->works[i];
        if (work->product) {
            add_product(track, work);
            continue;
        }
        const uint32_t sub = work->slot % track->run->info->sub_partitions;
        const uint64_t from = work->from > data->begin ? work->from : data->begin;
        sums_add_time(&track->sums, sub, SUMS_COPIES, from, work->to);
        if (work->number + 1u > track->most_copies)
            track->most_copies = work->number + 1u;
    }
}

bool track_has_products(const struct track *track)
{
    return track->has_products;
}

uint32_t track_most_copies(const struct track *track)
{
    return track->most_copies;
}

/* Fills value[count] with the mean of a column of the sums for each cycle, in equal parts. */
static void means(const struct track *track, uint32_t sub, uint32_t column, double from, double to,
                  double *value, uint32_t count)
{
    const double width = (to - from) / count;
    double before = sums_until(&track->sums, sub, column, from);
    for (uint32_t i = 0; i < count; i++) {
        const double after = sums_until(&track->sums, sub, column, from + width * (i + 1));
        value[i] = (after - before) / width;
        before = after;
    }
}

enum simsm_status track_products(struct track *track, uint32_t sub, double from, double to,
                                 double *share, uint32_t count, struct simsm_error *error)
{
    if (exact_wanted(track, from, to, count))
        return exact_work(track, true, sub, from, to, share, count, error);
    means(track, sub, SUMS_PRODUCTS, from, to, share, count);
    return SIMSM_OK;
}

enum simsm_status track_copies(struct track *track, double from, double to, double *copies,
                               uint32_t count, struct simsm_error *error)
{
    if (exact_wanted(track, from, to, count))
        return exact_work(track, false, UINT32_MAX, from, to, copies, count, error);
    means(track, UINT32_MAX, SUMS_COPIES, from, to, copies, count);
    return SIMSM_OK;
}
