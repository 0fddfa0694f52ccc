#!/usr/bin/env bash
# `simsm view` runs and shows, `simsm repeat` runs again. $VIEW is the viewer.
. tests/tools/cli.sh
export TMPDIR=$scratch
trace=traces/lessons/latency.trace
file="$scratch/a 'run'.smtl"

# expect STATUS WORDS... : the command's exit status; its output and errors are kept.
expect()
{
    local wanted=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" = "$wanted" ] || fail "simsm $*: exit status $status, not $wanted"
}

told() # WORDS: on the standard error
{
    grep -qF -- "$1" "$scratch/err" || fail "no word of '$1'"
}

blocks() # FILE: blocks that are resident on SM 0 at once, from the slots that its first cycles use
{
    "$SIMSM" timeline "$1" --sm 0 --cycles 1500:3000 --ascii | grep -oE ' b[0-9]+ ' | sort -u | wc -l
}

# Again with one block in place of eight; words with blanks and quotes come back as they were.
expect 0 t4 traces/lessons/waves.trace --param n=320 --timeline "$file" --timeline-sm 0 --quiet
expect 0 repeat "$file" --timeline "$scratch/one.smtl" --set sm.max_blocks=1 --quiet
[ ! -s "$scratch/out" ] || fail "--quiet prints"
[ "$(blocks "$file")" -ge 8 ] || fail "$(blocks "$file") blocks in the first run"
[ "$(blocks "$scratch/one.smtl")" = 1 ] || fail "$(blocks "$scratch/one.smtl") blocks with sm.max_blocks=1"
expect 0 t4 "$trace" --param n=1 --timeline "$file" --set "gpu.name=it's \"one\" \$PU" --quiet
expect 0 repeat "$file" --timeline "$scratch/two.smtl" --quiet
cmp -s "$file" "$scratch/two.smtl" || fail "the same run gives another timeline"

# What cannot be repeated is told.
expect 2 repeat "$scratch/absent.smtl" --timeline "$scratch/three.smtl"
expect 2 repeat "$file"
told "--timeline NEW.smtl"
expect 2 repeat "$file" --timeline "$scratch/three.smtl" --set sm.max_blocks=0
(cd "$scratch" && ! "$SIMSM" repeat "$file" --timeline three.smtl 2>err) || fail "it runs from elsewhere"
told "cannot read this trace"

[ -n "${VIEW-}" ] || exit 0

# A run and its picture; the timeline is gone, or where it was wished.
expect 0 view t4 "$trace" --quiet -- --png "$scratch/ran.png"
[ -s "$scratch/ran.png" ] || fail "no picture"
expect 0 view t4 "$trace" --quiet --timeline "$scratch/kept.smtl" -- --png "$scratch/kept.png"
cmp -s "$scratch/ran.png" "$scratch/kept.png" || fail "the same run gives another picture"
expect 0 view "$scratch/kept.smtl" --png "$scratch/read.png"
cmp -s "$scratch/ran.png" "$scratch/read.png" || fail "the kept timeline gives another picture"
expect 2 view t4 "$trace" --no-such-option
expect 2 view t4 no-such.trace
expect 2 view "$scratch/absent.smtl" --png "$scratch/x.png"
[ -z "$(find "$scratch" -name 'simsm-??????')" ] || fail "timelines of nobody stay"

# Key h runs again with one resident block, and compares; failures are told in the status line.
"$SIMSM" t4 traces/lessons/waves.trace --timeline "$scratch/waves.smtl" --timeline-sm 0 --quiet
"$SIMSM" repeat "$scratch/waves.smtl" --timeline "$scratch/one-block.smtl" --set sm.max_blocks=1 --quiet
"$VIEW" "$scratch/waves.smtl" --keys "h escape" --png "$scratch/h.png"
"$VIEW" "$scratch/waves.smtl" "$scratch/one-block.smtl" --keys escape --png "$scratch/both.png"
cmp -s "$scratch/h.png" "$scratch/both.png" || fail "h compares something else"
(cd "$scratch" && "$VIEW" kept.smtl --keys h --svg h.svg)
grep -q 'not run again: .*cannot read this trace' "$scratch/h.svg" || fail "h does not tell its failure"
[ -z "$(find "$scratch" -name 'simsm-*')" ] || fail "h leaves files behind"

# Waves says of the tail what the report says: of a partial wave, of blocks of uneven length.
for n in 400 900; do
    "$SIMSM" t4 traces/lessons/waves.trace --param "n=$n" --quiet --timeline "$scratch/tail.smtl" \
        --timeline-sm 0 --csv "$scratch/tail.csv"
    "$VIEW" "$scratch/tail.smtl" --screen waves --svg "$scratch/tail.svg"
    tail=$(awk -F, '$1 == "simsm__tail.pct" { printf "%.1f", $3 }' "$scratch/tail.csv")
    grep -qF "wastes $tail %" "$scratch/tail.svg" || fail "$n blocks: the tail is not $tail %"
done

# Without the viewer.
mkdir "$scratch/alone"
cp "$SIMSM" "$scratch/alone/simsm"
PATH=/nowhere "$scratch/alone/simsm" view "$scratch/kept.smtl" 2>"$scratch/err" && fail "it shows without a viewer"
told "simsm-view was not found"

# The page says what the report says: the limit, what to try, lost occupancy, costly lines.
"$SIMSM" configs/t4.yaml traces/divergent.trace --full --timeline "$scratch/said.smtl" >"$scratch/report"
"$VIEW" "$scratch/said.smtl" --html "$scratch/said.html"
sed 's/<[^>]*>/ /g; s/&amp;/\&/g' "$scratch/said.html" | tr -s ' \n' ' ' >"$scratch/said"
tr -s ' \n' ' ' <"$scratch/report" >"$scratch/words"
for part in "within blocks [0-9.]* % [a-z ]*ran" "across blocks [0-9.]* % [a-z, ]*together" \
    "Memory latency: .*exhausted\." "Uncoalesced global access: about [0-9.]* % of the time; [a-z0-9. ]*; line 53" "Try: let neighbouring [a-z ,:]*memory\." "waves [0-9.]* all full.* 40 SMs" "35\.1 % 7\.68 k 8\.02"; do
    words=$(grep -o -- "$part" "$scratch/words" | head -1)
    [ -n "$words" ] || fail "the report does not say '$part'"
    grep -qiF -- "$words" "$scratch/said" || fail "the page does not say '$words'"
done

# One damaged SM of two: what shows all goes without it and says so; a cut file is told of, too.
"$SIMSM" configs/t4.yaml traces/divergent.trace --quiet --timeline-sm 0,1 --timeline "$scratch/two-sms.smtl"
mapfile -t heads < <(grep -abo SMBK "$scratch/two-sms.smtl" | cut -d: -f1)
cp "$scratch/two-sms.smtl" "$scratch/hurt.smtl"
printf '12345678' | dd of="$scratch/hurt.smtl" bs=1 seek=$(((heads[2] + heads[3]) / 2)) conv=notrunc status=none
"$VIEW" "$scratch/hurt.smtl" --perfetto "$scratch/hurt.pftrace" 2>"$scratch/err" || fail "nothing is exported"
told "left out: the part with cycles"
"$VIEW" "$scratch/hurt.smtl" --html "$scratch/hurt.html" || fail "no page of the SM that is whole"
grep -q 'class="note">SM [01] is left out here' "$scratch/hurt.html" || fail "the page does not say what it lacks"
[ "$(grep -c 'class="sm" data-sm' "$scratch/hurt.html")" = 1 ] || fail "the page has not one SM"
head -c "${heads[3]}" "$scratch/two-sms.smtl" >"$scratch/cut.smtl"
"$VIEW" "$scratch/cut.smtl" --png "$scratch/cut.png" 2>"$scratch/err" || fail "no picture of a cut file"
told "cut off or damaged"

# What is refused, and where it should have stood.
expect 2 view t4 "$trace" --png "$scratch/x.png"
told "simsm view CONFIG TRACE -- --png"
expect 2 view "$scratch/kept.smtl" --png "$scratch/x.png" --size 639x360
told "from 640x360"
expect 2 view "$scratch/kept.smtl" --tui --tour
told "leave out --tui"
expect 1 view "$scratch/kept.smtl" --png /dev/full
told "/dev/full"
(unset DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR SDL_VIDEODRIVER; expect 1 view "$scratch/kept.smtl")
[ "$(wc -l <"$scratch/err")" = 1 ] || fail "$(cat "$scratch/err")"
