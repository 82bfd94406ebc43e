"""case_repeats.py - requests that come again with the same Idempotency-Key."""
import concurrent.futures
import json
import time
import uuid

from client import ASYNC, busy, case, curl, dismiss, finished, job, jobs, post, product, send, submit, until


def fresh_key():
    return "-H", f"Idempotency-Key: {uuid.uuid4()}"


@case()
def a_repeat_with_the_same_key_is_the_same_job(d):
    key = fresh_key()
    at = submit(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key)
    assert submit(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key) == at
    finished(d, at)
    assert submit(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key) == at
    assert post(d, "/lu", {"a": [[2, 1], [1, 3]]}, *key).headers["linalgd-job"] == at[6:]
    post(d, "/lu", {"a": [[9]]}, *ASYNC, *key).problem(422, at[6:])
    post(d, "/lu?timing=none", {"a": [[2, 1], [1, 3]]}, *ASYNC, *key).problem(422)
    post(d, "/lu", {"a": [[1]]}, "-H", "Idempotency-Key: " + "x" * 200).problem(400)


@case()
def an_asynchronous_repeat_of_an_answered_request_has_a_result(d):
    k, body = fresh_key(), {"a": [[2, 1], [1, 3]]}
    assert post(d, "/lu", body, *k).status == 200
    at = submit(d, "/lu", body, *k)
    finished(d, at)
    assert curl(d, at + "/result").json()["result"]["lu"] == [[2, 1], [0.5, 2.5]]
    assert submit(d, "/lu", body, *k) == at


@case()
def a_repeat_that_waits_gets_the_result(d):
    k, body = fresh_key(), {"a": [[2]], "b": [[3]]}
    waits = "-H", "Prefer: respond-async, wait=60"
    with busy(d):
        at = submit(d, "/matmul", body, *k)
        repeat = concurrent.futures.ThreadPoolExecutor(1).submit(post, d, "/matmul", body, *waits, *k)
        time.sleep(0.3)
        assert not repeat.done()
    for r in repeat.result(), post(d, "/matmul", body, *waits, *k):     # the second one finds the job ended
        assert r.status == 200 and r.headers["linalgd-job"] == at[6:] and r.json()["result"]["c"] == [[6]]


@case()
def a_repeat_of_a_dismissed_job_runs_again(d):
    k, body = fresh_key(), {"a": [[2]], "b": [[3]]}
    with busy(d):
        at = submit(d, "/matmul", body, *k)
        dismiss(d, at)
        again = submit(d, "/matmul", body, *k)
        assert again != at and submit(d, "/matmul", body, *k) == again
    finished(d, again)
    assert curl(d, again + "/result").json()["result"]["c"] == [[6]]
    assert post(d, "/matmul", body, *k).headers["linalgd-job"] == again[6:]


@case("--result-ttl", "1")
def a_repeat_after_the_time_to_live_runs_again(d):
    k = fresh_key()
    at = submit(d, "/lu", {"a": [[2]]}, *k)
    until("the result is gone", lambda: curl(d, at + "/result").status == 410)
    again = submit(d, "/lu", {"a": [[2]]}, *k)
    assert again != at
    assert finished(d, again)["status"] == "successful"
    until("that is gone, too", lambda: curl(d, again + "/result").status == 410)
    assert post(d, "/lu", {"a": [[2]]}, *k).status == 200


@case("--durability", "none")
def an_asynchronous_repeat_of_a_waiting_request_outlives_its_client(d):
    body = json.dumps({"a": [[2]], "b": [[3]]}).encode()
    def ask(k):
        s = send(d, f"POST /matmul HTTP/1.1\r\nHost: localhost\r\n{k[1]}\r\nContent-Type: application/json\r\n"
                 f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return s, until("it waits", lambda: jobs(d, "accepted"))[0]["id"]
    k = fresh_key()
    with busy(d):
        client, first = ask(k)
        at = submit(d, "/matmul", json.loads(body), *k)
        assert at == "/jobs/" + first
        other, second = ask(fresh_key())
        client.close()
        other.close()
        until("the other one's client is missed", lambda: job(d, "/jobs/" + second)["status"] == "dismissed")
        assert job(d, at)["status"] == "accepted"
    assert finished(d, at)["status"] == "successful"
    assert curl(d, at + "/result").json()["result"]["c"] == [[6]]


@case()
def a_synchronous_repeat_of_an_unended_job_is_a_conflict(d):
    with busy(d):
        for body in ({"a": [[2]], "b": [[3]]}, product(1000)):
            key = fresh_key()
            at = submit(d, "/matmul", body, *key)
            post(d, "/matmul", body, *key).problem(409, at[6:])
            dismiss(d, at)
