"""case_broken.py - connections that break off at every byte of a request, or in the middle of an upload or an answer.

Afterwards the daemon holds what it held before: no memory, no job, no stored
matrix, no socket more.
"""
import gzip
import io
import json
import re
import socket
import struct
import time

import numpy as np

from accounts import at_rest, returns_to
from client import ENDLESS, Reply, case, compile_endless, curl, head, jobs, post, receive, until

MATRIX = np.array([[1.5, -2.25, 3], [4, 5e-3, 6]])
DOCUMENT = json.dumps({"a": MATRIX.tolist()}).encode()
FORM = (b"--cut\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n"
        b"[[1.5,-2.25,3],[4,5e-3,6]]\r\n"
        b"--cut\r\nContent-Disposition: form-data; name=\"timing\"\r\n\r\nnone\r\n--cut--\r\n")
MIB = 1 << 20


def npy(a):
    file = io.BytesIO()
    np.save(file, a)
    return file.getvalue()


def request(method, path, body, *lines):
    return "\r\n".join((f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", "")).encode() + body


def whole(method, path, media, body, *lines):
    return request(method, path, body, f"Content-Type: {media}", f"Content-Length: {len(body)}", *lines)


def chunked(method, path, media, body, size, *lines):
    pieces = [body[i:i + size] for i in range(0, len(body), size)]
    return request(method, path, b"".join(b"%x;n=v\r\n%s\r\n" % (len(p), p) for p in pieces) +
                   b"0\r\nX-Sum: 1\r\n\r\n", f"Content-Type: {media}", "Transfer-Encoding: chunked", *lines)


REQUESTS = {
    "json": whole("POST", "/transpose", "application/json", DOCUMENT),
    "npy": whole("POST", "/transpose?timing=none&dtype=float32", "application/x-npy", npy(MATRIX)),
    "multipart": whole("POST", "/transpose", "multipart/form-data; boundary=cut", FORM),
    "chunked": chunked("POST", "/transpose", "application/json", DOCUMENT, 7),
    "gzip": whole("POST", "/transpose", "application/json", gzip.compress(DOCUMENT, mtime=0), "Content-Encoding: gzip"),
    "raw": whole("PUT", "/matrices/whole?shape=2,3&dtype=float64", "application/octet-stream", MATRIX.tobytes()),
    "pipeline": whole("POST", "/pipelines", "application/json",
                      json.dumps({"steps": [{"op": "transpose", "a": "@a", "as": "t"}], "a": [[1, 2]]}).encode()),
    "asynchronous": whole("POST", "/transpose", "application/json", DOCUMENT, "Prefer: respond-async"),
}
# Several requests on one connection, sent at once.
PIPELINED = (whole("POST", "/transpose?timing=none", "application/x-npy", npy(MATRIX), "Accept: application/x-npy") +
             request("GET", "/healthz", b"") + request("HEAD", "/version", b"") +
             chunked("POST", "/transpose", "application/json", DOCUMENT, 9, "Accept: application/x-npy") +
             request("GET", "/nowhere", b"", "Connection: close"))


def connect(d):
    s = socket.create_connection(("127.0.0.1", d.port), timeout=300)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def leave(s):
    s.close()


def reset(s):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()


def close_half(s):
    """Sends no more, and reads to the end: an answer that comes is a refusal."""
    s.shutdown(socket.SHUT_WR)
    out = receive(s)
    assert not out or 400 <= int(out.split(b" ")[1]) < 500, out


def send_all(s, data):
    try:
        s.sendall(data)
    except ConnectionError:
        pass                        # refused before its end


@case("--result-ttl", "1")
def a_request_may_break_off_after_every_byte(d):
    for name, data in REQUESTS.items():
        before = at_rest(d)
        for end in (leave, reset, close_half):
            for first in range(0, len(data), 100):
                cut = []
                for k in range(first, min(first + 100, len(data))):
                    cut.append(connect(d))
                    send_all(cut[-1], data[:k])
                for s in cut:
                    end(s)
        returns_to(d, before)
        assert curl(d, "/matrices").json()["matrices"] == [], name
        assert curl(d, "/healthz").status == 200
        s = connect(d)
        s.sendall(data)
        r = Reply(head(s), b"")
        assert r.status == (201 if name == "raw" else 202 if name == "asynchronous" else 200), (name, r.status)
        s.close()
        if name == "raw":
            assert curl(d, "/matrices/whole", "-X", "DELETE").status == 204


def answers(out):
    """What the five pipelined requests were answered, without what differs from time to time."""
    out = re.sub(rb"(?m)^(Date|Server-Timing|Linalgd-Job|traceparent): .*\r\n", b"", out)
    return out


@case()
def pipelined_requests_are_answered_alike_wherever_they_are_cut_in_two(d):
    s = connect(d)
    s.sendall(PIPELINED)
    wanted = answers(receive(s))
    assert [x[9:12] for x in re.findall(rb"HTTP/1\.1 \d+", wanted)] == [b"200", b"200", b"200", b"200", b"404"], wanted
    assert wanted.count(MATRIX.T.tobytes()) == 2, wanted
    before = at_rest(d)
    for first in range(1, len(PIPELINED), 100):
        cuts = range(first, min(first + 100, len(PIPELINED)))
        cut = [connect(d) for _ in cuts]
        for s, k in zip(cut, cuts):
            s.sendall(PIPELINED[:k])
        for s, k in zip(cut, cuts):
            s.sendall(PIPELINED[k:])
        for s, k in zip(cut, cuts):
            out = answers(receive(s))
            assert out == wanted, (k, out)
    returns_to(d, before)


def uploads():
    """Large requests, of which nothing must be left however far they came."""
    big = npy(np.ones((1024, 1024)))
    rows = b'{"a":[' + b",".join([b"[" + b",".join([b"1.5"] * 512) + b"]"] * 512) + b"]}"
    form = (b"--cut\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: application/x-npy\r\n\r\n" + big +
            b"\r\n--cut\r\nContent-Disposition: form-data; name=\"b\"\r\nContent-Type: application/x-npy\r\n\r\n" + big +
            b"\r\n--cut--\r\n")
    with io.BytesIO() as file:
        np.savez_compressed(file, a=np.arange(1 << 20).reshape(1024, 1024) * 0.37)
        archive = file.getvalue()
    return [
        whole("POST", "/transpose", "application/x-npy", big),
        whole("PUT", "/matrices/cut", "application/x-npy", big),
        whole("POST", "/transpose", "application/json", rows),
        whole("POST", "/transpose", "application/json", gzip.compress(rows), "Content-Encoding: gzip"),
        whole("POST", "/matmul", "multipart/form-data; boundary=cut", form),
        whole("POST", "/transpose", "application/x-npz", archive),
        chunked("POST", "/transpose", "application/json", rows, 50_000),
        whole("POST", "/pipelines?steps=" + "%5B%7B%22op%22%3A%22transpose%22%2C%22a%22%3A%22%40a%22%7D%5D",
              "multipart/form-data; boundary=cut", form),
    ]


@case("--host-memory", "200M")
def an_upload_may_be_reset_at_any_part_of_it(d):
    before = at_rest(d)
    for data in uploads():
        for end in (reset, leave, close_half):
            cut = []
            for k in range(1, 10):
                cut.append(connect(d))
                send_all(cut[-1], data[:len(data) * k // 10])
            for s in cut:
                end(s)
        returns_to(d, before)
    assert curl(d, "/matrices").json()["matrices"] == []


@case("--host-memory", "200M")
def who_leaves_in_the_middle_of_an_answer_leaves_nothing_behind(d):
    body = json.dumps({"a": {"generate": "random", "shape": [900, 900]}}).encode()
    before = at_rest(d)
    for kind in ("json", "octet-stream", "x-npy", "x-npz", "x-matrix-market"):
        for end in (leave, reset):
            for read in (0, 1, 20_000, MIB):
                s = connect(d)
                s.sendall(whole("POST", "/transpose", "application/json", body, f"Accept: application/{kind}"))
                if read:
                    assert head(s).startswith(b"HTTP/1.1 200"), kind
                while read > 0:
                    read -= len(s.recv(read))
                end(s)
        returns_to(d, before)


def counted(d, name, **labels):
    text = curl(d, "/metrics").body.decode()
    wanted = [f'{k}="{v}"' for k, v in labels.items()]
    return sum(float(line.split(" ")[-1]) for line in text.splitlines()
               if line.startswith(name + "{") and all(w in line for w in wanted))


@case()
def the_job_of_whoever_leaves_is_dismissed_running_or_waiting(d):
    """While a request waits for its job, its connection is suspended, and only the front's own look at it tells that the client
    has left."""
    body = json.dumps(ENDLESS).encode()
    compile_endless(d)
    before = at_rest(d)
    for end in (leave, reset, lambda s: (s.shutdown(socket.SHUT_WR), receive(s))):
        gone = counted(d, "linalgd_http_requests_total", status=499)
        ended = counted(d, "linalgd_jobs_total", op="jacobi", outcome="dismissed")
        both = []
        for status in ("running", "accepted"):
            both.append(connect(d))
            both[-1].sendall(whole("POST", "/jacobi", "application/json", body))
            until(f"it is {status}", lambda: len(jobs(d, status)) == 1)
        for s, status in zip(reversed(both), ("accepted", "running")):
            begun = time.monotonic()
            end(s)
            until("its job is dismissed", lambda: not jobs(d, status))
            print(f"       {status}: dismissed {1000 * (time.monotonic() - begun):.0f} ms after the client left")
        returns_to(d, before)
        assert counted(d, "linalgd_http_requests_total", status=499) == gone + 2
        assert counted(d, "linalgd_jobs_total", op="jacobi", outcome="dismissed") == ended + 2


@case("--host-memory", "256M")
def slow_senders_and_slow_readers_hold_nobody_up(d):
    """Many clients at a time, of which each sends or reads a few bytes while the others are served."""
    before = at_rest(d)
    made = json.dumps({"a": {"generate": "random", "shape": [150, 150]}}).encode()
    slow = []
    for _ in range(200):
        slow.append(connect(d))
        slow[-1].sendall(b"POST /transpose?shape=12500&dtype=float64 HTTP/1.1\r\nHost: localhost\r\n"
                         b"Content-Type: application/octet-stream\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(40):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.connect(("127.0.0.1", d.port))
        s.sendall(whole("POST", "/transpose", "application/json", made))
        slow.append(s)
        assert s.recv(12) == b"HTTP/1.1 200"
    for _ in range(3):
        for s in slow[:200]:
            send_all(s, b"1234567")
        for s in slow[200:]:
            s.recv(10)
        assert curl(d, "/healthz").status == 200
        assert post(d, "/matmul", {"a": [[2]], "b": [[3]]}).json()["result"]["c"] == [[6]]
    for s in slow:
        s.close()
    returns_to(d, before)
