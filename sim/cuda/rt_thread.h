/* State of the runtime API that each thread of the program has for itself. */
#ifndef SIM_CUDA_RT_THREAD_H
#define SIM_CUDA_RT_THREAD_H

#include "cuda/abi.h"

enum { PUSHED_MAX = 16 };

struct pushed_configuration {
    struct cuda_dim3 grid, block;
    size_t shared;
    void *stream;
};

struct rt_thread {
    enum cuda_error last;                           /* returned by cudaGetLastError */
    enum cuda_error refusal;                        /* why the last rt_enter returned NULL */
    const char *call;                               /* name of the API function in progress */
    struct pushed_configuration pushed[PUSHED_MAX]; /* stack of <<<...>>> */
    unsigned pushed_count;
    char why[300];   /* simsm check: what rt_report has said in this call */
    bool mute;       /* rt_report prints nothing */
    bool in_program; /* a host function of the program runs; it may not call the API */
};

extern _Thread_local struct rt_thread rt_thread;

#endif
