"""case_edge.py - deploy/haproxy.cfg: Debian's HAProxy with a certificate made by openssl, in front of real daemons."""
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import numpy as np

from client import ASYNC, ENDLESS, case, curl, job, until
from daemon import Daemon

CONFIGURATION = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy", "haproxy.cfg")
HAPROXY = shutil.which("haproxy", path="/usr/sbin:/sbin:/usr/bin")


def free_ports(n):
    with contextlib.ExitStack() as all_:
        sockets = [all_.enter_context(socket.socket()) for _ in range(n)]
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in sockets]


class Edge:
    """with Edge(blue, green) as e: HAProxy in front of these daemons; e.url begins with https://."""

    def __init__(self, blue, green=None):
        self.home = tempfile.mkdtemp(prefix="linalgd-edge-")
        self.certificate = os.path.join(self.home, "edge.pem")
        tls, plain, nobody = free_ports(3)
        self.url, self.plain = f"https://localhost:{tls}", f"http://localhost:{plain}"
        self.environment = dict(
            os.environ, LINALGD_EDGE=f"127.0.0.1:{tls}", LINALGD_EDGE_PLAIN=f"127.0.0.1:{plain}",
            LINALGD_EDGE_PEM=self.certificate, LINALGD_EDGE_LOG="stderr", LINALGD_EDGE_CONNECTIONS="200",
            LINALGD_BLUE=f"127.0.0.1:{blue.port}",
            LINALGD_GREEN=f"127.0.0.1:{green.port if green else nobody}")

    def __enter__(self):
        key, certificate = (os.path.join(self.home, name) for name in ("key.pem", "certificate.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        with open(self.certificate, "w") as f:
            f.writelines(open(name).read() for name in (certificate, key))
        self.log = open(os.path.join(self.home, "log"), "w+")
        self.process = subprocess.Popen([HAPROXY, "-db", "-f", CONFIGURATION], env=self.environment,
                                        stdout=self.log, stderr=self.log)
        until("the edge finds a daemon that is ready", self._ready)
        return self

    def _ready(self):
        assert self.process.poll() is None, open(self.log.name).read()
        done = subprocess.run(["curl", "-s", *self.tls(), self.url + "/readyz"], capture_output=True)
        return b"ready" in done.stdout and b"problems" not in done.stdout

    def tls(self):
        return "--cacert", self.certificate

    def curl(self, path, *arguments, body=None):
        return curl(self, path, *self.tls(), *arguments, body=body)

    def post(self, path, document, *arguments):
        return self.curl(path, "-H", "Content-Type: application/json", *arguments, body=json.dumps(document).encode())

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.log.close()
        shutil.rmtree(self.home)


@case()
def the_edge_speaks_http_2_and_checks_tokens(d):
    with tempfile.NamedTemporaryFile("w", suffix=".tokens") as f:
        f.write("secret alice\n")
        f.flush()
        with Daemon(d.binary, "--token-file", f.name) as s, Edge(s) as e:
            for version, asked in ("2", "--http2"), ("1.1", "--http1.1"):
                done = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", asked, *e.tls(),
                                       e.url + "/version"], capture_output=True, text=True, check=True)
                assert done.stdout == f"{version} 401", done.stdout
            r = e.curl("/version", "-H", "Authorization: Bearer secret")
            assert r.json()["name"] == "linalgd" and "strict-transport-security" in r.headers, r.headers
            done = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", e.plain + "/ops"],
                                  capture_output=True, text=True, check=True)
            assert done.stdout.startswith("308 https://localhost"), done.stdout
            assert done.stdout.endswith("/ops"), done.stdout


@case()
def the_page_works_behind_the_edge(d):
    """Its origin is https, its requests come by http: they are the service's own all the same."""
    with Edge(d) as e:
        assert e.curl("/").status == 200
        r = e.post("/det", {"a": [[3]]}, "-H", "Origin: " + e.url)
        assert r.json()["result"]["det"] == 3
        e.post("/det", {"a": [[3]]}, "-H", "Origin: https://elsewhere.example").problem(403)
        assert e.curl("/healthz", "-H", "Host: compute.example").status == 421
    with Daemon(d.binary, "--allow-host", "compute.example") as s, Edge(s) as e:
        assert e.curl("/healthz", "-H", "Host: compute.example").status == 200


@case()
def events_pass_the_edge_as_they_happen(d):
    with Edge(d) as e:
        r = e.post("/jacobi", ENDLESS, *ASYNC)
        assert r.status == 202, r.body
        at = r.headers["location"]
        stream = subprocess.Popen(["curl", "-sN", *e.tls(), e.url + at + "/events"], stdout=subprocess.PIPE, text=True)
        line = next(line for line in stream.stdout if "running" in line)
        assert job(d, at)["status"] == "running", line
        assert e.curl(at, "-X", "DELETE").status == 204
        assert "dismissed" in stream.communicate(timeout=60)[0]


@case()
def large_uploads_pass_the_edge(d):
    with Edge(d) as e:
        ones = np.ones(6 << 20)
        body = ones.tobytes()
        for arguments in (), ("-H", "Expect: 100-continue"):
            r = e.curl(f"/reduce?shape={len(ones)}&dtype=float64", "-H", "Content-Type: application/octet-stream",
                       *arguments, body=body)
            assert r.json()["result"]["value"] == len(ones)
        text = json.dumps({"a": [1] * 1000000}).encode()
        r = e.curl("/reduce", "-H", "Content-Type: application/json", "-H", "Transfer-Encoding: chunked", body=text)
        assert r.json()["result"]["value"] == 1000000
        r = e.curl("/transpose", "-H", "Content-Type: application/json", "-H", "Accept: application/octet-stream",
                   body=b'{"a": {"generate": "ones", "shape": [2000, 2000]}}')
        assert len(r.body) == 2000 * 2000 * 8


def by(s, r):
    """Did that daemon answer?"""
    return curl(s, "/jobs/" + r.headers["linalgd-job"]).status == 200


@case()
def jobs_are_found_at_a_daemon_that_takes_no_more(d):
    with Daemon(d.binary, "--drain-delay", "1000000") as blue, Daemon(d.binary) as green, Edge(blue, green) as e:
        at = e.post("/jacobi", ENDLESS, *ASYNC).headers["location"]
        assert job(blue, at)["status"] in ("accepted", "running")
        blue.process.send_signal(signal.SIGTERM)
        until("the other daemon takes them", lambda: by(green, e.post("/det", {"a": [[2]]}, *ASYNC)))
        assert e.curl(at).json()["id"] == at.rsplit("/", 1)[1]
        assert e.curl(at, "-X", "DELETE").status == 204
        assert e.curl(at).json()["status"] == "dismissed"
        blue.process.send_signal(signal.SIGTERM)
        blue.process.wait(60)


class Clients:
    """Ask through the edge, one request after the other, until the block ends; .answers has their statuses."""

    def __init__(self, edge, n):
        self.edge, self.answers, self.ended = edge, [], threading.Event()
        self.threads = [threading.Thread(target=self._ask) for _ in range(n)]

    def _ask(self):
        while not self.ended.is_set():
            r = self.edge.post("/matmul", {"a": [[2]], "b": [[3]], "timing": "none"})
            self.answers.append(r.status if r.status != 200 else r.json()["result"]["c"][0][0])

    def __enter__(self):
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for t in self.threads:
            t.join()


@case()
def no_request_is_lost_while_one_daemon_takes_the_others_place(d):
    with Daemon(d.binary, "--drain-delay", "4") as blue, Daemon(d.binary) as green, Edge(blue, green) as e:
        with Clients(e, 3) as clients:
            until("requests are answered", lambda: len(clients.answers) > 10)
            assert by(blue, e.post("/det", {"a": [[2]]}))
            assert blue.stop() == 0
            before = len(clients.answers)
            until("more are answered", lambda: len(clients.answers) > before + 10)
            assert by(green, e.post("/det", {"a": [[2]]}))
        assert set(clients.answers) == {6}, set(clients.answers)
