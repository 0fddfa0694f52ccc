"""Assembles kernels of sm_90 machine code whose every control bit is chosen, not ptxas's choice.

A file of kernels (issue.py, fetch.py ...) makes Kernel objects; `build` turns them into a cubin. The
cubin itself comes from nvcc: a carrier with the same names, parameters and enough code, whose words
are then replaced. So nothing but instructions and the number of registers is ours.

    k = Kernel("ffma_chain")
    k.op("FFMA", d=16, a=16, b=17, c=18, stall=4)

Fields of an instruction (the layout is that of sim/sass/fields.def): d, a, b, c are registers;
imm is the word in the place of b; extra is or-ed in. Control bits: stall, stay (False: the scheduler
is to prefer another warp: the yield bit), write and read (barriers 0 to 5), wait (a list of barriers),
reuse (letters of "abc").
"""
RZ = 255
PT = 7
# Every kernel is KERNEL(unsigned *out, int n). Registers 0 to 15 belong to the frame: 2 and 3 hold
# the warp's place in out, 14 counts passes, 15 is n.
PLACE, PASSES, N = 2, 14, 15
OUT_PARAMETER, N_PARAMETER = 0x210, 0x218

# Low and high words with all registers 0, no guard and no control bits; then the fields in use.
OPERATIONS = {
    "FADD": (0x7221, 0, "dab"),
    "FMUL": (0x7220, 0x400000, "dab"),
    "FFMA": (0x7223, 0, "dabc"),
    "FFMA.C": (0x7a23, 0, "dac"),                   # b is c[bank][offset]; extra: offset << 38 | bank << 54
    "FMNMX": (0x7209, 0x3800000, "dab"),
    "FSEL": (0x7208, 0x4000000, "dab"),
    "FSETP": (0x720b, 0x3f0e000, "ab"),             # sets P0
    "IADD3": (0x7210, 0x7ffe000, "dabc"),
    "VIADD": (0x7836, 0, "dai"),
    "LEA": (0x7211, 0x78e10ff, "dab"),
    "LOP3": (0x7212, 0x78e9600, "dabc"),            # a ^ b ^ c
    "LOP3.AND": (0x7812, 0x78ec000, "daic"),        # a & immediate
    "LOP3.AND.R": (0x7212, 0x78ec000, "dabc"),
    "SHF": (0x7219, 0x10e00, "dabc"),
    "SHF.R": (0x7219, 0x11600, "dabc"),             # .U32.HI: c >> b when a is RZ
    "PRMT": (0x7216, 0, "dabc"),
    "SEL": (0x7207, 0x4000000, "dab"),
    "IABS": (0x7213, 0, "db"),
    "SGXT": (0x781a, 0, "dai"),
    "VIMNMX": (0x7248, 0x3fe0100, "dab"),
    "VIMNMX.U32": (0x7248, 0x3fe0000, "dab"),
    "VIMNMX3": (0x720f, 0x3800100, "dabc"),
    "VIADDMNMX": (0x7246, 0x7800100, "dabc"),
    "ISETP": (0x720c, 0x3f06070, "ab"),             # .GE.U32 sets P0
    "ISETP.EQ.I": (0x780c, 0x3f02270, "ai"),        # sets P0
    "ISETP.NE.I": (0x780c, 0x3f05270, "ai"),        # sets P0
    "PLOP3": (0x781c, 0x3f0e170, ""),               # P0 from PT, PT and PT
    "P2R": (0x7803, 0, "dai"),
    "MOV": (0x7202, 0xf00, "db"),
    "MOV.I": (0x7802, 0xf00, "di"),
    "I2FP": (0x7245, 0x201400, "db"),
    "F2FP": (0x723e, 0xff, "dab"),
    "IMAD": (0x7224, 0x78e0200, "dabc"),
    "IMAD.I": (0x7824, 0x78e0200, "daic"),
    "IMAD.MOV": (0x7224, 0x78e00ff, "db"),          # a and c are RZ
    "IMAD.WIDE": (0x7225, 0x78e0000, "dabc"),
    "IMAD.HI": (0x7227, 0x78e0000, "dabc"),
    "IDP": (0x7226, 0, "dabc"),
    "HADD2": (0x7230, 0, "dab"),
    "HMUL2": (0x7232, 0, "dab"),
    "HFMA2": (0x7231, 0, "dabc"),
    "HFMA2.MMA": (0x7235, 0, "dabc"),
    "HMNMX2": (0x7240, 0x7800000, "dab"),
    "DADD": (0x7229, 0, "dac"),
    "DMUL": (0x7228, 0, "dab"),
    "DFMA": (0x722b, 0, "dabc"),
    "DSETP": (0x722a, 0x3f2e000, "ab"),             # sets P1
    "MUFU.EX2": (0x7308, 0x800, "db"),
    "MUFU.LG2": (0x7308, 0xc00, "db"),
    "MUFU.RCP": (0x7308, 0x1000, "db"),
    "MUFU.RSQ": (0x7308, 0x1400, "db"),
    "MUFU.SQRT": (0x7308, 0x2000, "db"),
    "MUFU.SIN": (0x7308, 0x400, "db"),
    "MUFU.TANH": (0x7308, 0x2400, "db"),
    "MUFU.RCP64H": (0x7308, 0x1800, "db"),
    "F2I": (0x7305, 0x203100, "db"),
    "FRND": (0x7307, 0x201000, "db"),
    "F2F.F64.F32": (0x7310, 0x201800, "db"),
    "F2F.F32.F64": (0x7310, 0x301000, "db"),
    "F2I.F64": (0x7311, 0x301100, "db"),
    "I2F.F64": (0x7312, 0x201c00, "db"),
    "POPC": (0x7309, 0, "db"),
    "FLO": (0x7300, 0xe0000, "db"),
    "BREV": (0x7301, 0, "db"),
    "SHFL.BFLY": (0x0c201f0000007f89, 0xe0000, "da"),
    "SHFL.IDX": (0x00001f0000007589, 0xe0000, "dab"),
    "MATCH.ANY": (0x73a1, 0xe8000, "da"),
    "MATCH.ALL": (0x73a1, 0xe0000, "da"),
    "REDUX": (0x73c4, 0xc000, "da"),                # into a uniform register
    "VOTE": (0x7806, 0xe0100, "d"),                 # ballot of PT
    "S2R": (0x7919, 0, "d"),                        # extra: the special register << 72
    "S2UR": (0x79c3, 0, "d"),
    "CS2R.32": (0x7805, 0x5000, "d"),               # SR_CLOCKLO
    "CS2R": (0x7805, 0x15000, "d"),                 # SR_CLOCKLO and HI
    "CS2R.TIMER": (0x7805, 0x15200, "d"),           # SR_GLOBALTIMERLO and HI
    "HMMA.16816.F32": (0x723c, 0x1800, "dabc"),
    "HMMA.1688.F32": (0x723c, 0x1000, "dabc"),
    "HMMA.16816.F16": (0x723c, 0x800, "dabc"),
    "HMMA.16816.F32.BF16": (0x723c, 0x41800, "dabc"),
    "HMMA.1688.F32.TF32": (0x723c, 0x81000, "dabc"),
    "IMMA.16832": (0x7237, 0x405c00, "dabc"),
    "DMMA": (0x723f, 0, "dabc"),
    "UIADD3": (0x7290, 0xfffe000, "dabc"),
    "R2UR": (0x72ca, 0xe0000, "da"),
    "LDS": (0x0004000000007984, 0x800, "da"),      # at 0x400, where the shared memory of a block begins
    "STS": (0x0004000000007388, 0x800, "ab"),
    "LDG": (0x0000000400007981, 0xc1e1900, "da"),   # descriptor in UR4
    "STG": (0x7986, 0xc101904, "a"),                # extra: the data register << 32, offset << 40
    "LDC": (0x7b82, 0x800, "da"),                   # extra: offset << 38 | bank << 54
    "LDC.64": (0x7b82, 0xa00, "da"),
    "ULDC.64": (0x7ab9, 0xa00, "d"),
    "BAR.SYNC": (0x7b1d, 0x10000, ""),
    "BSSY": (0x7945, 0x3800000, "d"),
    "BSYNC": (0x7941, 0x3800000, "d"),
    "WARPSYNC": (0x7948, 0x3800000, ""),
    "WARPSYNC.R": (0x7348, 0x3800000, "a"),         # lanes of a register
    "BREAK": (0x7942, 0x3800000, "d"),
    "YIELD": (0x7946, 0x3800000, ""),
    "BMOV.CLEAR": (0x7355, 0x100000, "d"),          # from a convergence barrier; extra: its number << 24
    "BMOV": (0x7356, 0, "b"),                       # to one
    "BRA": (0x7947, 0x3800000, ""),
    "BRX": (0x7949, 0x3800000, "a"),                # to a label and the 64 bits of a
    "CALL": (0x7944, 0x3c00000, ""),
    "CALL.R": (0x7344, 0x3c00000, "a"),             # likewise
    "RET": (0x7950, 0x3c00000, "a"),                # likewise
    "NOP": (0x7918, 0, ""),
    "EXIT": (0x794d, 0x3800000, ""),
    "DEPBAR.LE": (0x80000000791a, 0, ""),                   # extra: barrier << 44 | count << 38
    "FFMA.I": (0x7423, 0, "daic"),
    "IADD3.C": (0x7a10, 0x7ffe0ff, "da"),           # b is c[bank][offset]
    "MOV.C": (0x7a02, 0xf00, "d"),                  # likewise
    "IMAD.X": (0x7224, 0x8e06ff, "dab"),            # P1 is carried in
    "IMAD.U32": (0xff007e24, 0xf8e00ff, "db"),          # b is a uniform register
    "HSET2": (0x7233, 0x3802000, "dab"),
    "HSETP2": (0x3c003c0000007434, 0x3f0d800, "a"),         # sets P0
    "FCHK": (0x7302, 0, "ab"),                      # sets P0
    "I2F": (0x7306, 0x209000, "db"),
    "VOTE.ALL": (0xff7806, 0, ""),                  # sets P0 from P0
    "VOTEU": (0x7886, 0x38e0100, "d"),
    "UMOV": (0x7882, 0, "di"),
    "ULEA": (0x7291, 0xf8ec03f, "dab"),
    "ULOP3": (0x7892, 0xf8ec03f, "dai"),
    "USHF": (0x7899, 0x800063f, "dai"),
    "UIMAD": (0x78a4, 0xf8e023f, "dai"),
    "UIMAD.WIDE": (0x78a5, 0xf8e023f, "dai"),
    "UISETP": (0x788c, 0xbf05270, "ai"),            # sets UP0
    "USEL": (0x7887, 0xc000000, "dai"),
    "UFLO": (0x72bd, 0x80e0000, "db"),
    "UPOPC": (0x72bf, 0x8000000, "db"),
    "ULDC": (0x7ab9, 0x800, "d"),
    "LDS.64": (0x0004000000007984, 0xa00, "da"),
    "LDS.128": (0x0004000000007984, 0xc00, "da"),
    "STS.64": (0x0004000000007388, 0xa00, "ab"),
    "STS.128": (0x0004000000007388, 0xc00, "ab"),
    "LDSM": (0x000400000000783b, 0x200, "da"),      # .16.M88.4
    "ATOMS.INC": (0x0004000000ff7f8c, 0xd80003f, "a"),      # ATOMS.POPC.INC.32
    "LDG.128": (0x0000000400007981, 0xc1e1d00, "da"),
    "LDG.SYS": (0x0000000400007981, 0xc1f5900, "da"),       # STRONG.SYS
    "LD": (0x0000000400007980, 0xc10f900, "da"),            # STRONG.GPU
    "STG.SYS": (0x7986, 0xc115904, "ab"),
    "ST": (0x7985, 0xc10b904, "ab"),                # STRONG.SM
    "ATOMG": (0x79a8, 0x81ee1c4, "dab"),            # ADD
    "ATOM": (0x798a, 0x81ee1c4, "dab"),
    "ATOMG.CAS": (0x73a9, 0x1ee100, "dabc"),
    "RED": (0x798e, 0xc10e184, "ab"),
    "LDGSTS": (0x7fae, 0xb921844, "da"),
    "LDGDEPBAR": (0x79af, 0, ""),
    "MEMBAR.CTA": (0x7992, 0, ""),
    "MEMBAR.GPU": (0x7992, 0x2000, ""),
    "ERRBAR": (0x79ab, 0, ""),
    "CGAERRBAR": (0x75ab, 0, ""),
    "CCTL.IVALL": (0xff00798f, 0x2000000, ""),
    "FENCE.ASYNC": (0x73c6, 0, ""),
    "BRA.DIV": (0x200007947, 0xb800000, "a"),            # a is a uniform register: the lanes that are to be there
    "BRA.U.ANY": (0x100007947, 0x3900000, ""),
    "NANOSLEEP": (0x795d, 0x3800000, "i"),
    "NANOSLEEP.R": (0x735d, 0x3800000, "b"),
}
SPARE = 2                       # registers that hardware keeps for itself, behind the last one used
SELF_BRANCH = 0x000fc0000383ffff_fffffffc00fc7947    # as ptxas puts it behind EXIT
LONG_STALL = 12                 # from here on a stall count needs the yield bit: nvdisasm knows no other
FIELDS = {"d": 16, "a": 24, "b": 32, "c": 64, "i": 32}


def control(stall, stay, write, read, wait, reuse):
    """The 21 control bits, to be put at bit 105 of the instruction."""
    mask = sum(1 << barrier for barrier in wait)
    flags = sum(1 << "abc".index(letter) for letter in reuse)
    return stall | stay << 4 | write << 5 | read << 8 | mask << 11 | flags << 17


class Kernel:
    """A list of instructions; `name` is the kernel's, `shared` its static shared memory in bytes;
    `constant`: c[3] is to hold 64 KiB of zeros; `passes`: how often begin() to end() runs."""

    def __init__(self, name, shared=1024, passes=2, constant=False):
        self.name, self.shared, self.passes, self.constant = name, shared, passes, constant
        self.code, self.labels, self.branches = [], {}, []
        self.registers = 24
        self.prologue()

    def op(self, name, d=0, a=0, b=0, c=0, imm=0, extra=0, guard=PT, unless=False, stall=1, stay=None,
           write=7, read=7, wait=(), reuse=""):
        """Appends one instruction; `guard` is a predicate's number, `unless` negates it."""
        low, high, fields = OPERATIONS[name]
        word = (high << 64 | low) & ~(0xf << 12) | extra
        word |= (guard | unless << 3) << 12
        for field, value in zip("dabci", (d, a, b, c, imm & 0xffffffff)):
            if field in fields:
                word |= value << FIELDS[field]
        stay = stall < LONG_STALL if stay is None else stay
        word |= control(stall, stay, write, read, wait, reuse) << 105
        self.code.append(word)
        used = [v for f, v in zip("dabc", (d, a, b, c)) if f in fields and v != RZ]
        self.registers = max([self.registers] + [v + 4 + SPARE for v in used])

    def label(self, name):
        self.labels[name] = len(self.code)

    def branch(self, target, name="BRA", **fields):
        """A branch, or the BSSY of one, to a label."""
        self.branches.append((len(self.code), target, name))
        self.op(name, **fields)

    def load_parameter(self, register, offset, wide=False):
        self.op("LDC.64" if wide else "LDC", d=register, a=RZ, extra=offset << 38, write=0)

    def prologue(self):
        """R2 = out + 4 * (warps before this one) is made by store(); here its number, in R0."""
        self.op("ULDC.64", d=4, extra=0x208 << 38, stall=7, stay=False)
        self.op("S2R", d=0, extra=0x21 << 72, write=0)            # SR_TID.X
        self.op("S2R", d=1, extra=0x25 << 72, write=0)            # SR_CTAID.X
        self.load_parameter(4, 0)                                 # blockDim.x
        self.load_parameter(PLACE, OUT_PARAMETER, wide=True)
        self.load_parameter(N, N_PARAMETER)
        self.op("IMAD", d=1, a=1, b=4, c=0, stall=6, wait=[0])
        self.op("MOV.I", d=5, imm=5, stall=6)
        self.op("SHF.R", d=1, a=RZ, b=5, c=1, stall=6)

    def begin(self, barrier=True):
        """The head of the loop over passes: the code of all but the last only warms the caches."""
        self.op("MOV.I", d=PASSES, imm=self.passes, stall=6)
        self.label("pass")
        if barrier:
            self.op("BAR.SYNC", stall=6)
            self.op("LDS", d=6, a=RZ, write=0, stall=2)     # a warp stops at a load, not at the barrier
            self.op("NOP", stall=2, wait=[0])

    def enter(self, sizes, label):
        """Branches to label(size) for the size that is the kernel's argument n."""
        for size in sizes:
            self.op("ISETP.EQ.I", a=N, imm=size, stall=15, stay=False)
            self.branch(label(size), guard=0, stall=5)

    def keep(self, register, start, stop):
        """Puts stop - start into `register`; what was there moves to the next one, and so on for three."""
        self.op("MOV", d=register + 2, b=register + 1, stall=6)
        self.op("MOV", d=register + 1, b=register, stall=6)
        self.elapsed(register, start, stop)

    def clock(self, register, stall=1, **fields):
        self.op("CS2R.32", d=register, stall=stall, **fields)
        self.registers = max(self.registers, register + 1 + SPARE)

    def elapsed(self, register, start, stop):
        """register = stop - start, two clock reads."""
        self.op("IADD3", d=register, a=stop, b=start, c=RZ, extra=1 << 63, stall=6)

    def end(self, stamps):
        """Closes the loop and writes the registers of `stamps` to out[warp * len(stamps) + i]."""
        self.end_of_passes()
        self.store(stamps)

    def end_of_passes(self):
        """Closes the loop."""
        self.op("VIADD", d=PASSES, a=PASSES, imm=-1, stall=6, wait=range(6))
        self.op("ISETP.NE.I", a=PASSES, imm=0, stall=15, stay=False)
        self.branch("pass", guard=0, stall=5)

    def store(self, stamps):
        self.op("IMAD.I", d=1, a=1, imm=4 * len(stamps), c=RZ, stall=6)
        self.op("MOV.I", d=4, imm=1, stall=6)
        self.op("IMAD.WIDE", d=PLACE, a=1, b=4, c=PLACE, stall=8)
        for i, register in enumerate(stamps):
            self.op("STG", a=PLACE, extra=register << 32 | 4 * i << 40, stall=2, read=0)
        self.op("EXIT", stall=5, wait=[0])

    def words(self):
        """The instructions, branches resolved, and the self-branch that ptxas puts behind EXIT."""
        code = list(self.code)
        for at, target, name in self.branches:
            distance = (self.labels[target] - at - 1) * 4           # in units of 4 bytes
            if name == "BSSY":
                code[at] |= (distance & (1 << 30) - 1) << 34
            else:
                code[at] |= (distance & 0xff) << 16 | (distance >> 8 & (1 << 48) - 1) << 34
        code.append(SELF_BRANCH)
        return code
