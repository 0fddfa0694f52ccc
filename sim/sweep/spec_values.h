/* Values of a spec beyond those of launch files (exec/launch/plan_values.h). */
#ifndef SIM_SWEEP_SPEC_VALUES_H
#define SIM_SWEEP_SPEC_VALUES_H

#include "exec/launch/plan_values.h"
#include "sweep/axis.h"

/* Each takes the current event as the value of a key and leaves its last event current. */

/* char *: a text that is not empty; the name of a file, as seen from the folder of the spec. */
plan_value spec_text, spec_file;

/* struct texts: a list of texts, or one; of names of files; of numbers from 1, where `all` is none
 * of them. */
plan_value spec_texts, spec_files, spec_numbers;

/* struct texts: "key=value" for each pair of a mapping. */
plan_value spec_pairs;
plan_value spec_settings; /* such pairs of the configuration, whose value may be a list */

/* struct axes: values, a list of values or a group for each key of a mapping. */
plan_value spec_axes;

/* struct axes, one of `name`: values or a list of them. */
enum simsm_status spec_axis(struct plan_reader *p, struct sweep_axes *axes, const char *name);

/* Calls `item` for each item of a list, which is the current event, or for a value that is none. */
enum simsm_status spec_each(struct plan_reader *p, plan_value *item, void *field);

#endif
