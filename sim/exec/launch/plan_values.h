/* Reading the values of a launch file: each takes the current event as the value of a key. */
#ifndef SIM_EXEC_LAUNCH_PLAN_VALUES_H
#define SIM_EXEC_LAUNCH_PLAN_VALUES_H

#include <stddef.h>

#include "config/yaml_reader.h"
#include "exec/launch/launch_plan.h"

struct plan_reader {
    struct yaml_reader yaml;
    struct launch_plan *plan;
};

/* Reads a value, which is the current event, into *field; leaves its last event current. */
typedef enum simsm_status plan_value(struct plan_reader *p, void *field);

struct plan_key {
    const char *name; /* NULL ends a list of keys */
    plan_value *read;
    size_t offset; /* of the field in what the mapping describes */
};

/* Those of a launch file, for `object` a struct launch_plan or a struct that begins with one. A
 * list of buffers or arguments takes the place of one read before. */
extern const struct plan_key launch_plan_keys[];

/* "`what` is expected, found ..." at the current event; returns SIMSM_BAD_INPUT. */
enum simsm_status plan_fail(struct plan_reader *p, const char *what);

/* A mapping with `keys`, at most 32, which describes `object`. */
enum simsm_status plan_mapping(struct plan_reader *p, const struct plan_key *keys, void *object);

/* A text that is not empty, with its terminator in `size` bytes. */
enum simsm_status plan_text(struct plan_reader *p, char *field, size_t size, const char *what);

/* One of `names`: *chosen is which. */
enum simsm_status plan_choice(struct plan_reader *p, const char *const *names, unsigned count,
                              const char *what, unsigned *chosen);

/* A whole number, also with KiB, MiB or GiB behind it: any uint64_t, one that is not 0, and a
 * uint32_t below 2^31. */
plan_value plan_u64, plan_positive, plan_u32;

/* true or false, into a bool. */
plan_value plan_bool;

/* Passes over any value, up to its last event. */
plan_value plan_skip;

#endif
