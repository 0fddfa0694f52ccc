#!/usr/bin/env bash
# Shells complete commands, options and values as `simsm complete` says, which says what the
# parsers take.
. tests/tools/cli.sh

scripts=$PWD/sim/install/completions

offers() # WORDS-AS-EXPECTED WORD...
{
    local expected=$1
    shift
    "$SIMSM" complete -- "$@" | cut -f1 | tr '\n' ' ' >"$scratch/out"
    [ "$(cat "$scratch/out")" = "$expected" ] || fail "complete -- $*: expected '$expected'"
}

offers "occupancy " occ
offers "devices disasm diff " d
offers "t4 " t4
offers "--metric " sweep --me
offers "--memory " run t4 --me
offers "fixed full fast " t4 a.trace --memory f
offers "--memory=ideal " run t4 --memory=i
offers "memory.model= " t4 a.trace --set memory.mod
offers "memory.model=fixed memory.model=full memory.model=fast " t4 a.trace --set memory.model=f
offers "--set=memory.model=ideal " t4 a.trace --set=memory.model=i
offers "@files " t4 ""
offers "@files " run t4 -- ./program --bri
offers "@files " run t4 ./program --bri
offers "@files " t4 a.trace --json ""
offers "check convert " trace c
offers "t4 " config show t4
offers "cold " calibrate t4 --launch c
offers "sm__cycles_elapsed.max " sweep t4 a --vary x=1 --metric sm__cycles_elapsed

# Every option of --help is offered, for every command.
for command in $("$SIMSM" complete -- "" | awk -F'\t' '$2 != "a configuration" && $1 != "@files" { print $1 }'); do
    case $command in view | tui) continue ;; esac
    "$SIMSM" "$command" --help | grep -oE '^ +(-[A-Za-z?], +)?--[a-z-]+' | grep -oE -e '--[a-z-]+' |
        grep -vx -e --usage | sort -u >"$scratch/help"
    "$SIMSM" complete -- "$command" - | cut -f1 | sort -u >"$scratch/offered"
    diff "$scratch/help" "$scratch/offered" >"$scratch/out" || fail "$command: --help and completion differ"
done

# bash, as readline calls the function: COMP_LINE up to the cursor.
completed() # WORDS-AS-EXPECTED LINE
{
    PATH="$(dirname "$SIMSM"):$PATH" bash -c '
        compopt() { :; }
        . "$1"/simsm.bash
        COMP_LINE=$2 COMP_POINT=${#2}
        _simsm simsm
        printf "%s\n" "${COMPREPLY[@]}"' bash "$scripts" "$2" | tr '\n' ' ' >"$scratch/out"
    [ "$(cat "$scratch/out")" = "$1" ] || fail "bash, $2: expected '$1'"
}
bash -c 'complete -p simsm' 2>/dev/null && fail "simsm is completed before the script is read"
bash -c '. "$1"/simsm.bash; complete -p simsm' bash "$scripts" >"$scratch/out" || fail "bash: nothing is registered"
completed "occupancy " "simsm occ"
completed "--full " "simsm run t4 --ful"
completed "ideal " "simsm run t4 --memory=i"
completed "fixed full fast " "simsm t4 a.trace --set memory.model=f"
completed "CONTRIBUTING.md " "simsm t4 CONTRI"
completed "CONTRIBUTING.md " "simsm t4 a.trace --json=CONTRI"

if command -v fish >/dev/null; then
    fish --no-execute "$scripts/simsm.fish" || fail "fish: the script cannot be read"
    PATH="$(dirname "$SIMSM"):$PATH" HOME=$scratch fish -c "source $scripts/simsm.fish; complete -C 'simsm run t4 --ful'" >"$scratch/out"
    grep -q '^--full' "$scratch/out" || fail "fish does not complete --full"
    PATH="$(dirname "$SIMSM"):$PATH" HOME=$scratch fish -c "source $scripts/simsm.fish; complete -C 'simsm t4 CONTRI'" >"$scratch/out"
    grep -qx 'CONTRIBUTING.md' "$scratch/out" || fail "fish does not complete files"
fi
if command -v zsh >/dev/null; then
    zsh -n "$scripts/simsm.zsh" || fail "zsh: the script cannot be read"
    PATH="$(dirname "$SIMSM"):$PATH" script=$scripts/simsm.zsh zsh -fc '
        _describe() { print -rl -- ${(P)2} }
        _files() { print files }
        compset() { }
        completion() { . "$script"; }
        words=(simsm run t4 --ful) CURRENT=4 PREFIX=--ful; completion
        words=(simsm t4 "") CURRENT=3 PREFIX=; completion' | grep . >"$scratch/out" || fail "zsh: nothing is offered"
    [ "$(cut -d: -f1 "$scratch/out" | tr '\n' ' ')" = "--full files " ] || fail "zsh offers something else"
fi
