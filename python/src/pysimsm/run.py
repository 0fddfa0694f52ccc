"""Runs a trace or a recording, and returns what was counted."""
import functools
import html
import json
import math
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

from pysimsm.arguments import mapping, path_of, whole
from pysimsm.errors import Error, from_text
from pysimsm.simulator import as_text, find_simsm, find_viewer, library, options_of
from pysimsm.trace import trace_file

PAGE_LIMIT = 32 << 20  # bytes of a page that a notebook still takes
STOPPED = 3            # status of a command that --max-cycles has ended
SLICE_SECONDS = 0.1    # Ctrl-C is heard between slices


@dataclass(frozen=True)
class Result:
    """A launch that was simulated. metrics, counters: {name: value}, with Nsight Compute's names where
    it has the same metric; units: {name: unit} of both. states: {name: slot cycles}."""
    config: str
    trace: object
    cycles: int
    complete: bool
    launch: dict
    metrics: dict = field(repr=False)
    counters: dict = field(repr=False)
    states: dict = field(repr=False)
    lines: list = field(repr=False)
    units: dict = field(repr=False)
    meanings: dict = field(repr=False)
    settings: dict = field(repr=False)
    parameters: dict = field(repr=False)
    _report: str = field(repr=False)

    def report(self):
        """Returns the text report with all sections."""
        return self._report

    def to_dict(self):
        """Returns everything as a dict that json can write; values that are not defined are None."""
        return {"config": self.config, "settings": self.settings, "parameters": self.parameters,
                "cycles": self.cycles, "complete": self.complete, "launch": self.launch,
                "metrics": {name: None if math.isnan(value) else value
                            for name, value in self.metrics.items()},
                "counters": self.counters, "states": self.states, "lines": self.lines}

    def to_json(self, **options):
        """Returns to_dict() as JSON. options: those of json.dumps."""
        return json.dumps(self.to_dict(), **options)

    def record(self, path, *, sms=None, cycles=None):
        """Simulates again, as far as this run came, and writes a timeline (.smtl). sms: such as "0" or
        "0:4"; cycles: "A:B"."""
        with trace_file(self.trace) as (trace, name):
            line = [find_simsm(), library().config_path(self.config), trace, "--quiet",
                    "--timeline", path_of(path, "the timeline")]
            line += options_of(trace, self.settings, self.parameters)
            line += [f"--timeline-sm={sms}"] if sms is not None else []
            line += [f"--timeline-cycles={cycles}"] if cycles else []
            line += [] if self.complete else [f"--max-cycles={self.cycles}"]
            _call(line, {trace: name, "--timeline-sm": "sms", "--timeline-cycles": "cycles"},
                  stopped=not self.complete)

    def page(self):
        """Returns the report page of this run, with its timeline, as one HTML document."""
        return self._page

    @functools.cached_property
    def _page(self):
        """The page: a run is recorded when its page is first wanted, and then kept."""
        viewer = find_viewer()
        if not viewer:
            raise Error("there is no simsm-view beside simsm: pages need it")
        with tempfile.TemporaryDirectory(prefix="pysimsm") as folder:
            timeline, page = os.path.join(folder, "run.smtl"), os.path.join(folder, "page.html")
            self.record(timeline)
            _call([viewer, timeline, "--html", page])
            with open(page, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td style='text-align:right'>{value}</td></tr>"
                       for name, value in self._table())
        table = f"<table>{rows}</table>"
        try:
            page = self.page()
        except Error as error:
            return f"{table}<p>{html.escape(str(error))}</p>"
        if len(page) > PAGE_LIMIT:
            return f"{table}<p>The page has {len(page) >> 20} MB: write it with page().</p>"
        return (f'{table}<iframe srcdoc="{html.escape(page)}" '
                'style="width:100%;height:600px;border:0"></iframe>')

    def _table(self):
        wanted = ("sm__cycles_elapsed.max", "gpu__time_duration.sum",
                  "sm__warps_active.avg.pct_of_peak_sustained_active",
                  "sm__inst_executed.avg.per_cycle_active")
        yield "kernel", html.escape(self.launch["name"])
        for name in wanted:
            yield name, f"{self.metrics[name]:.5g} {html.escape(self.units[name])}"
        resident = {name: cycles for name, cycles in self.states.items()
                    if name not in ("empty", "exited")}
        total = sum(resident.values()) or 1
        for name, cycles in sorted(resident.items(), key=lambda item: -item[1])[:3]:
            yield f"warps: {name}", f"{100 * cycles / total:.1f} %"


def _call(line, names=None, stopped=False):
    """Runs a command. names: replaces words of its message by those of the caller."""
    ended = subprocess.run(line, capture_output=True, text=True, errors="replace", check=False)
    if ended.returncode and not (stopped and ended.returncode == STOPPED):
        text = ended.stderr
        for word, name in (names or {}).items():
            text = text.replace(word, name)
        raise from_text(text, ended.returncode)
    return ended.stdout


def launch_dict(found, launch):
    """Returns a struct simsm_launch as a dict."""
    return {"name": found.text(launch.name), "grid": list(launch.grid), "block": list(launch.block),
            "registers": launch.registers, "shared_static": launch.shared_static,
            "shared_dynamic": launch.shared_dynamic}


def _lines(found, stats):
    lib, lines = found.lib, []
    for i in range(stats.line_count):
        info, counted = stats.line_info[i], stats.lines[i]
        lines.append({"text": found.text(info.text), "line": info.line, "file": found.text(info.file),
                      "issues": counted.issues, "threads": counted.threads,
                      "states": {found.text(lib.simsm_states[s].name): counted.states[s]
                                 for s in range(lib.SIMSM_STATE_COUNT) if counted.states[s]}})
    return lines


def _metrics(found, config, stats):
    count = found.lib.simsm_metrics(config, stats, found.ffi.NULL, 0)
    metrics = found.ffi.new("struct simsm_metric[]", count)
    found.lib.simsm_metrics(config, stats, metrics, count)
    return [(found.text(m.name), m.value, found.text(m.unit), found.text(m.meaning)) for m in metrics]


def _result(found, config, stats, about):
    lib = found.lib
    metrics = _metrics(found, config, stats)
    counters = [(found.text(info.name), stats.counter[i], found.text(info.unit), found.text(info.meaning))
                for i, info in enumerate(lib.simsm_counters[i] for i in range(lib.SIMSM_COUNTER_COUNT))]
    report = lib.simsm_report_text(config, stats, about["config"].encode(), about.pop("shown").encode())
    text = found.text(report)
    lib.free(report)
    if text is None:
        raise MemoryError("no memory for the report")
    return Result(cycles=stats.cycles, complete=stats.complete, launch=launch_dict(found, stats.launch),
                  metrics={row[0]: row[1] for row in metrics},
                  counters={row[0]: row[1] for row in counters},
                  states={found.text(lib.simsm_states[s].name): stats.states[s]
                          for s in range(lib.SIMSM_STATE_COUNT)},
                  lines=_lines(found, stats), units={row[0]: row[2] for row in metrics + counters},
                  meanings={row[0]: row[3] for row in metrics + counters}, _report=text, **about)


def _run_in_slices(found, simulation, error, max_cycles):
    """Returns the status. A slice is so long that Ctrl-C is heard soon."""
    limit = max_cycles or 2**64 - 1
    until, step = 0, 1000
    while True:
        until = min(limit, until + step)
        began = time.monotonic()
        status = found.lib.simsm_run(simulation, until, error)
        if status != found.lib.SIMSM_LIMIT or until == limit:
            return status
        took = time.monotonic() - began
        step = step * 2 if took < SLICE_SECONDS / 2 else max(1000, step // 2) if took > SLICE_SECONDS else step


def run(config, trace, *, settings=None, parameters=None, threads=1, max_cycles=None):
    """Simulates the kernel of a trace and returns a Result.

    config: a name such as "t4", or the path of a YAML file. trace: a path of a trace or a recording, a
    text of the trace language, or a pysimsm.Trace. settings: keys of the configuration, such as
    {"sm.scheduler": "lrr"}. parameters: of the trace; for a recording {"launch": N} chooses a launch.
    threads: that simulate SMs; the result is the same on any number. max_cycles: ends the run early;
    the result is then not complete. Raises InputError for bad input, and Error if the run fails.
    """
    found = library()
    ffi, lib = found.ffi, found.lib
    settings = mapping(settings, "settings", '{"sm.scheduler": "lrr"}')
    parameters = mapping(parameters, "parameters", '{"trips": 8}')
    threads = whole(threads, "threads", 1, lib.SIMSM_THREADS_MAX)
    max_cycles = None if max_cycles is None else whole(max_cycles, "max_cycles", 1)
    gpu = found.config(config, settings)
    texts = [ffi.new("char[]", f"{name}={as_text(value)}".encode()) for name, value in parameters.items()]
    listed = ffi.new("char *[]", [*texts, ffi.NULL])
    options = ffi.new("struct simsm_options *", {"threads": threads})
    options.parameters = ffi.cast("const char *const *", listed)
    error, simulation = ffi.new("struct simsm_error *"), ffi.new("struct simsm **")
    with trace_file(trace) as (path, name):
        try:
            found.check(lib.simsm_open(simulation, gpu, path.encode(), options, error), error, {path: name})
            status = _run_in_slices(found, simulation[0], error, max_cycles)
            if status != lib.SIMSM_LIMIT:
                found.check(status, error, {path: name})
            return _result(found, gpu, lib.simsm_stats(simulation[0]),
                           {"config": os.fspath(config), "trace": trace, "shown": name,
                            "settings": settings, "parameters": parameters})
        finally:
            lib.simsm_close(simulation[0])
