/* What runtimes store with a context: the driver keeps it, and calls back when the context ends. */
#include "cuda/driver/context_storage.h"

#include <stdlib.h>

#include "cuda/driver/context.h"
#include "cuda/driver/driver.h"

/* Returns the link of the list that points to the value of `key`; *link is NULL if it has none. */
static struct context_value **link_of(struct context_value **link, const void *key)
{
    while (*link && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

int context_storage_put(void *context, const void *key, void *value,
                        void (*destroy)(void *context, const void *key, void *value))
{
    context_lock();
    struct context_value **link = context_values(context);
    int result = link ? DRIVER_SUCCESS : DRIVER_INVALID_CONTEXT;
    if (link)
        link = link_of(link, key);
    if (link && !*link && !(*link = calloc(1, sizeof **link)))
        result = DRIVER_OUT_OF_MEMORY;
    else if (link)
        **link = (struct context_value){(*link)->next, key, value, destroy};
    context_unlock();
    return result;
}

int context_storage_delete(void *context, const void *key)
{
    context_lock();
    struct context_value **link = context_values(context), *gone = NULL;
    int result = link ? DRIVER_SUCCESS : DRIVER_INVALID_CONTEXT;
    if (link) {
        link = link_of(link, key);
        gone = *link;
        if (gone)
            *link = gone->next;
        else
            result = DRIVER_INVALID_HANDLE;
    }
    context_unlock();
    free(gone);
    return result;
}

int context_storage_get(void **value, void *context, const void *key)
{
    context_lock();
    struct context_value **link = context_values(context);
    const struct context_value *found = link ? *link_of(link, key) : NULL;
    if (found)
        *value = found->value;
    context_unlock();
    return found ? DRIVER_SUCCESS : link ? DRIVER_INVALID_HANDLE : DRIVER_INVALID_CONTEXT;
}

void context_storage_clear(void *context, struct context_value *values)
{
    while (values) {
        struct context_value *value = values;
        values = value->next;
        if (value->destroy)
            value->destroy(context, value->key, value->value);
        free(value);
    }
}
