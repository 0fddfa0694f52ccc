/* Numbers, units and labels of Nsight Compute. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/ncu.h"

/* Copies the digits without commas. Returns false if commas do not separate groups of three
 * digits. */
static bool without_commas(const char *text, char *to, size_t size)
{
    size_t used = 0;
    bool whole = true; /* before the point */
    for (; *text && *text != ' ' && *text != '('; text++) {
        whole &= *text != '.';
        if (*text == ',') {
            if (!whole || !isdigit((unsigned char)text[1]) || !isdigit((unsigned char)text[2]) ||
                !isdigit((unsigned char)text[3]) || isdigit((unsigned char)text[4]))
                return false;
        } else if (used + 1 < size) {
            to[used++] = *text;
        } else {
            return false;
        }
    }
    to[used] = '\0';
    return true;
}

bool ncu_number(const char *text, double *value)
{
    char digits[64], *end;
    *value = NAN;
    text += strspn(text, " ");
    const char *first = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*first) && !(*first == '.' && isdigit((unsigned char)first[1])))
        return true;
    if (!without_commas(text, digits, sizeof digits))
        return false;
    *value = strtod(digits, &end);
    if (!*end && isfinite(*value))
        return true;
    *value = NAN;
    return false;
}

struct unit {
    const char *name;
    double factor;
};

/* Times: simsm's unit is ns. */
static const struct unit units[] = {
    {"nsecond", 1.0}, {"ns", 1.0},      {"usecond", 1e3},
    {"us", 1e3},      {"msecond", 1e6}, {"ms", 1e6},
    {"second", 1e9},  {"s", 1e9},       {"cycle/nsecond", 1e9},
};

/* Returns the factor of a prefix. K is 1000 for ncu, also before bytes. simsm's units are byte
 * and GB/s. */
static double of_prefix(const char *unit)
{
    static const char prefixes[] = "KMGT";
    static const char *const counted[] = {"byte", "hz", "Hz", "inst", "cycle", "sector", "request"};
    const char *prefix = *unit ? strchr(prefixes, *unit) : NULL;
    for (size_t i = 0; prefix && i < sizeof counted / sizeof *counted; i++)
        if (strncmp(unit + 1, counted[i], strlen(counted[i])) == 0)
            return pow(1e3, (double)(prefix - prefixes + 1));
    return 1.0;
}

double ncu_unit(const char *unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].factor;
    return of_prefix(unit) * (strstr(unit, "byte/s") ? 1e-9 : 1.0);
}

struct label {
    const char *section, *label, *metric;
};

static const struct label labels[] = {
#define LABEL(section, label, metric) {section, label, metric},
#include "compare/ncu_labels.def"
#undef LABEL
};

const char *ncu_label(const char *section, const char *label)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (strcmp(labels[i].label, label) == 0 &&
            (!*labels[i].section ||
             strncmp(labels[i].section, section, strlen(labels[i].section)) == 0))
            return labels[i].metric;
    return label;
}
