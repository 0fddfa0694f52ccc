/* The values of varied keys, including ranges of whole numbers. */
#include "sweep/axis.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a whole number between -2^53 and 2^53 that is followed by `end`, and advances *text past
 * both. Returns false if there is none. */
static bool take_whole(const char **text, char end, int64_t *value)
{
    const int64_t limit = INT64_C(1) << 53;
    char *rest = NULL;
    errno = 0;
    *value = strtoll(*text, &rest, 10);
    if (rest == *text || *rest != end || errno || *value <= -limit || *value >= limit)
        return false;
    *text = rest + 1;
    return true;
}

struct axis_range {
    int64_t from, to, step;
};

static bool read_range(const char *text, struct axis_range *range)
{
    return take_whole(&text, ':', &range->from) && take_whole(&text, ':', &range->to) &&
           take_whole(&text, '\0', &range->step);
}

const char *axis_range_error(const char *text)
{
    struct axis_range range;
    if (!read_range(text, &range))
        return NULL;
    if (range.step <= 0)
        return "STEP is not above 0";
    return range.from > range.to ? "FROM is above TO" : NULL;
}

bool axis_add(struct sweep_axis *axis, const char *text, uint32_t line, uint32_t column)
{
    struct axis_range range;
    if (!read_range(text, &range) || axis_range_error(text))
        return axis->values.count < AXIS_VALUES && texts_add(&axis->values, text, line, column);
    if ((range.to - range.from) / range.step >= AXIS_VALUES - (int64_t)axis->values.count)
        return false;
    for (int64_t value = range.from; value <= range.to; value += range.step) {
        char number[24];
        (void)snprintf(number, sizeof number, "%" PRId64, value);
        if (!texts_add(&axis->values, number, line, column))
            return false;
    }
    return true;
}

void axis_free(struct sweep_axis *axis)
{
    for (uint32_t i = 0; axis->group && i < axis->values.count; i++)
        texts_free(&axis->group[i]);
    free(axis->group);
    texts_free(&axis->values);
    free(axis->name);
    *axis = (struct sweep_axis){0};
}

struct sweep_axis *axes_add(struct sweep_axes *axes, const char *name)
{
    struct sweep_axis *grown = realloc(axes->axis, (axes->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    axes->axis = grown;
    struct sweep_axis *axis = &grown[axes->count];
    *axis = (struct sweep_axis){.name = text_copy(name, strlen(name))};
    if (!axis->name)
        return NULL;
    axes->count++;
    return axis;
}

const struct sweep_axis *axes_find(const struct sweep_axes *axes, const char *name)
{
    for (uint32_t i = 0; i < axes->count; i++) {
        if (strcmp(axes->axis[i].name, name) == 0)
            return &axes->axis[i];
    }
    return NULL;
}

void axes_free(struct sweep_axes *axes)
{
    for (uint32_t i = 0; i < axes->count; i++)
        axis_free(&axes->axis[i]);
    free(axes->axis);
    *axes = (struct sweep_axes){0};
}

const char *axis_parameter(const char *name)
{
    static const char prefix[] = "param.";
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : NULL;
}
