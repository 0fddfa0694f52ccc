/* The optional operations of a front, which do nothing if the front lacks them. */
#include "front/front.h"

#include <stdlib.h>

void front_close(struct front *front)
{
    if (!front)
        return;
    free(front->warnings);
    front->ops->close(front);
}

void front_warp_end(const struct front *front, void *cursor)
{
    if (front->ops->warp_end)
        front->ops->warp_end(front, cursor);
}

enum simsm_status front_status(const struct front *front, struct simsm_error *error)
{
    return front->ops->status ? front->ops->status(front, error) : SIMSM_OK;
}

void front_stop_when(const struct front *front, int (*stop)(void))
{
    if (front->ops->stop_when)
        front->ops->stop_when(front, stop);
}

enum simsm_status front_begin_timed(struct front *front, struct simsm_error *error)
{
    return front->ops->begin_timed ? front->ops->begin_timed(front, error) : SIMSM_OK;
}

enum simsm_status front_finish(const struct front *front, struct simsm_error *error)
{
    return front->ops->finish ? front->ops->finish(front, error) : SIMSM_OK;
}
