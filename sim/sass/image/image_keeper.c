/* Memory that is freed all at once. */
#include "sass/image/image_keeper.h"

#include <stdlib.h>

#include "base/pool.h"

struct keeper {
    struct pool block; /* of void * */
};

struct keeper *keeper_create(void)
{
    struct keeper *keeper = calloc(1, sizeof *keeper);
    if (keeper)
        keeper->block.size = sizeof(void *);
    return keeper;
}

void keeper_destroy(struct keeper *keeper)
{
    if (!keeper)
        return;
    void **block = keeper->block.data;
    for (size_t i = 0; i < keeper->block.count; i++)
        free(block[i]);
    pool_free(&keeper->block);
    free(keeper);
}

bool keeper_adopt(struct keeper *keeper, void *block)
{
    if (pool_add(&keeper->block, &block))
        return true;
    free(block);
    return false;
}

void *keeper_take(struct keeper *keeper, size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    return block && keeper_adopt(keeper, block) ? block : NULL;
}
