"""Plug-in of pytest: runs each test under `simsm check`, and checks programs that tests start.

With --simsm-check GPU, a test runs in a process of its own below `simsm check`. That process is
pytest with the same options and this one test; it writes its reports to the file that
$PYSIMSM_REPORTS names, and the first process shows them as its own. So findings belong to the test
that made them, leaks too, and a kernel that fails does no harm to the next test.
"""
import json
import os
import sys
import tempfile

import pytest

from pysimsm.check import check, require_gpu
from pysimsm.errors import Error

REPORTS = "PYSIMSM_REPORTS"


def pytest_addoption(parser):
    group = parser.getgroup("simsm", "simsm check: mistakes in CUDA code")
    group.addoption("--simsm-check", metavar="GPU",
                    help="run each test under simsm check with this GPU, such as h200")
    group.addoption("--simsm-tool", metavar="TOOLS",
                    help="look for these alone: memory, race, sync, init, leak, api or kinds, "
                         "separated by commas")
    group.addoption("--simsm-suppressions", metavar="FILE", help="leave these findings out")
    group.addoption("--simsm", metavar="COMMAND",
                    help="the simsm command; default: $SIMSM, or the one on the path")


def pytest_configure(config):
    if os.environ.get(REPORTS):
        config.pluginmanager.register(_Child(os.environ[REPORTS], config), "simsm-child")
        return
    gpu = config.getoption("simsm_check")
    if not gpu:
        return
    try:
        require_gpu(gpu, config.getoption("simsm"))
    except Error as error:
        raise pytest.UsageError(f"--simsm-check {gpu}: {error}") from error
    config.pluginmanager.register(_Parent(config), "simsm-parent")


def pytest_report_header(config):
    gpu = config.getoption("simsm_check")
    return f"simsm: each test under simsm check {gpu}" if gpu and not os.environ.get(REPORTS) else None


class _Child:
    """Writes the reports of the one test, a line of JSON for each."""

    def __init__(self, path, config):
        self.path, self.config = path, config

    def pytest_runtest_logreport(self, report):
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(data, default=str) + "\n")


class _Parent:
    """Runs each test in a process of its own."""

    def __init__(self, config):
        self.config = config

    def command(self, item):
        """Returns the command line that runs this test alone with the options of this run."""
        given = set(self.config.getoption("file_or_dir") or [])
        options = [str(arg) for arg in self.config.invocation_params.args if str(arg) not in given]
        options += ["-p", "no:cacheprovider", "--capture=fd", "--junitxml="]
        options += ["-n0"] if self.config.pluginmanager.hasplugin("xdist") else []
        return [sys.executable, "-m", "pytest", *options, f"{self.config.rootpath}/{item.nodeid}"]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        del nextitem
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in self.run(item):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def run(self, item):
        """Runs the test; returns its reports, with the findings in them."""
        option = self.config.getoption
        with tempfile.TemporaryDirectory(prefix="pysimsm") as folder:
            path = os.path.join(folder, "reports")
            try:
                checked = check(self.command(item), option("simsm_check"), simsm=option("simsm"),
                                tools=option("simsm_tool"),
                                suppressions=option("simsm_suppressions"),
                                cwd=self.config.invocation_params.dir,
                                env={**os.environ, REPORTS: path})
            except Error as error:
                raise pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)
            reports = self.read(item, path)
        return self.judge(item, reports, checked)

    def read(self, item, path):
        """Returns the reports that the other process has written."""
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            reports = [self.config.hook.pytest_report_from_serializable(
                config=self.config, data=json.loads(line)) for line in file]
        for report in reports:
            report.nodeid, report.location = item.nodeid, item.location
            if isinstance(report.longrepr, list):  # of a skip: a tuple that became JSON
                report.longrepr = tuple(report.longrepr)
        return reports

    @staticmethod
    def judge(item, reports, checked):
        """Lets the test fail if there are findings, or if its process has ended too early."""
        call = next((report for report in reports if report.when == "call"), None)
        ended = any(report.when == "teardown" for report in reports)
        text = f"simsm check found mistakes in CUDA code:\n{checked.report}"
        if not ended:
            call = _failed(item, f"the process of the test ended with status {checked.returncode}:\n"
                           f"{checked.stdout}\n{checked.stderr}\n{checked.report}")
            return [*(report for report in reports if report.when == "setup"), call]
        if checked.serious and call is None:
            call = reports[0]
        if checked.serious and call.outcome == "passed":
            call.outcome, call.longrepr = "failed", text
        elif checked.findings:
            call = call or reports[0]
            call.sections.append(("simsm check", checked.report))
        return reports


def _failed(item, text):
    return pytest.TestReport(nodeid=item.nodeid, location=item.location,
                             keywords={name: 1 for name in item.keywords}, outcome="failed",
                             longrepr=text, when="call")


@pytest.fixture
def simsm_check(request):
    """Returns a function that runs a command under simsm check and returns a pysimsm.Checked.

    simsm_check(COMMAND, gpu="h200", tools=None, suppressions=None, expect_findings=False,
    timeout=None, cwd=..., env=...). The test fails if there are errors or warnings, unless it
    expects them. Defaults are the options of pytest.
    """
    option = request.config.getoption

    def run(command, gpu=None, *, expect_findings=False, **arguments):
        arguments.setdefault("tools", option("simsm_tool"))
        arguments.setdefault("suppressions", option("simsm_suppressions"))
        arguments.setdefault("simsm", option("simsm"))
        refused = None
        try:
            checked = check(command, gpu or option("simsm_check") or "h200", **arguments)
        except Error as error:
            refused = str(error)
        if refused:
            pytest.fail(refused, pytrace=False)
        if checked.serious and not expect_findings:
            pytest.fail(f"simsm check found mistakes in CUDA code:\n{checked.report}", pytrace=False)
        return checked

    return run
