# Barriers in shared memory, branches through registers, groups of copies take as long as on an H200.
. tests/tools/cli.sh

"$SIMSM" closure h200 mbarrier/hand_over mbarrier/to_and_fro mbarrier/arrive jumps/chain jumps/call \
    jumps/calls jumps/table_blocks jumps/leave ldgsts/wait --off >"$scratch/closure" 2>&1 ||
    fail "points of the H200 are off: $(cat "$scratch/closure")"
grep -q '^judged  *3[0-9] ' "$scratch/closure" ||
    fail "points are missing: $(cat "$scratch/closure")"
