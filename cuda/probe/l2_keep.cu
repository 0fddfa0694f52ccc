// What L2 keeps of memory that a kernel, a fill or a copy has used: the latency of lines
// afterwards.
//
//   nvcc -arch=sm_90 -o l2_keep l2_keep.cu
//   l2_keep > l2_keep.csv
//
// Before each use a kernel reads 512 MB of other memory, or fills them. Then one thread loads up to
// 64 lines that are spread over the memory, one after the other. A row has the mean latency in cycles and how
// many of the lines took more than 500, the better of three times. `slow` lines come from DRAM.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

typedef uint32_t u32;
typedef uint64_t u64;

constexpr u32 KB = 1024, OTHER = 512 * KB * KB, MOST = 64 * KB * KB, PLACES = 64, SLOW = 500;

__global__ void read(const uint4 *data, u64 count, u32 *sink)
{
    u32 sum = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
         i += (u64)gridDim.x * blockDim.x) {
        uint4 value = __ldcg(data + i);
        sum += value.x ^ value.y;
    }
    if (sum == 12345)
        *sink = sum;
}

__global__ void write(uint4 *data, u64 count, u32 value)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
         i += (u64)gridDim.x * blockDim.x)
        data[i] = make_uint4(value, value, value, value);
}

/// Stores 16 bytes of each `apart` times 16.
__global__ void write_some(uint4 *data, u64 count, u32 apart, u32 value)
{
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count;
         i += (u64)gridDim.x * blockDim.x)
        data[i * apart] = make_uint4(value, value, value, value);
}

/// out: mean cycles of a load, slow loads, loads. `zero` is 0, but the compiler does not know it.
__global__ void latency(const char *data, u32 bytes, u32 *out, u32 zero)
{
    __shared__ volatile u32 landed;
    u32 lines = bytes / 128, count = lines < PLACES ? lines : PLACES, sum = 0, slow = 0, value = 0;
    for (u32 i = 0; i < count; i++) {
        const char *at = data + (u64)i * lines / count * 128 + (value & zero);
        long long start = clock64();
        value = __ldcg((const u32 *)at);
        landed = value;
        u32 cycles = (u32)(clock64() - start);
        sum += cycles;
        slow += cycles > SLOW;
    }
    out[0] = sum / count;
    out[1] = slow;
    out[2] = count;
}

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "l2_keep: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

struct Memory {
    char *data, *from, *other, *host, *pinned;
    u32 *out;
};

typedef void Use(const Memory &, u32 bytes, u32 round);

static void nothing(const Memory &, u32, u32)
{
}

static void kernel_read(const Memory &m, u32 bytes, u32)
{
    read<<<132, 256>>>((const uint4 *)m.data, bytes / 16, m.out + 8);
}

static void kernel_write(const Memory &m, u32 bytes, u32 round)
{
    write<<<132, 256>>>((uint4 *)m.data, bytes / 16, round);
}

static void fill(const Memory &m, u32 bytes, u32 round)
{
    must(cudaMemset(m.data, (int)round, bytes), "cudaMemset");
}

static void within_device(const Memory &m, u32 bytes, u32)
{
    must(cudaMemcpy(m.data, m.from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
}

static void from_host(const Memory &m, u32 bytes, u32)
{
    must(cudaMemcpy(m.data, m.host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

static void from_pinned(const Memory &m, u32 bytes, u32)
{
    must(cudaMemcpy(m.data, m.pinned, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

static void read_then_from_host(const Memory &m, u32 bytes, u32 round)
{
    kernel_read(m, bytes, round);
    from_host(m, bytes, round);
}

static void memset_then_from_host(const Memory &m, u32 bytes, u32 round)
{
    fill(m, bytes, round);
    from_host(m, bytes, round);
}

static void write_then_from_host(const Memory &m, u32 bytes, u32 round)
{
    kernel_write(m, bytes, round);
    from_host(m, bytes, round);
}

static void halves_of_sectors(const Memory &m, u32 bytes, u32 round)
{
    write_some<<<132, 256>>>((uint4 *)m.data, bytes / 32, 2, round);
}

static void halves_of_first_sectors(const Memory &m, u32 bytes, u32 round)
{
    write_some<<<132, 256>>>((uint4 *)m.data, bytes / 128, 8, round);
}

static void write_then_to_host(const Memory &m, u32 bytes, u32 round)
{
    kernel_write(m, bytes, round);
    must(cudaMemcpy(m.host, m.data, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

static const struct {
    const char *name;
    Use *use;
} uses[] = {
    {"nothing", nothing},
    {"kernel_read", kernel_read},
    {"kernel_write", kernel_write},
    {"memset", fill},
    {"within_device", within_device},
    {"from_host", from_host},
    {"from_pinned", from_pinned},
    {"read_then_from_host", read_then_from_host},
    {"memset_then_from_host", memset_then_from_host},
    {"write_then_from_host", write_then_from_host},
    {"write_then_to_host", write_then_to_host},
    {"halves_of_sectors", halves_of_sectors},
    {"halves_of_first_sectors", halves_of_first_sectors},
};

static void measure(const Memory &m, const char *before, const char *name, Use *use, u32 kb)
{
    u32 best[3] = {~0u, 0, 0}, got[3];
    for (u32 round = 0; round < 3; round++) {
        latency<<<1, 1>>>(m.data, kb * KB, m.out, 0); // its code and pages are known then
        if (strcmp(before, "read") == 0)
            read<<<1056, 256>>>((const uint4 *)m.other, OTHER / 16, m.out + 8);
        else
            must(cudaMemset(m.other, (int)round, OTHER), "cudaMemset");
        must(cudaDeviceSynchronize(), before);
        use(m, kb * KB, round);
        must(cudaDeviceSynchronize(), name);
        latency<<<1, 1>>>(m.data, kb * KB, m.out, 0);
        must(cudaMemcpy(got, m.out, sizeof got, cudaMemcpyDeviceToHost), "latency");
        bool better = got[0] < best[0];
        for (int i = 0; better && i < 3; i++)
            best[i] = got[i];
    }
    printf("%s,%s,%u,%u,%u,%u\n", before, name, kb, best[0], best[1], best[2]);
}

int main()
{
    Memory m;
    must(cudaMalloc(&m.data, MOST), "cudaMalloc");
    must(cudaMalloc(&m.from, MOST), "cudaMalloc");
    must(cudaMalloc(&m.other, OTHER), "cudaMalloc");
    must(cudaMalloc(&m.out, 64), "cudaMalloc");
    must(cudaMallocHost(&m.pinned, MOST), "cudaMallocHost");
    m.host = (char *)calloc(MOST, 1);
    printf("before,use,kb,cycles,slow,lines\n");
    for (const char *before : {"read", "fill"})
        for (const auto &use : uses)
            for (u32 kb :
                 {4u, 64u, 1024u, 4096u, 8192u, 16384u, 24576u, 32768u, 40960u, 49152u, 65536u})
                measure(m, before, use.name, use.use, kb);
}
