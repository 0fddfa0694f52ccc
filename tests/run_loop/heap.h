/* The memory of the whole program, watched: who calls malloc, calloc, realloc, free and their like,
 * mmap, or takes a piece of an arena. */
#ifndef TESTS_RUN_LOOP_HEAP_H
#define TESTS_RUN_LOOP_HEAP_H

#include <stdbool.h>
#include <stdio.h>

/* From now on calls are counted, by any thread, or are not any more. */
void heap_watch(bool on);

/* Calls counted since the last heap_forget. */
unsigned long heap_calls(void);
void heap_forget(void);

/* Where they came from: for each of the first few places the functions that called one another,
 * the innermost first; `program` is argv[0]. */
void heap_print_callers(FILE *out, const char *program);

#endif
