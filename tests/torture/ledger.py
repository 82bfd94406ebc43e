"""ledger.py - clients that note what was accepted, and hold the service to it.

Each client submits asynchronous jobs with an Idempotency-Key, repeats a request
under its key until the 202 has come, and later fetches and checks the result.
What must never happen is a failure: a job that was answered with 202 and is
not found, failed or is wrong; another id for the same key; a result that was
recorded again, told by its time; a connection that is refused.
"""
import collections
import http.client
import json
import random
import threading
import time

from questions import Question

PATIENCE = 180                  # seconds; a longer wait is a failure
WINDOW = 32                     # jobs that a client has not fetched yet
BY_KILLS = "failed with the reason"
ENDED = ("successful", "failed", "dismissed")


class Wrong(Exception):
    """The service did what it must not do."""


class Entry:
    """A job in the ledger."""
    __slots__ = ("key", "question", "at", "finished", "gone")

    def __init__(self, key, question):
        self.key, self.question = key, question
        self.at = None                  # /jobs/{id}, from the 202
        self.finished = None            # when its result was recorded
        self.gone = False               # deleted by its client, or given up


class Ledger:
    """What all clients note, and what they have to say at the end."""

    def __init__(self, port, seed, large=True):
        self.port, self.seed, self.large = port, seed, large
        self.over = threading.Event()   # no more jobs are submitted
        self.lock = threading.Lock()    # guards the members below
        self.entries = []               # those that were accepted
        self.others = set()             # ids of jobs that others submitted
        self.failures = []
        self.count = collections.Counter()

    def note(self, what):
        with self.lock:
            self.count[what] += 1

    def fail(self, what):
        with self.lock:
            self.failures.append(what)

    def accepted(self):
        with self.lock:
            return len(self.entries)

    def start(self, clients):
        self.threads = [threading.Thread(target=c.run) for c in clients]
        for t in self.threads:
            t.start()

    def finish(self):
        """The clients fetch what is open, and end. Afterwards every job is looked at once more."""
        self.over.set()
        for t in self.threads:
            t.join()

    def looked_at_again(self):
        """The number of jobs whose records are still what they were."""
        c, found = Client(self, "end"), 0
        for e in [e for e in self.entries if not e.gone]:
            try:
                c.look_again(e)
                found += 1
            except (Wrong, OSError, http.client.HTTPException) as problem:
                self.fail(str(problem))
        return found


def failed_by_kills(record):
    return record["status"] == "failed" and "device-failure" in json.dumps(record)


class Client:
    def __init__(self, ledger, number):
        self.ledger, self.number = ledger, number
        self.random = random.Random(f"{ledger.seed}-{number}")
        self.open, self.old = collections.deque(), collections.deque()
        self.connection = None

    # --- talking

    def once(self, method, path, body, headers):
        """Status, headers, body. A 202 counts from its head on, even if the connection breaks after it."""
        if not self.connection:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.ledger.port, timeout=PATIENCE)
        self.connection.request(method, path, body, headers)
        r = self.connection.getresponse()
        try:
            data = r.read()
        except (OSError, http.client.HTTPException):
            if r.status != 202:
                raise
            data = b""
            self.leave()
        return r.status, r.headers, data

    def leave(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self, method, path, body=None, **headers):
        """Asks until the service answers something else than that it cannot now."""
        headers = {k.replace("_", "-"): v for k, v in headers.items()}
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                status, got, data = self.once(method, path, body, headers)
            except ConnectionRefusedError as e:
                raise Wrong(f"{method} {path}: {e}") from e
            except (OSError, http.client.HTTPException):
                self.leave()
                self.ledger.note("broken")
                continue
            if status != 503 and not (status == 409 and "Idempotency-Key" in headers):
                return status, got, data
            self.ledger.note(f"put off, {status}")
            time.sleep(0.02 + 0.1 * self.random.random())
        raise Wrong(f"{method} {path}: no answer within {PATIENCE} s")

    # --- a job's way

    def submit(self, e):
        path, media, body = e.question.request()
        status, headers, data = self.ask("POST", path, body, Content_Type=media, Prefer="respond-async",
                                         Idempotency_Key=e.key)
        if status != 202:
            raise Wrong(f"{e.key}, POST {path}: {status} {data[:300]}")
        if e.at and headers["Location"] != e.at:
            self.computed_again(e, headers["Location"])
        return headers["Location"]

    def computed_again(self, e, at):
        """A repeated request has become another job: right only if the first one failed, its workers killed."""
        first = self.record(e)
        if not failed_by_kills(first):
            raise Wrong(f"{e.key}: was {e.at} and is now {at}, and the first is {first}")
        self.ledger.note("computed again")
        e.at = at

    def accept(self, number):
        seed = f"{self.ledger.seed}-{self.number}-{number}"
        e = Entry(f"key-{seed}", Question(seed, self.ledger.large))
        e.at = self.submit(e)
        with self.ledger.lock:
            self.ledger.entries.append(e)
        self.open.append(e)

    def record(self, e):
        status, _, data = self.ask("GET", e.at)
        if status != 200:
            raise Wrong(f"LOST: {e.key}, {e.at}: {status} {data[:300]}")
        return json.loads(data)

    def ended(self, e):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            j = self.record(e)
            if j["status"] in ENDED:
                return j
            time.sleep(0.02)
        raise Wrong(f"{e.key}, {e.at}: not done within {PATIENCE} s: {j}")

    def fetch(self, e):
        j = self.ended(e)
        if failed_by_kills(j):
            e.gone = True
            self.ledger.note(BY_KILLS)
            return
        if j["status"] != "successful":
            raise Wrong(f"{e.key}, {e.at}: {j}")
        status, _, data = self.ask("GET", e.at + "/result", Accept="application/x-npy")
        if status != 200:
            raise Wrong(f"LOST: {e.key}, result of {e.at}: {status} {data[:300]}")
        if not e.question.right(data):
            raise Wrong(f"{e.key}, {e.at}: wrong result of {e.question.kind}")
        e.finished = j["finished"]
        self.ledger.note("right")
        self.old.append(e)

    def look_again(self, e):
        j = self.record(e)
        if e.finished and (j["status"], j["finished"]) != ("successful", e.finished):
            raise Wrong(f"{e.key}, {e.at}: was recorded at {e.finished}, and now: {j}")

    def revisit(self):
        """An earlier job: the record is the same, and its key leads to it; a large one is then deleted."""
        e = self.old.popleft()
        self.look_again(e)
        if self.random.random() < 0.3:
            self.submit(e)
            self.ledger.note("repeated")
        if e.question.large:
            e.gone = True
            self.ask("DELETE", e.at)

    # ---

    def step(self, number):
        if len(self.open) < WINDOW and not self.ledger.over.is_set():
            self.accept(number)
            if self.random.random() < 0.05:
                self.submit(self.random.choice(self.open))
                self.ledger.note("repeated")
        else:
            self.fetch(self.open.popleft())
        if len(self.old) > 5:
            self.revisit()

    def attempt(self, deed):
        try:
            deed()
        except Wrong as e:
            self.ledger.fail(str(e))
        except Exception as e:
            self.ledger.fail(f"client {self.number}: {type(e).__name__}: {e}")
            self.ledger.over.set()

    def run(self):
        number = 0
        while self.open or not self.ledger.over.is_set():
            number += 1
            self.attempt(lambda: self.step(number))
        self.leave()
