#include "front/front.h"

#include "front/trace/trace.h"

enum simsm_status front_open(struct front **front, const char *path,
                             const struct simsm_config *config, const char *const *params,
                             struct simsm_error *error)
{
    return trace_open(front, path, config, params, error);
}

void front_close(struct front *front)
{
    if (front)
        front->ops->close(front);
}

void front_warp_end(const struct front *front, void *stream)
{
    if (front->ops->warp_end)
        front->ops->warp_end(front, stream);
}

enum simsm_status front_status(const struct front *front, struct simsm_error *error)
{
    return front->ops->status ? front->ops->status(front, error) : SIMSM_OK;
}
