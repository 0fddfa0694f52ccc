#ifndef SIM_BASE_ZEROED_H
#define SIM_BASE_ZEROED_H

#include <stddef.h>

/*
 * As calloc() and free(), for tables that are sized for the worst case and of which few entries are
 * ever used: what has never been touched takes no memory. calloc() clears, and so touches, what it
 * gives. NULL: out of memory.
 */
void *zeroed_alloc(size_t count, size_t size);
void zeroed_free(void *table);

#endif
