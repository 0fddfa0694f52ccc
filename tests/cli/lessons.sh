#!/usr/bin/env bash
# The lessons: figures that are exact, and comparisons that docs/lessons makes.
. tests/tools/cli.sh

pages=(docs/lessons/[0-9]*.md docs/occupancy.md)

# simulate CONFIG TRACE [OPTIONS]: leaves the figures where `figure` finds them.
simulate()
{
    local config=$1 trace=$2
    shift 2
    simulated="$config $trace $*"
    "$SIMSM" "$config" "traces/lessons/$trace.trace" "$@" --full --csv "$scratch/run.csv" >"$scratch/report" ||
        fail "$simulated failed"
}

figure() # NAME
{
    awk -F, -v name="$1" '$1 == name { print $3; found = 1 } END { exit !found }' "$scratch/run.csv" ||
        fail "there is no figure $1"
}

# is NAME VALUE [TOLERANCE]: the figure of the last run.
is()
{
    local found
    found=$(figure "$1")
    awk -v a="$found" -v b="$2" -v t="${3-0}" 'BEGIN { exit !(a != "" && a - b <= t && b - a <= t) }' ||
        fail "$simulated: $1 is $found, not $2"
}

# says TEXT: a line of the last report, runs of blanks counting as one.
says()
{
    tr -s ' ' <"$scratch/report" | grep -qF -- "$1" || fail "$simulated: the report does not say '$1'"
}

# shows PATTERN: the same with a regular expression.
shows()
{
    tr -s ' ' <"$scratch/report" | grep -qE -- "$1" || fail "$simulated: the report does not show '$1'"
}

smaller() # A B WHAT
{
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }' || fail "$3: $1 is not less than $2"
}

# Rows of the page's tables that match a pattern, without the bars.
rows() { sed -nE "s/^\\| ($1) \\|\$/\\1/p" "${pages[@]}"; }

cycles=sm__cycles_elapsed.max
busy=smsp__issue_active.avg.pct_of_peak_sustained_active
efficiency=smsp__sass_average_branch_targets_threads_uniform.pct
theoretical=sm__maximum_warps_per_active_cycle_pct

lesson_occupancy()
{
    local count=0 command blocks warps share limiters
    while IFS='|' read -r command blocks warps share limiters; do
        count=$((count + 1))
        command=${command#*\`simsm }
        command=${command%\`*}
        # shellcheck disable=SC2086 # the options are words
        "$SIMSM" $command --no-plot | tr -s ' ' >"$scratch/report"
        simulated=$command
        says " occupancy ${share# }: ${warps# }warps per SM"
        says " resident ${blocks# }block"
        says " limited by${limiters% }"
    done < <(sed -n 's/^| \(`simsm occupancy .*\) |$/\1/p' "${pages[@]}" | sed 's/ %  *|/ % |/; s/ % |/ %|/')
    [ "$count" = 20 ] || fail "the page has $count kernels, not 20"
}

lesson_gap()
{
    local lost=simsm__occupancy_lost
    simulate t4 imbalance_within --memory fixed
    is ${lost}_within_blocks.pct 56.25 1.5
    is ${lost}_across_blocks.pct 0 0.5
    simulate t4 imbalance_across --memory fixed
    is ${lost}_across_blocks.pct 65.625 1.5
    is ${lost}_within_blocks.pct 0 0.5
    simulate teaching waves --sms 15 --param n=45 --param threads_per_block=512
    is ${lost}_few_blocks.pct 25 0.1
    is launch__waves_per_multiprocessor 0.75
    simulate t4 waves --memory fixed --param n=250
    is ${lost}_few_blocks.pct 21.43 0.2 # of 21.875 some is refill: starts are paced
    is launch__waves_per_multiprocessor 0.78125
    simulate t4 waves --memory fixed --param n=400
    is ${lost}_partial_wave.pct 37.5 1
    is ${lost}_few_blocks.pct 0
    is launch__waves_per_multiprocessor 1.25
}

# shape X Y Z WARPS: as many warps as that.
shape()
{
    "$SIMSM" trace info traces/lessons/block_shape.trace --param "x=$1" --param "y=$2" --param "z=$3" |
        grep -q "^block .* threads in $4 warps\$" || fail "$1 x $2 x $3 are not $4 warps"
}

lesson_shapes()
{
    shape 256 1 1 8
    shape 16 16 1 8
    shape 40 2 1 3
    shape 8 4 8 8
    simulate t4 block_shape --memory fixed
    shows " 1 16.0 .* FADD"
    simulate t4 block_shape --memory fixed --param x=40 --param y=2
    says "80 threads in 3 warps; the last warp has 16 of 32 lanes"
    shows " 3 26.7 .* ISETP"
    is sm__warps_launched.sum 3
    simulate t4 block_shape --memory fixed --param x=8 --param y=4 --param z=8
    shows " 8 8.00 .* FADD"
}

# paths LANES ISSUED WORK: warp and thread instructions of both bodies.
paths()
{
    local share
    simulate teaching two_paths --param "a=$1"
    is simsm__body_inst_executed.sum "$2"
    is simsm__body_thread_inst_executed.sum "$3"
    share=$(awk -v w="$3" -v c="$2" 'BEGIN { printf "%.1f", 100 * w / 32 / c }')
    rows "$1 \\+ $((32 - $1)) \\| $2 \\| $share % \\| .*" | grep -q . ||
        fail "the page does not say that $1 lanes take $2 cycles and use $share %"
}

lesson_branches()
{
    local apart together
    paths 32 100 3200
    paths 0 1 32
    paths 16 101 1616
    paths 31 101 3101
    paths 1 101 131

    simulate t4 branch --param granularity=1
    is smsp__sass_branch_targets.sum $((1280 * (1 + 2 * 64))) # each turn's if, and the way past its else
    is smsp__sass_branch_targets_threads_divergent.sum $((1280 * 64))
    apart=$(figure $cycles)
    for granularity in 32 64; do
        simulate t4 branch --param granularity=$granularity
        is smsp__sass_branch_targets_threads_divergent.sum 0
        is $efficiency 100
        smaller "$(figure $cycles)" "$apart" "branch by warps"
    done
    simulate t4 select
    is smsp__sass_branch_targets.sum 1280
    is $efficiency 100
    smaller "$(figure $cycles)" "$apart" "select"

    simulate t4 sort --param sorted=0
    apart=$(figure $cycles)
    smaller "$(figure $efficiency)" 60 "random data"
    simulate t4 sort --param sorted=1
    is $efficiency 100
    smaller "$(figure $cycles)" "$(awk -v c="$apart" 'BEGIN { print c * 0.8 }')" "sorted data"

    simulate t4 sum_thread0
    apart=$(figure $cycles)
    smaller "$(figure smsp__thread_inst_executed_per_inst_executed.ratio)" 3 "lanes of the sum by thread 0"
    simulate t4 sum_shuffle
    together=$(figure $cycles)
    is smsp__thread_inst_executed_per_inst_executed.ratio 32
    smaller "$((3 * together))" "$apart" "the sum by shuffles, three times"
}

# The warps that issue in cycles 400 to 404, and what all of them do then: rows of the picture.
lesson_walkthrough()
{
    local picks
    "$SIMSM" teaching8 traces/lessons/walkthrough.trace --quiet --timeline "$scratch/walk.smtl"
    "$SIMSM" timeline "$scratch/walk.smtl" --cycles 400:405 --ascii >"$scratch/walk"
    picks=$(awk '$2 == "b0" { for (i = 1; i <= 5; i++) if (substr($4, i, 1) == "#") pick[i] = pick[i] $3 }
             END { for (i = 1; i <= 5; i++) printf "%s ", pick[i] }' "$scratch/walk")
    [ "$picks" = "w0 w1 w3 w2 w0 " ] || fail "the picks are $picks"
    awk '$2 == "b0" { print $3, $4 }' "$scratch/walk" >"$scratch/rows"
    cmp -s "$scratch/rows" - <<'WALK' || fail "the walk: $(cat "$scratch/walk")"
w0 #www#
w1 +#www
w2 LLL#w
w3 ++#++
w4 LLLLL
w5 LLLLL
w6 LLLLL
w7 LLLLL
WALK
}

lesson_latency()
{
    local n formula
    for n in 1 8 32 64; do
        simulate teaching latency --param n=$n
        formula=$(awk -v n=$n 'BEGIN { print 400 * n / 404 }')
        is $busy "$formula" 0.1
    done
    for n in 1 32 64; do
        simulate teaching latency --param n=$n
        rows "$n \\| .* = .* \\| $(figure $busy | cut -c1-4).* % \\| .*" | grep -q . ||
            fail "the page does not say what $n warps reach"
    done
    simulate teaching latency --param work=8 --param n=51
    is $busy 100 0.2
    simulate teaching latency --param n=64 --set sm.scheduler=lrr
    is $busy 43 0.5
}

# sweep CONFIG TRACE KEY VALUES METRIC: one line for each value, without the end of the launch.
sweep()
{
    "$SIMSM" sweep "$1" "traces/lessons/$2.trace" --set memory.model=fixed --set gpu.end_cycles=0 --vary "$3=$4" \
        --metric "$5" --no-plot | awk 'NR > 1 { print $1, $2 }'
}

lesson_launch()
{
    local sizes
    # A new wave costs as much as a full one, but for a cycle for each block that ends (dispatch.end_interval).
    sweep t4 waves param.n 320,360,640,680 $cycles | awk '{ c[$1] = $2 }
        END { exit !(c[360] > 1.7 * c[320] && c[640] - 280 < 1.01 * c[360] && c[680] > 1.4 * c[640]) }' ||
        fail "time does not rise in waves"
    [ "$(sweep t4 grid_stride param.n 40,160,320,640,2560 $cycles | sort -nk2 | head -n 1 | cut -d' ' -f1)" = 320 ] ||
        fail "one full wave of fat blocks is not the best"
    sizes=$(sweep t4 block_size param.size 32,64,96,128,256,512,768,1024 $theoretical |
        awk '$2 == 100 { printf "%s ", $1 }')
    [ "$sizes" = "64 128 256 512 1024 " ] || fail "block sizes that fill a T4: $sizes"
}

# Half of the page's matrices, a quarter of its SMs: as many waves.
lesson_matmul()
{
    local n=128 loads=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum naive tiled
    local sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    simulate h100 matmul_naive --sms 2 --param n=$n
    is $loads $((2 * n * n * n / 32))
    is $sectors $((4 * n * n * n / 32))
    is $theoretical 100
    naive=$(figure $cycles)
    simulate h100 matmul_tiled16 --sms 2 --param n=$n
    is $loads $((2 * n * n * n / 32 / 16))
    is $sectors $((8 * n * n * n / 32 / 16))
    is $theoretical 75
    tiled=$(figure $cycles)
    smaller "$tiled" "$naive" "tiles of 16 x 16"
    simulate h100 matmul_tiled32 --sms 2 --param n=$n
    is $loads $((2 * n * n * n / 32 / 32))
    is $theoretical 100
    is l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum 0
    smaller "$tiled" "$(figure $cycles)" "tiles of 16 x 16, aligned to 16 bytes"
    smaller "$(figure $cycles)" "$naive" "tiles of 32 x 32"
}

"$SIMSM" trace check traces/lessons/*.trace >"$scratch/checked" || fail "trace check: $(cat "$scratch/checked")"
lesson_occupancy
lesson_gap
lesson_shapes
lesson_branches
lesson_walkthrough
lesson_latency
lesson_launch
lesson_matmul
