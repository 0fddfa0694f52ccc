/* Loads, stores, atomics, fences. */
#include "probe.h"
#define LOAD(op, t, c) KERNEL(char *p, long long off) { t v; asm volatile(op " %0,[%1+20];" : "=" c(v) : "l"(p + threadIdx.x * 16)); *(t *)(p + off) = v; }
#define STORE(op, t, c) KERNEL(char *p, char *q) { t v = *(t *)q; asm volatile(op " [%1+24],%0;" : : c(v), "l"(p + threadIdx.x * 16)); }
#define LOADS(suffix) LOAD("ld" suffix ".u8", short, "h") LOAD("ld" suffix ".s8", short, "h") LOAD("ld" suffix ".u16", short, "h") LOAD("ld" suffix ".b32", int, "r") LOAD("ld" suffix ".b64", long long, "l")
#define STORES(suffix) STORE("st" suffix ".u8", short, "h") STORE("st" suffix ".u16", short, "h") STORE("st" suffix ".b32", int, "r") STORE("st" suffix ".b64", long long, "l")
LOADS(".global") LOADS(".global.nc") LOADS("") LOADS(".volatile.global") LOADS(".relaxed.cta.global") LOADS(".relaxed.gpu.global") LOADS(".relaxed.sys.global") LOADS(".acquire.gpu.global") LOADS(".acquire.sys") LOADS(".acquire.cta.global") LOADS(".global.ca") LOADS(".global.cg") LOADS(".global.cs") LOADS(".global.lu") LOADS(".global.cv")
STORES(".global") STORES("") STORES(".volatile.global") STORES(".relaxed.cta.global") STORES(".relaxed.gpu.global") STORES(".release.gpu.global") STORES(".release.sys") STORES(".global.wb") STORES(".global.cg") STORES(".global.cs") STORES(".global.wt") STORES(".mmio.relaxed.sys.global") LOADS(".mmio.relaxed.sys.global")
LOADS(".global.L1::evict_first") LOADS(".global.L1::evict_last") LOADS(".global.L1::no_allocate") LOADS(".global.L1::evict_unchanged") STORES(".global.L1::evict_last") STORES(".global.L1::no_allocate")
#if __CUDA_ARCH__ >= 750
LOADS(".global.L2::64B") LOADS(".global.L2::128B") LOADS(".global.nc.L2::128B")
#endif
#if __CUDA_ARCH__ >= 800
LOADS(".global.L2::256B") LOADS(".global.nc.L2::256B") LOADS(".relaxed.gpu.global.L2::256B")
#define HINTED(op, t, c) KERNEL(char *p, long long off) { t v; long long h; asm volatile("createpolicy.fractional.L2::evict_last.b64 %0,0.5;" : "=l"(h)); asm volatile(op ".L2::cache_hint.b32 %0,[%1],%2;" : "=" c(v) : "l"(p + threadIdx.x * 16), "l"(h)); *(t *)(p + off) = v; }
HINTED("ld.global", int, "r") HINTED("ld.global.L1::evict_last", int, "r") HINTED("ld.global.nc", int, "r")
KERNEL(int *p, long long h) { asm volatile("st.global.L2::cache_hint.b32 [%0],%1,%2;" : : "l"(p), "r"(p[7]), "l"(h)); asm volatile("red.global.add.L2::cache_hint.u32 [%0],%1,%2;" : : "l"(p + 1), "r"(p[9]), "l"(h)); int v; asm volatile("atom.global.add.L2::cache_hint.u32 %0,[%1],%2,%3;" : "=r"(v) : "l"(p + 1), "r"(p[9]), "l"(h)); p[5] = v; }
KERNEL(char *p, int n) { long long h; asm volatile("createpolicy.range.L2::evict_last.L2::evict_unchanged.b64 %0,[%1],%2,%2;" : "=l"(h) : "l"(p), "r"(n)); *(long long *)p = h; asm volatile("applypriority.global.L2::evict_normal [%0],128;" : : "l"(p)); asm volatile("discard.global.L2 [%0],128;" : : "l"(p)); asm volatile("prefetch.global.L2::evict_last [%0];" : : "l"(p)); }
#endif
KERNEL(int4 *p, const int4 *__restrict__ q, int2 *r) { p[threadIdx.x] = q[threadIdx.x + 3]; r[threadIdx.x + 500] = r[threadIdx.x]; }
KERNEL(char *p) { asm volatile("prefetch.global.L1 [%0];" : : "l"(p)); asm volatile("prefetch.global.L2 [%0+128];" : : "l"(p)); asm volatile("prefetchu.L1 [%0];" : : "l"(p)); asm volatile("prefetch.local.L1 [%0];" : : "l"(p)); }
/* uniform bases */
KERNEL(char *p, const int *o, int n) { for (int i = 0; i < n; i++) { int k = o[i]; char *b = p + (long long)k * 4096; ((int *)b)[threadIdx.x] += ((int *)b)[threadIdx.x + 64] + b[threadIdx.x * 3 + 7]; ((int4 *)b)[threadIdx.x * n + 200] = ((int4 *)b)[i]; } }
KERNEL(float *p, int n, int m) { unsigned t = threadIdx.x; float s = 0; for (int i = 0; i < n; i++) s += p[(unsigned)(i * m + t)] * p[t]; p[t + 77] = s; }
/* shared and local memory */
KERNEL(int *p, int n)
{
    __shared__ int s[512]; __shared__ short h[512]; __shared__ char b[512]; __shared__ long long l[512]; __shared__ int4 q[64];
    int t = threadIdx.x; s[t] = p[t]; h[t] = p[t + 1]; b[t] = p[t + 2]; l[t] = p[t + 3]; q[t & 63] = *(int4 *)(p + 4 * t); __syncthreads();
    int v = s[t ^ 1] + h[t ^ 2] + b[t ^ 3] + (int)l[t ^ 4] + q[(t ^ 5) & 63].x + ((unsigned short *)h)[t + n] + ((unsigned char *)b)[t * 3] + s[n] + s[n + 3] + s[t * 4 + n];
    p[t] = v; s[n] = v; h[n + 1] = v; b[n + 2] = v; q[n] = make_int4(v, v, v, n); __syncthreads(); p[t + n] = s[p[t]] + q[7].y + (int)l[n * 2];
}
extern __shared__ int dynamic[];
KERNEL(int *p, int n) { dynamic[threadIdx.x + n] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = dynamic[threadIdx.x * n]; volatile int *v = dynamic; v[3] = v[n] + 1; int *g = n > 3 ? dynamic : p; g[threadIdx.x] += 5; }
KERNEL(int *p, int n) { int a[40]; char c[24]; short h[8]; long long l[6]; for (int i = 0; i < 40; i++) a[i] = p[i]; for (int i = 0; i < 24; i++) c[i] = p[i]; for (int i = 0; i < 8; i++) h[i] = p[i + 9]; for (int i = 0; i < 6; i++) l[i] = p[i]; a[n] = 7; c[p[n] & 15] = 3; h[p[5] & 7] = 1; l[p[6] % 6] = 9; p[0] = a[p[1]] + c[n] + h[n & 3] + (int)l[p[n + 1]] + (unsigned char)c[p[9]] + (unsigned short)h[p[10]]; int4 *v = (int4 *)a; v[p[3]].y = 5; p[2] = v[n].x; p[6] = __isShared(p + n) + __isLocal(p + n) * 2 + __isGlobal(a + n) * 4 + __isConstant(p) * 8; }
__constant__ int table[256]; __constant__ double wide[16]; __constant__ short narrow[64];
KERNEL(int *p, int n) { int t = threadIdx.x; p[t] = table[t] + table[5] + table[n] + (int)wide[t & 3] + narrow[t] + ((unsigned char *)narrow)[t + 3] + ((signed char *)narrow)[n] + ((int4 *)table)[t].y; ((double *)p)[t] = wide[n] * wide[3]; }
struct big { int v[64]; long long w[8]; }; KERNEL(int *p, __grid_constant__ const big b) { p[threadIdx.x] = b.v[threadIdx.x] + b.v[p[1]] + (int)b.w[3] + (int)b.w[blockIdx.x & 7]; }
KERNEL(int *p) { asm volatile("fence.acq_rel.cta;"); asm volatile("fence.acq_rel.gpu;"); asm volatile("fence.acq_rel.sys;"); asm volatile("fence.sc.cta;"); asm volatile("fence.sc.gpu;"); asm volatile("fence.sc.sys;"); __threadfence_block(); __threadfence(); __threadfence_system(); asm volatile("membar.gl;"); p[0] = 1; }
/* atomics */
#define ATOM(op, t, c) KERNEL(t *p, t *q) { t v; asm volatile("atom" op " %0,[%1+8],%2;" : "=" c(v) : "l"(p + threadIdx.x), c(q[1])); *q = v; asm volatile("red" op " [%0+16],%1;" : : "l"(p + threadIdx.x), c(q[2])); }
#define ATOM_ONLY(op, t, c) KERNEL(t *p, t *q) { t v; asm volatile("atom" op " %0,[%1+8],%2;" : "=" c(v) : "l"(p + threadIdx.x), c(q[1])); *q = v; }
#define ATOMS(x) ATOM(x ".add.u32", unsigned, "r") ATOM(x ".add.u64", long long, "l") ATOM(x ".min.s32", int, "r") ATOM(x ".max.u32", int, "r") ATOM(x ".min.s64", long long, "l") ATOM(x ".max.u64", long long, "l") ATOM(x ".inc.u32", int, "r") ATOM(x ".dec.u32", int, "r") ATOM(x ".and.b32", int, "r") ATOM(x ".or.b64", long long, "l") ATOM(x ".xor.b32", int, "r") ATOM(x ".add.f32", float, "f") ATOM(x ".add.f64", double, "d") ATOM(x ".add.noftz.f16x2", int, "r") ATOM_ONLY(x ".exch.b32", int, "r") ATOM_ONLY(x ".exch.b64", long long, "l")
ATOMS(".global") ATOMS("") ATOMS(".relaxed.cta.global") ATOMS(".relaxed.gpu.global") ATOM_ONLY(".acq_rel.gpu.global.add.u32", int, "r") ATOM_ONLY(".acquire.sys.max.s64", long long, "l") ATOM_ONLY(".release.cta.global.exch.b32", int, "r") ATOMS(".relaxed.sys.global") ATOM(".global.add.noftz.f16", short, "h")
#if __CUDA_ARCH__ >= 900
ATOM(".global.add.noftz.bf16x2", int, "r") ATOM(".global.add.noftz.bf16", short, "h")
KERNEL(float4 *p) { float4 a = p[1]; asm volatile("red.global.add.v4.f32 [%0],{%1,%2,%3,%4};" : : "l"(p), "f"(a.x), "f"(a.y), "f"(a.z), "f"(a.w)); asm volatile("red.global.add.v2.f32 [%0],{%1,%2};" : : "l"(p + 1), "f"(a.x), "f"(a.y)); asm volatile("atom.global.add.v2.f32 {%0,%1},[%2],{%1,%0};" : "+f"(a.x), "+f"(a.y) : "l"(p + 3)); p[9] = a; }
KERNEL(uint4 *p) { uint4 a = p[1]; asm volatile("red.global.add.noftz.v4.f16x2 [%0],{%1,%2,%3,%4};" : : "l"(p), "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w)); asm volatile("red.global.max.noftz.v2.bf16x2 [%0],{%1,%2};" : : "l"(p + 1), "r"(a.x), "r"(a.y)); p[9] = a; }
KERNEL(float4 *p) { float4 a; asm volatile("multimem.ld_reduce.global.add.v4.f32 {%0,%1,%2,%3},[%4];" : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w) : "l"(p)); asm volatile("multimem.red.global.add.v4.f32 [%0],{%1,%2,%3,%4};" : : "l"(p), "f"(a.x), "f"(a.y), "f"(a.z), "f"(a.w)); asm volatile("multimem.st.global.v4.f32 [%0+64],{%1,%2,%3,%4};" : : "l"(p), "f"(a.x), "f"(a.y), "f"(a.z), "f"(a.w)); p[5] = a; }
KERNEL(int *p) { int a, b; asm volatile("multimem.ld_reduce.global.min.s32 %0,[%1];" : "=r"(a) : "l"(p)); asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f16x2 %0,[%1];" : "=r"(b) : "l"(p + 4)); asm volatile("multimem.red.global.and.b32 [%0],%1;" : : "l"(p), "r"(b)); p[9] = a + b; }
#endif
#define CAS(o, t, c) KERNEL(t *p, t *q) { t v; asm volatile("atom" o " %0,[%1+8],%2,%3;" : "=" c(v) : "l"(p + threadIdx.x), c(q[1]), c(q[2])); *q = v; }
CAS(".global.cas.b32", int, "r") CAS(".global.cas.b64", long long, "l") CAS(".cas.b32", int, "r") CAS(".cas.b64", long long, "l") CAS(".acq_rel.sys.global.cas.b32", int, "r") CAS(".acquire.cta.global.cas.b64", long long, "l") CAS(".global.cas.b16", short, "h")
#if __CUDA_ARCH__ >= 900
KERNEL(ulonglong2 *p) { ulonglong2 a = p[1], d; asm volatile("{.reg .b128 x,y,z; mov.b128 x,{%3,%4}; mov.b128 y,{%4,%3}; atom.global.cas.b128 z,[%2],x,y; mov.b128 {%0,%1},z;}" : "=l"(d.x), "=l"(d.y) : "l"(p), "l"(a.x), "l"(a.y)); p[2] = d; asm volatile("{.reg .b128 x,z; mov.b128 x,{%3,%4}; atom.global.exch.b128 z,[%2],x; mov.b128 {%0,%1},z;}" : "=l"(d.x), "=l"(d.y) : "l"(p + 5), "l"(a.x), "l"(a.y)); p[3] = d; }
#endif
#define SHARED(op, t, c) KERNEL(t *p) { __shared__ t s[64]; t v; unsigned a = (unsigned)__cvta_generic_to_shared(s + threadIdx.x); asm volatile("atom.shared" op " %0,[%1+8],%2;" : "=" c(v) : "r"(a), c(p[1])); p[2] = v; asm volatile("red.shared" op " [%0+16],%1;" : : "r"(a), c(p[3])); p[4] = s[5]; }
SHARED(".add.u32", int, "r") SHARED(".add.u64", long long, "l") SHARED(".min.s32", int, "r") SHARED(".max.u64", long long, "l") SHARED(".inc.u32", int, "r") SHARED(".dec.u32", int, "r") SHARED(".and.b32", int, "r") SHARED(".or.b32", int, "r") SHARED(".xor.b64", long long, "l") SHARED(".add.f32", float, "f") SHARED(".add.f64", double, "d") SHARED(".add.noftz.f16x2", int, "r")
KERNEL(int *p) { __shared__ int s[64]; s[threadIdx.x] = 0; __syncthreads(); p[1] = atomicCAS(&s[p[5]], p[3], p[4]); p[2] = atomicExch(&s[p[6]], p[7]); atomicAdd(&s[p[9] & 31], 1); p[8] = atomicAdd(&s[3], 1); __syncthreads(); p[threadIdx.x] = s[threadIdx.x]; }
KERNEL(unsigned long long *p) { __shared__ unsigned long long s[64]; s[threadIdx.x] = 0; __syncthreads(); p[1] = atomicCAS(&s[p[5]], p[3], p[4]); p[2] = atomicExch(&s[p[6]], p[7]); __syncthreads(); p[threadIdx.x] = s[threadIdx.x]; }
KERNEL(int *p, int n) { atomicAdd(p, 1); atomicAdd(p + n, (int)threadIdx.x); atomicMax(p + 4, n); if (atomicAdd(p + 8, 5) == n) p[9] = 1; }
