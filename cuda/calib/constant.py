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


KERNELS = [walk("operand", operand), walk("load", load), walk("load_immediate", load_immediate)]
