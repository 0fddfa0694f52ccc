/* Half precision, bfloat16, 8-bit floating point. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "probe.h"
#define U2(op) I2(op)
H2("add.f16") H2("sub.f16") H2("mul.f16") H3("fma.rn.f16") H2("add.sat.f16") H2("mul.ftz.f16") H3("fma.rn.ftz.sat.f16") H1("neg.f16") H1("abs.f16")
I2("add.f16x2") I2("add.ftz.f16x2") I2("add.sat.f16x2") I2("sub.f16x2") I2("mul.f16x2") I2("mul.ftz.sat.f16x2") I3("fma.rn.f16x2") I3("fma.rn.ftz.f16x2") I3("fma.rn.sat.f16x2") I1("neg.f16x2") I1("abs.f16x2")
H1("ex2.approx.f16") I1("ex2.approx.f16x2") H1("tanh.approx.f16") I1("tanh.approx.f16x2")
I2("set.lt.f16x2.f16x2") I2("set.geu.ftz.f16x2.f16x2") I2("set.eq.u32.f16x2") 
#define HSET(c) KERNEL(int *p) { int d; asm volatile("{.reg .pred q,w; setp." c ".f16x2 q|w,%1,%2; selp.s32 %0,11,22,q; @w add.s32 %0,%0,5;}" : "=r"(d) : "r"(p[1]), "r"(p[2])); p[0] = d; }
HSET("lt") HSET("ge.ftz") HSET("neu") HSET("nan")
#if __CUDA_ARCH__ >= 800
I3("fma.rn.relu.f16x2") H3("fma.rn.relu.f16") I2("min.f16x2") I2("max.ftz.f16x2") I2("max.NaN.f16x2") H2("min.NaN.f16") I2("min.bf16x2") I2("max.NaN.bf16x2") I3("fma.rn.bf16x2") I3("fma.rn.relu.bf16x2") H3("fma.rn.bf16") I1("abs.bf16x2") I1("neg.bf16x2")
#define PACKED(op) OP2(op, unsigned, "r", float, "f", float, "f")
PACKED("cvt.rn.f16x2.f32") PACKED("cvt.rz.f16x2.f32") PACKED("cvt.rn.relu.f16x2.f32") PACKED("cvt.rn.bf16x2.f32") PACKED("cvt.rz.bf16x2.f32") PACKED("cvt.rn.relu.bf16x2.f32") OP1("cvt.rn.bf16.f32", short, "h", float, "f") OP1("cvt.rna.tf32.f32", unsigned, "r", float, "f")
#endif
#if __CUDA_ARCH__ >= 860
I2("max.xorsign.abs.f16x2")
#endif
#if __CUDA_ARCH__ >= 890
#define E8(t) OP2("cvt.rn.satfinite." t ".f32", short, "h", float, "f", float, "f") OP1("cvt.rn.satfinite." t ".f16x2", short, "h", unsigned, "r") OP1("cvt.rn.f16x2." t, unsigned, "r", short, "h")
E8("e4m3x2") E8("e5m2x2") OP2("cvt.rn.satfinite.relu.e4m3x2.f32", short, "h", float, "f", float, "f") OP1("cvt.rn.relu.f16x2.e5m2x2", unsigned, "r", short, "h")
#endif
#if __CUDA_ARCH__ >= 900
I2("add.bf16x2") I2("sub.bf16x2") I2("mul.bf16x2") H2("add.bf16") H2("mul.bf16") OP1("cvt.rzi.s32.bf16", int, "r", short, "h") OP1("cvt.rn.bf16.s32", short, "h", int, "r") OP1("cvt.rni.bf16.bf16", short, "h", short, "h")
#endif
#define EXPRESSION(e) KERNEL(__half2 *p, __half2 u, __half h) { int t = threadIdx.x; __half2 a = p[t], b = p[t + 1], c = p[t + 2]; (void)b; (void)c; p[t] = (e); }
EXPRESSION(__hadd2(a, u)) EXPRESSION(__hfma2(a, b, u)) EXPRESSION(__hfma2(a, u, c)) EXPRESSION(__hmul2(a, __float2half2_rn(0.5f))) EXPRESSION(__hadd2(a, __float2half2_rn(3.0f))) EXPRESSION(__hfma2(a, __float2half2_rn(2.0f), b)) EXPRESSION(__hfma2(a, b, __floats2half2_rn(1.0f, -2.5f))) EXPRESSION(__hadd2(__low2half2(a), __high2half2(b))) EXPRESSION(__hmul2(__lowhigh2highlow(a), b)) EXPRESSION(__halves2half2(__hadd(a.x, b.y), __hmul(a.y, h))) EXPRESSION(__hneg2(a)) EXPRESSION(__habs2(a)) EXPRESSION(h2sqrt(a)) EXPRESSION(h2rcp(a)) EXPRESSION(h2exp(a)) EXPRESSION(h2log(a)) EXPRESSION(h2sin(a)) EXPRESSION(h2rint(a)) EXPRESSION(__hgt2(a, b)) EXPRESSION(__heq2(a, u)) EXPRESSION(__hmax2(a, b)) EXPRESSION(__hmin2(a, u)) EXPRESSION(__hbgt2(a, b) ? a : b) EXPRESSION(__hltu2(a, b)) EXPRESSION(__h2div(a, b)) EXPRESSION(__hfma2_relu(a, b, c)) EXPRESSION(__hadd2_sat(a, b)) EXPRESSION(__halves2half2(a.x > h ? a.y : b.x, b.y))
#if __CUDA_ARCH__ >= 800
#define EXPRESSION_B(e) KERNEL(__nv_bfloat162 *p, __nv_bfloat162 u) { int t = threadIdx.x; __nv_bfloat162 a = p[t], b = p[t + 1], c = p[t + 2]; (void)b; (void)c; p[t] = (e); }
EXPRESSION_B(__hadd2(a, u)) EXPRESSION_B(__hfma2(a, b, u)) EXPRESSION_B(__hmul2(a, b)) EXPRESSION_B(__hmax2(a, b)) EXPRESSION_B(__hgt2(a, b)) EXPRESSION_B(__hfma2(a, __float2bfloat162_rn(2.0f), b)) EXPRESSION_B(h2exp(a)) EXPRESSION_B(__float22bfloat162_rn(__bfloat1622float2(a)))
#endif
KERNEL(float *p, const __half *h, const __nv_bfloat16 *b) { int t = threadIdx.x; p[t] = __half2float(h[t]) * __bfloat162float(b[t]) + __half2float(__hadd(h[t + 1], h[t + 2])); p[t + 64] = (float)(int)__half2int_rz(h[t]) + (float)__half2ull_rn(h[t + 3]); }
