/* Lanes of a warp, barriers, branches, special registers. */
#include "probe.h"
#include <cooperative_groups.h>
#define VOTE(m) KERNEL(int *p) { int r; asm volatile("{.reg .pred q,w;setp.ne.s32 w,%1,7;vote.sync." m ".pred q,w,0xffffffff;selp.s32 %0,11,22,q;}" : "=r"(r) : "r"(p[threadIdx.x])); p[3] = r; }
VOTE("all") VOTE("any") VOTE("uni")
KERNEL(int *p, int m) { int t = threadIdx.x; p[t] = __ballot_sync(m, p[t] > 3) + __all_sync(m, p[t + 1]) + __any_sync(~0u, p[t + 2]) + __popc(__activemask()); if (__any_sync(~0u, p[t + 5] == m)) p[9] = 1; unsigned b = __ballot_sync(~0u, t < m); if (b == 0x77) p[10] = 4; }
KERNEL(int *p, int m) { int t = threadIdx.x, v = p[t]; v += __shfl_sync(~0u, v, 3); v += __shfl_sync(~0u, v, m); v += __shfl_up_sync(~0u, v, 1); v += __shfl_down_sync(~0u, v, 2, 8); v += __shfl_xor_sync(~0u, v, 16); v += __shfl_xor_sync(~0u, v, p[3], 4); v += __shfl_sync(~0u, v, t ^ 3, 16); v += __shfl_up_sync(m, v, p[5]); int q; asm volatile("{.reg .pred a; shfl.sync.down.b32 %0|a,%1,%2,%3,0xffffffff; @!a add.s32 %0,%0,1;}" : "=r"(q) : "r"(v), "r"(m), "r"(p[8])); asm volatile("{.reg .pred a; shfl.sync.idx.b32 %0|a,%0,5,%1,0xffffffff; @!a add.s32 %0,%0,1;}" : "+r"(q) : "r"(p[8])); p[t] = v + q; }
#define MATCHED(t, c, T) KERNEL(T *p) { int r; asm volatile("{.reg .pred q;match.all.sync." t " %0|q,%1,0xffffffff;@q add.s32 %0,%0,1;}" : "=r"(r) : c(p[threadIdx.x])); p[3] = r; asm volatile("match.any.sync." t " %0,%1,0xffffffff;" : "=r"(r) : c(p[threadIdx.x + 5])); p[4] = r; }
MATCHED("b32", "r", int) MATCHED("b64", "l", long long)
#if __CUDA_ARCH__ >= 800
#define REDUX(m) KERNEL(int *p) { int r; asm volatile("redux.sync." m " %0,%1,0xffffffff;" : "=r"(r) : "r"(p[threadIdx.x])); p[3] = r; }
REDUX("add.s32") REDUX("add.u32") REDUX("min.s32") REDUX("min.u32") REDUX("max.s32") REDUX("max.u32") REDUX("and.b32") REDUX("or.b32") REDUX("xor.b32")
#endif
#define BARRED(m) KERNEL(int *p) { int r; asm volatile("{.reg .pred w,q;setp.ne.s32 w,%1,7;bar.red." m ".pred q,2,w;selp.s32 %0,1,2,q;}" : "=r"(r) : "r"(p[0])); p[3] = r; }
BARRED("and") BARRED("or") KERNEL(int *p) { p[threadIdx.x] = __syncthreads_count(p[1]) + __syncthreads_and(p[2]) + __syncthreads_or(p[3]); int r; asm volatile("{.reg .pred w;setp.ne.s32 w,%1,7;bar.red.popc.u32 %0,%2,64,w;}" : "=r"(r) : "r"(p[0]), "r"(p[7])); p[4] = r; }
#define BARRIER(text, ...) KERNEL(int *p) { asm volatile(text : : __VA_ARGS__); p[1] = 1; }
BARRIER("bar.arrive %0,%1;", "r"(p[0]), "r"(p[2])) BARRIER("bar.sync %0,64;", "r"(p[0])) BARRIER("bar.sync 3,%0;", "r"(p[0])) BARRIER("bar.sync %0;", "r"(p[0])) BARRIER("bar.sync 3,96;", "r"(0)) BARRIER("bar.arrive 3,96;", "r"(0)) BARRIER("bar.arrive %0,64;", "r"(p[0])) BARRIER("bar.arrive 5,%0;", "r"(p[0])) BARRIER("barrier.sync %0,%1;", "r"(p[0]), "r"(p[2])) BARRIER("barrier.sync 4;", "r"(p[0])) BARRIER("bar.warp.sync %0;", "r"(p[0])) BARRIER("bar.warp.sync 0xff;", "r"(p[0]))
BARRIER("nanosleep.u32 100;", "r"(0)) BARRIER("nanosleep.u32 %0;", "r"(p[3])) BARRIER("trap;", "r"(0)) BARRIER("brkpt;", "r"(0)) BARRIER("pmevent 3;", "r"(0)) BARRIER("exit;", "r"(0))
#define SPECIAL(r) KERNEL(int *p) { int v; asm volatile("mov.u32 %0," r ";" : "=r"(v)); p[threadIdx.x * 3 + 1] = v; }
SPECIAL("%tid.y") SPECIAL("%tid.z") SPECIAL("%ntid.x") SPECIAL("%ctaid.y") SPECIAL("%ctaid.z") SPECIAL("%nctaid.y") SPECIAL("%laneid") SPECIAL("%warpid") SPECIAL("%nwarpid") SPECIAL("%smid") SPECIAL("%nsmid") SPECIAL("%lanemask_eq") SPECIAL("%lanemask_lt") SPECIAL("%lanemask_le") SPECIAL("%lanemask_gt") SPECIAL("%lanemask_ge") SPECIAL("%clock") SPECIAL("%clock_hi") SPECIAL("%globaltimer_lo") SPECIAL("%globaltimer_hi") SPECIAL("%total_smem_size") SPECIAL("%dynamic_smem_size") SPECIAL("%envreg3") SPECIAL("%pm0") SPECIAL("%pm7")
KERNEL(long long *p) { p[1] = clock64(); p[2] = (long long)__nanosleep; long long g; asm volatile("mov.u64 %0,%globaltimer;" : "=l"(g)); p[3] = g; }
/* branches */
KERNEL(int *p, int n) { int v = p[threadIdx.x]; switch (v) { case 0: v = p[5] * 3; break; case 1: v ^= p[6]; break; case 2: v = p[7] / 3; break; case 3: v = p[8] % 7; break; case 4: p[9] = v; break; case 5: v = n; break; case 6: v += p[10] * p[11]; break; case 7: v = p[v]; break; default: v = 9; } p[threadIdx.x] = v; }
__device__ __noinline__ int helper(int a, int b) { return a > b ? a * b + 3 : helper(b - 1, a) + 1; }
typedef int (*function)(int, int); __device__ __noinline__ int plus(int a, int b) { return a + b; } __device__ __noinline__ int minus(int a, int b) { return a - b * 3; } __device__ function functions[2] = {plus, minus};
KERNEL(int *p, int n) { p[threadIdx.x] = helper(p[1], n) + functions[p[2]](p[3], n); }
KERNEL(int *p, int n) { int v = p[threadIdx.x]; while (v > 1) { if (v & 1) { if (v % 7 == 3) break; v = 3 * v + 1; } else { v >>= 1; if (v == n) return; } for (int i = 0; i < (v & 3); i++) if (p[i + v] == 5) { v -= p[i]; } } p[threadIdx.x] = v; __syncwarp(); if (threadIdx.x < 16) __syncwarp(0xffff); p[threadIdx.x + 1] = v; }
KERNEL(int *p, int n) { __shared__ int s; if (threadIdx.x == 0) s = 0; __syncthreads(); bool done = false; while (!done) { if (atomicCAS(&s, 0, 1) == 0) { p[0] += n; __threadfence(); atomicExch(&s, 0); done = true; } } }
KERNEL(int *p, int n) { auto g = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block()); int v = p[threadIdx.x]; v += g.shfl_xor(v, 1); g.sync(); if (v > n) { auto c = cooperative_groups::coalesced_threads(); v += c.shfl(v, 0) + c.size(); c.sync(); } p[threadIdx.x] = v; cooperative_groups::this_grid().sync(); p[1] = 3; }
KERNEL(int *p) { if (p[0] == 3) __trap(); if (p[1] == 4) asm volatile("exit;"); p[threadIdx.x] = 1; }
KERNEL(int *p, int n) { long long r = 0; for (int i = 0; i < n; i++) { r += (long long)p[i] / (p[i + 1] | 1); if (r % 5 == 1) r *= (unsigned long long)r / 3; } *(long long *)p = r; extern __device__ int printf(const char *, ...); }
