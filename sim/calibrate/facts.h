/* Known values of a GPU's points: measured by this project (calib.csv) or published by others
 * (published.csv). */
#ifndef SIM_CALIBRATE_FACTS_H
#define SIM_CALIBRATE_FACTS_H

#include "calibrate/record.h"

enum { FACT_NOTE = 300, FACT_TRUST = 16 };

/* The known value of a point. */
struct fact {
    char file[TABLE_NAME], point[POINT_NAME], unit[POINT_UNIT];
    double value, min, max; /* least and largest value of the runs or of the sources */
    char *list;             /* the value as a list, if it is a list; owned */
    char trust[FACT_TRUST]; /* a tag as for keys of a configuration: measured, vendor, paper ... */
    char source[FACT_NOTE];
};

struct facts {
    struct fact *fact; /* [facts] */
    size_t facts;
};

/*
 * Reads the known values of a folder: from calib.csv the rows with a value, from published.csv
 * (columns file,point,unit,value,min,max,trust,source) all rows. If both files have a point, the
 * measured value is taken. Returns SIMSM_BAD_INPUT also if neither file exists. The caller calls
 * facts_free() whatever the result.
 */
enum simsm_status facts_read(struct facts *facts, const char *folder, struct simsm_error *error);
void facts_free(struct facts *facts);

/* Returns the known value of a point, or NULL. */
const struct fact *facts_find(const struct facts *facts, const char *file, const char *point);

#endif
