#!/usr/bin/env bash
# The Python package in python/ against the library of this build: runs, sweeps, traces, timelines,
# errors, the code of the notebook. $PYTHON is an interpreter with cffi and pytest (default: python3 or
# /usr/bin/python3).
set -euo pipefail
for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3 ''; do
    [ -n "$python" ] || { echo "there is no python3 with cffi and pytest: the package was not tested"; exit 77; }
    ! "$python" -c 'import cffi, pytest' 2>/dev/null || break
done
export PYTHONPATH=$PWD/python/src PYTHONDONTWRITEBYTECODE=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
export SIMSM PYSIMSM_PREFIX=$BUILD/python VIEW
"$python" -m pytest -q -p no:cacheprovider tests/python
