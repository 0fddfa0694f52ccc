#!/usr/bin/env bash
# The plug-in of pytest in python/: findings belong to their tests, in the text and in JUnit; the
# fixture for programs; what it refuses. $PYTHON is an interpreter with pytest (default: python3).
. tests/tools/hopper.sh
python=${PYTHON:-python3}
"$python" -c 'import pytest' 2>/dev/null || python=/usr/bin/python3 # where Debian's package is
"$python" -c 'import pytest' 2>/dev/null || { echo "there is no pytest: the plug-in was not tested"; exit 77; }
export PYTHONPATH=$PWD/python/src PYTHONDONTWRITEBYTECODE=1 PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 SIMSM

cat >"$scratch/code.cu" <<'CODE'
__global__ void shift(int *p) { p[threadIdx.x + 1] = p[threadIdx.x]; }
__global__ void right(int *p) { p[threadIdx.x] = 1; }
extern "C" int run(int wrong)
{
    int *p;
    cudaMalloc(&p, 1024);
    cudaMemset(p, 0, 1024);
    if (wrong)
        shift<<<1, 128>>>(p);
    else
        right<<<1, 128>>>(p);
    return cudaDeviceSynchronize() + (wrong == 2 ? 0 : cudaFree(p));
}
int main(int arguments, char **) { return run(arguments > 1); }
CODE
mkdir -p "$scratch/lib/python3.9/site-packages"
for kind in "program" "lib/python3.9/site-packages/library.so -shared -Xcompiler -fPIC"; do
    # shellcheck disable=SC2086
    LD_PRELOAD='' "$nvcc" -g -lineinfo -gencode arch=compute_90a,code=sm_90a -cudart shared \
        "$scratch/code.cu" -o "$scratch/"$kind >"$scratch/log" 2>&1 || fail "$kind: $(cat "$scratch/log")"
done
cat >"$scratch/test_code.py" <<'CODE'
import ctypes, os
import pytest

here = os.path.dirname(os.path.abspath(__file__))

def run(wrong):
    return ctypes.CDLL(os.path.join(here, "lib/python3.9/site-packages/library.so")).run(wrong)

@pytest.mark.parametrize("wrong", [0, 1])
def test_library(wrong):
    assert run(wrong) == 0

def test_leak():
    assert run(2) == 0

def test_assertion():
    assert run(0) == 5

def test_skipped():
    pytest.skip("not here")

def test_killed():
    os.kill(os.getpid(), 9)

def test_program(simsm_check):
    assert simsm_check([os.path.join(here, "program")], "h200").findings == []
    checked = simsm_check([os.path.join(here, "program"), "wrong"], "h200", expect_findings=True)
    (race,) = checked.serious
    assert (race.kind, race.tool, race.level) == ("race/global", "race", "error")
    assert {(p.what, p.line) for p in race.places} >= {("launched", 9), ("allocated", 6)}

def test_program_fails(simsm_check):
    simsm_check([os.path.join(here, "program"), "wrong"], "h200", tools="race")
CODE

tests() # STATUS OPTION...
{
    local expected=$1 status=0
    shift
    (cd "$scratch" && "$python" -m pytest -p pysimsm.pytest_plugin -p no:cacheprovider -rA "$@" test_code.py) \
        >"$scratch/out" 2>&1 || status=$?
    [ "$status" -eq "$expected" ] || fail "pytest $*: status $status, not $expected: $(cat "$scratch/out")"
}

says() # TEXT [FILE]
{
    grep -qE -- "$1" "${2-$scratch/out}" || fail "no '$1' in: $(cat "${2-$scratch/out}")"
}

tests 1 --simsm-check h200 --junitxml="$scratch/tests.xml"
for name in 'test_library\[1\]' test_leak test_assertion test_killed test_program_fails; do
    says "^FAILED test_code.py::$name"
done
says "^PASSED test_code.py::test_library\[0\]"
says "^PASSED test_code.py::test_program\$"
says "^SKIPPED.*not here"
says "5 failed, 2 passed, 1 skipped"
says "launched at $scratch/code.cu:9, run"
! grep -q "libffi\|ctypes.*callproc" "$scratch/out" || fail "names frames of the interpreter"
says "\[leak/device\]"
says "assert 0 == 5"
says 'tests="8"' "$scratch/tests.xml"
says 'failures="5"' "$scratch/tests.xml"
says 'message="simsm check found mistakes' "$scratch/tests.xml"

tests 0 --simsm-check h200 --simsm-tool sync -k "library or leak"
echo 'race/global shift' >"$scratch/known"
tests 0 --simsm-check h200 --simsm-suppressions "$scratch/known" -k library
tests 1 -k test_program
says "1 failed, 1 passed"

tests 4 --simsm-check h2000
says "h2000"
tests 4 --simsm-check h200 --simsm "$scratch/nosuch"
says "install simsm, or name its command"
tests 4 --simsm-check h200 --simsm-tool races
says "found 'races'"
tests 4 --simsm-check h200 --simsm-suppressions "$scratch/nosuch"
says "cannot be opened"
