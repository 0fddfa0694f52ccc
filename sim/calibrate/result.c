#include "calibrate/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const result_take_names[TAKES] = {
    "min",        "max",   "median", "mean",       "sum",       "first",
    "last",       "range", "span",   "pairs_min",  "pairs_max", "pairs_median",
    "pairs_mean", "list",  "index",  "percentile", "metric"};

uint32_t result_buffer(const struct result *result, const struct launch_plan *plan)
{
    uint32_t i = 0;
    while (i < plan->buffers && strcmp(plan->buffer[i].name, result->of) != 0)
        i++;
    return i;
}

static double signed_number(uint64_t bits, uint32_t bytes)
{
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    bits &= sign - 1 + sign;
    return (double)(int64_t)((bits ^ sign) - sign);
}

static double real_entry(enum plan_type type, const uint8_t *at)
{
    float single;
    double wide;
    memcpy(&single, at, sizeof single);
    if (type == PLAN_F32)
        return (double)single;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/*
 * Returns the entry at `at` or, if `since` is not NULL, its difference to the entry at `since`.
 * Differences of clocks are taken as integers: 32 bits wrap around within seconds, and a double
 * does not hold 64 bits.
 */
static double entry(enum plan_type type, const uint8_t *at, const uint8_t *since)
{
    if (type == PLAN_F32 || type == PLAN_F64)
        return real_entry(type, at) - (since ? real_entry(type, since) : 0.0);
    uint32_t bytes = plan_type_bytes[type];
    uint64_t bits = 0, base = 0;
    memcpy(&bits, at, bytes);
    if (since)
        memcpy(&base, since, bytes);
    bits -= base;
    bool is_signed = type % 2 == 0;
    return is_signed || since ? signed_number(bits, bytes) : (double)bits;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Returns the median of a list in ascending order. */
static double middle(const double *sorted, uint64_t count)
{
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2.0;
}

static double sum_of(const double *entries, uint64_t count)
{
    double sum = 0.0;
    for (uint64_t i = 0; i < count; i++)
        sum += entries[i];
    return sum;
}

/* Returns the smallest entry that `percent` of a list in ascending order do not exceed. */
static double percentile(const double *sorted, uint64_t count, uint32_t percent)
{
    uint64_t rank = (count * percent + 99) / 100;
    return sorted[rank != 0 ? rank - 1 : 0];
}

/* Computes TAKE_MIN to TAKE_RANGE. Sorts the entries. */
static double single(enum result_take take, double *entries, uint64_t count)
{
    double first = entries[0], last = entries[count - 1];
    double sum = sum_of(entries, count);
    qsort(entries, (size_t)count, sizeof *entries, ascending);
    switch (take) {
    case TAKE_MIN:
        return entries[0];
    case TAKE_MAX:
        return entries[count - 1];
    case TAKE_MEDIAN:
        return middle(entries, count);
    case TAKE_MEAN:
        return sum / (double)count;
    case TAKE_SUM:
        return sum;
    case TAKE_FIRST:
        return first;
    case TAKE_LAST:
        return last;
    default:
        return entries[count - 1] - entries[0];
    }
}

static double span(const double *entries, uint64_t count)
{
    double start = entries[0], end = entries[1];
    for (uint64_t i = 0; i + 1 < count; i += 2) {
        start = fmin(start, entries[i]);
        end = fmax(end, entries[i + 1]);
    }
    return end - start;
}

/* Computes TAKE_SPAN to TAKE_PAIRS_MEAN. */
static double pairs(enum result_take take, double *entries, uint64_t count)
{
    static const enum result_take of[TAKES] = {[TAKE_PAIRS_MIN] = TAKE_MIN,
                                               [TAKE_PAIRS_MAX] = TAKE_MAX,
                                               [TAKE_PAIRS_MEDIAN] = TAKE_MEDIAN,
                                               [TAKE_PAIRS_MEAN] = TAKE_MEAN};
    if (take == TAKE_SPAN)
        return span(entries, count);
    for (uint64_t i = 0; i < count / 2; i++)
        entries[i] = entries[2 * i + 1] - entries[2 * i];
    return single(of[take], entries, count / 2);
}

static bool list(const double *entries, uint64_t count, char text[RESULT_TEXT])
{
    size_t used = 0;
    for (uint64_t i = 0; i < count; i++) {
        int length = snprintf(text + used, RESULT_TEXT - used, "%s%.17g", i ? " " : "", entries[i]);
        used += (size_t)length;
        if (used >= RESULT_TEXT)
            return false;
    }
    return true;
}

bool result_value(const struct result *result, double taken, double *value, const char **why)
{
    taken -= result->offset;
    *why = NULL;
    if (result->per != 0.0 && taken == 0.0)
        *why = "what was taken is 0, so that there is no rate";
    else
        *value = result->per != 0.0 ? result->per / taken : taken / result->over;
    return !*why;
}

static bool is_paired(enum result_take take)
{
    return take >= TAKE_SPAN && take < TAKE_LIST;
}

/* Computes the number that the result takes from entries, and sorts them. A list has no number. */
static double number_of(const struct result *r, double *entries, uint64_t count)
{
    if (r->take == TAKE_INDEX)
        return entries[r->index];
    if (is_paired(r->take))
        return pairs(r->take, entries, count);
    if (r->take != TAKE_PERCENTILE)
        return single(r->take, entries, count);
    qsort(entries, (size_t)count, sizeof *entries, ascending);
    return percentile(entries, count, r->percent);
}

static const char *take_of(const struct result *r, double *entries, uint64_t count,
                           struct measured *measured)
{
    if (!count || (r->take == TAKE_INDEX && r->index >= count))
        return "the buffer has no such entry";
    if (r->take == TAKE_LIST)
        return list(entries, count, measured->text) ? NULL : "the list is too long";
    if (is_paired(r->take) && count % 2)
        return "an even number of entries is needed: a start and an end each";
    const char *why;
    (void)result_value(r, number_of(r, entries, count), &measured->value, &why);
    return why;
}

bool result_take(const struct result *result, const struct launch_plan *plan, const uint8_t *bytes,
                 struct measured *measured, const char **why)
{
    const struct plan_buffer *b = &plan->buffer[result_buffer(result, plan)];
    const uint32_t size = plan_type_bytes[b->type]; /* size of an entry in bytes */
    const bool relative = result->take >= TAKE_RANGE && result->take < TAKE_LIST;
    uint64_t all = b->size / size, used = 0;
    double *entries = malloc(((size_t)all + 1) * sizeof *entries);
    *measured = (struct measured){.value = 0.0};
    *why = "memory has run out";
    if (!entries)
        return false;
    for (uint64_t i = result->skip; i < all && (!result->count || used < result->count);
         i += result->step)
        entries[used++] =
            entry(b->type, bytes + i * size, relative ? bytes + result->skip * size : NULL);
    *why = result->count && used < result->count ? "the buffer has fewer entries than `count` says"
                                                 : take_of(result, entries, used, measured);
    free(entries);
    return !*why;
}
