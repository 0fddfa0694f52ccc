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
    const char *key, *table, *point; /* key: as schema_path has it */
    enum fit_how how;
    double scale;      /* FIT_BY_VALUE, FIT_BY_DIFFERENCE */
    const char *other; /* FIT_BY_LESS: a key; FIT_BY_DIFFERENCE: a point of the same table */
    double low, high;  /* FIT_BY_SOLVE */
};

/* In the order in which they are applied; one without a key ends the table. */
extern const struct fit_rule fit_rules[];

struct fit_row {
    const struct fit_rule *rule;
    const struct fact *fact;  /* NULL: it was not measured, and the key stays */
    const struct fact *other; /* FIT_BY_DIFFERENCE */
    int key;                  /* of schema_rows */
    char before[VALUE_TEXT], after[VALUE_TEXT];
    double simulated;  /* with the value, FIT_BY_SOLVE; NaN otherwise */
    bool out_of_range; /* FIT_BY_SOLVE: no value reaches what was measured; the nearest was taken */
};

struct fit {
    struct fit_row *row; /* [rows], as the rules */
    uint32_t rows;
};

struct fit_task {
    const struct fit_rule *rules;
    const struct tables *tables;
    const struct facts *facts;
    int (*stop)(void); /* asked now and then; not 0: ends */
};

/* Applies all rules to *config. fit_free must be called whatever it returns. */
enum simsm_status fit_run(struct fit *fit, const struct fit_task *task, struct simsm_config *config,
                          struct simsm_error *error);
void fit_free(struct fit *fit);

#endif
