#!/usr/bin/env bash
# simsm sweep --slurm on a real Slurm of three nodes: the figures are those of a sweep on this machine,
# no point runs twice, and none is lost when a node goes, the waiting command is stopped or killed, or
# the job is cancelled. What it has seen goes to the standard output.
. tests/tools/cli.sh
. tests/slurm/cluster.sh
trap 'cluster_stop; rm -rf "$scratch"' EXIT
cluster_start 3 2
say() { echo "$(date -u +%T) $*"; }
say "$(sinfo --version), nodes $(sinfo -h -N -o %N | sort -u | xargs) with 2 processors each"

cp traces/divergent.trace "$scratch/d.trace"
spec() # NAME SEEDS ROUNDS
{
    cat >"$scratch/$1.yaml" <<SPEC
configs: [teaching]
kernels: [{trace: d.trace, param: {rounds: $3}}]
set: {gpu.sms: 1}
seeds: 1:$2:1
SPEC
}

figures() # RESULTS: all that points are and have counted
{
    "$SIMSM" results "$1" --csv - | sed 's/,[^,]*,[^,]*,[^,]*,[^,]*$//' | cut -d, -f2- | sort
}

same() # NAME: as on this machine alone; each point was run once
{
    "$SIMSM" sweep "$scratch/$1.yaml" --results "$scratch/$1.here.sqlite" --quiet || true
    "$SIMSM" results "$scratch/$1.sqlite" --check >/dev/null || fail "$1: the file is damaged"
    figures "$scratch/$1.sqlite" >"$scratch/a"
    figures "$scratch/$1.here.sqlite" >"$scratch/b"
    [ -s "$scratch/a" ] || fail "$1: no figures"
    cmp "$scratch/a" "$scratch/b" || fail "$1: figures differ from those of this machine"
    [ -z "$(ls "$scratch/$1.tasks"/*.point "$scratch/$1.tasks"/*.tasks 2>/dev/null)" ] || fail "$1: files are left"
}

once() # NAME: from what the tasks have said
{
    cat "$scratch/$1.tasks"/*.log | sed -n 's/^.* point [0-9]* done: \(.*\) ([0-9.]* s)$/\1/p' | sort >"$scratch/told"
    [ -z "$(uniq -d "$scratch/told")" ] || fail "$1: points have run twice: $(uniq -d "$scratch/told")"
    [ "$(wc -l <"$scratch/told")" -eq "$2" ] || fail "$1: $(wc -l <"$scratch/told") points were told, not $2"
}

points_there() # NAME COUNT: waits until tasks have left so many points
{
    for ((i = 0; i < 600; i++)); do
        [ "$(find "$scratch/$1.tasks" -name '*.point' 2>/dev/null | wc -l)" -lt "$2" ] || return 0
        sleep 0.1
    done
    fail "$1: no points come: $(squeue 2>&1; cat "$scratch/$1.tasks"/*.log)"
}

slurm() # NAME ARGUMENT...
{
    local name=$1
    shift
    "$SIMSM" sweep "$scratch/$name.yaml" --slurm --verbose "$@" >"$scratch/out" 2>"$scratch/err"
}

# All goes well; what fails is a row.
spec well 30 1
sed -i 's/^set:.*/vary: {sm.warp_slots: [64, 63]}\nset: {gpu.sms: 1}\nmax_cycles: 100000000/' "$scratch/well.yaml"
status=0
slurm well --array-size 10 --partition work --sbatch=--time=10 || status=$?
[ "$status" -eq 1 ] || fail "points fail, status $status"
grep -qF '60 points: 30 done, 30 failed; 30 of them in this run' "$scratch/out" || fail "well"
once well 30
same well
say "30 points in 10 tasks, 30 that contradict themselves: $(sed -n 's/.* of them in this run, //p' "$scratch/out")"

# A node goes in the middle, and comes back later.
spec node 60 8
begun=$(date +%s)
slurm node --array-size 20 &
command=$!
points_there node 8
running=$(squeue -h -r -w n2 -o %i | xargs)
node_kill n2
say "node n2 killed with tasks ${running:-none} after $(find "$scratch/node.tasks" -name '*.point' | wc -l) of 60 points"
[ -n "$running" ] || fail "nothing ran on n2"
for ((i = 0; i < 600; i++)); do
    [ -z "$(sinfo -h -N -n n2 -t down -o %N)" ] || break
    sleep 0.1
done
say "Slurm: n2 is $(sinfo -h -N -n n2 -o %T)"
node_start n2
status=0
wait $command || status=$?
[ "$status" -eq 0 ] || fail "after the loss of a node: status $status"
grep -qF '60 points: 60 done, 0 failed; 60 of them in this run' "$scratch/out" || fail "node"
once node 60
same node
say "60 of 60 points done after $(($(date +%s) - begun)) s, none twice, figures as without Slurm"

# Ctrl-C leaves the job alone, a kill too; the same command waits for the same job again.
spec stop 40 8
stop_by() # SIGNAL STATUS POINTS
{
    local status=0
    bash -c 'trap - INT; exec "$0" sweep "$1" --slurm --verbose --array-size 8' "$SIMSM" "$scratch/stop.yaml" >"$scratch/out" 2>"$scratch/err" &
    command=$!
    points_there stop "$3"
    kill "-$1" $command
    wait $command 2>/dev/null || status=$?
    [ "$status" -eq "$2" ] || fail "$1: status $status, not $2"
    job=$(cat "$scratch/stop.tasks/1.job")
}
set -m
stop_by INT 130 4
first=$job
grep -qF "job $first continues" "$scratch/err" || fail "Ctrl-C: no word of the job"
status=0
"$SIMSM" sweep "$scratch/stop.yaml" >"$scratch/out" 2>"$scratch/err" || status=$?
[ "$status" -eq 1 ] || fail "points that Slurm runs: status $status"
grep -qF "Slurm job $first runs points" "$scratch/err" || fail "points that Slurm runs are run here"
stop_by KILL 137 12
set +m
[ "$job" = "$first" ] || fail "the job was given away twice: $first, $job"
slurm stop --array-size 8 || fail "stopped twice: status $?"
grep -qF '40 points: 40 done, 0 failed' "$scratch/out" || fail "stop"
once stop 40
same stop
say "Ctrl-C and kill -9 of the command that waits: job $first went on, 40 of 40 points, none twice"

# A job that is cancelled leaves points, which the same command gives away again.
spec cancel 40 8
slurm cancel --array-size 8 --no-wait || fail "--no-wait: status $?"
job=$(cat "$scratch/cancel.tasks/1.job")
points_there cancel 6
scancel "$job"
status=0
slurm cancel --array-size 8 || status=$?
if [ "$status" -eq 1 ]; then # it was still ending: that is waited for first
    grep -qF "job $job has ended" "$scratch/err" || fail "cancel: no word of the job"
    say "job $job cancelled: $(grep -F ' points: ' "$scratch/out")"
    slurm cancel --array-size 8 || fail "cancel: status $?"
fi
grep -qF '40 points: 40 done, 0 failed' "$scratch/out" || fail "cancel"
once cancel 40
same cancel
say "after scancel the rest was given away again: 40 of 40 points, none twice"
