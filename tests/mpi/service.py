"""service.py - linalgd-mpi as a device of the service: what it refuses, what ends its processes, and what happens then."""
import json
import os
import signal
import subprocess
import threading
import time
import urllib.request

import numpy as np

from answers import random, symmetric
from lane import SIGNALS, Lane, are_gone


def the_sheet_says_what_it_is(d):
    sheet = d.sheet()
    assert sheet["type"] == "cluster" and sheet["platform"] == "MPI" and sheet["healthy"], sheet
    assert f"{d.ranks} processes on 1 host" in sheet["name"] and sheet["global_memory_bytes"] > 1 << 20, sheet
    for selector in ("mpi", "cluster", str(sheet["index"])):
        status, answer = d.post("/lu", {"a": np.eye(3)}, device=selector)
        assert status == 200 and answer["device"]["name"] == sheet["name"], answer


def what_it_does_not_compute_is_refused(d):
    a, s = random(20, 20), symmetric(20)
    table = [
        ("/svd", {"a": a}, {}, "does not compute this operation"),
        ("/lu", {"a": random(2, 20, 20)}, {}, "stacks of matrices"),
        ("/matmul", {"a": random(2, 20, 20), "b": random(2, 20, 20)}, {}, "stacks of matrices"),
        ("/lu", {"a": a.astype(np.complex128)}, {}, "complex128"),
        ("/matmul", {"a": a, "b": a}, {"dtype": "float16"}, "16 bits"),
        ("/lu", {"a": a}, {"pivot": "none"}, "without pivoting"),
        ("/lu", {"a": a}, {"variant": "blocked"}, "variant blocked"),
        ("/solve", {"a": s, "b": a}, {"structure": "spd"}, "named structure"),
        ("/solve", {"factors": a, "pivots": np.arange(20), "b": a}, {}, "given factors"),
        ("/solve", {"a": s, "b": a[0]}, {"method": "cg"}, "iterations"),
        ("/eigen", {"a": s}, {}, "which=dominant"),
        ("/eigen", {"a": a}, {"which": "all"}, "(1, 0) and (0, 1)"),
        ("/eigen", {"a": s}, {"which": "all", "structure": "general"}, "general"),
        ("/eigen", {"a": s, "b": np.eye(20)}, {"which": "all"}, "two matrices"),
        ("/eigen", {"a": s}, {"which": "all", "method": "jacobi"}, "method"),
    ]
    for path, operands, query, words in table:
        status, answer = d.post(path, operands, device="mpi", **query)
        assert status == 400 and words in answer["detail"], (path, query, status, answer)
    status, answer = d.post("/eigen", {"a": a}, device="mpi", which="all", structure="symmetric")
    assert status == 422 and "not symmetric" in answer["detail"], answer
    status, answer = d.post("/solve", {"a": random(3, 4), "b": a}, device="mpi")
    assert status == 422 and "square" in answer["detail"], answer


def a_pipeline_is_refused(d):
    body = {"device": "mpi", "a": [[1, 2], [3, 4]], "steps": [{"op": "lu", "a": "@a", "as": "f"}]}
    request = urllib.request.Request(d.url + "/pipelines", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=60)
        raise AssertionError("the pipeline was accepted")
    except urllib.error.HTTPError as e:
        answer = json.load(e)
        assert e.code == 400 and "pipelines" in answer["detail"], answer


def timing_names_the_routines(d):
    _, answer = d.post("/solve", {"a": random(200, 200), "b": random(200)}, device="mpi")
    rows = {row["name"]: row for row in answer["timing"]["kernels"]}
    assert {"pdgetrf", "pdgetrs"} <= set(rows) and rows["pdgetrf"]["variant"] == "scalapack", answer["timing"]
    _, answer = d.post("/matmul", {"a": np.eye(9, dtype=np.float32), "b": np.eye(9, dtype=np.float32)}, device="mpi")
    assert [row["name"] for row in answer["timing"]["kernels"]] == ["psgemm"], answer["timing"]


def small_calls_come_in_batches(d):
    results = [None] * 24

    def ask(i):
        results[i] = d.post("/matmul", {"a": i * np.eye(4), "b": np.eye(4)}, device="mpi")
    threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(results))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for i, (status, answer) in enumerate(results):
        assert status == 200 and (np.array(answer["result"]["c"]) == i * np.eye(4)).all(), answer


def a_stored_matrix_is_an_operand(d):
    a = random(120, 120)
    body = a.tobytes()
    request = urllib.request.Request(d.url + "/matrices/m?shape=120,120&dtype=float64", body,
                                     {"Content-Type": "application/octet-stream"}, method="PUT")
    urllib.request.urlopen(request, timeout=60).close()
    request = urllib.request.Request(d.url + "/matmul", json.dumps({"a": {"ref": "m"}, "b": {"ref": "m"}, "device": "mpi"}).encode(),
                                     {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert np.allclose(json.load(answer)["result"]["c"], a @ a)


def works(d):
    d.wait_until_ready()
    a = random(100, 100)
    got, _ = d.answer("/matmul", {"a": a, "b": a})
    assert np.allclose(got["c"], a @ a)


def submit(d, n, **query):
    status, job = d.post("/lu", {"a": random(n, n)}, headers={"Prefer": "respond-async"}, device="mpi", **query)
    assert status == 202, job
    return "/jobs/" + job["id"]


def wait_for(d, path, *states):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        job = d.get(path)
        if job["status"] in states:
            return job
        time.sleep(0.01)
    raise AssertionError(job)


def a_deadline_ends_a_computation(d):
    status, answer = d.post("/lu", {"a": random(3000, 3000)}, device="mpi", timeout_ms=300)
    assert status == 504 and answer["type"].endswith("/timeout"), answer
    works(d)


def a_running_job_can_be_dismissed(d):
    path = submit(d, 3000)
    wait_for(d, path, "running")
    urllib.request.urlopen(urllib.request.Request(d.url + path, method="DELETE"), timeout=60).close()
    assert d.get(path)["status"] == "dismissed"
    works(d)


def a_job_survives_a_killed_process(d):
    path = submit(d, 2000)
    wait_for(d, path, "running")
    d.kill_one(SIGNALS["killed"])
    wait_for(d, path, "successful")
    assert "signal 9" in d.log()
    works(d)


def a_process_that_crashes_fails_the_job(d):
    path = submit(d, 3000)
    wait_for(d, path, "running")
    d.kill_one(SIGNALS["crashed"])
    job = wait_for(d, path, "failed")
    assert "signal 11" in job["error"]["detail"], job
    works(d)


def idle_processes_leave_the_processors_alone(d):
    works(d)
    ticks = lambda: sum(int(x) for pid in d.processes() for x in open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13])
    time.sleep(0.5)
    before = ticks()
    time.sleep(2)
    # A process that polled without pause would take 200 ticks of 10 ms.
    assert ticks() - before < 40 * d.ranks, (before, ticks())


CASES = [the_sheet_says_what_it_is, what_it_does_not_compute_is_refused, a_pipeline_is_refused, timing_names_the_routines,
         small_calls_come_in_batches, a_stored_matrix_is_an_operand, a_deadline_ends_a_computation,
         a_running_job_can_be_dismissed, a_job_survives_a_killed_process, a_process_that_crashes_fails_the_job,
         idle_processes_leave_the_processors_alone]


# --- with daemons of their own

def auto_takes_it_for_what_no_device_can_hold(binary, program):
    with Lane(binary, program, 2, LINALGD_DEVICE_MEMORY="2M") as d:
        d.wait_until_ready()
        for n, device in ((40, "cpu"), (600, "cluster")):
            status, answer = d.post("/lu", {"a": random(n, n)})
            types = {row["index"]: row["type"] for row in d.get("/devices")["devices"]}
            assert status == 200 and types[answer["device"]["index"]] == device, answer
        status, answer = d.post("/svd", {"a": random(600, 600)})
        assert status == 413 and "device 0 " in answer["detail"], answer


def no_process_outlives_the_daemon(binary, program):
    for number in (signal.SIGTERM, signal.SIGKILL):
        with Lane(binary, program, 4) as d:
            d.wait_until_ready()
            ranks = d.processes()
            assert len(ranks) == 4
            submit(d, 3000)
            d.process.send_signal(number)
            d.process.wait(60)
            assert are_gone(ranks), ranks


def a_command_that_fails_is_told(binary, program):
    for command, words in (("/nonexistent/mpirun", "has ended before"), (f"{program} --help", "has ended before"),
                           (f"mpirun --no-such-option {program}", "has ended before")):
        with Lane(binary, program, 2) as d:
            d.options = ("--mpi", command)
        with d:
            end = time.monotonic() + 60
            while words not in d.log() and time.monotonic() < end:
                time.sleep(0.05)
            assert words in d.log(), d.log()
            status, answer = d.post("/lu", {"a": np.eye(3)}, device="mpi", timeout_ms=200)
            assert status == 504, answer
            assert d.post("/lu", {"a": np.eye(3)})[0] == 200


def the_program_says_how_it_is_started(binary, program):
    for words, status in ((["--help"], 0), (["--version"], 0), ([], 2), (["--no-such"], 2), (["word"], 2)):
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == status and (done.stdout or done.stderr), (words, done)
    done = subprocess.run([program, "--front", "linalgd-nobody"], capture_output=True, text=True, timeout=60,
                          env=dict(os.environ, OMPI_MCA_plm_rsh_agent="/bin/false"))
    assert done.returncode != 0 and "linalgd-nobody" in done.stderr, done


OTHERS = [auto_takes_it_for_what_no_device_can_hold, no_process_outlives_the_daemon, a_command_that_fails_is_told,
          the_program_says_how_it_is_started]
