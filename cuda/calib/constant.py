"""Constant caches: operands of arithmetic and LDC, walking 64-byte lines of c[3]; cold and warm."""
from fetch import enter
from sass import RZ, Kernel

SIZES = [1, 4, 8, 16, 24, 32, 48, 64, 128, 256, 512, 768, 1024]
LINE = 64


def walk(name, emit, stride=LINE, sizes=SIZES):
    """The last n lines of 64 KiB; the newest of three passes first."""
    k = Kernel(name, passes=3, constant=True)
    k.begin()
    k.op("MOV.I", d=16, imm=0, stall=6)
    enter(k, sizes, lambda size: f"at{size}")
    for i in range(sizes[-1], 0, -1):
        if i in sizes:
            k.label(f"at{i}")
        emit(k, i, (i - 1) * stride)
    k.clock(13, wait=range(6))
    k.keep(64, 12, 13)
    k.label("out")
    k.end([64, 65, 66])
    return k


def walk_up(name, emit):
    """As walk, at most 32 KiB, in the order of addresses."""
    most = 512
    return walk(name, lambda k, i, offset: emit(k, i, (most - i) * LINE), sizes=[n for n in SIZES if n <= most])


def tables():
    """16 LDC, each awaited, in which lanes read words of a table of 1 KB as if at random; four tables in turn."""
    k = Kernel("tables", passes=4, constant=True)
    k.begin()
    k.op("LOP3.AND", d=16, a=0, imm=31, c=RZ, stall=6)
    k.op("IMAD.I", d=17, a=16, imm=41, c=RZ, stall=6)
    for i in range(16):
        k.op("IMAD.I", d=18, a=1, imm=29, c=17, stall=6)
        k.op("VIADD", d=18, a=18, imm=57 * i, stall=6)
        k.op("IMAD", d=18, a=18, b=18, c=18, stall=6)
        k.op("LOP3.AND", d=44 + i, a=18, imm=1020, c=RZ, stall=6)
    k.clock(8, stall=6)
    for i in range(16):
        k.op("LDC", d=24 + i, a=44 + i, extra=(i % 4 * 1024) << 38 | 3 << 54, write=0, wait=[0], stall=2, stay=False)
    k.clock(9, wait=[0])
    k.end([8, 9])
    return k


def operand(k, i, offset):
    k.op("FFMA.C", d=18 + i % 4, a=RZ, c=RZ, extra=offset << 38 | 3 << 54, stall=2)


def load(k, i, offset):
    k.op("LDC", d=16, a=16, extra=offset << 38 | 3 << 54, write=0, wait=[0], stall=2, stay=False)


def load_immediate(k, i, offset):
    k.op("LDC", d=16, a=RZ, extra=offset << 38 | 3 << 54, write=0, wait=[0], stall=2, stay=False)


def spread(name, wait, own=0):
    """16 LDC in which lane i reads word (i & n) * (n >> 5) of c[3], n >> 5 in bytes; clocks before and behind.
    own: each warp reads so many bytes behind the warp before."""
    k = Kernel(name, passes=4, constant=True)
    k.begin()
    k.op("LOP3.AND", d=17, a=0, imm=31, c=RZ, stall=6)
    k.op("LOP3.AND.R", d=17, a=17, b=15, c=RZ, stall=6)
    k.op("MOV.I", d=19, imm=5, stall=6)
    k.op("SHF.R", d=18, a=RZ, b=19, c=15, stall=6)
    k.op("IMAD", d=17, a=17, b=18, c=RZ, stall=6)
    if own:
        k.op("SHF.R", d=18, a=RZ, b=19, c=0, stall=6)
        k.op("IMAD.I", d=17, a=18, imm=own, c=17, stall=6)
    k.clock(8, stall=6)
    for i in range(16):
        k.op("LDC", d=24 + i, a=17, extra=3 << 54, write=0, wait=wait, stall=2, stay=False)
    k.clock(9, wait=[0])
    k.end([8, 9])
    return k


KERNELS = [tables(), walk_up("load_up", load), walk_up("operand_up", operand), spread("spread", [0]), spread("spread_own", [0], LINE), spread("spread_row", []), walk("operand", operand), walk("load", load), walk("load_immediate", load_immediate)]
