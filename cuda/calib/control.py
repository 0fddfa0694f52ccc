"""What the control bits do: stall counts, the yield bit, barriers and DEPBAR; register banks and reuse."""
from sass import RZ, Kernel

COUNT = 16


def segments(name, cases, emit):
    """A kernel with a segment for each case, timed by itself; it writes the cycles of each."""
    k = Kernel(name)
    k.begin()
    k.clock(8, stall=15)
    for i, case in enumerate(cases):
        emit(k, case)
        k.clock(9, stall=15, wait=range(6))
        k.elapsed(64 + i, 8, 9)
        k.clock(8, stall=15)
    k.end(list(range(64, 64 + len(cases))))
    return k


def stalled(k, case):
    stall, stay = case
    for i in range(COUNT):
        k.op("FFMA", d=16 + i % 8, a=16 + i % 8, b=RZ, c=RZ, stall=stall, stay=stay)


STALLS = [(stall, stay) for stay in (True, False) for stall in range(16)]


def banks(k, case):
    operation, registers, reuse = case
    for i in range(COUNT):
        a, b, c = registers
        k.op(operation, d=32 + 2 * (i % 4), a=a, b=b, c=c, stall=1, reuse=reuse)


BANKS = [
    ("FFMA", (RZ, RZ, RZ), ""), ("FFMA", (16, RZ, RZ), ""), ("FFMA", (16, 17, RZ), ""), ("FFMA", (16, 18, RZ), ""),
    ("FFMA", (16, 17, 18), ""), ("FFMA", (16, 18, 20), ""), ("FFMA", (16, 18, 20), "a"), ("FFMA", (16, 18, 20), "ab"),
    ("FFMA", (16, 18, 20), "abc"), ("FFMA", (16, 16, 16), ""), ("FFMA", (16, 17, 19), ""), ("FFMA", (16, 20, 24), ""),
    ("FFMA", (16, 17, 16), ""), ("FFMA", (16, 17, 18), "b"), ("FMUL", (16, 18, RZ), ""), ("FMUL", (16, 17, RZ), ""),
    ("IADD3", (16, 17, 18), ""), ("IADD3", (16, 18, 20), ""), ("IADD3", (16, 18, RZ), ""), ("IADD3", (16, 18, 20), "ab"),
    ("IMAD", (16, 17, 18), ""), ("IMAD", (16, 18, 20), ""), ("IMAD", (16, 18, 20), "ab"), ("DFMA", (16, 18, 20), ""),
    ("DFMA", (16, 20, 24), ""), ("DFMA", (16, 18, RZ), ""), ("HFMA2", (16, 18, 20), ""), ("LOP3", (16, 18, 20), ""),
]


def waits(k, case):
    kind, value = case
    if kind == "behind":            # a consumer right behind a producer of stall count `value`
        k.op("MUFU.EX2", d=16, b=17, write=0, stall=value, stay=False)
        k.op("FFMA", d=18, a=16, b=16, c=16, wait=[0], stall=6)
    if kind == "stay":
        k.op("MUFU.EX2", d=16, b=17, write=0, stall=value, stay=True)
        k.op("FFMA", d=18, a=16, b=16, c=16, wait=[0], stall=6)
    if kind == "depbar":            # six loads, then wait until `value` are under way
        for i in range(6):
            k.op("LDS", d=16 + i, a=RZ, write=0, stall=2)
        k.op("DEPBAR.LE", extra=value << 38, stall=4)
    if kind == "two":               # several instructions on one barrier
        for i in range(value):
            k.op("MUFU.EX2", d=16 + i, b=24, write=0, stall=2)
    if kind == "nop":
        for i in range(COUNT):
            k.op("NOP", stall=value)
    if kind == "clock":
        for i in range(COUNT):
            k.op(["CS2R.32", "CS2R", "CS2R.TIMER"][value], d=16 + 2 * (i % 4), stall=1)


WAITS = ([("behind", s) for s in (1, 2, 3, 4)] + [("stay", s) for s in (1, 2, 3)] +
         [("depbar", n) for n in range(6)] + [("two", n) for n in (1, 2, 4, 8)] +
         [("nop", s) for s in (1, 2, 0)] + [("clock", n) for n in (0, 1, 2)])

def wide(k, case):
    """Chains and pairs with operations of 64-bit results, by stall count."""
    operation, stall, kind = case
    for i in range(COUNT):
        d = 16 if kind == "chain" else 16 + 4 * (i % 4)
        k.op(operation, d=d, a=RZ if kind != "a" else 16, b=RZ, c=d if kind == "chain" else RZ, stall=stall, stay=stall < 3)
        if kind == "ffma":
            k.op("FFMA", d=40 + i % 4, a=RZ, b=RZ, c=RZ, stall=4, stay=False)
        if kind == "lop3":
            k.op("LOP3", d=40 + i % 4, a=RZ, b=RZ, c=RZ, stall=4, stay=False)


WIDE = [(operation, stall, kind) for operation in ("IMAD.WIDE", "IMAD.HI", "DFMA", "IMAD")
        for kind in ("free", "chain", "a", "ffma", "lop3") for stall in (1, 2, 3, 4, 5, 6, 7, 8)]

KERNELS = [
    segments("wide", WIDE[:80], wide), segments("wide2", WIDE[80:], wide), segments("stalls", STALLS, stalled),
    segments("banks", BANKS, banks), segments("waits", WAITS, waits),
]
