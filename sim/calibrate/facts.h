/* What is known of a GPU's points: what was measured here (calib.csv), or what others have
 * published (published.csv). */
#ifndef SIM_CALIBRATE_FACTS_H
#define SIM_CALIBRATE_FACTS_H

#include "calibrate/record.h"

enum { FACT_NOTE = 300, FACT_TRUST = 16 };

/* What is known of a point. */
struct fact {
    char file[TABLE_NAME], point[POINT_NAME], unit[POINT_UNIT];
    double value, min, max; /* its spread, or what sources say */
    char *list;             /* in place of them: owned */
    char trust[FACT_TRUST]; /* as of a configuration's keys: measured, vendor, paper ... */
    char source[FACT_NOTE];
};

struct facts {
    struct fact *fact; /* [facts] */
    size_t facts;
};

/*
 * Adds what is in a folder: of calib.csv the rows with a value, and the rows of published.csv, of
 * which the columns are file,point,unit,value,min,max,trust,source. A point in both has the
 * measured one. SIMSM_BAD_INPUT also if there is neither file. facts_free must be called whatever
 * it returns.
 */
enum simsm_status facts_read(struct facts *facts, const char *folder, struct simsm_error *error);
void facts_free(struct facts *facts);

/* NULL: nothing is known of the point. */
const struct fact *facts_find(const struct facts *facts, const char *file, const char *point);

#endif
