"""Branches through registers, calls and returns, instructions on convergence barriers, sleep.

Each case runs four times in a loop, so that its code is in L0, and the last one counts. Every lane writes
three numbers: the cycles of the whole, and those from its start to two clock reads inside, 0 where the
lane never came by.
"""
from fetch import pad
from sass import PLACE, RZ, Kernel

LANE, COUNT, MASK = 7, 13, 22       # registers: the lane, turns of a case, all lanes
TO, BACK = 20, 24                   # where a branch goes; where a function returns to: 64 bits each
HALF, CHAIN = 1, 16                 # a predicate: lanes 16 to 31; instructions of a chain
LINE = 128
UNUSED = 3                          # a convergence barrier


def ffma(k, i, stall):
    k.op("FFMA", d=48 + i % 8, a=48 + i % 8, b=RZ, c=RZ, stall=stall)


def choose(k, targets, size, blocks=False):
    """TO = size * (lane % targets), or that of neighbours together."""
    k.op("MOV.I", d=TO + 1, imm=(5 - (targets.bit_length() - 1)) if blocks else 0, stall=6)
    k.op("SHF.R", d=TO, a=RZ, b=TO + 1, c=LANE, stall=6)
    k.op("LOP3.AND", d=TO, a=TO, imm=targets - 1, c=RZ, stall=6)
    k.op("IMAD.I", d=TO, a=TO, imm=size, c=RZ, stall=6)
    k.op("MOV.I", d=TO + 1, imm=0, stall=15)


def targets_behind(k, mark, targets, size):
    """The targets, `size` bytes apart, each: clock, to the end."""
    if size == LINE:
        pad(k)
    k.label(mark + "base")
    for _ in range(targets):
        at = len(k.code)
        k.clock(10, stall=2)
        k.branch(mark, stall=5)
        while (len(k.code) - at) * 16 < size:
            k.op("NOP")
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)
    k.clock(11, stall=2)


def table(k, mark, name, targets, size, blocks=False):
    """One of several targets for each lane; all meet."""
    choose(k, targets, size, blocks)
    yield
    k.branch(mark, "BSSY", d=0, stall=4)
    k.branch(mark + "base", name, a=TO, stall=5)
    targets_behind(k, mark, targets, size)


def turning(k, mark, step):
    """All lanes branch to the same target of eight, a different target in each of 16 iterations."""
    k.op("MOV.I", d=TO + 1, imm=0, stall=6)
    k.op("MOV.I", d=23, imm=CHAIN, stall=6)
    yield
    k.label(mark + "top")
    k.op("IMAD.I", d=TO, a=23, imm=step, c=RZ, stall=6)
    k.op("LOP3.AND", d=TO, a=TO, imm=7, c=RZ, stall=6)
    k.op("IMAD.I", d=TO, a=TO, imm=32, c=RZ, stall=6)
    k.op("VIADD", d=23, a=23, imm=-1, stall=6)
    k.op("ISETP.NE.I", a=23, imm=0, stall=15, stay=False)
    k.branch(mark + "base", "BRX", a=TO, stall=5)
    k.label(mark + "base")
    for i in range(8):
        ffma(k, i, 4)
        k.branch(mark + "join", stall=5)
    k.label(mark + "join")
    k.branch(mark + "top", guard=0, stall=5)


def chain(k, mark, name):
    """16 branches in a row, each to the next instruction."""
    k.op("MOV.I", d=TO, imm=0, stall=6)
    k.op("MOV.I", d=TO + 1, imm=0, stall=15)
    yield
    for i in range(CHAIN):
        k.branch(f"{mark}.{i}", name, a=TO, stall=5)
        k.label(f"{mark}.{i}")


def call(k, mark, name, body):
    """16 calls of a function in a line of its own."""
    k.op("MOV.I", d=TO, imm=0, stall=6)
    k.op("MOV.I", d=TO + 1, imm=0, stall=6)
    k.op("MOV.I", d=BACK + 1, imm=0, stall=15)
    k.branch(mark + "main", stall=5)
    pad(k)
    function(k, mark + "f", body)
    pad(k)
    k.label(mark + "main")
    yield
    for _ in range(CHAIN):
        returning_call(k, mark + "f", name)


def function(k, label, body):
    k.label(label)
    k.clock(10, stall=2)
    for i in range(body):
        ffma(k, i, 4)
    k.branch("first", "RET", a=BACK, stall=6)


def returning_call(k, label, name):
    k.op("MOV.I", d=BACK, imm=(len(k.code) + 2) * 16, stall=6)
    k.branch(label, name, a=TO, stall=5)


def calls(k, mark, targets):
    """One of several functions for each lane, between BSSY and BSYNC, as ptxas calls through pointers."""
    choose(k, targets, LINE)
    k.op("MOV.I", d=BACK + 1, imm=0, stall=15)
    k.branch(mark + "main", stall=5)
    pad(k)
    for i in range(targets):
        function(k, f"{mark}f{i}", 1)
        pad(k)
    k.label(mark + "main")
    yield
    k.branch(mark, "BSSY", d=0, stall=4)
    returning_call(k, mark + "f0", "CALL.R")
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)
    k.clock(11, stall=2)


def row(k, mark, name, **fields):
    """16 of an instruction."""
    yield
    for i in range(CHAIN):
        k.op(name, **{**fields, **(dict(d=32 + i) if name == "BMOV.CLEAR" else {})})


def apart(k, mark, name, **fields):
    """16 of an instruction, each waited for."""
    yield
    for i in range(CHAIN):
        k.op(name, **fields)
        k.op("NOP", wait=[0], stall=1)


def saved(k, mark):
    """A convergence barrier taken into a register, put back, and met at."""
    yield
    k.branch(mark, "BSSY", d=0, stall=4)
    k.op("BMOV.CLEAR", d=32, write=0, stall=5, stay=False)
    k.op("NOP", wait=[0], stall=4)
    k.clock(10, stall=2)
    k.op("BMOV", b=32, read=0, stall=5, stay=False)
    k.clock(11, stall=2, wait=[0])
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)


def meet(k, mark, name, **fields):
    """Half of the lanes skip one instruction and wait at a WARPSYNC."""
    yield
    k.branch(mark, guard=HALF, stall=5)
    ffma(k, 0, 4)
    k.label(mark)
    k.op(name, stall=5, **fields)
    k.clock(10, stall=2)


def leave(k, mark):
    """Half of the lanes leave a convergence barrier and branch away; all lanes meet at an outer barrier."""
    yield
    k.branch(mark + "out", "BSSY", d=1, stall=4)
    k.branch(mark, "BSSY", d=0, stall=4)
    k.op("BREAK", d=0, guard=HALF, stall=5)
    k.branch(mark + "out", guard=HALF, stall=5)
    ffma(k, 0, 4)
    k.label(mark)
    k.op("BSYNC", d=0, stall=5)
    k.clock(10, stall=2)
    k.label(mark + "out")
    k.op("BSYNC", d=1, stall=5)
    k.clock(11, stall=2)


WAYS = (1, 2, 4, 8, 16, 32)
CASES = (
    [(table, "BRX", n, 32) for n in WAYS] + [(table, "BRX", n, LINE) for n in WAYS] +                   # 0, 6
    [(table, "BRX", n, 32, True) for n in (2, 4, 8)] + [(table, "RET", n, 32) for n in (1, 2, 8)] +     # 12, 15
    [(turning, step) for step in (0, 1, 3)] + [(chain, name) for name in ("BRX", "BRA")] +              # 18, 21
    [(call, "CALL", body) for body in (0, 1, 8)] + [(call, "CALL.R", 1)] +                              # 23, 26
    [(calls, n) for n in (1, 2, 4, 8, 16)] + [(saved,), (leave,)] +                                     # 27, 32
    [(meet, "WARPSYNC", {}), (meet, "WARPSYNC.R", dict(a=MASK))] +                                      # 34
    [(row, name, fields) for name, fields in (
        ("WARPSYNC", dict(stall=5)), ("WARPSYNC.R", dict(a=MASK, stall=5)), ("YIELD", dict(stall=5)),   # 36
        ("BREAK", dict(d=UNUSED, stall=5)), ("BREAK", dict(d=UNUSED, stall=5, unless=True)),            # 39
        ("BREAK", dict(d=UNUSED, stall=1)), ("BMOV.CLEAR", dict(write=0, stall=2)),                     # 41
        ("BMOV", dict(b=MASK, extra=UNUSED << 24, read=0, stall=2)), ("BSSY", dict(d=UNUSED, stall=1)))] +  # 43
    [(apart, name, fields) for name, fields in (
        ("BMOV.CLEAR", dict(d=32, write=0, stall=2)),                                                   # 45
        ("BMOV", dict(b=MASK, extra=UNUSED << 24, read=0, stall=2)))])
STAMPS = 3


def prepare(k):
    k.op("LOP3.AND", d=LANE, a=0, imm=31, c=RZ, stall=6)
    k.op("MOV.I", d=6, imm=16, stall=6)
    k.op("ISETP", a=LANE, b=6, extra=HALF << 81, stall=15)
    k.op("MOV.I", d=MASK, imm=0xffffffff, stall=15)


def steps(emit, k, mark, fields):
    """The two parts of a case: before the clock read, and measured."""
    named = fields[-1] if fields and isinstance(fields[-1], dict) else {}
    return emit(k, mark, *(fields[:-1] if named else [f for f in fields if f != {}]), **named)


def measured(k, i, emit, *fields):
    k.op("MOV.I", d=COUNT, imm=4, stall=6)
    part = steps(emit, k, f"m{i}", fields)
    next(part)
    pad(k)
    k.label(f"m{i}turn")
    for register in (10, 11):
        k.op("MOV.I", d=register, imm=0, stall=6)
    k.clock(8, stall=15)
    next(part, None)
    k.clock(9, stall=15, wait=[0])
    k.op("VIADD", d=COUNT, a=COUNT, imm=-1, stall=6)
    k.op("ISETP.NE.I", a=COUNT, imm=0, stall=15, stay=False)
    if emit is turning:
        k.op("MOV.I", d=23, imm=CHAIN, stall=6)
    k.branch(f"m{i}turn", guard=0, stall=5)


def keep_lanes(k, i):
    """out[STAMPS * i + j][lane]"""
    k.elapsed(17, 8, 9)
    for j, register in enumerate((10, 11)):
        k.op("ISETP.EQ.I", a=register, imm=0, stall=15, stay=False)
        k.elapsed(18 + j, 8, register)
        k.op("MOV.I", d=18 + j, imm=0, guard=0, stall=6)
    for j in range(STAMPS):
        k.op("STG", a=PLACE, extra=(17 + j) << 32 | LINE * (STAMPS * i + j) << 40, stall=2, read=1)
    k.op("NOP", wait=[1])


def cases(name):
    k = Kernel(name)
    k.labels["first"] = 0
    k.begin()
    prepare(k)
    k.op("MOV.I", d=4, imm=4, stall=6)
    k.load_parameter(PLACE, 0x210, wide=True)
    k.op("IMAD.WIDE", d=PLACE, a=LANE, b=4, c=PLACE, stall=8, wait=[0])
    k.op("ULDC.64", d=4, extra=0x208 << 38, stall=15, stay=False)
    for i, (emit, *fields) in enumerate(CASES):
        measured(k, i, emit, *fields)
        keep_lanes(k, i)
    k.end_of_passes()
    k.op("EXIT", stall=5)
    return k


def many(name, emit, *fields):
    """Warps that all run a case 16 times, each writing its first clock and its last."""
    k = Kernel(name)
    k.labels["first"] = 0
    k.begin()
    prepare(k)
    part = steps(emit, k, "m", fields)
    k.op("MOV.I", d=COUNT, imm=CHAIN, stall=6)
    next(part)
    pad(k)
    k.clock(8, stall=6)
    k.label("turn")
    next(part, None)
    k.op("VIADD", d=COUNT, a=COUNT, imm=-1, stall=6, wait=[0])
    k.op("ISETP.NE.I", a=COUNT, imm=0, stall=15, stay=False)
    k.branch("turn", guard=0, stall=5)
    k.clock(9, stall=15)
    k.end([8, 9])
    return k


def sleep():
    """16 sleeps of n nanoseconds; the cycles of each."""
    k = Kernel("sleep")
    k.begin()
    for i in range(CHAIN):
        k.clock(8, stall=6)
        k.op("NANOSLEEP.R", b=15, stall=6)
        k.clock(9, stall=15)
        k.elapsed(64 + i, 8, 9)
    k.end([64 + i for i in range(CHAIN)])
    return k


KERNELS = [cases("jumps"), sleep()] + [
    many(f"many_brx{n}", table, "BRX", n, 32) for n in (1, 2, 4, 8, 32)] + [
    many("many_call", call, "CALL", 1), many("many_calls4", calls, 4), many("many_chain", chain, "BRX"),
    many("many_bra", chain, "BRA"),
    many("many_bmov", row, "BMOV.CLEAR", dict(write=0, stall=2)),
    many("many_bmov_back", row, "BMOV", dict(b=MASK, extra=UNUSED << 24, read=0, stall=2)),
    many("many_bssy", row, "BSSY", dict(d=UNUSED, stall=1)), many("many_break", row, "BREAK", dict(d=UNUSED, stall=1))]
