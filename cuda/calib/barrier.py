"""Barriers of a block: cycles by the number of warps, and from the last arrival to the first issue."""
from control import COUNT
from fetch import ffma
from sass import RZ, Kernel


def together(name, stall):
    """Barriers in succession, with clock reads before and behind."""
    k = Kernel(name)
    k.begin()
    k.clock(8, stall=6)
    for _ in range(COUNT):
        k.op("BAR.SYNC", stall=stall)
    k.clock(9)
    k.end([8, 9])
    return k


def late():
    """Threads below 32 come 400 cycles late: each warp's clock before and behind the barrier."""
    k = Kernel("late")
    k.begin()
    k.op("MOV.I", d=6, imm=32, stall=6)
    k.op("ISETP", a=0, b=6, stall=15)
    k.branch("others", guard=0, stall=5)
    for i in range(100):
        ffma(k, 0, 4)
    k.label("others")
    k.clock(8, stall=6)
    k.op("BAR.SYNC", stall=6)
    k.clock(9)
    k.end([8, 9])
    return k


BLOCKERS = {
    "nop": ("NOP", {}), "ffma": ("FFMA", dict(d=16, a=RZ, b=RZ, c=RZ)), "lds": ("LDS", dict(d=16, a=RZ)),
    "ldg": ("LDG", dict(d=16, a=2)), "stg": ("STG", dict(a=2, extra=16 << 32)), "sts": ("STS", dict(a=RZ, b=16)),
    "s2r": ("S2R", dict(d=16, extra=0x21 << 72)), "shfl": ("SHFL.BFLY", dict(d=16, a=17)), "vote": ("VOTE", dict(d=16)),
    "mufu": ("MUFU.EX2", dict(d=16, b=17)), "ldc": ("LDC", dict(d=16, a=RZ)), "warpsync": ("WARPSYNC", {}),
    "bar": ("BAR.SYNC", {}), "hmma": ("HMMA.1688.F32", dict(d=20, a=16, b=18, c=20)), "dfma": ("DFMA", dict(d=16, a=RZ, b=RZ, c=RZ)),
    "exit": ("EXIT", dict(guard=7, unless=True)), "redux": ("REDUX", dict(d=8, a=16)), "iadd3": ("IADD3", dict(d=16, a=RZ, b=RZ, c=RZ)),
    "isetp": ("ISETP", dict(a=RZ, b=RZ)),
    "uiadd3": ("UIADD3", dict(d=8, a=9, b=9, c=63)),
    "imad": ("IMAD", dict(d=16, a=RZ, b=RZ, c=RZ)), "depbar": ("DEPBAR.LE", {}), "clock": ("CS2R", dict(d=16)),
}
QUEUED = ("lds", "ldg", "s2r", "shfl", "mufu", "ldc", "redux")


def deferred(name):
    """Where a warp stops when others have not come: behind the barrier, behind 64 FFMAs, behind one
    instruction of a kind, behind a load. Threads below 32 come 2000 cycles
    late. Cycles from before the barrier."""
    operation, fields = BLOCKERS.get(name, ("", {}))
    k = Kernel("defer_" + name)
    k.begin()
    k.op("MOV.I", d=9, imm=32, stall=6)
    k.op("ISETP", a=0, b=9, stall=15)
    k.branch("others", guard=0, stall=5)
    for i in range(500):
        ffma(k, 0, 4)
    k.label("others")
    k.clock(10, stall=6)
    k.op("BAR.SYNC", stall=6)
    k.clock(11, stall=6)
    for i in range(64):
        ffma(k, i)
    k.clock(12, stall=6)
    if name == "bssy":
        k.branch("meet", "BSSY", d=0, stall=6)
        k.label("meet")
    elif name == "bra":
        k.branch("next", stall=6)
        k.label("next")
    elif name == "not_taken":
        k.branch("next", stall=6, guard=7, unless=True)
        k.label("next")
    else:
        k.op(operation, stall=6, **fields, **(dict(write=0) if name in QUEUED else {}))
    k.op("NOP", wait=[0], stall=6)
    k.clock(13, stall=6)
    k.op("LDS", d=16, a=RZ, write=0, stall=2)
    k.op("NOP", wait=[0], stall=6)
    k.clock(7, stall=6)
    for register, stop in ((40, 11), (41, 12), (42, 13), (43, 7)):
        k.elapsed(register, 10, stop)
    k.end([40, 41, 42, 43])
    return k


KERNELS = [deferred(name) for name in list(BLOCKERS) + ["bra", "not_taken", "bssy"]] + [
    together("together", 6), together("together15", 15), late()]
