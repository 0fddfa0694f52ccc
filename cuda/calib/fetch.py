"""Instruction supply: straight-line code from 1 KB to 256 KB, cold and warm; jumps from line to line.

line: FFMAs of stall count 1, so that a warp takes an instruction a cycle if it gets it. A launch with n
enters n instructions before the end. The last three passes are written, newest first; of three passes
the third number is that of the first, when the caches are cold (kernels start with cold caches).
line4: the same with stall count 4.
back: from line to line backwards, so that a prefetcher that runs ahead helps nothing; n lines.
hop: forwards by a number of lines; each stamp is that of a line.
own: as line, but each of 16 warps has a straight line of its own, of which it runs the last n instructions.
cold: the clock at the start of each of 64 lines of straight code.
burst: jumps to places far apart, at each of which some lines of straight code run; half of the lines of a
region are used. The first pass finds cold caches.
"""
import math

from sass import RZ, Kernel

KILOBYTES = [1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 256]
PER_LINE = 8


def pad(k):
    while len(k.code) % PER_LINE:
        k.op("NOP")


def ffma(k, i, stall=1, **fields):
    k.op("FFMA", d=16 + i % 8, a=16 + i % 8, b=RZ, c=RZ, stall=stall, **fields)


def enter(k, sizes, label):
    """Reads the clock into R12 and goes to label(n)."""
    k.enter(sizes, lambda size: f"stub{size}")
    k.branch("out", stall=5)
    for size in sizes:
        k.label(f"stub{size}")
        k.clock(12, stall=2)
        k.branch(label(size), stall=5)
    pad(k)


def line(name, stall, largest, stay=None):
    sizes = [kb * 64 for kb in KILOBYTES if kb <= largest]
    k = Kernel(name, passes=3)
    k.begin()
    enter(k, sizes, lambda size: f"at{size}")
    for i in range(largest * 64, 0, -1):
        if i in sizes:
            k.label(f"at{i}")
        ffma(k, i, stall, stay=stay)
    k.clock(13)
    k.keep(64, 12, 13)
    k.label("out")
    k.end([64, 65, 66])
    return k


LINES = [4, 8, 16, 24, 32, 36, 40, 44, 48, 56, 64, 96, 128, 192, 224, 256, 288, 320, 384, 512, 768, 1024, 1536, 2048]


def back(largest):
    k = Kernel("back", passes=3)
    k.begin()
    enter(k, LINES, lambda size: f"at{size - 1}")
    for i in range(largest):
        k.label(f"at{i}")
        k.branch(f"at{i - 1}" if i else "done", stall=5)
        pad(k)
    k.label("done")
    k.clock(13)
    k.keep(64, 12, 13)
    k.label("out")
    k.end([64, 65, 66])
    return k


def hop(lines, count=32):
    k = Kernel(f"hop{lines}_{count}", passes=2)
    k.begin()
    for i in range(count):
        k.op("MOV", d=48 + i, b=16 + i)
    k.branch("at0", stall=5)
    pad(k)
    for i in range(count):
        k.label(f"at{i}")
        k.clock(16 + i)
        k.branch(f"at{i + 1}", stall=5)
        pad(k)
        for _ in range((lines - 1) * PER_LINE):
            k.op("NOP")
    k.label(f"at{count}")
    k.end(list(range(16, 16 + 2 * count)))
    return k


OWN_WARPS, OWN_KILOBYTES = 16, [2, 4, 8, 12]


def own():
    sizes = [kb * 64 for kb in OWN_KILOBYTES]
    k = Kernel("own", passes=3)
    k.begin()
    k.op("MOV.I", d=5, imm=5, stall=6)
    k.op("SHF.R", d=7, a=RZ, b=5, c=0, stall=6)
    for warp in range(OWN_WARPS):
        k.op("ISETP.EQ.I", a=7, imm=warp, stall=15, stay=False)
        k.branch(f"warp{warp}", guard=0, stall=5)
    k.branch("out", stall=5)
    for warp in range(OWN_WARPS):
        k.label(f"warp{warp}")
        k.enter(sizes, lambda size: f"stub{warp}_{size}")
        k.branch("out", stall=5)
        for size in sizes:
            k.label(f"stub{warp}_{size}")
            k.clock(12, stall=2)
            k.branch(f"at{warp}_{size}", stall=5)
    pad(k)
    for warp in range(OWN_WARPS):
        for i in range(sizes[-1], 0, -1):
            if i in sizes:
                k.label(f"at{warp}_{i}")
            ffma(k, i)
        k.clock(13)
        k.branch("done", stall=5)
        pad(k)
    k.label("done")
    k.keep(64, 12, 13)
    k.label("out")
    k.end([64, 65, 66])
    return k


def cold(name, count=128, stall=1):
    k = Kernel(name, passes=1)
    k.begin()
    pad(k)
    for i in range(count):
        k.clock(32 + i)
        for j in range(PER_LINE - 1):
            ffma(k, j, stall)
    k.end(list(range(32, 32 + count)))
    return k


def burst(lines, region):
    k = Kernel(f"burst{lines}_{region}", passes=3)
    places = region // (2 * lines)
    step = next(n for n in range(places * 5 // 8, places) if math.gcd(n, places) == 1)
    k.begin()
    k.clock(12, stall=2)
    k.branch("at0", stall=5)
    pad(k)
    for place in range(places):
        k.label(f"at{place}")
        following = (place + step) % places
        for i in range(lines * PER_LINE - 1):
            ffma(k, i)
        k.branch(f"at{following}" if following != 0 else "done", stall=5)
        for i in range(lines * PER_LINE):
            k.op("NOP")
    k.label("done")
    k.clock(13)
    k.keep(64, 12, 13)
    k.end([64, 65, 66])
    return k


KERNELS = [
    line("line", 1, 256), line("line_yield", 1, 64, False), line("line4", 4, 64, False), back(LINES[-1]), own(),
    cold("cold"), cold("cold4", 128, 4),
] + [hop(n, count) for n in (1, 2, 4, 8, 16) for count in (4, 8, 12, 16, 24, 32)] + [
    burst(n, region) for n in (1, 4, 8) for region in (768, 3072)]
