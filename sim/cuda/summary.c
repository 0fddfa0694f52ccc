/* The sums over a program's launches and memory operations. */
#include "cuda/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct summary_kind *find_kind(const struct summary *summary,
                                      const struct journal_launch *row)
{
    struct summary_kind *kind = summary_kinds(summary);
    for (size_t i = summary->kinds.count; i-- > 0;)
        if (kind[i].identity == row->identity &&
            memcmp(kind[i].grid, row->launch.grid, sizeof kind[i].grid) == 0 &&
            memcmp(kind[i].block, row->launch.block, sizeof kind[i].block) == 0)
            return &kind[i];
    return NULL;
}

static struct summary_kind *add_kind(struct summary *summary, const struct journal_launch *row)
{
    struct summary_kind *known = find_kind(summary, row);
    if (known)
        return known;
    struct summary_kind kind = {.identity = row->identity};
    memcpy(kind.grid, row->launch.grid, sizeof kind.grid);
    memcpy(kind.block, row->launch.block, sizeof kind.block);
    memcpy(kind.brief, row->brief, sizeof kind.brief);
    summary->kinds.size = sizeof kind;
    return pool_add(&summary->kinds, &kind) ? &summary_kinds(summary)[summary->kinds.count - 1]
                                            : NULL;
}

static struct summary_part *add_part(struct summary *summary, uint32_t range, bool transfers,
                                     size_t kind)
{
    struct summary_part *parts = summary->parts.data;
    for (size_t i = summary->parts.count; i-- > 0;)
        if (parts[i].range == range && parts[i].transfers == transfers && parts[i].kind == kind)
            return &parts[i];
    const struct summary_part part = {.range = range, .transfers = transfers, .kind = kind};
    summary->parts.size = sizeof part;
    return pool_add(&summary->parts, &part)
               ? (struct summary_part *)summary->parts.data + summary->parts.count - 1
               : NULL;
}

/* Keeps the digest if its launch is the longest so far. */
static void keep_digest(struct summary_kind *kind, struct journal_launch *row)
{
    if (!row->digest || (kind->digest && kind->digest->cycles >= row->digest->cycles))
        return;
    free(kind->digest);
    kind->digest = row->digest;
    kind->longest = row->number;
    row->digest = NULL;
}

static void add_to_kind(struct summary_kind *kind, struct journal_launch *row)
{
    kind->calls++;
    kind->interrupted += row->interrupted;
    kind->warp_instructions += row->warp_instructions;
    if (!journal_has_figures(row))
        return;
    kind->timed += row->timed;
    kind->copies += row->mark == SAMPLE_COPY;
    kind->sampled += !row->timed;
    kind->cycles += row->cycles;
    kind->ns += row->ns;
    keep_digest(kind, row);
}

void summary_add_launch(struct summary *summary, struct journal_launch *row)
{
    struct summary_kind *kind = add_kind(summary, row);
    struct summary_part *part =
        kind ? add_part(summary, row->range, false, (size_t)(kind - summary_kinds(summary))) : NULL;
    summary->failed |= !part;
    if (part) {
        add_to_kind(kind, row);
        part->calls++;
        part->ns += journal_has_figures(row) ? row->ns : 0;
    }
    free(row->digest);
    row->digest = NULL;
    if (summary->launches < SUMMARY_LAUNCHES)
        summary->row[summary->launches] = *row;
    summary->launches++;
    copy_overlap_launch(&summary->overlap);
}

void summary_add_transfer(struct summary *summary, enum journal_transfer kind, uint64_t bytes,
                          double ns, uint32_t range)
{
    struct summary_part *part = add_part(summary, range, true, kind);
    summary->failed |= !part;
    if (part) {
        part->calls++;
        part->ns += ns;
    }
    summary->transfer[kind].count++;
    summary->transfer[kind].bytes += bytes;
    summary->transfer[kind].ns += ns;
}

bool summary_copy_price(const struct summary *summary, struct copy_price *price)
{
    struct copy_times times = {.alone = HUGE_VAL};
    for (size_t i = 0; i < summary->kinds.count; i++) {
        const struct summary_kind *kind = &summary_kinds(summary)[i];
        if (kind->timed + kind->sampled < kind->calls)
            return false; /* the time of kernels is not known */
        times.kernels += kind->ns;
    }
    times.all = times.kernels;
    for (int i = 0; i < TRANSFER_COUNT; i++)
        times.all += summary->transfer[i].ns;
    const struct activity_shares *shares = &summary->shares;
    if (shares->any > 0)
        times = (struct copy_times){
            .kernels = shares->kernel, .all = shares->any, .alone = shares->copy - shares->beside};
    return copy_overlap_price(&summary->overlap, &times, price);
}

void summary_free(struct summary *summary)
{
    for (size_t i = 0; i < summary->kinds.count; i++)
        free(summary_kinds(summary)[i].digest);
    pool_free(&summary->kinds);
    pool_free(&summary->parts);
    copy_overlap_free(&summary->overlap);
    ranges_free(&summary->ranges);
}
