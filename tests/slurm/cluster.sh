# A Slurm of its own: munge, a controller and several node daemons on this machine, all in one folder.
# Source it; it needs $scratch, and `fail`.
#
#   cluster_start NODES CPUS   starts nodes n1, n2, ...; exits with 77 where Slurm is not installed
#   cluster_stop               ends all of it
#   node_start NODE            starts a node's daemon
#   node_kill NODE             takes a node away as a loss of power does: its daemon, what watches its
#                              tasks, and the tasks
# shellcheck shell=bash disable=SC2154

cluster_needs()
{
    local program
    PATH=$PATH:/usr/sbin
    for program in munged slurmctld slurmd sbatch squeue scancel sinfo; do
        command -v "$program" >/dev/null || { echo "skipped: there is no $program (Debian: munge, slurmctld, slurmd, slurm-client)"; exit 77; }
    done
    [ "$(id -u)" -eq 0 ] || { echo "skipped: node daemons are started by root alone"; exit 77; }
}

# The first of COUNT ports in a row on which nobody listens.
free_ports() # COUNT
{
    local port=$((20000 + $$ % 20000)) taken
    taken=$(awk 'FNR > 1 && $4 == "0A" { sub(".*:", "", $2); print $2 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null)
    while :; do
        local i clash=0
        for ((i = 0; i < $1; i++)); do
            ! grep -qix "$(printf '%04X' $((port + i)))" <<<"$taken" || clash=1
        done
        [ $clash -eq 1 ] || break
        port=$((port + $1))
    done
    echo $port
}

cluster_config() # NODES CPUS
{
    local host port
    host=$(uname -n | cut -d. -f1)
    port=$(free_ports $(($1 + 1)))
    cat <<CONF
ClusterName=simsm
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.sock,cred_expire=10
SlurmctldPort=$port
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdTimeout=6
KillWait=3
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=n[1-$1] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + $1))] CPUs=$2
PartitionName=work Nodes=n[1-$1] Default=YES MaxTime=INFINITE State=UP
CONF
}

node_start() # NODE
{
    mkdir -p "$cluster/spool/$1"
    slurmd -N "$1" || fail "slurmd of $1: $(tail -3 "$cluster/$1.log")"
}

cluster_start() # NODES CPUS
{
    local i
    cluster_needs
    cluster=$scratch/slurm
    mkdir -m 755 "$cluster" "$cluster/state" "$cluster/spool"
    cluster_config "$1" "$2" >"$cluster/slurm.conf"
    export SLURM_CONF=$cluster/slurm.conf
    head -c 1024 /dev/urandom >"$cluster/munge.key"
    chmod 400 "$cluster/munge.key"
    munged --force --key-file="$cluster/munge.key" --socket="$cluster/munge.sock" --pid-file="$cluster/munge.pid" \
        --log-file="$cluster/munge.log" --seed-file="$cluster/munge.seed" 2>"$cluster/munge.err" ||
        fail "munged: $(cat "$cluster/munge.err")"
    slurmctld -c || fail "slurmctld: $(tail -3 "$cluster/slurmctld.log")"
    for ((i = 1; i <= $1; i++)); do node_start "n$i"; done
    cluster_wait "$1"
}

cluster_wait() # NODES: until so many are there
{
    local i
    for ((i = 0; i < 300; i++)); do
        [ "$(sinfo -h -N -t idle,mixed,allocated -o %N 2>/dev/null | sort -u | wc -l)" -lt "$1" ] || return 0
        sleep 0.1
    done
    fail "the nodes do not come up: $(sinfo 2>&1)"
}

# Processes of this cluster's jobs on a node, or of all.
node_tasks() # [NODE]
{
    local environ
    for environ in /proc/[0-9]*/environ; do
        if tr '\0' '\n' <"$environ" 2>/dev/null | grep -qxF "SLURM_CONF=$SLURM_CONF" &&
            tr '\0' '\n' <"$environ" 2>/dev/null | grep -qx "SLURMD_NODENAME=${1:-.*}"; then
            basename "$(dirname "$environ")"
        fi
    done 2>/dev/null
}

node_kill() # NODE
{
    local tasks watchers task parent
    tasks=$(node_tasks "$1")
    watchers=
    for task in $tasks; do
        parent=$(awk '{ print $4 }' "/proc/$task/stat" 2>/dev/null || true)
        if [ -n "$parent" ] && grep -q '^slurmstepd' "/proc/$parent/comm" 2>/dev/null; then
            watchers="$watchers $parent"
        fi
    done
    # shellcheck disable=SC2086
    kill -KILL "$(cat "$cluster/$1.pid")" $watchers $tasks 2>/dev/null || true
    rm -f "$cluster/$1.pid"
}

cluster_stop()
{
    local pid i
    [ -n "${cluster:-}" ] || return 0
    scancel --user=root 2>/dev/null || true
    for ((i = 0; i < 100; i++)); do
        [ -n "$(squeue -h 2>/dev/null)" ] || break
        sleep 0.1
    done
    for pid in "$cluster"/n*.pid "$cluster/slurmctld.pid" "$cluster/munge.pid"; do
        [ ! -s "$pid" ] || kill "$(cat "$pid")" 2>/dev/null || true
    done
    sleep 1
    for pid in $(node_tasks); do kill -KILL "$pid" 2>/dev/null || true; done
    for pid in /proc/[0-9]*/cwd; do # daemons and watchers that have not ended by themselves
        case $(readlink "$pid" 2>/dev/null) in
        "$cluster" | "$cluster"/*) kill -KILL "$(basename "$(dirname "$pid")")" 2>/dev/null || true ;;
        esac
    done
}
