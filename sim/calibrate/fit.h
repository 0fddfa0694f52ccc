/* Fitting a configuration: values of keys from measured points
 * (sim/calibrate/fit_rules.def). */
#ifndef SIM_CALIBRATE_FIT_H
#define SIM_CALIBRATE_FIT_H

#include "calibrate/facts.h"
#include "calibrate/tables.h"
#include "config/value.h"
#include "simsm/config.h"

enum fit_how { FIT_BY_VALUE, FIT_BY_LESS, FIT_BY_DIFFERENCE, FIT_BY_SOLVE };

struct fit_rule {
    const char *key, *table, *point; /* path of the key, as schema_path() returns it */
    enum fit_how how;
    double scale;      /* FIT_BY_VALUE, FIT_BY_DIFFERENCE */
    const char *other; /* FIT_BY_LESS: a key; FIT_BY_DIFFERENCE: another point of the same table */
    double low, high;  /* FIT_BY_SOLVE */
};

/* The rules, in the order in which they are applied. A rule without a key ends the table. */
extern const struct fit_rule fit_rules[];

struct fit_row {
    const struct fit_rule *rule;
    const struct fact *fact;  /* NULL: the point was not measured, and the key keeps its value */
    const struct fact *other; /* FIT_BY_DIFFERENCE */
    int key;                  /* index in schema_rows */
    char before[VALUE_TEXT], after[VALUE_TEXT];
    double simulated;  /* FIT_BY_SOLVE: the result of the point with the new value; otherwise NaN */
    bool out_of_range; /* FIT_BY_SOLVE: no value reproduces the measured result; the nearest was
                          taken */
};

struct fit {
    struct fit_row *row; /* [rows], in the order of the rules */
    uint32_t rows;
};

struct fit_task {
    const struct fit_rule *rules;
    const struct tables *tables;
    const struct facts *facts;
    int (*stop)(void); /* polled during the fit; a result other than 0 ends it */
};

/* Applies all rules to *config. The caller calls fit_free() whatever the result. */
enum simsm_status fit_run(struct fit *fit, const struct fit_task *task, struct simsm_config *config,
                          struct simsm_error *error);
void fit_free(struct fit *fit);

#endif
