"""Taken branches of many warps: the cost of each branch in a sub-partition, and in the SM.

The warps whose number has none of the bits of n run a row of branches and note the clock before and
behind it; the others wait at the barrier, or run arithmetic. So n = 0 is all warps of the block, 3 those of
one sub-partition (warp w goes to sub-partition w mod 4), 31 the first one alone.
"""
from fetch import ffma, pad
from sass import RZ, Kernel

COUNT = 32              # branches in a row
STREAM = 200            # instructions of those that only calculate


def hop(k, i, gap=0, stall=1, over=0):
    """Some FFMAs and a branch that skips `over` instructions."""
    for j in range(gap):
        ffma(k, j, stall)
    k.branch(f"to{i}", stall=5)
    for j in range(over):
        ffma(k, j, 1)
    k.label(f"to{i}")


def line(k, i, offset):
    """A branch to instruction `offset` of the next line."""
    k.branch(f"to{i}", stall=5)
    pad(k)
    for _ in range(offset):
        k.op("NOP")
    k.label(f"to{i}")


def meet(k, i, gap=0):
    """BSSY, some FFMAs and BSYNC of the whole warp."""
    k.branch(f"to{i}", "BSSY", d=0, stall=4)
    for j in range(gap):
        ffma(k, j, 1)
    k.label(f"to{i}")
    k.op("BSYNC", d=0, stall=5)


def sync(k, i, name="WARPSYNC", gap=0, **fields):
    k.op(name, stall=5, **fields)
    for j in range(gap):
        ffma(k, j, 1)


def enter(k):
    """Goes to `others` if a bit of n is set in the warp's number, which is in R1."""
    k.op("MOV.I", d=8, imm=0, stall=6)
    k.op("MOV.I", d=9, imm=0, stall=6)
    k.op("LOP3.AND.R", d=6, a=1, b=15, c=RZ, stall=6)
    k.op("ISETP.NE.I", a=6, imm=0, stall=15, stay=False)
    k.branch("others", guard=0, stall=5)
    pad(k)


def leave(k, stream):
    """`stream`: stall count of the arithmetic of the other warps; 0: no arithmetic."""
    k.branch("join", stall=5)
    pad(k)
    k.label("others")
    for i in range(STREAM if stream else 0):
        ffma(k, i, stream)
    k.label("join")
    k.end([8, 9])
    return k


def row(name, emit, *fields, stream=0, odd=0, count=COUNT, **named):
    k = Kernel(name, passes=3)
    k.begin()
    enter(k)
    for _ in range(odd):
        k.op("NOP")
    k.clock(8, stall=6)
    for i in range(count):
        emit(k, i, *fields, **named)
    k.clock(9, stall=6)
    return leave(k, stream)


FEW = 8                 # branches in a row where much is between them, that all stay in L0
KERNELS = (
    [row(f"gap{gap}", hop, gap=gap) for gap in (0, 1, 2, 3, 4)] +
    [row(f"wide{gap}", hop, gap=gap, count=FEW) for gap in (4, 6, 8, 12, 16, 24)] +
    [row(f"slow{gap}", hop, gap=gap, stall=2) for gap in (2, 4)] +
    [row(f"over{over}", hop, over=over) for over in (1, 2, 3, 4, 7)] +
    [row(f"odd{over}", hop, over=over, odd=1) for over in (0, 1, 3)] +
    [row(f"line{offset}", line, offset, count=24) for offset in range(8)] +
    [row(f"beside{stream}", hop, stream=stream) for stream in (1, 2, 4, 8)] +
    [row(f"meet{gap}", meet, gap=gap) for gap in (0, 2, 4)] +
    [row(f"all{gap}", sync, gap=gap) for gap in (0, 4)] +
    [row(f"bar{gap}", sync, "BAR.SYNC", gap=gap, count=16) for gap in (0, 8)])
