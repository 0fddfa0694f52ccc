// Two threads are expected, one comes.
extern "C" __global__ void never(int *out)
{
    __shared__ unsigned long long barrier;
    unsigned at = (unsigned)__cvta_generic_to_shared(&barrier), done = 0;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(at) : "memory");
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
        while (!done)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0;"
                         " selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(at)
                         : "memory");
        *out = 1;
    }
}

// Two threads are expected, three come.
extern "C" __global__ void too_many(int *out)
{
    __shared__ unsigned long long barrier;
    unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(at) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 _, [%0], 3;" ::"r"(at) : "memory");
    *out = 1;
}
