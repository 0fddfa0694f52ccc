"""The functions of pysimsm, against the command of the same build."""
import json
import os
import signal
import subprocess
import sys
import time

import pytest

import pysimsm
from pysimsm.trace import both, chase, either, global_thread, lane, random, thread, threads, blocks

BRANCH = "traces/lessons/branch.trace"
SMALL = {"gpu.sms": 2}


@pytest.fixture(scope="module", name="branch")
def run_branch():
    return pysimsm.run("t4", BRANCH, settings=SMALL)


def command(*arguments):
    ended = subprocess.run([pysimsm.find_simsm(), *map(str, arguments)], capture_output=True, text=True,
                           check=True)
    return ended.stdout


def test_run_is_the_run_of_the_command(branch, tmp_path):
    command("t4", BRANCH, "--quiet", "--set=gpu.sms=2", "--json", tmp_path / "json")
    own = json.loads((tmp_path / "json").read_text())
    assert own["run"]["cycles"] == branch.cycles
    for name, value in branch.to_dict()["metrics"].items():
        entry = own["metrics"][name]
        entry = entry["value"] if isinstance(entry, dict) else entry
        assert value == pytest.approx(entry), name
    assert len(branch.metrics) == len(own["metrics"]) > 100
    assert branch.units["gpu__time_duration.sum"] == "ns"
    assert json.loads(branch.to_json())["counters"] == branch.counters


def test_report_is_the_report_of_the_command(branch):
    shown = command("t4", BRANCH, "--set=gpu.sms=2", "--full", "--color=never").splitlines()
    assert len(shown) > 50
    common = set(shown) & set(branch.report().splitlines())
    assert len(common) >= 0.9 * len(set(shown))


def test_states_fill_the_time(branch):
    assert sum(branch.states.values()) == branch.cycles * 32 * 2
    assert branch.complete and branch.launch["name"] == "branch" and branch.lines[0]["issues"] > 0


def test_threads_change_nothing(branch):
    again = pysimsm.run("t4", BRANCH, settings=SMALL, threads=2)
    assert again.to_dict() == branch.to_dict()


def test_settings_and_limits(branch):
    with pytest.raises(pysimsm.InputError, match="threads must be a whole number from 1"):
        pysimsm.run("t4", BRANCH, threads=-1)
    other = pysimsm.run("t4", BRANCH, settings={**SMALL, "sm.scheduler": "lrr", "issue.register_ports": False})
    assert other.cycles != branch.cycles
    part = pysimsm.run("t4", BRANCH, settings=SMALL, max_cycles=5000)
    assert part.cycles == 5000 and not part.complete


TEXT = """kernel tiny
param blocks_wanted = 2
grid blocks_wanted
block 64
registers 8
FADD R1, R2, R3
"""


def test_text_and_parameters():
    two, five = (pysimsm.run("t4", TEXT, parameters={"blocks_wanted": n}) for n in (2, 5))
    name = "smsp__inst_executed.sum"
    assert five.counters[name] * 2 == two.counters[name] * 5 > 0


@pytest.mark.parametrize("arguments, words", [
    (("t4x", BRANCH), "t4x"),
    (("t4", "nowhere.trace"), "nowhere.trace"),
    (("t4", BRANCH, {"sm.schedular": "lrr"}), "sm.schedular"),
    (("t4", BRANCH, {"gpu.sms": 0}), "gpu.sms"),
])
def test_bad_input(arguments, words):
    with pytest.raises(pysimsm.InputError, match=words) as raised:
        pysimsm.run(arguments[0], arguments[1], settings=arguments[2] if len(arguments) > 2 else None)
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, pysimsm.Error)


@pytest.mark.parametrize("call, words", [
    (lambda: pysimsm.run(None, BRANCH), "configuration must be a name or a path, not None"),
    (lambda: pysimsm.run("t4", 7), "trace must be a path, a text or a Trace, not 7"),
    (lambda: pysimsm.run("t4", ""), "trace must be a path, a text or a Trace, not ''"),
    (lambda: pysimsm.run("t4", BRANCH, settings="gpu.sms=1"), "settings must be a dict such as"),
    (lambda: pysimsm.run("t4", BRANCH, max_cycles=-1), "max_cycles must be a whole number of at least 1"),
    (lambda: pysimsm.sweep("t4", BRANCH, {"gpu.sms": 1}), r"vary\['gpu.sms'\] must be a list, not 1"),
    (lambda: pysimsm.sweep("t4", BRANCH, {"gpu.sms": []}), r"vary\['gpu.sms'\] has no value"),
    (lambda: pysimsm.sweep("t4", BRANCH, {"gpu.sms": [1]}, "x"), "metrics must be a list, not 'x'"),
    (lambda: pysimsm.occupancy("t4", 128, 32, carveout="x"), "carveout must be a whole number"),
    (lambda: pysimsm.Timeline(None), "timeline must be a name or a path, not None"),
    (lambda: pysimsm.check("true", "h200"), "command must be a list, not 'true'"),
    (lambda: pysimsm.check([], "h200"), "command is empty"),
    (lambda: pysimsm.check(["true"], "h300"), "no configuration"),
])
def test_wrong_arguments(call, words):
    with pytest.raises(pysimsm.InputError, match=words):
        call()


def test_unknown_configuration_names_the_folder():
    folder = pysimsm.simulator.library().prefix / "share/simsm/configs"
    with pytest.raises(pysimsm.InputError) as raised:
        pysimsm.run("rtx4091", BRANCH)
    assert str(folder) in str(raised.value) and "rtx4090" in str(raised.value)


def test_recording_has_launches(tmp_path):
    (tmp_path / "one.trace").write_text(TEXT)
    recording = tmp_path / "one.smtr"
    command("record", "t4", tmp_path / "one.trace", "-o", recording)
    result = pysimsm.run("t4", recording, parameters={"launch": 1})
    result.record(tmp_path / "one.smtl")
    assert pysimsm.Timeline(tmp_path / "one.smtl").cycles == result.cycles
    (row,) = pysimsm.sweep("t4", recording, {"sm.scheduler": ["gto"]}, parameters={"launch": 1}, frame="list")
    assert row["sm__cycles_elapsed.max"] == pysimsm.run("t4", recording, settings={"sm.scheduler": "gto"}).cycles
    with pytest.raises(pysimsm.InputError):
        pysimsm.run("t4", recording, parameters={"launch": 7})


def test_error_of_a_text_names_the_line():
    with pytest.raises(pysimsm.InputError, match="<trace>:6") as raised:
        pysimsm.run("t4", TEXT.replace("FADD", "FOO"))
    assert (raised.value.file, raised.value.line) == ("<trace>", 6)


def test_ctrl_c_ends_a_run():
    text = TEXT.replace("FADD R1, R2, R3", "loop 100000000 {\nFADD R1, R1, R3\n}")
    code = (f"import pysimsm\ntry:\n    print('go', flush=True)\n    pysimsm.run('h200', {text!r})\n"
            "except KeyboardInterrupt:\n    print('interrupted')\n")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "go\n"
        time.sleep(1)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=20)[0] == "interrupted\n"


def test_occupancy_is_that_of_the_command(tmp_path):
    found = pysimsm.occupancy("h200", 256, 72, 40000)
    command("occupancy", "h200", "--threads=256", "--regs=72", "--smem=40000", "--no-plot",
            "--csv", tmp_path / "curves")
    rows = [line.split(",") for line in (tmp_path / "curves").read_text().splitlines()[1:]]
    current = [row for row in rows if row[6] == "1" or row[6] == "true"]
    assert current and all((found.blocks, found.warps) == (int(row[2]), int(row[3])) for row in current[:1])
    curve = dict(found.curve("registers"))
    assert curve == {int(row[1]): int(row[3]) for row in rows if row[0].startswith("reg")}
    assert found.limiter in ("registers", "shared memory", "shared") and 0 < found.percent < 100
    assert dict(found.curve("threads"))[256] == found.warps


def test_occupancy_refuses():
    with pytest.raises(pysimsm.InputError):
        pysimsm.occupancy("t4", 2048, 32)
    with pytest.raises(pysimsm.InputError, match="threads must be a whole number"):
        pysimsm.occupancy("t4", "many", 32)
    with pytest.raises(pysimsm.InputError, match="no curve"):
        pysimsm.occupancy("t4", 128, 32).curve("colour")


def test_sweep(branch):
    rows = pysimsm.sweep("t4", BRANCH, {"sm.scheduler": ["lrr", "gto"], "gpu.sms": [1, 2]},
                         ["sm__cycles_elapsed.max"], frame="list")
    assert [(row["sm.scheduler"], row["gpu.sms"]) for row in rows] == [
        ("lrr", 1), ("lrr", 2), ("gto", 1), ("gto", 2)]
    alone = [pysimsm.run("t4", BRANCH, settings={key: row[key] for key in ("sm.scheduler", "gpu.sms")}).cycles
             for row in rows]
    assert [row["sm__cycles_elapsed.max"] for row in rows] == alone
    assert branch.cycles in alone


def test_sweep_refuses():
    with pytest.raises(pysimsm.InputError, match="no metric"):
        pysimsm.sweep("t4", BRANCH, {"gpu.sms": [1]}, ["beauty"], frame="list")
    with pytest.raises(pysimsm.InputError):
        pysimsm.sweep("t4", BRANCH, {"gpu.smx": [1]}, frame="list")
    with pytest.raises(pysimsm.InputError, match="no key"):
        pysimsm.sweep("t4", BRANCH, {})


def test_sweep_gives_a_data_frame():
    pandas = pytest.importorskip("pandas")
    table = pysimsm.sweep("t4", BRANCH, {"gpu.sms": [1, 2]}, ["sm__cycles_elapsed.max"])
    assert isinstance(table, pandas.DataFrame) and list(table["gpu.sms"]) == [1, 2]


def saxpy():
    trace = pysimsm.Trace("saxpy", grid=4, block=(32, 2), shared=512)
    trips = trace.param("trips", 3)
    x = trace.buffer("x", 8 * threads * blocks)
    address, pair, sums, guard = trace.register(2), trace.register(2), trace.register(), trace.predicate()
    trace.op("S2R", sums, "SR_TID.X")
    with trace.loop(trips) as i:
        trace.load(pair, x + 8 * ((global_thread + i) % (threads * blocks)), base=address)
        trace.op("FFMA", sums, pair, pair, sums)
    trace.op("ISETP", guard, sums, 0)
    with trace.when(either(lane < 8, both(thread >= 32, random(2) == 0)), predicate=guard):
        trace.op("FADD", sums, sums, 1.0)
    with trace.otherwise():
        with trace.repeat(2):
            trace.op("FMUL", sums, sums, 2.0)
    with trace.warps("0"):
        trace.store(4 * thread, sums, space="shared")
    trace.barrier()
    trace.op("FADD", sums, sums, sums, guard=guard, where=lane == 0)
    trace.exit(where=lane > 15)
    trace.store(x + 8 * global_thread, pair, base=address)
    return trace


def test_builder():
    trace = saxpy().check()
    text = str(trace)
    assert "registers 5" in text and "LDG.64 R2, [R0.64 + (x + " in text and "} else {" in text
    few, many = (pysimsm.run("t4", trace, parameters={"trips": n}) for n in (1, 4))
    loads = "smsp__inst_executed.sum"
    body = many.counters[loads] - few.counters[loads]
    assert body == 8 * 3 * 3  # warps, trips, instructions: load, FFMA, branch
    assert few.lines[0]["text"].startswith("S2R")


def test_builder_chase():
    trace = pysimsm.Trace("walk", 1, 32)
    list_, at = trace.buffer("list", "1M"), trace.register()
    with trace.loop(4):
        trace.load(at, chase(list_, "1M", 128), base=at)
    assert pysimsm.run("t4", trace.check()).cycles > 4 * 200


def test_builder_refuses():
    trace = pysimsm.Trace("wrong", 1, 32)
    trace.op("FADD", "R9", "R0", "R0")
    with pytest.raises(pysimsm.InputError, match="R9") as raised:
        trace.check()
    assert raised.value.line == 5 and raised.value.file == "<trace>"
    with pytest.raises(pysimsm.InputError, match="otherwise"):
        with trace.otherwise():
            pass
    with pytest.raises(pysimsm.InputError, match="only in the simulation"):
        if lane < 3:
            pass


def test_timeline(branch, tmp_path):
    branch.record(tmp_path / "run.smtl")
    with pysimsm.Timeline(tmp_path / "run.smtl") as timeline:
        assert timeline.cycles == branch.cycles and timeline.sms == [0, 1] and timeline.complete
        assert timeline.launch == branch.launch and not timeline.damage
        totals = dict.fromkeys(timeline.states, 0)
        for sm in timeline.sms:
            for span in timeline.spans(sm):
                totals[span.state] += span.end - span.start
        assert {name: cycles for name, cycles in totals.items() if name in branch.states} == branch.states
        issues = sum(len(timeline.issues(sm)) for sm in timeline.sms)
        assert issues == branch.counters["smsp__inst_executed.sum"] == branch.states["selected"]
        states = timeline.slot(0, sm=1, start=2000, end=2500)
        assert len(states) == 500 and set(states) > {"selected"}
        assert sum(issue.slot == 0 for issue in timeline.issues(1, 2000, 2500)) == states.count("selected")
        assert all(warp.warp < 4 for warp in timeline.warps())
        with pytest.raises(pysimsm.InputError, match="SM 7 is not recorded"):
            timeline.spans(7)
        with pytest.raises(pysimsm.InputError, match="slot must be a whole number from 0 to 31, not 99"):
            timeline.slot(99)
    with pytest.raises(pysimsm.InputError, match="closed"):
        timeline.issues()


def test_timeline_refuses(tmp_path):
    (tmp_path / "text.smtl").write_text("no timeline at all, but long enough to be one")
    with pytest.raises(pysimsm.Error, match="text.smtl"):
        pysimsm.Timeline(tmp_path / "text.smtl")
    with pytest.raises(pysimsm.Error, match="nowhere"):
        pysimsm.Timeline(tmp_path / "nowhere.smtl")


@pytest.mark.skipif(not os.environ.get("VIEW"), reason="simsm-view is not built")
def test_notebook_display():
    shown = pysimsm.run("t4", saxpy())._repr_html_()  # pylint: disable=protected-access
    assert shown.startswith("<table><tr><td>kernel</td><td") and "sm__cycles_elapsed.max" in shown
    assert '<iframe srcdoc="' in shown and "&lt;canvas" in shown


@pytest.mark.skipif(not os.environ.get("VIEW"), reason="simsm-view is not built")
def test_page_is_kept(monkeypatch):
    result = pysimsm.run("t4", saxpy())
    page = result.page()
    monkeypatch.setenv("SIMSM", "/nowhere/simsm")
    assert result.page() is page


def test_record_ends_where_the_run_ended(tmp_path):
    result = pysimsm.run("t4", saxpy(), max_cycles=1000)
    assert not result.complete
    result.record(tmp_path / "part.smtl")
    with pytest.raises(pysimsm.InputError, match="^sms: 'first' is not a list of SMs.*8:12$"):
        result.record(tmp_path / "part.smtl", sms="first")
    with pysimsm.Timeline(tmp_path / "part.smtl") as timeline:
        assert timeline.cycles == result.cycles
