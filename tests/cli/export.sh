#!/usr/bin/env bash
# simsm-view writes for other tools: the options, and CSV of every screen. What is in the files is
# checked by tests/unit/test_viz_export_*.c.
. tests/tools/cli.sh

[ -n "${VIEW:-}" ] || { echo "the viewer is not built"; exit 77; }
file=$scratch/run.smtl

"$SIMSM" configs/t4.yaml traces/lessons/two_paths.trace --quiet --set gpu.sms=2 --timeline "$file"

# All formats at once, and each is what it says it is.
"$VIEW" "$file" --perfetto "$scratch/a.pftrace" --perfetto-json "$scratch/a.json" --kanata "$scratch/a.log"
[ "$(head -c 1 "$scratch/a.pftrace" | od -An -tx1)" = " 0a" ] || fail "a.pftrace does not begin with a packet"
grep -q '"displayTimeUnit":"ns"' "$scratch/a.json" || fail "a.json has no unit"
[ "$(head -n 1 "$scratch/a.log")" = "Kanata	0004" ] || fail "a.log is no Kanata log"

# One SM of two, fewer cycles, slices in place of states: each makes the file another, smaller one.
"$VIEW" "$file" --sm 1 --perfetto-json "$scratch/one.json"
grep -q '"SM 1 ' "$scratch/one.json" || fail "SM 1 is missing"
! grep -q '"SM 0 ' "$scratch/one.json" || fail "SM 0 is there"
"$VIEW" "$file" --cycles 1700:1800 --perfetto "$scratch/short.pftrace"
[ "$(stat -c %s "$scratch/short.pftrace")" -lt "$(stat -c %s "$scratch/a.pftrace")" ] || fail "--cycles leaves nothing out"
"$VIEW" "$file" --perfetto-compat --perfetto "$scratch/old.pftrace"
! cmp -s "$scratch/old.pftrace" "$scratch/a.pftrace" || fail "--perfetto-compat changes nothing"

# refused WORDS OPTION... : status 2, the words, and no file.
refused()
{
    local words=$1 status=0
    shift
    "$VIEW" "$file" "$@" --perfetto-json "$scratch/none.json" 2>"$scratch/err" || status=$?
    [ "$status" = 2 ] || fail "$*: exit status $status"
    grep -qF -- "$words" "$scratch/err" || fail "$*: no word of '$words': $(cat "$scratch/err")"
    [ ! -e "$scratch/none.json" ] || fail "$*: a file is left"
}
refused "--cycles A:B" --max-events 200
refused "expected a number" --max-events many
refused "from 0 to 1" --sm 2
refused "none of them is recorded" --cycles 90000000:90000001

# CSV of every screen: a head, at least one row, and as many fields in each.
screens=$(sed -nE 's/^SCREEN\([A-Z]+, ([a-z]+),.*/\1/p' viz/view/screens.def)
[ -n "$screens" ] || fail "viz/view/screens.def has no screens"
for screen in $screens; do
    csv=$scratch/$screen.csv
    if [ "$screen" = program ]; then
        "$VIEW" tests/data/program/beside.json --csv "$csv"
    else
        "$VIEW" "$file" "$file" --screen "$screen" --csv "$csv"
    fi
    [ "$(wc -l <"$csv")" -gt 1 ] || fail "$screen: the CSV has no rows"
    command -v python3 >/dev/null || continue
    python3 - "$csv" <<'PYTHON' || fail "$screen: the CSV is not regular"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
sys.exit(not (len(rows) > 1 and len({len(row) for row in rows}) == 1))
PYTHON
done
# Of the timeline all states of all slots, so that their cycles fill the SM.
"$VIEW" "$file" --screen timeline --csv "$scratch/all.csv"
awk -F, 'NR > 1 { sum += $5 - $4; first = !seen++ || $4 < first ? $4 : first; last = $5 > last ? $5 : last }
    END { exit !(sum == (last - first) * 32) }' "$scratch/all.csv" || fail "the states leave holes"

# The rates of Memory are those of its counters; Waves keeps to the cycles; Occupancy has what was resident.
"$SIMSM" configs/t4.yaml traces/divergent.trace --quiet --set gpu.sms=2 --timeline-sm 0 --timeline "$scratch/waves.smtl"
for screen in waves occupancy memory; do
    "$VIEW" "$scratch/waves.smtl" --screen $screen --csv "$scratch/$screen.csv"
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { sum += $at["dram__bytes_read.sum per cycle"] * ($1 - before); before = $1; all = $at["dram__bytes_read.sum"] }
    END { exit !(all > 0 && sum > 0.999 * all && sum < 1.001 * all) }' "$scratch/memory.csv" || fail "the rates do not add up"
"$VIEW" "$scratch/waves.smtl" --screen waves --cycles 0:1600 --csv "$scratch/begin.csv"
awk -F, 'NR > 1 && $5 >= 1600 { exit 1 }' "$scratch/begin.csv" || fail "a block of other cycles"
[ "$(wc -l <"$scratch/begin.csv")" -gt 1 ] || fail "no blocks in cycles 0 to 1600"
[ "$(wc -l <"$scratch/begin.csv")" -lt "$(wc -l <"$scratch/waves.csv")" ] || fail "Waves ignores the cycles"
awk -F, '$1 == "cycle" { n++; if ($4 > most) most = $4 } END { exit !(n > 100 && most > 0) }' "$scratch/occupancy.csv" ||
    fail "no resident warps over time"

# Latency hiding has the requests that are under way: of two warps that each load once, 400 cycles long.
cat >"$scratch/two.trace" <<'TRACE'
kernel two
grid 1
block 64
registers 16
buffer data = 4 * threads
LDG R4, [R8 + data + 4*thread]
FADD R1, R4, R2
TRACE
"$SIMSM" teaching "$scratch/two.trace" --quiet --timeline "$scratch/two.smtl"
"$VIEW" "$scratch/two.smtl" --screen latency --csv "$scratch/two.csv"
awk -F, '$1 == 0 || $1 == 1 || $1 == 400 || $1 == 401 || $1 == 402 { printf "%s:%s ", $1, $2 }' "$scratch/two.csv" \
    >"$scratch/flights"
[ "$(cat "$scratch/flights")" = "0:1.00 1:2.00 400:2.00 401:1.00 402:0.00 " ] ||
    fail "in flight: $(cat "$scratch/flights")"

# A file "-" is standard output, as with simsm.
for kind in csv svg html kanata; do
    "$VIEW" "$scratch/waves.smtl" --screen waves --sm 0 --$kind "$scratch/written.$kind"
    (cd "$scratch" && "$VIEW" waves.smtl --screen waves --sm 0 --$kind - >"printed.$kind" && [ ! -e - ]) ||
        fail "--$kind - does not print"
    [ -s "$scratch/printed.$kind" ] || fail "--$kind - prints nothing"
done
cmp "$scratch/written.csv" "$scratch/printed.csv" || fail "--csv - prints other numbers than it writes"
cmp "$scratch/written.svg" "$scratch/printed.svg" || fail "--svg - prints another picture than it writes"

# Of a file cut off before the first part of an SM that is said, not that it was not recorded.
head -c 20000 "$scratch/waves.smtl" >"$scratch/cut.smtl"
! "$VIEW" "$scratch/cut.smtl" --png "$scratch/cut.png" 2>"$scratch/err" || fail "nothing can be drawn"
grep -q 'nothing of SM 0 stands before the damage' "$scratch/err" || fail "$(cat "$scratch/err")"
