/* The items of a table's file: where each begins and ends, and its `each`. */
#ifndef SIM_CALIBRATE_ITEMS_H
#define SIM_CALIBRATE_ITEMS_H

#include "calibrate/table.h"

enum { EACH_VALUES = 64 };

struct table_each {
    char key[EXPAND_TEXT];
    char (*value)[EXPAND_TEXT]; /* [count] */
    uint32_t count;
};

struct table_item {
    size_t begin, end; /* extent in the table's text, in bytes; both 0: the item does not exist */
    uint32_t line;
    bool named; /* the name contains values of `each` */
    struct table_each each[EXPAND_KEYS];
    uint32_t eaches;
};

/* Fills table->item and table->kernels from table->text. */
enum simsm_status items_read(struct table *table, struct simsm_error *error);
void items_free(struct table *table);

#endif
