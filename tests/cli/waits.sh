# Blocks and warps that wait for one another: how long depends on those that they wait for.
. tests/tools/cli.sh
data=tests/data/sass/waits

# run OUT.json CONFIG ARGUMENTS...
run()
{
    out=$1
    shift
    "$SIMSM" "$@" --check --quiet --json "$out" || fail "fails: $*"
}

# value FILE NAME: a number of an export
value()
{
    sed -n "s/^ *\"$2\": *\([0-9]*\).*/\1/p" "$1" | head -n 1
}

# waits NAME ARGUMENTS...: runs a launch of the folder; sets cycles, and the instructions executed
waits()
{
    name=$1
    shift
    run "$scratch/$name.json" t4 "$data/waits.sm_75.cubin" --launch "$data/$name.yaml" "$@"
    cycles=$(value "$scratch/$name.json" cycles)
    executed=$(value "$scratch/$name.json" smsp__inst_executed.sum)
}

# recorded NAME ARGUMENTS...: as waits, of a recording; sets also waits, turns, forced
recorded()
{
    waits "$@"
    "$SIMSM" record t4 "$data/waits.sm_75.cubin" --param "launch=$data/$1.yaml" "${@:2}" \
        -o "$scratch/$1.smtr" >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
    run "$scratch/replay.json" t4 "$scratch/$1.smtr"
    replayed=$(value "$scratch/replay.json" cycles)
    waits=$(value "$scratch/replay.json" simsm__waits.sum)
    turns=$(value "$scratch/replay.json" simsm__wait_turns.sum)
    forced=$(value "$scratch/replay.json" simsm__waits_forced.sum)
    [ "$forced" -eq 0 ] || fail "$*: $forced waits had to be ended"
}

# A flag: the later it is set, the later the others end, and the more often they look.
for kernel in flag pause; do
    recorded $kernel --param steps=1000
    [ "$waits" -ge 31 ] || fail "$kernel: $waits waits, not 31 or more"
    early=$cycles few=$turns before=$executed
    recorded $kernel --param steps=11000
    [ $((cycles - early)) -gt 40000 ] || fail "$kernel: 10000 steps more take $((cycles - early))"
    [ "$turns" -gt $((5 * few)) ] || fail "$kernel: $turns turns, and $few"
    [ "$executed" -gt $((before + 20000)) ] || fail "$kernel: $executed instructions, and $before"
done

# One SM, which cannot hold all: whoever sets the flag is there first.
waits flag --sms 1

# A grid barrier: as long as the latest takes, whoever that is.
for late in 0 17 31; do
    waits counter --param late=$late --param steps=1000
    early=$cycles
    waits counter --param late=$late --param steps=11000
    [ $((cycles - early)) -gt 40000 ] || fail "barrier, block $late: $((cycles - early)) cycles"
    [ $((cycles - early)) -lt 60000 ] || fail "barrier, block $late: $((cycles - early)) cycles"
done

# A chain takes its links one after the other; a lock lets one in at a time; shared memory is waited for.
waits chain
[ "$cycles" -gt 6000 ] || fail "a chain of 16 blocks takes $cycles cycles"
waits lock --param times=1
once=$cycles
waits lock --param times=3
[ "$cycles" -gt $((2 * once)) ] || fail "lock: $cycles cycles after $once"
waits shared_flag --param steps=1000
early=$cycles
waits shared_flag --param steps=11000
[ $((cycles - early)) -gt 40000 ] || fail "shared memory: $((cycles - early)) cycles more"

# A recording carries the waits.
recorded counter
[ $((replayed - cycles)) -lt $((cycles / 20)) ] && [ $((cycles - replayed)) -lt $((cycles / 20)) ] ||
    fail "the recording takes $replayed cycles in place of $cycles"
"$SIMSM" trace dump "$scratch/counter.smtr" --block 3 >"$scratch/dump" 2>&1 || fail "dump"
grep -q 'waits for' "$scratch/dump" || fail "the dump shows no wait"
grep -q 'writes what others wait for' "$scratch/dump" || fail "the dump shows no write"

# Where those that are waited for have no room, waits are ended, and all ends.
run "$scratch/small.json" t4 "$scratch/counter.smtr" --sms 1 --set sm.max_blocks=4
[ "$(value "$scratch/small.json" simsm__waits_forced.sum)" -gt 0 ] || fail "no wait was ended"
