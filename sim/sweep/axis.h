/* What a sweep varies: a key, or a group of keys that vary together, and the values it takes. */
#ifndef SIM_SWEEP_AXIS_H
#define SIM_SWEEP_AXIS_H

#include "sweep/texts.h"

enum { AXIS_VALUES = 100000 };

/* Begins as {0}; axis_free ends it. "param.NAME" is a parameter of the trace. */
struct sweep_axis {
    char *name;
    struct texts values;
    struct texts *group; /* [values.count] "key=value" that each stands for; NULL: it is one key */
    uint32_t line, column; /* in a file; 0: in none */
};

struct sweep_axes {
    struct sweep_axis *axis; /* [count] */
    uint32_t count;
};

/*
 * Adds the values that `text` stands for: "from:to:step" of whole numbers, both ends included, or
 * `text` as it is. False: memory has run out, or there are more than AXIS_VALUES.
 */
bool axis_add(struct sweep_axis *axis, const char *text, uint32_t line, uint32_t column);

/* What is wrong with a text of the form "from:to:step", in which there is no value; NULL: nothing,
 * or it is another text. */
const char *axis_range_error(const char *text);

void axis_free(struct sweep_axis *axis);

/* Adds an axis with a copy of the name; NULL: memory has run out. */
struct sweep_axis *axes_add(struct sweep_axes *axes, const char *name);
const struct sweep_axis *axes_find(const struct sweep_axes *axes, const char *name);
void axes_free(struct sweep_axes *axes);

/* The name of the parameter that a key stands for: "rounds" of "param.rounds"; NULL: it is a key of
 * the configuration. */
const char *axis_parameter(const char *name);

#endif
