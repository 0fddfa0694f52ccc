/* In which order accesses to the same bytes take effect, and who sees them:
 * tests/integration/test_memory_order.c. MANIFEST says how this is compiled. */
#define KERNEL extern "C" __global__ void

__device__ static int load(const int *at)
{
    int value;
    asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

__device__ static void store(int *at, int value)
{
    asm volatile("st.global.s32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

__device__ static void add(int *at, int value)
{
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

__device__ static int fetch_and_add(int *at, int value)
{
    int before;
    asm volatile("atom.global.add.s32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(at), "r"(value)
                 : "memory");
    return before;
}

/* Each thread: a store, a reduction and a load of its word, without a wait between them; then the
 * same with an atomic operation whose word L1 holds. */
KERNEL own_reductions(int *word, int *out)
{
    word += threadIdx.x;
    out += 3 * threadIdx.x;
    store(word, 10);
    add(word, 5);
    out[0] = load(word); /* 15 */
    int before = fetch_and_add(word, 100);
    out[1] = load(word); /* 115 */
    out[2] = before;     /* 15 */
}

/* The reductions of one warp are seen by the other behind a barrier: 2 + 3. */
KERNEL reductions_of_the_block(int *word, int *out)
{
    if (threadIdx.x >= 32)
        add(&word[threadIdx.x - 32], 3);
    __syncthreads();
    if (threadIdx.x < 32)
        out[threadIdx.x] = load(&word[threadIdx.x]);
}

/* Likewise, copied to shared memory. */
KERNEL copied_reductions(int *word, int *out)
{
    __shared__ int copy[32];
    add(&word[threadIdx.x], 3);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.wait_all;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(&copy[threadIdx.x])),
                 "l"(&word[threadIdx.x])
                 : "memory");
    out[threadIdx.x] = copy[threadIdx.x];
}

/* Block 0 stores 1 to word[0], and block 1 stores 2 later. Block 0 stores to word[1], which lies
 * beside it, all the time, and says at which turn it has seen the 2. */
KERNEL later_store_of_another(int *word, int *out, int turns)
{
    if (blockIdx.x == 0) {
        int seen = -1;
        store(&word[0], 1);
#pragma unroll 1
        for (int i = 0; i < turns; i++) {
            store(&word[1], i);
            if (load(&word[0]) == 2 && seen < 0)
                seen = i;
        }
        *out = seen;
        return;
    }
    while (*(volatile int *)&word[1] < turns / 4)
        ;
    store(&word[0], 2);
}

/* Stores to memory that is freed at once: whole pages, which nobody can access then. */
KERNEL freed_at_once(int bytes, int *out)
{
    int *given = (int *)malloc(bytes);
    store(given + bytes / 8, 7);
    free(given);
    *out = given != nullptr;
}
