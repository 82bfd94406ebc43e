"""harness.py - a daemon of the test build, one fault at a time, and what must hold after each."""
import collections
import http.client
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import scenarios
from daemon import Daemon
from scenarios import CLOSED, Client, Refused, Wrong
from table import FRONT, KINDS, LOOK, OPENCL, PROCESSES, WORKER, Table

PATIENCE = 30               # seconds until all must be as it was before
REPORT = re.compile(r"Sanitizer|runtime error:|[Aa]ssertion|terminate called")


def children(pid):
    """A daemon's are its workers."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/children") as f:
                found += [int(p) for p in f.read().split()]
        except OSError:
            pass
    return sorted(found)


def descriptors(pid):
    """What is open, by name, but for spare memory, which linalgd_host_memory_bytes accounts for."""
    found = collections.Counter()
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            found[re.sub(r"\d+", "", os.readlink(f"/proc/{pid}/fd/{fd}"))] += 1
        except OSError:
            pass
    del found["/memfd:linalgd-matrix (deleted)"]
    return found


class Harness:
    """with Harness(build) as h: h.point(...). One daemon, which is started again when it died."""

    def __init__(self, build, layer=False):
        self.binary = os.path.join(os.path.abspath(build), "faulty", "linalgd")
        self.layer = os.path.join(os.path.abspath(build), "faulty", "cl_layer.so") if layer else None
        self.home = tempfile.mkdtemp(prefix="linalgd-faults-")
        self.table = Table(os.path.join(self.home, "table"), self.binary)
        self.tried = 0                          # calls that failed
        self.outcomes = collections.Counter()
        self.closed = collections.Counter()     # where a connection was closed without an answer
        self.failures = collections.Counter()
        self.daemon = None

    def __enter__(self):
        self.begin()
        return self

    def __exit__(self, *_):
        self.finish()
        shutil.rmtree(self.home, ignore_errors=True)

    def begin(self):
        """Starts the daemon that the faults are for."""
        self.daemon, path = self.new()
        self.daemon.__enter__()
        self.daemon.path = path
        self.before, self.read = None, 0

    def new(self):
        """A daemon that does not run yet, and its Unix socket."""
        tokens = os.path.join(self.home, "tokens")
        with open(tokens, "w") as f:
            f.write(scenarios.TOKEN + " test scopes=read,run,admin\n")
        path = os.path.join(self.home, "socket")
        env = {"LINALGD_FAULTS": self.table.path}
        if self.layer:
            env["OPENCL_LAYERS"] = self.layer
        return Daemon(self.binary, "--compile-ahead", "on", "--token-file", tokens, "--listen", "unix:" + path, env=env), path

    def finish(self):
        if not self.daemon:
            return
        try:
            status = self.daemon.stop(60)
            if status != 0:
                self.fail("the end", f"the daemon ended with {status}: {self.daemon.log()[-3000:]}")
        finally:
            self.daemon.__exit__(None, None, None)
            self.daemon = None

    def fail(self, where, what):
        self.failures[f"{where}: {what}"] += 1
        if self.failures[f"{where}: {what}"] == 1:
            print(f"  wrong: {where}: {what}", flush=True)

    # --- what must hold

    def ask(self, method, target, expected=(200,), body=None):
        """A request of the harness itself, on a connection of its own."""
        return Client(self.daemon).say(method, target, body, expected)[1]

    def used(self):
        return float(re.search(rb'linalgd_host_memory_bytes\{state="used"\} (\S+)', self.ask("GET", "/metrics")).group(1))

    def clean(self):
        for name, key in (("jobs", "id"), ("matrices", "name"), ("pipelines", "name")):
            for one in json.loads(self.ask("GET", f"/{name}" + ("?limit=1000" if name == "jobs" else "")))[name]:
                self.ask("DELETE", f"/{name}/{one[key]}", (204, 404))

    def right(self):
        answer = json.loads(self.ask("POST", "/matmul", body={"a": [[1, 2], [3, 4]], "b": [[1], [1]]}))
        return answer["result"]["c"] == [[3], [7]]

    def state(self):
        """What is in use when nothing happens."""
        self.clean()
        return self.used(), descriptors(self.daemon.process.pid), children(self.daemon.process.pid)

    def news(self):
        """What the daemon has logged since the last call."""
        with open(self.daemon.log_path, "rb") as f:
            f.seek(self.read)
            new = f.read()
        self.read += len(new)
        return new.decode(errors="replace")

    def settled(self, before, may_replace):
        """None, or how the daemon differs from before a while after the fault. A worker that is replaced may have other descriptors for a moment."""
        end, wrong = time.monotonic() + PATIENCE, "nothing"
        while time.monotonic() < end:
            if self.daemon.process.poll() is not None:
                return "the daemon died"
            try:
                self.ask("GET", "/readyz")      # until the journal has found out that the disk writes
                used, files, workers = self.state()
                if files != before[1]:
                    time.sleep(0.02)        # the connection of the last request is being closed
                    files = descriptors(self.daemon.process.pid)
                if not may_replace and workers != before[2]:
                    return "a worker died"
                wrong = (f"memory used {used}, was {before[0]}" if used != before[0] else
                         f"descriptors {files - before[1]} more, {before[1] - files} less" if files != before[1] else
                         f"workers {workers}" if len(workers) != len(before[2]) else
                         "the next job is wrong" if not self.right() else None)
            except (Refused, Wrong, *CLOSED, OSError) as e:
                wrong = f"the next request: {type(e).__name__} {e}"
            if wrong is None:
                self.before = used, files, workers
                return None
            time.sleep(0.02)
        return f"after {PATIENCE} s {wrong}"

    # --- one point

    def play(self, name):
        c = Client(self.daemon)
        try:
            scenarios.SCENARIOS[name](c)
        except Refused:
            pass
        return c.said

    def count(self, name, process, kind):
        """The calls of that kind that the scenario makes; run twice, as the first may compile or fill caches."""
        for _ in range(2):
            self.table.begin(process, kind)
            said = self.play(name)
            calls, _ = self.table.end(process, kind)
            self.clean()
            if said is not None:
                raise Wrong(f"{name} without a fault: {said}")
        return calls

    def point(self, name, process, kind, n, code, allowed, may_replace=False):
        """Fails that call once while the scenario runs."""
        before = self.before or self.state()
        self.news()
        self.table.begin(process, kind, n, code)
        wrong, said = None, None
        try:
            said = self.play(name)
        except (Wrong, OSError, ValueError, LookupError, TypeError) as e:
            wrong = f"{type(e).__name__}: {e}"
        _, failed = self.table.end(process, kind)
        where = f"{name}, {PROCESSES[process]}, {KINDS[kind]} {code}" + (f" at {self.table.where(process, kind)}" if failed else "")
        self.tried += failed
        self.outcomes["not reached" if not failed else "success" if said is None else "closed" if said == "closed" else said[0]] += 1
        if said == "closed":
            self.closed[where.split(" at ")[-1]] += 1
        elif said and said[0] not in allowed:
            wrong = wrong or f"{said[0]} {said[1][:300]}"
        if said and not failed:
            wrong = wrong or f"no call failed, and yet {said}"
        wrong = wrong or self.settled(before, may_replace)
        news = self.news()
        reports = [line for line in news.splitlines() if REPORT.search(line)]
        if reports and not wrong:
            wrong = "a report: " + reports[0]
        if wrong:
            self.fail(where, wrong + self.tale(news, reports))
            self.before = None
        if self.daemon.process.poll() is not None or wrong and "after" in wrong:
            self.again()
        elif wrong:
            self.daemon._ready()
        return failed

    # --- workers that are replaced, and the start of the service

    def ready(self, old):
        """Waits until the worker is another one than before and computes; None, or what is wrong."""
        end = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < end:
            if self.daemon.process.poll() is not None:
                return "the daemon died"
            try:
                if set(children(self.daemon.process.pid)) - set(old) and self.right():
                    return None
            except (Refused, *CLOSED, OSError):
                pass
            time.sleep(0.02)
        return f"no worker was ready within {2 * PATIENCE} s"

    def replace(self, process, kind, n, code):
        """Kills the worker; while another starts, that call fails. Returns the number of calls."""
        before, old = self.before or self.state(), children(self.daemon.process.pid)
        self.news()
        self.table.begin(process, kind, n, code)
        for pid in old:
            os.kill(pid, signal.SIGKILL)
        wrong = self.ready(old)
        calls, failed = self.table.end(process, kind)
        where = f"a worker is replaced, {PROCESSES[process]}, {KINDS[kind]} {code}" + (f" at {self.table.where(process, kind)}" if failed else "")
        self.tried += failed
        self.outcomes["replaced" if failed else "not reached"] += 1
        if not wrong:
            before = before[0], before[1], children(self.daemon.process.pid)
            wrong = self.settled(before, True)
        self.judge_log(where, wrong)
        return calls

    def judge_log(self, where, wrong):
        news = self.news()
        reports = [line for line in news.splitlines() if REPORT.search(line)]
        wrong = wrong or reports and "a report: " + reports[0]
        if wrong:
            self.fail(where, wrong + self.tale(news, reports))
            self.before = None
        if self.daemon.process.poll() is not None or wrong and "ready within" in wrong:
            self.again()

    def start(self, process, kind, n, code):
        """Starts a daemon, in which that call fails: it gets ready, or ends with an error that it tells. Returns the number of calls."""
        self.table.begin(process, kind, n, code)
        (daemon, _), wrong = self.new(), None
        try:
            daemon.__enter__()
        except SystemExit as e:
            status = daemon.process.wait()
            wrong = None if status > 0 and re.search(r"\S", daemon.log()) else f"ended with {status}: {e}"
            wrong = wrong if status != 0 and not REPORT.search(daemon.log()) else f"{status}: {daemon.log()[-3000:]}"
        calls, failed = self.table.end(process, kind)
        self.outcomes["not reached" if not failed else "began" if daemon.process.poll() is None else "ended"] += 1
        self.tried += failed
        if daemon.process.poll() is None:
            daemon.__exit__(None, None, None)
            log = daemon.process.returncode != 0 and f"ended with {daemon.process.returncode}"
            wrong = wrong or log
        else:
            daemon.cache_lock.close()
            shutil.rmtree(daemon.state, ignore_errors=True)
        if wrong:
            self.fail(f"start, {PROCESSES[process]}, {KINDS[kind]} {code} at {self.table.where(process, kind)}", wrong)
        return calls

    def opencl_point(self, name, n, code):
        """As point(), and the objects of OpenCL are as many as before, unless the worker was replaced."""
        if not self.warm:
            self.count(name, WORKER, OPENCL)
            self.warm = True
        workers, living = children(self.daemon.process.pid), self.table.living()
        self.point(name, WORKER, OPENCL, n, code, (500, 503), True)
        if children(self.daemon.process.pid) != workers:
            self.replacements += 1
            self.before, self.warm = None, False
            return
        self.count(name, WORKER, OPENCL)
        if self.leaked_objects(living):
            self.fail(f"{name}, OpenCL {code} at {self.table.where(WORKER, OPENCL)}", f"objects {living}, then {self.table.living()}")

    replacements, warm = 0, False

    def leaked_objects(self, before):
        """Of contexts, queues, buffers and events more live than before; of buffers only if no other kernels are in use, which may keep some."""
        now = self.table.living()
        kinds = (0, 1, 2, 5) if now[3:5] == before[3:5] else (0, 1, 5)
        return [i for i in kinds if now[i] > before[i]]

    def tale(self, news, reports):
        """Of a report of a sanitizer its stack, else the end of the log."""
        at = news.find(reports[0]) if reports else max(0, len(news) - 600)
        return "\n    " + "\n    ".join(news[at:at + 3000].splitlines()[:24]) if news else ""

    before = None

    def again(self):
        self.before = None
        self.daemon.process.kill() if self.daemon.process.poll() is None else None
        self.daemon.process.wait()
        self.daemon.__exit__(None, None, None)
        self.begin()

    def look_for_leaks(self, process, where):
        """Asks that process to look; it does so at its next allocation. Only the first report of an allocation counts."""
        word = self.table
        self.news()
        word.put(LOOK + 1, 0)
        word.put(LOOK, process + 1)
        end = time.monotonic() + 60
        while word.get(LOOK + 1) == 0 and time.monotonic() < end:
            self.right()
        leaks, news = word.get(LOOK + 1), self.news()
        if leaks == 0:
            self.fail(where, "did not look for leaks")
        for part in re.split(r"\n(?=\S* ?leak of|Direct leak|Indirect leak)", news):
            if "irect leak of" not in part:
                continue
            stack = re.findall(r"in (\w+) \S*?/src/(\S+)", part)
            self.leaked(where, " < ".join(f"{f} {at}" for f, at in stack[:6]) or part[:600])

    known_leaks = None

    def leaked(self, where, stack):
        self.known_leaks = self.known_leaks or set()
        if stack not in self.known_leaks:
            self.known_leaks.add(stack)
            self.fail(where, "leaks: " + stack)
