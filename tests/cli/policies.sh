#!/usr/bin/env bash
# Policies of one's own: modules that come with simsm, modules that a user compiles, and files that are
# no modules.
. tests/tools/cli.sh

trace=traces/divergent.trace
few=(--param rounds=1 --set gpu.sms=8)
include=$PWD/include

# Runs simsm, expects the status, and leaves its output in $scratch/out and $scratch/err.
expect() # STATUS ARGUMENT...
{
    local want=$1 status=0
    shift
    "$SIMSM" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$want" ] || fail "simsm $*: status $status instead of $want"
}

says() # WORDS
{
    grep -qF -- "$1" "$scratch/out" "$scratch/err" || fail "'$1' is not in what simsm says"
}

module() # NAME [OPTION...]: compiles $scratch/NAME.c, as a user would
{
    "${CC:-cc}" -std=c17 -O1 -shared -fPIC -I "$include" "${@:2}" -o "$scratch/$1.so" "$scratch/$1.c"
}

cycles()
{
    sed -n 's/^  cycles  *\([0-9]*\) .*/\1/p' "$scratch/out"
}

# Those that come with simsm are found by their names, say what they hold, and run.
for source in sim/policy/examples/*.c; do
    name=$(basename "$source" .c)
    expect 0 policies "$name"
    says "$name: "
    some=(--set gpu.sms=4 --max-cycles 6000 --policy "$name" --check --quiet --timeline-sm 0)
    expect 3 t4 $trace "${some[@]}" --timeline "$scratch/skip.smtl"
    expect 3 t4 $trace "${some[@]}" --timeline "$scratch/no.smtl" --no-skip
    for file in skip no; do
        "$SIMSM" timeline "$scratch/$file.smtl" --cycles 5000:6000 | tail -n +2 >"$scratch/$file.text"
    done
    cmp -s "$scratch/skip.text" "$scratch/no.text" || fail "$name: --no-skip changes the timeline"
done

# The template, compiled by hand: its parameter from the command line, from a file, and in a sweep.
cp sim/policy/examples/fewest.c "$scratch/mine.c"
module mine -Wall -Wextra -Wpedantic -Wconversion -Werror
expect 0 policies "$scratch/mine.so"
says 'lead         instructions by which the last warp may be ahead'
says 'a whole number from 0 to 1000000, default 0'
expect 0 t4 $trace "${few[@]}" --policy "$scratch/mine.so" --full
says 'scheduler fewest, dispatch round_robin'
plain=$(cycles)
expect 0 t4 $trace "${few[@]}" --policy "$scratch/mine.so" --policy-param lead=100 --full
ahead=$(cycles)
[ "$plain" -ne "$ahead" ] || fail "the parameter changes nothing: $plain cycles"
expect 0 t4 $trace "${few[@]}" --policy "$scratch/mine.so" --set sm.scheduler=gto --full
says 'scheduler gto'

# In C++.
if command -v "${CXX:-c++}" >/dev/null; then
    cat >"$scratch/lowest.cc" <<'CC'
#include <simsm/policy.h>
static int pick(void *, const simsm_sched_view *view) { return __builtin_ctzll(view->eligible); }
static const simsm_scheduler lowest = {"lowest", "the lowest slot", 0, nullptr, pick, nullptr};
const struct simsm_policy_module simsm_policy_module = {
    SIMSM_POLICY_HEAD, "lowest", "in C++", nullptr, &lowest, nullptr, nullptr, nullptr, 0, 1, 0, 0, 0, nullptr};
CC
    "${CXX:-c++}" -std=c++17 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -I "$include" \
        -o "$scratch/lowest.so" "$scratch/lowest.cc"
    expect 3 t4 $trace "${few[@]}" --max-cycles 5000 --policy "$scratch/lowest.so" --full
    says 'scheduler lowest'
fi

# A path in a file is relative to that file; what is dumped means the same elsewhere.
cat >"$scratch/mine.yaml" <<YAML
base: $PWD/configs/t4.yaml
sm:
  scheduler: module
policy:
  module: ./mine.so
  params: {lead: 100}
YAML
expect 0 "$scratch/mine.yaml" $trace "${few[@]}" --full
says "policies of $scratch/mine.so with lead=100"
[ "$(cycles)" -eq "$ahead" ] || fail "the file gives $(cycles) cycles, the command line $ahead"
expect 0 "$scratch/mine.yaml" --dump-config="$scratch/dumped.yaml"
(cd / && "$SIMSM" "$scratch/dumped.yaml" "$OLDPWD/$trace" "${few[@]}" --full) >"$scratch/out" 2>"$scratch/err" ||
    fail "the dumped configuration does not run in another folder"
[ "$(cycles)" -eq "$ahead" ] || fail "the dumped configuration gives $(cycles) cycles"
expect 0 sweep t4 $trace "${few[@]}" --set policy.module="$scratch/mine.so" --set sm.scheduler=fewest \
    --vary policy.params.lead=0,100 --metric cycles --no-plot
says " $plain"
says " $ahead"
expect 0 sweep t4 $trace "${few[@]}" --set policy.module=greedy --vary sm.scheduler=gto,gto_2012 --no-plot

# Bare names are looked up in ./policies first, with and without the ending; what is dumped has the whole path.
mkdir "$scratch/policies"
cp "$scratch/mine.so" "$scratch/policies/own.so"
for name in own own.so ./policies/own.so; do
    (cd "$scratch" && "$SIMSM" t4 --policy $name --dump-config=own.yaml) >"$scratch/out" 2>"$scratch/err" ||
        fail "no module $name"
    grep -q "module: \"*$scratch/policies/own.so" "$scratch/own.yaml" || fail "the path is not whole: $(cat "$scratch/own.yaml")"
done

# Mistakes in names and values.
expect 2 t4 $trace --policy "$scratch/mine.so" --policy-param lead=-1
says 'policy.params.lead: -1 is below 0, the least allowed'
expect 2 t4 $trace --policy "$scratch/mine.so" --policy-param laed=1
says 'policy.params.laed: the plugin fewest has no such parameter; it has lead'
expect 2 t4 $trace --policy nobody
says 'there is no plugin "nobody" in ./policies, in policies beside the program'
expect 2 t4 $trace --policy two_level # two algorithms have that name
says 'Narasiman et al. 2011 is the plugin fetch_groups; that of Gebhart et al. 2011 is built in: --set sm.scheduler=two_level'
expect 2 t4 $trace --policy ./nobody.so
says 'there is no file ./nobody.so'
expect 2 t4 $trace --set sm.scheduler=module
says 'no plugin is named'
expect 2 t4 $trace --policy min_pc --set sm.scheduler=fewest
says "there is no policy 'fewest', neither here nor in the plugin min_pc"
sed 's/lead: 100/lead: [1]/' "$scratch/mine.yaml" >"$scratch/wrong.yaml"
expect 2 "$scratch/wrong.yaml" $trace
says 'wrong.yaml:6:18: policy.params: lead: expects a number or a word'

# Files that are no modules.
expect 2 t4 $trace --policy "$scratch/mine.c"
says 'is no ELF file'
head -c 5000 "$scratch/mine.so" >"$scratch/cut.so"
expect 2 t4 $trace --policy "$scratch/cut.so"
says 'cut.so: is cut off: it has 5000 bytes'
"${CC:-cc}" -c -fPIC -I "$include" "$scratch/mine.c" -o "$scratch/object.so"
expect 2 t4 $trace --policy "$scratch/object.so"
says 'is an ELF file, but no shared object'
echo 'int nothing(void) { return 0; }' >"$scratch/empty.c"
module empty
expect 2 t4 $trace --policy "$scratch/empty.so"
says 'does not define simsm_policy_module'
sed 's/^static void init/int elsewhere(void);\n&/; s/setup->param\[LEAD\]/elsewhere()/' \
    "$scratch/mine.c" >"$scratch/calls.c"
module calls
expect 2 t4 $trace --policy "$scratch/calls.so"
says 'elsewhere'
says 'a plugin calls only what it is linked with'
sed 's/^static int pick/static unsigned total;\n&/; s/^    return best;/    total++;\n&/; s/best = last;/best = total ? last : last;/' \
    "$scratch/mine.c" >"$scratch/variable.c"
module variable
expect 2 t4 $trace --policy "$scratch/variable.so"
says "has a variable of its own, 'total' (4 bytes)"
# A variable of each thread is one too, and one that only the dynamic linker knows by name.
sed 's/^static unsigned total/static _Thread_local unsigned total/' "$scratch/variable.c" >"$scratch/thread.c"
module thread
expect 2 t4 $trace --policy "$scratch/thread.so"
says "has a variable of its own, 'total' (4 bytes)"
sed 's/^static unsigned total/unsigned total/' "$scratch/variable.c" >"$scratch/shown.c"
module shown -s
expect 2 t4 $trace --policy "$scratch/shown.so"
says "has a variable of its own, 'total' (4 bytes)"
cp "$scratch/mine.so" "$scratch/foreign.so"
printf '\250' | dd of="$scratch/foreign.so" bs=1 seek=18 conv=notrunc 2>/dev/null # its machine
expect 2 t4 $trace --policy "$scratch/foreign.so"
says 'was compiled for another machine'
expect 2 t4 $trace --policy "$scratch/"
says "there is no file $scratch/"
sed 's/= SIMSM_POLICY_HEAD/= {SIMSM_POLICY_ABI + 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}/' \
    "$scratch/mine.c" >"$scratch/later.c"
module later
expect 2 t4 $trace --policy "$scratch/later.so"
says 'has version 2 of the interface for policies, this simsm has version 1'

# Wrong picks end the run, with status 1.
sed 's/return best;/return view->cycle > 3000 ? 64 : best;/' "$scratch/mine.c" >"$scratch/wild.c"
module wild
expect 1 t4 $trace "${few[@]}" --policy "$scratch/wild.so"
says "the scheduler 'fewest' picked slot 64 of sub-partition "
sed 's/return best;/return view->cycle > 3000 ? -1 : best;/' "$scratch/mine.c" >"$scratch/lazy.c"
module lazy
expect 1 t4 $trace "${few[@]}" --policy "$scratch/lazy.so"
says "no progress: the scheduler 'fewest' holds back"
# One that writes where nothing is: its module is named.
sed 's/return best;/*(volatile int *)0 = best; return best;/' "$scratch/mine.c" >"$scratch/crash.c"
module crash
expect 1 t4 $trace "${few[@]}" --policy "$scratch/crash.so"
says "most likely in the policy plugin $scratch/crash.so"
expect 2 t4 $trace --policy min_pc --policy "$scratch/mine.so"
says "--policy is given twice: 'min_pc' and "
expect 2 t4 $trace --policy ''
says '--policy: expected PLUGIN, found nothing'
# Modules that misbehave end with a line that names them, and leave no unfinished files.
misbehaves() # NAME BEFORE_PICK AT_PICK: compiles a module whose pick does AT_PICK from cycle 3000 on
{
    sed "s/^static int pick/$2\n&/; s/return best;/if (view->cycle > 3000) { $3; } return best;/" \
        "$scratch/mine.c" >"$scratch/$1.c"
    module "$1"
}
leaves_nothing() # NAME
{
    local left
    left=$(cd "$scratch" && ls ./kept.* 2>/dev/null) || true
    [ -z "$left" ] || fail "$1 leaves $left"
}
files=(--quiet --json "$scratch/kept.json" --timeline "$scratch/kept.smtl")
# A recursion that the compiler cannot turn into a loop.
deep='static int deep(volatile int *n) { volatile int room[256]; room[*n \& 255] = *n; ++*n; return deep(n) + room[*n \& 255]; }'
misbehaves deep "$deep" 'volatile int n = 0; return deep(\&n)'
misbehaves leaves 'void exit(int);' 'exit(0)'
for threads in 1 2; do
    expect 1 t4 $trace "${few[@]}" --policy "$scratch/deep.so" --threads $threads "${files[@]}"
    says "most likely in the policy plugin $scratch/deep.so"
    leaves_nothing deep
    expect 1 t4 $trace "${few[@]}" --policy "$scratch/leaves.so" --threads $threads "${files[@]}"
    says "the policy plugin $scratch/leaves.so called exit()"
    leaves_nothing leaves
done

# One signal ends a run whose policy never returns, some seconds later; a second one ends it at once.
misbehaves stuck '' 'for (volatile int stay = 1; stay;) {}'
stuck() # SECONDS SIGNALS: one signal every two seconds; expects the end in time
{
    "$SIMSM" t4 $trace "${files[@]}" --policy "$scratch/stuck.so" 2>"$scratch/err" &
    local run=$! status=0 i
    sleep 0.5
    for ((i = 0; i < $2; i++)); do
        [ "$i" -eq 0 ] || sleep 2.5
        kill -TERM $run
    done
    for ((i = 0; i < 10 * $1; i++)); do kill -0 $run 2>/dev/null || break; sleep 0.1; done
    kill -KILL $run 2>/dev/null || true
    wait $run || status=$?
    [ "$status" -eq 143 ] || fail "a policy that never returns, $2 signals: status $status"
    leaves_nothing stuck
}
stuck 20 1
says "the policy plugin $scratch/stuck.so has not returned"
stuck 2 2
# A policy that returns has all the time it needs: the files are whole.
"$SIMSM" h200 traces/bench/mixed.trace --policy greedy "${files[@]}" 2>"$scratch/err" &
run=$!
sleep 1
kill -TERM $run
wait $run && status=0 || status=$?
[ "$status" -eq 143 ] || fail "a policy that is stopped: status $status"
says 'stopped by SIGTERM: after'
[ -s "$scratch/kept.json" ] && [ -s "$scratch/kept.smtl" ] || fail "a policy that is stopped: no files"
rm "$scratch"/kept.*

# What makes runs differ, or ends them unseen, is refused with what to do instead.
refused() # NAME DECLARATION CALL WORDS
{
    misbehaves "$1" "$2" "best += $3"
    expect 2 t4 $trace --policy "$scratch/$1.so"
    says "$1.so: calls '$1', $4"
}
refused rand 'int rand(void);' 'rand()' 'so that runs would not repeat; keep a generator in the policy'
refused lrand48 'long lrand48(void);' '(int)lrand48()' 'so that runs would not repeat'
refused getrandom 'long getrandom(void *, unsigned long, unsigned);' \
    '(int)getrandom(\&best, 1, 0)' 'so that runs would not repeat'
refused time 'long time(long *);' '(int)time(0)' "so that runs would not repeat; a policy's time is view->cycle"
refused getpid 'int getpid(void);' 'getpid()' 'so that runs would not repeat'
refused _exit 'void _exit(int);' '(_exit(0), 0)' 'which ends the program without a result'
if command -v "${CXX:-c++}" >/dev/null; then
    sed 's/return __builtin_ctzll/return std::random_device()() \& 0 | __builtin_ctzll/; 1i #include <random>' \
        "$scratch/lowest.cc" >"$scratch/device.cc"
    "${CXX:-c++}" -std=c++17 -shared -fPIC -I "$include" -o "$scratch/device.so" "$scratch/device.cc"
    expect 2 t4 $trace --policy "$scratch/device.so"
    says "device.so: calls '_ZNSt13random_device"
fi
# The generator that the document shows, begun with the seed, repeats, with several threads too.
awk '/^```c$/ { blocks++; next } /^```$/ { blocks += blocks % 2 } blocks == 3' docs/policies.md >"$scratch/draw.c"
sed "/^enum { LEAD };/r $scratch/draw.c" "$scratch/mine.c" |
    sed 's/^struct issue_counts {/&\n    uint64_t drawn;/; s/^    return best;/    uint64_t choice = view->eligible;\
    for (uint64_t skip = draw(\&counts->drawn, view) % (uint64_t)__builtin_popcountll(choice); skip; skip--)\
        choice \&= choice - 1;\
    return __builtin_ctzll(choice);/' >"$scratch/drawn.c"
module drawn
drawn() # OPTION...
{
    expect 0 t4 $trace "${few[@]}" --full --policy "$scratch/drawn.so" "$@"
    cycles
}
once=$(drawn)
[ "$(drawn --threads 2)" -eq "$once" ] || fail "random choices do not repeat"
[ "$(drawn --set run.seed=2)" -ne "$once" ] || fail "random choices do not follow the seed"

# An order of paths: what it makes of streams is kept by recordings, which say so.
expect 0 t4 $trace "${few[@]}" --full
fewer=$(cycles)
expect 0 t4 $trace "${few[@]}" --policy min_pc --full
ordered=$(cycles)
[ "$fewer" -ne "$ordered" ] || fail "the order of paths changes nothing"
expect 0 record t4 $trace "${few[@]}" --set policy.module=min_pc --set divergence.first=module -o "$scratch/a.smtr"
expect 0 t4 "$scratch/a.smtr" --set gpu.sms=8 --full
[ "$(cycles)" -eq "$ordered" ] || fail "the recording takes $(cycles) cycles instead of $ordered"
expect 0 record t4 $trace "${few[@]}" --policy min_pc -o "$scratch/b.smtr"
expect 0 t4 "$scratch/b.smtr" --set gpu.sms=8 --full
[ "$(cycles)" -eq "$ordered" ] || fail "--policy: the recording takes $(cycles) cycles instead of $ordered"
expect 2 record t4 $trace --policy "$scratch/none.so" -o "$scratch/b.smtr"
says 'none.so'
expect 2 record t4 $trace --policy fewest --policy-param lead=x -o "$scratch/b.smtr"
says 'lead'
expect 0 trace info "$scratch/a.smtr"
says 'paths      min_pc of module min_pc'
expect 2 t4 $trace --set divergence.first=module
says 'divergence.first is module, but no policy.module is named'

# Machine code goes by it as well. Of two sides of 16 lanes each, `out` tells which has run first.
cat >"$scratch/order.yaml" <<'YAML'
kernel: order
grid: 1
block: 32
buffers:
  next: {size: 4}
  out: {size: 128, out: out.bin}
arguments: [{i32: 65535, name: mask}, {buffer: next}, {buffer: out}]
YAML
code=tests/data/sass/execute/kernels.sm_75.cubin
for first in fewer fall_through taken; do
    expect 0 t4 $code --launch "$scratch/order.yaml" --functional --set divergence.first=$first
    mv "$scratch/out.bin" "$scratch/$first.bin"
done
cmp "$scratch/fewer.bin" "$scratch/fall_through.bin" || fail "with a tie, fewer is not fall_through"
! cmp -s "$scratch/taken.bin" "$scratch/fall_through.bin" || fail "machine code knows no order"
expect 0 t4 $code --launch "$scratch/order.yaml" --functional --policy min_pc
cmp "$scratch/out.bin" "$scratch/fall_through.bin" || fail "min_pc takes a branch forward first"
