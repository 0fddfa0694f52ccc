/* Contexts, for the parts of the driver that keep something for each of them. */
#ifndef SIM_CUDA_DRIVER_CONTEXT_H
#define SIM_CUDA_DRIVER_CONTEXT_H

#include <stdint.h>

/* What a program has stored with a context under a key. */
struct context_value {
    struct context_value *next;
    const void *key;
    void *value;
    void (*destroy)(void *context, const void *key, void *value); /* NULL: nothing is called */
};

/*
 * Returns the list of what is stored with a context; `handle` NULL: with the thread's current one.
 * Returns NULL if there is no such context. The caller holds the lock of contexts.
 */
struct context_value **context_values(void *handle);

/* Takes and releases the lock that protects contexts and what is stored with them. */
void context_lock(void);
void context_unlock(void);

/* Returns the handle of the primary context. */
void *context_primary(void);

/* Returns the number of a context, unique in the process; 0 if there is no such context. */
uint64_t context_number(void *handle);

#endif
