# simsm record, and recordings everywhere a trace can be: the same run, cycle for cycle.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$PWD
mkdir "$work/text" "$work/recorded"

fail() {
    echo "record.sh: $1" >&2
    cat "$work/out" "$work/err" >&2 || true
    exit 1
}

# expect STATUS PATTERN COMMAND...: exit status, and a line of output that matches
expect() {
    status=$1 pattern=$2
    shift 2
    code=0
    "$@" >"$work/out" 2>"$work/err" || code=$?
    [ "$code" -eq "$status" ] || fail "expected status $status, got $code: $*"
    cat "$work/out" "$work/err" | grep -Eq "$pattern" || fail "no line matches /$pattern/: $*"
}

# Runs the kernel in both folders, where it has the same name: all that is written must be equal,
# but for the cycles that were visited, which depend on how long the program could run at a stretch
# (so does the order of the parts of a timeline of several SMs).
same_run() { # NAME CONFIG [OPTION...]
    name=$1 config=$root/configs/$2.yaml
    shift 2
    for folder in text recorded; do
        (cd "$work/$folder" && "$SIMSM" "$config" "$name" --timeline run.smtl --timeline-sm 0 \
            --json run.json "$@" >report 2>&1) || fail "$folder/$name fails under $config $*"
        grep -v '"visited_cycles"' "$work/$folder/run.json" >"$work/$folder/json"
    done
    for file in run.smtl json report; do
        cmp "$work/text/$file" "$work/recorded/$file" >"$work/out" 2>&1 ||
            fail "$name under $config $*: $file differs"
    done
}

# Every trace that is shipped, each under one of several configurations and policies, and a mixed
# one under all of them.
same_recording() { # TRACE CASE
    name=$(basename "$1")
    case $2 in
    0) set -- "$1" t4 ;;
    1) set -- "$1" h200 --set sm.scheduler=lrr --memory ideal ;;
    2) set -- "$1" gtx1080 --set sm.scheduler=oldest --set dispatch.policy=fill --sms 4 ;;
    esac
    sed 's/^param n = 256/param n = 64/' "$1" >"$work/text/$name" # the matrices of the lessons are large
    expect 0 "^$work/recorded/$name: 1 kernel launch, .* warp instructions in .* for each$" \
        "$SIMSM" record "$2" "$work/text/$name" -o "$work/recorded/$name"
    shift
    same_run "$name" "$@"
}

case=0
for trace in traces/*.trace traces/lessons/*.trace; do
    same_recording "$trace" $((case % 3))
    case=$((case + 1))
done
for case in 0 1 2; do
    same_recording traces/divergent.trace $case
done

# What was recorded depends on --set and --param, and on nothing while it runs.
trace=traces/divergent.trace
expect 0 . "$SIMSM" record t4 $trace --param rounds=1 --set divergence.first=more -o "$work/a.smtr"
expect 0 'all warps' "$SIMSM" trace info $trace --param rounds=1
grep 'all warps' "$work/out" >"$work/count"
expect 0 '^made from  traces/divergent.trace by simsm ' "$SIMSM" trace info "$work/a.smtr"
grep 'all warps' "$work/out" | cmp -s - "$work/count" || fail "info counts other instructions"
expect 0 'a.smtr: good; ' "$SIMSM" trace check "$work/a.smtr"
"$SIMSM" trace dump $trace --block 7 >"$work/text/dump"
"$SIMSM" record t4 $trace -o "$work/b.smtr" >"$work/out"
"$SIMSM" trace dump "$work/b.smtr" --block 7 >"$work/recorded/dump"
cmp "$work/text/dump" "$work/recorded/dump" || fail "dump shows something else"
[ "$(grep -c '^block 7, warp' "$work/text/dump")" -eq 4 ] || fail "dump does not show 4 warps"
expect 0 '^0x0080  ffffffff  ffff0000  @!P1 BRA 0x0120 +diverges$' \
    "$SIMSM" trace dump $trace --warp 1 --limit 20
expect 0 '^0x0040 .* 0x10000080 \+ 4\*lane$' "$SIMSM" trace dump $trace --warp 1 --limit 20
[ "$(wc -l <"$work/out")" -eq 23 ] || fail "--limit and --warp do not limit"
expect 0 . "$SIMSM" trace convert $trace "$work/c.smtr" --config t4
"$SIMSM" trace dump "$work/c.smtr" --block 7 | cmp - "$work/text/dump" || fail "convert differs"
expect 0 . "$SIMSM" trace convert "$work/c.smtr" "$work/d.smtr" # a recording of a recording
"$SIMSM" trace dump "$work/d.smtr" --block 7 | cmp - "$work/text/dump" || fail "a copy differs"
expect 0 'gto' "$SIMSM" sweep t4 "$work/b.smtr" --vary sm.scheduler=gto,lrr

# Several inputs are several launches of one file: all are run, each as if it had been alone.
expect 0 '3 kernel launches, ' "$SIMSM" record t4 $trace traces/lessons/branch.trace \
    traces/lessons/walkthrough.trace -o "$work/three.smtr"
expect 0 '^ +3 +2 +1x1x1 +[0-9]+x1x1  walkthrough$' "$SIMSM" trace info "$work/three.smtr"
expect 0 '^kernel +branch$' "$SIMSM" trace info "$work/three.smtr" --param launch=1
expect 0 '^ +3  walkthrough ' "$SIMSM" t4 "$work/three.smtr" --json "$work/n.json" --csv "$work/n.csv" \
    --timeline "$work/n.smtl" --timeline-sm 0 --table "$work/table.csv"
[ "$(grep -c ' on Tesla T4: compute' "$work/out")" -eq 3 ] || fail "not three reports"
grep -q '^Program on Tesla T4: 3 launches of 3 kernels$' "$work/out" || fail "no summary"
for n in 1 2 3; do
    "$SIMSM" t4 "$work/three.smtr" --launch-index $((n - 1)) --json "$work/one.json" \
        --csv "$work/one.csv" --timeline "$work/one.smtl" --timeline-sm 0 >"$work/out" 2>&1 || fail "launch $n"
    for file in one n.$n; do
        grep -v '"visited_cycles"' "$work/$file.json" >"$work/$file"
    done
    cmp "$work/one" "$work/n.$n" && cmp "$work/one.csv" "$work/n.$n.csv" || fail "launch $n is another run"
    [ -s "$work/n.$n.smtl" ] || fail "no timeline of launch $n"
    cycles=$(sed -nE 's/^  cycles +([0-9]+) .*/\1/p' "$work/out")
    grep -q "^$n,kernel,.*,1,$cycles," "$work/table.csv" || fail "launch $n is not in the table"
done
expect 0 '^Program on Tesla T4: 2 launches' "$SIMSM" t4 "$work/three.smtr" --kernels '^(branch|walk)' --brief
if grep -q 'divergent\|^Launch$' "$work/out"; then fail "--kernels or --brief has no effect"; fi
expect 0 '^Program on Tesla T4: 1 launch of' "$SIMSM" t4 "$work/three.smtr" --launches 2:3
grep -q '^branch on Tesla T4' "$work/out" || fail "--launches has chosen another one"
"$SIMSM" t4 "$work/three.smtr" --quiet --launches 2:3 --csv "$work/q.csv" >"$work/out" 2>&1 || fail "--quiet"
[ -s "$work/q.2.csv" ] && [ ! -s "$work/out" ] || fail "--quiet prints something, or there is no file"
expect 3 '^Program on Tesla T4: 3 launches' "$SIMSM" t4 "$work/three.smtr" --max-cycles 1600 --brief
expect 0 ': 3 kernel launches, ' "$SIMSM" trace convert "$work/three.smtr" "$work/copy.smtr"
"$SIMSM" trace dump "$work/copy.smtr" --param launch=1 >"$work/recorded/dump"
"$SIMSM" trace dump "$work/three.smtr" --param launch=1 | cmp - "$work/recorded/dump" || fail "a copy differs"
expect 0 '^launch 3, kernel walkthrough$' "$SIMSM" trace check "$work/three.smtr"
[ "$(grep -c ': good; ' "$work/out")" -eq 3 ] || fail "check does not look at all launches"
expect 2 'none of its 3 launches is one' "$SIMSM" t4 "$work/three.smtr" --kernels '^w$'
expect 2 '\-\-launches: expected A:B' "$SIMSM" t4 "$work/three.smtr" --launches 2
expect 2 '\-\-launches is for several' "$SIMSM" t4 "$work/three.smtr" --launches 1:2 --launch-index 1
expect 2 'this is neither' "$SIMSM" t4 $trace --kernels divergent
expect 2 'there is a file for each launch' "$SIMSM" t4 "$work/three.smtr" --quiet --json -
expect 0 '^walkthrough on Tesla T4' "$SIMSM" t4 "$work/three.smtr" --launch-index 2
expect 2 'launches 0 to 2' "$SIMSM" t4 "$work/three.smtr" --launch-index 3
expect 2 'holds 3 kernel launches; choose one' "$SIMSM" sweep t4 "$work/three.smtr" --vary gpu.sms=1,2

# What is wrong is said, and nothing is left behind.
head -c 20000 "$work/b.smtr" >"$work/cut.smtr"
expect 2 'cut.smtr: the recording is cut off: it ends after 20000 bytes' \
    "$SIMSM" t4 "$work/cut.smtr"
size=$(wc -c <"$work/b.smtr")
{
    head -c $((size / 2)) "$work/b.smtr"
    printf 'xxxx'
    tail -c +$((size / 2 + 5)) "$work/b.smtr"
} >"$work/bad.smtr"
expect 2 'bad.smtr: the recording is damaged at byte [0-9]+: ' "$SIMSM" t4 "$work/bad.smtr" --quiet
expect 2 'bad.smtr: the recording is damaged at byte' "$SIMSM" trace info "$work/bad.smtr"
expect 2 'only the parameter launch=N' "$SIMSM" t4 "$work/b.smtr" --param n=1
expect 2 'has launches 0 to 0' "$SIMSM" t4 "$work/b.smtr" --param launch=1
expect 2 'has blocks 0 to 319, not 320' "$SIMSM" trace dump "$work/b.smtr" --block 320
expect 2 'has warps 0 to 3, not 4' "$SIMSM" trace dump "$work/b.smtr" --warp 4
expect 2 'would overwrite' "$SIMSM" record t4 "$work/b.smtr" -o "$work/b.smtr"
expect 2 'convert takes two files' "$SIMSM" trace convert "$work/b.smtr"
expect 2 'say where to write' "$SIMSM" record t4 $trace
expect 2 'cannot go to the standard output' "$SIMSM" record t4 $trace -o -
expect 2 'No such file' "$SIMSM" record t4 "$work/none" -o "$work/e.smtr"
expect 2 'cannot be written' "$SIMSM" record t4 $trace -o "$work/none/e.smtr"
expect 1 'writing failed' "$SIMSM" record t4 $trace -o /dev/full
mkdir "$work/empty"
cat >"$work/long.trace" <<'END'
kernel long
grid 100000
block 1024
registers 8
loop 4000000000 { loop 4000000000 { NOP } }
END
# shellcheck disable=SC2016
expect 130 '^$' sh -c 'echo; "$0" record t4 "$1/long.trace" -o "$1/empty/e.smtr" & sleep 1
    kill -INT $!; wait $!' "$SIMSM" "$work"
[ -z "$(ls "$work/empty")" ] || fail "an interrupted recording leaves a file"
