"""The operations that are probed, as PTX. No hardware is needed to read this file.

An operation is (name, PTX, result, operands, base, capability):
  PTX         %0 is the result, %1.. the operands
  result      b16 b32 b64, or pred: the PTX sets predicate p, the answer is one byte
  operands    types of operands.h
  base        an operation with nearly the same answers, or None; answers are stored as differences
  capability  the first compute capability that has the operation
"""

ROUND = ["rn", "rz", "rm", "rp"]
COMPARE_INT = ["eq", "ne", "lt", "le", "gt", "ge"]
COMPARE_FLOAT = COMPARE_INT + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def op(name, ptx, result, operands, base=None, capability=75):
    return (name, ptx, result, operands.split(), base, capability)


def args(n):
    return ", ".join("%" + str(k) for k in range(n + 1))


def plain(ptx, result, operands, base=None, capability=75):
    """An operation whose name is its PTX with underscores."""
    name = ptx.replace(".", "_").replace("::", "_")
    return op(name, f"{ptx} {args(len(operands.split()))};", result, operands, base, capability)


def integers():
    ops = []
    for t in ("add", "sub"):
        ops.append(plain(f"{t}.u32", "b32", "u32 u32"))
        ops.append(plain(f"{t}.sat.s32", "b32", "u32 u32", f"{t}_u32"))
        ops.append(plain(f"{t}.u64", "b64", "u64 u64"))
    for t in ("u32", "s32"):
        ops.append(plain(f"mul.lo.{t}", "b32", "u32 u32", None if t == "u32" else "mul_lo_u32"))
        ops.append(plain(f"mul.hi.{t}", "b32", "u32 u32"))
        ops.append(plain(f"mul.wide.{t}", "b64", "u32 u32"))
        ops.append(plain(f"mad.hi.{t}", "b32", "u32 u32 u32"))
        ops.append(plain(f"mad.wide.{t}", "b64", "u32 u32 u64"))
        ops.append(plain(f"mul24.lo.{t}", "b32", "u32 u32"))
        ops.append(plain(f"mul24.hi.{t}", "b32", "u32 u32"))
        ops.append(plain(f"div.{t}", "b32", "u32 u32"))
        ops.append(plain(f"rem.{t}", "b32", "u32 u32"))
        ops.append(plain(f"sad.{t}", "b32", "u32 u32 u32"))
        ops.append(plain(f"min.{t}", "b32", "u32 u32"))
        ops.append(plain(f"max.{t}", "b32", "u32 u32", f"min_{t}"))
        ops.append(plain(f"shr.{t}", "b32", "u32 u32"))
        ops.append(plain(f"bfe.{t}", "b32", "u32 u32 u32"))
        ops.append(plain(f"bfind.{t}", "b32", "u32"))
        ops.append(plain(f"bfind.shiftamt.{t}", "b32", "u32", f"bfind_{t}"))
        ops.append(plain(f"szext.clamp.{t}", "b32", "u32 u32"))
        ops.append(plain(f"szext.wrap.{t}", "b32", "u32 u32", f"szext_clamp_{t}"))
    ops += [
        plain("mad.lo.u32", "b32", "u32 u32 u32"),
        plain("mul.hi.u64", "b64", "u64 u64"),
        plain("mul.hi.s64", "b64", "u64 u64", "mul_hi_u64"),
        plain("mul.lo.u64", "b64", "u64 u64"),
        plain("shl.b32", "b32", "u32 u32"),
        plain("shl.b64", "b64", "u64 u32"),
        plain("shr.u64", "b64", "u64 u32"),
        plain("shr.s64", "b64", "u64 u32", "shr_u64"),
        plain("abs.s32", "b32", "u32"),
        plain("neg.s32", "b32", "u32"),
        plain("popc.b32", "b32", "u32"),
        plain("clz.b32", "b32", "u32"),
        plain("brev.b32", "b32", "u32"),
        plain("bfind.u64", "b32", "u64"),
        plain("popc.b64", "b32", "u64"),
        plain("bmsk.clamp.b32", "b32", "u32 u32"),
        plain("bmsk.wrap.b32", "b32", "u32 u32", "bmsk_clamp_b32"),
        plain("bfi.b32", "b32", "u32 u32 u32 u32"),
        plain("fns.b32", "b32", "u32 u32 u32"),
    ]
    for side in "lr":
        for mode in ("wrap", "clamp"):
            base = None if mode == "wrap" else f"shf_{side}_wrap_b32"
            ops.append(plain(f"shf.{side}.{mode}.b32", "b32", "u32 u32 u32", base))
    for lut in (0x1e, 0x80, 0x96, 0xca, 0xe8, 0xfe, 0x39):
        ops.append(op(f"lop3_{lut:02x}", f"lop3.b32 %0, %1, %2, %3, {lut};", "b32", "u32 u32 u32"))
    for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
        ops.append(op("prmt" + mode.replace(".", "_"), f"prmt.b32{mode} %0, %1, %2, %3;", "b32",
                      "u32 u32 u32"))
    for a in ("u32", "s32"):
        for b in ("u32", "s32"):
            ops.append(plain(f"dp4a.{a}.{b}", "b32", "u32 u32 u32"))
            ops.append(plain(f"dp2a.lo.{a}.{b}", "b32", "u32 u32 u32"))
            ops.append(plain(f"dp2a.hi.{a}.{b}", "b32", "u32 u32 u32"))
    for t in ("u32", "s32", "u64", "s64"):
        width = "u64" if "64" in t else "u32"
        for c in COMPARE_INT:
            ops.append(op(f"setp_{c}_{t}", f"setp.{c}.{t} p, %1, %2;", "pred", f"{width} {width}"))
    for c in ("add", "sub"):
        ops.append(op(f"{c}_carry", f"{c}.cc.u32 %0, %1, %2; {c}c.u32 %0, %3, %2;", "b32",
                      "u32 u32 u32"))
    for t in ("u16x2", "s16x2"):
        for c in ("add", "min", "max"):
            ops.append(plain(f"{c}.{t}", "b32", "u32 u32", None, 90))
    ops.append(plain("min.relu.s32", "b32", "u32 u32", "min_s32", 90))
    ops.append(plain("max.relu.s32", "b32", "u32 u32", "max_s32", 90))
    return ops


def floats():
    ops = []
    for ftz in ("", ".ftz"):
        for sat in ("", ".sat"):
            for r in ROUND:
                first = not ftz and not sat and r == "rn"
                for t, operands in (("add", "f32 f32"), ("mul", "f32 f32"), ("fma", "f32 f32 f32")):
                    ops.append(plain(f"{t}.{r}{ftz}{sat}.f32", "b32", operands,
                                     None if first else f"{t}_rn_f32"))
    for ftz in ("", ".ftz"):
        for r in ROUND:
            first = not ftz and r == "rn"
            for t, operands in (("div", "f32 f32"), ("rcp", "f32"), ("sqrt", "f32")):
                ops.append(plain(f"{t}.{r}{ftz}.f32", "b32", operands,
                                 None if first else f"{t}_rn_f32"))
        ops.append(plain(f"div.full{ftz}.f32", "b32", "f32 f32", "div_rn_f32"))
        ops.append(plain(f"div.approx{ftz}.f32", "b32", "f32 f32", "div_rn_f32"))
        for t in ("min", "max"):
            base = None if not ftz else f"{t}_f32"
            ops.append(plain(f"{t}{ftz}.f32", "b32", "f32 f32", base))
            ops.append(plain(f"{t}{ftz}.NaN.f32", "b32", "f32 f32", f"{t}_f32", 80))
            ops.append(plain(f"{t}{ftz}.xorsign.abs.f32", "b32", "f32 f32", f"{t}_f32", 86))
            ops.append(plain(f"{t}{ftz}.NaN.xorsign.abs.f32", "b32", "f32 f32", f"{t}_f32", 86))
        ops.append(plain(f"abs{ftz}.f32", "b32", "f32"))
        ops.append(plain(f"neg{ftz}.f32", "b32", "f32"))
        for c in COMPARE_FLOAT:
            ops.append(op(f"setp_{c}{ftz.replace('.', '_')}_f32", f"setp.{c}{ftz}.f32 p, %1, %2;",
                          "pred", "f32 f32"))
            ops.append(op(f"set_{c}{ftz.replace('.', '_')}_f32",
                          f"set.{c}{ftz}.f32.f32 %0, %1, %2;", "b32", "f32 f32"))
    ops.append(plain("copysign.f32", "b32", "f32 f32"))
    for c in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
        ops.append(op(f"testp_{c}_f32", f"testp.{c}.f32 p, %1;", "pred", "f32"))
    return ops


def doubles():
    ops = []
    for r in ROUND:
        for t, operands in (("add", "f64 f64"), ("mul", "f64 f64"), ("fma", "f64 f64 f64"),
                            ("div", "f64 f64"), ("rcp", "f64"), ("sqrt", "f64")):
            ops.append(plain(f"{t}.{r}.f64", "b64", operands, None if r == "rn" else f"{t}_rn_f64"))
    for t in ("min", "max"):
        ops.append(plain(f"{t}.f64", "b64", "f64 f64"))
    for t in ("abs", "neg"):
        ops.append(plain(f"{t}.f64", "b64", "f64"))
    for t in ("rcp", "rsqrt"):
        ops.append(plain(f"{t}.approx.ftz.f64", "b64", "f64"))
    for c in COMPARE_FLOAT:
        ops.append(op(f"setp_{c}_f64", f"setp.{c}.f64 p, %1, %2;", "pred", "f64 f64"))
    return ops


def halves():
    ops = []
    for ftz in ("", ".ftz"):
        for sat in ("", ".sat"):
            for t, n in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
                if t == "sub" and (ftz or sat):
                    continue
                name = "fma.rn" if t == "fma" else f"{t}.rn" if t != "sub" else "sub"
                base = f"{name}.f16x2".replace(".", "_") if ftz or sat else None
                ops.append(plain(f"{name}{ftz}{sat}.f16x2", "b32", " ".join(["f16x2"] * n), base))
        ops.append(plain(f"fma.rn{ftz}.relu.f16x2", "b32", "f16x2 f16x2 f16x2", "fma_rn_f16x2", 80))
        for t in ("min", "max"):
            base = f"{t}_f16x2" if ftz else None
            ops.append(plain(f"{t}{ftz}.f16x2", "b32", "f16x2 f16x2", base, 80))
            ops.append(plain(f"{t}{ftz}.NaN.f16x2", "b32", "f16x2 f16x2", f"{t}_f16x2", 80))
            ops.append(plain(f"{t}{ftz}.xorsign.abs.f16x2", "b32", "f16x2 f16x2", f"{t}_f16x2", 86))
    for t in ("add.rn", "mul.rn"):
        ops.append(plain(f"{t}.f16", "b16", "f16 f16"))
        ops.append(plain(f"{t}.bf16x2", "b32", "bf16x2 bf16x2", None, 90))
    ops.append(plain("fma.rn.f16", "b16", "f16 f16 f16"))
    ops.append(plain("fma.rn.bf16x2", "b32", "bf16x2 bf16x2 bf16x2", None, 80))
    ops.append(plain("fma.rn.relu.bf16x2", "b32", "bf16x2 bf16x2 bf16x2", "fma_rn_bf16x2", 80))
    for t in ("min", "max"):
        ops.append(plain(f"{t}.bf16x2", "b32", "bf16x2 bf16x2", None, 80))
        ops.append(plain(f"{t}.NaN.bf16x2", "b32", "bf16x2 bf16x2", f"{t}_bf16x2", 80))
    for t in ("abs", "neg"):
        ops.append(plain(f"{t}.f16x2", "b32", "f16x2"))
        ops.append(plain(f"{t}.bf16x2", "b32", "bf16x2", None, 80))
    for c in COMPARE_FLOAT:
        ops.append(op(f"setp_{c}_f16", f"setp.{c}.f16 p, %1, %2;", "pred", "f16 f16"))
        ops.append(op(f"set_{c}_f16x2", f"set.{c}.f16x2.f16x2 %0, %1, %2;", "b32", "f16x2 f16x2"))
    return ops


def conversions():
    ops = []
    kinds = {"f16": "f16", "f32": "f32", "f64": "f64"}
    for source in kinds:
        for bits in (8, 16, 32, 64):
            for sign in "us":
                first = None
                for r in ("rni", "rzi", "rmi", "rpi"):
                    o = plain(f"cvt.{r}.{sign}{bits}.{source}", "b64" if bits == 64 else "b32",
                              source, first)
                    first = first or o[0]
                    ops.append(o)
                if source == "f32":
                    ops.append(plain(f"cvt.rzi.ftz.{sign}{bits}.f32",
                                     "b64" if bits == 64 else "b32", "f32", first))
        ops += [plain(f"cvt.{r}.{source}.{source}", {"f16": "b16", "f32": "b32", "f64": "b64"}[source],
                      source) for r in ("rni", "rzi", "rmi", "rpi")]
    for bits, operand in ((8, "u32"), (16, "u32"), (32, "u32"), (64, "u64")):
        for sign in "us":
            for target, result in (("f16", "b16"), ("f32", "b32"), ("f64", "b64")):
                first = None
                for r in ROUND:
                    o = plain(f"cvt.{r}.{target}.{sign}{bits}", result, operand, first)
                    first = first or o[0]
                    ops.append(o)
    for r in ROUND:
        first = r == "rn"
        ops.append(plain(f"cvt.{r}.f32.f64", "b32", "f64", None if first else "cvt_rn_f32_f64"))
        ops.append(plain(f"cvt.{r}.f16.f32", "b16", "f32", None if first else "cvt_rn_f16_f32"))
        ops.append(plain(f"cvt.{r}.f16.f64", "b16", "f64", None if first else "cvt_rn_f16_f64"))
    for t, result, operand in (("f32.f16", "b32", "f16"), ("f64.f16", "b64", "f16"),
                               ("f64.f32", "b64", "f32"), ("ftz.f64.f32", "b64", "f32"),
                               ("ftz.f32.f16", "b32", "f16"), ("sat.f32.f32", "b32", "f32"),
                               ("rn.sat.f16.f32", "b16", "f32"), ("rn.ftz.f32.f64", "b32", "f64"),
                               ("rn.sat.f32.f64", "b32", "f64"), ("rn.ftz.f16.f32", "b16", "f32")):
        ops.append(plain(f"cvt.{t}", result, operand))
    for kind in ("f16", "bf16"):
        for r in ("rn", "rz"):
            for relu in ("", ".relu"):
                base = f"cvt_rn_{kind}x2_f32" if (r, relu) != ("rn", "") else None
                ops.append(plain(f"cvt.{r}{relu}.{kind}x2.f32", "b32", "f32 f32", base, 80))
    for r in ("rn", "rz"):
        ops.append(plain(f"cvt.{r}.bf16.f32", "b16", "f32", None, 80))
    ops.append(plain("cvt.rna.tf32.f32", "b32", "f32", None, 80))
    for kind in ("e4m3x2", "e5m2x2"):
        ops.append(plain(f"cvt.rn.satfinite.{kind}.f32", "b16", "f32 f32", None, 89))
        ops.append(plain(f"cvt.rn.satfinite.{kind}.f16x2", "b16", "f16x2", None, 89))
        ops.append(plain(f"cvt.rn.f16x2.{kind}", "b32", "f16", None, 89))
        ops.append(plain(f"cvt.rn.satfinite.relu.{kind}.f32", "b16", "f32 f32", None, 89))
        ops.append(plain(f"cvt.rn.satfinite.relu.{kind}.f16x2", "b16", "f16x2", None, 89))
        ops.append(plain(f"cvt.rn.relu.f16x2.{kind}", "b32", "f16", None, 89))
    for source in ("f16", "f32", "f64"):
        pass
    for pair in ("u8.u32", "s8.u32", "u16.s32", "s16.s32"):
        target, operand = pair.split(".")
        ops.append(plain(f"cvt.sat.{target}.s32", "b32", "u32"))
        ops.append(plain(f"cvt.sat.{target}.u32", "b32", "u32"))
    for target in ("u32", "s32"):
        source = "s64" if target == "u32" else "u64"
        ops.append(plain(f"cvt.sat.{target}.{source}", "b32", "u64"))
    return ops


def special():
    ops = []
    for ftz in ("", ".ftz"):
        for t in ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"):
            base = f"{t}_approx_f32" if ftz else None
            ops.append(plain(f"{t}.approx{ftz}.f32", "b32", "f32", base))
    ops.append(plain("tanh.approx.f32", "b32", "f32"))
    for t in ("ex2", "tanh"):
        ops.append(plain(f"{t}.approx.f16", "b16", "f16"))
        ops.append(plain(f"{t}.approx.f16x2", "b32", "f16x2"))
    ops.append(plain("ex2.approx.ftz.bf16", "b16", "bf16", None, 90))
    ops.append(plain("tanh.approx.bf16", "b16", "bf16", None, 90))
    ops.append(plain("ex2.approx.ftz.bf16x2", "b32", "bf16x2", None, 90))
    return ops


# A barrier of each thread in shared memory. %1 gives its state: e expected threads, n threads that have
# not arrived (at least 2), b bytes in flight. Ordinary loads do not wait for these instructions, so only
# the token of the last instruction is known.
BARRIER = """{ .shared .align 8 .b64 barriers[128]; .reg .b32 t, a, e, n, b, y; .reg .b64 r; .reg .pred p;
    mov.u32 t, %%tid.x; shl.b32 t, t, 3; mov.u32 a, barriers; add.u32 a, a, t; mov.b64 r, 0;
    and.b32 e, %1, 15; add.u32 e, e, 2; mbarrier.init.shared.b64 [a], e;
    and.b32 t, %1, 65536; setp.ne.u32 p, t, 0; @p mbarrier.arrive.shared.b64 _, [a], e;
    bfe.u32 n, %1, 8, 4; sub.u32 t, e, 1; rem.u32 n, n, t; setp.ne.u32 p, n, 0;
    @p mbarrier.arrive.shared.b64 _, [a], n; sub.u32 n, e, n;
    bfe.u32 b, %1, 4, 3; mbarrier.expect_tx.relaxed.cta.shared.b64 [a], b; bar.warp.sync -1;
    shr.u32 y, %2, 8; """.replace("\n   ", "")
COUNT = "rem.u32 y, y, n; add.u32 y, y, 1; "
PART = "sub.u32 t, n, 1; rem.u32 y, y, t; add.u32 y, y, 1; "
BYTES = "and.b32 y, y, 255; "


def mbarriers():
    """Returns operations on the tokens that arrivals at a barrier in shared memory return."""
    instructions = [
        ("arrive", "", ""),
        ("arrive_count", COUNT, ", y"),
        ("arrive.noComplete", PART, ", y"),
        ("arrive_drop", "", ""),
        ("arrive_drop_count", COUNT, ", y"),
        ("arrive_drop.noComplete", PART, ", y"),
        ("arrive.expect_tx", BYTES, ", y"),
        ("arrive_drop.expect_tx", BYTES, ", y"),
    ]
    return [op(f"mbarrier_{name.replace('.', '_')}",
               f"{BARRIER}{prepare}mbarrier.{name.removesuffix('_count')}.shared.b64 r, [a]{operand}; "
               "mov.b64 %0, r; }", "b64", "u32 u32", None, 90)
            for name, prepare, operand in instructions]


# Matrix products: name, PTX, operand kinds and registers of A, B and C, registers of D, capability.
# A kind is that of a function tensor_KIND in operands.h. D has the kind of C.
TENSOR = [
    ("mma_16816_f32_f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", ("f16", 4),
     ("f16", 2), ("f32", 4), 80),
    ("mma_1688_f32_f16", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", ("f16", 2),
     ("f16", 1), ("f32", 4), 75),
    ("mma_16816_f16_f16", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", ("f16", 4),
     ("f16", 2), ("f16", 2), 80),
    ("mma_1688_f16_f16", "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", ("f16", 2),
     ("f16", 1), ("f16", 2), 75),
    ("mma_16816_f32_bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", ("bf16", 4),
     ("bf16", 2), ("f32", 4), 80),
    ("mma_1688_f32_bf16", "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", ("bf16", 2),
     ("bf16", 1), ("f32", 4), 80),
    ("mma_1688_f32_tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", ("f32", 4),
     ("f32", 2), ("f32", 4), 80),
    ("mma_1684_f32_tf32", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", ("f32", 2),
     ("f32", 1), ("f32", 4), 80),
    ("mma_16832_s32_s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", ("any", 4),
     ("any", 2), ("any", 4), 80),
    ("mma_16832_s32_u8_s8_sat", "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32",
     ("any", 4), ("any", 2), ("any", 4), 80),
    ("mma_16832_f32_e4m3", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", ("any", 4),
     ("any", 2), ("f32", 4), 89),
    ("mma_16832_f32_e5m2", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", ("any", 4),
     ("any", 2), ("f32", 4), 89),
    ("mma_16832_f32_e4m3_e5m2", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", ("any", 4),
     ("any", 2), ("f32", 4), 89),
    ("mma_16832_f16_e4m3", "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16", ("any", 4),
     ("any", 2), ("f16", 2), 89),
    ("mma_884_f64_nan", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", ("f64_special", 1),
     ("f64_special", 1), ("f64_special", 2), 80),
    ("mma_1688_f64_nan", "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", ("f64_special", 4),
     ("f64_special", 2), ("f64_special", 4), 90),
    ("mma_16816_f64_nan", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", ("f64_special", 8),
     ("f64_special", 4), ("f64_special", 4), 90),
    ("mma_16816_f64", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", ("f64", 8), ("f64", 4),
     ("f64", 4), 90),
    ("mma_884_f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", ("f64", 1), ("f64", 1),
     ("f64", 2), 80),
]

FAMILIES = {
    "integer": integers,
    "f32": floats,
    "f64": doubles,
    "half": halves,
    "convert": conversions,
    "special": special,
    "mbarrier": mbarriers,
}
