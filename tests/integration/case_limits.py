"""case_limits.py - clients that announce too much, are slow, break off in the middle, or are too many."""
import io
import json
import os
import subprocess

import numpy as np

from client import File, Reply, case, curl, head, post, receive, send, take, until
from daemon import Daemon

MIB = 1 << 20


def put_head(name, n):
    """A request of n float64 as raw octets."""
    return (f"PUT /matrices/{name}?shape={n}&dtype=float64 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Content-Type: application/octet-stream\r\nContent-Length: {8 * n}\r\n\r\n").encode()


def npy_head(name, n):
    """The same as int8 in an npy file, which becomes float64; the file's head comes with the request."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "|i1", "fortran_order": False, "shape": (n,)})
    return (f"PUT /matrices/{name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-npy\r\n"
            f"Content-Length: {n + len(file.getvalue())}\r\n\r\n").encode() + file.getvalue()


def npz_head(n):
    return (f"PUT /matrices/promise HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-npz\r\n"
            f"Content-Length: {n}\r\n\r\n").encode()


def reply(out):
    at, _, body = out.partition(b"\r\n\r\n")
    return Reply(at, body)


@case("--host-memory", "64M")
def a_promise_holds_no_memory(d):
    promises = [put_head("promise", 6 * MIB), npy_head("promise", 6 * MIB), npz_head(48 * MIB)]
    slow = [send(d, p + b"x" * 100_000) for p in promises]
    r = curl(d, f"/matrices/real?shape={6 * MIB}&dtype=float64", "-X", "PUT", "-H", "Content-Type: application/octet-stream",
             body=bytes(48 * MIB))
    assert r.status == 201, r.body
    assert curl(d, "/matrices/real", "-X", "DELETE").status == 204
    for s in slow:
        s.close()


@case("--host-memory", "64M")
def what_can_never_fit_is_refused_from_its_head(d):
    out = receive(send(d, put_head("large", 9 * MIB)))
    reply(out).problem(413, str(64 * MIB))


@case("--host-memory", "64M")
def of_two_uploads_that_do_not_fit_one_goes_on(d):
    """Both send in turns until one of them is refused for lack of memory; the other then completes."""
    n, piece = 5 * MIB, bytes(MIB)
    uploads = [send(d, put_head(f"half{i}", n)) for i in range(2)]
    for _ in range(8 * n // MIB):
        for s in uploads:
            try:
                s.sendall(piece)
            except ConnectionError:
                pass
    replies = sorted((reply(receive(s)) for s in uploads), key=lambda r: r.status)
    assert [r.status for r in replies] == [201, 503], [r.body for r in replies]
    assert int(replies[1].headers["retry-after"]) >= 1
    replies[1].problem(503, "left")
    for i in range(2):
        curl(d, f"/matrices/half{i}", "-X", "DELETE")


@case("--host-memory", "64M")
def memory_is_given_back_by_whoever_leaves(d):
    for _ in range(5):
        s = send(d, put_head("leaver", 6 * MIB) + bytes(40 * MIB))
        s.close()
    def fits():
        return curl(d, f"/matrices/all?shape={7 * MIB}&dtype=float64", "-X", "PUT", "-H",
                    "Content-Type: application/octet-stream", body=bytes(56 * MIB)).status in (201, 204)
    until("all of it is free", fits)
    curl(d, "/matrices/all", "-X", "DELETE")


HASTY = ("--transfer-seconds", "0.5")


@case(*HASTY)
def a_body_that_dawdles_is_told_408(d):
    reply(receive(send(d, put_head("slow", 1000) + b"x" * 100))).problem(408, "100 bytes of the body")
    reply(receive(send(d, b"GET /healthz HTTP/1.1\r\nHost:"))).problem(408, "head")


@case(*HASTY, "--host-memory", "96M")
def a_reader_that_dawdles_is_cut(d):
    """In every format of a large result: others can use its 32 MiB while the client still does not read."""
    body = json.dumps({"a": {"generate": "random", "shape": [2048, 2048]}}).encode()
    for kind in ("json", "octet-stream", "x-npy", "x-npz", "x-matrix-market"):
        s = send(d, f"POST /transpose HTTP/1.1\r\nHost: localhost\r\nAccept: application/{kind}\r\n"
                 f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        assert head(s).startswith(b"HTTP/1.1 200"), kind
        until(f"the memory of {kind} is given back", lambda: curl(
            d, f"/matrices/all?shape={10 * MIB}&dtype=float64", "-X", "PUT", "-H", "Content-Type: application/octet-stream",
            "-H", "Expect: 100-continue", body=bytes(80 * MIB)).status == 201)
        s.close()
        assert curl(d, "/matrices/all", "-X", "DELETE").status == 204


def ragged(megabytes):
    """A JSON body whose second row is wrong, followed by as much again."""
    row = b"[1,2,3],"
    return b'{"a":[[1,2],' + row * (megabytes * 1_000_000 // len(row)) + b"[1,2,3]]}"


def upload(d, path, *arguments):
    """Uploads a file; returns the status, curl's exit status and the answer."""
    with open(os.devnull, "rb") as nothing:
        done = subprocess.run(["curl", "-s", "-w", "\n%{http_code}", "--max-time", "300", "-H", "Content-Type: application/json",
                               *arguments, d.url + path], stdin=nothing, capture_output=True)
    text, _, status = done.stdout.rpartition(b"\n")
    return int(status), done.returncode, text


@case()
def an_error_in_the_middle_of_a_body_reaches_curl(d):
    with File(ragged(6)) as six, File(ragged(600)) as many:
        for file, times in ((six, 25), (many, 3)):
            for how in (["--data-binary", f"@{file}"], ["-H", "Expect:", "--data-binary", f"@{file}"],
                        ["-H", "Expect: 100-continue", "--data-binary", f"@{file}"], ["-X", "POST", "-T", str(file)]):
                for _ in range(times):
                    status, code, text = upload(d, "/lu", *how)
                    assert (status, code) == (400, 0), (status, code, how)
                    assert "row 2 has 3 numbers" in json.loads(text)["detail"], text
    assert curl(d, "/healthz").status == 200


@case()
def a_client_that_reads_only_when_all_is_sent_gets_the_error(d):
    body = ragged(60)
    s = send(d, b"POST /lu HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             b"Content-Length: %d\r\n\r\n" % len(body) + body)
    r = reply(receive(s))
    assert r.headers["connection"] == "close" and len(r.body) == int(r.headers["content-length"]), r.headers
    r.problem(400, "row 2")


@case()
def a_short_rest_keeps_the_connection(d):
    bad, good = b'{"a":[[1,2],[3]],"b":' + b" " * 10_000 + b"0}", b'{"a":[[1]]}'
    at = "POST /lu HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
    s = send(d, f"{at}{len(bad)}\r\n\r\n".encode() + bad + f"{at}{len(good)}\r\n\r\n".encode() + good)
    for status in (400, 200):
        r = Reply(head(s), b"")
        r.body = take(s, b"", int(r.headers["content-length"]))
        assert r.status == status, r.body
    s.close()


@case()
def silent_connections_do_not_lock_others_out(d):
    """More connections than the daemon has descriptors for; /healthz is answered all the time."""
    command = f'ulimit -n 400; exec "{os.path.abspath(d.binary)}" "$@"'
    script = os.path.join(d.state, "few-descriptors")
    with open(script, "w") as f:
        f.write("#!/bin/sh\n" + command + "\n")
    os.chmod(script, 0o755)
    with Daemon(script) as few:
        silent = []
        for i in range(500):
            silent.append(send(few, (b"", b"GET /hea", put_head("x", 1000))[i % 3]))
            if i % 50 == 49:
                assert curl(few, "/healthz", "-m", "20").status == 200, i
        assert post(few, "/lu", {"a": [[1]]}).status == 200
        for s in silent:
            s.close()


@case()
def a_log_that_nobody_reads_stops_nothing(d):
    """The log goes to a pipe that is full already."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    process = subprocess.Popen([d.binary, "serve", "--listen", "127.0.0.1:0", "--device", "cpu", "--cache", d.cache],
                               stdout=subprocess.DEVNULL, stderr=writing)
    try:
        port = until("it listens", lambda: listens(process.pid))
        s = type("Mute", (), {"url": f"http://127.0.0.1:{port}"})
        assert curl(s, "/healthz").status == 200
    finally:
        process.kill()
        process.wait()
        os.close(reading)
        os.close(writing)


def listens(pid):
    """The port of the process's listening socket, as the kernel reports it."""
    sockets = set()
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            sockets.add(os.readlink(f"/proc/{pid}/fd/{fd}"))
        except OSError:
            pass
    with open(f"/proc/{pid}/net/tcp") as f:
        for line in f.readlines()[1:]:
            field = line.split()
            if field[3] == "0A" and f"socket:[{field[9]}]" in sockets:
                return int(field[1].split(":")[1], 16)
    return None
