"""Runs a program under `simsm check`."""
import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import List

from pysimsm.arguments import listed, path_of
from pysimsm.errors import InputError, from_text
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
    """Raises InputError, with simsm's message, unless it knows the GPU."""
    shown = subprocess.run([find_simsm(simsm), "config", "show", path_of(gpu, "the configuration")], capture_output=True,
                           text=True, check=False)
    if shown.returncode:
        raise from_text(shown.stderr, shown.returncode)


def check(command, gpu, *, simsm=None, tools=None, suppressions=None, timeout=None, **popen):
    """Runs `command`, a list, under `simsm check GPU` and returns a Checked.

    tools: as --tool, such as "race,init", or a list. suppressions: a file of them. Further arguments (cwd,
    env) are those of subprocess.run. Raises InputError if simsm refuses the command, and
    subprocess.TimeoutExpired after `timeout` seconds.
    """
    command = [*map(str, listed(command, "the command"))]
    if not command:
        raise InputError("the command is empty")
    with tempfile.TemporaryDirectory(prefix="pysimsm") as folder:
        sarif, report = os.path.join(folder, "sarif"), os.path.join(folder, "report")
        line = [find_simsm(simsm), "check", path_of(gpu, "the configuration"), "--any", "--sarif", sarif, "--report", report]
        line += ["--tool", tools if isinstance(tools, str) else ",".join(listed(tools, "tools"))] if tools else []
        line += ["--suppressions", str(suppressions)] if suppressions else []
        ended = subprocess.run([*line, "--", *command], capture_output=True, text=True,
                               errors="replace", timeout=timeout, check=False, **popen)
        if ended.returncode == 2 and not os.path.exists(sarif) and "simsm:" in ended.stderr:
            raise from_text(ended.stderr, ended.returncode)
        text = ""
        if os.path.exists(report):
            with open(report, encoding="utf-8", errors="replace") as file:
                text = file.read()
        return Checked(ended.returncode, ended.stdout, ended.stderr, read_findings(sarif), text)
