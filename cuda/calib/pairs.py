"""Which pipes two instructions share: A and B in turn, independent, by four warps in each sub-partition.

A pair costs the sum of both intervals where they share a pipe, else the longer of the two, and at least
the two issue cycles.
"""
from ops import RATE, ROWS, QUEUED, operands
from sass import Kernel

BY_NAME = {row[0]: row for row in ROWS}
PAIRS = """ffma iadd3, ffma imad, ffma fmnmx, ffma lop3, ffma viadd, ffma hfma2, ffma hfma2_mma, ffma dfma,
ffma mufu_ex2, ffma shfl_bfly, ffma imad_wide, ffma uiadd3, ffma fadd, ffma fmul, ffma imad_mov, ffma idp4a,
ffma hadd2, ffma hmma_16816_f32, fadd fmul, fadd iadd3, fadd imad, imad iadd3, imad imad_wide, imad imad_hi,
imad idp4a, imad hfma2, imad hfma2_mma, imad imad_mov, imad dfma, imad hadd2, imad mufu_ex2, imad uiadd3,
iadd3 lop3, iadd3 viadd, iadd3 fmnmx, iadd3 shf, iadd3 prmt, iadd3 mov, iadd3 sel, iadd3 lea, iadd3 vimnmx,
iadd3 viaddmnmx, iadd3 i2fp, iadd3 f2fp, iadd3 vote, iadd3 hmnmx2, iadd3 hadd2, iadd3 hfma2, iadd3 p2r,
iadd3 popc, iadd3 mufu_ex2, iadd3 uiadd3, viadd lop3, viadd imad, viadd fadd, viadd hadd2, viadd viadd,
hfma2 hfma2_mma, hfma2 hadd2, hfma2 hmnmx2, hfma2 hmma_16816_f16, dfma hmma_16816_f32, dfma hfma2_mma,
mufu_ex2 f2i, mufu_ex2 popc, mufu_ex2 f2f_f64_f32, mufu_ex2 shfl_bfly, f2i popc, brev popc, shfl_bfly lds,
shfl_bfly ldc, shfl_bfly s2r_tid, shfl_bfly match_any, lds ldc, lds s2r_tid, lds mufu_ex2, ldc s2r_tid,
lds s2r_ctaid, ldc s2r_ctaid, lds s2ur_tid, ldc s2ur_tid, s2r_tid s2r_ctaid, redux shfl_bfly, hmma_16816_f32 hmma_1688_f32,
hmma_16816_f32 hfma2_mma, hmma_16816_f32 iadd3, hmma_16816_f32 imad, hmma_16816_f32 lds"""
PAIRS = [pair.split() for pair in PAIRS.replace("\n", " ").split(",")]


def pair(first, second):
    k = Kernel(f"{first}_with_{second}")
    k.begin()
    k.clock(12, stall=6)
    for i in range(RATE // 2):
        for row, base in ((BY_NAME[first], 16), (BY_NAME[second], 48)):
            k.op(row[1], **operands(row, i, base), **(dict(write=i % 5) if row in QUEUED else {}))
    k.clock(13, wait=range(6))
    k.end([12, 13])
    return k


def triple(first, second):
    """One of the first and two of the second: does the first keep others from issuing?"""
    k = Kernel(f"{first}_with_two_{second}")
    k.begin()
    k.clock(12, stall=6)
    for i in range(RATE // 2):
        k.op(BY_NAME[first][1], **operands(BY_NAME[first], i))
        for j in range(2):
            k.op(BY_NAME[second][1], **operands(BY_NAME[second], 2 * i + j, 48))
    k.clock(13)
    k.end([12, 13])
    return k


KERNELS = [pair(*names) for names in PAIRS] + [triple("imad_wide", "ffma"), triple("imad_hi", "ffma"), triple("dfma", "ffma")]
