#include "cuda/user_object.h"

#include <stdlib.h>

#include "cuda/runtime.h"

struct user_object {
    struct user_object *next;
    cuda_host_fn *destroy;
    void *data;
    uint64_t own;  /* references of the program */
    uint64_t held; /* references of graphs */
};

static struct user_object *objects;

struct user_object *user_object_create(cuda_host_fn *destroy, void *data, uint64_t count)
{
    struct user_object *object = malloc(sizeof *object);
    if (!object)
        return NULL;
    *object = (struct user_object){.next = objects, .destroy = destroy, .data = data, .own = count};
    objects = object;
    return object;
}

struct user_object *user_object_find(const void *handle)
{
    struct user_object *object = objects;
    while (object && object != handle)
        object = object->next;
    return object && (object->own || object->held) ? object : NULL;
}

void user_object_retain(struct user_object *object, uint64_t count)
{
    object->own += count;
}

bool user_object_release(struct user_object *object, uint64_t count)
{
    if (object->own < count)
        return false;
    object->own -= count;
    return true;
}

bool user_references_add(struct user_references *references, struct user_object *object,
                         uint64_t count, bool move)
{
    size_t at = 0;
    while (at < references->items && references->item[at].object != object)
        at++;
    if (move && object->own < count)
        return false;
    if (at == references->items) {
        struct user_reference *item =
            realloc(references->item, (references->items + 1) * sizeof *item);
        if (!item)
            return false;
        references->item = item;
        references->item[references->items++] = (struct user_reference){object, 0};
    }
    references->item[at].count += count;
    object->held += count;
    object->own -= move ? count : 0;
    return true;
}

bool user_references_remove(struct user_references *references, const struct user_object *object,
                            uint64_t count)
{
    for (size_t i = 0; i < references->items; i++) {
        struct user_reference *reference = &references->item[i];
        if (reference->object != object || reference->count < count)
            continue;
        reference->count -= count;
        reference->object->held -= count;
        if (!reference->count)
            *reference = references->item[--references->items];
        return true;
    }
    return false;
}

bool user_references_copy(struct user_references *to, const struct user_references *from)
{
    bool done = true;
    for (size_t i = 0; i < from->items && done; i++)
        done = user_references_add(to, from->item[i].object, from->item[i].count, false);
    return done;
}

void user_references_clear(struct user_references *references)
{
    for (size_t i = 0; i < references->items; i++)
        references->item[i].object->held -= references->item[i].count;
    free(references->item);
    *references = (struct user_references){0};
}

/* Takes an object without references off the list; NULL if there is none. */
static struct user_object *take_dead(void)
{
    struct user_object **link = &objects;
    while (*link && ((*link)->own || (*link)->held))
        link = &(*link)->next;
    struct user_object *dead = *link;
    if (dead)
        *link = dead->next;
    return dead;
}

void user_objects_bury(void)
{
    for (struct user_object *dead;; free(dead)) {
        rt_lock(__func__);
        dead = take_dead();
        (void)rt_leave_keep_last(CUDA_SUCCESS);
        if (!dead)
            return;
        dead->destroy(dead->data);
    }
}
