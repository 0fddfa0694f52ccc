"""The code of python/README.md and of the notebooks runs, and says what the simulator says."""
import contextlib
import io
import json
import re
from pathlib import Path

import pytest

PYTHON = Path("python")


def cells(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    assert all(not cell["outputs"] for cell in book["cells"] if cell["cell_type"] == "code")
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


@pytest.fixture(name="said")
def run_first_steps():
    names, out = {}, io.StringIO()
    with contextlib.redirect_stdout(out):
        for cell in cells(PYTHON / "examples/first_steps.ipynb"):
            exec(cell, names)  # pylint: disable=exec-used
    return names, out.getvalue()


def test_first_steps(said):
    names, text = said
    assert f"{names['result'].cycles} cycles" in text
    assert "limited by registers" in text and "| line 5" in text
    assert names["states"].count("long_scoreboard") > 100
    column = list(names["table"]["sm__cycles_elapsed.max"]) if hasattr(names["table"], "columns") else [
        row["sm__cycles_elapsed.max"] for row in names["table"]]
    assert column[0] == names["result"].cycles or column[1] == names["result"].cycles
    assert max(column[4:]) > 2 * min(column[:2])  # strided loads take longer


def test_first_steps_in_jupyter():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(PYTHON / "examples/first_steps.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=100).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)
    assert not any(output["output_type"] == "error" for output in shown)


def test_readme(tmp_path, monkeypatch):
    text = (PYTHON / "README.md").read_text(encoding="utf-8")
    blocks = [block for block in re.findall(r"```python\n(.*?)```", text, flags=re.S)
              if "simsm_check" not in block]
    assert len(blocks) >= 4
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(block, names)  # pylint: disable=exec-used
