"""Constant caches: operands of arithmetic and LDC, walking 64-byte lines of c[3]; cold and warm."""
from fetch import enter
from sass import RZ, Kernel

SIZES = [1, 4, 8, 16, 24, 32, 48, 64, 128, 256, 512, 768, 1024]
LINE = 64


def walk(name, emit, stride=LINE):
    """The last n lines of 64 KiB; the newest of three passes first."""
    k = Kernel(name, passes=3, constant=True)
    k.begin()
    k.op("MOV.I", d=16, imm=0, stall=6)
    enter(k, SIZES, lambda size: f"at{size}")
    for i in range(SIZES[-1], 0, -1):
        if i in SIZES:
            k.label(f"at{i}")
        emit(k, i, (i - 1) * stride)
    k.clock(13, wait=range(6))
    k.keep(64, 12, 13)
    k.label("out")
    k.end([64, 65, 66])
    return k


def operand(k, i, offset):
    k.op("FFMA.C", d=18 + i % 4, a=RZ, c=RZ, extra=offset << 38 | 3 << 54, stall=2)


def load(k, i, offset):
    k.op("LDC", d=16, a=16, extra=offset << 38 | 3 << 54, write=0, wait=[0], stall=2, stay=False)


def load_immediate(k, i, offset):
    k.op("LDC", d=16, a=RZ, extra=offset << 38 | 3 << 54, write=0, wait=[0], stall=2, stay=False)


def spread(name, wait):
    """16 LDC in which lane i reads word (i & n) * (n >> 5) of c[3], n >> 5 in bytes; clocks before and behind."""
    k = Kernel(name, passes=4, constant=True)
    k.begin()
    k.op("LOP3.AND", d=17, a=0, imm=31, c=RZ, stall=6)
    k.op("LOP3.AND.R", d=17, a=17, b=15, c=RZ, stall=6)
    k.op("MOV.I", d=19, imm=5, stall=6)
    k.op("SHF.R", d=18, a=RZ, b=19, c=15, stall=6)
    k.op("IMAD", d=17, a=17, b=18, c=RZ, stall=6)
    k.clock(8, stall=6)
    for i in range(16):
        k.op("LDC", d=24 + i, a=17, extra=3 << 54, write=0, wait=wait, stall=2, stay=False)
    k.clock(9, wait=[0])
    k.end([8, 9])
    return k


KERNELS = [spread("spread", [0]), spread("spread_row", []), walk("operand", operand), walk("load", load), walk("load_immediate", load_immediate)]
