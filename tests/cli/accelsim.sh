# Traces of Accel-Sim: info, runs, conversion, warnings, and what is refused.
. tests/tools/cli.sh
data=tests/data/accelsim
export TMPDIR="$scratch/tmp" # converted traces: all must be gone in the end
mkdir "$TMPDIR"

# expect STATUS PATTERN COMMAND...: exit status, and a line of output that matches
expect() {
    status=$1 pattern=$2
    shift 2
    code=0
    "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
    [ "$code" -eq "$status" ] || fail "expected status $status, got $code: $*"
    cat "$scratch/out" "$scratch/err" | grep -Eq "$pattern" || fail "no line matches /$pattern/: $*"
}

# What a kernel is, and how many instructions it runs; two warps were not traced to their ends.
expect 0 '^  all warps +52$' "$SIMSM" trace info "$data/divergent.traceg"
grep -Eq '^0x0040 +- +branch +cbu +BRA$' "$scratch/out" || fail "listing"
grep -Fq 'warning: tests/data/accelsim/divergent.traceg: FROB is not known' "$scratch/err" ||
    fail "no warning of an opcode that nobody knows"
grep -Fq '2 warps end without EXIT' "$scratch/err" || fail "no warning of warps that do not end"
expect 0 '^  all warps +36$' "$SIMSM" trace info "$data/copies.traceg.xz"
[ ! -s "$scratch/err" ] || fail "a warning without a reason"
expect 0 ': good; ' "$SIMSM" trace check "$data/list.traceg" "$data/copies.traceg.xz"

# A list: which kernels there are, one of them, and no choice.
expect 0 '^ +3 +1x2x1 +32x2x1  copies$' "$SIMSM" trace info "$data/kernelslist.g"
expect 0 '^copies: 2 blocks of 64 threads on Tesla T4' "$SIMSM" t4 "$data/kernelslist.g" --launch-number 3
expect 0 '^Program on Tesla T4: 3 launches' "$SIMSM" t4 "$data/kernelslist.g" --table "$scratch/table.csv"
expect 0 '^ +3  copies ' "$SIMSM" t4 "$data/kernelslist.g" --launches 3:4 --full
expect 2 'no kernel launch 4: it has 3' "$SIMSM" t4 "$data/kernelslist.g" --launch-number 4

# A run counts what the trace holds. Both are lines and bits of masks, counted here once more.
awk '/^[01] 0 0 [01] / {
         n++
         for (i = 1; i <= 8; i++)
             lanes += bits[substr($6, i, 1)]
     }
     BEGIN { split("0 1 1 2 1 2 2 3 1 2 2 3 2 3 3 4", b); d = "0123456789abcdef"
             for (i = 1; i <= 16; i++) bits[substr(d, i, 1)] = b[i] }
     END { print n, lanes }' "$data/list.traceg" >"$scratch/counts"
read -r lines lanes <"$scratch/counts"
[ "$lines" -eq 24 ] || fail "the trace has $lines lines"
"$SIMSM" t4 "$data/list.traceg" --quiet --csv "$scratch/run.csv" || fail "the run failed"
for count in "smsp__inst_executed.sum,inst,$lines" "smsp__thread_inst_executed_pred_on.sum,inst,$lanes"; do
    grep -Eq "^$count(\.0*)?(,|\$)" "$scratch/run.csv" || fail "no $count in the statistics"
done

# A second load of the same addresses hits L1, unless it is strong on the scope of the device.
hits() # SUFFIX
{
    sed "s/0 STG.E.SYS 2 R2 R4 /1 R5 LDG.E$1 1 R2 /" "$data/list.traceg" >"$scratch/twice.traceg"
    "$SIMSM" t4 "$scratch/twice.traceg" --quiet --csv "$scratch/run.csv" || fail "loads of .E$1 failed"
    sed -nE 's/^l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum,sector,([0-9]+).*/\1/p' "$scratch/run.csv"
}
[ "$(hits '')" = 12 ] || fail "plain loads: $(hits '') sectors hit L1, not 12"
[ "$(hits .STRONG.GPU)" = 2 ] || fail "strong loads: $(hits .STRONG.GPU) sectors hit L1, not 2: those of the plain ones"

# A converted trace runs in the same cycles.
expect 0 ': 3 kernel launches, 112 warp instructions' \
    "$SIMSM" trace convert "$data/kernelslist.g" "$scratch/all.smtr"
grep -Fq 'left out: 2 copies to the device' "$scratch/out" || fail "copies"
for launch in 1 2 3; do
    "$SIMSM" t4 "$data/kernelslist.g" --launch-number $launch --full 2>/dev/null | tail -n +4 >"$scratch/direct"
    "$SIMSM" t4 "$scratch/all.smtr" --param launch=$launch --full | tail -n +4 >"$scratch/converted"
    cycles=$(sed -nE 's/^  cycles +([0-9]+) .*/\1/p' "$scratch/direct")
    grep -q "^$launch,kernel,.*,1,$cycles," "$scratch/table.csv" || fail "the list runs differently"
    [ "$(wc -l <"$scratch/direct")" -gt 30 ] || fail "launch $launch does not run"
    cmp -s "$scratch/direct" "$scratch/converted" || fail "launch $launch runs differently if converted"
done

# Names do not matter, contents do.
cp "$data/copies.traceg.xz" "$scratch/a"
expect 0 'copies' "$SIMSM" trace info "$scratch/a"

# What is refused: by file and line.
head -n 30 "$data/divergent.traceg" >"$scratch/cut"
expect 2 "$scratch/cut:30: the file ends in block 1,0,0, where instruction" "$SIMSM" t4 "$scratch/cut"
head -c 400 "$data/copies.traceg.xz" >"$scratch/cut.xz"
expect 2 'the compressed file ends too early' "$SIMSM" t4 "$scratch/cut.xz"
sed 's/^insts = 22/insts = 23/' "$data/divergent.traceg" >"$scratch/more"
expect 2 'expected instruction 23 of the 23 of warp 0, found' "$SIMSM" t4 "$scratch/more"
echo 'gone.traceg' >"$scratch/list.g"
expect 2 'gone.traceg: cannot open' "$SIMSM" trace convert "$scratch/list.g" "$scratch/gone.smtr"
[ ! -e "$scratch/gone.smtr" ] || fail "a failed conversion left a file"

rmdir "$TMPDIR" || fail "a converted trace was left behind"
