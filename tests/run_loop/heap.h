/* The memory of the whole program, watched: who calls malloc, calloc, realloc, free and their like,
 * mmap, or takes a piece of an arena. */
#ifndef TESTS_RUN_LOOP_HEAP_H
#define TESTS_RUN_LOOP_HEAP_H

#include <stdbool.h>
#include <stdio.h>

/* Starts or stops counting the calls of all threads. */
void heap_watch(bool on);

/* Calls counted since the last heap_forget. */
unsigned long heap_calls(void);
void heap_forget(void);

/* Prints the callers of the first few allocations, innermost function first; `program` is
 * argv[0]. */
void heap_print_callers(FILE *out, const char *program);

#endif
