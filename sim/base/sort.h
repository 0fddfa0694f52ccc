/* Sorting without allocation. */
#ifndef SIM_BASE_SORT_H
#define SIM_BASE_SORT_H

#include <stddef.h>

/*
 * Sorts like qsort() but allocates nothing, as the run loop must not allocate (glibc's qsort does
 * for more than a kilobyte). Items have at most SORT_ITEM bytes. Equal items may change places.
 */
enum { SORT_ITEM = 64 };
void sort_in_place(void *items, size_t count, size_t size,
                   int (*compare)(const void *a, const void *b));

#endif
