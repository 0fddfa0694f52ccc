#!/usr/bin/env bash
# simsm compare: what it prints and writes, and what it refuses.
. tests/tools/cli.sh

data=tests/data/compare
head -n 1 "$data/app.jsonl" >"$scratch/one.json"
"$SIMSM" compare "$data/app.jsonl" "$data/raw.csv" --csv "$scratch/out.csv" \
    --json "$scratch/out.json" --svg "$scratch/out.svg" >"$scratch/out"
grep -q '^3 of them matched' "$scratch/out"
grep -Eq '^  2 add +8000 +10000 +-20\.0 %' "$scratch/out"
grep -Eq '^ +10\.0 % +10\.0 % +20\.0 % +20\.0 % +0\.9[0-9]+ +3  sm__cycles_elapsed.max$' "$scratch/out"
grep -q '66.7 %     2 of    3 launches: executed warp instructions, equal' "$scratch/out"
grep -q '^app,2,"add(float \*, float \*)",sm__cycles_elapsed.max,%,8000,10000,-20$' "$scratch/out.csv"
[ "$(grep -c '<circle.*title' "$scratch/out.svg")" = 3 ]
if command -v python3 >/dev/null; then
    python3 -m json.tool "$scratch/out.json" >/dev/null 2>"$scratch/err" || fail "--json is no JSON"
fi

# One launch of the page "details", whose kernel names are mangled.
"$SIMSM" compare "$scratch/one.json" "$data/details.csv" >"$scratch/out"
grep -Eq '^ +4400 +4000 +\+10\.0 %  gpc__cycles_elapsed.max' "$scratch/out"
grep -q 'only measured: 1: 2 add' "$scratch/out"
"$SIMSM" compare --markdown summary "$data/app.jsonl" "$data/raw.csv" | grep -q '^| all launches | 3 | 10.0 % '

# Beside the mean of all launches: by kernel, without the kernel of most launches, with its sign.
"$SIMSM" compare --markdown summary "$data/app.jsonl" "$data/raw.csv" >"$scratch/out"
grep -Fq '| mean error by program (2, the launches of each averaged first) | 12.5 % |' "$scratch/out"
grep -Fq '| mean error without scale (2 of 3 launches) | 20.0 % |' "$scratch/out"
grep -Fq '| mean signed error | -3.3 % |' "$scratch/out"
grep -Fq '| launches whose value is too small (cycles: too fast) | 33.3 % (1 of 3) |' "$scratch/out"

# Several runs of a launch: beside the median of those of one pass, which they are as far from as their
# range says.
titles='program,launch,kernel,grid,block,caches,run,sm__cycles_elapsed.max'
launch='app,0,"scale(float *, float)","(40, 1, 1)","(128, 1, 1)"'
{
    echo "$titles"
    for run in cold,1,4100 cold,2,5000 warm,1,3000; do echo "$launch,$run"; done
} >"$scratch/runs.csv"
{ echo "${titles/caches,run,/}"; echo "$launch,4000"; } >"$scratch/once.csv"
"$SIMSM" compare --markdown launches "$scratch/one.json" --runs "$scratch/runs.csv" "$scratch/once.csv" |
    grep -q '^| 1 scale | scale | 4100 to 5000 | 4550 | 4400 | -3.3 % |'
"$SIMSM" compare --markdown summary "$scratch/one.json" --runs "$scratch/runs.csv" "$scratch/once.csv" |
    grep -Fq "| elapsed cycles | between the GPU's own runs | 100.0 % (1 of 1) |"
"$SIMSM" compare --markdown launches "$scratch/one.json" "$scratch/runs.csv" --caches warm |
    grep -q '^| 1 scale | scale | - | 3000 | 4400 | +46.7 % |'
# 4100 and 5000, in percent of the second; 4000 is of several passes.
"$SIMSM" compare --markdown summary --spread --runs "$scratch/runs.csv" "$scratch/once.csv" |
    grep -q '^| all launches | 1 | 18.0 % | 18.0 % | 18.0 % | 18.0 % |'

refuse() # MESSAGE ARGUMENTS...
{
    local status=0
    "$SIMSM" compare "${@:2}" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ $status = 2 ] && [ "$(wc -l <"$scratch/err")" = 1 ] && grep -q "$1" "$scratch/err" ||
        { echo "'$1' is expected, status 2; found status $status:"; cat "$scratch/err"; exit 1; }
}
echo '{"format": 1}' >"$scratch/no.json"
echo '{' >"$scratch/cut.json"
sed 's/"complete": *true/"complete": false/' "$scratch/one.json" >"$scratch/stopped.json"
{ cat "$data/app.jsonl"; echo '{"cut'; } >"$scratch/later.jsonl"
printf '"ID","Kernel Name","x__y"\n"0","other","1"\n' >"$scratch/other.csv"
printf '"ID","Kernel Name","x__y"\n"0","scale","1"\n' >"$scratch/metrics.csv"
refuse 'no run that simsm wrote' "$scratch/no.json" "$data/raw.csv"
refuse 'the run was stopped before its end' "$scratch/stopped.json" "$data/raw.csv"
refuse 'this is no JSON' "$scratch/cut.json" "$data/raw.csv"
refuse 'later.jsonl:4: this is no JSON' "$scratch/later.jsonl" "$data/raw.csv"
refuse 'no measured launch matches a simulated launch: the first measured kernel is other' "$scratch/one.json" "$scratch/other.csv"
refuse 'no metric that simsm counts' "$scratch/one.json" "$scratch/metrics.csv"
refuse "did you mean 'sm__cycles_elapsed.max'?" --metric sm__cycle_elapsed.max "$scratch/one.json" "$data/raw.csv"
refuse 'is not a metric of both sides' --metric nothing "$scratch/one.json" "$data/raw.csv"
refuse 'expected a column "run"' --runs "$scratch/once.csv" "$scratch/one.json" "$scratch/once.csv"
refuse 'no launch with two runs with warm caches' --spread "$scratch/runs.csv" --caches warm
refuse 'cannot be read\|No such file\|does not exist' "$scratch/one.json" "$scratch/none.csv"
printf '"ID","Kernel Name","sm__cycles_elapsed.max"\n"0","scale","abc"\n' >"$scratch/abc.csv"
refuse "abc.csv:2: sm__cycles_elapsed.max: a number such as 1,234.5 is expected, found 'abc'" "$scratch/one.json" "$scratch/abc.csv"
