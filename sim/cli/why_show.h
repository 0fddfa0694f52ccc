/* What `simsm why` prints and writes. */
#ifndef SIM_CLI_WHY_SHOW_H
#define SIM_CLI_WHY_SHOW_H

#include <stdbool.h>
#include <stdio.h>

#include "report/copy_overlap.h"
#include "sweep/experiments.h"

enum { WHY_ADVICES = 5 }; /* most advices of a kind that are printed */

/* What is shown. */
struct why {
    const struct experiments *experiments;
    const char *config_name;
    uint32_t kinds; /* kinds that were examined, the heaviest */
    bool program;   /* the launches come from a program, whose recording is not kept */
    const struct copy_price *copies; /* of copies that run alone; NULL: nothing worth advice */
};

/* Returns the advice of a kind that is worth its price, at most WHY_ADVICES. It comes first in
 * kind->advice. */
unsigned why_worth(const struct experiment_kind *kind);

/* Prints the advice of all examined kinds. The caller checks ferror(file). */
void why_print(FILE *file, const struct why *why);

/* Writes the same, with all prices, as JSON. Returns false if memory runs out. */
bool why_json(FILE *file, const struct why *why);

#endif
