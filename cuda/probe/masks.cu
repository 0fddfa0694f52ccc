// Warp-wide operations whose lanes bring different masks: cooperative groups' labeled_partition,
// and __match_any_sync() with everything that takes its result as a mask.
//
//     masks [KERNEL...]      without names: all kernels
//
// One warp in each launch; a launch for each kernel and each way of parting the lanes. Each result
// is compared with what the CUDA programming guide says of the operation, for all 32 lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

#define KERNEL __global__ void
#define LABEL label[threadIdx.x]
#define VALUE value[threadIdx.x]

static const int lanes = 32;

// cg::reduce: WARPSYNC.EXCLUSIVE and REDUX from compute capability 8.0 on
KERNEL labeled_max(const int *label, const int *value, int *out)
{
    auto tile = cg::labeled_partition(cg::coalesced_threads(), LABEL);
    out[threadIdx.x] = cg::reduce(tile, VALUE, cg::greater<int>());
}

// of a type without REDUX: a loop of shuffles
KERNEL labeled_float(const int *label, const int *value, int *out)
{
    auto tile = cg::labeled_partition(cg::coalesced_threads(), LABEL);
    out[threadIdx.x] = (int)cg::reduce(tile, (float)VALUE, cg::plus<float>());
}

KERNEL redux(const int *label, const int *value, int *out)
{
#if __CUDA_ARCH__ >= 800
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    out[threadIdx.x] = __reduce_max_sync(mask, VALUE);
#endif
}

KERNEL ballot(const int *label, const int *value, int *out)
{
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    out[threadIdx.x] = (int)__ballot_sync(mask, VALUE & 1);
}

KERNEL any_all(const int *label, const int *value, int *out)
{
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    int any = __any_sync(mask, VALUE % 8 == 0), all = __all_sync(mask, VALUE % 8 != 3);
    out[threadIdx.x] = 2 * (any != 0) + (all != 0);
}

KERNEL match_any(const int *label, const int *value, int *out)
{
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    out[threadIdx.x] = (int)__match_any_sync(mask, VALUE % 2);
}

KERNEL match_all(const int *label, const int *value, int *out)
{
    int same;
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    out[threadIdx.x] = (int)__match_all_sync(mask, VALUE / 64, &same);
    out[threadIdx.x] ^= same;
}

KERNEL shuffle(const int *label, const int *value, int *out)
{
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    out[threadIdx.x] = __shfl_sync(mask, VALUE, __ffs((int)mask) - 1);
}

KERNEL synced(const int *label, const int *value, int *out)
{
    __shared__ volatile int part[lanes];
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    part[threadIdx.x] = VALUE;
    __syncwarp(mask);
    out[threadIdx.x] = part[31 - __clz((int)mask)];
}

// Lanes of one mask come to it from two paths, one after the other.
__device__ __noinline__ int take_first(unsigned mask, int value)
{
    return __shfl_sync(mask, value, __ffs((int)mask) - 1);
}
__device__ __noinline__ int count_odd(unsigned mask, int value)
{
    return __popc(__ballot_sync(mask, value & 1));
}
__device__ __noinline__ int greatest(unsigned mask, int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(mask, value);
#else
    return 0;
#endif
}
__device__ __noinline__ int last_stored(unsigned mask, int value)
{
    __shared__ volatile int part[lanes];
    part[threadIdx.x] = value;
    __syncwarp(mask);
    return part[31 - __clz((int)mask)];
}
#define APART(f)                                                                                   \
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);                                          \
    int mine = VALUE, found;                                                                       \
    if (threadIdx.x & 1) {                                                                         \
        for (int i = 0; i < mine % 4; i++)                                                         \
            atomicAdd(&out[lanes], 1);                                                             \
        found = f(mask, mine);                                                                     \
    } else {                                                                                       \
        found = f(mask, mine) + 1000;                                                              \
        atomicAdd(&out[lanes + 1], 1);                                                             \
    }                                                                                              \
    out[threadIdx.x] = found;

KERNEL apart_shuffle(const int *label, const int *value, int *out) { APART(take_first) }
KERNEL apart_ballot(const int *label, const int *value, int *out) { APART(count_odd) }
KERNEL apart_redux(const int *label, const int *value, int *out) { APART(greatest) }
KERNEL apart_synced(const int *label, const int *value, int *out) { APART(last_stored) }

// Each operation is in the program twice, so lanes of one mask come to two places. Those of one mask
// take the same path: this is what the guide allows.
KERNEL paths(const int *label, const int *value, int *out)
{
    unsigned mask = __match_any_sync(0xffffffffu, LABEL);
    int mine = VALUE, found;
    if (LABEL % 2) {
        found = __popc(__ballot_sync(mask, mine & 1));
        for (int i = 0; i < LABEL; i++)
            atomicAdd(&out[lanes], 1);
    } else {
        found = __shfl_sync(mask, mine, __ffs((int)mask) - 1);
        atomicAdd(&out[lanes + 1], 1);
    }
    out[threadIdx.x] = found;
}

KERNEL elect(const int *label, const int *value, int *out)
{
#if __CUDA_ARCH__ >= 900
    unsigned mask = __match_any_sync(0xffffffffu, LABEL), leader, is;
    asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
                 : "=r"(leader), "=r"(is)
                 : "r"(mask));
    /* which lane of the mask is open; that it is one of them, and exactly one, is not */
    unsigned elected = 0;
    for (int lane = 0; lane < lanes; lane++)
        elected |= __shfl_sync(0xffffffffu, is, lane) << lane;
    out[threadIdx.x] = __popc(elected & mask) == 1 && (elected & mask) == 1u << leader;
#endif
}

struct Warp {
    int label[lanes], value[lanes];
    unsigned mask(int lane) const
    {
        unsigned m = 0;
        for (int i = 0; i < lanes; i++)
            m |= (unsigned)(label[i] == label[lane]) << i;
        return m;
    }
};

static int first(unsigned mask) { return __builtin_ctz(mask); }
static int last(unsigned mask) { return 31 - __builtin_clz(mask); }

#define EACH for (int i = 0; i < lanes; i++) if (m >> i & 1)
static int want_max(const Warp &w, unsigned m, int lane)
{
    int r = w.value[lane];
    EACH r = w.value[i] > r ? w.value[i] : r;
    return r;
}
static int want_sum(const Warp &w, unsigned m, int)
{
    int r = 0;
    EACH r += w.value[i];
    return r;
}
static int want_ballot(const Warp &w, unsigned m, int)
{
    unsigned r = 0;
    EACH r |= (unsigned)(w.value[i] & 1) << i;
    return (int)r;
}
static int want_any_all(const Warp &w, unsigned m, int)
{
    bool any = false, all = true;
    EACH any |= w.value[i] % 8 == 0;
    EACH all &= w.value[i] % 8 != 3;
    return 2 * any + all;
}
static int want_match_any(const Warp &w, unsigned m, int lane)
{
    unsigned r = 0;
    EACH r |= (unsigned)(w.value[i] % 2 == w.value[lane] % 2) << i;
    return (int)r;
}
static int want_match_all(const Warp &w, unsigned m, int lane)
{
    bool same = true;
    EACH same &= w.value[i] / 64 == w.value[lane] / 64;
    return (same ? (int)m : 0) ^ (int)same;
}
static int want_first(const Warp &w, unsigned m, int) { return w.value[first(m)]; }
static int want_last(const Warp &w, unsigned m, int) { return w.value[last(m)]; }
static int apart(int lane) { return lane & 1 ? 0 : 1000; }
static int want_apart_first(const Warp &w, unsigned m, int l) { return want_first(w, m, l) + apart(l); }
static int want_apart_last(const Warp &w, unsigned m, int l) { return want_last(w, m, l) + apart(l); }
static int want_apart_max(const Warp &w, unsigned m, int l) { return want_max(w, m, l) + apart(l); }
static int want_apart_odd(const Warp &w, unsigned m, int l)
{
    return __builtin_popcount((unsigned)want_ballot(w, m, l)) + apart(l);
}
static int want_paths(const Warp &w, unsigned m, int l)
{
    return w.label[l] % 2 ? __builtin_popcount((unsigned)want_ballot(w, m, l)) : want_first(w, m, l);
}
static int want_one(const Warp &, unsigned, int) { return 1; }

struct Case {
    const char *name;
    void (*kernel)(const int *, const int *, int *);
    int (*want)(const Warp &, unsigned, int);
    int from; // compute capability
};
static const Case cases[] = {
    {"labeled_max", labeled_max, want_max, 0},
    {"labeled_float", labeled_float, want_sum, 0},
    {"redux", redux, want_max, 80},
    {"ballot", ballot, want_ballot, 0},
    {"any_all", any_all, want_any_all, 0},
    {"match_any", match_any, want_match_any, 0},
    {"match_all", match_all, want_match_all, 0},
    {"shuffle", shuffle, want_first, 0},
    {"synced", synced, want_last, 0},
    {"apart_shuffle", apart_shuffle, want_apart_first, 0},
    {"apart_ballot", apart_ballot, want_apart_odd, 0},
    {"apart_redux", apart_redux, want_apart_max, 80},
    {"apart_synced", apart_synced, want_apart_last, 0},
    {"paths", paths, want_paths, 0},
    {"elect", elect, want_one, 90},
};

static const char *const ways[] = {"one", "halves", "parity", "mod4", "quads", "mixed", "each"};
static int label_of(int way, int lane)
{
    switch (way) {
    case 0: return 0;
    case 1: return lane / 16;
    case 2: return lane % 2;
    case 3: return lane % 4;
    case 4: return lane / 4;
    case 5: return lane * 37 % 11 % 5;
    default: return lane;
    }
}

static bool check(cudaError_t e)
{
    if (e != cudaSuccess)
        printf("  %s\n", cudaGetErrorString(e));
    return e == cudaSuccess;
}

int main(int argc, char **argv)
{
    int major = 0, minor = 0, wrong = 0, launches = 0, *buffer;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    if (!check(cudaMalloc(&buffer, 4 * lanes * sizeof *buffer)))
        return 1;
    for (const Case &c : cases) {
        bool wanted = argc == 1 && 10 * major + minor >= c.from;
        for (int i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], c.name) == 0;
        for (int way = 0; wanted && way < 7; way++) {
            Warp w;
            int out[lanes], bad = 0, shown = -1;
            for (int i = 0; i < lanes; i++) {
                w.label[i] = label_of(way, i);
                w.value[i] = (int)((i + 1) * 2654435761u >> 25) + 64 * (w.label[i] == 1);
            }
            cudaMemset(buffer, 0, 4 * lanes * sizeof *buffer);
            cudaMemcpy(buffer, w.label, sizeof w.label, cudaMemcpyHostToDevice);
            cudaMemcpy(buffer + lanes, w.value, sizeof w.value, cudaMemcpyHostToDevice);
            c.kernel<<<1, lanes>>>(buffer, buffer + lanes, buffer + 2 * lanes);
            launches++;
            if (!check(cudaMemcpy(out, buffer + 2 * lanes, sizeof out, cudaMemcpyDeviceToHost)))
                return 1;
            for (int i = lanes; i-- > 0;) {
                if (out[i] == c.want(w, w.mask(i), i))
                    continue;
                bad++;
                shown = i;
            }
            printf("%3d %-14s %-7s ", launches, c.name, ways[way]);
            if (bad)
                printf("%d lanes wrong; lane %d: expected %d, found %d\n", bad, shown,
                       c.want(w, w.mask(shown), shown), out[shown]);
            else
                printf("right\n");
            wrong += bad != 0;
        }
    }
    printf("%d launches, %d with wrong results\n", launches, wrong);
    return wrong != 0;
}
