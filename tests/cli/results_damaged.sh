#!/usr/bin/env bash
# simsm results of a file with a damaged page, wherever that is: one clear error, or all that was there.
. tests/tools/cli.sh
set -o pipefail
cat >"$scratch/s.yaml" <<SPEC
configs: [t4, teaching]
kernels: [$PWD/traces/lessons/waves.trace]
vary: {sm.scheduler: [gto, lrr], memory.fixed_latency: 100:400:100}
set: {gpu.sms: 1, memory.model: fixed}
SPEC
results=$scratch/s.sqlite
"$SIMSM" sweep "$scratch/s.yaml" --quiet || fail "the sweep"

# What is asked: everything; a table by a key that only the complete configurations have; one point.
ask() # FILE
{
    case $kind in
    list) "$SIMSM" results "$1" --csv - ;;
    table) "$SIMSM" results "$1" --rows gpu.sms --columns sm.warp_slots --where kernel=waves ;;
    where) "$SIMSM" results "$1" --where gpu.sms=1 ;;
    rerun) "$SIMSM" results "$1" --rerun 3 | sed "s|$1|$results|" ;;
    esac
}
kinds=(list table where rerun)
for kind in "${kinds[@]}"; do
    ask "$results" >"$scratch/$kind.whole" || fail "$kind"
done

page=$((16#$(od -An -j16 -N2 -tx1 "$results" | tr -d ' ')))
pages=$(($(wc -c <"$results") / page))
[ "$pages" -gt 20 ] || fail "too few pages: $pages"
head -c "$page" /dev/zero | tr '\0' '\377' >"$scratch/page"
head -c "$page" /dev/zero >"$scratch/zeros"
told=0
for ((i = 1; i < pages; i++)); do
    cp "$results" "$scratch/bad.sqlite"
    with=page
    [ $((i % 2)) -eq 0 ] || with=zeros
    dd if="$scratch/$with" of="$scratch/bad.sqlite" bs="$page" seek="$i" conv=notrunc status=none
    kind=${kinds[i % 4]}
    [ "$i" -lt $((pages - 8)) ] || kind=list
    status=0
    ask "$scratch/bad.sqlite" >"$scratch/out" 2>"$scratch/err" || status=$?
    if [ "$status" -eq 0 ]; then
        cmp -s "$scratch/out" "$scratch/$kind.whole" || fail "page $i of $pages: $kind leaves something out, and says nothing"
        continue
    fi
    [ "$status" -eq 1 ] || fail "page $i, $kind: status $status, not 1"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "page $i, $kind: not one line"
    grep -qF 'bad.sqlite: the file is damaged: ' "$scratch/err" || fail "page $i, $kind: not told"
    told=$((told + 1))
done
[ "$told" -ge $((pages / 3)) ] || fail "of $pages damaged pages $told were noticed"

# In the middle of all: what was read before is not all there is.
cp "$results" "$scratch/bad.sqlite"
for ((i = pages / 3; i < pages; i++)); do
    dd if="$scratch/page" of="$scratch/bad.sqlite" bs="$page" seek="$i" conv=notrunc status=none
done
for kind in list table where; do
    status=0
    ask "$scratch/bad.sqlite" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq 1 ] && grep -qF 'the file is damaged: ' "$scratch/err" || fail "the last two thirds, $kind: status $status"
done
