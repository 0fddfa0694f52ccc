/*
 * How long bulk and tensor copies (TMA) take: prints part,case,cycles. One thread copies.
 *
 *     nvcc -std=c++17 -arch=sm_90a -o copy_time cuda/probe/copy_time.cu
 *     copy_time gpu      every SM loads
 *
 * "bulk", "box": a load, until the wait for its bytes is over; from L2, and ("cold") from DRAM.
 * "row": several loads that follow one another, and the wait for all. "issue": clocks behind each.
 * "store", "reduce": until shared memory has been read (read), until all is written (all).
 * "first": the first use of a tensor map. "gpu": every SM loads, several boxes under way: cycles of
 * the slowest SM.
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#include "async.cuh"

enum { SHARED = 200 << 10, ROUNDS = 8 };

__device__ __forceinline__ void init(uint32_t barrier)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}

__device__ __forceinline__ void load(uint32_t to, const char *from, uint32_t bytes,
                                     uint32_t barrier)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(to),
        "l"(from), "r"(bytes), "r"(barrier)
        : "memory");
}

__device__ __forceinline__ void load_box(uint32_t to, const CUtensorMap *map, int x, int y,
                                         uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4}], [%2];" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(x), "r"(y)
                 : "memory");
}

__device__ __forceinline__ void commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

struct task {
    int kind;         /* 0: bulk, 1: box */
    int count, depth; /* loads in a row; of "gpu", boxes under way */
    uint32_t bytes;   /* of one load */
    uint32_t stride;  /* bytes between loads, of "cold" also between rounds */
    int cold, rows;
};

__device__ void load_one(const task &t, const CUtensorMap *map, const char *from, uint64_t at,
                         uint32_t to, uint32_t barrier)
{
    if (t.kind)
        load_box(to, map, 0, (int)(at / t.stride) * t.rows, barrier);
    else
        load(to, from + at, t.bytes, barrier);
}

__global__ void loads(uint64_t *out, const char *from, const __grid_constant__ CUtensorMap map,
                      task t)
{
    extern __shared__ __align__(1024) char box[];
    __shared__ uint64_t barrier_word;
    const uint32_t barrier = shared_address(&barrier_word), to = shared_address(box);
    if (threadIdx.x)
        return;
    init(barrier);
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t base = t.cold ? (uint64_t)round * t.count * t.stride : 0;
        const uint64_t begin = clock_now();
        expect(barrier, t.bytes * t.count);
        for (int i = 0; i < t.count; i++)
            load_one(t, &map, from, base + (uint64_t)i * t.stride, to + i * t.bytes % (128 << 10),
                     barrier);
        await(barrier, round & 1);
        out[round] = clock_now() - begin;
    }
}

__global__ void issues(uint64_t *out, const char *from, const __grid_constant__ CUtensorMap map,
                       task t)
{
    extern __shared__ __align__(1024) char box[];
    __shared__ uint64_t barrier_word;
    const uint32_t barrier = shared_address(&barrier_word), to = shared_address(box);
    uint64_t at[13];
    if (threadIdx.x)
        return;
    init(barrier);
    for (int round = 0; round < 3; round++) {
        expect(barrier, t.bytes * 12);
        at[0] = clock_now();
#pragma unroll
        for (int i = 0; i < 12; i++) {
            load_one(t, &map, from, (uint64_t)i * t.stride, to + i * t.bytes % (128 << 10),
                     barrier);
            at[i + 1] = clock_now();
        }
        await(barrier, round & 1);
    }
    for (int i = 0; i < 12; i++)
        out[i] = at[i + 1] - at[0];
}

/* kind 0: bulk store, 1: box, 2: bulk reduction (add, u32); 3: box reduction (add, u32) */
__global__ void stores(uint64_t *out, char *to, const __grid_constant__ CUtensorMap map, task t)
{
    extern __shared__ __align__(1024) char box[];
    const uint32_t from = shared_address(box);
    if (threadIdx.x)
        return;
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int round = 0; round < ROUNDS; round++) {
        for (int all = 0; all < 2; all++) {
            const uint64_t begin = clock_now();
            for (int i = 0; i < t.count; i++) {
                const uint64_t at = (uint64_t)i * t.stride;
                if (t.kind == 0)
                    asm volatile(
                        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to +
                                                                                            at),
                        "r"(from), "r"(t.bytes)
                        : "memory");
                else if (t.kind == 2)
                    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], "
                                 "[%1], %2;" ::"l"(to + at),
                                 "r"(from), "r"(t.bytes)
                                 : "memory");
                else if (t.kind == 1)
                    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, "
                                 "%3}], [%1];" ::"l"(&map),
                                 "r"(from), "r"(0), "r"((int)(at / t.stride) * t.rows)
                                 : "memory");
                else
                    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group "
                                 "[%0, {%2, %3}], [%1];" ::"l"(&map),
                                 "r"(from), "r"(0), "r"((int)(at / t.stride) * t.rows)
                                 : "memory");
            }
            commit();
            if (all)
                asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
            else
                asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            out[round * 2 + all] = clock_now() - begin;
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }
}

/* Every block loads t.count boxes of its own, t.depth under way. */
__global__ void streams(uint64_t *out, const char *from, const __grid_constant__ CUtensorMap map,
                        task t)
{
    extern __shared__ __align__(1024) char box[];
    __shared__ uint64_t barrier_words[16];
    if (threadIdx.x)
        return;
    for (int i = 0; i < t.depth; i++)
        init(shared_address(&barrier_words[i]));
    const uint64_t begin = clock_now(), first = (uint64_t)blockIdx.x * t.count;
    for (int i = 0; i < t.count + t.depth; i++) {
        const uint32_t barrier = shared_address(&barrier_words[i % t.depth]);
        if (i >= t.depth)
            await(barrier, (i / t.depth - 1) & 1);
        if (i < t.count) {
            expect(barrier, t.bytes);
            load_one(t, &map, from, (first + i) * t.stride,
                     shared_address(box) + i % t.depth * t.bytes, barrier);
        }
    }
    out[blockIdx.x] = clock_now() - begin;
}

static uint64_t *out, host[256];
static char *memory;
static const size_t bytes = (size_t)1 << 30;
static int sms;

static void check()
{
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (!error)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}

static CUtensorMap map_of(uint32_t row_bytes, uint32_t rows, uint32_t pitch,
                          CUtensorMapSwizzle swizzle)
{
    static decltype(&cuTensorMapEncodeTiled) encode;
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult result;
    if (!encode && cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000,
                                                    cudaEnableDefault, &result) == cudaSuccess)
        encode = (decltype(encode))entry;
    CUtensorMap map = {};
    const cuuint64_t size[2] = {pitch / 4, bytes / pitch < 1 << 22 ? bytes / pitch : 1 << 22},
                     stride[1] = {pitch};
    const cuuint32_t box[2] = {row_bytes / 4, rows}, step[2] = {1, 1};
    if (!encode || encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, memory, size, stride, box, step,
                          CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)) {
        fprintf(stderr, "no tensor map: rows of %u bytes\n", row_bytes);
        exit(1);
    }
    return map;
}

template <typename Kernel> static void allow(Kernel *kernel)
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
}

static CUtensorMap some;

/* The last round of what L2 has; of "cold" the median. */
static int time_of(const task &t, const CUtensorMap &map)
{
    loads<<<1, 32, SHARED>>>(out, memory, map, t);
    check();
    if (!t.cold)
        return (int)host[ROUNDS - 1];
    std::sort(host, host + ROUNDS);
    return (int)host[ROUNDS / 2];
}

static void flush()
{
    cudaMemset(memory + (bytes >> 1), 1, bytes >> 1);
}

/* Every SM loads: from L2, then from DRAM. */
static void whole_gpu()
{
    for (int cold = 0; cold < 2; cold++)
        for (int kind = 0; kind < 2; kind++)
            for (int depth : {1, 2, 4, 8})
                for (uint32_t size : {4096, 16384}) {
                    if (depth * size > 128 << 10)
                        continue;
                    /* 16 MiB in all lie in L2 */
                    const int count = cold ? 1 << 21 >> (size > 4096 ? 14 : 12)
                                           : 1 << 17 >> (size > 4096 ? 14 : 12);
                    const task t = {kind, count, depth, size, size, 0, (int)(size / 128)};
                    const CUtensorMap map =
                        map_of(128, size / 128, 128, CU_TENSOR_MAP_SWIZZLE_128B);
                    if (cold)
                        flush();
                    else
                        streams<<<sms, 32, SHARED>>>(out, memory, map, t);
                    streams<<<sms, 32, SHARED>>>(out, memory, map, t);
                    check();
                    printf("gpu%s,%s %u depth %d,%d\n", cold ? " cold" : "", kind ? "box" : "bulk",
                           size, depth, (int)*std::max_element(host, host + sms));
                }
}

int main(int argc, char **argv)
{
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    if (cudaMalloc(&out, 4096) || cudaMalloc(&memory, bytes))
        return 1;
    cudaMemset(memory, 0, bytes >> 1);
    allow(loads), allow(issues), allow(stores), allow(streams);
    some = map_of(128, 64, 1024, CU_TENSOR_MAP_SWIZZLE_128B);
    printf("part,case,cycles\n");
    if (argc > 1 && !strcmp(argv[1], "gpu")) {
        whole_gpu();
        return 0;
    }
    for (uint32_t size : {16, 128, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536})
        printf("bulk,%u,%d\n", size, time_of({0, 1, 0, size, size, 0, 0}, some));
    for (uint32_t size : {16, 1024, 16384}) {
        flush();
        printf("bulk cold,%u,%d\n", size, time_of({0, 1, 0, size, 65536, 1, 0}, some));
    }
    struct {
        uint32_t row, rows, pitch;
        CUtensorMapSwizzle swizzle;
    } boxes[] = {
        {16, 1, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},    {16, 8, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},
        {16, 64, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},   {16, 256, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},
        {32, 64, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},   {32, 256, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},
        {32, 256, 1024, CU_TENSOR_MAP_SWIZZLE_32B},   {64, 64, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},
        {64, 256, 1024, CU_TENSOR_MAP_SWIZZLE_64B},   {128, 1, 1024, CU_TENSOR_MAP_SWIZZLE_128B},
        {128, 8, 1024, CU_TENSOR_MAP_SWIZZLE_128B},   {128, 64, 1024, CU_TENSOR_MAP_SWIZZLE_128B},
        {128, 64, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},  {128, 128, 1024, CU_TENSOR_MAP_SWIZZLE_128B},
        {128, 256, 1024, CU_TENSOR_MAP_SWIZZLE_128B}, {128, 256, 8192, CU_TENSOR_MAP_SWIZZLE_128B},
        {256, 64, 1024, CU_TENSOR_MAP_SWIZZLE_NONE},  {512, 64, 1024, CU_TENSOR_MAP_SWIZZLE_NONE}};
    for (auto &b : boxes)
        printf("box,%ux%u pitch %u swizzle %d,%d\n", b.row, b.rows, b.pitch, (int)b.swizzle,
               time_of({1, 1, 0, b.row * b.rows, 65536, 0, (int)b.rows},
                       map_of(b.row, b.rows, b.pitch, b.swizzle)));
    for (int rows : {1, 64}) {
        flush();
        printf("box cold,128x%d,%d\n", rows,
               time_of({1, 1, 0, 128u * rows, 65536, 1, rows},
                       map_of(128, rows, 1024, CU_TENSOR_MAP_SWIZZLE_128B)));
    }
    for (int count : {2, 4, 8, 16, 32})
        for (uint32_t size : {1024, 4096, 16384})
            printf("row,bulk %u x %d,%d\n", size, count,
                   time_of({0, count, 0, size, size, 0, 0}, some));
    for (int count : {2, 4, 8, 16, 32})
        for (int rows : {8, 64, 128})
            printf("row,box 128x%d x %d,%d\n", rows, count,
                   time_of({1, count, 0, 128u * rows, 65536, 0, rows},
                           map_of(128, rows, 1024, CU_TENSOR_MAP_SWIZZLE_128B)));
    for (int count : {2, 8, 32})
        printf("row,box 16x64 x %d,%d\n", count,
               time_of({1, count, 0, 1024, 65536, 0, 64},
                       map_of(16, 64, 1024, CU_TENSOR_MAP_SWIZZLE_NONE)));
    for (int kind = 0; kind < 2; kind++)
        for (uint32_t size : {1024, 8192}) {
            issues<<<1, 32, SHARED>>>(out, memory,
                                      map_of(128, size / 128, 1024, CU_TENSOR_MAP_SWIZZLE_128B),
                                      task{kind, 12, 0, size, 65536, 0, (int)(size / 128)});
            check();
            for (int i = 0; i < 12; i++)
                printf("issue,%s %u nr %d,%d\n", kind ? "box" : "bulk", size, i + 1, (int)host[i]);
        }
    const char *const kinds[] = {"bulk", "box", "bulk add", "box add"};
    for (int kind = 0; kind < 4; kind++)
        for (uint32_t size : {128, 1024, 8192, 32768})
            for (int count : {1, 8}) {
                stores<<<1, 32, SHARED>>>(out, memory,
                                          map_of(128, size / 128, 1024, CU_TENSOR_MAP_SWIZZLE_128B),
                                          task{kind, count, 0, size, 65536, 0, (int)(size / 128)});
                check();
                printf("store,%s %u x %d read,%d\nstore,%s %u x %d all,%d\n", kinds[kind], size,
                       count, (int)host[ROUNDS * 2 - 2], kinds[kind], size, count,
                       (int)host[ROUNDS * 2 - 1]);
            }
    for (int fresh = 0; fresh < 2; fresh++) {
        loads<<<1, 32, SHARED>>>(
            out, memory,
            map_of(128, 8, 1024, fresh ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_128B),
            task{1, 1, 0, 1024, 65536, 0, 8});
        check();
        printf("first,%d,%d\nsecond,%d,%d\n", fresh, (int)host[0], fresh, (int)host[1]);
    }
    return 0;
}
