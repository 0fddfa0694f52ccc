/* Integers, logic, moves, bit operations. */
#include "probe.h"
I3("prmt.b32") I3("prmt.b32.f4e") I3("prmt.b32.b4e") I3("prmt.b32.rc8") I3("prmt.b32.ecl") I3("prmt.b32.ecr") I3("prmt.b32.rc16")
I3("shf.l.clamp.b32") I3("shf.r.clamp.b32") I3("shf.l.wrap.b32") I3("shf.r.wrap.b32")
I2("shl.b32") I2("shr.u32") I2("shr.s32")
I2("szext.clamp.s32") I2("szext.wrap.s32") I2("szext.clamp.u32") I2("szext.wrap.u32") I2("bmsk.clamp.b32") I2("bmsk.wrap.b32")
I3("dp4a.s32.s32") I3("dp4a.s32.u32") I3("dp4a.u32.s32") I3("dp4a.u32.u32")
I3("dp2a.lo.s32.s32") I3("dp2a.lo.s32.u32") I3("dp2a.hi.u32.s32") I3("dp2a.hi.u32.u32")
I2("mul.lo.s32") I2("mul.hi.s32") I2("mul.hi.u32") I2("mul24.lo.s32") I2("mul24.hi.u32") I3("mad.lo.s32") I3("mad.hi.s32") I3("mad.hi.u32")
I1("bfind.s32") I1("bfind.u32") I1("bfind.shiftamt.s32") I1("bfind.shiftamt.u32") I1("popc.b32") I1("clz.b32") I1("brev.b32") I1("abs.s32") I1("neg.s32") I1("not.b32") I1("cnot.b32")
I2("min.s32") I2("max.s32") I2("min.u32") I2("max.u32") I2("div.s32") I2("rem.u32") I2("div.u32")
I3("sad.s32") I3("sad.u32") I3("bfe.s32") I3("bfe.u32") I3("slct.s32.s32")
I3("vabsdiff.s32.s32.s32.add") I3("vabsdiff.u32.u32.u32.add") I3("vabsdiff4.u32.u32.u32.add") I3("vabsdiff4.s32.s32.s32") I3("vabsdiff4.s32.s32.s32.add") I3("vadd2.s32.s32.s32") I3("vmax4.s32.s32.s32") I3("vavrg4.u32.u32.u32")
OP1("popc.b64", unsigned, "r", unsigned long long, "l") OP1("clz.b64", unsigned, "r", unsigned long long, "l") OP1("brev.b64", unsigned long long, "l", unsigned long long, "l")
#define L2(op) OP2(op, long long, "l", long long, "l", long long, "l")
L2("add.s64") L2("sub.s64") L2("mul.lo.s64") L2("mul.hi.s64") L2("mul.hi.u64") L2("min.s64") L2("max.u64") L2("div.s64") L2("rem.u64") L2("and.b64") L2("xor.b64")
OP2("shl.b64", long long, "l", long long, "l", unsigned, "r") OP2("shr.s64", long long, "l", long long, "l", unsigned, "r") OP2("shr.u64", long long, "l", long long, "l", unsigned, "r")
OP3("mad.wide.s32", long long, "l", int, "r", int, "r", long long, "l") OP3("mad.wide.u32", long long, "l", int, "r", int, "r", long long, "l")
OP2("mul.wide.s32", long long, "l", int, "r", int, "r") OP2("mul.wide.u32", long long, "l", int, "r", int, "r")
SET("eq.and.s32", int, "r") SET("ne.or.s32", int, "r") SET("lt.xor.s32", int, "r") SET("le.and.s32", int, "r") SET("gt.or.u32", unsigned, "r") SET("ge.and.u32", unsigned, "r") SET("lo.and.u32", unsigned, "r") SET("hs.xor.u32", unsigned, "r")
SET("lt.and.s64", long long, "l") SET("ge.or.u64", long long, "l") SET("eq.and.b64", long long, "l")
#define LUT(n) KERNEL(int *p) { int d; asm volatile("lop3.b32 %0,%1,%2,%3," #n ";" : "=r"(d) : "r"(p[1]), "r"(p[2]), "r"(p[3])); p[0] = d; }
LUT(0x1) LUT(0x80) LUT(0x96) LUT(0xe8) LUT(0xfe) LUT(0xca)
/* immediates, constants and uniform operands in every place */
#define EXPRESSION(e) KERNEL(int *p, int u, int v, int w) { int t = threadIdx.x, a = p[t], b = p[t + 1], c = p[t + 2]; (void)b; (void)c; p[t] = (e); }
EXPRESSION(a + 5) EXPRESSION(a - u) EXPRESSION(a + b + c) EXPRESSION(a - b - c) EXPRESSION(a + u + 77) EXPRESSION(u - a) EXPRESSION(a + b + 1000) EXPRESSION(a * 3 + b) EXPRESSION(a * u + b) EXPRESSION(a * b + u) EXPRESSION(a * b + 99) EXPRESSION(a * -7) EXPRESSION(u * v + w) EXPRESSION(a * (u + v) + b) EXPRESSION(a + (u << 3)) EXPRESSION((a << 4) + u) EXPRESSION((a << 4) + b) EXPRESSION((a << 5) - b) EXPRESSION(a & 0xff00) EXPRESSION(a & u) EXPRESSION((a & u) | 0x55) EXPRESSION(a ^ b ^ c) EXPRESSION(~a & b) EXPRESSION(a > 5 ? b : u) EXPRESSION(a > u ? b : 7) EXPRESSION(u > v ? a : b) EXPRESSION(min(a, 7)) EXPRESSION(max(a, u)) EXPRESSION(min(a, min(b, c))) EXPRESSION(max(a + b, c)) EXPRESSION(min(a + b, c)) EXPRESSION(a >> 3) EXPRESSION(a >> u) EXPRESSION((unsigned)a >> (b & 31)) EXPRESSION(a << b) EXPRESSION(__funnelshift_l(a, b, 7)) EXPRESSION(__funnelshift_r(a, u, c)) EXPRESSION(__byte_perm(a, b, 0x4321)) EXPRESSION(__byte_perm(a, u, c)) EXPRESSION(__popc(a) + __clz(b)) EXPRESSION(__brev(a)) EXPRESSION(__ffs(a)) EXPRESSION(abs(a) + abs(u)) EXPRESSION(a / 7) EXPRESSION((unsigned)a / 10) EXPRESSION(a % u) EXPRESSION(__vadd2(a, b)) EXPRESSION(__vaddus4(a, b)) EXPRESSION(__vmaxs2(a, b)) EXPRESSION(__vminu2(a, b)) EXPRESSION(__viaddmax_s32(a, b, c)) EXPRESSION(__viaddmin_u32(a, b, 9)) EXPRESSION(__viaddmax_s16x2_relu(a, b, c)) EXPRESSION(__vimax3_s32(a, b, c)) EXPRESSION(__vimin3_u16x2(a, b, c)) EXPRESSION(__vimax_s32_relu(a, b)) EXPRESSION(__vibmax_s32(a, b, (bool *)p)) EXPRESSION(__vibmin_u16x2(a, b, (bool *)p, (bool *)p + 1)) EXPRESSION(__dp4a(a, u, c)) EXPRESSION(__usad(a, b, c)) EXPRESSION(__mulhi(a, u)) EXPRESSION(__umulhi(a, 0x12345)) EXPRESSION(__hadd(a, b)) EXPRESSION(__rhadd(a, u))
#define EXPRESSION64(e) KERNEL(long long *p, long long u, int v) { int t = threadIdx.x; long long a = p[t], b = p[t + 1]; (void)b; p[t] = (e); }
EXPRESSION64(a + 5) EXPRESSION64(a + u) EXPRESSION64(a - b) EXPRESSION64(a * 3) EXPRESSION64(a * u + b) EXPRESSION64(a << 7) EXPRESSION64(a >> v) EXPRESSION64(a > b ? u : b) EXPRESSION64(a / 10) EXPRESSION64(a % u) EXPRESSION64(a + (long long)v * t) EXPRESSION64(__mul64hi(a, b)) EXPRESSION64(__popcll(a) + __clzll(b)) EXPRESSION64(a < 0 ? -a : a) EXPRESSION64(a & 0xffff0000ff00ffll) EXPRESSION64(p[v * 1000 + t] + p[a]) EXPRESSION64(a == 77 ? b : 0) EXPRESSION64((unsigned long long)a > 0x123456789aull)
/* what a warp has in common is computed by the uniform datapath */
KERNEL(int *p, int n, int m, unsigned s, long long q)
{
    int x = n * m + 5, y = (n << 3) + m, z = n ^ (m & 0xff), w = n > m ? n : 7;
    for (int i = 0; i < n; i++) {
        p[x + threadIdx.x] += y; p[z + i] += w; x += m; y = (y >> 2) + n; z = __popc(z) + i; w = (w << (i & 31)) | (s >> i); q = q * n + i;
        if (i == (int)blockIdx.x) p[i] = (int)q;
        if ((s & 4) && q > 77) p[i + 3] = __clz(x) + __brev(y) + min(x, y);
    }
}
/* more predicates than registers, spilled to a register */
KERNEL(int *p, int n)
{
    bool b[12];
    for (int i = 0; i < 12; i++) b[i] = p[i * 3 + threadIdx.x] > n + i;
    __syncthreads();
    int s = 0;
    for (int i = 0; i < 12; i++) { if (b[i] && p[i] != n) s += p[i + 100]; }
    for (int i = 0; i < 12; i++) { if (!b[i] || p[i + 50] == n) s ^= p[i + 200]; }
    p[threadIdx.x] = s;
}
