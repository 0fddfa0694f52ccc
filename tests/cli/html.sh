#!/usr/bin/env bash
# A run as a page (simsm-view --html), opened and used in a browser.
. tests/tools/cli.sh

[ -n "${VIEW:-}" ] || { echo "the viewer is not built"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "there is no Chromium"; exit 77; }

# The input's name would do harm on a page that took it as it is.
trace="$scratch/<img src=x onerror=problems.push(1)>\".trace"
cp traces/divergent.trace "$trace"
file=$scratch/run.smtl
page=$scratch/page.html
from=3000 to=3060 rows=8

"$SIMSM" configs/t4.yaml "$trace" --quiet --timeline-sm 0,1 --timeline "$file"
"$VIEW" "$file" --html "$page"
[ "$(wc -c <"$page")" -lt 5000000 ] || fail "the page has $(wc -c <"$page") bytes"
grep -q '&lt;img src=x' "$page" || fail "the input is not named"

# Colours of letters on light or dark ground, from the table of states: "L":"f43801",...
colours()
{
    grep -o "^STATE(.*" include/simsm/defs/warp_states.def |
        sed -E "s/^STATE\([A-Z_]+, \"[a-z_]+\", '(.)', 0x([0-9A-F]+), 0x([0-9A-F]+).*/\"\1\":\"\\$1\"/" |
        paste -sd,
}

# Put before the page's own scripts: errors are kept, and frames come although nobody looks.
read -r -d '' before <<'HTML' || true
<script>
const problems = [];
addEventListener('error', (e) => problems.push(e.message));
addEventListener('securitypolicyviolation', (e) => problems.push('refused: ' + e.blockedURI));
window.requestAnimationFrame = (draw) => setTimeout(draw, 0);
</script>
HTML

# probe PAGE COLUMN THEME SM: uses the page in a browser; what it says is in $scratch/out. The colours
# of states are in that column of their table; the theme is what the browser prefers (0 dark, 1 light).
probe()
{
    local copy=$scratch/probed.html
    {
        sed '/<head>/q' "$1"
        echo "$before"
        sed '1,/<head>/d; /<\/body>/,$d' "$1"
        echo "<script>const wanted = {from: $from, to: $to, rows: $rows, sm: $4, colours: {$(colours "$2")}};"
        cat tests/data/html/probe.js
        echo "</script></body></html>"
    } >"$copy"
    "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --window-size=1300,900 \
        --user-data-dir="$scratch/browser" --blink-settings=preferredColorScheme="$3" \
        --dump-dom "file://$copy" 2>"$scratch/browser.log" |
        sed -n '/<pre id="probe">/,/<\/pre>/p' | sed 's/<[^>]*>//g' >"$scratch/out"
    says "problems: none" "colours: true" "whole: cycles 0 to" "zoomed: true" "kept: true" "dragged: true" \
        "page scrolls on: true" "pinched: 3" "key zoomed: true" "key whole: true" "selected: row 1, 10 from the middle, marked" "pictures: 9" "foreign: 0"
    [ "$(sed -n 's/^whole: //p' "$scratch/out")" = "$(sed -n 's/^back: //p' "$scratch/out")" ] ||
        fail "the whole run is not the same twice"
}

says()
{
    for text in "$@"; do
        grep -qF -- "$text" "$scratch/out" || fail "'$text' is missing"
    done
}

# Each row is what the command draws as letters.
same_rows()
{
    "$SIMSM" timeline "$file" --sm 0 --cycles $from:$to --ascii |
        awk '/^sub-partition/ { sub(":", "", $2); s = $2 } /^ *[0-9]+ +b[0-9]+ / { print "row " $1 * 4 + s ": " $NF }' |
        sort >"$scratch/rows"
    grep '^row ' "$scratch/out" | sort >"$scratch/seen"
    [ "$(wc -l <"$scratch/seen")" -eq $rows ] || fail "there are not $rows rows"
    [ -z "$(comm -23 "$scratch/seen" "$scratch/rows")" ] ||
        { cat "$scratch/rows" >&2; fail "cells differ from simsm timeline"; }
}

# What the page says of causes is what the command says.
same_causes()
{
    local slot cycle why seen=0
    grep '^why ' "$scratch/out" >"$scratch/whys"
    for cause in 'needs R[0-9]* from' 'the scheduler chose' 'of block .* it waits for warp' 'answers at cycle'; do
        grep -q "$cause" "$scratch/whys" || fail "no cell of which '$cause' is said"
    done
    while read -r _ slot cycle why; do
        [[ $why =~ issued\ at\ cycle\ ([0-9,]+) ]] || continue
        "$SIMSM" explain "$file" --slot "0:$((slot % 4)):$((slot / 4))" --cycle "${cycle%:}" |
            tr -s ' \n' ' ' >"$scratch/said"
        grep -q "at cycle ${BASH_REMATCH[1]//,/}" "$scratch/said" || fail "slot $slot, cycle $cycle: $why; but: $(cat "$scratch/said")"
        if [[ $why =~ \;\ (.*)\ answers\ at\ cycle\ ([0-9,]+) ]]; then
            grep -q "from ${BASH_REMATCH[1]}: .* at cycle ${BASH_REMATCH[2]//,/}" "$scratch/said" ||
                fail "slot $slot, cycle $cycle: $why; but: $(cat "$scratch/said")"
        fi
        seen=$((seen + 1))
    done < <(awk 'NR % 5 == 1' "$scratch/whys")
    [ "$seen" -ge 10 ] || fail "only $seen causes were looked at"
}

probe "$page" 3 1 1
same_rows
same_causes
says "SMs: 2" "other SM exact: true" "note: false" "other SM colours: true" "other SM says: cycle 9,"
probe "$page" 2 0 1
same_rows

# More than a page can take: the first SM stays exact, the others come in steps, and the page says so.
sed 's/^grid .*/grid 700/' traces/divergent.trace >"$scratch/large.trace"
"$SIMSM" configs/t4.yaml "$scratch/large.trace" --quiet --timeline "$file"
"$VIEW" "$file" --html "$page"
[ "$(wc -c <"$page")" -lt 5000000 ] || fail "the large page has $(wc -c <"$page") bytes"
probe "$page" 3 1 20
same_rows
says "SMs: 40" "other SM exact: false" "note: true" "other SM colours: true" "of cycles" "issued in"

# The command of simsm, and a second run to compare with.
"$SIMSM" configs/t4.yaml "$trace" --quiet --timeline-sm 0 --timeline "$scratch/other.smtl"
"$SIMSM" report "$scratch/other.smtl" "$scratch/other.smtl" --html "$scratch/both.html"
grep -q '<section id="screen-compare">' "$scratch/both.html" || fail "the page does not compare"
grep -q "<p class=.verdict.>B against A: " "$scratch/both.html" || fail "the page does not say which run is faster"
got=0
"$SIMSM" report "$scratch/other.smtl" >"$scratch/out" 2>"$scratch/err" || got=$?
[ "$got" -eq 2 ] || fail "exit status $got instead of 2"
grep -q "name the page to write: --html FILE" "$scratch/err" || fail "no hint at --html"

# Damage is told, not hidden.
head -c $(($(wc -c <"$file") / 2)) "$file" >"$scratch/cut.smtl"
"$VIEW" "$scratch/cut.smtl" --html "$page"
grep -q '<dt>Damage</dt>' "$page" || fail "the page of a cut file does not say so"
