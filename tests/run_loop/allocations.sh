# Nothing is allocated while cycles are simulated: the kernels of kernels.txt, of which recordings are
# made here. $WATCH is run_loop_allocations.
. tests/tools/cli.sh

record() # NAME CONFIG CUBIN
{
    "$SIMSM" record "$2" "$3" --launch "tests/run_loop/launches/$1.yaml" -o "$scratch/$1.smtr" --quiet ||
        fail "no recording of $1"
}

record phases h200 cuda/calib/sm_90/mbarrier.cubin
record atomics t4 tests/data/sass/execute/kernels.sm_75.cubin
sed "s|^\([a-z]*.smtr\)|$scratch/\1|" tests/run_loop/kernels.txt >"$scratch/kernels"
"$WATCH" "$scratch/kernels" || fail "the run loop allocates"
