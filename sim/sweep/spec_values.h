/* Readers for the values of a spec, beyond those of launch files (exec/launch/plan_values.h). */
#ifndef SIM_SWEEP_SPEC_VALUES_H
#define SIM_SWEEP_SPEC_VALUES_H

#include "exec/launch/plan_values.h"
#include "sweep/axis.h"

/* A reader takes the current event as the value of a key. The last event of the value is current
 * when it returns. */

/* Into char *: spec_text reads a text that is not empty; spec_file reads a file name, which becomes
 * relative to the current folder. */
plan_value spec_text, spec_file;

/* Into struct texts, one item or a list: spec_texts reads texts; spec_files reads file names;
 * spec_numbers reads numbers from 1, and nothing for `all`. */
plan_value spec_texts, spec_files, spec_numbers;

/* Into struct texts: reads a mapping as "key=value" texts. */
plan_value spec_pairs;
plan_value spec_settings; /* the same, where a value may be a list */

/*
 * Into struct sweep_axes: reads a mapping whose values are a value, a list of values, or a group.
 */
plan_value spec_axes;

/* Adds an axis `name` with the current value or list of values. */
enum simsm_status spec_axis(struct plan_reader *p, struct sweep_axes *axes, const char *name);

/* Calls `item` for each item of the current list, or once if the current event is no list. */
enum simsm_status spec_each(struct plan_reader *p, plan_value *item, void *field);

#endif
