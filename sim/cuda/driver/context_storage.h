/*
 * Values that a program stores with a context under a key (an address of its own). NVIDIA's
 * runtimes keep their state of a context there. `context` NULL: the thread's current context. All
 * return an error of the driver.
 */
#ifndef SIM_CUDA_DRIVER_CONTEXT_STORAGE_H
#define SIM_CUDA_DRIVER_CONTEXT_STORAGE_H

struct context_value;

/* Stores a value in place of an older one. `destroy` is called when the context ends; NULL: none.
 */
int context_storage_put(void *context, const void *key, void *value,
                        void (*destroy)(void *context, const void *key, void *value));
int context_storage_delete(void *context, const void *key);
int context_storage_get(void **value, void *context, const void *key);

/* Calls the destructors of the values of a context that ends, and frees the list. */
void context_storage_clear(void *context, struct context_value *values);

#endif
