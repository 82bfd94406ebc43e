"""case_bench.py - what the program measures: a device's peaks, the articles' tables, its peers."""
import json
import os
import subprocess
import tempfile
import xml.etree.ElementTree

from client import case, curl
from daemon import Daemon

PEAKS = ("peak_gbytes_per_s", "peak_gflops_float32")


def linalgd(d, *arguments, **env):
    done = subprocess.run([d.binary, *arguments], capture_output=True, text=True, timeout=600, env=dict(os.environ, **env))
    assert done.returncode == 0, done
    print(done.stderr, end="", flush=True)
    return done.stdout


def figures(d, *arguments, **env):
    return [json.loads(line) for line in linalgd(d, "bench", "--json", *arguments, **env).splitlines()]


def skip(why):
    print("skipped: " + why, flush=True)


def sheets(d, *arguments):
    return json.loads(linalgd(d, "devices", "--json", *arguments))["devices"]


@case()
def measured_peaks_are_shown_afterwards(d):
    with tempfile.TemporaryDirectory() as cache:
        assert not any(p in sheets(d, "--cache", cache)[0] for p in PEAKS)
        measured = sheets(d, "--measure", "--cache", cache)
        assert all(s[p] > 0 for s in measured for p in PEAKS), measured
        assert sheets(d, "--cache", cache) == measured
        with Daemon(d.binary, "--cache", cache) as s:
            shown = curl(s, "/devices").json()["devices"][0]
            assert all(shown[p] == measured[shown["index"]][p] for p in PEAKS), shown


@case()
def the_articles_tables_stand_beside_ours(d):
    with tempfile.TemporaryDirectory() as plots:
        lines = figures(d, "--suite", "seeds", "--work", "stop", "--plot", plots, "--cell-seconds", "0.002")
        assert {l["variant"] for l in lines} == {"v0", "shuffle"} and len(lines) == 30, lines
        assert all((l["ours_ms"] is None) == ("reason" in l) for l in lines), lines
        assert all(l["error"] == 0 for l in lines if l["ours_ms"]), lines
        first = [l for l in lines if l["shape"] == "65536"]
        assert len(first) == 3 and all(l["ours_ms"] > 0 for l in first), first
        assert [l["peer_ms"] for l in first] == [None, 0.707, 0.676], first
        root = xml.etree.ElementTree.parse(os.path.join(plots, "stop.svg")).getroot()
        assert root.tag.endswith("svg") and len(root.findall(".//{*}circle")) >= 2
    assert "this device" in linalgd(d, "bench", "--suite", "seeds", "--work", "sheet")


@case()
def a_python_service_stands_beside_ours(d):
    peers = os.path.join(os.path.dirname(d.binary), "bench")
    needed = ("/usr/bin/wrk", os.path.join(peers, "venv", "installed"), os.path.join(peers, "service.py"))
    missing = [path for path in needed if not os.path.exists(path)]
    if missing:
        return skip(f"no {missing[0]}; make bench-service installs it")
    lines = figures(d, "--suite", "service", "--quick", "--work", "matmul json 4 c64")
    assert [(l["peer"], l["peer_workers"]) for l in lines] == [("FastAPI", 1), ("FastAPI x2", 2)], lines
    for line in lines:
        assert line["connections"] == 64 and line["requests_per_s"] > 0 and line["peer_requests_per_s"] > 0, line
        assert 0 < line["p50_ms"] <= line["p99_ms"] and line["cpu_us"] > 0 and line["peer_cpu_us"] > 0, line
        assert abs(line["ratio"] * line["ours_ms"] / line["peer_ms"] - 1) < 1e-4, line


@case()
def without_peers_the_service_is_measured_alone(d):
    with tempfile.TemporaryDirectory() as nothing:
        lines = figures(d, "--suite", "service", "--quick", "--peers", nothing, "--work", "lu")
    assert {l["format"] for l in lines} == {"json", "npy"}, lines
    for line in lines:
        assert line["ours_ms"] > 0 and line["peer"] is None and line["peer_ms"] is None, line
        assert line["ratio"] is None, line


def bench(d, *arguments, stdout=subprocess.DEVNULL, **env):
    return subprocess.run([d.binary, "bench", *arguments], stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=600,
                          env=dict(os.environ, **env))


@case()
def a_failed_measurement_is_told_by_the_status(d):
    with tempfile.TemporaryDirectory() as nothing:
        for suite, work in (("service", "lu npy 1024"), ("scaling", "queue")):
            done = bench(d, "--suite", suite, "--work", work, "--quick", "--peers", nothing, LINALGD_MAX_BODY="1")
            assert done.returncode == 1 and ("413" in done.stderr or "connection broke" in done.stderr), (suite, work, done)
        for suite in ("peers", "seeds", "service", "scaling", "devices"):
            done = bench(d, "--suite", suite, "--work", "frobnicate", "--peers", nothing)
            assert done.returncode == 2 and "no work of this suite is frobnicate" in done.stderr, (suite, done)


@case()
def nothing_is_measured_that_nobody_reads(d):
    """All of a suite takes longer than the limit of bench()."""
    for more in ((), ("--json",)):
        for suite in ("peers", "scaling"):
            read, write = os.pipe()
            os.close(read)
            done = bench(d, "--suite", suite, "--peers", "/", "--pairs", "101", "--cell-seconds", "60", *more, stdout=write)
            os.close(write)
            assert done.returncode == 1 and "standard output" in done.stderr, (suite, done)


@case()
def a_peer_in_python_computes_the_same(d):
    peers = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "peers")
    rounded, solved = {"float32": 2**-18, "float64": 2**-47}, {"float32": 1e-3, "float64": 1e-6}
    for work, most in (("spmv power", rounded), ("permute both", rounded), ("trace", rounded), ("jacobi", solved)):
        lines = figures(d, "--pairs", "1", "--peers", peers, "--work", work)
        if lines[0]["peer"] is None:
            return skip("no SciPy")
        assert {l["dtype"] for l in lines} == set(most), lines
        for line in lines:
            assert line["ours_ms"] > 0 and line["peer_ms"] > 0, line
            assert line["error"] < most[line["dtype"]] and line["peer_error"] < most[line["dtype"]], line


@case()
def what_no_peer_computes_is_measured_alone(d):
    lines = figures(d, "--pairs", "1", "--work", "jacobi mixed")
    assert len(lines) == 4, lines
    for line in lines:
        assert line["ours_ms"] > 0 and line["error"] < 1e-3, line
        assert line["peer"] is None and line["peer_ms"] is None and line["ratio"] is None, line


@case()
def scaling_tells_exponents_and_memory(d):
    lines = figures(d, "--suite", "scaling", "--work", "transpose", "--cell-seconds", "0.01")
    for dtype in ("float32", "float64"):
        of_one = [l for l in lines if l["dtype"] == dtype]      # as many as the time of a cell allows
        assert of_one and [l["shape"] for l in of_one] == [f"{64 << i}x{64 << i}" for i in range(len(of_one))], lines
        assert [l["exponent"] is None for l in of_one] == [True] + [False] * (len(of_one) - 1), lines
    queue = figures(d, "--suite", "scaling", "--work", "queue")
    assert [l["shape"] for l in queue] == ["4x4", "64x64"], queue
    assert all(0 < l["kib_per_job"] < 256 and l["jobs"] == 200 for l in queue), queue
    chains = figures(d, "--suite", "scaling", "--work", "pipeline", "--quick")
    assert [l["shape"] for l in chains] == ["64x64", "256x256", "1024x1024"], chains
    assert all(l["ours_ms"] > 0 and l["requests_ms"] > 0 and l["ratio"] > 0 for l in chains), chains


@case()
def more_devices_are_set_beside_one(d):
    def on_two(*more):
        return figures(d, "--suite", "devices", "--quick", "--peers", os.path.join(here, "..", "..", "bench"), *more,
                       POCL_DEVICES="pthread pthread")
    here = os.path.dirname(os.path.abspath(__file__))
    lines = on_two("--work", "product", "--size", "300")
    if os.path.exists("/usr/bin/wrk"):
        lines += on_two("--work", "jobs")
    else:
        skip("no /usr/bin/wrk: jobs")
    assert [l["devices"] for l in lines] == [1, 2] * (len(lines) // 2), lines
    for one, two in zip(lines[::2], lines[1::2]):
        figure, = {"ours_ms", "jobs_per_s"} & set(one)
        assert one["ratio"] == 1 and one[figure] > 0 and two[figure] > 0, lines
        assert abs(two["ratio"] / (two[figure] / one[figure]) ** (-1 if figure == "ours_ms" else 1) - 1) < 1e-3, lines
