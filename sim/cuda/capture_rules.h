/*
 * What calls do to captures that are under way: a call whose work a graph cannot hold fails, and
 * the captures that it touches are void. Measured on an H200 (driver 580;
 * tests/data/cuda/capture.cu).
 */
#ifndef SIM_CUDA_CAPTURE_RULES_H
#define SIM_CUDA_CAPTURE_RULES_H

#include "cuda/cuda_stream.h"

/* How a capture began, and how a thread lets its calls act on captures. */
enum capture_mode { CAPTURE_GLOBAL, CAPTURE_THREAD, CAPTURE_RELAXED };

/* What a call does. */
enum capture_use {
    CAPTURE_USES_LEGACY, /* puts work into the legacy default stream, which waits for blocking ones
                          */
    CAPTURE_USES_DEVICE, /* waits for all streams */
    CAPTURE_USES_OTHER   /* allocates, or asks other streams: unsafe unless the mode is relaxed */
};

/*
 * Returns what the call returns: success, cudaErrorStreamCaptureImplicit for the legacy stream, or
 * cudaErrorStreamCaptureUnsupported. If it fails, the captures that forbid it are void.
 */
enum cuda_error capture_allow(enum capture_use use);

/* As capture_allow, but asks only: no capture is void. */
enum cuda_error capture_ask(enum capture_use use);

/* Makes the capture of `graph` void in all its streams. NULL: does nothing. */
void capture_void(const struct graph *graph);

/* Exchanges the mode of this thread; modes of others do not change. */
void capture_exchange_mode(int *mode);

#endif
