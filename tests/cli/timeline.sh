#!/usr/bin/env bash
# A recorded timeline: --timeline, simsm timeline, simsm explain, and files that are none.
. tests/tools/cli.sh

trace=$scratch/small.trace
file=$scratch/small.smtl

# has FILE TEXT...: the file has each of the texts, word for word.
has()
{
    local in=$1
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$in" || { cat "$in" >&2; fail "'$text' is missing"; }
    done
}

# refuses STATUS TEXT COMMAND...: exit status, one line of message with the text.
refuses()
{
    local status=$1 text=$2 got=0
    shift 2
    "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
    [ "$got" -eq "$status" ] || fail "$*: exit status $got instead of $status"
    has "$scratch/err" "$text"
}

cat >"$trace" <<'TRACE'
kernel small
grid 6
block 96
registers 32
shared 1024
buffer x = 1M
repeat 3 {
    LDG R4, [x + 4 * thread]
    lanes 0-15 {
        FFMA R1, R4, R3, R1
    } else {
        FADD R1, R4, R3
    }
    STS [4 * lane], R1
    BAR.SYNC 0
    LDS R5, [4 * lane]
}
STG [x + 4 * thread], R1
EXIT
TRACE

"$SIMSM" configs/t4.yaml "$trace" --quiet --timeline "$file"

# The picture: all slots that hold warps, letters only where the output is no terminal.
"$SIMSM" timeline "$file" --ascii >"$scratch/picture"
has "$scratch/picture" "kernel small on Tesla T4, SM 0" "One column is one cycle." \
    "sub-partition 0: issued in" "L  long_scoreboard" "waits for data from global" "b0 w"
grep -q $'\033' "$scratch/picture" && fail "escape sequences in a file"
LC_ALL=C grep -q $'[\x80-\xff]' "$scratch/picture" && fail "--ascii wrote other characters"
[ "$(awk '{ if (length > n) n = length } END { print n }' "$scratch/picture")" -le 100 ] ||
    fail "lines beyond 100 columns"
rows=$(grep -cE '^ [0-9]  b' "$scratch/picture")
[ "$rows" -eq 3 ] || fail "$rows rows instead of the 3 warps of one block"

# What is drawn for a cycle is what is explained: the first `L` of a row.
row=$(grep -E '^ 0  b' "$scratch/picture" | head -n 1)
start=$(head -n 2 "$scratch/picture" | tr '\n' ' ' | sed -E 's/.*cycles +([0-9]+) to.*/\1/')
strip=$(grep -m 1 '^issue' "$scratch/picture")
label=${strip%"${strip##* }"} # what stands before the cells
before=${row%%L*}
cycle=$((start + ${#before} - ${#label}))
sub=$(awk '/^sub-partition/ { sub(":", "", $2); s = $2 } /^ 0  b/ { print s; exit }' "$scratch/picture")
"$SIMSM" explain "$file" --cycle "$cycle" --slot "0:$sub:0" >"$scratch/why"
has "$scratch/why" "state long_scoreboard (L) from cycle $cycle to" "It reads R4, which \`LDG R4" \
    "(line 8)" "load/store stage" "DRAM"

# A warp that ends waits until its stores have left the SM: nothing that it waits for comes after the
# end of its state.
cat >"$scratch/stores.trace" <<'TRACE'
kernel stores
grid 1
block 32
registers 16
buffer x = 1M
STG [x + 4096 * thread], R1
STG [x + 4096 * thread + 1024], R1
TRACE
"$SIMSM" teaching "$scratch/stores.trace" --set memory.model=full --set mio.queue_latency=4 \
    --set mio.store_release=3 --quiet --timeline "$scratch/stores.smtl"
"$SIMSM" timeline "$scratch/stores.smtl" --ascii --cycles 0:60 --width 100 >"$scratch/drawn"
drain_row=$(grep -m 1 'b0 w0' "$scratch/drawn")
strip=$(grep -m 1 '^issue' "$scratch/drawn")
label=${strip%"${strip##* }"}
before=${drain_row%%D*}
drains=$((${#before} - ${#label}))
"$SIMSM" explain "$scratch/stores.smtl" --cycle "$drains" --slot 0:0:0 >"$scratch/drain"
has "$scratch/drain" "state drain (D) from cycle $drains to" "2 of its accesses have not come back" \
    "(line 7)" "and then leaves the SM"
ends=$(sed -nE 's/.*from cycle [0-9]+ to ([0-9]+).*/\1/p' "$scratch/drain")
taken=$(sed -nE 's/.*enters the load.store stage at cycle ([0-9]+).*/\1/p' "$scratch/drain")
answered=$(sed -nE 's/.*does not wait for the answer to a store, here at cycle ([0-9]+).*/\1/p' "$scratch/drain")
printf '%s\n' "$drains" "$taken" "$ends" "$answered" | sort -nc ||
    fail "drain: from $drains, left the queue at $taken, ends at $ends, answered at $answered"

# A state that lasts over several parts of the file and ends in the last of them.
cat >"$scratch/sleeper.trace" <<'TRACE'
kernel sleeper
grid 1
block 64
registers 16
warps 0 {
    NANOSLEEP 200000
    repeat 5 { IADD3 R1, R1, R2, R3 }
} else {
    repeat 190000 { IADD3 R1, R1, R2, R3 }
}
TRACE
"$SIMSM" teaching "$scratch/sleeper.trace" --quiet --timeline "$scratch/sleeper.smtl"
"$SIMSM" explain "$scratch/sleeper.smtl" --cycle 10 --slot 0:0:0 >"$scratch/sleep"
has "$scratch/sleep" "state sleeping (Z) from cycle 1 to 200001, 200000 cycles:"

# Wide ranges, colours, selections.
"$SIMSM" timeline "$file" --cycles 0:100000 --ascii >"$scratch/wide"
has "$scratch/wide" "cycles: # where the warp issued at least once"
"$SIMSM" timeline "$file" --color always >"$scratch/colour"
has "$scratch/colour" $'\033[38;5;'
NO_COLOR=1 "$SIMSM" timeline "$file" --color auto >"$scratch/plain"
grep -q $'\033' "$scratch/plain" && fail "NO_COLOR is not respected"
"$SIMSM" timeline "$file" --slots 1:0 --width 60 --ascii >"$scratch/slots"
[ "$(grep -cE '^ [0-9]  ' "$scratch/slots")" -eq 1 ] || fail "--slots 1:0 is not one row"

# The same run gives the same file, and so does one that visits every cycle, but for its command.
"$SIMSM" configs/t4.yaml "$trace" --quiet --timeline "$scratch/again.smtl" --no-skip
"$SIMSM" timeline "$scratch/again.smtl" --cycles 0:100000 --ascii | tail -n +3 >"$scratch/again"
tail -n +3 "$scratch/wide" | cmp - "$scratch/again" || fail "--no-skip has another timeline"

# Some SMs, some cycles; a run that a limit stops still has a whole file.
"$SIMSM" configs/t4.yaml "$trace" --quiet --timeline "$scratch/part.smtl" --timeline-sm 1,3 \
    --timeline-cycles "$cycle:$((cycle + 50))"
"$SIMSM" timeline "$scratch/part.smtl" --ascii >"$scratch/part"
has "$scratch/part" "SM 1, cycles" "of $cycle to $((cycle + 50))"
refuses 2 "SM 0 is not recorded" "$SIMSM" timeline "$scratch/part.smtl" --sm 0
refuses 2 "SM 0 is not recorded here; of the GPU's 40 SMs it has 2" "$SIMSM" explain \
    "$scratch/part.smtl" --cycle 0 --slot 0:0:0
refuses 2 "of SM 1 is not recorded; cycles $cycle to $((cycle + 49)) are" "$SIMSM" explain \
    "$scratch/part.smtl" --cycle "$((cycle + 50))" --slot 1:0:0
refuses 2 "is not recorded" "$SIMSM" explain "$scratch/part.smtl" --cycle 0 --slot 1:0:0
"$SIMSM" configs/t4.yaml "$trace" --quiet --timeline "$scratch/late.smtl" \
    --timeline-cycles 90000000:90000001 2>"$scratch/err"
has "$scratch/err" "the timeline is empty"
refuses 2 "no cycle of SM 0 is recorded here" "$SIMSM" timeline "$scratch/late.smtl"
refuses 2 "no cycle of SM 0 is recorded here" "$SIMSM" explain "$scratch/late.smtl" --cycle 1 \
    --slot 0:0:0
status=0
"$SIMSM" configs/t4.yaml "$trace" --quiet --max-cycles "$((cycle + 20))" \
    --timeline "$scratch/cut.smtl" 2>/dev/null || status=$?
[ "$status" -eq 3 ] || fail "--max-cycles: exit status $status"
"$SIMSM" explain "$scratch/cut.smtl" --cycle "$cycle" --slot "0:$sub:0" >"$scratch/open"
has "$scratch/open" "the end of the recording" "does not come within the recorded time"

# Truncated: what is whole is shown, and the loss is said.
head -c "$(($(wc -c <"$file") - 20))" "$file" >"$scratch/short.smtl"
"$SIMSM" timeline "$scratch/short.smtl" --ascii >"$scratch/out" 2>"$scratch/err"
has "$scratch/err" "cut off or damaged at byte"
"$SIMSM" explain "$scratch/short.smtl" --cycle "$cycle" --slot "0:$sub:0" >/dev/null 2>"$scratch/err"
has "$scratch/err" "cut off or damaged at byte"
"$SIMSM" timeline "$file" --ascii | tail -n +3 >"$scratch/whole"
tail -n +3 "$scratch/out" | cmp - "$scratch/whole" || fail "a cut file shows something else"

# What is no timeline, and wrong requests.
: >"$scratch/empty"
refuses 2 "is empty" "$SIMSM" timeline "$scratch/empty"
refuses 2 "is no timeline" "$SIMSM" timeline "$trace"
refuses 2 "No such file" "$SIMSM" explain "$scratch/none" --cycle 1 --slot 0:0:0
refuses 2 "is a directory" "$SIMSM" timeline "$scratch"
refuses 2 "expected A:B" "$SIMSM" timeline "$file" --cycles 5
refuses 2 "--width '3'" "$SIMSM" timeline "$file" --width 3
refuses 2 "does not name slots" "$SIMSM" timeline "$file" --slots 9
refuses 2 "auto, always or never" "$SIMSM" timeline "$file" --color red
refuses 2 "SM:SUB:SLOT" "$SIMSM" explain "$file" --cycle 1 --slot 0:0
refuses 2 "name the cycle and the slot" "$SIMSM" explain "$file"
refuses 2 "there is no slot 8" "$SIMSM" explain "$file" --cycle 1 --slot 0:0:8
refuses 2 "name the timeline" "$SIMSM" timeline
if [ -w /dev/full ]; then
    status=0
    "$SIMSM" timeline "$file" >/dev/full 2>"$scratch/err" || status=$?
    [ "$status" -eq 1 ] || fail "a full disk: exit status $status"
    status=0
    "$SIMSM" configs/t4.yaml "$trace" --quiet --timeline /dev/full 2>"$scratch/err" || status=$?
    [ "$status" -eq 1 ] || fail "a full disk for the timeline: exit status $status"
fi

# Inputs of an older format would be refused before anything in them is read.
"$SIMSM" timeline tests/fuzz/corpus/timeline/small.smtl >"$scratch/out" 2>"$scratch/err" ||
    fail "tests/fuzz/corpus/timeline and corpus/view must be recorded again"
