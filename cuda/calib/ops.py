"""Each class of instructions by itself: from issue to the issue of a dependent one, and how often.

chain: one warp; every instruction takes the result of the one before. Fixed latencies are those of the
stall count given here, the shortest that gives right results (latency.py finds it); queued ones are
awaited by a barrier.
rate: independent instructions of stall count 1, by one warp, by one warp in each sub-partition and by
four. Operands are RZ, so that no register port limits them.
"""
from sass import RZ, Kernel

CHAIN, RATE = 64, 256

# Columns: name, operation, registers of a result, key of the configuration, stall count of a chain (None
# if the result is waited for by a scoreboard), further fields of the instruction word.
FIXED = [
    ("ffma", "FFMA", 1, "fp32", 4),
    ("fadd", "FADD", 1, "fp32", 4),
    ("fmul", "FMUL", 1, "fp32", 4),
    ("fmnmx", "FMNMX", 1, "int", 4),
    ("fsel", "FSEL", 1, "int", 4),
    ("iadd3", "IADD3", 1, "int", 4),
    ("viadd", "VIADD", 1, "int", 4),
    ("lop3", "LOP3", 1, "int", 4),
    ("lea", "LEA", 1, "int", 4),
    ("shf", "SHF", 1, "int", 4),
    ("prmt", "PRMT", 1, "int", 4),
    ("sel", "SEL", 1, "int", 4),
    ("mov", "MOV", 1, "int", 4),
    ("iabs", "IABS", 1, "int", 4),
    ("sgxt", "SGXT", 1, "int", 4),
    ("vimnmx", "VIMNMX", 1, "int", 4),
    ("vimnmx3", "VIMNMX3", 1, "int", 4),
    ("viaddmnmx", "VIADDMNMX", 1, "int", 4),
    ("i2fp", "I2FP", 1, "int", 4),
    ("f2fp", "F2FP", 1, "int", 4),
    ("p2r", "P2R", 1, "int", 4),
    ("vote", "VOTE", 1, "vote", 4),
    ("imad", "IMAD", 1, "imad", 4),
    ("imad_mov", "IMAD.MOV", 1, "imad", 4),
    ("idp4a", "IDP", 1, "imad", 4),
    ("imad_wide", "IMAD.WIDE", 2, "imad_wide", 5),
    ("imad_hi", "IMAD.HI", 2, "imad_wide", 5),
    ("hadd2", "HADD2", 1, "fp16", 4),
    ("hmul2", "HMUL2", 1, "fp16", 4),
    ("hfma2", "HFMA2", 1, "fp16", 4),
    ("hfma2_mma", "HFMA2.MMA", 1, "fp16", 8),
    ("hmnmx2", "HMNMX2", 1, "fp16", 4),
    ("dadd", "DADD", 2, "fp64", 8),
    ("dmul", "DMUL", 2, "fp64", 8),
    ("dfma", "DFMA", 2, "fp64", 8),
    ("uiadd3", "UIADD3", 1, "uniform", 4),
]
QUEUED = [
    ("mufu_ex2", "MUFU.EX2", 1, "xu"),
    ("mufu_lg2", "MUFU.LG2", 1, "xu"),
    ("mufu_rcp", "MUFU.RCP", 1, "xu"),
    ("mufu_rsq", "MUFU.RSQ", 1, "xu"),
    ("mufu_sqrt", "MUFU.SQRT", 1, "xu"),
    ("mufu_sin", "MUFU.SIN", 1, "xu"),
    ("mufu_tanh", "MUFU.TANH", 1, "xu"),
    ("mufu_rcp64h", "MUFU.RCP64H", 1, "xu"),
    ("f2i", "F2I", 1, "convert"),
    ("frnd", "FRND", 1, "convert"),
    ("f2f_f64_f32", "F2F.F64.F32", 2, "convert"),
    ("f2f_f32_f64", "F2F.F32.F64", 2, "convert"),
    ("f2i_f64", "F2I.F64", 2, "convert"),
    ("i2f_f64", "I2F.F64", 2, "convert"),
    ("popc", "POPC", 1, "bitcount"),
    ("flo", "FLO", 1, "bitcount"),
    ("brev", "BREV", 1, "bitcount"),
    ("shfl_bfly", "SHFL.BFLY", 1, "shuffle"),
    ("shfl_idx", "SHFL.IDX", 1, "shuffle"),
    ("match_any", "MATCH.ANY", 1, "match"),
    ("match_all", "MATCH.ALL", 1, "match"),
    ("redux", "REDUX", 1, "match"),
    ("s2r_tid", "S2R", 1, "special", 0x21),
    ("s2r_laneid", "S2R", 1, "special", 0x00),
    ("s2r_ltmask", "S2R", 1, "special", 0x39),
    ("s2r_ctaid", "S2R", 1, "special", 0x25),
    ("s2r_smid", "S2R", 1, "special", 0x43),
    ("s2r_clock", "S2R", 1, "special", 0x50),
    ("s2ur_tid", "S2UR", 1, "special", 0x21),
    ("s2ur_ctaid", "S2UR", 1, "special", 0x25),
    ("s2ur_clock", "S2UR", 1, "special", 0x50),
    ("r2ur", "R2UR", 1, "special"),
    ("ldc", "LDC", 1, "ld_const"),
    ("ldc_64", "LDC.64", 2, "ld_const"),
    ("lds", "LDS", 1, "ld_shared"),
]
TENSOR = [
    ("hmma_16816_f32", "HMMA.16816.F32", 4, "hmma", 33),
    ("hmma_1688_f32", "HMMA.1688.F32", 4, "hmma", 25),
    ("hmma_16816_f16", "HMMA.16816.F16", 2, "hmma", 25),
    ("hmma_16816_bf16", "HMMA.16816.F32.BF16", 4, "hmma", 33),
    ("hmma_1688_tf32", "HMMA.1688.F32.TF32", 4, "hmma", 33),
    ("imma_16832", "IMMA.16832", 4, "imma", 33),
]


def operands(row, i, base=16):
    """Fields of the i-th of independent instructions, or of a chain with i = 0."""
    name, operation, width = row[:3]
    d = base + i % 4 * max(width, 1)
    fields = dict(d=d, a=d, b=RZ, c=RZ, imm=1)
    if operation in ("UIADD3", "REDUX", "S2UR", "R2UR"):
        fields = dict(d=8 + i % 4, a=8 if operation == "UIADD3" else 20, b=9, c=63)
    elif "MMA." in operation and operation != "HFMA2.MMA":
        fields = dict(d=d, a=40, b=44, c=d)
    elif operation in ("IABS", "MOV", "IMAD.MOV", "I2FP") or row in QUEUED and operation != "LDC":
        fields["b"] = d
    if operation in ("LDC", "LDC.64", "LDS"):
        fields["a"] = RZ
    if operation == "S2R" or operation == "S2UR":
        fields["extra"] = row[4] << 72
    return fields


def chain(row):
    k = Kernel("chain_" + row[0])
    k.begin()
    k.clock(12, stall=6)
    for i in range(CHAIN):
        if row in QUEUED:
            k.op(row[1], **operands(row, 0), stall=2, write=0, wait=[0], stay=False)
        else:
            latency = row[4]
            k.op(row[1], **operands(row, 0), stall=min(latency, 15))
            latency -= min(latency, 15)
            while latency > 0:
                k.op("NOP", stall=min(latency, 15))
                latency -= min(latency, 15)
    k.clock(13, wait=[0])
    k.end([12, 13])
    return k


def rate(row):
    k = Kernel("rate_" + row[0])
    k.begin()
    k.clock(12, stall=6)
    for i in range(RATE):
        k.op(row[1], **operands(row, i), **(dict(write=i % 5) if row in QUEUED else {}))
    k.clock(13, wait=range(6) if row in QUEUED else ())
    k.end([12, 13])
    return k


ROWS = FIXED + QUEUED + TENSOR
KERNELS = [make(row) for row in ROWS for make in (chain, rate)]
