"""case_process.py - the program itself: its command line, systemd's protocols, how it starts and stops."""
import json
import os
import re
import signal
import socket
import stat
import subprocess
import tempfile
import threading

from client import case, curl, post, receive, send, state, until, workers
from daemon import Daemon


def linalgd(d, *arguments, **environment):
    return subprocess.run([d.binary, *arguments], capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, **environment))


def refused(d, word, *arguments, **environment):
    done = linalgd(d, *arguments, **environment)
    assert done.returncode == 2 and word in done.stderr and not done.stdout, done


COMMANDS = ("serve", "config", "devices", "ops", "kernels", "call", "bench", "tune", "check", "worker")


@case()
def config_prints_a_file_with_which_serve_has_the_same_settings(d):
    with tempfile.TemporaryDirectory() as where:
        path = os.path.join(where, "linalgd.conf")
        first = linalgd(d, "config", "--queue-limit", "7", "--device", "cpu,0", "--cache", where + "/cache",
                        LINALGD_MAX_BODY="64M", LINALGD_TOKEN="secret", LINALGD_QUEUE_LIMTI="1")
        assert first.returncode == 0, first
        assert "queue-limit = 7  ; command line\n" in first.stdout, first.stdout
        assert "max-body = 64M  ; environment, LINALGD_MAX_BODY\n" in first.stdout, first.stdout
        assert "secret" not in first.stdout, first.stdout
        assert "LINALGD_QUEUE_LIMTI" in first.stderr and "LINALGD_QUEUE_LIMIT?" in first.stderr, first.stderr
        assert not os.path.exists(where + "/cache"), "config only prints"
        with open(path, "w") as f:
            f.write(first.stdout)
        second = linalgd(d, "config", "--config", path)
        values = [[line.split("  ;")[0] for line in done.stdout.splitlines() if line[0] != "#"]
                  for done in (first, second)]
        assert values[0] == values[1], values
        assert "queue-limit = 7  ; configuration file\n" in second.stdout, second.stdout
        refused(d, path + ":1: lisen: no such setting; did you mean listen?", "serve", "--config", broken(path))


def broken(path):
    with open(path, "w") as f:
        f.write("lisen = 127.0.0.1:0\n")
    return path


@case()
def serve_takes_its_settings_from_a_configuration_file(d):
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as f:
        f.write("# one request of up to 1 KiB\nmax-body = 1K\n")
        f.flush()
        with Daemon(d.binary, "--config", f.name) as other:
            assert post(other, "/matmul", {"a": [[1.0] * 300], "b": [[1.0]] * 300}).status == 413


@case()
def wrong_options_are_refused_alike_by_every_command(d):
    for command in COMMANDS:
        done = linalgd(d, command, "--nosuch", "1")
        assert done.returncode == 2 and not done.stdout, (command, done)
        assert done.stderr.startswith("linalgd: ") and "--nosuch" in done.stderr, (command, done)
        assert done.stderr.count("\n") == 1, (command, done)
        if command != "worker":
            for flag in ("-h", "--help"):
                done = linalgd(d, command, flag)
                assert done.returncode == 0 and done.stdout.startswith("usage: linalgd ") and not done.stderr, done
            for flag in ("-V", "--version"):
                done = linalgd(d, command, flag)
                assert done.returncode == 0 and done.stdout.startswith("linalgd 0."), (command, done)
    for command in ("bench", "tune", "check"):
        refused(d, "nosuch", command, "--device", "nosuch")
    refused(d, "did you mean eigen?", "check", "--op", "egien")
    refused(d, "did you mean --listen?", "--lisen", "127.0.0.1:0")
    refused(d, "did you mean json?", "--log-format", "jsn")
    refused(d, "LINALGD_LOG_FORMAT", LINALGD_LOG_FORMAT="jsn")


@case()
def unknown_commands_are_told_the_nearest(d):
    refused(d, "did you mean serve? linalgd help", "serv")
    refused(d, "did you mean devices?", "help", "device")
    refused(d, "linalgd help lists them", "frobnicate")
    assert linalgd(d, "help", "serve").stdout == linalgd(d, "serve", "--help").stdout
    assert linalgd(d, "-h").stdout == linalgd(d, "help").stdout == linalgd(d, "--help").stdout
    for words in (("help",), ("version", "--help"), ("help", "version")):
        assert "serve" in linalgd(d, *words).stdout, words


@case()
def a_port_replaces_that_of_the_address(d):
    with Daemon(d.binary, "-p", "0", "--listen", "127.0.0.1:1") as s:
        assert s.port > 1 and curl(s, "/healthz").status == 200
    refused(d, "--port", "-p", "70000")
    refused(d, "--token-file", "-p", "0", "--listen", "0.0.0.0:8080")


@case()
def wrong_options_are_refused_with_their_name(d):
    refused(d, "--nosuch", "serve", "--nosuch", "1")
    refused(d, "--queue-limit", "--queue-limit", "many")
    refused(d, "--max-body", LINALGD_MAX_BODY="12X")
    refused(d, "--log-format", "serve", "--log-format", "xml")
    refused(d, "needs a value", "serve", "--listen")
    refused(d, "nosuch", "nosuch")
    refused(d, "extra", "version", "extra")
    for place in ("127.0.0.1:99999", "127.0.0.1:x", "[::1]:65536", "127.0.0.1:0,127.0.0.1:-1", "127.0.0.1:"):
        refused(d, "must be ADDRESS:PORT", "serve", "--listen", place)


@case()
def an_unknown_device_ends_it_with_the_list_of_devices(d):
    done = linalgd(d, "serve", "--listen", "127.0.0.1:0", "--device", "nosuch")
    assert done.returncode == 2 and "nosuch" in done.stderr and "0 (" in done.stderr, done


@case()
def beyond_the_loopback_it_wants_tokens(d):
    refused(d, "--token-file", "serve", "--listen", "0.0.0.0:0")
    refused(d, "--token-file", "--listen", "[::]:0")


def activated(d, listener, *arguments, run=subprocess.run, **more):
    """The daemon with that listening socket passed to it, as systemd does it."""
    command = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve --device cpu "$@"'
    return run(["sh", "-c", command, d.binary, *arguments], pass_fds=(3,),
               preexec_fn=lambda: os.dup2(listener.fileno(), 3), **more)


@case()
def a_socket_beyond_the_loopback_wants_tokens_whoever_opened_it(d):
    for address, family in (("0.0.0.0", socket.AF_INET), ("::", socket.AF_INET6)):
        with socket.create_server((address, 0), family=family) as listener:
            done = activated(d, listener, capture_output=True, text=True, timeout=300)
            assert done.returncode == 2 and "handed in" in done.stderr and "LINALGD_TOKEN" in done.stderr, done
            done = activated(d, listener, "--token-file", "/nowhere/tokens", capture_output=True, text=True,
                             timeout=300)                   # a longer wait is a failure
            assert done.returncode == 1 and "/nowhere/tokens" in done.stderr, done


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
def output_that_cannot_be_written_is_an_error(d):
    for arguments in (("config",), ("help",), ("--version",), ("serve", "--help"), ("ops",), ("kernels", "--json"), ("bench", "--help"), ("call", "--help")):
        with open("/dev/full", "w") as full:
            done = subprocess.run([d.binary, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
        assert done.returncode == 1 and "standard output: " in done.stderr, (arguments, done)
    assert subprocess.run(f"exec '{d.binary}' ops --nope >&-", shell=True, stderr=subprocess.DEVNULL).returncode == 2


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
    assert all({"time", "level", "message"} <= set(line) for line in lines), lines
    ready = [line for line in lines if "is ready after" in line["message"]]
    assert len(ready) == 1 and ready[0]["device"] == 0 and ready[0]["worker"] > 1 and ready[0]["seconds"] > 0, ready
    listening = [line for line in lines if line["message"].startswith("listening")]
    assert listening[0]["address"] == "127.0.0.1" and listening[0]["port"] == j.port, listening


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
def a_socket_is_taken_over_from_systemd_and_loses_no_connection(d):
    """As with deploy/linalgd.socket: a client that connects while the service is down is served by the next one."""
    with socket.create_server(("127.0.0.1", 0)) as listener, tempfile.TemporaryFile() as log:
        s = type("Activated", (), {"port": listener.getsockname()[1],
                                   "url": f"http://127.0.0.1:{listener.getsockname()[1]}"})
        waiting = send(s, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        for _ in range(2):
            process = activated(d, listener, run=subprocess.Popen, stdout=log, stderr=log)
            try:
                assert b" 200 OK" in receive(waiting)
                until("it is ready", lambda: curl(s, "/readyz").status == 200)
                assert post(s, "/transpose", {"a": [[1, 2]]}).json()["result"]["a"] == [[1], [2]]
            finally:
                process.terminate()
                assert process.wait(120) == 0
            waiting = send(s, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")


def setting(unit, name):
    """The value of NAME= in a unit of deploy/."""
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "deploy", unit)) as f:
        return [line.split("=", 1)[1].strip() for line in f if line.startswith(name + "=")]


@case()
def the_units_agree_with_each_other_and_the_daemon(d):
    listen = linalgd(d, "serve", "--help").stdout.split("--listen", 1)[1].split("(default ", 1)[1].split(")")[0]
    assert setting("linalgd.socket", "ListenStream") == [listen]
    drain = re.search(r"--drain-seconds SECONDS.*?\(default (\d+)\)", linalgd(d, "serve", "--help").stdout, re.S)
    assert float(setting("linalgd.service", "TimeoutStopSec")[0]) > float(drain[1]) + 5     # 5 is the sample's drain-delay


@case()
def no_worker_outlives_the_front(d):
    with Daemon(d.binary) as s:
        pids = workers(s)
        assert pids
        s.process.kill()
        s.process.wait()
        until("they are gone", lambda: all(state(p) == "Z" for p in pids))


@case()
def a_stopped_worker_is_replaced_and_its_job_is_answered(d):
    with Daemon(d.binary) as s:
        before = workers(s)
        for pid in before:
            os.kill(pid, signal.SIGSTOP)
        until("it is not ready", lambda: curl(s, "/readyz").status == 503)
        assert not any(x["healthy"] for x in curl(s, "/devices").json()["devices"])
        r = post(s, "/lu", {"a": [[0, 2], [1, 0]]})
        assert r.status == 200 and r.json()["result"]["sign"] == -1, r.body
        assert not set(before) & set(workers(s)) and curl(s, "/readyz").status == 200
        until("the stopped ones are gone", lambda: all(state(p) == "Z" for p in before))
