"""case_stored_http.py - ETag, preconditions, digests, times to live, rows and ranges of stored matrices."""
import base64
import email.utils
import hashlib
import io
import json
import subprocess
import threading
import time

import numpy as np
import scipy.sparse

from case_formats import accept, npy, rng
from case_matrices import fetched, names, put
from client import NPY, case, curl, post, until


def h(name, value):
    return ("-H", f"{name}: {value}")


def tag(d, name, kind=None):
    return curl(d, "/matrices/" + name, *(accept(kind) if kind else ())).headers["etag"]


def row(d, name):
    return [m for m in curl(d, "/matrices").json()["matrices"] if m["name"] == name][0]


@case()
def a_stored_matrix_has_an_etag_of_its_version_and_form(d):
    r = put(d, "e", npy(np.eye(3)))
    first = r.headers["etag"]
    assert first.startswith('"') and first.endswith('"') and row(d, "e")["etag"] == first
    forms = {kind: tag(d, "e", kind) for kind in ("json", "x-npy", "octet-stream", "x-npz", "x-matrix-market")}
    assert len(set(forms.values())) == 5 and all(t.startswith(first[:-1] + "-") for t in forms.values()), forms
    assert tag(d, "e") == forms["json"] == curl(d, "/matrices/e", "-I").headers["etag"]
    again = put(d, "e", npy(np.eye(3))).headers["etag"]
    assert again != first and tag(d, "e") != forms["json"]
    assert curl(d, "/matrices/e").headers["vary"].startswith("Accept")
    post(d, "/transpose", {"a": {"ref": "e"}, "store": "e"})
    assert row(d, "e")["etag"] != again


@case()
def an_unchanged_matrix_is_not_sent_again(d):
    bare = put(d, "same", npy(np.eye(3))).headers["etag"]
    json_tag = tag(d, "same")
    for value in (json_tag, bare, "W/" + json_tag, f'"other", {json_tag}', "*"):
        for more in ((), ("-I",)):
            r = curl(d, "/matrices/same", *h("If-None-Match", value), *more)
            assert r.status == 304 and r.body == b"" and r.headers["etag"] == json_tag, (value, r.status)
    for value in ('"other"', tag(d, "same", "x-npy"), "nonsense"):
        assert curl(d, "/matrices/same", *h("If-None-Match", value)).status == 200, value
    assert curl(d, "/matrices/same", *h("If-Match", json_tag)).status == 200
    curl(d, "/matrices/same", *h("If-Match", '"other"')).problem(412)


@case()
def a_list_on_several_lines_is_one_list(d):
    other, mine = '"other"', put(d, "lines", npy(np.eye(2))).headers["etag"]
    for first, second in ((other, mine), (mine, other)):
        lines = h("If-None-Match", first) + h("If-None-Match", second)
        curl(d, "/matrices/lines", "-X", "PUT", *NPY, *lines, body=npy(np.eye(3))).problem(412, "If-None-Match")
        curl(d, "/matrices/lines", "-X", "DELETE", *lines).problem(412, "If-None-Match")
        assert curl(d, "/matrices/lines", *lines).status == 304
        assert curl(d, "/matrices/lines", *h("If-Match", first), *h("if-match", second)).status == 200
    curl(d, "/matrices/lines", *h("If-Match", other), *h("If-Match", '"x"')).problem(412, "If-Match")
    page = curl(d, "/docs").headers["etag"]
    assert curl(d, "/docs", *h("If-None-Match", other), *h("If-None-Match", page)).status == 304
    body = npy(np.eye(4))
    good, bad = (base64.b64encode(hashlib.sha256(x).digest()).decode() for x in (body, b"other"))
    digests = h("Content-Digest", "sha-512=:AA==:") + h("Content-Digest", f"sha-256=:{bad}:")
    curl(d, "/matrices/lines", "-X", "PUT", *NPY, *digests, body=body).problem(400, "Content-Digest")
    assert fetched(d, "lines").shape == (2, 2)
    digests = h("Content-Digest", "md5=:AA==:") + h("Content-Digest", f"sha-256=:{good}:")
    assert curl(d, "/matrices/lines", "-X", "PUT", *NPY, *digests, body=body).status == 204
    r = curl(d, "/matrices/lines", *h("Want-Content-Digest", "md5=1"), *h("Want-Content-Digest", "sha-256=1"))
    assert r.headers["content-digest"].startswith("sha-256=:")
    for first, second, coding in (("br", "gzip", "gzip"), ("gzip;q=0.5", "zstd", "zstd"), ("zstd", "zstd;q=0", None)):
        r = curl(d, "/openapi.json", *h("Accept-Encoding", first), *h("Accept-Encoding", second))
        assert r.headers.get("content-encoding") == coding, (first, second, r.headers)


def repeated(d, path, *more):
    """A GET's 200, and the 304 of the same request with its ETag."""
    whole = subprocess.run(["curl", "-s", "-D", "-", "-o", "/dev/null", *more, d.url + path], capture_output=True, check=True).stdout
    tag = [line.split(b": ", 1)[1].decode() for line in whole.split(b"\r\n") if line.lower().startswith(b"etag:")][0]
    same = subprocess.run(["curl", "-s", "-D", "-", "-o", "/dev/null", *more, *h("If-None-Match", tag), d.url + path],
                          capture_output=True, check=True).stdout
    return [sorted(line.lower() for line in head.split(b"\r\n")[1:]
                   if line.lower().startswith((b"etag:", b"vary:", b"cache-control:", b"content-encoding:")))
            for head in (whole, same)], [length(head) for head in (whole, same)], same


def length(head):
    return next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), None)


@case()
def what_is_unchanged_has_the_etag_of_its_coding(d):
    a = rng.standard_normal((40, 40))
    put(d, "coded", npy(a))
    put(d, "small", npy(a[:10, :10]))
    put(d, "mini", npy(a[:3, :3]))
    f = io.BytesIO()
    scipy.sparse.save_npz(f, scipy.sparse.eye(3000, format="csr"), compressed=False)
    put(d, "coded-sparse", f.getvalue(), "x-npz")
    kinds = ("json", "x-npy", "octet-stream", "x-npz", "x-matrix-market")
    paths = [(f"/matrices/{name}{rows}", accept(kind)) for name in ("coded", "small", "mini") for rows in ("", "?rows=0:1", "?rows=1:1")
             for kind in kinds]
    paths += [(f"/matrices/coded-sparse{rows}", accept(kind)) for rows in ("", "?rows=0:2") for kind in ("json", "x-npz", "x-matrix-market")]
    paths += [(path, ()) for path in ("/docs", "/page/base/main.js")]
    for path, kind in paths:
        for coding in ("", "gzip", "zstd", "identity;q=0, gzip", "br"):
            for more in ((), ("-I",)) if path.startswith("/matrices") else ((),):
                (whole, same), lengths, head = repeated(d, path, *kind, *more, *h("Accept-Encoding", coding))
                assert head.startswith(b"HTTP/1.1 304"), (path, kind, coding, more, head)
                coded = any(line.startswith(b"content-encoding") for line in whole)
                size = lengths[0] if lengths[0] is not None or more else len(curl(d, path, *kind, *h("Accept-Encoding", coding)).body)
                if path.startswith(("/docs", "/page")) or not coded and ("/coded" not in path or kind in (accept("x-npy"), accept("octet-stream"))):
                    assert lengths[1] == size, (path, kind, coding, more, size, head)
                assert lengths[1] in (size, None), (path, kind, coding, more, size, head)
                assert (b"Connection: close" in head) == (lengths[1] is None), (path, kind, coding, more, head)
                assert same == [line for line in whole if not line.startswith(b"content-encoding")], (path, kind, coding, more, whole, same)
    (whole, same), _, _ = repeated(d, "/matrices/coded", *h("Accept-Encoding", "gzip"), *h("Want-Content-Digest", "sha-256=1"))
    assert same == whole, (whole, same)


def modified(d, name):
    """Last-Modified, which comes when the second of storing is over."""
    until("the second is over", lambda: "last-modified" in curl(d, "/matrices/" + name, "-I").headers)
    return curl(d, "/matrices/" + name, "-I").headers["last-modified"]


@case()
def a_matrix_that_was_not_stored_since_a_date_is_not_sent_again(d):
    for _ in range(2):          # the second one replaces the first, of which a client may know the date
        put(d, "dated", npy(np.eye(3)))
        date = modified(d, "dated")
        before, after = (email.utils.formatdate(email.utils.parsedate_to_datetime(date).timestamp() + s, usegmt=True) for s in (-2, 3600))
        for since in (date, after):
            for more in ((), ("-I",)):
                r = curl(d, "/matrices/dated", *h("If-Modified-Since", since), *more)
                assert r.status == 304 and r.body == b"" and r.headers["etag"] == tag(d, "dated"), r.headers
            assert curl(d, "/matrices/dated", *h("If-Modified-Since", since), *h("If-None-Match", '"x"')).status == 200
            assert curl(d, "/matrices/dated", *h("If-Unmodified-Since", since)).status == 200
        for since in (before, "yesterday", "0"):
            assert curl(d, "/matrices/dated", *h("If-Modified-Since", since)).status == 200, since
        curl(d, "/matrices/dated", *h("If-Unmodified-Since", before)).problem(412, "If-Unmodified-Since")
        for change in (lambda *more: put(d, "dated", npy(np.eye(3)), "x-npy", "", *more),
                       lambda *more: curl(d, "/matrices/dated", "-X", "DELETE", *more),
                       lambda *more: post(d, "/transpose", {"a": [[1]], "store": "dated"}, *more)):
            change(*h("If-Unmodified-Since", before)).problem(412)
            change(*h("If-Unmodified-Since", before), *h("If-Match", '"x"')).problem(412, "If-Match")
    assert put(d, "dated", npy(np.eye(3)), "x-npy", "", *h("If-Unmodified-Since", date)).status == 204
    assert "last-modified" not in curl(d, "/matrices/dated").headers or modified(d, "dated") != date


@case()
def the_files_of_the_page_have_the_time_of_the_service(d):
    for path in ("/", "/docs", "/page/base/main.js"):
        until("the service is a second old", lambda: "last-modified" in curl(d, path).headers)
        r = curl(d, path)
        date = r.headers["last-modified"]
        assert curl(d, path, *h("If-Modified-Since", date)).status == 304
        assert curl(d, path, *h("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")).status == 200
        assert curl(d, path, *h("If-Modified-Since", date), *h("If-None-Match", '"other"')).status == 200
        assert curl(d, path, *h("If-None-Match", r.headers["etag"])).status == 304


@case()
def a_matrix_is_only_changed_as_the_preconditions_say(d):
    with_none = h("If-None-Match", "*")
    assert curl(d, "/matrices/c", "-X", "PUT", *NPY, *with_none, body=npy(np.eye(2))).status == 201
    curl(d, "/matrices/c", "-X", "PUT", *NPY, *with_none, body=npy(np.eye(3))).problem(412, "there")
    curl(d, "/matrices/nobody", "-X", "PUT", *NPY, *h("If-Match", "*"), body=npy(np.eye(3))).problem(412)
    assert fetched(d, "c").shape == (2, 2) and "nobody" not in names(d)
    old = tag(d, "c", "x-npy")
    r = curl(d, "/matrices/c", "-X", "PUT", *NPY, *h("If-Match", old), body=npy(np.eye(4)))
    assert r.status == 204 and r.headers["etag"] != old
    curl(d, "/matrices/c", "-X", "PUT", *NPY, *h("If-Match", old), body=npy(np.eye(5))).problem(412, "changed")
    curl(d, "/matrices/c", "-X", "PUT", *NPY, *h("If-Match", "W/" + r.headers["etag"]), body=npy(np.eye(5))).problem(412)
    curl(d, "/matrices/c", "-X", "DELETE", *h("If-Match", old)).problem(412)
    curl(d, "/matrices/c", "-X", "DELETE", *h("If-None-Match", r.headers["etag"])).problem(412)
    assert fetched(d, "c").shape == (4, 4)
    assert curl(d, "/matrices/c", "-X", "DELETE", *h("If-Match", r.headers["etag"])).status == 204
    curl(d, "/matrices/c", "-X", "DELETE", *h("If-Match", "*")).problem(404)


@case()
def of_many_that_replace_one_version_one_wins(d):
    put(d, "race", npy(np.zeros((300, 300))))
    old, got = tag(d, "race"), []

    def replace(k):
        r = curl(d, "/matrices/race", "-X", "PUT", *NPY, *h("If-Match", old), body=npy(np.full((300, 300), float(k))))
        got.append((r.status, k))

    writers = [threading.Thread(target=replace, args=(k,)) for k in range(1, 7)]
    for t in writers:
        t.start()
    for t in writers:
        t.join()
    won = [k for status, k in got if status == 204]
    assert len(won) == 1 and sorted(s for s, _ in got) == [204] + [412] * 5, got
    assert (fetched(d, "race") == won[0]).all()


@case()
def a_digest_is_checked_and_answered(d):
    for n in (3, 400):
        body = npy(rng.standard_normal((n, n)))
        good = base64.b64encode(hashlib.sha256(body).digest()).decode()
        bad = base64.b64encode(hashlib.sha256(b"other").digest()).decode()
        assert curl(d, "/matrices/dig", "-X", "PUT", *NPY, *h("Content-Digest", f"md5=:AAAA:, sha-256=:{good}:"), body=body).status in (201, 204)
        for value in (f"sha-256=:{bad}:", "sha-256=:AAAA:", "sha-256=", f"sha-256={good}", "sha-256=:!:"):
            curl(d, "/matrices/dig", "-X", "PUT", *NPY, *h("Content-Digest", value), body=npy(np.eye(2))).problem(400, "Content-Digest")
        assert fetched(d, "dig").shape == (n, n)
        for kind in ("json", "x-npy", "octet-stream", "x-npz", "x-matrix-market"):
            r = curl(d, "/matrices/dig", *accept(kind), *h("Want-Content-Digest", "sha-512=3, sha-256=10"))
            want = base64.b64encode(hashlib.sha256(r.body).digest()).decode()
            assert r.headers["content-digest"] == f"sha-256=:{want}:", (kind, r.headers)
            head = curl(d, "/matrices/dig", "-I", *accept(kind), *h("Want-Content-Digest", "sha-256=1"))
            assert head.headers["content-digest"] == r.headers["content-digest"] and head.headers["content-length"] == str(len(r.body))
        for value in ("sha-256=0", "sha-512=3"):
            assert "content-digest" not in curl(d, "/matrices/dig", *h("Want-Content-Digest", value)).headers
        r = curl(d, "/matmul", *h("Content-Digest", f"sha-256=:{bad}:"), "-F", "a=[[1]];type=application/json", "-F", "b=[[1]];type=application/json")
        r.problem(400, "Content-Digest")


@case()
def head_tells_length_shape_and_type(d):
    for n, m in ((3, 4), (300, 200)):
        put(d, "head", npy(rng.standard_normal((n, m)).astype("f4")))
        until("its second is over", lambda: "last-modified" in curl(d, "/matrices/head", "-I").headers)
        for kind in ("json", "x-npy", "octet-stream", "x-npz", "x-matrix-market"):
            whole = curl(d, "/matrices/head", *accept(kind))
            r = curl(d, "/matrices/head", "-I", *accept(kind))
            assert r.status == 200 and r.body == b"" and r.headers["content-length"] == str(len(whole.body)), (kind, r.headers)
            assert r.headers["linalgd-shape"] == f"{n},{m}" and r.headers["linalgd-dtype"] == "float32"
            assert r.headers["last-modified"].endswith("GMT") and r.headers["etag"] == whole.headers["etag"]
            assert r.headers["content-type"] == "application/" + kind


@case()
def rows_are_fetched_as_python_slices(d):
    a = rng.standard_normal((40, 7))
    stack, vector = rng.standard_normal((5, 3, 2)), np.arange(9.0)
    for name, m in (("r2", a), ("r3", stack), ("r1", vector), ("r0", np.zeros((0, 3)))):
        put(d, name, npy(m))
        n = len(m)
        for s in (":", "0:", f":{n}", "1:2", "-2:", ":-1", "2:-1", "3:3", "4:2", "0:0", f"{n}:", f"-{n}:"):
            want = eval(f"m[{s}]")
            bounds = [int(x) for x in s.split(":") if x]
            r = curl(d, f"/matrices/{name}?rows={s}", *accept("x-npy"))
            if any(abs(x) > n for x in bounds):
                r.problem(422, "rows")
                continue
            assert r.status == 200 and np.array_equal(np.load(io.BytesIO(r.body)), want), (name, s, r.body[:100])
            assert r.headers["linalgd-shape"] == ",".join(map(str, want.shape)), (s, r.headers)
    r = curl(d, "/matrices/r2?rows=10:12")
    assert r.json()["matrix"] == a[10:12].tolist()
    assert np.array_equal(np.load(io.BytesIO(curl(d, "/matrices/r2?rows=-3:", *accept("x-npz")).body))["matrix"], a[-3:])
    for s in ("41:", ":41", "-41:", "0:99999999999999999999"):
        assert curl(d, f"/matrices/r2?rows={s}").status in (400, 422), s
    for s in ("", "3", "a:b", "1:2:3", "1:2x", "%2B1:2", "%201:2"):
        curl(d, f"/matrices/r2?rows={s}").problem(400, "rows")
    curl(d, "/matrices/r2?rows=1:2&rows=2:3").problem(400, "twice")
    put(d, "scalar", b'{"matrix": 5}', "json")
    curl(d, "/matrices/scalar?rows=0:1").problem(422, "rows")
    assert curl(d, "/matrices/scalar").json()["matrix"] == 5


@case()
def rows_of_a_sparse_matrix_are_sparse(d):
    for n in (6, 30000):
        a = scipy.sparse.random(n, 50, 0.1, "csr", random_state=2)
        body = {"format": "csr", "shape": [n, 50], "indptr": a.indptr.tolist(), "indices": a.indices.tolist(), "data": a.data.tolist()}
        put(d, "sp", json.dumps({"matrix": body}).encode(), "json")
        for lo, hi in ((0, n), (2, 5), (n - 1, n), (3, 3)):
            m = curl(d, f"/matrices/sp?rows={lo}:{hi}").json()["matrix"]
            got = scipy.sparse.csr_matrix((m["data"], m["indices"], m["indptr"]), shape=m["shape"])
            assert m["shape"] == [hi - lo, 50] and (got != a[lo:hi]).nnz == 0, (lo, hi)
            z = scipy.sparse.load_npz(io.BytesIO(curl(d, f"/matrices/sp?rows={lo}:{hi}", *accept("x-npz")).body))
            assert z.format == "csr" and (z != a[lo:hi]).nnz == 0
    curl(d, f"/matrices/sp?rows=0:{n + 1}").problem(422)


@case()
def bytes_of_raw_elements_are_fetched_by_range(d):
    a = rng.standard_normal((30, 40))
    raw = a.tobytes()
    put(d, "raw", npy(a))
    at = lambda value, *more: curl(d, "/matrices/raw", *accept("octet-stream"), *h("Range", value), *more)
    for value, want in (("bytes=0-7", raw[:8]), ("bytes=100-", raw[100:]), ("bytes=-16", raw[-16:]), ("bytes=5-99999999", raw[5:]), ("bytes=-99999", raw)):
        r = at(value)
        assert r.status == 206 and r.body == want, value
        lo = raw.index(want)
        assert r.headers["content-range"] == f"bytes {lo}-{lo + len(want) - 1}/{len(raw)}" and r.headers["content-length"] == str(len(want))
    for value in (f"bytes={len(raw)}-", "bytes=-0"):
        r = at(value)
        r.problem(416)
        assert r.headers["content-range"] == f"bytes */{len(raw)}"
    for value in ("bytes=1-2,4-5", "rows=1-2", "bytes=a-b", "bytes=5-2"):
        assert at(value).status == 200, value
    full = curl(d, "/matrices/raw", *accept("octet-stream"))
    assert full.headers["accept-ranges"] == "bytes"
    assert at("bytes=0-7", *h("If-Range", full.headers["etag"])).status == 206
    assert at("bytes=0-7", *h("If-Range", '"other"')).status == 200
    assert curl(d, "/matrices/raw", *accept("x-npy"), *h("Range", "bytes=0-7")).status == 200
    r = curl(d, "/matrices/raw?rows=1:2", *accept("octet-stream"), *h("Range", "bytes=0-7"))
    assert r.status == 206 and r.body == a[1].tobytes()[:8]


@case()
def a_matrix_is_gone_after_its_ttl(d):
    put(d, "stays", npy(np.eye(2)))
    put(d, "day", npy(np.eye(2)), query="?ttl=86400")
    put(d, "soon", npy(np.eye(500)), query="?ttl=0.4")
    assert put(d, "form", b'{"matrix": [[1]], "ttl": 3600}', "json").status in (201, 204)
    r = row(d, "day")
    made, ends = (time.strptime(r[k][:19], "%Y-%m-%dT%H:%M:%S") for k in ("created", "expires"))
    assert abs(time.mktime(ends) - time.mktime(made) - 86400) <= 1 and "expires" not in row(d, "stays") and "expires" in row(d, "form")
    until("soon is gone", lambda: curl(d, "/matrices/soon").status == 404)
    curl(d, "/matrices/soon", "-X", "DELETE").problem(404)
    post(d, "/lu", {"a": {"ref": "soon"}}).problem(404)
    assert "soon" not in names(d) and {"day", "stays", "form"} <= set(names(d))
    assert put(d, "soon", npy(np.eye(2))).status == 201 and "expires" not in row(d, "soon")
    for ttl in ("", "-1", "soon", "1e300", "nan"):
        put(d, "day", npy(np.eye(2)), query="?ttl=" + ttl).problem(400, "ttl")


@case("--store-ttl", "0.5")
def the_service_has_a_ttl_of_its_own(d):
    put(d, "kept", npy(np.eye(2)), query="?ttl=0")
    put(d, "usual", npy(np.eye(2)))
    post(d, "/transpose", {"a": [[1, 2]], "store": "result"})
    assert "expires" not in row(d, "kept")
    until("both are gone", lambda: names(d) == ["kept"])


@case()
def sparse_npz_goes_both_ways_with_scipy(d):
    a = scipy.sparse.random(60, 40, 0.2, "csr", random_state=1)
    for form in ("csr", "csc", "coo"):
        for dtype in ("f4", "f8"):
            out = io.BytesIO()
            scipy.sparse.save_npz(out, a.asformat(form).astype(dtype))
            assert put(d, "both", out.getvalue(), "x-npz").status in (201, 204)
            got = scipy.sparse.load_npz(io.BytesIO(curl(d, "/matrices/both", *accept("x-npz")).body))
            assert got.dtype == dtype and got.shape == a.shape and abs(got - a.astype(dtype)).max() == 0, form
            p = rng.permutation(60)
            r = post(d, "/permute", {"a": {"ref": "both"}, "p": p.tolist()}, *accept("x-npz"))
            assert r.status == 200, r.body
            got = scipy.sparse.load_npz(io.BytesIO(r.body))
            assert (got != a.astype(dtype)[p]).nnz == 0, form
    empty = io.BytesIO()
    scipy.sparse.save_npz(empty, scipy.sparse.csr_matrix((3, 4)))
    put(d, "none", empty.getvalue(), "x-npz")
    got = scipy.sparse.load_npz(io.BytesIO(curl(d, "/matrices/none", *accept("x-npz")).body))
    assert got.shape == (3, 4) and got.nnz == 0
