#!/usr/bin/env bash
# The viewer's window in a real X server: it shows what --png draws, and q ends it. Without a display
# there is a message, and no window that nobody sees.
. tests/tools/cli.sh

file=$scratch/run.smtl
"$SIMSM" configs/t4.yaml traces/lessons/latency.trace --timeline "$file" >"$scratch/out"

# Somebody's own screen is left alone: without X a program of its owner may still draw on it.
if ! compgen -G '/dev/dri/card*' >/dev/null; then
    status=0
    env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER timeout 20 "$VIEW" "$file" \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 1 ] || fail "without a display the status is $status instead of 1"
    grep -q 'no display' "$scratch/err" || fail "without a display nothing says so"
    grep -q -e '--png' "$scratch/err" || fail "the message does not say what else can be done"
fi
status=0
env -u DISPLAY SDL_VIDEODRIVER=x11 timeout 20 "$VIEW" "$file" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] && grep -q 'no display' "$scratch/err" || fail "x11 without a server: $status"

# The first window begins with the tour, which is kept.
SDL_VIDEODRIVER=dummy XDG_STATE_HOME=$scratch/state timeout 20 "$VIEW" "$file" 2>"$scratch/err" &
viewer=$!
for _ in $(seq 100); do
    [ ! -e "$scratch/state/simsm/tour" ] || break
    sleep 0.1
done
kill "$viewer"
wait "$viewer" 2>/dev/null || true
[ -e "$scratch/state/simsm/tour" ] || fail "the tour was not kept: $(cat "$scratch/err")"

command -v Xvfb >/dev/null || { echo "Xvfb is not installed: the window is not tested"; exit 77; }

# The server takes a free number of its own and tells it.
Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>"$scratch/number" 2>"$scratch/server" &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do
    [ ! -s "$scratch/number" ] || break
    sleep 0.1
done
[ -s "$scratch/number" ] || { cat "$scratch/server"; echo "Xvfb does not run here"; exit 77; }
DISPLAY=:$(cat "$scratch/number")
export DISPLAY SDL_VIDEODRIVER=x11 XDG_STATE_HOME=/dev/null # no tour
unset WAYLAND_DISPLAY

options=(--size 800x600 --screen timeline --theme light --scale 100)
"$VIEW" "$file" "${options[@]}" --keys "w w w i" --png "$scratch/expected.png" >"$scratch/out" 2>"$scratch/err" ||
    fail "--png failed"
[ "$(wc -c <"$scratch/expected.png")" -gt 2000 ] || fail "the picture is empty"
# Drivers that are unloaded leave memory behind whose owner AddressSanitizer cannot tell.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 timeout 60 "$VIEW" "$file" "${options[@]}" >"$scratch/out" 2>"$scratch/err" &
viewer=$!
"$X_CHECK" "$scratch/expected.png" wwwi 2>"$scratch/said" || fail "$(cat "$scratch/said")"
status=0
wait "$viewer" || status=$?
[ "$status" -eq 0 ] || fail "q ends it with status $status"
