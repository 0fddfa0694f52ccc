"""simsm from Python: runs CUDA programs under `simsm check` and returns what it has found."""
from pysimsm.check import Checked, SimsmError, check, find_simsm, require_gpu
from pysimsm.findings import Finding, Place, read_findings

__all__ = ["Checked", "Finding", "Place", "SimsmError", "check", "find_simsm", "read_findings",
           "require_gpu"]
