#include "report/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the digits after the point that give three significant digits. */
static int decimals(double value)
{
    double size = fabs(value);
    return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

static struct quantity undefined(void)
{
    return (struct quantity){"-"};
}

/* Writes `value` in the largest of `count` units that it reaches. Each unit is `step` times the one
 * before it. */
static struct quantity scaled(double value, double step, const char *const *units, unsigned count)
{
    struct quantity q;
    unsigned i = 0;
    while (i + 1 < count && fabs(value) >= step * 0.9995) {
        value /= step;
        i++;
    }
    int places = i == 0 && floor(value) == value ? 0 : decimals(value);
    (void)snprintf(q.text, sizeof q.text, "%.*f%s", places, value, units[i]);
    return q;
}

struct quantity quantity_count(double n)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    return isnan(n) ? undefined() : scaled(n, 1000, units, 5);
}

struct quantity quantity_of(double n, const char *unit)
{
    struct quantity q = quantity_count(n);
    size_t length = strlen(q.text);
    (void)snprintf(q.text + length, sizeof q.text - length, " %s%s", unit, n == 1 ? "" : "s");
    return q;
}

struct quantity quantity_percent(double percent)
{
    struct quantity q;
    if (isnan(percent))
        return undefined();
    (void)snprintf(q.text, sizeof q.text, "%.1f %%", percent);
    return q;
}

struct quantity quantity_ratio(double value)
{
    struct quantity q;
    if (isnan(value))
        return undefined();
    (void)snprintf(q.text, sizeof q.text, "%.*f", decimals(value), value);
    return q;
}

struct quantity quantity_rate(double gbs)
{
    struct quantity q;
    if (isnan(gbs))
        return undefined();
    (void)snprintf(q.text, sizeof q.text, "%.*f GB/s", decimals(gbs), gbs);
    return q;
}

struct quantity quantity_bytes(double bytes)
{
    static const char *const units[] = {" B", " kB", " MB", " GB", " TB"};
    return isnan(bytes) ? undefined() : scaled(bytes, 1000, units, 5);
}

struct quantity quantity_kib(double bytes)
{
    struct quantity q;
    if (isnan(bytes))
        return undefined();
    if (bytes < 1024)
        (void)snprintf(q.text, sizeof q.text, "%.0f B", bytes);
    else if (bytes < 1024 * 1024)
        (void)snprintf(q.text, sizeof q.text, "%.4g KiB", bytes / 1024);
    else
        (void)snprintf(q.text, sizeof q.text, "%.4g MiB", bytes / (1024 * 1024));
    return q;
}

struct quantity quantity_time(double ns)
{
    static const char *const units[] = {" ns", " us", " ms", " s"};
    return isnan(ns) ? undefined() : scaled(ns, 1000, units, 4);
}
