"""Kernels of COUNT instructions of one kind: Nsight Compute counts them, which shows their pipe.

Kernel `base` has the frame alone. Values are whatever registers hold; what addresses memory is set here.
"""
from sass import PT, RZ, Kernel

COUNT = 64
ZERO, MASK, ODD = 22, 26, 0         # R22:R23 = 0, R26 = all lanes; P0: the lane's number is odd, P1: true
SKIP, SLEEP = 24, 27                # R24:R25 = bytes of an instruction in odd lanes, else 0; R27: 100 ns
WORD, PAIR, WIDE, APART, INTO = 8, 9, 11, 10, 21    # thread * 4, * 8, * 16 and * 64 bytes; thread * 4 in shared memory
OWN, ALL = 12, 2                    # addresses in out: thread's own word, one word for all

# Name of the kernel and operation, and operands other than plain registers.
PLAIN = ["FFMA", "FADD", "FMUL", "FMNMX", "FSEL", "IADD3", "LEA", "LOP3", "SHF", "PRMT", "SEL", "VIMNMX", "VIMNMX3",
         "VIADDMNMX", "IABS", "MOV", "I2FP", "F2FP", "IMAD", "IMAD.MOV", "IMAD.WIDE", "IMAD.HI", "IMAD.X", "IDP", "HADD2",
         "HMUL2", "HFMA2", "HFMA2.MMA", "HMNMX2", "HSET2", "DADD", "DMUL", "DFMA", "DMMA",
         "HMMA.16816.F32", "HMMA.1688.F32", "HMMA.16816.F16", "HMMA.1688.F32.TF32", "IMMA.16832"]
SETTING = ["ISETP", "FSETP", "DSETP", "PLOP3", "FCHK", "HSETP2", "VOTE.ALL"]
IMMEDIATE = ["VIADD", "SGXT", "P2R", "MOV.I", "FFMA.I", "IMAD.I", "LOP3.AND"]
CONSTANT = ["FFMA.C", "IADD3.C", "MOV.C"]
QUEUED = ["MUFU.EX2", "MUFU.RCP64H", "F2I", "I2F", "FRND", "F2F.F64.F32", "F2I.F64", "POPC", "FLO", "BREV",
          "SHFL.BFLY", "SHFL.IDX", "MATCH.ANY", "MATCH.ALL"]
UNIFORM = ["UMOV", "UIADD3", "ULEA", "ULOP3", "USHF", "UIMAD", "UIMAD.WIDE", "UISETP", "USEL", "UFLO", "UPOPC", "ULDC",
           "ULDC.64", "VOTEU"]
ALONE = ["NOP", "VOTE", "CS2R", "CS2R.32", "YIELD", "WARPSYNC", "BAR.SYNC", "DEPBAR.LE", "NANOSLEEP", "MEMBAR.CTA",
         "MEMBAR.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "FENCE.ASYNC", "LDGDEPBAR"]
SPECIAL = {"tid": 0x21, "laneid": 0, "ltmask": 0x39, "ctaid": 0x25, "smid": 0x43, "clock": 0x50}
TO_UNIFORM = ["R2UR", "REDUX"]
SHARED = {"": WORD, ".64": PAIR, ".128": WIDE}


def frame(name):
    k = Kernel("pipe_" + name, shared=8192 + 1024, constant="ldc_" in name)
    k.registers = 72
    k.op("LOP3.AND", d=7, a=0, imm=1, c=RZ, stall=6)
    k.op("ISETP.NE.I", a=7, imm=0, stall=13)
    k.op("ISETP.NE.I", a=RZ, imm=1, extra=1 << 81, stall=13)
    for register, size in ((WORD, 4), (PAIR, 8), (WIDE, 16), (APART, 64)):
        k.op("IMAD.I", d=register, a=0, imm=size, c=RZ, stall=6)
    k.op("IMAD.I", d=SKIP, a=7, imm=16, c=RZ, stall=6)
    k.op("MOV.I", d=SKIP + 1, imm=0, stall=6)
    k.op("VIADD", d=INTO, a=WORD, imm=0x400, stall=6)
    k.op("MOV.I", d=7, imm=4, stall=6)
    k.op("IMAD.WIDE", d=OWN, a=0, b=7, c=ALL, stall=8)
    k.op("MOV.I", d=ZERO, imm=0, stall=6)
    k.op("MOV.I", d=ZERO + 1, imm=0, stall=6)
    k.op("MOV.I", d=MASK, imm=0xffffffff, stall=6)
    k.op("MOV.I", d=SLEEP, imm=100, stall=6)
    k.op("UMOV", d=7, imm=0xffffffff, stall=12)
    return k


def finish(k):
    k.op("NOP", stall=15, wait=range(6))
    k.op("EXIT", stall=5)
    return k


def spell(operation):
    return operation.lower().replace(".", "_")


def repeat(name, operation, count=COUNT, **fields):
    k = frame(name)
    for _ in range(count):
        k.op(operation, **fields)
    return finish(k)


def jumps(name, operation, **fields):
    """Branches to the next instruction."""
    k = frame(name)
    for i in range(COUNT):
        k.branch(f"l{i}", operation, stall=6, **fields)
        k.label(f"l{i}")
    return finish(k)


def meeting(name, inner):
    """BSSY, the instructions of inner(k, i), BSYNC."""
    k = frame(name)
    for i in range(COUNT):
        k.branch(f"l{i}", "BSSY", d=0, stall=6)
        inner(k, i)
        k.label(f"l{i}")
        k.op("BSYNC", d=0, stall=6)
    return finish(k)


def apart(k, i):
    """Odd lanes skip one instruction."""
    k.branch(f"m{i}", guard=ODD, stall=6)
    k.op("NOP", stall=6)
    k.label(f"m{i}")


def scattered(k, i):
    """BRX, by which odd lanes skip one instruction."""
    k.branch(f"m{i}", "BRX", a=SKIP, stall=6)
    k.label(f"m{i}")
    k.op("NOP", stall=6)


def leave(k, i):
    k.op("BREAK", d=0, guard=PT, unless=True, stall=6)


def plain():
    far = dict(d=44, a=32, b=36, c=40, stall=6)
    queued = dict(d=44, a=32, b=36, write=0, stall=6)
    loaded = dict(d=44, write=0, stall=6)
    rows = [(name, far) for name in PLAIN] + [(name, dict(a=32, b=36, stall=13)) for name in SETTING]
    rows += [(name, dict(d=44, a=32, imm=1, c=40, stall=6)) for name in IMMEDIATE]
    rows += [(name, dict(d=44, a=32, c=40, extra=0x210 << 38, stall=6)) for name in CONSTANT]
    rows += [(name, queued) for name in QUEUED]
    rows += [(name, dict(d=8, a=10, b=10, imm=0x210 << 38 if "ULDC" in name else 1, stall=12)) for name in UNIFORM]
    rows += [(name, dict(d=8, a=32, write=0, stall=12)) for name in TO_UNIFORM]
    rows += [(name, dict(d=44, imm=0, stall=6)) for name in ALONE]
    kernels = [repeat("nanosleep_100", "NANOSLEEP", imm=100, stall=6), repeat("nanosleep_r", "NANOSLEEP.R", b=SLEEP, stall=6), repeat("match_lanes", "MATCH.ANY", a=WORD, **loaded)]
    return kernels + [repeat(spell(name), name, **fields) for name, fields in rows if name not in ("ULDC", "ULDC.64")]


def constants():
    return [repeat("uldc", "ULDC", d=8, extra=0x210 << 38, stall=12),
            repeat("uldc_64", "ULDC.64", d=8, extra=0x210 << 38, stall=12),
            repeat("ldc", "LDC", d=44, a=RZ, extra=0x210 << 38, write=0, stall=6),
            repeat("ldc_64", "LDC.64", d=44, a=RZ, extra=0x210 << 38, write=0, stall=6),
            repeat("ldc_same", "LDC", d=44, a=ZERO, extra=3 << 54, write=0, stall=6),
            repeat("ldc_lanes", "LDC", d=44, a=WORD, extra=3 << 54, write=0, stall=6),
            repeat("imad_u32", "IMAD.U32", d=44, b=8, stall=6)]


def special():
    kernels = [repeat("s2r_" + name, "S2R", d=44, extra=number << 72, write=0, stall=6)
               for name, number in SPECIAL.items()]
    return kernels + [repeat("s2ur_" + name, "S2UR", d=8, extra=SPECIAL[name] << 72, write=0, stall=6)
                      for name in ("tid", "ctaid", "clock")]


def memory():
    loaded = dict(d=44, write=0, stall=6)
    stored = dict(b=36, read=0, stall=6)
    kernels = [repeat(spell("LDS" + width), "LDS" + width, a=at, **loaded) for width, at in SHARED.items()]
    kernels += [repeat(spell("STS" + width), "STS" + width, a=at, **stored) for width, at in SHARED.items()]
    kernels += [repeat("lds_apart", "LDS", a=APART, **loaded), repeat("sts_apart", "STS", a=APART, **stored),
                repeat("lds_128_apart", "LDS.128", a=APART, **loaded), repeat("sts_128_apart", "STS.128", a=APART, **stored),
                repeat("lds_one", "LDS", a=ZERO, **loaded), repeat("sts_one", "STS", a=ZERO, **stored),
                repeat("lds_off", "LDS", a=WORD, guard=PT, unless=True, **loaded),
                repeat("sts_off", "STS", a=WORD, guard=PT, unless=True, **stored),
                repeat("lds_odd", "LDS", a=APART, guard=ODD, **loaded), repeat("sts_odd", "STS", a=APART, guard=ODD, **stored),
                repeat("ldsm", "LDSM", a=WIDE, **loaded), repeat("ldsm_apart", "LDSM", a=APART, **loaded),
                repeat("atoms", "ATOMS.INC", a=WORD, read=0, stall=6), repeat("atoms_one", "ATOMS.INC", a=ZERO, read=0, stall=6),
                repeat("ldg", "LDG", a=OWN, **loaded), repeat("ldg_one", "LDG", a=ALL, **loaded),
                repeat("ldg_off", "LDG", a=OWN, guard=PT, unless=True, **loaded),
                repeat("ldg_sys", "LDG.SYS", a=OWN, **loaded), repeat("ld", "LD", a=OWN, **loaded),
                repeat("stg", "STG", a=OWN, extra=36 << 32, read=0, stall=6), repeat("stg_sys", "STG.SYS", a=OWN, **stored),
                repeat("stg_off", "STG", a=OWN, extra=36 << 32, guard=PT, unless=True, read=0, stall=6),
                repeat("st", "ST", a=OWN, **stored), repeat("atomg", "ATOMG", a=OWN, b=36, **loaded),
                repeat("atom", "ATOM", a=OWN, b=36, **loaded), repeat("atomg_one", "ATOMG", a=ALL, b=36, **loaded),
                repeat("atomg_cas", "ATOMG.CAS", a=OWN, b=36, c=40, **loaded), repeat("red", "RED", a=OWN, **stored),
                repeat("ldgsts", "LDGSTS", d=INTO, a=OWN, read=0, stall=6)]
    return kernels


def control():
    never = dict(guard=PT, unless=True)
    return [jumps("bra", "BRA"), jumps("bra_if", "BRA", guard=1), jumps("bra_unless", "BRA", guard=1, unless=True),
            jumps("bra_never", "BRA", **never), jumps("bra_div", "BRA.DIV", a=7), jumps("bra_u_any", "BRA.U.ANY", guard=1),
            jumps("brx", "BRX", a=ZERO), jumps("call", "CALL"), jumps("ret", "RET", a=ZERO), jumps("call_r", "CALL.R", a=ZERO),
            meeting("meet", lambda k, i: None), meeting("meet_apart", apart), meeting("meet_break_never", leave),
            meeting("meet_brx", scattered),
            repeat("bssy", "BSSY", d=0, stall=6),
            repeat("warpsync_r", "WARPSYNC.R", a=MASK, stall=6), repeat("exit_never", "EXIT", stall=6, **never),
            repeat("exit_odd", "EXIT", count=1, stall=6, guard=ODD),
            repeat("bmov_clear", "BMOV.CLEAR", d=44, extra=3 << 24, write=0, stall=6), repeat("bmov", "BMOV", d=3, b=ZERO, extra=3 << 24, read=0, stall=6)]


KERNELS = [finish(frame("base")), *plain(), *constants(), *special(), *memory(), *control()]
