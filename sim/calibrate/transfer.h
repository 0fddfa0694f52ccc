/* Takes values of a measured configuration over into the configuration of another GPU
 * (sim/calibrate/transfer_rules.def). */
#ifndef SIM_CALIBRATE_TRANSFER_H
#define SIM_CALIBRATE_TRANSFER_H

#include "config/sources.h"
#include "config/value.h"
#include "simsm/config.h"

enum transfer_how { TRANSFER_OWN, TRANSFER_SAME, TRANSFER_SCALED };

struct transfer_rule {
    const char *key; /* a pattern of paths as schema_path() returns them */
    enum transfer_how how;
    const char *reference; /* TRANSFER_SCALED: the key whose ratio scales the value */
    const char *over;      /* the tag of sources_trusts from which values are replaced */
    const char *where;     /* "", a compute capability, or a key that must be equal */
};

/* A rule without a key ends the table. */
extern const struct transfer_rule transfer_rules[];

/* Returns the rule of the key with this index in schema_rows, NULL if it has none. */
const struct transfer_rule *transfer_rule(int key);

/* A configuration with the sources of its values. */
struct transfer_config {
    const char *name; /* as comments name it: "h200" */
    const char *path; /* its file, for messages */
    struct simsm_config config;
    struct source source[SCHEMA_ROWS];
};

struct transfer_row {
    const struct transfer_rule *rule;
    const char *trust; /* "transferred", or "estimate" if the origin has less trust */
    int key;           /* index in schema_rows */
    char before[VALUE_TEXT], after[VALUE_TEXT];
    char comment[160]; /* "cycles: h200 231"; says by which rule */
};

struct transfer {
    struct transfer_row *row; /* [rows], in the order of the rules */
    uint32_t rows;
    const char *from; /* name of the measured configuration */
};

/*
 * Applies all rules to target->config and checks it. `all`: replaces values of any trust, as if
 * nothing but facts of the product were known of the target, and sets gpu.timing to "transferred".
 * The caller calls transfer_free() whatever the result.
 */
enum simsm_status transfer_run(struct transfer *transfer, const struct transfer_config *from,
                               struct transfer_config *target, bool all, struct simsm_error *error);
void transfer_free(struct transfer *transfer);

/* Reads the target's file at `path` and writes the rows into its text, *text (owned by the caller).
 * A key that keeps its value keeps its text, in the base file if it is there. */
enum simsm_status transfer_write(const struct transfer *transfer, const char *path, char **text,
                                 size_t *size, struct simsm_error *error);

#endif
