#!/usr/bin/env bash
# simsm learn: every exercise can be solved and is not solved as it is given; predictions, the score,
# mistakes of the user.
. tests/tools/cli.sh

root=$PWD
export XDG_STATE_HOME="$scratch/state" TMPDIR="$scratch/temporary"
mkdir "$TMPDIR"
SIMSM=$(realpath "$SIMSM")
cd "$scratch"

# gives_status STATUS ARGUMENT...
gives_status()
{
    local expected=$1 status=0
    shift
    "$SIMSM" learn "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [ "$status" = "$expected" ] || fail "learn $*: status $status, not $expected"
}

# answer LESSON EXERCISE RIGHT WRONG
answer()
{
    gives_status 1 "$1" --exercise "$2" --answer "$4"
    gives_status 0 "$1" --exercise "$2" --answer "$3"
}

# solve LESSON EXERCISE COMMANDS-OF-SED: the file as it is given must fail, the edited one pass.
# Without commands, tests/data/lessons has the solution.
solve()
{
    local file=lesson-$1-$2.trace
    gives_status 0 "$1" --exercise "$2"
    [ -f "$file" ] || fail "learn $1 --exercise $2 wrote no $file"
    gives_status 1 "$1" --check "$file"
    if [ -n "${3-}" ]; then
        sed "$3" "$file" >solution
    else
        { sed q "$file"; cat "$root/tests/data/lessons/$1-$2.trace"; } >solution
    fi
    gives_status 0 "$1" --check solution
    grep -qx 'Solved.' out || fail "lesson $1, exercise $2: no 'Solved.'"
}

answer 1 1 8 7
answer 1 2 3 4
solve 1 3 's/^param x = .*/param x = 32/; s/^param y = .*/param y = 8/'
answer 2 1 13 12
solve 2 2 's/^param granularity = .*/param granularity = 32/'
solve 2 3 "1r $root/traces/lessons/sum_shuffle.trace
1!d"
answer 3 1 26 25
solve 3 2 's|^param work = .*|param work = 12|'
solve 3 3
answer 4 1 12 8
solve 4 2 's/16\*i + 4/4*(i + n)/; s/16\*i/4*i/'
solve 4 3 's/row\*columns + k/row + rows*k/'
answer 5 1 2 6
solve 5 2 's/^param line = .*/param line = 33/'
solve 5 3 's/(2 << k) \* thread % 256 + (1 << k)/thread % 128 + (128 >> k)/; s/(2 << k) \* thread % 256/thread % 128/'
answer 6 1 87.5 75
solve 6 2 '/^    FADD/a\    FFMA R7, R4, R4, R7
/^    FFMA/,/^}/d; /^loop.*/{x;s/^/x/;/^xx/{x;d};x}; /^    LDG/{x;s/$/y/;/yy/{x;d};x}'
solve 6 3
answer 7 1 1024 8192
solve 7 2 's/^buffer counts.*/buffer counts = 128 * blocks/; s/+ counts +/+ counts + 128*block +/'
solve 7 3
answer 8 1 40 42
answer 8 2 28160 29184
solve 8 3 's/^param size = .*/param size = 128/'
answer 9 1 2.1875 3
solve 9 2 's/^loop @P0 .*/loop @P0 (factor + 3) * rounds \/ 4 as r {/'
solve 9 3 's/^param n = .*/param n = 320/; s/^param rounds = .*/param rounds = 18/'
answer 10 1 1056 132
solve 10 2 's/^param size = .*/param size = 128/'
solve 10 3 's/^param n = .*/param n = 320/'
answer 11 1 8192 4096
solve 11 2 's/^registers .*/registers 32/'
sed 's/^param n = .*/param n = 128/' "$root/traces/lessons/matmul_tiled16.trace" >tiled
solve 11 3 '1r tiled
1!d'
answer 12 1 4 3
solve 12 2
solve 12 3
answer 13 1 3 2
solve 13 2 's/^param n = .*/param n = 51/'
answer 13 3 43 63

# The answers that are numbers of the page: what the command says.
"$SIMSM" occupancy h200 --threads 256 --regs 48 --no-plot | grep -q ': 40 of 64 warps' || fail "lesson 8, exercise 1"
"$SIMSM" occupancy h200 --threads 256 --regs 32 --smem 28160 --no-plot | grep -q ': 64 of 64 warps' ||
    fail "lesson 8, exercise 2"
"$SIMSM" occupancy h200 --threads 256 --regs 32 --smem 28161 --no-plot | grep -q ': 64 of 64 warps' &&
    fail "lesson 8, exercise 2: more fits"

# Predictions: the first one counts. The score is complete.
gives_status 0 4 --answer 1
grep -q '^No. The answer is 3' out || fail "a wrong prediction is right"
gives_status 0 4 --answer 3
grep -q '^Right' out || fail "a right prediction is wrong"
for lesson in 1 2 3 5 6 7 8 9 10 11 12 13; do
    right=$(sed -n 's/^answer: //p' "$root"/docs/lessons/"$(printf %02d "$lesson")"-*.md)
    gives_status 0 "$lesson" --answer "$right"
done
gives_status 0
grep -q '^51 of 52 points' out || fail "the score is not 51 of 52"
grep -q '^4\. .* wrong  *3 of 3$' out || fail "lesson 4 is not shown as wrong, 3 of 3"

# Without a terminal the lesson is printed, its commands run, nothing is asked.
gives_status 0 5
grep -q '^    33  .* 7834 ' out || fail "the experiment of lesson 5 was not run"
! grep -qE 'Your answer|<!--|simsm learn$|\]\(' out || fail "marks of the page are shown"

# Paragraphs fill lines of 80 columns, in which Chinese takes two; pictures are named.
for language in en zh; do
    "$SIMSM" learn 5 --lang $language >out 2>err </dev/null || continue # built without msgfmt
    LC_ALL=C sed -e $'s/[\xe3-\xef][\x80-\xbf][\x80-\xbf]/xx/g' -e $'s/\xe2[\x80-\xbf][\x80-\xbf]/x/g' \
        -e '/^    /d' out >columns
    ! grep -E '^.{81}' columns || fail "--lang $language: a line is too long"
    [ "$(grep -cE '^.{70,80}$' columns)" -gt 12 ] || fail "--lang $language: lines are ragged"
    grep -q 'docs/pictures/lesson-banks.svg)$' out || fail "--lang $language: the picture is not named"
done
[ -z "$(ls "$TMPDIR")" ] || fail "folders are left"

# A signal during the experiment ends the command, and leaves no folder.
"$SIMSM" learn 3 >out 2>err </dev/null &
learning=$!
for ((i = 0; i < 1000; i++)); do
    [ -z "$(ls "$TMPDIR")" ] || break
    sleep 0.01
done
kill "$learning"
status=0
wait "$learning" || status=$?
[ "$status" = 143 ] || fail "learn, stopped by SIGTERM: status $status"
grep -q "stopped by SIGTERM" err || fail "learn does not say that SIGTERM stopped it"
[ -z "$(ls "$TMPDIR")" ] || fail "learn, stopped by SIGTERM, leaves folders"

# In a terminal it asks, and asks again after a mistake.
if command -v script >/dev/null; then
    rm -r "$XDG_STATE_HOME"
    printf '9\n2\n' | script -qec "\"$SIMSM\" learn 5" /dev/null >out 2>err || fail "learn 5 in a terminal failed"
    tr -d '\r' <out >said
    grep -q "Your answer" said || fail "in a terminal nothing is asked"
    grep -q "expected a number from 1 to 3" said || fail "answer 9 was taken"
    grep -q "Right: 2. 32 words" said || fail "answer 2 was not taken"
    grep -qx "bank-conflicts predicted right" "$XDG_STATE_HOME/simsm/learn" || fail "the prediction was not kept"
fi

# An edited file is not overwritten.
echo changed >lesson-4-2.trace
gives_status 0 4 --exercise 2
[ "$(cat lesson-4-2.trace)" = changed ] || fail "an edited file was overwritten"

# As JSON: all lessons, complete.
gives_status 0 --json
if command -v jq >/dev/null; then
    jq -e 'length == 13 and all(.[]; (.exercises | length == 3) and (.predict.answers | length == 3)
        and ([.question, .code, .experiment, .why, .hardware, .predict.question] | all(length > 20))
        and (.exercises | all((.check | length > 0) or .figure != null or .number != null)))' out >said ||
        fail "a lesson is incomplete in JSON"
    gives_status 0 4 --json
    [ "$(jq -r '.name, .predict.answer, .exercises[1].trace' out | tr '\n' ' ')" = "coalescing 3 array_of_structs.trace " ] ||
        fail "lesson 4 in JSON is another one"
fi

# In Chinese, by --lang or the environment: the pages of docs/lessons/zh, each with all parts, and the
# output of the experiments as the pages quote it.
unset LC_ALL LC_MESSAGES
if LANG=zh_CN.UTF-8 "$SIMSM" explain warp | grep -q 线程束; then
    gives_status 0 --lang zh
    grep -q '^13\. 每个周期由谁发射？  *-  *0 / 3$' out || fail "the list is not in Chinese"
    LANG=zh_CN.UTF-8 gives_status 0
    grep -q '^13\. 每个' out || fail "the language of the environment is ignored"
    LANG=zh_CN.UTF-8 gives_status 0 --lang en
    grep -q '^13\. Who issues' out || fail "--lang en does not win"
    LANG=zh_CN.UTF-8 gives_status 0 13
    grep -q '^先预测$' out || fail "lesson 13 has no heading in Chinese"
    grep -q '^    - At cycle 403 its state becomes selected' out || fail "an experiment differs from the page"
    gives_status 0 4 --answer 3 --lang zh
    grep -q '^正确：3\. ' out || fail "a right prediction is wrong in Chinese"
    rm -f lesson-9-2.trace
    gives_status 0 9 --exercise 2 --lang zh
    gives_status 1 9 --check lesson-9-2.trace --lang zh
    grep -q '^  未达到 ' out || fail "--check does not speak Chinese"
    gives_status 0 --json --lang zh
    if command -v jq >/dev/null; then
        jq -e 'length == 13 and all(.[]; (.title | test("[\u4e00-\u9fff]")) and (.exercises | length == 3)
            and (.predict.answers | length == 3) and (.exercises | all(.task | length > 5))
            and ([.question, .code, .experiment, .why, .hardware, .predict.question] | all(length > 5)))' out >said ||
            fail "a lesson is incomplete in Chinese"
    fi
fi

# Mistakes: one message, status 2.
wrong()
{
    gives_status 2 "${@:2}"
    grep -qF -- "$1" err || fail "learn ${*:2}: the message does not say '$1'"
}
wrong "lesson '99'" 99
wrong "lesson 'x'" x
wrong "expected a number from 1 to 3" 4 --answer 9
wrong "expected a number from 1 to 3" 4 --exercise 4
wrong "expected a number" 4 --exercise 1 --answer many
wrong "--lang 'xx'" --lang xx
wrong "--json stands alone" 4 --json --answer 3
wrong "--check FILE" 4 --exercise 2 --answer 5
wrong "expected the first line" 4 --check lesson-4-2.trace
wrong "expected the first line" 4 --check lesson-5-2.trace
wrong "missing.trace" 4 --check missing.trace
{ echo '# simsm learn 4 --exercise 2'; echo nonsense; } >broken
wrong "broken:2" 4 --check broken
echo 'coalescing guessed right' >>"$XDG_STATE_HOME/simsm/learn"
wrong "this is no line of a score" 4
wrong "this is no line of a score"
rm "$XDG_STATE_HOME/simsm/learn"
gives_status 0
grep -q '^0 of 52 points' out || fail "without a file the score is not 0"
XDG_STATE_HOME='' HOME='' gives_status 2 4
grep -q 'set HOME' err || fail "no message about HOME"
XDG_STATE_HOME='' HOME='' gives_status 0 4 --json
