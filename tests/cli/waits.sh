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

# recorded PERCENT NAME ARGUMENTS...: as waits; a recording of the launch takes as many cycles, but for
# PERCENT of them
recorded()
{
    percent=$1
    shift
    waits "$@"
    "$SIMSM" record t4 "$data/waits.sm_75.cubin" --param "launch=$data/$1.yaml" "${@:2}" \
        -o "$scratch/$1.smtr" >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
    run "$scratch/replay.json" t4 "$scratch/$1.smtr"
    replayed=$(value "$scratch/replay.json" cycles)
    off=$(((replayed - cycles) * 100 / cycles))
    [ "${off#-}" -le "$percent" ] || fail "$*: $cycles cycles, recorded $replayed"
}

# A flag: the later it is set, the later the others end, and the more often they look. (Recordings do
# not repeat the pauses.)
for kernel in flag pause; do
    recorded 5 $kernel --param steps=1000
    early=$cycles before=$executed
    recorded 2 $kernel --param steps=11000
    [ $((cycles - early)) -gt 40000 ] || fail "$kernel: 10000 steps more take $((cycles - early))"
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

# A chain takes its links one after the other; a lock lets one in at a time; shared memory is waited
# for. Recordings do not poll in vain, which holds others up where all poll the same word.
recorded 20 chain
[ "$cycles" -gt 6000 ] || fail "a chain of 16 blocks takes $cycles cycles"
recorded 15 lock --param times=1
once=$cycles
recorded 15 lock --param times=3
[ "$cycles" -gt $((2 * once)) ] || fail "lock: $cycles cycles after $once"
waits shared_flag --param steps=1000
early=$cycles
waits shared_flag --param steps=11000
[ $((cycles - early)) -gt 40000 ] || fail "shared memory: $((cycles - early)) cycles more"

# Two waits in flight of one warp, for barriers of which the first opens late: a recording keeps both.
both=(h200 "$data/waits.sm_90.cubin")
run "$scratch/both.json" "${both[@]}" --launch "$data/two_phases.yaml"
"$SIMSM" record "${both[@]}" --param "launch=$data/two_phases.yaml" -o "$scratch/both.smtr" \
    >"$scratch/said" 2>&1 || fail "$(cat "$scratch/said")"
run "$scratch/replay.json" h200 "$scratch/both.smtr"
cycles=$(value "$scratch/both.json" cycles)
replayed=$(value "$scratch/replay.json" cycles)
off=$(((replayed - cycles) * 100 / cycles))
[ "${off#-}" -le 2 ] || fail "two phases: $cycles cycles, recorded $replayed"

# A recording carries the waits.
recorded 3 counter
"$SIMSM" trace dump "$scratch/counter.smtr" --block 3 >"$scratch/dump" 2>&1 || fail "dump"
grep -q 'waits for' "$scratch/dump" || fail "the dump shows no wait"
grep -q 'writes what others wait for' "$scratch/dump" || fail "the dump shows no write"

# Where those that are waited for have no room, nothing goes on, as on a GPU.
status=0
"$SIMSM" t4 "$scratch/counter.smtr" --sms 1 --set sm.max_blocks=4 --quiet >"$scratch/said" 2>&1 ||
    status=$?
[ "$status" -eq 1 ] || fail "a deadlock: $(cat "$scratch/said")"
grep -q "deadlock at cycle .* has stood in 'Long scoreboard'" "$scratch/said" ||
    fail "$(cat "$scratch/said")"
