/*
 * Kernels of the pictures in tests/timelines that show machine code: a kernel for each rule of its
 * execution. They are short, so that a reader can follow each instruction in the picture. Pointers
 * into shared memory are arguments, which saves the instructions that compute them: 1024 is the
 * first byte behind those that the system keeps.
 */

__device__ static int load_strong(const int *p)
{
    int value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

__device__ static int load_weak(const int *p)
{
    int value;
    asm volatile("ld.weak.global.s32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

__device__ static int load_shared(unsigned at)
{
    int value;
    asm volatile("ld.weak.shared.s32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
    return value;
}

__device__ static int load_shared_volatile(unsigned at)
{
    int value;
    asm volatile("ld.volatile.shared.s32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
    return value;
}

__device__ static void store_shared(unsigned at, int value)
{
    asm volatile("st.weak.shared.s32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
}

/* Block 0 sets a flag; block 1 polls it. */
extern "C" __global__ void flag(int *ready)
{
    if (blockIdx.x == 0)
        *ready = 1;
    else
        while (load_strong(ready) == 0)
            ;
}

/* Each block puts 1 into a word. The block that finds 0 there sleeps. Block `late` is slower. */
extern "C" __global__ void first(int *word, int late)
{
    int found;
    if (blockIdx.x == late)
        __nanosleep(0);
    asm volatile("atom.relaxed.gpu.global.exch.b32 %0, [%1], 1;"
                 : "=r"(found)
                 : "l"(word)
                 : "memory");
    if (found == 0)
        __nanosleep(8);
}

/* Block 0 stores a word, then both blocks load it. A block that finds the value sleeps. */
extern "C" __global__ void own_store(int *word)
{
    if (blockIdx.x == 0)
        *word = 1;
    if (load_weak(word))
        __nanosleep(8);
}

/* Warp 1 comes to the barrier late. Behind the barrier is arithmetic, which does not wait for it. */
extern "C" __global__ void barrier(int *out)
{
    if (threadIdx.x >= 32)
        __nanosleep(16);
    __syncthreads();
    out[threadIdx.x] = clock();
}

/* Warp 0 waits for a phase, which the one lane of warp 1 ends by its arrival. */
extern "C" __global__ void phase(unsigned at)
{
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    __syncthreads();
    if (threadIdx.x >= 32) {
        __nanosleep(32);
        asm volatile("{.reg .b64 state; mbarrier.arrive.shared.b64 state, [%0];}" ::"r"(at)
                     : "memory");
    } else {
        asm volatile("{.reg .pred done;\n"
                     "again: mbarrier.try_wait.parity.shared.b64 done, [%0], 0;\n"
                     "@!done bra again;}" ::"r"(at)
                     : "memory");
    }
}

/* Sleeps until a multiple of 32 ns. */
extern "C" __global__ void sleep()
{
    __nanosleep(32);
}

/* Lane 0 looks at a word up to three times, until another lane has set it. Its stores keep the
 * compiler from loading only once. */
extern "C" __global__ void look(unsigned at, unsigned looks)
{
    if (threadIdx.x == 0) {
#pragma unroll 1
        for (int i = 0; i < 3 && load_shared(at) == 0; i++)
            store_shared(looks, i);
    } else {
        __nanosleep(0);
        store_shared(at, 1);
    }
    __syncwarp();
}

/* The same, in a loop that the compiler gives a YIELD. */
extern "C" __global__ void look_and_yield(unsigned at, unsigned looks)
{
    if (threadIdx.x == 0) {
#pragma unroll 1
        for (int i = 0; i < 3 && load_shared_volatile(at) == 0; i++)
            store_shared(looks, i);
    } else {
        __nanosleep(0);
        store_shared(at, 1);
    }
    __syncwarp();
}

/* Block 0 stores the address that malloc returns; the others sleep. */
extern "C" __global__ void allocate(void **out)
{
    if (blockIdx.x == 0)
        *out = malloc(16);
    else
        __nanosleep(128);
}

/* Block 0 stores a word. Block 1 loads it `time` ns later, and sleeps if it finds the value. */
extern "C" __global__ void late_load(int *word, int time)
{
    if (blockIdx.x == 0) {
        *word = 1;
        return;
    }
    __nanosleep(time);
    if (load_weak(word))
        __nanosleep(8);
}
