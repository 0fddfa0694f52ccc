/*
 * User objects (cudaUserObjectCreate): resources of the program with a count of references, which
 * graphs may hold. The last release calls the program's destructor.
 */
#ifndef SIM_CUDA_USER_OBJECT_H
#define SIM_CUDA_USER_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/abi.h"

struct user_object;

/* References that a graph holds. Begins as zeros. */
struct user_references {
    struct user_reference {
        struct user_object *object;
        uint64_t count;
    } * item;
    size_t items;
};

/* Creates an object with `count` references of the program. Returns NULL if out of memory. */
struct user_object *user_object_create(cuda_host_fn *destroy, void *data, uint64_t count);
/* Returns the object with this handle; NULL if there is none. */
struct user_object *user_object_find(const void *handle);
/* Adds references of the program. */
void user_object_retain(struct user_object *object, uint64_t count);
/* Removes references of the program. Returns false if it has fewer. */
bool user_object_release(struct user_object *object, uint64_t count);

/* Adds references; `move`: they are the program's so far. Returns false if it has fewer, or if out
 * of memory. */
bool user_references_add(struct user_references *references, struct user_object *object,
                         uint64_t count, bool move);
/* Removes references. Returns false if there are fewer. */
bool user_references_remove(struct user_references *references, const struct user_object *object,
                            uint64_t count);
/* Adds to `to`, which has none, as many references as `from` has. Returns false if out of memory.
 */
bool user_references_copy(struct user_references *to, const struct user_references *from);
/* Removes all. */
void user_references_clear(struct user_references *references);

/*
 * Calls the destructors of objects without references, and frees the objects. The caller does not
 * hold the runtime's lock, which all other functions need: a destructor is code of the program.
 */
void user_objects_bury(void);

#endif
