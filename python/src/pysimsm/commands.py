"""The commands of a wheel: they become the simulator's programs."""
import os
import sys

from pysimsm.simulator import BUNDLED


def _become(name):
    program = BUNDLED / "bin" / name
    if not program.exists():
        sys.exit(f"{name}: this installation of pysimsm has no simulator inside; install the wheel that "
                 "./dev wheel builds, or simsm itself")
    os.execv(program, [str(program), *sys.argv[1:]])


def simsm():
    """The command simsm."""
    _become("simsm")


def simsm_view():
    """The command simsm-view."""
    _become("simsm-view")
