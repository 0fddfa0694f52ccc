"""Branches of a whole warp: not taken, taken, around code between BSSY and BSYNC; loops of several lengths."""
from control import COUNT, segments
from fetch import ffma, pad
from sass import PT, RZ, Kernel


def control_flow(k, case):
    kind, stall = case
    here = len(k.code)
    for i in range(COUNT):
        mark = f"{here}.{i}"
        if kind == "not_taken":
            k.branch(mark, guard=PT, unless=True, stall=stall)
        if kind == "next":
            k.branch(mark, stall=stall)
        if kind == "over":
            k.branch(mark, stall=stall)
            k.op("NOP")
        if kind == "over3":
            k.branch(mark, stall=stall)
            for _ in range(3):
                k.op("NOP")
        if kind == "line":
            pad(k)
            k.branch(mark, stall=stall)
            pad(k)
        if kind == "not_taken_ffma":
            k.branch(mark, guard=PT, unless=True, stall=stall)
            for j in range(7):
                ffma(k, j)
        if kind == "next_ffma":
            k.branch(mark, stall=stall)
            k.label(mark)
            for j in range(7):
                ffma(k, j)
            continue
        if kind == "bssy":
            k.branch(mark, "BSSY", d=0, stall=stall)
        if kind == "bssy_bsync":
            k.branch(mark, "BSSY", d=0, stall=1)
            k.label(mark)
            k.op("BSYNC", d=0, stall=stall)
            continue
        if kind == "warpsync":
            k.op("WARPSYNC", stall=stall)
        if kind == "predicate":             # ISETP to its branch, as ptxas spaces them
            k.op("ISETP.NE.I", a=RZ, imm=0, stall=stall, stay=False)
            k.branch(mark, guard=0, stall=5)
        if kind == "exit":                  # EXIT of no lane
            k.op("EXIT", guard=PT, unless=True, stall=stall)
        if kind == "if_else":               # all lanes take the other side
            k.branch(mark, "BSSY", d=0, stall=2)
            k.branch(mark + "else", stall=5)
            ffma(k, i, 4)
            k.branch(mark, stall=5)
            k.label(mark + "else")
            ffma(k, i, 4)
            k.label(mark)
            k.op("BSYNC", d=0, stall=5)
            continue
        if kind == "if":                    # all lanes skip one instruction
            k.branch(mark, "BSSY", d=0, stall=2)
            k.branch(mark, stall=5)
            ffma(k, i, 4)
            k.label(mark)
            k.op("BSYNC", d=0, stall=5)
            continue
        k.label(mark)


CASES = [("not_taken", 1), ("not_taken", 2), ("not_taken", 5), ("not_taken", 8), ("next", 1), ("next", 5), ("over", 5),
         ("over3", 5), ("line", 5), ("not_taken_ffma", 5), ("next_ffma", 5), ("bssy", 1), ("bssy", 2), ("bssy_bsync", 5),
         ("warpsync", 1), ("warpsync", 5), ("predicate", 13), ("exit", 1), ("exit", 5), ("if_else", 0), ("if", 0)]


def loop(length):
    """Iterations of `length` instructions, the last three VIADD, ISETP and BRA as ptxas spaces them."""
    k = Kernel(f"loop{length}", passes=2)
    k.begin()
    k.clock(8, stall=6)
    k.op("MOV.I", d=10, imm=64, stall=6)
    pad(k)
    k.label("loop")
    k.op("VIADD", d=10, a=10, imm=-1, stall=6)
    k.op("ISETP.NE.I", a=10, imm=0, stall=max(1, 13 - (length - 3)), stay=False)
    for i in range(length - 3):
        ffma(k, i)
    k.branch("loop", guard=0, stall=5)
    k.clock(9)
    k.end([8, 9])
    return k


KERNELS = [segments("control_flow", CASES, control_flow)] + [loop(n) for n in (3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 32, 48, 64, 128)]
