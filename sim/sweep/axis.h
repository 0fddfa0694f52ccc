/* Axes of a sweep: the keys that vary and their values. An axis is one key, or a group of keys that
 * vary together. */
#ifndef SIM_SWEEP_AXIS_H
#define SIM_SWEEP_AXIS_H

#include "sweep/texts.h"

enum { AXIS_VALUES = 100000 };

/* Begins as {0}; axis_free() ends it. The name "param.NAME" is a parameter of the trace. */
struct sweep_axis {
    char *name;
    struct texts values;
    struct texts *group; /* [values.count] the assignments "key=value" of each value; NULL: the axis
                            is one key */
    uint32_t line, column; /* place in the spec; 0: not from a file */
};

struct sweep_axes {
    struct sweep_axis *axis; /* [count] */
    uint32_t count;
};

/*
 * Adds the values of `text`: the range "from:to:step" of whole numbers, both ends included, or
 * `text` itself. Returns false if memory runs out or the axis would have more than AXIS_VALUES
 * values.
 */
bool axis_add(struct sweep_axis *axis, const char *text, uint32_t line, uint32_t column);

/* Returns what is wrong with a range "from:to:step" that contains no value. NULL if the range is
 * good, or `text` is not a range. */
const char *axis_range_error(const char *text);

/* Frees the content of the axis. */
void axis_free(struct sweep_axis *axis);

/* Adds an axis with a copy of the name. Returns NULL if memory runs out. */
struct sweep_axis *axes_add(struct sweep_axes *axes, const char *name);

/* Returns the axis of this name; NULL if there is none. */
const struct sweep_axis *axes_find(const struct sweep_axes *axes, const char *name);
void axes_free(struct sweep_axes *axes);

/* Returns the name of the parameter: "rounds" for the key "param.rounds". NULL if the key belongs
 * to the configuration. */
const char *axis_parameter(const char *name);

#endif
