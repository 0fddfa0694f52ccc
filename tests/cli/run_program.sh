#!/usr/bin/env bash
# simsm run: CUDA programs, compiled here where there is an nvcc, reach our runtime, give their own
# results and status, and leave reports. What needs no nvcc is tested everywhere.
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
. tests/tools/programs.sh

fail()
{
    echo "$*"
    exit 1
}

# The message and status of a mistake.
refused() # STATUS WORDS ARGUMENT...
{
    local expected=$1 words=$2 status=0
    shift 2
    "$SIMSM" run "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$expected" ] || fail "simsm run $*: status $status, expected $expected: $(cat "$scratch/err")"
    grep -qF -- "$words" "$scratch/err" || fail "simsm run $*: no '$words' in: $(cat "$scratch/err")"
}

refused 2 "name a configuration"
refused 2 "name a configuration and a program" t4
refused 2 "nosuchgpu" nosuchgpu -- /bin/true
refused 2 "no such program" t4 -- ./nosuchprogram
refused 2 "no such program; for a program in this folder write ./" t4 nosuchprogram
refused 2 "is not an executable file" t4 -- "$scratch"
refused 2 "uses no CUDA runtime" t4 -- /bin/true
# A program that may load a library is started: the library may use CUDA.
printf '#include <dlfcn.h>\nint main(void) { return dlopen("libnosuch.so", RTLD_NOW) ? 1 : 42; }\n' >"$scratch/loads.c"
LD_PRELOAD='' "${CC:-cc}" -o "$scratch/loads" "$scratch/loads.c" -ldl
status=0
"$SIMSM" run t4 -- "$scratch/loads" >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -eq 42 ] || fail "a program that calls dlopen: status $status: $(cat "$scratch/err")"

# simsm env: what a shell sets so that its programs find the simulated GPU.
"$SIMSM" env t4 --functional --set gpu.sms=3 --table "it's" >"$scratch/env"
(
    eval "$(cat "$scratch/env")"
    [ "$SIMSM_TABLE" = "$PWD/it's" ] && [ "$SIMSM_FUNCTIONAL" = 1 ] && [ "$SIMSM_SET" = gpu.sms=3 ] &&
        [ -e "${LD_LIBRARY_PATH%%:*}/libcuda.so.1" ] && [ -e "$SIMSM_CONFIG" ]
) || fail "simsm env: $(cat "$scratch/env")"
SIMSM_CONFIG=configs/t4.yaml "$SIMSM" devices >"$scratch/out" 2>"$scratch/err"
[ ! -s "$scratch/err" ] || fail "the command takes itself for a program on the device: $(cat "$scratch/err")"
"$SIMSM" env t4 x >"$scratch/out" 2>"$scratch/err" && fail "simsm env t4 x succeeds"
grep -q "too many arguments: 'x'" "$scratch/err" || fail "simsm env t4 x: $(cat "$scratch/err")"
"$SIMSM" env nosuch >"$scratch/out" 2>"$scratch/err" && fail "simsm env nosuch succeeds"
[ ! -s "$scratch/out" ] || fail "simsm env nosuch prints $(cat "$scratch/out")"
rm "$scratch/loads" "$scratch/loads.c" "$scratch/env"

refused 2 "--launches: expected A:B" t4 --launches 3:2 -- /bin/true
refused 2 "--device-memory: expected a size" t4 --device-memory 1X -- /bin/true
refused 2 "--kernels: '(' is no regular expression" t4 --kernels '(' -- /bin/true
refused 2 "--max-cycles: expected a whole number" t4 --max-cycles 0 -- /bin/true
refused 2 "nosuch" t4 --set nosuch.key=1 -- /bin/true
# What cannot be written or does not fit is refused before the program starts.
for option in json csv timeline report table; do
    refused 2 "/nosuch/x: cannot be written: No such file" t4 --$option /nosuch/x -- /bin/true
    refused 2 "$scratch: is a directory" t4 --$option "$scratch" -- /bin/true
    refused 2 "--$option -: the standard output belongs to the program" t4 --$option - -- /bin/true
done
ls -A "$scratch" | grep -vxE 'out|err' && fail "something was written"
refused 2 "there is no policy 'zzz'" t4 --set sm.scheduler=zzz -- /bin/true
refused 2 "there is no policy 'zzz'" t4 --set dispatch.policy=zzz -- /bin/true
refused 2 "SM 40 cannot be recorded" t4 --timeline "$scratch/x" --timeline-sm 1,38:41 -- /bin/true
refused 2 "--timeline-sm needs --timeline" t4 --timeline-sm 1 -- /bin/true
refused 2 "--functional times none" t4 --functional --json "$scratch/x" -- /bin/true
refused 2 "--warm is of timed launches, and --functional times none" t4 --functional --warm -- /bin/true
refused 2 "--max-cycles is of timed launches" t4 --functional --max-cycles 9 -- /bin/true
refused 2 "--full prints more, and --quiet prints nothing: leave one of them out" t4 --full --quiet -- /bin/true
refused 2 "--fast and --memory both set memory.model" t4 --fast --memory fixed -- /bin/true
refused 2 "--memory is given twice" t4 --memory full --memory fixed -- /bin/true
refused 2 "found 'ful'; did you mean 'full'?" t4 --memory ful -- /bin/true
refused 2 "lists those there are; did you mean 'lrr'?" t4 --set sm.scheduler=llr -- /bin/true
refused 2 "--table would overwrite --report" t4 --any --report "$scratch/x" --table "$scratch/x" -- /bin/true
refused 2 "--max-instructions: expected a whole number" t4 --max-instructions 1e6 -- /bin/true
printf 'data' >"$scratch/data"
chmod +x "$scratch/data"
refused 2 "is neither a program (ELF) nor a script" t4 -- "$scratch/data"

# --any warns of what looks like a mistake all the same.
cp tests/data/sass/module/host.o "$scratch/inside"
chmod +x "$scratch/inside"
refused 2 "was linked with -static" t4 -- "$scratch/inside"
refused 1 "warning: $scratch/inside: was linked with -static" t4 --any -- "$scratch/inside"
rm "$scratch/inside"

allow_sanitizer

# Arguments, input, output and status are the program's own; --any takes what is no CUDA program.
status=0
printf 'line\n' | "$SIMSM" run t4 --any -- /bin/sh -c 'cat; echo "$1" --full; exit 7' x y >"$scratch/out" ||
    status=$?
[ "$status" -eq 7 ] || fail "the status is $status, not the program's"
[ "$(cat "$scratch/out")" = "line
y --full" ] || fail "the output is not the program's: $(cat "$scratch/out")"

# A program as nvcc makes them: code that is registered, streams of two threads, a graph, mistakes. It
# leaks nothing, nor does the runtime.
LD_PRELOAD='' "${CC:-cc}" -pthread -o "$scratch/registered" -Wl,--allow-shlib-undefined tests/data/cuda/registered.c \
    "$BUILD/cuda/libcudart.so.13"
for options in --quiet "--quiet --functional" "--quiet --check --timeline $scratch/registered.smtl" "--full --sample"; do
    # shellcheck disable=SC2086
    ASAN_OPTIONS=detect_leaks=1 "$SIMSM" run t4 $options -- "$scratch/registered" tests/data/sass/execute/kernels.sm_75.cubin \
        >"$scratch/out" 2>"$scratch/err" || fail "registered $options: $(cat "$scratch/out" "$scratch/err")"
    grep -qx "PASS registered" "$scratch/out" || fail "registered $options: $(cat "$scratch/out" "$scratch/err")"
done

# The driver API, with nothing of the runtime's.
LD_PRELOAD='' "${CC:-cc}" -pthread -o "$scratch/driver" -Wl,--allow-shlib-undefined tests/data/cuda/driver.c "$BUILD/cuda/libcuda.so.1"
kernels=tests/data/sass/execute/kernels
"$SIMSM" run t4 --quiet -- "$scratch/driver" $kernels.sm_75.cubin $kernels.sm_90.cubin >"$scratch/out" 2>"$scratch/err" ||
    fail "driver: $(cat "$scratch/out" "$scratch/err")"
[ "$(cat "$scratch/out")" = "PASS driver" ] || fail "driver: $(cat "$scratch/out" "$scratch/err")"
[ "$(grep -c 'no machine code for .*; it has sm_90' "$scratch/err")" = 1 ] || fail "driver: $(cat "$scratch/err")"

# More of the driver: parameters of graphs' nodes; values that streams write and wait for, where one comes
# later only with --concurrent; memory that the program maps itself, here and in a second process; memory and
# events of another process.
for name in driver_graphs memory_ops virtual ipc; do
    LD_PRELOAD='' "${CC:-cc}" -pthread -o "$scratch/$name" -Wl,--allow-shlib-undefined "tests/data/cuda/$name.c" "$BUILD/cuda/libcuda.so.1"
done
for options in "-- driver_graphs" "--concurrent -- driver_graphs" "--functional -- memory_ops" "--concurrent -- memory_ops later" \
    "--check -- memory_ops right" "--functional -- memory_ops threads" "--concurrent -- memory_ops threads" "-- virtual" "-- ipc" "--concurrent -- ipc"; do
    # shellcheck disable=SC2086
    PATH=$scratch:$PATH "$SIMSM" run t4 --quiet $options >"$scratch/out" 2>"$scratch/err" ||
        fail "$options: $(cat "$scratch/out" "$scratch/err")"
    grep -q "^PASS" "$scratch/out" || fail "$options: $(cat "$scratch/out" "$scratch/err")"
done

# A program without a launch is told of; not with --quiet.
for call in 'cudaGetDeviceCount(&count)' 0; do
    printf 'int cudaGetDeviceCount(int *); int main(void) { int count = 0; return %s; }\n' "$call" >"$scratch/nothing.c"
    LD_PRELOAD='' "${CC:-cc}" -Wl,--no-as-needed -o "$scratch/nothing" "$scratch/nothing.c" \
        -Wl,--allow-shlib-undefined "$BUILD/cuda/libcudart.so.13"
    "$SIMSM" run t4 -- "$scratch/nothing" 2>"$scratch/err" || fail "nothing: status $?: $(cat "$scratch/err")"
    [ "$(grep -c 'the program launched no kernel' "$scratch/err")" -eq 1 ] ||
        fail "a program without a launch has no line: $(cat "$scratch/err")"
    "$SIMSM" run t4 --quiet -- "$scratch/nothing" 2>"$scratch/err" || fail "nothing: status $?"
    [ ! -s "$scratch/err" ] || fail "--quiet tells of a program without a launch: $(cat "$scratch/err")"
done

# Options of ours behind the program's name are the program's, with a warning unless -- says so.
warned="simsm: warning: --full after the program's name is an argument of the program; write it before"
"$SIMSM" run t4 --quiet "$scratch/nothing" --full 2>"$scratch/err" || fail "--full behind: status $?"
grep -qF "$warned" "$scratch/err" || fail "no warning of --full behind the program: $(cat "$scratch/err")"
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "more than a line: $(cat "$scratch/err")"
for words in "-- $scratch/nothing --full" "$scratch/nothing --fully" "$scratch/nothing -- --other full"; do
    # shellcheck disable=SC2086
    "$SIMSM" run t4 --quiet $words 2>"$scratch/err" || fail "$words: status $?"
    [ ! -s "$scratch/err" ] || fail "$words: a warning without need: $(cat "$scratch/err")"
done

"$SIMSM" devices >"$scratch/out"
grep -qE '^t4 .* 7\.5 +40 .*-arch=sm_75$' "$scratch/out" || fail "simsm devices does not list t4"

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "there is no nvcc: no programs were compiled"; exit 77; }
compile() # NAME OPTION...
{
    local name=$1
    shift
    LD_PRELOAD='' "$nvcc" -O2 -arch=sm_75 "$@" -o "$scratch/$name" "tests/data/cuda/$name.cu" \
        >"$scratch/log" 2>&1 || fail "$name: $(cat "$scratch/log")"
}

run() # NAME OPTION...
{
    local name=$1
    shift
    "$SIMSM" run t4 "$@" -- "$scratch/$name" >"$scratch/out" 2>"$scratch/err" ||
        fail "$name: status $?: $(cat "$scratch/out" "$scratch/err")"
    grep -qx "PASS $name" "$scratch/out" || fail "$name does not pass: $(cat "$scratch/out")"
}

for name in runtime graphs copies heap arrays mipmaps; do
    compile "$name" -cudart static # as nvcc does by default: NVIDIA's runtime, on simsm's libcuda
    run "$name"
    compile "$name" -cudart shared
    run "$name"
done

# NVIDIA's runtime in a program that nvcc has not linked, used by two threads.
library=$(dirname "$(readlink -f "$nvcc")")/../lib64/libcudart_static.a
if [ -f "$library" ]; then
    LD_PRELOAD='' "${CC:-cc}" -pthread -o "$scratch/registered" tests/data/cuda/registered.c "$library" -ldl -lrt
    "$SIMSM" run t4 --quiet -- "$scratch/registered" tests/data/sass/execute/kernels.sm_75.cubin \
        >"$scratch/out" 2>"$scratch/err" || fail "registered: $(cat "$scratch/out" "$scratch/err")"
    grep -qx "PASS registered" "$scratch/out" || fail "registered: $(cat "$scratch/out")"
fi

# nvcc's defaults: the runtime inside, and PTX of which code for another GPU is made.
compile printing
PATH=$(dirname "$nvcc"):$PATH "$SIMSM" run a100 --quiet -- "$scratch/printing" >"$scratch/out" 2>"$scratch/err" ||
    fail "PTX: $(cat "$scratch/err")"
grep -q "ptxas compiles the program's PTX for compute_75 to sm_80" "$scratch/err" || fail "PTX: $(cat "$scratch/err")"
grep -qx 'PASS printing' "$scratch/out" || fail "PTX: $(cat "$scratch/out")"

"$SIMSM" run b200 --quiet -- "$scratch/printing" >"$scratch/out" 2>"$scratch/err" && fail "a B200 runs code"
grep -q 'B200 runs text traces only: code for compute capability 10.0 is not executed' "$scratch/err" ||
    fail "B200: $(cat "$scratch/err")"

run heap --quiet
run heap --functional --quiet

# Accesses outside of allocations are errors; with --lenient those pass that a GPU lets pass.
compile stray
stray() # ERROR WHERE OPTION...
{
    local error=$1 where=$2
    shift 2
    "$SIMSM" run t4 --quiet "$@" -- "$scratch/stray" "$where" >"$scratch/out" 2>"$scratch/err" || fail "stray $where: $(cat "$scratch/err")"
    grep -qx "$error, 0" "$scratch/out" || fail "stray $where $*: $(cat "$scratch/out" "$scratch/err")"
}
stray cudaSuccess inside
for where in before-large before-above before-small behind-small; do
    stray cudaErrorIllegalAddress $where
    grep -qE 'and is [0-9]+ bytes (before|after) the nearest allocation' "$scratch/err" || fail "stray $where: $(cat "$scratch/err")"
    stray cudaSuccess $where --lenient
    grep -q 'warning: kernel read: .*it goes on, as --lenient says' "$scratch/err" || fail "stray $where: $(cat "$scratch/err")"
done
for where in before-first behind-all; do
    stray cudaErrorIllegalAddress $where
    stray cudaErrorIllegalAddress $where --lenient
done

compile printing -cudart shared
run printing --quiet
cat >"$scratch/expected" <<'TEXT'
thread 0 of 2  | 0.00 text c 1099511627776 0x10 100%   -7
thread 1 of 2  | 1.50 text c 1099511627776 0x10 100%   -7
text of its own
PASS printing
TEXT
diff "$scratch/expected" "$scratch/out" || fail "kernels print something else"
grep -q 'Assertion `threadIdx.x < n. failed in .*printing.cu:[0-9]*, void check(int)' "$scratch/err" ||
    fail "no message about the assertion: $(cat "$scratch/err")"

# The errors of mistakes are those that a GPU gives, for the program's toolkit.
recorded=cuda/data/h200/2026-11-21/errors.csv
case $("$nvcc" --version) in
*'release 11.'*) column=2 ;;
*'release 12.'*) column=3 ;;
*) column=4 ;;
esac
awk -F, -v c=$column 'NR > 1 { print $1 "," ($c != "" ? $c : $4) }' "$recorded" >"$scratch/expected"
for kind in static shared; do
    compile errors -cudart $kind
    "$SIMSM" run t4 --quiet -- "$scratch/errors" >"$scratch/errors.csv" 2>"$scratch/err"
    for name in $(sed -n 's/: after,.*//p' "$recorded"); do
        "$SIMSM" run t4 --functional --quiet -- "$scratch/errors" "$name" >>"$scratch/errors.csv" 2>>"$scratch/err"
    done
    diff "$scratch/expected" "$scratch/errors.csv" || fail "mistakes give other errors than on a GPU ($kind)"
done

# However a program ends, it is told why, and what it has done is reported.
compile endings -cudart shared
ends() # STATUS WORDS ENDING
{
    local status=0
    "$SIMSM" run t4 --functional -- "$scratch/endings" "$3" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$1" ] || fail "ending '$3': status $status, expected $1: $(cat "$scratch/err")"
    grep -qF -- "$2" "$scratch/err" || fail "ending '$3': no '$2' in: $(cat "$scratch/err")"
    grep -qE '^  sum +1 +[0-9]+ +1 ' "$scratch/err" || fail "ending '$3': no table: $(cat "$scratch/err")"
}
if [ -z "${asan:-}" ]; then
    ends 139 "byte 12 of cudaMalloc #1: device memory is for kernels" "device memory"
    ends 139 "cudaMemcpy: the program's address 0x1000 cannot be accessed" "bad pointer"
    ends 134 "ended by a signal: Aborted" abort
fi
ends 0 "the child of a fork cannot use its parent's device" fork
grep -qx 'child: cudaErrorInitializationError' "$scratch/out" || fail "a child has a device: $(cat "$scratch/out")"
ends 5 "not timed, interrupted" thread
for option in --functional --repeats; do
    mkfifo "$scratch/pipe"
    "$SIMSM" run t4 $option -- "$scratch/endings" launch >"$scratch/pipe" 2>"$scratch/err" &
    read -r _ <"$scratch/pipe"
    sleep 1 # into the launch
    kill -TERM $!
    status=0
    wait $! || status=$?
    rm "$scratch/pipe"
    [ "$status" -eq 143 ] || fail "after SIGTERM the status is $status"
    grep -q '^  sum .*interrupted$' "$scratch/err" || fail "no interrupted launch: $(cat "$scratch/err")"
done

# Kernels that never end: ended by a limit or from outside, with the place; nothing is left behind.
compile early -cudart shared -lineinfo
early() # WORDS OPTION... ARGUMENT
{
    local words=$1
    shift
    "$SIMSM" run t4 --quiet "${@:1:$#-1}" -- "$scratch/early" "${!#}" >"$scratch/out" 2>"$scratch/err" ||
        fail "early $*: status $?: $(cat "$scratch/err")"
    grep -qx -- "$words" "$scratch/out" || fail "early $*: no $words: $(cat "$scratch/out" "$scratch/err")"
}
for option in --functional --check; do
    early cudaErrorLaunchTimeout $option --max-instructions 50000 endless
    grep -q 'kernel endless: .*max_instructions after 50000 .* .*early.cu:1[0-9]$' "$scratch/err" ||
        fail "no place: $(cat "$scratch/err")"
done
early cudaSuccess --no-skip unwritten
mkdir "$scratch/files"
"$SIMSM" run t4 --quiet --json "$scratch/files/j" --timeline "$scratch/files/t" --table "$scratch/files/c" \
    --report "$scratch/files/r" -- "$scratch/early" endless >"$scratch/out" 2>"$scratch/err" &
for _ in $(seq 600); do # until the third launch has begun
    compgen -G "$scratch/files/t.3.*" >"$scratch/begun" && break
    sleep 0.05
done
sleep 0.2 # until its first block is executed; on a slow machine it may not be
kill -TERM $!
status=0
wait $! || status=$?
[ "$status" -eq 143 ] || fail "after SIGTERM the status is $status"
grep -qE 'launch 3, kernel endless: .*interrupted (in cycle 0,|after [0-9]+ warp inst.*early.cu:1[0-9]$)' "$scratch/err" ||
    fail "it is not told where the kernel was: $(cat "$scratch/err")"
[ "$(ls "$scratch/files" | tr '\n' ' ')" = "c j r t.1 t.2 t.3 " ] ||
    fail "files after an interrupt: $(ls "$scratch/files")"

# A full disk is no mistake of the program: it is told once, and in the status.
if [ -w /dev/full ]; then
    for option in json csv timeline report table record; do
        for name in f f.1 f.2; do
            ln -sf /dev/full "$scratch/$name"
        done
        status=0 command=(run t4 "--$option")
        [ $option != record ] || command=(record t4 --output)
        "$SIMSM" "${command[@]}" "$scratch/f" -- "$scratch/early" >"$scratch/out" 2>"$scratch/err" || status=$?
        [ "$status" -eq 1 ] || fail "--$option on a full disk: status $status: $(cat "$scratch/err")"
        grep -qx cudaSuccess "$scratch/out" || fail "--$option on a full disk: $(cat "$scratch/out")"
        [ "$(grep -c 'writing failed: No space left' "$scratch/err")" = 1 ] ||
            fail "--$option on a full disk: $(cat "$scratch/err")"
    done
fi

# A part of a timeline.
early cudaSuccess --timeline "$scratch/part.smtl" --timeline-sm 0 --timeline-cycles 100:200 none
"$SIMSM" timeline "$scratch/part.1.smtl" >"$scratch/out" || fail "the timeline cannot be read"
grep -q 'SM 0, cycles 100 to .* of 100 to 200$' "$scratch/out" || fail "not the part: $(cat "$scratch/out")"

# Reports: one for each launch with --full, the tables, a line of each launch in the files.
run runtime --full --json "$scratch/a.jsonl" --csv "$scratch/a.csv" --timeline "$scratch/a.smtl" \
    --table "$scratch/table.csv" --launches 1:3 --report "$scratch/report"
# What the program does wrong, on purpose, is told there in any case.
if grep -v '^simsm: cuda' "$scratch/err"; then
    fail "with --report there is more than messages on the standard error"
fi
for n in 1 2; do
    [ -s "$scratch/a.$n.smtl" ] || fail "a.$n.smtl is missing"
    grep -q "^{\"format\": 1, .*\"number\": $n, .*}\$" "$scratch/a.jsonl" || fail "launch $n has no line of JSON"
    grep -q "^$n,\"[^\"]*\",smsp__inst_executed.sum,inst,[0-9]" "$scratch/a.csv" || fail "launch $n has no rows of CSV"
done
[ "$(wc -l <"$scratch/a.jsonl")" -eq 2 ] || fail "launch 3 was timed"
"$SIMSM" timeline "$scratch/a.1.smtl" --slots 0 >"$scratch/out" || fail "the timeline cannot be read"
grep -q '^Program on Tesla T4: ' "$scratch/report" || fail "no summary in the report"
grep -q '^Warp states' "$scratch/report" || fail "no report of a launch"
launches=$(grep -c ',kernel,' "$scratch/table.csv")
timed=$(awk -F, '$2 == "kernel" && $12 == 1' "$scratch/table.csv" | wc -l)
[ "$launches" -gt 2 ] && [ "$timed" -eq 2 ] || fail "the table has $launches launches, $timed timed"

run runtime --kernels '^add$' --table "$scratch/table.csv" --quiet
awk -F, '$2 == "kernel" && ($3 == "\"add\"") != ($12 == 1) { exit 1 }' "$scratch/table.csv" ||
    fail "--kernels has not timed add alone"
run runtime --kernels nosuch --quiet
grep -q "nothing was timed: none of the program's $launches launches is one that" "$scratch/err" ||
    fail "no launch is chosen, and nothing says so"
run runtime --functional --quiet
if grep -v '^simsm: cuda' "$scratch/err"; then
    fail "--quiet is not"
fi
run runtime --max-cycles 1600 --quiet
run runtime --set gpu.sms=3 --memory ideal --seed 4 --quiet

# A program that holds NVIDIA's runtime without its symbols, started by a script; one whose own path leads to
# a libcudart.
compile runtime -cudart static
strip "$scratch/runtime"
printf '#!/bin/sh\nexec "%s"\n' "$scratch/runtime" >"$scratch/script"
chmod +x "$scratch/script"
"$SIMSM" run t4 --quiet -- "$scratch/script" >"$scratch/out" 2>"$scratch/err" || fail "script: $(cat "$scratch/err")"
grep -qx "PASS runtime" "$scratch/out" || fail "script: $(cat "$scratch/out")"
mkdir "$scratch/other"
printf 'not a library' >"$scratch/other/libcudart.so.13"
compile graphs -cudart shared -Xlinker --disable-new-dtags -Xlinker -rpath -Xlinker "$scratch/other"
[ -n "${asan:-}" ] || run graphs --quiet
