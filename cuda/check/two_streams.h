// Streams that do not wait for one another, and kernels that take a while.
#ifndef CUDA_CHECK_TWO_STREAMS_H
#define CUDA_CHECK_TWO_STREAMS_H

#include "check_case.h"

/// Keeps a kernel busy for some microseconds.
__device__ inline void delay(unsigned nanoseconds)
{
    for (unsigned i = 0; i < nanoseconds; i += 100)
        __nanosleep(100);
}

/// Waits for both at its end.
struct two_streams {
    cudaStream_t one, other;

    two_streams()
    {
        MUST(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
        MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    }

    ~two_streams()
    {
        cudaStreamSynchronize(one);
        cudaStreamSynchronize(other);
        cudaStreamDestroy(one);
        cudaStreamDestroy(other);
    }
};

#endif
