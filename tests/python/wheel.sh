#!/usr/bin/env bash
# The wheel of ./dev wheel in a fresh virtual environment, to the first table: commands, library and
# configurations come from the wheel alone. Needs pip's network.
set -euo pipefail
python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "there is no python3-venv: no wheel was built"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q cffi 2>/dev/null || { echo "pip has no network: no wheel was built"; exit 77; }
./dev wheel "$scratch/dist"
wheel=$(echo "$scratch"/dist/pysimsm-*-py3-none-manylinux*.whl)
[ -f "$wheel" ] || { echo "no wheel of manylinux in: $(ls "$scratch/dist")"; exit 1; }
[ "$(stat -c %s "$wheel")" -lt 20000000 ] || { echo "the wheel is larger than 20 MB"; exit 1; }

clean() # COMMAND...
{
    (cd "$scratch" && env -i PATH="$scratch/venv/bin:/usr/bin:/bin" "$@")
}
began=$SECONDS
clean pip install -q "$wheel"
cat >"$scratch/first.py" <<'PYTHON'
import pysimsm

kernel = pysimsm.Trace("first", grid=40, block=128)
value = kernel.register()
with kernel.loop(10):
    kernel.op("FFMA", value, value, value, value)
rows = pysimsm.sweep("t4", kernel, {"gpu.sms": [1, 2]}, ["sm__cycles_elapsed.max"], frame="list")
assert rows[0]["sm__cycles_elapsed.max"] > rows[1]["sm__cycles_elapsed.max"] > 0, rows
result = pysimsm.run("t4", kernel, settings={"gpu.sms": 2})
assert result.cycles == rows[1]["sm__cycles_elapsed.max"]
assert "<iframe" in result._repr_html_()
PYTHON
clean python first.py
echo "from pip install to the first table: $((SECONDS - began)) s; $(stat -c %s "$wheel") bytes"
[ $((SECONDS - began)) -lt 60 ] || { echo "that takes longer than a minute"; exit 1; }
clean simsm config show h200 | grep -q H200 || { echo "the command has no configurations"; exit 1; }
clean simsm policies ccws | grep -q '^ccws: ' || { echo "the command has no policies"; exit 1; }
clean simsm-view --help | grep -q "^Usage: simsm-view" || { echo "no viewer"; exit 1; }
if clean ldd "$scratch"/venv/lib/python3*/site-packages/pysimsm/simulator/bin/simsm-view | grep 'SDL\|not found'; then
    echo "the viewer of a wheel has no window"
    exit 1
fi
