#ifndef SIM_BASE_SORT_H
#define SIM_BASE_SORT_H

#include <stddef.h>

/*
 * As qsort(), for what is sorted while cycles are simulated: it allocates nothing, which C
 * libraries do not promise (glibc takes memory for more than a kilobyte). Items have at most
 * SORT_ITEM bytes; those that compare equal may change places.
 */
enum { SORT_ITEM = 64 };
void sort_in_place(void *items, size_t count, size_t size,
                   int (*compare)(const void *a, const void *b));

#endif
