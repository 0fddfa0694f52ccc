"""Traces built in Python: the text of the trace language (docs/trace-format.md)."""
import os
import subprocess
import tempfile
from contextlib import contextmanager

from pysimsm.arguments import path_of
from pysimsm.errors import InputError, from_text
from pysimsm.simulator import find_simsm


class Expression:
    """A 64-bit number that may differ from lane to lane. Operators are those of Python, with C's meaning
    of / and %; both() and either() are && and ||."""

    def __init__(self, text):
        self.text = str(text)

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Expression({self.text})"

    __hash__ = object.__hash__

    def __bool__(self):
        raise InputError(f"'{self.text}' has a value only in the simulation: use Trace.when() and both(), "
                         "either() in place of if, and, or")

    def __neg__(self):
        return Expression(f"-({self})")

    def __invert__(self):
        return Expression(f"~({self})")


def _operator(spelled, swapped=False):
    def method(self, other):
        a, b = (other, self) if swapped else (self, other)
        return Expression(f"({a} {spelled} {b})")
    return method


for _name, _spelled in {"add": "+", "sub": "-", "mul": "*", "floordiv": "/", "truediv": "/", "mod": "%",
                        "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>"}.items():
    setattr(Expression, f"__{_name}__", _operator(_spelled))
    setattr(Expression, f"__r{_name}__", _operator(_spelled, swapped=True))
for _name, _spelled in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    setattr(Expression, f"__{_name}__", _operator(_spelled))

lane, thread, warp, block, global_thread, threads, warps, blocks = map(Expression, (
    "lane", "thread", "warp", "block", "global_thread", "threads", "warps", "blocks"))


def both(a, b):
    """a && b."""
    return Expression(f"({a} && {b})")


def either(a, b):
    """a || b."""
    return Expression(f"({a} || {b})")


def random(limit, *keys):
    """0 to limit - 1: another number for each thread and trip, or a function of the keys alone."""
    return Expression(f"random({', '.join(map(str, (limit, *keys)))})")


def chase(base, size, unit):
    """An address that walks `size` bytes in steps of `unit` in a pseudo-random order."""
    return Expression(f"chase({base}, {size}, {unit})")


class Register:
    """The first register of an operand: R0, P0. width: registers that it spans."""

    def __init__(self, name, width=1):
        self.name, self.width = name, width

    def __str__(self):
        return self.name


def _extents(value):
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


class Trace:
    """A kernel, built instruction by instruction; str() is its text.

    registers: of a thread; None: as many as register() has given out. shared: bytes of a block.
    """

    def __init__(self, name, grid, block, registers=None, shared=0):
        self._name, self._extents = name, [f"grid {_extents(grid)}", f"block {_extents(block)}"]
        self._registers, self._shared = registers, shared
        self._parameters, self._names, self._body, self._depth = [], [], [], 0
        self._next, self._predicates, self._counters = 0, 0, 0

    def __repr__(self):
        return f"Trace({self._name!r})"

    def __str__(self):
        registers = self._registers if self._registers is not None else max(self._next, 1)
        head = [f"kernel {self._name}", *self._parameters, *self._extents, f"registers {registers}"]
        head += [f"shared {self._shared}"] if self._shared else []
        return "\n".join([*head, *self._names, *self._body]) + "\n"

    def param(self, name, value):
        """A constant that `parameters` of a run can change; grid and block may use its name."""
        self._parameters.append(f"param {name} = {value}")
        return Expression(name)

    def let(self, name, value):
        """A name for an expression."""
        self._names.append(f"let {name} = {value}")
        return Expression(name)

    def buffer(self, name, size):
        """A region of global memory of `size` bytes; the value is its address."""
        self._names.append(f"buffer {name} = {size}")
        return Expression(name)

    def register(self, width=1):
        """Returns the next free register, or an aligned group of 2 or 4 for wide operands."""
        if width not in (1, 2, 4):
            raise InputError(f"a register group has 1, 2 or 4 registers, not {width}")
        first = -(-self._next // width) * width
        self._next = first + width
        return Register(f"R{first}", width)

    def predicate(self):
        """Returns the next free predicate register."""
        self._predicates += 1
        return Register(f"P{self._predicates - 1}")

    def _line(self, text):
        self._body.append("    " * self._depth + text)

    def op(self, opcode, *operands, guard=None, where=None, control=None):
        """An instruction, as a disassembler prints it: op("FFMA", d, a, b, c).

        guard: a predicate register; where: the lanes for which it holds, as an expression. control: control
        bits, such as "stall=4 write=0".
        """
        before = f"@{guard or 'PT'}({where}) " if where is not None else f"@{guard} " if guard else ""
        after = f" ; {control}" if control else ""
        self._line(f"{before}{opcode} {', '.join(map(str, operands))}".rstrip() + after)

    def load(self, to, address, *, base=None, space="global", **how):
        """Loads into a register. address: an expression in bytes; base: the register that holds the address,
        on which the load waits. space: "global", "shared" or "local". The width is that of `to`."""
        self.op(_access("LD", space, to), to, _at(base, address), **how)

    def store(self, address, value, *, base=None, space="global", **how):
        """Stores a register."""
        self.op(_access("ST", space, value), _at(base, address), value, **how)

    def barrier(self, number=0):
        """All warps of the block wait for each other (__syncthreads())."""
        self.op("BAR.SYNC", number)

    def exit(self, where=None):
        """Ends the lanes for which `where` holds, or all."""
        self.op("EXIT", where=where)

    @contextmanager
    def _braces(self, head):
        self._line(head + " {")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            self._line("}")

    @contextmanager
    def loop(self, trips, name=None, *, predicate=None):
        """A real loop with a branch. Gives its counter, which is 0 in the first trip."""
        with self._counted("loop", trips, name, predicate) as counter:
            yield counter

    @contextmanager
    def repeat(self, times, name=None):
        """The body several times without a branch, as if unrolled. Gives the counter."""
        with self._counted("repeat", times, name, None) as counter:
            yield counter

    @contextmanager
    def _counted(self, word, trips, name, predicate):
        name = name or f"i{self._counters}"
        self._counters += 1
        on = f" @{predicate}" if predicate else ""
        with self._braces(f"{word}{on} {trips} as {name}"):
            yield Expression(name)

    def when(self, condition, *, predicate=None):
        """The lanes for which the condition holds: a branch that diverges if lanes differ."""
        on = f" @{predicate}" if predicate else ""
        return self._braces(f"if{on} ({condition})")

    def lanes(self, lanes):
        """These lanes, such as "0-15,20": a branch."""
        return self._braces(f"lanes {lanes}")

    def warps(self, warps):  # pylint: disable=redefined-outer-name
        """These warps of the block, such as "0-3", or those of a condition; costs nothing."""
        return self._braces(f"warps {f'({warps})' if isinstance(warps, Expression) else warps}")

    @contextmanager
    def otherwise(self):
        """The other side of the when, lanes or warps that has just ended."""
        if not self._body or self._body[-1] != "    " * self._depth + "}":
            raise InputError("otherwise() follows a when(), lanes() or warps() that has ended")
        self._body.pop()
        with self._braces("} else"):
            yield

    def check(self):
        """Lets simsm read the trace and execute some of its blocks. Raises InputError, with the line of the
        text, for what it does not accept, and Error for addresses and barriers that are wrong."""
        with trace_file(self) as (path, name):
            ended = subprocess.run([find_simsm(), "trace", "check", path], capture_output=True, text=True,
                                   check=False)
            if ended.returncode:
                raise from_text((ended.stderr or ended.stdout).replace(path, name), ended.returncode)
        return self


def _access(opcode, space, register):
    letters = {"global": "G", "shared": "S", "local": "L"}
    if space not in letters:
        raise InputError(f"there is no space '{space}'; there are {', '.join(letters)}")
    wide = {2: ".64", 4: ".128"}.get(getattr(register, "width", 1), "")
    return opcode + letters[space] + wide


def _at(base, address):
    if base is None:
        return f"[{address}]"
    wide = ".64" if getattr(base, "width", 1) == 2 else ""
    return f"[{base}{wide} + {address}]"


@contextmanager
def trace_file(trace):
    """Gives (path, name) of a trace: a path, a text of the trace language, or a Trace."""
    is_text = isinstance(trace, str) and "\n" in trace
    if not is_text and not isinstance(trace, Trace):
        path = path_of(trace, "the trace", "a path, a text or a Trace")
        yield path, path
        return
    with tempfile.TemporaryDirectory(prefix="pysimsm") as folder:
        path = os.path.join(folder, "text.trace")
        with open(path, "w", encoding="utf-8") as file:
            file.write(str(trace))
        yield path, "<trace>"
