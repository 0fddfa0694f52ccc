#!/usr/bin/env bash
# The Python package in python/ against the library of this build: runs, sweeps, traces, timelines,
# errors, the code of the notebook. $PYTHON is an interpreter with cffi and pytest (default: python3).
set -euo pipefail
python=${PYTHON:-python3}
for module in cffi pytest; do
    "$python" -c "import $module" 2>/dev/null || { echo "there is no $module: the package was not tested"; exit 77; }
done
export PYTHONPATH=$PWD/python/src PYTHONDONTWRITEBYTECODE=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
export SIMSM PYSIMSM_PREFIX=$BUILD/python VIEW
"$python" -m pytest -q -p no:cacheprovider tests/python
