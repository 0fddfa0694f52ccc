#!/usr/bin/env bash
# What the policies that come with simsm are for: docs/policies.md has the figures.
. tests/tools/cli.sh

run() # ARGUMENT...: the report in $scratch/out
{
    "$SIMSM" t4 "$@" --full >"$scratch/out" 2>"$scratch/err" || fail "simsm t4 $*: status $?"
}

cycles()
{
    sed -n 's/^  cycles  *\([0-9]*\) .*/\1/p' "$scratch/out"
}

l1_hits()
{
    sed -n 's/^  SM - L1 .* \([0-9]*\)\.[0-9] %  *[0-9.]* %$/\1/p' "$scratch/out"
}
run traces/policies/reuse.trace --param lines=24
plain=$(cycles) hits=$(l1_hits)
run traces/policies/reuse.trace --param lines=24 --policy ccws
[ "$(l1_hits)" -gt "$((hits + 20))" ] || fail "ccws: $(l1_hits) % of L1 hit instead of $hits %"
run traces/policies/reuse.trace --param lines=24 --policy dyncta
[ "$(cycles)" -lt "$((plain * 9 / 10))" ] || fail "dyncta: $(cycles) cycles instead of $plain"
run traces/policies/critical.trace
plain=$(cycles)
run traces/policies/critical.trace --policy cawa
[ "$(cycles)" -lt "$((plain * 9 / 10))" ] || fail "cawa: $(cycles) cycles instead of $plain"
run traces/policies/stream.trace
plain=$(cycles)
run traces/policies/stream.trace --policy next_line
[ "$(cycles)" -lt "$((plain / 2))" ] || fail "next_line: $(cycles) cycles instead of $plain"
