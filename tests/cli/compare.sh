#!/usr/bin/env bash
# simsm compare: what it prints and writes, and what it refuses.
. tests/tools/cli.sh

data=tests/data/compare
"$SIMSM" compare "$data"/app.*.json "$data/raw.csv" --csv "$scratch/out.csv" \
    --json "$scratch/out.json" --svg "$scratch/out.svg" >"$scratch/out"
grep -q '^3 of them matched' "$scratch/out"
grep -Eq '^  2 add +8000 +10000 +-20\.0 %' "$scratch/out"
grep -Eq '^ +10\.0 % +10\.0 % +20\.0 % +20\.0 % +0\.9[0-9]+ +3  sm__cycles_elapsed.max$' "$scratch/out"
grep -q '66.7 %     2 of    3 launches: executed warp instructions, equal' "$scratch/out"
grep -q '^app,2,"add(float \*, float \*)",sm__cycles_elapsed.max,%,8000,10000,-20$' "$scratch/out.csv"
[ "$(grep -c '<circle.*title' "$scratch/out.svg")" = 3 ]
python3 -m json.tool "$scratch/out.json" >/dev/null 2>&1 || ! command -v python3 >/dev/null

# One launch of the page "details", whose kernel names are mangled.
"$SIMSM" compare "$data/app.1.json" "$data/details.csv" >"$scratch/out"
grep -Eq '^ +4400 +4000 +\+10\.0 %  gpc__cycles_elapsed.max' "$scratch/out"
grep -q 'only measured: 1: 2 add' "$scratch/out"
"$SIMSM" compare --markdown summary "$data"/app.*.json "$data/raw.csv" | grep -q '^| all launches | 3 | 10.0 % '

refuse() # MESSAGE ARGUMENTS...
{
    local status=0
    "$SIMSM" compare "${@:2}" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ $status = 2 ] && [ "$(wc -l <"$scratch/err")" = 1 ] && grep -q "$1" "$scratch/err" ||
        { echo "'$1' is expected, status 2; found status $status:"; cat "$scratch/err"; exit 1; }
}
echo '{"format": 1}' >"$scratch/no.json"
echo '{' >"$scratch/cut.json"
printf '"ID","Kernel Name","x__y"\n"0","other","1"\n' >"$scratch/other.csv"
printf '"ID","Kernel Name","x__y"\n"0","scale","1"\n' >"$scratch/metrics.csv"
refuse 'no run that simsm wrote' "$scratch/no.json" "$data/raw.csv"
refuse 'this is no JSON' "$scratch/cut.json" "$data/raw.csv"
refuse 'no launch in it is one of those simulated: the first is of other' "$data/app.1.json" "$scratch/other.csv"
refuse 'no metric that simsm counts' "$data/app.1.json" "$scratch/metrics.csv"
refuse 'is not a metric of both sides' --metric nothing "$data/app.1.json" "$data/raw.csv"
refuse 'cannot be read\|No such file\|does not exist' "$data/app.1.json" "$scratch/none.csv"
