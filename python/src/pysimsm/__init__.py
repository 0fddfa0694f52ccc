"""simsm from Python: runs traces and recordings, reads timelines, checks CUDA programs."""
from pysimsm.check import Checked, check, require_gpu
from pysimsm.errors import Error, InputError
from pysimsm.findings import Finding, Place, read_findings
from pysimsm.occupancy import Occupancy, occupancy
from pysimsm.run import Result, run
from pysimsm.simulator import find_simsm, traces
from pysimsm.sweep import sweep
from pysimsm.timeline import Timeline
from pysimsm.trace import Trace

__all__ = ["Checked", "Error", "Finding", "InputError", "Occupancy", "Place", "Result", "Timeline", "Trace",
           "check", "find_simsm", "occupancy", "read_findings", "require_gpu", "run", "sweep",
           "traces"]
