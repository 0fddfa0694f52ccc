# compare.awk: the run before on the same processor, by steps/inst, and what the noise hides.
. tests/tools/cli.sh

head=date,version,processor,rounds,gpu,kernel,yardstick_ns,minst_per_second,steps_per_inst,noise_percent,peak_mb,timeline_factor
row() # DATE PROCESSOR ROUNDS KERNEL SPEED STEPS NOISE
{
    echo "$1,simsm 1,$2,$3,t4,$4,1.5,$5,$6,$7,15.0,1.1"
}
compared() # KERNEL WORDS
{
    grep -E "^t4 +$1 " "$scratch/out" | grep -qF -- "$2" || fail "$1: no '$2'"
}

{
    echo "$head"
    row 1 this 3 fma 5.0 100 1.0
    row 2 this 3 fma 4.0 120 1.0
    row 2 this 3 mixed 4.0 120 1.0
    row 2 this 3 scatter 4.0 120 5.0
    row 3 other 3 fma 9.0 50 1.0
    row 4 this 1 fma 9.0 50 ""
    row 5 this 3 fma 2.0 100 1.0
    row 5 this 3 mixed 5.0 150 1.0
    row 5 this 3 scatter 4.0 115 2.0
    row 5 this 3 vecadd 4.0 115 2.0
} >"$scratch/rows"
awk -f tests/bench/compare.awk "$scratch/rows" >"$scratch/out" || fail "status $?"
grep -q '^beside simsm 1 of 2,' "$scratch/out" || fail "it is not compared with the run before"
compared fma '+20.0%      1.4%  faster' # a slower machine, but fewer steps
compared mixed '-20.0%      1.4%  slower'
compared scatter '+4.3%      5.4%  within the noise'
! grep -q vecadd "$scratch/out" || fail "there is no run of vecadd before"

row 6 this 1 fma 9.0 40 "" >>"$scratch/rows"
awk -f tests/bench/compare.awk "$scratch/rows" >"$scratch/out" || fail "status $?"
compared fma '+25.0%         ?  one round has no noise'

row 7 new 3 fma 9.0 40 1.0 >>"$scratch/rows"
awk -f tests/bench/compare.awk "$scratch/rows" >"$scratch/out" || fail "status $?"
grep -q 'nothing to compare with' "$scratch/out" || fail "another processor is compared"
