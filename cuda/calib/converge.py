"""Lanes that part and meet again: BSSY, branches, BSYNC; branches of many warps at once.

Each case is timed by itself and notes three numbers: the cycles of the whole, and the cycles from its
start to two clock reads inside, 0 where these lanes never came by. Lanes 0 and 31 write their own, so that
both sides of a branch are seen: P1 holds in lanes 16 to 31, P2 in all, P3 in none, P4 in lane 31, P5 in
all but lane 31.
"""
from fetch import ffma
from sass import PLACE, RZ, Kernel

HALF, ALL, NONE, ONE, MOST = 1, 2, 3, 4, 5


def skip(k, mark, guard, body):
    """if (!guard) body"""
    k.branch(mark, "BSSY", d=0, stall=4)
    k.branch(mark, guard=guard, stall=5)
    k.clock(10, stall=2)
    for i in range(body):
        ffma(k, i, 4)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)


def sides(k, mark, guard, body):
    """if (!guard) body else body"""
    k.branch(mark, "BSSY", d=0, stall=4)
    k.branch(mark + "else", guard=guard, stall=5)
    k.clock(10, stall=2)
    for i in range(body):
        ffma(k, i, 4)
    k.branch(mark, stall=5)
    k.label(mark + "else")
    k.clock(11, stall=2)
    for i in range(body):
        ffma(k, i, 4)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)


def turns(k, mark, mask):
    """A loop of (lane & mask) + 1 turns."""
    k.op("LOP3.AND", d=6, a=7, imm=mask, c=RZ, stall=6)
    k.branch(mark, "BSSY", d=0, stall=4)
    k.label(mark + "top")
    k.op("ISETP.NE.I", a=6, imm=0, stall=7, stay=False)
    k.op("VIADD", d=6, a=6, imm=-1, stall=6)
    k.branch(mark + "top", guard=0, stall=5)
    k.clock(10, stall=2)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)


def barrier(k, mark, stall, gap):
    """BSSY, some cycles, BSYNC of a whole warp, and the next clock."""
    k.branch(mark, "BSSY", d=0, stall=stall)
    for _ in range(gap):
        k.op("NOP", stall=5)
    k.clock(10, stall=2)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)
    k.clock(11, stall=2)


def nested(k, mark, outer, inner):
    """if (!outer) { if (!inner) one FFMA }"""
    k.branch(mark, "BSSY", d=1, stall=4)
    k.branch(mark, guard=outer, stall=5)
    skip(k, mark + "in", inner, 1)
    k.clock(11, stall=2)
    k.label(mark)
    k.op("BSYNC", d=1, stall=5)


def jump(k, mark, guard, over):
    k.clock(10, stall=2)
    hop(k, mark, guard, over)
    k.clock(11, stall=2)


def hop(k, mark, guard, over):
    k.branch(mark, guard=guard, stall=5)
    for i in range(over):
        ffma(k, i, 4)
    k.label(mark)


CASES = (
    [(barrier, stall, gap) for stall, gap in ((1, 0), (2, 0), (4, 0), (8, 0), (12, 0), (4, 1), (4, 2), (4, 4))] +
    [(skip, guard, body) for guard in (HALF, ALL, NONE, ONE, MOST) for body in (1, 8)] +
    [(sides, guard, body) for guard in (HALF, ALL, NONE, ONE, MOST) for body in (1, 8)] +
    [(turns, mask) for mask in (0, 1, 3, 7, 31)] +
    [(nested, outer, inner) for outer, inner in ((HALF, ONE), (ONE, HALF), (NONE, HALF))] +
    [(jump, guard, over) for guard in (ALL, NONE) for over in (0, 1)])
STAMPS = 3


def predicates(k):
    k.op("LOP3.AND", d=7, a=0, imm=31, c=RZ, stall=6)
    for predicate, least, unless in ((HALF, 16, 0), (ALL, 0, 0), (NONE, 32, 0), (ONE, 31, 0)):
        k.op("MOV.I", d=6, imm=least, stall=6)
        k.op("ISETP", a=7, b=6, extra=predicate << 81, stall=15)
    k.op("MOV.I", d=6, imm=30, stall=6)
    k.op("ISETP", a=6, b=7, extra=MOST << 81, stall=15)


def cases(name):
    k = Kernel(name)
    k.begin()
    predicates(k)
    for i, (emit, *fields) in enumerate(CASES):
        for register in (10, 11):
            k.op("MOV.I", d=register, imm=0, stall=6)
        while len(k.code) % 8:
            k.op("NOP")
        k.clock(8, stall=15)
        emit(k, f"m{i}", *fields)
        k.clock(9, stall=15)
        k.elapsed(64 + STAMPS * i, 8, 9)
        for j, register in enumerate((10, 11)):
            k.op("ISETP.EQ.I", a=register, imm=0, stall=15, stay=False)
            k.elapsed(65 + STAMPS * i + j, 8, register)
            k.op("MOV.I", d=65 + STAMPS * i + j, imm=0, guard=0, stall=6)
    count = STAMPS * len(CASES)
    k.end_of_passes()
    k.op("MOV.I", d=4, imm=4 * count, stall=6)
    for i in range(count):      # lane 31 writes the second half of out, another lane the first
        k.op("STG", a=PLACE, extra=(64 + i) << 32 | 4 * i << 40, stall=2, read=0, guard=MOST)
        k.op("STG", a=PLACE, extra=(64 + i) << 32 | 4 * (count + i) << 40, stall=2, read=0, guard=ONE)
    k.op("EXIT", stall=5, wait=[0])
    return k


def many(name, emit, *fields):
    """Warps that all run 32 of a case, each writing its first clock and its last."""
    k = Kernel(name)
    k.begin()
    predicates(k)
    k.clock(8, stall=15)
    for i in range(32):
        emit(k, f"m{i}", *fields)
    k.clock(9, stall=15)
    k.end([8, 9])
    return k


KERNELS = [cases("cases"), many("many_taken", hop, ALL, 0), many("many_not_taken", hop, NONE, 0),
           many("many_skip", skip, HALF, 1), many("many_sides", sides, HALF, 1), many("many_barrier", barrier, 4, 0)]
