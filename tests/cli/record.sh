# simsm record, and recordings everywhere a trace can be: the same run, cycle for cycle.
. tests/tools/cli.sh
root=$PWD
mkdir "$scratch/text" "$scratch/recorded"

# expect STATUS PATTERN COMMAND...: exit status, and a line of output that matches
expect() {
    status=$1 pattern=$2
    shift 2
    code=0
    "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
    [ "$code" -eq "$status" ] || fail "expected status $status, got $code: $*"
    cat "$scratch/out" "$scratch/err" | grep -Eq "$pattern" || fail "no line matches /$pattern/: $*"
}

# Runs the kernel in both folders, where it has the same name: all that is written must be equal,
# but for the cycles that were visited, which depend on how long the program could run at a stretch
# (so does the order of the parts of a timeline of several SMs).
same_run() { # NAME CONFIG [OPTION...]
    name=$1 config=$root/configs/$2.yaml
    shift 2
    for folder in text recorded; do
        (cd "$scratch/$folder" && "$SIMSM" "$config" "$name" --timeline run.smtl --timeline-sm 0 \
            --full --json run.json "$@" >report 2>&1) || fail "$folder/$name fails under $config $*"
        grep -v '"visited_cycles"' "$scratch/$folder/run.json" >"$scratch/$folder/json"
    done
    for file in run.smtl json report; do
        cmp "$scratch/text/$file" "$scratch/recorded/$file" >"$scratch/out" 2>&1 ||
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
    sed 's/^param n = 256/param n = 64/' "$1" >"$scratch/text/$name" # the matrices of the lessons are large
    expect 0 "^$scratch/recorded/$name: 1 kernel launch, .* warp instructions in .* for each$" \
        "$SIMSM" record "$2" "$scratch/text/$name" -o "$scratch/recorded/$name"
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
expect 0 . "$SIMSM" record t4 $trace --param rounds=1 --set divergence.first=more -o "$scratch/a.smtr"
expect 0 'all warps' "$SIMSM" trace info $trace --param rounds=1
grep 'all warps' "$scratch/out" >"$scratch/count"
expect 0 '^made from  traces/divergent.trace by simsm ' "$SIMSM" trace info "$scratch/a.smtr"
grep 'all warps' "$scratch/out" | cmp -s - "$scratch/count" || fail "info counts other instructions"
expect 0 'a.smtr: good; ' "$SIMSM" trace check "$scratch/a.smtr"
"$SIMSM" trace dump $trace --block 7 >"$scratch/text/dump"
"$SIMSM" record t4 $trace -o "$scratch/b.smtr" >"$scratch/out"
"$SIMSM" trace dump "$scratch/b.smtr" --block 7 >"$scratch/recorded/dump"
cmp "$scratch/text/dump" "$scratch/recorded/dump" || fail "dump shows something else"
[ "$(grep -c '^block 7, warp' "$scratch/text/dump")" -eq 4 ] || fail "dump does not show 4 warps"
expect 0 '^0x0080  ffffffff  ffff0000  @!P1 BRA 0x0120 +diverges$' \
    "$SIMSM" trace dump $trace --warp 1 --limit 20
expect 0 '^0x0040 .* 0x10000080 \+ 4\*lane$' "$SIMSM" trace dump $trace --warp 1 --limit 20
[ "$(wc -l <"$scratch/out")" -eq 23 ] || fail "--limit and --warp do not limit"
expect 0 . "$SIMSM" trace convert $trace "$scratch/c.smtr" --config t4
"$SIMSM" trace dump "$scratch/c.smtr" --block 7 | cmp - "$scratch/text/dump" || fail "convert differs"
expect 0 . "$SIMSM" trace convert "$scratch/c.smtr" "$scratch/d.smtr" # a recording of a recording
"$SIMSM" trace dump "$scratch/d.smtr" --block 7 | cmp - "$scratch/text/dump" || fail "a copy differs"
expect 0 'gto' "$SIMSM" sweep t4 "$scratch/b.smtr" --vary sm.scheduler=gto,lrr

# Several inputs are several launches of one file: all are run, each as if it had been alone.
expect 0 '3 kernel launches, ' "$SIMSM" record t4 $trace traces/lessons/branch.trace \
    traces/lessons/walkthrough.trace -o "$scratch/three.smtr"
expect 0 '^ +3 +1x1x1 +[0-9]+x1x1  walkthrough$' "$SIMSM" trace info "$scratch/three.smtr"
expect 0 '^kernel +branch$' "$SIMSM" trace info "$scratch/three.smtr" --launch-number 2
expect 0 '^ +3  walkthrough ' "$SIMSM" t4 "$scratch/three.smtr" --json "$scratch/n.jsonl" --csv "$scratch/n.csv" \
    --full --timeline "$scratch/n.smtl" --timeline-sm 0 --table "$scratch/table.csv"
[ "$(grep -c ' on Tesla T4: compute' "$scratch/out")" -eq 3 ] || fail "not three reports"
grep -q '^Program on Tesla T4: 3 launches, .* in kernels (timing transferred)$' "$scratch/out" || fail "no summary"
for n in 1 2 3; do
    "$SIMSM" t4 "$scratch/three.smtr" --launch-number $n --full --json "$scratch/one.json" \
        --csv "$scratch/one.csv" --timeline "$scratch/one.smtl" --timeline-sm 0 >"$scratch/out" 2>&1 || fail "launch $n"
    # A line of the file of all launches is the object of one, but for the options that chose it.
    sed -n "${n}p" "$scratch/n.jsonl" | sed 's/, "visited_cycles": [0-9]*//; s/"options": [^]]*]/"options": []/' >"$scratch/line"
    tr -d '\n' <"$scratch/one.json" | sed -E 's/([[{]) +/\1/g; s/, +/, /g; s/ +([]}])/\1/g' |
        sed 's/, "visited_cycles": [0-9]*//; s/"options": [^]]*]/"options": []/' >"$scratch/object"
    tr -d ' \n' <"$scratch/line" >"$scratch/line.plain"
    tr -d ' \n' <"$scratch/object" >"$scratch/object.plain"
    cmp "$scratch/line.plain" "$scratch/object.plain" || fail "launch $n is another run"
    sed -n "s/^$n,\"[a-z]*\",//p" "$scratch/n.csv" | cmp - <(tail -n +2 "$scratch/one.csv") || fail "launch $n has other figures"
    [ -s "$scratch/n.$n.smtl" ] || fail "no timeline of launch $n"
    cycles=$(sed -nE 's/^  cycles +([0-9]+) .*/\1/p' "$scratch/out")
    grep -q "^$n,kernel,.*,1,$cycles," "$scratch/table.csv" || fail "launch $n is not in the table"
done
expect 0 '^Program on Tesla T4: 2 launches' "$SIMSM" t4 "$scratch/three.smtr" --kernels '^(branch|walk)'
if grep -q 'divergent\|^Launch$' "$scratch/out"; then fail "--kernels has no effect, or the report is long"; fi
expect 0 '^branch: .* on Tesla T4' "$SIMSM" t4 "$scratch/three.smtr" --launches 2:3
grep -qx '  next .* --launch-number 2 --full.*' "$scratch/out" || fail "--launches has chosen another one"
"$SIMSM" t4 "$scratch/three.smtr" --quiet --launches 2:3 --csv "$scratch/q.csv" >"$scratch/out" 2>&1 || fail "--quiet"
[ -s "$scratch/q.csv" ] && [ ! -s "$scratch/out" ] || fail "--quiet prints something, or there is no file"
expect 3 '^Program on Tesla T4: 3 launches' "$SIMSM" t4 "$scratch/three.smtr" --max-cycles 1600
expect 0 ': 3 kernel launches, ' "$SIMSM" trace convert "$scratch/three.smtr" "$scratch/copy.smtr"
"$SIMSM" trace dump "$scratch/copy.smtr" --launch-number 2 >"$scratch/recorded/dump"
"$SIMSM" trace dump "$scratch/three.smtr" --param launch=2 | cmp - "$scratch/recorded/dump" || fail "a copy differs"
expect 0 '^launch 3, kernel walkthrough$' "$SIMSM" trace check "$scratch/three.smtr"
[ "$(grep -c ': good; ' "$scratch/out")" -eq 3 ] || fail "check does not look at all launches"
expect 2 'choose none of its 3 launches' "$SIMSM" t4 "$scratch/three.smtr" --kernels '^w$'
expect 2 '\-\-launches: expected A:B' "$SIMSM" t4 "$scratch/three.smtr" --launches 2
expect 2 '\-\-launches is for several' "$SIMSM" t4 "$scratch/three.smtr" --launches 1:2 --launch-number 1
expect 2 'this file is neither' "$SIMSM" t4 $trace --kernels divergent
expect 2 '\-\-launch-number needs a recording' "$SIMSM" t4 $trace --launch-number 1
expect 0 '^[{]"format".*"number": 3' "$SIMSM" t4 "$scratch/three.smtr" --quiet --json -
[ "$(wc -l <"$scratch/out")" -eq 3 ] || fail "not a line for each launch"
expect 0 '^walkthrough: .* on Tesla T4' "$SIMSM" t4 "$scratch/three.smtr" --launch-number 3
expect 2 'launches 1 to 3' "$SIMSM" t4 "$scratch/three.smtr" --launch-number 4
expect 2 'holds 3 kernel launches; choose one' "$SIMSM" sweep t4 "$scratch/three.smtr" --vary gpu.sms=1,2

# What is wrong is said, and nothing is left behind.
head -c 20000 "$scratch/b.smtr" >"$scratch/cut.smtr"
expect 2 'cut.smtr: the recording is cut off: it ends after 20000 bytes' \
    "$SIMSM" t4 "$scratch/cut.smtr"
size=$(wc -c <"$scratch/b.smtr")
{
    head -c $((size / 2)) "$scratch/b.smtr"
    printf 'xxxx'
    tail -c +$((size / 2 + 5)) "$scratch/b.smtr"
} >"$scratch/bad.smtr"
expect 2 'bad.smtr: the recording is damaged at byte [0-9]+: ' "$SIMSM" t4 "$scratch/bad.smtr" --quiet
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "one damage, two messages: $(cat "$scratch/err")"
expect 2 'damaged at byte .*; the files cover the [0-9]+ cycles before$' \
    "$SIMSM" t4 "$scratch/bad.smtr" --quiet --json "$scratch/bad.json"
expect 2 'bad.smtr: the recording is damaged at byte' "$SIMSM" trace info "$scratch/bad.smtr"
# shellcheck disable=SC2016
expect 2 'cannot be read from a pipe' sh -c 'cat "$1" | "$0" t4 /dev/stdin' "$SIMSM" "$scratch/b.smtr"
expect 2 'only the parameter launch=N' "$SIMSM" t4 "$scratch/b.smtr" --param n=1
expect 2 'has launches 1 to 1' "$SIMSM" t4 "$scratch/b.smtr" --launch-number 2
expect 2 'has blocks 0 to 319, not 320' "$SIMSM" trace dump "$scratch/b.smtr" --block 320
expect 2 'has warps 0 to 3, not 4' "$SIMSM" trace dump "$scratch/b.smtr" --warp 4
expect 2 'would overwrite' "$SIMSM" record t4 "$scratch/b.smtr" -o "$scratch/b.smtr"
kernels=tests/bench/kernels
expect 2 'name one with --config' "$SIMSM" trace info $kernels/kernels.sm_75.cubin --launch $kernels/copy.yaml
expect 0 '^kernel +copy$' "$SIMSM" trace info $kernels/kernels.sm_75.cubin --config t4 --launch $kernels/copy.yaml
expect 2 'expected the number of a launch, from 1' "$SIMSM" trace info "$scratch/three.smtr" --launch-number 0
expect 0 '1 kernel launch, ' "$SIMSM" record t4 $kernels/kernels.sm_75.cubin --launch $kernels/copy.yaml -o "$scratch/code.smtr"
expect 2 'convert takes two files' "$SIMSM" trace convert "$scratch/b.smtr"
expect 2 'name the recording to write' "$SIMSM" record t4 $trace
expect 2 'cannot go to the standard output' "$SIMSM" record t4 $trace -o -
expect 2 'No such file' "$SIMSM" record t4 "$scratch/none" -o "$scratch/e.smtr"
expect 2 'cannot be written' "$SIMSM" record t4 $trace -o "$scratch/none/e.smtr"
expect 1 'writing failed' "$SIMSM" record t4 $trace -o /dev/full
mkdir "$scratch/empty"
cat >"$scratch/long.trace" <<'END'
kernel long
grid 100000
block 1024
registers 8
loop 4000000000 { loop 4000000000 { NOP } }
END
# shellcheck disable=SC2016
expect 130 '^$' sh -c 'echo; "$0" record t4 "$1/long.trace" -o "$1/empty/e.smtr" & sleep 1
    kill -INT $!; wait $!' "$SIMSM" "$scratch"
[ -z "$(ls "$scratch/empty")" ] || fail "an interrupted recording leaves a file"
