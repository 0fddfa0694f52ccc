#!/usr/bin/env bash
# The page that simulates in a browser (viz/web): its reports are the command's, and people can use
# it, opened from disk, in Chromium and in Firefox.
. tests/tools/cli.sh

command -v emcc >/dev/null || { echo "there is no emcc"; exit 77; }
command -v node >/dev/null || { echo "there is no node"; exit 77; }
top=$PWD
if [ ! -f build/web/libraries/prefix/complete ] && ! (./dev web >"$scratch/out" 2>&1); then
    [ -f build/web/libraries/prefix/complete ] || { echo "the sources of the page's libraries cannot be had"; exit 77; }
fi
./dev web >"$scratch/out" 2>&1 || fail "the page is not built"
site=$top/build/web/site
bytes=$(cat "$site"/* | wc -c)
[ "$bytes" -lt 2000000 ] || fail "the page has $bytes bytes"
! grep -lE '(src|href)="https?:|fetch\(' "$site"/index.html "$site"/page.js || fail "the page needs a network"

# same TRACE CONFIG [OPTION...]: the reports of the page are those of the command, byte by byte.
same()
{
    local trace=$1 config=$2 name=kernel.${1##*.} options=()
    shift 2
    for word in "$@"; do options+=("${word%% *}" "${word#* }"); done
    cp "$trace" "$scratch/$name"
    node tests/tools/web_reports.js "$site/engine.js" configs "$scratch" "$trace" "$config" "$@" >"$scratch/out" ||
        fail "the page does not simulate $trace"
    echo "$trace on $config: $(cat "$scratch/out")"
    ln -sfn "$top/configs" "$scratch/configs"
    (cd "$scratch" && LC_ALL=C.UTF-8 "$SIMSM" "$config" "$name" "${options[@]}" --full >native.txt)
    cmp "$scratch/native.txt" "$scratch/full.txt" || fail "$trace on $config: the page's report differs"
    (cd "$scratch" && "$SIMSM" "$config" "$name" "${options[@]}" | sed '/^  next /,$d' >native.txt)
    cmp "$scratch/native.txt" "$scratch/short.txt" || fail "$trace on $config: the short report differs"
}

same viz/web/first_look.trace teaching8
same viz/web/first_look.trace teaching8 "--set sm.scheduler=lrr" "--param split=16"
same traces/lessons/two_paths.trace teaching "--param a=3"
same traces/lessons/sort.trace t4 "--memory fixed"
same traces/lessons/matmul_tiled16.trace h200
same traces/divergent.trace t4
for config in configs/*.yaml; do
    same traces/divergent.trace "$(basename "$config" .yaml)" "--param rounds=1"
done
"$SIMSM" record teaching8 viz/web/first_look.trace -o "$scratch/first.smtr" >/dev/null
same "$scratch/first.smtr" teaching8
"$SIMSM" record t4 tests/bench/kernels/kernels.sm_75.cubin --launch tests/bench/kernels/copy.yaml -o "$scratch/compiled.smtr" >/dev/null
same "$scratch/compiled.smtr" t4

# The page of the wasm build is the page that the viewer writes.
[ -z "${VIEW:-}" ] || grep -q 'id="explore"' "$scratch/page.html" || fail "the page of the run lacks its timeline"

# An error has the place that the command names.
sed 's/FFMA/FFMAA/' viz/web/first_look.trace >"$scratch/kernel.trace"
got=0
node tests/tools/web_reports.js "$site/engine.js" configs "$scratch" "$scratch/kernel.trace" teaching8 >"$scratch/out" || got=$?
[ "$got" -eq 2 ] || fail "exit status $got instead of 2"
(cd "$scratch" && "$SIMSM" teaching8 kernel.trace >/dev/null 2>err) && fail "the command takes a wrong kernel"
line=$(sed -n 's/.*kernel.trace:\([0-9]*\):\([0-9]*\): .*/"line":\1,"column":\2/p' "$scratch/err")
grep -qF "$line" "$scratch/out" || fail "the error is not at $line"

# People: the lessons, then the page itself.
node tests/tools/web_lessons.js "$site" "$SIMSM" viz/web "$scratch" || fail "a lesson is wrong"
"$SIMSM" teaching8 viz/web/first_look.trace --quiet --timeline "$scratch/first.smtl"
tested=0
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null || continue
    node tests/tools/web_page.js chromium "$(command -v $browser)" "$site" "$scratch" || fail "in $browser"
    tested=1
    break
done
for browser in firefox-esr firefox; do
    command -v $browser >/dev/null || continue
    node tests/tools/web_page.js firefox "$(command -v $browser)" "$site" "$scratch" || fail "in $browser"
    tested=1
    break
done
[ $tested -eq 1 ] || echo "there is no browser: the page was built and run by node alone"
