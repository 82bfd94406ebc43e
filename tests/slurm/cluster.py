"""cluster.py - a Slurm cluster of two nodes, n1 and n2, on this host, with Debian's slurmctld and slurmd."""
import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("", "fleet")]
from hosts import until

DEPLOY = os.path.join(HERE, "..", "..", "deploy", "slurm")
# A node says that it has a GPU where it has that file.
GPUS = {"n1": "/dev/zero", "n2": "/dev/full"}
CONFIGURATION = """
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
GresTypes=gpu
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 Gres=gpu:1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 Gres=gpu:1
PartitionName=all Nodes=ALL Default=YES
"""


def _free_ports(n):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    """with Cluster() as c: c.submit(script, ...), c.run("squeue")"""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="linalgd-slurm-")
        os.mkdir(os.path.join(self.folder, "state"))
        self._write("slurm.conf", CONFIGURATION.format(host=socket.gethostname(), ports=_free_ports(3), folder=self.folder,
                                                       user=pwd.getpwuid(os.getuid()).pw_name))
        self._write("gres.conf", "".join(f"NodeName={node} Name=gpu File={path}\n" for node, path in GPUS.items()))
        self.env = {**os.environ, "SLURM_CONF": os.path.join(self.folder, "slurm.conf"), "TMPDIR": self.folder, "HOME": self.folder,
                    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.env.pop("XDG_CACHE_HOME", None)
        self.daemons = [self._start("slurmctld")] + [self._start("slurmd", "-N", node) for node in GPUS]
        try:
            until(lambda: self.run("sinfo", "-h", "-N", "-o", "%T").split() == ["idle", "idle"])
        except BaseException:
            self.__exit__(True)
            raise
        return self

    def _write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)

    def _start(self, *command):
        log = open(os.path.join(self.folder, "-".join(command) + ".log"), "w")
        with log:
            return subprocess.Popen([shutil.which(command[0], path=os.environ["PATH"] + ":/usr/sbin"), "-D", *command[1:]],
                                    env=self.env, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def run(self, *command, seconds=60):
        """Returns what the command printed."""
        r = subprocess.run(command, env=self.env, cwd=self.folder, capture_output=True, text=True, timeout=seconds, check=False)
        assert r.returncode == 0, (command, r.returncode, r.stdout[-2000:], r.stderr[-2000:])
        return r.stdout

    def submit(self, script, *options, arguments=(), **env):
        """Submits a script of deploy/slurm, whose daemon gets the arguments, and returns the job's number."""
        environment = ",".join(["ALL", *(f"{name}={value}" for name, value in env.items())])
        return self.run("sbatch", "--parsable", "--time=00:05:00", f"--export={environment}", *options, os.path.join(DEPLOY, script),
                        *arguments).strip()

    def output(self, job):
        """What the job has printed so far."""
        path = os.path.join(self.folder, f"slurm-{job}.out")
        if not os.path.exists(path):
            return ""
        with open(path) as f:
            return f.read()

    def state(self, job):
        """The state and the exit status of a job, as in 'COMPLETED 0:0'."""
        told = dict(word.split("=", 1) for word in self.run("scontrol", "-o", "show", "job", job).split() if "=" in word)
        return f"{told['JobState']} {told['ExitCode']}"

    def __exit__(self, failed, *_):
        with contextlib.suppress(Exception):
            jobs = self.run("squeue", "-h", "-o", "%i").split()
            self.run("scancel", *jobs) if jobs else None
            until(lambda: not self.run("squeue", "-h").strip(), 60)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        if failed:
            for name in sorted(os.listdir(self.folder)):
                if name.endswith((".log", ".out")):
                    with open(os.path.join(self.folder, name)) as f:
                        print(f"--- {name}\n{f.read()[-2000:]}")
        shutil.rmtree(self.folder, ignore_errors=True)
