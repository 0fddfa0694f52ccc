/* Single and double precision, conversions. */
#include "probe.h"
#define ROUNDED(X, op, t) X(op ".rn" t) X(op ".rz" t) X(op ".rm" t) X(op ".rp" t)
ROUNDED(F2, "add", ".f32") ROUNDED(F2, "add", ".ftz.f32") F2("add.sat.f32") F2("add.ftz.sat.f32") F2("sub.f32")
ROUNDED(F2, "mul", ".f32") ROUNDED(F2, "mul", ".ftz.f32") F2("mul.sat.f32")
ROUNDED(F3, "fma", ".f32") ROUNDED(F3, "fma", ".ftz.f32") F3("fma.rn.sat.f32") F3("fma.rz.ftz.sat.f32")
ROUNDED(F2, "div", ".f32") F2("div.approx.f32") F2("div.full.ftz.f32") ROUNDED(F1, "sqrt", ".f32") ROUNDED(F1, "rcp", ".f32")
F1("sqrt.approx.f32") F1("sqrt.approx.ftz.f32") F1("rcp.approx.f32") F1("rcp.approx.ftz.f32") F1("rsqrt.approx.f32") F1("rsqrt.approx.ftz.f32") F1("sin.approx.f32") F1("cos.approx.ftz.f32") F1("ex2.approx.f32") F1("ex2.approx.ftz.f32") F1("lg2.approx.f32") F1("lg2.approx.ftz.f32") F1("tanh.approx.f32") F1("abs.f32") F1("neg.f32") F1("abs.ftz.f32")
F2("min.f32") F2("max.f32") F2("min.ftz.f32") F2("copysign.f32") 
#if __CUDA_ARCH__ >= 800
F2("min.NaN.f32") F2("max.NaN.f32") F2("max.ftz.NaN.f32")
#endif
#if __CUDA_ARCH__ >= 860
F2("max.xorsign.abs.f32") F2("min.NaN.xorsign.abs.f32")
#endif
ROUNDED(D2, "add", ".f64") ROUNDED(D2, "mul", ".f64") ROUNDED(D3, "fma", ".f64") D2("div.rn.f64") D1("sqrt.rn.f64") D1("rcp.rn.f64") D1("rcp.approx.ftz.f64") D1("rsqrt.approx.ftz.f64") D2("min.f64") D2("max.f64") D1("abs.f64") D1("neg.f64")
#define COMPARED(c) SET(c ".and.f32", float, "f") SET(c ".or.ftz.f32", float, "f") SET(c ".xor.f64", double, "d")
COMPARED("eq") COMPARED("ne") COMPARED("lt") COMPARED("le") COMPARED("gt") COMPARED("ge") COMPARED("equ") COMPARED("neu") COMPARED("ltu") COMPARED("leu") COMPARED("gtu") COMPARED("geu") COMPARED("num") COMPARED("nan")
#define FSET(op) OP2(op, float, "f", float, "f", float, "f")
FSET("set.lt.f32.f32") FSET("set.geu.ftz.f32.f32") OP2("set.eq.u32.f32", unsigned, "r", float, "f", float, "f")
OP3("slct.f32.s32", float, "f", float, "f", float, "f", int, "r") OP3("slct.ftz.f32.f32", float, "f", float, "f", float, "f", float, "f")
/* conversions */
#define FROM(rnd, t, ct, c) OP1("cvt." rnd "." t ".f32", ct, c, float, "f") OP1("cvt." rnd "." t ".f64", ct, c, double, "d") OP1("cvt." rnd "." t ".f16", ct, c, short, "h")
#define FROM_ALL(rnd) FROM(rnd, "s32", int, "r") FROM(rnd, "u32", int, "r") FROM(rnd, "s64", long long, "l") FROM(rnd, "u64", long long, "l") FROM(rnd, "s16", short, "h") FROM(rnd, "u16", short, "h") FROM(rnd, "s8", int, "r") FROM(rnd, "u8", int, "r")
FROM_ALL("rni") FROM_ALL("rzi") FROM_ALL("rmi") FROM_ALL("rpi")
#define TO(rnd, t, ct, c) OP1("cvt." rnd ".f32." t, float, "f", ct, c) OP1("cvt." rnd ".f64." t, double, "d", ct, c) OP1("cvt." rnd ".f16." t, short, "h", ct, c)
#define TO_ALL(rnd) TO(rnd, "s32", int, "r") TO(rnd, "u32", int, "r") TO(rnd, "s64", long long, "l") TO(rnd, "u64", long long, "l") TO(rnd, "s16", short, "h") TO(rnd, "u16", short, "h") TO(rnd, "s8", int, "r") TO(rnd, "u8", int, "r")
TO_ALL("rn") TO_ALL("rz") TO_ALL("rm") TO_ALL("rp")
OP1("cvt.rni.ftz.s32.f32", int, "r", float, "f") OP1("cvt.rzi.ftz.u64.f32", long long, "l", float, "f") OP1("cvt.rni.sat.f32.f32", float, "f", float, "f")
#define FF(rnd) OP1("cvt." rnd ".f32.f64", float, "f", double, "d") OP1("cvt." rnd ".f16.f32", short, "h", float, "f") OP1("cvt." rnd ".f16.f64", short, "h", double, "d")
FF("rn") FF("rz") FF("rm") FF("rp") OP1("cvt.f64.f32", double, "d", float, "f") OP1("cvt.ftz.f64.f32", double, "d", float, "f") OP1("cvt.f32.f16", float, "f", short, "h") OP1("cvt.f64.f16", double, "d", short, "h") OP1("cvt.rn.ftz.f32.f64", float, "f", double, "d") OP1("cvt.rn.sat.f16.f32", short, "h", float, "f")
#define INTEGRAL(rnd) F1("cvt." rnd ".f32.f32") D1("cvt." rnd ".f64.f64") H1("cvt." rnd ".f16.f16") F1("cvt." rnd ".ftz.f32.f32")
INTEGRAL("rni") INTEGRAL("rzi") INTEGRAL("rmi") INTEGRAL("rpi")
OP1("cvt.sat.u8.s32", int, "r", int, "r") OP1("cvt.sat.s8.s32", int, "r", int, "r") OP1("cvt.sat.s16.s32", short, "h", int, "r") OP1("cvt.sat.u32.s64", int, "r", long long, "l") OP1("cvt.rzi.sat.u8.f32", int, "r", float, "f")
/* bytes and halves of a register */
KERNEL(float *p, const unsigned char *b, const short *s) { uint4 v = *(const uint4 *)b; unsigned x = v.x; p[0] = (x & 255); p[1] = ((x >> 8) & 255); p[2] = ((x >> 16) & 255); p[3] = (x >> 24); p[4] = (short)v.y; p[5] = (short)(v.y >> 16); p[6] = (unsigned short)(v.z >> 16); p[7] = (signed char)(v.w >> 8); p[8] = (signed char)(v.w >> 24); ((double *)p)[9] = (v.w >> 16) & 255; }
/* immediates and constants */
#define EXPRESSION(e) KERNEL(float *p, float u, float v, double du) { int t = threadIdx.x; float a = p[t], b = p[t + 1]; double x = ((double *)p)[t + 5]; (void)b; (void)u; (void)x; p[t] = (e); }
EXPRESSION(a + 1.5f) EXPRESSION(a - u) EXPRESSION(u - a * b) EXPRESSION(a * 3.0f) EXPRESSION(a * u) EXPRESSION(a * b + 2.0f) EXPRESSION(a * 0.1f + b) EXPRESSION(a * u + b) EXPRESSION(a * b + u) EXPRESSION(-a * b - u) EXPRESSION(fabsf(a) + fabsf(b)) EXPRESSION(-fabsf(a) * 7.0f) EXPRESSION(fmaxf(a, 0.0f)) EXPRESSION(fminf(fabsf(a), u)) EXPRESSION(a > 1e30f ? b : u) EXPRESSION(fabsf(a) > u ? -b : 3.0f) EXPRESSION(isinf(a) ? b : -INFINITY) EXPRESSION(isnan(a) ? __int_as_float(0x7fffffff) : a * __int_as_float(0xff800000)) EXPRESSION(x + 1.25) EXPRESSION(x * du) EXPRESSION(x * 3.0 + du) EXPRESSION(x * x + 1e300) EXPRESSION(fabs(x) > 1e-5 ? 1 : 2) EXPRESSION(x < du ? a : b) EXPRESSION(-x * x + du) EXPRESSION(sinf(a)) EXPRESSION(cosf(a)) EXPRESSION(expf(a)) EXPRESSION(logf(a)) EXPRESSION(powf(a, b)) EXPRESSION(tanhf(a)) EXPRESSION(erff(a)) EXPRESSION(lgammaf(a)) EXPRESSION(sin(x)) EXPRESSION(exp(x)) EXPRESSION(log(x)) EXPRESSION(pow(x, du)) EXPRESSION(fmodf(a, b)) EXPRESSION(fmod(x, du)) EXPRESSION(rintf(a) + truncf(b)) EXPRESSION(cbrtf(a)) EXPRESSION(normcdff(a)) EXPRESSION(j0f(a)) EXPRESSION(__saturatef(a * b)) EXPRESSION(ldexpf(a, (int)b)) EXPRESSION(a / b) EXPRESSION(sqrtf(a)) EXPRESSION(rsqrtf(a)) EXPRESSION(x / du) EXPRESSION(sqrt(x)) EXPRESSION(rhypotf(a, b)) EXPRESSION(__fdividef(a, b)) EXPRESSION(__expf(a) + __logf(b)) EXPRESSION(__sinf(a) * __cosf(b)) EXPRESSION(a * (u + v) + b) EXPRESSION(a + (u * v)) EXPRESSION(floorf(a) - ceilf(b)) EXPRESSION((float)(int)a + (float)(unsigned)b) EXPRESSION((float)(long long)x) EXPRESSION(atan2f(a, b)) EXPRESSION(a * 134217728.0f + 2147483648.0f)
