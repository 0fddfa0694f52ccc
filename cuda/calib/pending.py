"""Two stores of different words of the same sectors, so many cycles apart, by lanes so many bytes apart: whether
the second one finds the first still on its way out of the SM, and joins it.

The argument n is the distance in cycles; the number of lanes is that of the block. Each of ROUNDS rounds has
places of its own; it begins when the stores of the one before have left.
"""
from sass import RZ, Kernel

ROUNDS, ROUND_BYTES = 32, 8192
DISTANCES = [2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
             31, 32, 34, 36, 38, 40, 42, 44, 48, 52, 56, 60, 64, 72, 80, 96]
LANE, VALUE, STEP, AT = 0, 10, 11, 8        # registers; AT and the next one hold the lane's place
LONGEST = 11                                # stall count


def store(k, word, distance, **fields):
    """A store, and what makes the next instruction issue `distance` cycles later."""
    k.op("STG", a=AT, extra=VALUE << 32 | 4 * word << 40, stall=min(distance, LONGEST), **fields)
    distance -= min(distance, LONGEST)
    while distance > 0:
        k.op("NOP", stall=min(distance, LONGEST))
        distance -= min(distance, LONGEST)


def pending(apart):
    k = Kernel(f"pending_{apart}", passes=ROUNDS)
    k.op("MOV.I", d=VALUE, imm=1, stall=6)
    k.op("MOV.I", d=STEP, imm=apart, stall=6)
    k.op("IMAD.WIDE", d=AT, a=LANE, b=STEP, c=2, stall=8, wait=[0])
    k.op("MOV.I", d=STEP, imm=ROUND_BYTES, stall=6)
    k.begin(barrier=False)
    for _ in range(50):
        k.op("NOP", stall=LONGEST)
    k.enter(DISTANCES, str)
    k.op("EXIT", stall=5)
    for distance in DISTANCES:
        k.label(str(distance))
        store(k, 0, distance)
        store(k, 1, 2, read=0)
        k.branch("next", stall=5)
    k.label("next")
    k.op("IMAD.WIDE", d=AT, a=VALUE, b=STEP, c=AT, stall=8, wait=[0])
    k.end_of_passes()
    k.op("EXIT", stall=5)
    return k


KERNELS = [pending(apart) for apart in (4, 16, 32, 64, 128, 132)]
