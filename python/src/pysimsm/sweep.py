"""Many runs of one trace: `simsm sweep` as a data frame."""
import csv
import importlib
import os
import subprocess
import tempfile

from pysimsm.arguments import listed, mapping, whole
from pysimsm.errors import Error, InputError, from_text
from pysimsm.simulator import as_text, find_simsm, library, options_of
from pysimsm.trace import trace_file


def sweep(config, trace, vary, metrics=None, *, settings=None, parameters=None, jobs=None, frame=None):
    """Simulates a trace under all combinations of values and returns a row for each.

    vary: such as {"sm.scheduler": ["lrr", "gto"], "param.trips": [1, 2]}; the arguments of `run` are the
    same. metrics: their columns; None: all. jobs: points at a time; None: one for each processor. frame:
    "pandas", "polars" or "list" (of dicts); None: the first of these that is installed.
    """
    vary = mapping(vary, "vary", '{"sm.scheduler": ["lrr", "gto"]}')
    if not vary:
        raise InputError("vary names no key: vary={'sm.scheduler': ['lrr', 'gto']}")
    vary = {key: listed(values, f"vary[{key!r}]") for key, values in vary.items()}
    for key, values in vary.items():
        if not values:
            raise InputError(f"vary[{key!r}] has no value")
    metrics = None if metrics is None else listed(metrics, "metrics")
    settings = mapping(settings, "settings", '{"gpu.sms": 2}')
    parameters = mapping(parameters, "parameters", '{"trips": 8}')
    with trace_file(trace) as (path, name), tempfile.TemporaryDirectory(prefix="pysimsm") as folder:
        table = os.path.join(folder, "table.csv")
        line = [find_simsm(), "sweep", library().config_path(config), path, "--no-plot", f"--csv={table}"]
        line += [f"--vary={key}={','.join(map(as_text, values))}" for key, values in vary.items()]
        line += options_of(path, settings, parameters)
        line += [f"--jobs={whole(jobs, 'jobs', 1, 1024)}"] if jobs is not None else []
        ended = subprocess.run(line, capture_output=True, text=True, errors="replace", check=False)
        if ended.returncode:
            raise from_text(ended.stderr.replace(path, name), ended.returncode)
        with open(table, encoding="utf-8", newline="") as file:
            rows = [{column: _value(text) for column, text in row.items()} for row in csv.DictReader(file)]
    return _frame([_chosen(row, vary, metrics) for row in rows], frame)


def _value(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def _chosen(row, vary, metrics):
    if metrics is None:
        return row
    for name in metrics:
        if name not in row:
            raise InputError(f"there is no metric '{name}'; `simsm metrics` lists those there are")
    return {name: row[name] for name in [*vary, *metrics]}


def _frame(rows, frame):
    kinds = [frame] if frame else ["pandas", "polars", "list"]
    for kind in kinds:
        if kind == "list":
            return rows
        if kind not in ("pandas", "polars"):
            raise InputError(f"there is no frame '{kind}'; there are pandas, polars, list")
        try:
            return importlib.import_module(kind).DataFrame(rows)
        except ImportError as error:
            if frame:
                raise Error(f"frame='{kind}' needs {kind}, which is not installed") from error
    return rows
