/* Which calls captures forbid. */
#include "cuda/capture_rules.h"

#include "cuda/rt_thread.h"

static _Thread_local int mode_of_thread;

void capture_exchange_mode(int *mode)
{
    const int before = mode_of_thread;
    mode_of_thread = *mode;
    *mode = before;
}

void capture_void(const struct graph *graph)
{
    for (struct stream *s = stream_first(); graph && s; s = s->next)
        s->capture_is_void |= s->capture.graph == graph;
}

/* Returns whether a call that is unsafe in some modes must not be made during the capture. */
static bool is_unsafe(const struct stream *stream)
{
    const bool own = stream->capture_thread == &rt_thread;
    if (stream->capture_mode == CAPTURE_RELAXED || mode_of_thread == CAPTURE_RELAXED)
        return false;
    return own || (stream->capture_mode == CAPTURE_GLOBAL && mode_of_thread == CAPTURE_GLOBAL);
}

static bool forbids(const struct stream *stream, enum capture_use use)
{
    if (!stream->capture.graph || stream->capture_is_void)
        return false;
    switch (use) {
    case CAPTURE_USES_LEGACY:
        return !(stream->flags & STREAM_NON_BLOCKING);
    case CAPTURE_USES_DEVICE:
        return true;
    default:
        return is_unsafe(stream);
    }
}

static enum cuda_error answer(enum capture_use use, bool make_void)
{
    bool forbidden = false;
    for (struct stream *s = stream_first(); s; s = s->next) {
        if (!forbids(s, use))
            continue;
        forbidden = true;
        if (make_void)
            capture_void(s->capture.graph);
    }
    if (!forbidden)
        return CUDA_SUCCESS;
    return use == CAPTURE_USES_LEGACY ? CUDA_STREAM_CAPTURE_IMPLICIT
                                      : CUDA_STREAM_CAPTURE_UNSUPPORTED;
}

enum cuda_error capture_allow(enum capture_use use)
{
    return answer(use, true);
}

enum cuda_error capture_ask(enum capture_use use)
{
    return answer(use, false);
}
