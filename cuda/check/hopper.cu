// What compute capability 9.0 adds: barriers in shared memory (mbarrier) and copies that announce
// themselves there, bulk copies (TMA), clusters of blocks that share their shared memory. Faults of
// all classes, and the ways to do without them. check_case.h says how a case is written.
#include "check_case.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>

namespace cg = cooperative_groups;
typedef unsigned long long mbarrier;

// ---- Instructions ----

__device__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void mbarrier_init(mbarrier *b, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count)
                 : "memory");
}

__device__ void mbarrier_inval(mbarrier *b)
{
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(b)) : "memory");
}

__device__ void mbarrier_arrive(mbarrier *b, unsigned count = 1)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(count)
                 : "memory");
}

__device__ void mbarrier_expect(mbarrier *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)),
                 "r"(bytes)
                 : "memory");
}

__device__ bool mbarrier_done(mbarrier *b, unsigned parity)
{
    unsigned done;
    asm volatile("{ .reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared_address(b)), "r"(parity)
                 : "memory");
    return done;
}

__device__ void mbarrier_wait(mbarrier *b, unsigned parity)
{
    while (!mbarrier_done(b, parity))
        ;
}

/// Waits for what other blocks of the cluster send.
__device__ void mbarrier_wait_cluster(mbarrier *b, unsigned parity)
{
    for (unsigned done = 0; !done;)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(b)), "r"(parity)
                     : "memory");
}

/// Asks a few thousand times, for phases that may never end.
__device__ void mbarrier_wait_a_while(mbarrier *b, unsigned parity)
{
    unsigned done = 0;
    for (int i = 0; i < 1 << 12 && !done; i++)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(b)), "r"(parity)
                     : "memory");
}

__device__ void fence_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void bulk_load(void *to, const void *from, unsigned bytes, mbarrier *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(b))
                 : "memory");
}

__device__ void bulk_store(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until the sources of this thread's bulk stores have been read.
__device__ void bulk_sources_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

__device__ void bulk_stores_done()
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__device__ void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

__device__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ unsigned remote_address(const void *p, unsigned rank)
{
    unsigned address;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(address)
                 : "r"(shared_address(p)), "r"(rank));
    return address;
}

/// Writes a word to the same place in another block of the cluster, and announces it there.
__device__ void send_word(int *to, int value, mbarrier *b, unsigned rank)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                     remote_address(to, rank)),
                 "r"(value), "r"(remote_address(b, rank))
                 : "memory");
}

template <typename... Parameters, typename... Arguments>
static void launch_cluster(void (*kernel)(Parameters...), int blocks, int size, int threads,
                           Arguments... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = size;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.attrs = &attribute;
    config.numAttrs = 1;
    MUST(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

// ---- Use of mbarriers ----

__global__ void arrive_uninitialised(int *out)
{
    __shared__ mbarrier b;
    mbarrier_arrive(&b); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(mbarrier_not_initialised, FAULTY, "sync", "Threads arrive at an mbarrier that was never made")
{
    device_array<int> out(32);
    arrive_uninitialised<<<1, 32>>>(out);
}

__global__ void init_with_count(int *out, unsigned count)
{
    __shared__ mbarrier b;
    if (threadIdx.x == 0)
        mbarrier_init(&b, count); // FAULT
    __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}

CASE(mbarrier_count_zero, FAULTY, "sync", "mbarrier.init with a count of 0")
{
    device_array<int> out(32);
    init_with_count<<<1, 32>>>(out, 0);
}

CASE(mbarrier_count_too_large, FAULTY, "sync", "mbarrier.init with a count above 2^20 - 1")
{
    device_array<int> out(32);
    init_with_count<<<1, 32>>>(out, 1u << 20);
}

__global__ void init_twice(int *out)
{
    __shared__ mbarrier b;
    for (int round = 0; round < 2; round++) {
        if (threadIdx.x == 0)
            mbarrier_init(&b, 32); // FAULT
        __syncthreads();
        mbarrier_arrive(&b);
        mbarrier_wait(&b, 0);
        __syncthreads();
    }
    out[threadIdx.x] = threadIdx.x;
}

CASE(mbarrier_made_twice, FAULTY, "sync",
     "mbarrier.init at an mbarrier that is in use, no inval before")
{
    device_array<int> out(32);
    init_twice<<<1, 32>>>(out);
}

__global__ void arrive_after_inval(int *out)
{
    __shared__ mbarrier b;
    if (threadIdx.x == 0)
        mbarrier_init(&b, 32);
    __syncthreads();
    mbarrier_arrive(&b);
    mbarrier_wait(&b, 0);
    __syncthreads();
    if (threadIdx.x == 0)
        mbarrier_inval(&b);
    __syncthreads();
    mbarrier_arrive(&b); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(mbarrier_after_inval, FAULTY, "sync", "Threads arrive at an mbarrier after mbarrier.inval")
{
    device_array<int> out(32);
    arrive_after_inval<<<1, 32>>>(out);
}

__global__ void overwrite_barrier(int *out)
{
    __shared__ union {
        mbarrier b;
        int data[2];
    } s;
    if (threadIdx.x == 0)
        mbarrier_init(&s.b, 32);
    __syncthreads();
    mbarrier_arrive(&s.b);
    mbarrier_wait(&s.b, 0);
    __syncthreads();
    if (threadIdx.x < 2)
        s.data[threadIdx.x] = threadIdx.x; // FAULT
    __syncthreads();
    out[threadIdx.x] = s.data[threadIdx.x % 2];
}

CASE(mbarrier_overwritten, FAULTY, "sync",
     "Data overwrite an mbarrier before mbarrier.inval has ended it")
{
    device_array<int> out(32);
    overwrite_barrier<<<1, 32>>>(out);
}

__global__ void arrive_early(int *out)
{
    __shared__ mbarrier b;
    if (threadIdx.x == 0)
        mbarrier_init(&b, 63); // FAULT
    if (threadIdx.x > 0)
        mbarrier_arrive(&b); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(mbarrier_used_before_visible, FAULTY, "sync",
     "Threads arrive at an mbarrier without a barrier after its init by thread 0")
{
    device_array<int> out(64);
    arrive_early<<<1, 64>>>(out);
}

__global__ void arrive_three(int *out)
{
    __shared__ mbarrier b;
    if (threadIdx.x == 0)
        mbarrier_init(&b, 2);
    __syncthreads();
    if (threadIdx.x == 0)
        mbarrier_arrive(&b, 3); // FAULT
    out[threadIdx.x] = threadIdx.x;
}

CASE(mbarrier_arrives_too_often, FAULTY, "sync",
     "An arrival counts for three where two are expected")
{
    device_array<int> out(32);
    arrive_three<<<1, 32>>>(out);
}

__global__ void misaligned_barrier(int *out)
{
    __shared__ alignas(8) int words[4];
    mbarrier *b = (mbarrier *)(words + 1);
    if (threadIdx.x == 0)
        mbarrier_init(b, 32); // FAULT
    __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}

CASE(mbarrier_misaligned, FAULTY, "memory", "An mbarrier lies at a multiple of 4, not of 8")
{
    device_array<int> out(32);
    misaligned_barrier<<<1, 32>>>(out);
}

__global__ void wrong_parity(const int *in, int *out)
{
    __shared__ mbarrier b;
    __shared__ int s[128];
    if (threadIdx.x == 0)
        mbarrier_init(&b, 128);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x]; // FAULT
    mbarrier_arrive(&b);
    mbarrier_wait_a_while(&b, 1);
    out[threadIdx.x] = s[127 - threadIdx.x]; // FAULT
}

CASE(mbarrier_wrong_parity, FAULTY, "race", "A wait for the phase before the first returns at once")
{
    device_array<int> in(numbers(128)), out(128);
    wrong_parity<<<1, 128>>>(in, out);
}

__global__ void phases_without_wait(const int *in, int *out)
{
    __shared__ mbarrier b;
    __shared__ int s[128];
    if (threadIdx.x == 0)
        mbarrier_init(&b, 128);
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        s[threadIdx.x] = in[threadIdx.x] + round; // FAULT
        mbarrier_arrive(&b);
        mbarrier_wait(&b, round % 2);
        sum += s[127 - threadIdx.x]; // FAULT
    }
    out[threadIdx.x] = sum;
}

CASE(mbarrier_one_phase_of_two, FAULTY, "race",
     "Threads wait before they read, but not before they write again")
{
    device_array<int> in(numbers(128)), out(128);
    phases_without_wait<<<1, 128>>>(in, out);
}

// ---- Bulk copies ----

__global__ void bulk_unawaited(const int *in, int *out)
{
    __shared__ alignas(128) int tile[128];
    __shared__ mbarrier b;
    if (threadIdx.x == 0) {
        mbarrier_init(&b, 1);
        fence_async();
        mbarrier_expect(&b, sizeof tile);
        bulk_load(tile, in, sizeof tile, &b); // FAULT
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x]; // FAULT
    mbarrier_wait(&b, 0);
}

CASE(bulk_load_without_wait, FAULTY, "race", "Threads read a tile before its bulk copy has arrived")
{
    device_array<int> in(numbers(128)), out(128);
    bulk_unawaited<<<1, 128>>>(in, out);
}

template <bool ordered> __device__ void bulk_stages(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int tile[128];
    __shared__ mbarrier full;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_async();
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < tiles; i++) {
        if (threadIdx.x == 0) {
            mbarrier_expect(&full, sizeof tile);
            bulk_load(tile, in + i * 128, sizeof tile, &full); // FAULT
        }
        mbarrier_wait(&full, i % 2);
        __syncthreads();
        sum += tile[127 - threadIdx.x]; // FAULT
        if (ordered)
            __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void bulk_unordered(const int *in, int *out, int tiles)
{
    bulk_stages<false>(in, out, tiles);
}

CASE(bulk_load_overwrites, FAULTY, "race", "A bulk copy overwrites a tile that others still read")
{
    device_array<int> in(1024, 1), out(128);
    bulk_unordered<<<1, 128>>>(in, out, 8);
}

__global__ void bulk_expects_less(const int *in, int *out)
{
    __shared__ alignas(128) int tile[128];
    __shared__ mbarrier b;
    if (threadIdx.x == 0) {
        mbarrier_init(&b, 1);
        fence_async();
        mbarrier_expect(&b, sizeof tile / 2);
        bulk_load(tile, in, sizeof tile, &b); // FAULT
    }
    __syncthreads();
    mbarrier_wait_a_while(&b, 0);
    out[threadIdx.x] = tile[threadIdx.x]; // FAULT
}

CASE(bulk_load_expects_too_little, FAULTY, "race",
     "An mbarrier expects half of the bytes of its copy")
{
    device_array<int> in(numbers(128)), out(128);
    bulk_expects_less<<<1, 128>>>(in, out);
}

template <bool fenced> __device__ void store_tile(int *out)
{
    __shared__ alignas(128) int tile[128];
    tile[threadIdx.x] = threadIdx.x * 3; // FAULT
    if (fenced)
        fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk_store(out, tile, sizeof tile); // FAULT
        bulk_stores_done();
    }
}

__global__ void store_unfenced(int *out)
{
    store_tile<false>(out);
}

__global__ void store_fenced(int *out)
{
    store_tile<true>(out);
}

CASE(bulk_store_without_proxy_fence, FAULTY, "race",
     "A bulk copy reads what threads have written, without fence.proxy.async")
{
    device_array<int> out(128);
    store_unfenced<<<1, 128>>>(out);
}

__global__ void store_overwritten(int *out)
{
    __shared__ alignas(128) int tile[128];
    for (int round = 0; round < 2; round++) {
        tile[threadIdx.x] = threadIdx.x + round; // FAULT
        fence_async();
        __syncthreads();
        if (threadIdx.x == 0)
            bulk_store(out + round * 128, tile, sizeof tile); // FAULT
    }
    if (threadIdx.x == 0)
        bulk_stores_done();
}

CASE(bulk_store_source_overwritten, FAULTY, "race",
     "Threads overwrite a tile before its bulk copy to global memory has read it")
{
    device_array<int> out(256);
    store_overwritten<<<1, 128>>>(out);
}

__global__ void bulk_far(const char *in, int *out, unsigned bytes)
{
    extern __shared__ int4 dynamic[];
    __shared__ mbarrier b;
    if (threadIdx.x == 0) {
        mbarrier_init(&b, 1);
        fence_async();
        mbarrier_expect(&b, bytes);
        bulk_load(dynamic, in, bytes, &b); // FAULT
    }
    __syncthreads();
    mbarrier_wait_a_while(&b, 0);
    out[threadIdx.x] = ((int *)dynamic)[threadIdx.x];
}

CASE(bulk_load_past_end, FAULTY, "memory", "A bulk copy reads 64 bytes behind an array")
{
    device_array<char> in(960, 1);
    device_array<int> out(128);
    bulk_far<<<1, 128, 1024>>>(in, out, 1024);
}

CASE(bulk_load_misaligned, FAULTY, "memory", "A bulk copy begins at a multiple of 4, not of 16")
{
    device_array<char> in(2048, 1);
    device_array<int> out(128);
    bulk_far<<<1, 128, 1024>>>(in.data + 4, out, 1024);
}

CASE(bulk_load_past_shared, FAULTY, "memory", "A bulk copy writes behind the block's shared memory")
{
    device_array<char> in(65536, 1);
    device_array<int> out(128);
    bulk_far<<<1, 128, 1024>>>(in, out, 32768);
}

__global__ void bulk_store_long(int *out)
{
    __shared__ alignas(128) int tile[128];
    tile[threadIdx.x] = threadIdx.x;
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk_store(out, tile, sizeof tile); // FAULT
        bulk_stores_done();
    }
}

CASE(bulk_store_past_end, FAULTY, "memory", "A bulk copy writes 128 elements to an array of 100")
{
    device_array<int> out(100);
    bulk_store_long<<<1, 128>>>(out);
}

__global__ void bulk_store_unwritten(int *out)
{
    __shared__ alignas(128) int tile[128];
    if (threadIdx.x < 100)
        tile[threadIdx.x] = threadIdx.x;
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk_store(out, tile, sizeof tile); // FAULT
        bulk_stores_done();
    }
}

CASE(bulk_store_of_unwritten, FAULTY, "init",
     "A bulk copy reads shared memory that is partly unwritten")
{
    device_array<int> out(128);
    bulk_store_unwritten<<<1, 128>>>(out);
}

__global__ void library_copy_unawaited(const int *in, int *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(barrier) char storage[sizeof(barrier)];
    __shared__ alignas(16) int tile[128];
    barrier *b = (barrier *)storage;
    if (threadIdx.x == 0)
        init(b, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(tile + threadIdx.x / 4 * 4, in + threadIdx.x / 4 * 4,
                       cuda::aligned_size_t<16>(threadIdx.x % 4 ? 0 : 16), *b); // FAULT
    __syncthreads();
    out[threadIdx.x] = tile[127 - threadIdx.x]; // FAULT
    b->arrive_and_wait();
}

CASE(library_copy_without_wait, FAULTY, "race",
     "cuda::memcpy_async(), read before its barrier is done")
{
    device_array<int> in(numbers(128)), out(128);
    library_copy_unawaited<<<1, 128>>>(in, out);
}

// ---- Clusters ----

template <int before, int after> __device__ void neighbour_word(int *out, int *s)
{
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    s[threadIdx.x] = rank * 100 + threadIdx.x; // FAULT
    if (before == 2)
        cluster.sync();
    if (before == 1)
        __syncthreads();
    const int *other = cluster.map_shared_rank(s, rank ^ 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = other[threadIdx.x]; // FAULT
    if (after)
        cluster.sync();
}

__global__ void cluster_unsynchronised(int *out)
{
    __shared__ int s[64];
    neighbour_word<0, 1>(out, s);
}

CASE(cluster_without_barrier, FAULTY, "race",
     "A block reads shared memory that its neighbour writes")
{
    device_array<int> out(128);
    launch_cluster(cluster_unsynchronised, 2, 2, 64, out.data);
}

__global__ void cluster_block_barrier(int *out)
{
    __shared__ int s[64];
    neighbour_word<1, 1>(out, s);
}

CASE(cluster_with_block_barrier, FAULTY, "race",
     "__syncthreads() where the cluster's barrier is needed")
{
    device_array<int> out(128);
    launch_cluster(cluster_block_barrier, 2, 2, 64, out.data);
}

__global__ void cluster_add_plainly(int *out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    cluster.sync();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&sum, 0) += 5; // FAULT
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

CASE(cluster_sum_without_atomics, FAULTY, "race",
     "Blocks of a cluster add to the same word with +=")
{
    device_array<int> out(4);
    launch_cluster(cluster_add_plainly, 4, 4, 32, out.data);
}

__global__ void cluster_left(int *out)
{
    __shared__ int s[64];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x;
    cluster.sync();
    if (cluster.block_rank() == 0)
        return;
    for (int i = 0; i < 100; i++)
        __nanosleep(1000);
    const int *other = cluster.map_shared_rank(s, 0);
    out[threadIdx.x] = ((volatile const int *)other)[threadIdx.x]; // FAULT
}

CASE(cluster_block_has_left, FAULTY, "sync",
     "A block reads shared memory of a block that has ended")
{
    device_array<int> out(64);
    launch_cluster(cluster_left, 2, 2, 64, out.data);
}

__global__ void cluster_past_end(int *out, int shift)
{
    __shared__ int s[64];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x;
    cluster.sync();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = other[threadIdx.x + shift]; // FAULT
    cluster.sync();
}

CASE(cluster_read_past_end, FAULTY, "memory",
     "A read lies 128 KB behind the shared memory of the neighbour")
{
    device_array<int> out(128);
    launch_cluster(cluster_past_end, 2, 2, 64, out.data, 1 << 15);
}

__global__ void cluster_unwritten(int *out)
{
    __shared__ int s[64];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x % 2)
        s[threadIdx.x] = threadIdx.x;
    cluster.sync();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = other[threadIdx.x]; // FAULT
    cluster.sync();
}

CASE(cluster_reads_unwritten, FAULTY, "init", "A block reads words that its neighbour never wrote")
{
    device_array<int> out(128);
    launch_cluster(cluster_unwritten, 2, 2, 64, out.data);
}

__global__ void cluster_divergent(int *out)
{
    if (threadIdx.x % 32 < 16) {
        cluster_arrive(); // FAULT
        cluster_wait();   // FAULT
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

CASE(cluster_barrier_in_branch, FAULTY, "sync", "Half of each warp is at the cluster's barrier")
{
    device_array<int> out(128);
    launch_cluster(cluster_divergent, 2, 2, 64, out.data);
}

template <bool waits> __device__ void send_words(int *out)
{
    __shared__ int s[32];
    __shared__ mbarrier b;
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        mbarrier_init(&b, 1);
        mbarrier_expect(&b, sizeof s);
    }
    cluster.sync();
    const unsigned other = cluster.block_rank() ^ 1;
    send_word(&s[threadIdx.x], threadIdx.x + 1, &b, other); // FAULT
    if (waits)
        mbarrier_wait_cluster(&b, 0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = ((volatile int *)s)[threadIdx.x]; // FAULT
    mbarrier_wait_cluster(&b, 0);
    cluster.sync();
}

__global__ void send_unawaited(int *out)
{
    send_words<false>(out);
}

__global__ void send_awaited(int *out)
{
    send_words<true>(out);
}

CASE(remote_store_without_wait, FAULTY, "race",
     "A block reads words before st.async has brought them")
{
    device_array<int> out(64);
    launch_cluster(send_unawaited, 2, 2, 32, out.data);
}

// ---- Correct ----

__global__ void bulk_ordered(const int *in, int *out, int tiles)
{
    bulk_stages<true>(in, out, tiles);
}

CASE(bulk_load_in_turn, CORRECT, "race", "Bulk copies into one tile, with a barrier before each")
{
    device_array<int> in(numbers(1024)), out(128);
    bulk_ordered<<<1, 128>>>(in, out, 8);
    expect(all(out.host(), [](int i) { return 8 * (127 - i) + 128 * 28; }), "sums");
}

__global__ void bulk_ring(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int tile[3][128];
    __shared__ mbarrier full[3], empty[3];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 3; i++) {
            mbarrier_init(&full[i], 1);
            mbarrier_init(&empty[i], 128);
        }
        fence_async();
    }
    __syncthreads();
    if (threadIdx.x == 128) {
        for (int i = 0; i < tiles; i++) {
            mbarrier_wait(&empty[i % 3], (i / 3 + 1) % 2);
            mbarrier_expect(&full[i % 3], sizeof tile[0]);
            bulk_load(tile[i % 3], in + i * 128, sizeof tile[0], &full[i % 3]);
        }
    } else if (threadIdx.x < 128) {
        int sum = 0;
        for (int i = 0; i < tiles; i++) {
            mbarrier_wait(&full[i % 3], i / 3 % 2);
            sum += tile[i % 3][127 - threadIdx.x];
            mbarrier_arrive(&empty[i % 3]);
        }
        out[threadIdx.x] = sum;
    }
}

CASE(bulk_ring, CORRECT, "race", "A warp loads a ring of three tiles, mbarriers say full and empty")
{
    device_array<int> in(numbers(2048)), out(128);
    bulk_ring<<<1, 160>>>(in, out, 16);
    expect(all(out.host(), [](int i) { return 16 * (127 - i) + 128 * 120; }), "sums");
}

CASE(bulk_store_with_proxy_fence, CORRECT, "race", "fence.proxy.async before a bulk copy out")
{
    device_array<int> out(128);
    store_fenced<<<1, 128>>>(out);
    expect(all(out.host(), [](int i) { return 3 * i; }), "the tile");
}

__global__ void store_in_turn(int *out)
{
    __shared__ alignas(128) int tile[128];
    for (int round = 0; round < 4; round++) {
        if (threadIdx.x == 0)
            bulk_sources_read();
        __syncthreads();
        tile[threadIdx.x] = threadIdx.x + round * 128;
        fence_async();
        __syncthreads();
        if (threadIdx.x == 0)
            bulk_store(out + round * 128, tile, sizeof tile);
    }
    if (threadIdx.x == 0)
        bulk_stores_done();
}

CASE(bulk_store_in_turn, CORRECT, "race", "A tile is written again when its bulk copy has read it")
{
    device_array<int> out(512);
    store_in_turn<<<1, 128>>>(out);
    expect(all(out.host(), [](int i) { return i; }), "tiles");
}

__global__ void expect_in_parts(const int *in, int *out)
{
    __shared__ alignas(128) int tile[128];
    __shared__ mbarrier b;
    if (threadIdx.x == 0) {
        mbarrier_init(&b, 2);
        fence_async();
    }
    __syncthreads();
    if (threadIdx.x % 64 == 0) {
        mbarrier_expect(&b, sizeof tile / 2);
        bulk_load(tile + threadIdx.x, in + threadIdx.x, sizeof tile / 2, &b);
    }
    mbarrier_wait(&b, 0);
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

CASE(bulk_load_in_parts, CORRECT, "sync",
     "Two threads load halves of a tile and announce their bytes")
{
    device_array<int> in(numbers(128)), out(128);
    expect_in_parts<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 127 - i; }), "the tile");
}

__global__ void phases_in_turn(const int *in, int *out)
{
    __shared__ mbarrier b;
    __shared__ int s[128];
    if (threadIdx.x == 0)
        mbarrier_init(&b, 128);
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        s[threadIdx.x] = in[threadIdx.x] + round;
        mbarrier_arrive(&b);
        mbarrier_wait(&b, 0);
        sum += s[127 - threadIdx.x];
        mbarrier_arrive(&b);
        mbarrier_wait(&b, 1);
    }
    out[threadIdx.x] = sum;
}

CASE(mbarrier_two_phases, CORRECT, "race", "An mbarrier before reading, and again before writing")
{
    device_array<int> in(numbers(128)), out(128);
    phases_in_turn<<<1, 128>>>(in, out);
    expect(all(out.host(), [](int i) { return 4 * (127 - i) + 6; }), "sums");
}

__global__ void barrier_then_data(int *out)
{
    __shared__ union {
        mbarrier b;
        int data[2];
    } s;
    for (int round = 0; round < 2; round++) {
        if (threadIdx.x == 0)
            mbarrier_init(&s.b, 32);
        __syncthreads();
        mbarrier_arrive(&s.b);
        mbarrier_wait(&s.b, 0);
        __syncthreads();
        if (threadIdx.x == 0)
            mbarrier_inval(&s.b);
        __syncthreads();
        if (threadIdx.x < 2)
            s.data[threadIdx.x] = threadIdx.x + round;
        __syncthreads();
        out[threadIdx.x] = s.data[threadIdx.x % 2];
        __syncthreads();
    }
}

CASE(mbarrier_memory_used_again, CORRECT, "sync",
     "mbarrier.inval, then data in its place, then a new mbarrier")
{
    device_array<int> out(32);
    barrier_then_data<<<1, 32>>>(out);
    expect(all(out.host(), [](int i) { return i % 2 + 1; }), "words");
}

__global__ void drop_out(int *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(barrier) char storage[sizeof(barrier)];
    __shared__ int count;
    barrier *b = (barrier *)storage;
    if (threadIdx.x == 0) {
        init(b, blockDim.x);
        count = 0;
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        b->arrive_and_drop();
        return;
    }
    for (int i = 0; i < 3; i++) {
        atomicAdd(&count, 1);
        b->arrive_and_wait();
    }
    out[threadIdx.x] = count;
}

CASE(barrier_left_by_some, CORRECT, "sync",
     "Threads leave a barrier by arrive_and_drop() and return")
{
    device_array<int> out(32);
    drop_out<<<1, 64>>>(out);
    expect(all(out.host(), [](int) { return 96; }), "the count");
}

__global__ void cluster_in_step(int *out)
{
    __shared__ int s[64];
    neighbour_word<2, 1>(out, s);
}

CASE(cluster_barriers, CORRECT, "race",
     "Cluster barriers before reading from the neighbour and after")
{
    device_array<int> out(128);
    launch_cluster(cluster_in_step, 2, 2, 64, out.data);
    expect(all(out.host(), [](int i) { return i < 64 ? 100 + i : i - 64; }), "words");
}

__global__ void cluster_atomics(int *out)
{
    __shared__ int sum;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(&sum, 0), 1);
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0)
        *out = sum;
}

CASE(cluster_sum_by_atomics, CORRECT, "race",
     "Blocks of a cluster add to a word of block 0 by atomics")
{
    device_array<int> out(1);
    launch_cluster(cluster_atomics, 4, 4, 32, out.data);
    expect(out.host()[0] == 128, "the sum");
}

__global__ void cluster_in_two_parts(int *out)
{
    __shared__ int s[64];
    cg::cluster_group cluster = cg::this_cluster();
    s[threadIdx.x] = threadIdx.x * 2;
    cluster_arrive();
    const int own = threadIdx.x + 1;
    cluster_wait();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = own + other[63 - threadIdx.x];
    cluster_arrive();
    cluster_wait();
}

CASE(cluster_arrive_then_wait, CORRECT, "sync",
     "Arrive and wait of the cluster's barrier, with work between")
{
    device_array<int> out(128);
    launch_cluster(cluster_in_two_parts, 2, 2, 64, out.data);
    expect(all(out.host(), [](int i) { return 1 + i % 64 + 2 * (63 - i % 64); }), "words");
}

__global__ void cluster_some_return(int *out)
{
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x >= 32)
        return;
    s[threadIdx.x] = threadIdx.x;
    cluster.sync();
    const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 32 + threadIdx.x] = other[31 - threadIdx.x];
    cluster.sync();
}

CASE(cluster_warps_return, CORRECT, "sync",
     "Warps that have ended do not count at the cluster's barrier")
{
    device_array<int> out(64);
    launch_cluster(cluster_some_return, 2, 2, 96, out.data);
    expect(all(out.host(), [](int i) { return 31 - i % 32; }), "words");
}

CASE(remote_store_with_wait, CORRECT, "race", "st.async, and a wait for its bytes at the mbarrier")
{
    device_array<int> out(64);
    launch_cluster(send_awaited, 2, 2, 32, out.data);
    expect(all(out.host(), [](int i) { return i % 32 + 1; }), "words");
}
