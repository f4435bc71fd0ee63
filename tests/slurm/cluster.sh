# A Slurm cluster of one node, for the test beside this file. To be sourced.
#
# Everything lies in a folder of the caller's, and both daemons run as the caller: nothing is installed, no file of a
# Slurm that is there already is read, and no munge is needed. Found to work with Slurm 22.05 (Debian 12), as root and as nobody, in a
# container without systemd and cgroups.

# Debian has the daemons where only root looks.
PATH=$PATH:/usr/sbin:/sbin
# What an enclosing job or a user's own defaults say is not for this cluster.
unset "${!SLURM_@}" "${!SBATCH_@}" "${!SQUEUE_@}" "${!SINFO_@}" "${!SCANCEL_@}"

fail() {
    echo "failed: $*"
    exit 1
}

# await WHAT COMMAND…: waits until the command succeeds.
await() {
    local what=$1 deadline=$((SECONDS + 300))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || fail "waited in vain for $what"
        sleep 0.02
    done
}

# The commands of Slurm that are missing here.
missing_commands() {
    local command
    for command in slurmctld slurmd sbatch squeue scontrol sinfo scancel; do
        type -P "$command" > /dev/null || echo "$command"
    done
}

# The first port from this one on at which nobody listens.
free_port() {
    local port=$1
    while (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do port=$((port + 1)); done
    echo "$port"
}

# Writes the configuration of a cluster in this folder.
write_configuration() {
    local folder=$1 port
    port=$(free_port $((20000 + RANDOM % 10000)))
    cat > "$folder/slurm.conf" <<CONFIGURATION
ClusterName=loadfactor
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
SlurmdPort=$(free_port $((port + 1)))
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
# Whoever reaches the ports of this machine may submit: for a test, and for nothing else.
AuthType=auth/none
CredType=cred/none
# A requeued job waits until its old credential has expired, which takes 5 s or longer.
AuthInfo=cred_expire=5
# No cgroups, no accounting, no interconnect.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
# A node that says other than the machine has takes as many tasks at once as the test wants.
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=localhost NodeAddr=127.0.0.1 CPUs=8 RealMemory=8000 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
# Seconds from SIGTERM to SIGKILL, and between two looks at the queue.
KillWait=5
SchedulerParameters=sched_interval=1,batch_sched_delay=1
# Of five shards two arrays are made: the greatest index of an array is one less than this.
MaxArraySize=4
CONFIGURATION
}

# Starts both daemons in this folder; afterwards the commands of Slurm talk to them.
start_cluster() {
    local folder=$1
    mkdir -p "$folder/state" "$folder/spool"
    write_configuration "$folder"
    export SLURM_CONF=$folder/slurm.conf
    slurmctld && slurmd || return 1
    await "the node to be idle" node_is_idle
}

node_is_idle() { [ "$(sinfo --noheader --format=%T 2> /dev/null)" = idle ]; }

queue_is_empty() { [ -z "$(squeue --noheader)" ]; }

# Ends all jobs and both daemons of the cluster in this folder, whatever their state.
stop_cluster() {
    local folder=$1 daemon pid
    # Without its configuration, the commands below would speak to another Slurm of this machine.
    [ -f "$folder/slurm.conf" ] || return 0
    local -x SLURM_CONF=$folder/slurm.conf
    # The processes of a job outlive the daemons, so that the jobs go first: at the latest after KillWait.
    scancel --user="$(id -un)" 2> /dev/null || true
    timeout 30 bash -c 'while [ -n "$(squeue --noheader 2> /dev/null)" ]; do sleep 0.1; done' || true
    for daemon in slurmd slurmctld; do
        pid=$(cat "$folder/$daemon.pid" 2> /dev/null) || continue
        kill "$pid" && timeout 10 tail --pid="$pid" --follow /dev/null || kill -KILL "$pid" || true
    done
}
