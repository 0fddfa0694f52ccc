"""Runs a program under `simsm check`."""
import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import List

from pysimsm.errors import Error
from pysimsm.findings import Finding, read_findings
from pysimsm.simulator import find_simsm


@dataclass(frozen=True)
class Checked:
    """A program that has run. report: the findings as text; "": none were written."""
    returncode: int
    stdout: str
    stderr: str
    findings: List[Finding]
    report: str

    @property
    def serious(self):
        """The findings that are errors or warnings."""
        return [finding for finding in self.findings if finding.serious]


def require_gpu(gpu, simsm=None):
    """Raises Error, with simsm's message, unless it knows the GPU."""
    shown = subprocess.run([find_simsm(simsm), "config", "show", gpu], capture_output=True,
                           text=True, check=False)
    if shown.returncode:
        raise Error(shown.stderr.strip() or f"simsm config show {gpu} has failed")


def check(command, gpu, *, simsm=None, tools=None, suppressions=None, timeout=None, **popen):
    """Runs `command`, a list, under `simsm check GPU` and returns a Checked.

    tools: as --tool, such as "race,init". suppressions: a file of them. Further arguments (cwd,
    env) are those of subprocess.run. Raises Error if simsm refuses the command, and
    subprocess.TimeoutExpired after `timeout` seconds.
    """
    with tempfile.TemporaryDirectory(prefix="pysimsm") as folder:
        sarif, report = os.path.join(folder, "sarif"), os.path.join(folder, "report")
        line = [find_simsm(simsm), "check", gpu, "--any", "--sarif", sarif, "--report", report]
        line += ["--tool", tools] if tools else []
        line += ["--suppressions", str(suppressions)] if suppressions else []
        ended = subprocess.run([*line, "--", *map(str, command)], capture_output=True, text=True,
                               errors="replace", timeout=timeout, check=False, **popen)
        if ended.returncode == 2 and not os.path.exists(sarif) and "simsm:" in ended.stderr:
            raise Error(ended.stderr.strip())
        text = ""
        if os.path.exists(report):
            with open(report, encoding="utf-8", errors="replace") as file:
                text = file.read()
        return Checked(ended.returncode, ended.stdout, ended.stderr, read_findings(sarif), text)
