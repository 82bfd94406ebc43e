"""case_metrics.py - GET /metrics: well-formed, true, at any time, and never less than before."""
import gzip
import os
import signal
import socket
import tempfile
import time

import exposition
import metric_messages
from client import ENDLESS, NPY, Reply, busy, case, curl, dismiss, finished, heads, post, raw, submit, until, workers
from case_formats import npy
from daemon import Daemon
import numpy as np

LEAST = ("linalgd_jobs_total", "linalgd_job_duration_seconds", "linalgd_kernel_duration_seconds", "linalgd_queue_depth",
         "linalgd_rejected_total", "linalgd_device_healthy", "linalgd_device_memory_bytes", "linalgd_build_info",
         "linalgd_http_requests_total", "linalgd_stored_bytes", "linalgd_host_memory_bytes", "process_start_time_seconds",
         "process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds")
SINGULAR = {"a": [[1, 2], [2, 4]], "b": [1, 2]}


def scrape(d, *arguments):
    r = curl(d, "/metrics", *arguments)
    assert r.status == 200 and r.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8", r.headers
    return exposition.parse(r.body.decode())


class Rise:
    """How much samples have risen since it was made. A request counts when its exchange ends, a moment after its reply."""
    def __init__(self, d):
        self.d, self.before = d, scrape(d)

    def expect(self, rise, name, **labels):
        was = exposition.value(self.before, name, **labels)

        def risen():
            return exposition.value(scrape(self.d), name, **labels) == was + rise
        until(f"{name}{labels} rises by {rise}", risen, 20)


@case()
def metrics_are_well_formed_whatever_was_served(d):
    post(d, "/matmul", {"a": [[1, 2]], "b": [[3], [4]]})
    found = scrape(d)
    assert not [x for x in LEAST if x not in found], found.keys()
    assert exposition.value(found, "linalgd_device_healthy", device="0") == 1
    assert [dict(k[1])["version"] for k in found["linalgd_build_info"].samples] == ["0.1.0"]
    assert abs(exposition.value(found, "process_start_time_seconds") - time.time()) < 3600
    assert exposition.value(found, "process_resident_memory_bytes") > 1e6
    assert exposition.value(found, "process_open_fds") > 3
    r = curl(d, "/metrics", "-I")
    assert r.status == 200 and r.headers["content-type"].startswith("text/plain; version=0.0.4"), r.headers
    curl(d, "/metrics?x=1").problem(400, "x")
    curl(d, "/metrics", "-X", "POST").problem(405)
    old = Reply(*heads(raw(d, b"GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")))
    assert old.status == 200 and exposition.parse(old.body.decode()).keys() == found.keys()


@case()
def jobs_count_by_how_they_ended(d):
    rise = Rise(d)
    assert post(d, "/matmul", {"a": [[1]], "b": [[2]]}).status == 200
    post(d, "/solve", SINGULAR).problem(422)
    post(d, "/solve", {"a": [[1, 2]], "nosuch": 1}).problem(400)
    post(d, "/matmul", {"a": [[1, 2]], "b": [[3, 4]]}).problem(422)
    at = submit(d, "/matmul", {"a": [[1]], "b": [[2]]})
    finished(d, at)
    with busy(d) as running:
        waiting = submit(d, "/lu", {"a": [[1]]})
        dismiss(d, waiting)
        dismiss(d, running)
    rise.expect(2, "linalgd_jobs_total", op="matmul", device="0", outcome="successful")
    rise.expect(1, "linalgd_jobs_total", op="solve", device="0", outcome="singular")
    rise.expect(1, "linalgd_jobs_total", op="lu", device="none", outcome="dismissed")
    rise.expect(1, "linalgd_jobs_total", op="jacobi", device="0", outcome="dismissed")
    rise.expect(1, "linalgd_jobs_total", op="jacobi", device="0", outcome="not-converged")
    rise.expect(1, "linalgd_rejected_total", reason="bad-parameter")
    rise.expect(1, "linalgd_rejected_total", reason="bad-shape")
    rise.expect(0, "linalgd_rejected_total", reason="singular")
    for stage in ("queue", "parse", "compute", "total"):
        rise.expect(2, "linalgd_job_duration_seconds_count", op="matmul", stage=stage)
    rise.expect(1, "linalgd_http_requests_total", route="/matmul", method="POST", status="200")
    rise.expect(1, "linalgd_http_requests_total", route="/matmul", method="POST", status="202")
    rise.expect(1, "linalgd_http_requests_total", route="/solve", method="POST", status="400")
    rise.expect(3, "linalgd_http_requests_total", route="/jobs/{}", method="DELETE", status="204")       # busy()'s, too


@case()
def jobs_that_time_out_count_as_such(d):
    rise = Rise(d)
    post(d, "/jacobi", dict(ENDLESS, timeout_ms=50)).problem(504)
    rise.expect(1, "linalgd_jobs_total", op="jacobi", device="0", outcome="timeout")
    rise.expect(1, "linalgd_http_requests_total", route="/jacobi", method="POST", status="504")


@case()
def launches_of_kernels_add_up_to_what_answers_tell(d):
    rise = Rise(d)
    rows = {}
    for seed in (1, 2):
        j = post(d, "/lu", {"a": {"generate": "random", "shape": [300, 300], "seed": seed}}).json()
        for k in j["timing"]["kernels"]:
            calls, ms = rows.get(k["name"], (0, 0))
            rows[k["name"]] = calls + k["calls"], ms + k["total_ms"]
    assert rows
    post(d, "/lu?timing=none", {"a": {"generate": "random", "shape": [300, 300]}})
    for name, (calls, _) in rows.items():
        rise.expect(calls, "linalgd_kernel_duration_seconds_count", kernel=name, device="0")
    now = scrape(d)
    for name, (_, ms) in rows.items():
        total = [exposition.value(x, "linalgd_kernel_duration_seconds_sum", kernel=name, device="0") for x in (rise.before, now)]
        assert abs(total[1] - total[0] - ms / 1e3) < 1e-8, (name, total, ms)


@case()
def nothing_that_a_client_writes_becomes_a_label(d):
    rise = Rise(d)
    series = {k for f in scrape(d).values() for k in f.samples}
    for word in ("forged\"} 1", "{}", "x" * 200, "%0alinalgd_forged"):
        curl(d, "/" + word.replace('"', "%22").replace(" ", "%20").replace("{", "%7b").replace("}", "%7d"))
        curl(d, f"/jobs/{len(word)}forged"), curl(d, f"/problems/{len(word)}forged")
        raw(d, b"FORGED /forged HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        curl(d, "/ops", "-H", "Host: forged.example")
    rise.expect(16, "linalgd_rejected_total", reason="not-found")
    rise.expect(8, "linalgd_http_requests_total", route="none", method="none", status="404")
    rise.expect(4, "linalgd_rejected_total", reason="unknown-host")
    new = {k for f in scrape(d).values() for k in f.samples} - series
    assert "forged" not in str(new).lower() and len(new) < 10, new


@case()
def stored_matrices_and_memory_are_told(d):
    before = scrape(d)
    assert curl(d, "/matrices/told-in-metrics", "-X", "PUT", *NPY, body=npy(np.zeros((512, 512)))).status == 201
    now = scrape(d)
    assert exposition.value(now, "linalgd_stored_matrices") == exposition.value(before, "linalgd_stored_matrices") + 1
    assert exposition.value(now, "linalgd_stored_bytes") == exposition.value(before, "linalgd_stored_bytes") + 512 * 512 * 8
    assert exposition.value(now, "linalgd_host_memory_bytes", state="used") >= 512 * 512 * 8
    assert curl(d, "/matrices/told-in-metrics", "-X", "DELETE").status == 204
    assert exposition.value(scrape(d), "linalgd_stored_bytes") == exposition.value(before, "linalgd_stored_bytes")
    devices = curl(d, "/devices").json()["devices"]
    for x in devices:
        states = [exposition.value(now, "linalgd_device_memory_bytes", device=str(x["index"]), state=s) for s in ("used", "free")]
        assert sum(states) == x["global_memory_bytes"], (states, x)


@case("--queue-limit", "1")
def a_full_queue_and_a_busy_device_are_told_at_once(d):
    with busy(d):
        rise = Rise(d)
        waiting = submit(d, "/lu", {"a": [[1]]})
        post(d, "/lu", {"a": [[1]]}).problem(503, "queue is full")
        now = scrape(d)
        assert exposition.value(now, "linalgd_queue_depth") == 1 and exposition.value(now, "linalgd_queue_limit") == 1
        assert exposition.value(now, "linalgd_jobs_running", device="0") == 1
        rise.expect(1, "linalgd_rejected_total", reason="busy")
        dismiss(d, waiting)


@case("--queue-limit", "3")
def counters_outlive_a_worker(d):
    for _ in range(3):
        assert post(d, "/matmul", {"a": [[1]], "b": [[2]]}).status == 200
    before = scrape(d)
    os.kill(workers(d)[0], signal.SIGKILL)
    until("the loss is told", lambda: exposition.value(scrape(d), "linalgd_worker_restarts_total", device="0") == 1)
    until("the device is healthy again", lambda: exposition.value(scrape(d), "linalgd_device_healthy", device="0") == 1)
    assert post(d, "/matmul", {"a": [[1]], "b": [[2]]}).status == 200
    now = scrape(d)
    for name, family in before.items():
        if family.type != "gauge":
            less = [k for k, x in family.samples.items() if now[name].samples.get(k, -1) < x]
            assert not less, f"{less} fell"
    assert exposition.value(now, "linalgd_jobs_total", op="matmul", device="0", outcome="successful") == 4


OPEN = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5"
NATIVE = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited," + OPEN.replace("0,", "0;q=0.8,", 1)


def serve_what_has_histograms(d):
    for n in (1, 2, 30, 300):
        post(d, "/lu", {"a": {"generate": "random", "shape": [n, n], "seed": n}})
    for op in ("cholesky", "det", "eigen", "inverse", "qr", "svd", "trace", "transpose"):
        assert post(d, "/" + op, {"a": {"generate": "spd", "shape": [20, 20]}}).status == 200
    post(d, "/solve", SINGULAR).problem(422)


@case()
def openmetrics_text_tells_the_same(d):
    serve_what_has_histograms(d)
    r = curl(d, "/metrics", "-H", "Accept: " + OPEN)
    assert r.headers["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8", r.headers
    found, plain = exposition.parse_open(r.body.decode()), scrape(d)
    assert found.keys() == plain.keys()
    name = "linalgd_job_duration_seconds"
    assert found[name].samples.keys() == plain[name].samples.keys()
    for accept in ("*/*", "image/png", "text/plain;version=0.0.4", "application/openmetrics-text;version=0.0.1"):
        scrape(d, "-H", "Accept: " + accept)
    packed = curl(d, "/metrics", "-H", "Accept: " + OPEN, "-H", "Accept-Encoding: gzip")
    assert packed.headers["content-encoding"] == "gzip", packed.headers
    assert gzip.decompress(packed.body).endswith(b"# EOF\n")


def classic(h):
    return [(b.upper_bound, b.cumulative_count) for b in h.bucket]


@case()
def native_histograms_agree_with_the_classic_ones(d):
    serve_what_has_histograms(d)
    r = curl(d, "/metrics", "-H", "Accept: " + NATIVE)
    assert r.headers["content-type"].replace(" ", "") == NATIVE.split(",")[0], r.headers
    found, plain = metric_messages.parse(r.body), scrape(d)
    assert found["linalgd_job_duration_seconds"].ByteSize() > 8192, "the family is not printed in several turns"
    assert found.keys() == plain.keys()
    seen = 0
    for name, family in plain.items():
        f = found[name]
        assert f.help == family.help.replace("\\n", "\n") and ["counter", "gauge", 0, 0, "histogram"][f.type] == family.type, f
        if family.type != "histogram":
            continue
        rows = family.series()
        for m in f.metric:
            h, row = m.histogram, rows[tuple(sorted((x.name, x.value) for x in m.label))]
            assert h.schema == 3 and 0 < h.zero_threshold < 1e-9, h
            assert classic(h) == row["bucket"] and h.sample_count == row["count"], (name, h, row)
            assert abs(h.sample_sum - row["sum"]) <= 1e-15 * row["sum"], (name, h, row)
            fine = metric_messages.fine_buckets(h)
            assert sum(x[2] for x in fine) == h.sample_count, (name, fine)
            for bound, count in classic(h):
                sure = sum(n for _, upper, n in fine if upper <= bound)
                most = sum(n for lower, _, n in fine if lower < bound)
                assert sure <= count <= most, (name, bound, count, fine)
            assert sum(lower * n for lower, _, n in fine) <= h.sample_sum * 1.000001 + 1e-8, (name, fine)
            assert h.sample_sum <= sum(upper * n for _, upper, n in fine) * 1.000001 + 1e-8, (name, fine)
            seen += h.sample_count
    assert seen > 20, seen
    labels = {x.name: x.value for x in found["linalgd_jobs_total"].metric[0].label}
    assert set(labels) == {"op", "device", "outcome"}
    packed = curl(d, "/metrics", "-H", "Accept: " + NATIVE, "-H", "Accept-Encoding: gzip")
    assert packed.headers["content-encoding"] == "gzip", packed.headers
    assert metric_messages.parse(gzip.decompress(packed.body)).keys() == found.keys()


@case()
def a_scrape_needs_the_token(d):
    with tempfile.TemporaryDirectory() as t:
        path = os.path.join(t, "tokens")
        with open(path, "w") as f:
            f.write("sesame\n")
        with Daemon(d.binary, "--token-file", path, "--access-log", "off") as s:
            curl(s, "/metrics").problem(401)
            found = scrape(s, "-H", "Authorization: Bearer sesame")
            assert exposition.value(found, "linalgd_rejected_total", reason="unauthorized") == 1


@case()
def a_scrape_that_nobody_reads_holds_nothing_up(d):
    serve_what_has_histograms(d)
    for accept in ("*/*", OPEN, NATIVE):
        request = f"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", d.port)) as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            for _ in range(200):
                s.sendall(request)
            assert post(d, "/matmul", {"a": [[2]], "b": [[3]]}).json()["result"]["c"] == [[6]]
            scrape(d)
        for _ in range(50):                     # clients that leave while the metrics are printed
            with socket.create_connection(("127.0.0.1", d.port)) as s:
                s.sendall(request)
        scrape(d)
