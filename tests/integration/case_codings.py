"""case_codings.py - Content-Encoding of requests and replies."""
import gzip
import io
import json
import subprocess
import threading
import zlib

import numpy as np

from case_formats import accept, close, npy, npz, rng
from case_matrices import fetched, put
from client import ASYNC, NPY, answer, case, curl, finished, post, send


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, capture_output=True, check=True).stdout


def unzstd(data):
    return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, capture_output=True, check=True).stdout


CODERS = {"gzip": gzip.compress, "zstd": zstd}
DECODERS = {"gzip": gzip.decompress, "zstd": unzstd, None: bytes}


def coded(d, path, kind, coding, body, *more):
    return curl(d, path, "-H", f"Content-Type: {kind}", "-H", f"Content-Encoding: {coding}", *more, body=body)


def accepts(value):
    return ("-H", f"Accept-Encoding: {value}")


@case()
def every_kind_of_body_may_be_encoded(d):
    for n in (3, 300):
        a = rng.standard_normal((n, n))
        market = f"%%MatrixMarket matrix array real general\n{n} {n}\n" + "\n".join(repr(float(x)) for x in a.T.ravel()) + "\n"
        form = b'--xx\r\nContent-Disposition: form-data; name="a"; filename="a.npy"\r\n\r\n' + npy(a) + b"\r\n--xx--\r\n"
        bodies = [("application/json", "", json.dumps({"a": a.tolist()}).encode()), ("application/x-npy", "", npy(a)),
                  ("application/octet-stream", f"?shape={n},{n}&dtype=float64", a.tobytes()), ("application/x-npz", "", npz(a=a)),
                  ("multipart/form-data; boundary=xx", "", form), ("application/x-matrix-market", "", market.encode())]
        for coding, code in CODERS.items():
            for kind, query, body in bodies:
                r = coded(d, "/transpose" + query, kind, coding, code(body), *accept("x-npy"))
                assert r.status == 200, (coding, kind, r.body)
                assert (np.load(io.BytesIO(r.body)) == a.T).all(), (coding, kind)
                r = coded(d, "/transpose" + query, kind, coding, code(body), "-H", "Transfer-Encoding: chunked", *accept("x-npy"))
                assert r.status == 200 and (np.load(io.BytesIO(r.body)) == a.T).all(), (coding, kind, r.body[:200])
    for coding in ("GZIP", "x-gzip", "Zstd"):
        assert coded(d, "/transpose", "application/x-npy", coding, CODERS[coding.lower().replace("x-", "")](npy(a))).status == 200


@case()
def a_body_may_consist_of_several_streams(d):
    body = json.dumps({"a": [[1, 2, 3]], "timing": "none"}).encode()
    for coding, code in CODERS.items():
        for cut in (0, 1, 7, len(body)):
            r = coded(d, "/transpose", "application/json", coding, code(body[:cut]) + code(body[cut:]))
            assert r.status == 200 and r.json()["result"]["a"] == [[1], [2], [3]], (coding, cut, r.body)


@case()
def encoded_bodies_are_stored_and_their_digest_is_of_what_was_sent(d):
    import base64
    import hashlib
    a = rng.standard_normal((200, 100))
    for coding, code in CODERS.items():
        body = code(npy(a))
        good = base64.b64encode(hashlib.sha256(body).digest()).decode()
        r = coded(d, "/matrices/coded", "application/x-npy", coding, body, "-X", "PUT", "-H", f"Content-Digest: sha-256=:{good}:")
        assert r.status in (201, 204) and (fetched(d, "coded") == a).all()
        plain = base64.b64encode(hashlib.sha256(npy(a)).digest()).decode()
        coded(d, "/matrices/coded", "application/x-npy", coding, body, "-X", "PUT", "-H", f"Content-Digest: sha-256=:{plain}:").problem(400)


@case()
def wrong_streams_are_refused(d):
    body = json.dumps({"a": rng.standard_normal((60, 60)).tolist()}).encode()
    for coding, code in CODERS.items():
        good = code(body)
        for wrong in (good[:-1], good[: len(good) // 2], b"", good + b"trailing", body, b"\0" * 100,
                      good[:20] + bytes([good[20] ^ 255]) + good[21:]):
            r = coded(d, "/lu", "application/json", coding, wrong)
            assert r.status == 400, (coding, wrong[:30], r.status, r.body[:200])
        coded(d, "/lu", "application/json", coding, good[:-1]).problem(400, "Content-Encoding")
        coded(d, "/matrices/never", "application/json", coding, good[:-1], "-X", "PUT").problem(400)
    curl(d, "/matrices/never").problem(404)
    # A raw deflate stream and zlib's own header are not gzip.
    coded(d, "/lu", "application/json", "gzip", zlib.compress(body)).problem(400)
    # The frame's window is larger than HTTP allows.
    coded(d, "/lu", "application/json", "zstd", zstd_window(24)).problem(400, "zstd")
    assert coded(d, "/lu", "application/json", "gzip", gzip.compress(body)).status == 200


def zstd_window(log):
    """Returns a zstd frame that declares a window of 2^log bytes and has one empty block."""
    return bytes([0x28, 0xB5, 0x2F, 0xFD, 0x00, (log - 10) << 3, 0x01, 0x00, 0x00])


@case()
def unknown_codings_are_refused_with_those_that_are_known(d):
    for coding in ("br", "deflate", "gzip, zstd", "compress", "zst"):
        r = coded(d, "/lu", "application/json", coding, b"x")
        p = r.problem(415, "Content-Encoding")
        assert r.headers["accept-encoding"] == "gzip, zstd" and coding[:20] in p["detail"], r.headers
        assert coded(d, "/matrices/x", "application/json", coding, b"x", "-X", "PUT").status == 415
    assert coded(d, "/lu", "application/json", "identity", b'{"a": [[1]]}').status == 200


@case("--max-body", "20M", "--host-memory", "256M")
def bombs_do_not_go_off(d):
    spaces = b'{"a": [[1]]' + b" " * (100 << 20) + b"}"
    zeros = npy(np.zeros((1600, 1600)))                     # 19.5 MiB
    for coding, code in CODERS.items():
        coded(d, "/lu", "application/json", coding, code(spaces)).problem(413)
        assert coded(d, "/reduce?op=sum", "application/x-npy", coding, code(zeros[: len(zeros) // 2])).status == 400
    assert coded(d, "/reduce?op=sum", "application/x-npy", "gzip", gzip.compress(zeros)).json()["result"]["value"] == 0
    coded(d, "/reduce?op=sum", "application/x-npy", "zstd", zstd(zeros)).problem(413, "1100")
    coded(d, "/reduce?op=sum", "application/x-npy", "gzip", gzip.compress(npy(np.zeros((1700, 1700))))).problem(413, "limit")
    big = npy(np.zeros((6000, 6000)))[:128]                 # the header of a matrix of 275 MiB
    coded(d, "/reduce?op=sum", "application/x-npy", "gzip", gzip.compress(big)).problem(413)


@case()
def others_are_served_while_a_body_is_decoded(d):
    body = gzip.compress(b'{"a": [[1]], "timing": "none"' + b" " * (50 << 20) + b"}", 9)
    out = []
    t = threading.Thread(target=lambda: out.append(coded(d, "/lu", "application/json", "gzip", body)))
    t.start()
    served = 0
    while t.is_alive():
        assert curl(d, "/healthz").status == 200
        served += 1
    t.join()
    assert out[0].status == 200 and out[0].json()["result"]["lu"] == [[1]], out[0].body
    assert served >= 2, served


@case()
def a_kept_connection_goes_on_after_an_encoded_body(d):
    body = gzip.compress(b'{"a": [[1, 2]], "timing": "none"}' + b" " * 3000000)
    plain = b'{"a": [[3, 4]], "timing": "none"}'
    ask = lambda b, more=b"": (b"POST /transpose HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + more +
                               b"Content-Length: %d\r\n\r\n" % len(b) + b)
    s = send(d, ask(body, b"Content-Encoding: gzip\r\n") + ask(plain) + ask(body[:-4], b"Content-Encoding: gzip\r\n") + ask(plain))
    got = [answer(s) for _ in range(4)]
    assert [json.loads(r.body).get("result", {}).get("a") for r in got] == [[[1], [2]], [[3], [4]], None, [[3], [4]]], [r.body for r in got]
    assert got[2].status == 400
    s.close()


@case()
def text_answers_are_encoded_if_the_client_accepts_it(d):
    for n in (12, 60, 500):
        a = rng.standard_normal((n, n))
        put(d, "told", npy(a))
        for kind in ("json", "x-matrix-market"):
            plain = curl(d, "/matrices/told", *accept(kind))
            assert "content-encoding" not in plain.headers
            for value, coding in (("gzip", "gzip"), ("zstd", "zstd"), ("gzip, deflate, br, zstd", "zstd"), ("gzip;q=1, zstd;q=0.5", "gzip"),
                                  ("*", "zstd"), ("*;q=0.5, zstd;q=0", "gzip"), ("br", None), ("gzip;q=0", None), ("identity, gzip;q=0.5", None),
                                  ("gzip;q=0, zstd;q=0, identity;q=0", None), ("", None)):
                r = curl(d, "/matrices/told", *accept(kind), *(accepts(value) if value else ("-H", "Accept-Encoding;")))
                assert r.headers.get("content-encoding") == coding, (n, value, r.headers)
                assert DECODERS[coding](r.body) == plain.body, (n, kind, value)
                assert "Accept-Encoding" in r.headers["vary"], r.headers
                assert coding is None or len(r.body) < 0.7 * len(plain.body)
                if coding:
                    assert r.headers["etag"] == plain.headers["etag"][:-1] + f'-{coding}"'
                    again = curl(d, "/matrices/told", *accept(kind), *accepts(value), "-H", "If-None-Match: " + r.headers["etag"])
                    assert again.status == 304
        for coding in ("gzip", "zstd"):
            r = post(d, "/transpose", {"a": {"ref": "told"}}, *accepts(coding))
            close(np.array(json.loads(DECODERS[coding](r.body))["result"]["a"]), a.T)
            assert r.headers["content-encoding"] == coding
    at = post(d, "/transpose", {"a": {"ref": "told"}}, *ASYNC).headers["location"]
    finished(d, at)
    r = curl(d, at + "/result", *accepts("gzip"))
    assert (np.array(json.loads(gzip.decompress(r.body))["result"]["a"]) == a.T).all()
    assert gzip.decompress(curl(d, "/openapi.yaml", *accepts("gzip")).body) == curl(d, "/openapi.yaml").body
    assert b"linalgd_build_info" in unzstd(curl(d, "/metrics", *accepts("zstd")).body)


@case()
def small_and_binary_answers_are_not_encoded_unless_asked(d):
    assert "content-encoding" not in post(d, "/lu", {"a": [[1]], "timing": "none"}, *accepts("gzip")).headers
    a = np.zeros((300, 300))
    put(d, "zeros", npy(a))
    for kind in ("x-npy", "octet-stream", "x-npz"):
        plain = curl(d, "/matrices/zeros", *accept(kind))
        for value in ("gzip", "zstd", "gzip, zstd, identity", "identity;q=1, gzip;q=1"):
            r = curl(d, "/matrices/zeros", *accept(kind), *accepts(value))
            assert "content-encoding" not in r.headers and r.body == plain.body, (kind, value)
        for value, coding in (("gzip, identity;q=0.5", "gzip"), ("zstd, *;q=0", "zstd"), ("gzip;q=0.4, zstd;q=0.5, identity;q=0", "zstd")):
            r = curl(d, "/matrices/zeros", *accept(kind), *accepts(value))
            assert r.headers["content-encoding"] == coding and DECODERS[coding](r.body) == plain.body, (kind, value)
            assert len(r.body) < len(plain.body) / 50
    r = curl(d, "/matrices/zeros", *accept("octet-stream"), *accepts("gzip, identity;q=0"), "-H", "Range: bytes=0-4999")
    assert r.status == 206 and r.body == bytes(5000) and "content-encoding" not in r.headers
    r = curl(d, "/matrices/zeros", *accepts("gzip"), "-H", "Want-Content-Digest: sha-256=1")
    assert "content-digest" in r.headers and "content-encoding" not in r.headers
    r = curl(d, "/matrices/zeros", "-I", *accepts("gzip"))
    assert r.status == 200 and r.headers["content-encoding"] == "gzip" and r.body == b""
    r = curl(d, "/nothing" * 200, *accepts("gzip"))
    assert r.status == 404


@case()
def clients_that_leave_amid_an_encoded_answer_do_no_harm(d):
    n = 1500
    put(d, "large", npy(rng.standard_normal((n, n))))
    for coding in (b"gzip", b"zstd"):
        for cut in (0, 1, 50000, 300000):
            s = send(d, b"GET /matrices/large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: " + coding + b"\r\n\r\n")
            while cut > 0:
                cut -= len(s.recv(min(cut, 65536)))
            s.close()
        r = curl(d, "/matrices/large", "-H", "Accept-Encoding: " + coding.decode())
        assert json.loads(DECODERS[coding.decode()](r.body))["matrix"][0][0] == fetched(d, "large")[0, 0]
    assert curl(d, "/matrices/large", "-X", "DELETE").status == 204


@case("--host-memory", "64M")
def encoders_and_decoders_give_their_memory_back(d):
    body = zstd(json.dumps({"a": rng.standard_normal((200, 200)).tolist()}).encode())
    for _ in range(60):
        assert coded(d, "/transpose", "application/json", "zstd", body, *accepts("gzip")).status == 200
        assert coded(d, "/transpose", "application/json", "zstd", body[:-5], *accepts("zstd")).status == 400
    assert put(d, "after", npy(np.zeros((2600, 2600)))).status == 201      # 52 of 64 MiB
    assert fetched(d, "after").shape == (2600, 2600)
    assert curl(d, "/matrices/after", "-X", "DELETE").status == 204
