"""probes.py - a client in a process of its own, which keeps asking a daemon and notes how long each answer took.

A process of its own, so that what the crowd of the calling program costs does
not count as the daemon's time.
"""
import http.client
import json
import multiprocessing
import time

PATIENCE = 120                  # seconds; a longer wait is a failure


def rank(values, share):
    """The value below which that share of them lies, the next larger one of those that were measured."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def spread(seconds):
    return f"median {1000 * rank(seconds, 0.5):.1f} ms, p99 {1000 * rank(seconds, 0.99):.1f} ms, longest {1000 * max(seconds):.1f} ms"


def health(connection, headers):
    connection.request("GET", "/healthz", headers=headers)
    r = connection.getresponse()
    data = r.read()
    return "" if r.status == 200 else f"{r.status} {data[:300]}"


def product(connection, headers):
    connection.request("POST", "/matmul", json.dumps({"a": [[1, 2], [3, 4]], "b": [[5], [6]], "timing": "none"}),
                       {"Content-Type": "application/json", **headers})
    r = connection.getresponse()
    data = r.read()
    right = r.status == 200 and json.loads(data)["result"]["c"] == [[17], [39]]
    return "" if right else f"{r.status} {data[:300]}"


def ask_all(port, asks, headers, kept, pause, over, out):
    found = {ask.__name__: [] for ask in asks}
    wrong, connection = [], None
    while not over.is_set():
        for ask in asks:
            begun = time.monotonic()
            try:
                connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                if problem := ask(connection, headers):
                    wrong.append(f"{ask.__name__}: {problem}")
            except (OSError, http.client.HTTPException) as e:
                wrong.append(f"{ask.__name__}: {type(e).__name__}: {e}")
            found[ask.__name__].append(time.monotonic() - begun)
            if not kept or wrong:
                connection.close()
                connection = None
        over.wait(pause)
    out.put((found, wrong))


class Probe:
    """with Probe(port) as p: ... p.seconds["health"], p.wrong; each request on a connection of its own, unless `kept`."""

    def __init__(self, port, asks=(health, product), headers=None, kept=False, pause=0.02):
        context = multiprocessing.get_context("fork")
        self.over, self.out = context.Event(), context.Queue()
        self.process = context.Process(target=ask_all, args=(port, asks, headers or {}, kept, pause, self.over, self.out))

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.seconds, self.wrong = self.out.get(timeout=2 * PATIENCE)
        self.process.join()
