"""postgres.py - starts Debian's PostgreSQL server in a temporary directory, in which its Unix socket is, too."""
import contextlib
import glob
import os
import pwd
import shutil
import subprocess
import tempfile


class Postgres:
    """with Postgres() as p: p.url("name"), p.sql("SELECT 1"), p.stop(), p.start()"""

    def __enter__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not found:
            raise SystemExit("PostgreSQL is missing: sh deploy/packages.sh test")
        self.bin = found[-1]
        self.directory = tempfile.mkdtemp(prefix="linalgd-postgres-")
        self.data = os.path.join(self.directory, "data")
        # The server refuses to run as root.
        self.user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        if self.user:
            os.chown(self.directory, self.user.pw_uid, self.user.pw_gid)
        os.chmod(self.directory, 0o755)
        self._make()
        with open(os.path.join(self.data, "postgresql.conf"), "a") as f:
            f.write(f"listen_addresses = ''\nunix_socket_directories = '{self.directory}'\nmax_connections = 100\n")
        self.start()
        return self

    def _make(self):
        self._run("initdb", "-D", self.data, "-A", "trust", "-U", "linalgd", "--no-sync")

    def _run(self, program, *arguments):
        who = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        r = subprocess.run([os.path.join(self.bin, program), *arguments], cwd=self.directory, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **who)
        assert r.returncode == 0, r.stdout

    def start(self):
        self._run("pg_ctl", "-D", self.data, "-l", os.path.join(self.directory, "log"), "-w", "-t", "60", "start")

    def stop(self, mode="immediate"):
        self._run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def url(self, database):
        return f"postgresql:///{database}?host={self.directory}&user=linalgd"

    def psql(self, database):
        """The command that executes what is appended to it."""
        return [os.path.join(self.bin, "psql"), "-qtAX", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", self.directory, "-U", "linalgd",
                "-d", database]

    def sql(self, text, database="postgres"):
        """Executes SQL and returns the rows of the result, each a list of strings."""
        r = subprocess.run(self.psql(database) + ["-c", text], capture_output=True, text=True, check=False)
        assert r.returncode == 0, r.stderr
        return [line.split("\t") for line in r.stdout.splitlines()]

    @contextlib.contextmanager
    def listening(self, database, channel):
        """Yields a list that afterwards has what the channel was notified of meanwhile."""
        heard = []
        with subprocess.Popen(self.psql(database), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
            p.stdin.write(f"LISTEN {channel};\nSELECT 'listens';\n")
            p.stdin.flush()
            assert p.stdout.readline() == "listens\n"
            yield heard
            heard += p.communicate("SELECT 'ends';\n")[0].splitlines()
        assert heard.pop(heard.index("ends")) and p.returncode == 0

    def __exit__(self, kind, *_):
        try:
            self.stop()
        except AssertionError:
            pass
        if kind:
            with open(os.path.join(self.directory, "log")) as f:
                print(f.read()[-2000:])
        shutil.rmtree(self.directory, ignore_errors=True)


class Replica(Postgres):
    """A synchronous standby of another server, which the other waits for at each COMMIT."""

    def __init__(self, primary):
        self.primary = primary

    def _make(self):
        self._run("pg_basebackup", "-D", self.data, "-h", self.primary.directory, "-U", "linalgd", "-R", "-c", "fast", "--no-sync")

    def __enter__(self):
        super().__enter__()
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("SELECT pg_reload_conf()")
        return self

    def promote(self):
        self._run("pg_ctl", "-D", self.data, "-w", "promote")


class Pair:
    """A primary and its standby, for hosts whose URL names both."""

    def __init__(self, primary, replica):
        self.primary, self.replica, self.now = primary, replica, primary

    def url(self, database):
        return (f"postgresql:///{database}?host={self.primary.directory},{self.replica.directory}&user=linalgd"
                "&target_session_attrs=read-write")

    def sql(self, text, database="postgres"):
        return self.now.sql(text, database)

    def fail_over(self):
        self.primary.stop()
        self.replica.promote()
        self.now = self.replica
