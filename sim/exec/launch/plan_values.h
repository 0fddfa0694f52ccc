/*
 * Readers for the values of a launch file. Each takes the current YAML event as the value of a key.
 */
#ifndef SIM_EXEC_LAUNCH_PLAN_VALUES_H
#define SIM_EXEC_LAUNCH_PLAN_VALUES_H

#include <stddef.h>

#include "config/yaml_reader.h"
#include "exec/launch/launch_plan.h"

struct plan_reader {
    struct yaml_reader yaml;
    struct launch_plan *plan;
};

/* Reads a value, which begins at the current event, into *field. Leaves the last event of the value
 * current. Returns SIMSM_BAD_INPUT with a message for a wrong value. */
typedef enum simsm_status plan_value(struct plan_reader *p, void *field);

struct plan_key {
    const char *name; /* NULL ends a list of keys */
    plan_value *read;
    size_t offset; /* offset of the field in the object that the mapping describes */
};

/* The keys of a launch file, for an `object` that is a struct launch_plan or a struct that begins
 * with one. A list of buffers or arguments replaces a list that was read before. */
extern const struct plan_key launch_plan_keys[];

/* Fails with "`what` is expected, found ..." at the current event; returns SIMSM_BAD_INPUT. */
enum simsm_status plan_fail(struct plan_reader *p, const char *what);

/* Reads a mapping with `keys`, at most 32, into `object`. */
enum simsm_status plan_mapping(struct plan_reader *p, const struct plan_key *keys, void *object);

/* Reads a text that is not empty into `size` bytes, its terminator included. `what` names it in
 * messages. */
enum simsm_status plan_text(struct plan_reader *p, char *field, size_t size, const char *what);

/* Reads one of `names`, of which there are `count`; *chosen becomes its index. */
enum simsm_status plan_choice(struct plan_reader *p, const char *const *names, unsigned count,
                              const char *what, unsigned *chosen);

/* Read a whole number, which may be followed by KiB, MiB or GiB: plan_u64 any uint64_t,
 * plan_positive a uint64_t that is not 0, plan_u32 a uint32_t below 2^31. */
plan_value plan_u64, plan_positive, plan_u32;

/* Reads true or false into a bool. */
plan_value plan_bool;

/* Skips a value of any kind, up to its last event. */
plan_value plan_skip;

#endif
