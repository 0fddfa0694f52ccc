"""Which warp issues: all warps run the same code; each writes its first clock and its last.

If the scheduler stays with a warp, warps are short and end one after the other; if it goes round, all take
as long as the whole.
"""
from sass import RZ, Kernel

SAMPLES = 24


def sampled(name, group, stall, stay, samples=SAMPLES, warm=2, operation="FFMA"):
    """`group` instructions between two clock reads; writes the first and the last clock."""
    k = Kernel(name, passes=warm)
    k.begin()
    for i in range(samples):
        k.clock(24 + i, stall=1, stay=stay)
        for j in range(group):
            k.op(operation, d=16 + j % 8, a=RZ, b=RZ, c=RZ, stall=stall, stay=stay)
    k.clock(24 + samples)
    k.end([24, 24 + samples])
    return k


KERNELS = [
    sampled("stay1", 15, 1, True), sampled("yield1", 15, 1, False), sampled("stay2", 15, 2, True),
    sampled("yield2", 15, 2, False), sampled("stay4", 7, 4, True), sampled("yield4", 7, 4, False),
    sampled("alu_stay1", 15, 1, True, operation="IADD3"), sampled("alu_stay2", 15, 2, True, operation="IADD3"),
    sampled("alu_yield2", 15, 2, False, operation="IADD3"), sampled("clocks", 0, 1, True),
]
