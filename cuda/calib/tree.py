"""Repeated divergence, as in a switch: one convergence barrier, many groups of lanes.

Each case runs four times in a loop, so that its code is in L0, and the last one counts. Group g is the
lanes with lane mod G = g.
"""
from fetch import ffma, pad
from sass import PLACE, RZ, Kernel

LANE, GROUP, COUNT = 7, 20, 13


def compare(k, group):
    k.op("ISETP.EQ.I", a=GROUP, imm=group, stall=13)


def bodies(k, mark, groups, end, last):
    """The code of each group: one FFMA, then a branch to the end. The group `last` is at the end already."""
    for g in range(groups):
        if g == last:
            continue
        k.label(f"{mark}g{g}")
        ffma(k, g, 4)
        k.branch(end, stall=5)


def linear(k, mark, groups):
    """One comparison after the other, a branch to the group's code."""
    k.branch(mark, "BSSY", d=0, stall=4)
    for g in range(groups - 1):
        compare(k, g)
        k.branch(f"{mark}g{g}", guard=0, stall=5)
    ffma(k, 0, 4)
    k.branch(mark, stall=5)
    bodies(k, mark, groups, mark, groups - 1)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)


def breaking(k, mark, groups):
    """The same with an inner barrier that each group but the last breaks before it leaves."""
    k.branch(mark, "BSSY", d=0, stall=4)
    k.branch(mark + "in", "BSSY", d=1, stall=4)
    for g in range(groups - 1):
        compare(k, g)
        k.op("BREAK", d=1, guard=0, stall=5)
        k.branch(f"{mark}g{g}", guard=0, stall=5)
    k.label(mark + "in")
    k.op("BSYNC", d=1, stall=5)
    ffma(k, 0, 4)
    k.branch(mark, stall=5)
    bodies(k, mark, groups, mark, groups - 1)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)


def halves(k, mark, groups):
    """A tree: each branch splits the remaining groups into halves."""
    k.branch(mark, "BSSY", d=0, stall=4)
    parts(k, mark, 0, groups)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)


def parts(k, mark, first, count):
    if count == 1:
        ffma(k, first, 4)
        k.branch(mark, stall=5)
        return
    middle = first + count // 2
    k.op("MOV.I", d=21, imm=middle, stall=6)
    k.op("ISETP", a=GROUP, b=21, stall=13)
    k.branch(f"{mark}m{middle}", guard=0, stall=5)
    parts(k, mark, first, count // 2)
    k.label(f"{mark}m{middle}")
    parts(k, mark, middle, count - count // 2)


GROUPS = (1, 2, 3, 4, 8, 16)
CASES = [(emit, n) for emit in (linear, breaking, halves) for n in GROUPS]


def cases():
    k = Kernel("tree")
    k.begin()
    k.op("LOP3.AND", d=LANE, a=0, imm=31, c=RZ, stall=6)
    for i, (emit, groups) in enumerate(CASES):
        k.op("MOV.I", d=COUNT, imm=4, stall=6)
        group(k, groups)
        pad(k)
        k.label(f"m{i}turn")
        k.clock(8, stall=15)
        emit(k, f"m{i}", groups)
        k.clock(9, stall=15)
        k.op("VIADD", d=COUNT, a=COUNT, imm=-1, stall=6)
        k.op("ISETP.NE.I", a=COUNT, imm=0, stall=15, stay=False)
        k.branch(f"m{i}turn", guard=0, stall=5)
        k.elapsed(64 + i, 8, 9)
    k.end([64 + i for i in range(len(CASES))])
    return k


def group(k, groups):
    """GROUP = lane mod groups, by repeated subtraction."""
    k.op("MOV", d=GROUP, b=LANE, stall=6)
    for _ in range(31 // groups if groups > 1 else 0):
        k.op("MOV.I", d=21, imm=groups, stall=6)
        k.op("ISETP", a=GROUP, b=21, stall=15)
        k.op("VIADD", d=GROUP, a=GROUP, imm=-groups, guard=0, stall=6)
    if groups == 1:
        k.op("MOV.I", d=GROUP, imm=0, stall=6)


def many(name, emit, groups):
    """Warps that all run 16 of a case, each writing its first clock and its last."""
    k = Kernel(name)
    k.begin()
    k.op("LOP3.AND", d=LANE, a=0, imm=31, c=RZ, stall=6)
    group(k, groups)
    k.op("MOV.I", d=COUNT, imm=16, stall=6)
    pad(k)
    k.clock(8, stall=6)
    k.label("turn")
    emit(k, "m", groups)
    k.op("VIADD", d=COUNT, a=COUNT, imm=-1, stall=6)
    k.op("ISETP.NE.I", a=COUNT, imm=0, stall=15, stay=False)
    k.branch("turn", guard=0, stall=5)
    k.clock(9, stall=15)
    k.end([8, 9])
    return k


KERNELS = [cases()] + [many(f"many_{emit.__name__}{n}", emit, n) for emit in (linear, breaking) for n in (2, 8)]
