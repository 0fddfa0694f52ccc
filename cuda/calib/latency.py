"""The shortest stall count that gives a right result: chains of 8 with stall counts 1 to 15.

Hardware does not check fixed latencies, so a result that differs from that of stall count 15 shows a
stall count too short. A simulator that executes instruction after instruction shows none: these points
are for the hardware alone.
"""
from sass import RZ, Kernel

# name, the operations of a step: the stall count varied is that of the first
CHAINS = [
    ("ffma", ["FFMA"]), ("fadd", ["FADD"]), ("fmul", ["FMUL"]), ("iadd3", ["IADD3"]), ("lop3", ["LOP3"]),
    ("viadd", ["VIADD"]), ("lea", ["LEA"]), ("imad", ["IMAD"]), ("idp", ["IDP"]),
    ("hfma2", ["HFMA2"]), ("hfma2_mma", ["HFMA2.MMA"]), ("hadd2", ["HADD2"]), ("i2fp", ["I2FP"]),
    ("f2fp", ["F2FP"]), ("dfma", ["DFMA"]), ("dadd", ["DADD"]),
    ("dmul", ["DMUL"]), ("ffma_iadd3", ["FFMA", "IADD3"]), ("iadd3_ffma", ["IADD3", "FFMA"]),
    ("imad_ffma", ["IMAD", "FFMA"]), ("ffma_imad", ["FFMA", "IMAD"]), ("imad_iadd3", ["IMAD", "IADD3"]),
    ("iadd3_imad", ["IADD3", "IMAD"]), ("hfma2_ffma", ["HFMA2", "FFMA"]), ("ffma_hfma2", ["FFMA", "HFMA2"]),
    ("lop3_iadd3", ["LOP3", "IADD3"]), ("viadd_ffma", ["VIADD", "FFMA"]),
]
WIDE = ("DFMA", "DADD", "DMUL", "IMAD.WIDE", "IMAD.HI")


def chain(name, operations):
    """R32 to R46: the results with stall counts 1 to 15 behind the first operation of a step."""
    k = Kernel("shortest_" + name, passes=1)
    k.begin(barrier=False)
    for register, value in ((18, 0x3f8147ae), (19, 0x3f9d70a4), (20, 0x3c00a0b1), (21, 0x3fe11111)):
        k.op("MOV.I", d=register, imm=value, stall=15, stay=False)
    for stall in range(1, 16):
        k.op("MOV.I", d=16, imm=0x3f9d70a4, stall=15, stay=False)
        k.op("MOV.I", d=17, imm=0x3ff12345, stall=15, stay=False)
        for _ in range(4):
            for i, operation in enumerate(operations):
                wide = operation in WIDE
                source = dict(a=16, b=18, c=20, imm=77)
                if operation in ("I2FP",):
                    source["b"] = 16
                if operation == "DMUL":
                    source["b"] = 20
                k.op(operation, d=16, stall=stall if i == 0 else 15, stay=False, **source)
        k.op("NOP", stall=15, stay=False)
        k.op("MOV", d=31 + stall, b=17 if wide else 16, stall=15, stay=False)
    count_wrong(k)
    k.store([47])
    return k


def count_wrong(k):
    """R47 = 1 + how many of R32 to R45 differ from R46."""
    k.op("MOV.I", d=47, imm=1, stall=6)
    k.op("MOV.I", d=48, imm=1, stall=6)
    for i in range(32, 46):
        k.op("LOP3", d=i, a=i, b=46, c=RZ, stall=6)
        k.op("VIMNMX.U32", d=i, a=i, b=48, stall=6)
        k.op("IADD3", d=47, a=47, b=i, c=RZ, stall=6)


KERNELS = [chain(*row) for row in CHAINS]
