"""case_process.py - the program itself: its command line, systemd's protocols, how it starts and stops."""
import json
import os
import signal
import socket
import stat
import subprocess
import tempfile
import threading

from client import ENDLESS, case, curl, jobs, post, state, until, workers
from daemon import Daemon


def linalgd(d, *arguments, **environment):
    return subprocess.run([d.binary, *arguments], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, **environment))


def refused(d, word, *arguments, **environment):
    done = linalgd(d, *arguments, **environment)
    assert done.returncode == 2 and word in done.stderr and not done.stdout, done


@case()
def wrong_options_are_refused_with_their_name(d):
    refused(d, "--nosuch", "serve", "--nosuch", "1")
    refused(d, "--queue-limit", "--queue-limit", "many")
    refused(d, "--max-body", LINALGD_MAX_BODY="12X")
    refused(d, "--log-format", "serve", "--log-format", "xml")
    refused(d, "needs a value", "serve", "--listen")
    refused(d, "nosuch", "nosuch")


@case()
def an_unknown_device_ends_it_with_the_list_of_devices(d):
    done = linalgd(d, "serve", "--listen", "127.0.0.1:0", "--device", "nosuch")
    assert done.returncode == 1 and "nosuch" in done.stderr and "0 (" in done.stderr, done


@case()
def beyond_the_loopback_it_wants_tokens(d):
    refused(d, "--token-file", "serve", "--listen", "0.0.0.0:0")
    refused(d, "--token-file", "--listen", "[::]:0")


@case()
def a_port_in_use_ends_it(d):
    done = linalgd(d, "serve", "--device", "cpu", "--listen", f"127.0.0.1:{d.port}")
    assert done.returncode == 1 and str(d.port) in done.stderr, done


@case()
def help_and_version_are_told(d):
    assert linalgd(d, "--version").stdout.startswith("linalgd 0.")
    assert "serve" in linalgd(d, "help").stdout
    for flag in ("--listen", "LINALGD_TOKEN_FILE", "--drain-seconds"):
        assert flag in linalgd(d, "serve", "--help").stdout, flag


@case()
def the_sheets_are_the_same_on_the_command_line(d):
    for sheet in ("ops", "devices", "kernels"):
        cache = ["--cache", d.cache] if sheet == "devices" else []
        here, there = json.loads(linalgd(d, sheet, "--json", *cache).stdout), curl(d, "/" + sheet).json()
        if sheet == "ops":
            assert here == there
        else:
            assert here[sheet][0].keys() == there[sheet][0].keys()
        text = linalgd(d, sheet).stdout
        assert there["ops"][0]["summary"] in text if sheet == "ops" else text


@case()
def the_front_is_small_and_its_limits_are_high(d):
    with open(f"/proc/{d.process.pid}/limits") as f:
        soft, hard = [line.split()[3:5] for line in f if line.startswith("Max open files")][0]
    assert soft == hard, (soft, hard)
    with Daemon(d.binary) as idle, open(f"/proc/{idle.process.pid}/status") as f:
        rss = [int(line.split()[1]) for line in f if line.startswith("VmRSS")][0]
    assert rss <= 15 * 1024, f"{rss} KiB"


@case()
def the_state_and_the_cache_are_made_for_this_user_alone(d):
    with tempfile.TemporaryDirectory() as t:
        state, cache = os.path.join(t, "a", "state"), os.path.join(t, "b", "cache")
        with Daemon(d.binary, "--state", state, "--cache", cache):
            for path in (state, cache):
                assert stat.S_IMODE(os.stat(path).st_mode) == 0o700, path
            assert os.listdir(cache)


@case()
def the_log_can_be_json(d):
    with Daemon(d.binary, "--log-format", "json") as j:
        assert j.stop() == 0
        lines = [json.loads(line) for line in j.log().splitlines()]
    assert all(set(line) == {"time", "level", "message"} for line in lines), lines


class Manager:
    """systemd's end of NOTIFY_SOCKET."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.directory.name, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.told = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            self.told.append(self.socket.recv(4096).decode())

    def wait(self, state, times=1):
        until(f"{state} is told", lambda: self.told.count(state) >= times)


@case()
def systemd_is_told_when_it_is_ready_alive_and_stopping(d):
    m = Manager()               # its socket holds ten messages, what comes beyond is dropped: one each 2 s
    with Daemon(d.binary, env={"NOTIFY_SOCKET": m.path, "WATCHDOG_USEC": "4000000"}) as s:
        m.wait("READY=1")
        assert curl(s, "/readyz").status == 200
        m.wait("WATCHDOG=1", 2)
        assert s.stop() == 0
        m.wait("STOPPING=1")


@case()
def a_socket_is_taken_over_from_systemd(d):
    with socket.create_server(("127.0.0.1", 0)) as listener, tempfile.TemporaryFile() as log:
        command = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve --device cpu'
        process = subprocess.Popen(["sh", "-c", command, d.binary], stdout=log, stderr=log,
                                   pass_fds=(3,), preexec_fn=lambda: os.dup2(listener.fileno(), 3))
        s = type("Activated", (), {"url": f"http://127.0.0.1:{listener.getsockname()[1]}"})
        try:
            until("it is ready", lambda: curl(s, "/readyz").status == 200)
            assert post(s, "/transpose", {"a": [[1, 2]]}).json()["result"]["a"] == [[1], [2]]
        finally:
            process.terminate()
            assert process.wait(120) == 0


def client_of(d):
    """A client that waits for what never ends."""
    client = subprocess.Popen(["curl", "-s", "-o", "/dev/null", d.url + "/jacobi", "-d", json.dumps(ENDLESS),
                               "-H", "Content-Type: application/json"])
    until("its job runs", lambda: jobs(d, "running"))
    return client


@case()
def a_second_signal_ends_it_at_once(d):
    with Daemon(d.binary, "--drain-seconds", "1000000") as s:
        client = client_of(s)
        s.process.send_signal(signal.SIGTERM)
        until("it says so", lambda: "finishing" in s.log())
        s.process.send_signal(signal.SIGINT)
        assert s.process.wait(120) == 0
        client.wait(120)


@case()
def what_takes_too_long_does_not_hold_its_end_up(d):
    with Daemon(d.binary, "--drain-seconds", "0.1") as s:
        client = client_of(s)
        assert s.stop() == 0
        client.wait(120)


@case()
def no_worker_outlives_the_front(d):
    with Daemon(d.binary) as s:
        pids = workers(s)
        assert pids
        s.process.kill()
        s.process.wait()
        until("they are gone", lambda: all(state(p) == "Z" for p in pids))
