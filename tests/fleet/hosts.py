"""hosts.py - starts several daemons with one database, each as a host of a fleet, and sends requests to them."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import signal
import socket
import threading
import time

from daemon import Daemon

LEASE = 1.5


class Reply:
    def __init__(self, r):
        self.status, self.headers, self.body = r.status, {k.lower(): v for k, v in r.getheaders()}, r.read()

    def json(self):
        return json.loads(self.body)

    def problem(self, status, slug=None):
        assert self.status == status, (self.status, self.body[:500])
        p = self.json()
        assert slug is None or p["type"] == "/problems/" + slug, p
        return p


def ask(d, path, body=None, method=None, timeout=60, **headers):
    """Sends a request and returns its reply. The name of a header is given with underscores for its hyphens."""
    c = http.client.HTTPConnection("127.0.0.1", d.port, timeout=timeout)
    sent = {k.replace("_", "-"): v for k, v in headers.items()}
    if isinstance(body, dict):
        body, sent["Content-Type"] = json.dumps(body), "application/json"
    try:
        c.request(method or ("POST" if body is not None else "GET"), path, body, sent)
        return Reply(c.getresponse())
    finally:
        c.close()


def submit(d, path, body, **headers):
    """Submits an asynchronous job and returns its path."""
    r = ask(d, path, body, Prefer="respond-async", **headers)
    assert r.status == 202, (r.status, r.body[:500])
    return r.headers["location"]


def job(d, at):
    r = ask(d, at)
    assert r.status == 200, (r.status, r.body[:500])
    return r.json()


def until(what, seconds=30):
    """Calls what() until its value is true, and returns that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = what()
        if answer:
            return answer
        time.sleep(0.02)
    raise AssertionError(f"the condition did not become true within {seconds} s")


def finished(d, at, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        r = ask(d, at, Prefer="wait=20")
        assert r.status == 200, (r.status, r.body[:500])
        if r.json()["status"] in ("successful", "failed", "dismissed"):
            return r.json()
    raise AssertionError(f"{at} has not ended")


def metric(d, name, **headers):
    text = ask(d, "/metrics", **headers).body.decode()
    return sum(float(line.split()[1]) for line in text.splitlines() if line.startswith(name + " ") or line.startswith(name + "{"))


class Host(Daemon):
    """One daemon of the fleet, which can be killed, or paused and resumed."""

    def __init__(self, binary, url, name, *options, env=None):
        super().__init__(binary, "--queue", url, "--host-name", name, "--lease", str(LEASE), "--drain-seconds", "1", *options,
                         env=env)
        self.name = name

    def kill(self):
        self.process.kill()
        self.process.wait()

    def pause(self):
        """Stops (SIGSTOP) the front. Its workers go on."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def joined(self):
        """Waits until the host has joined the fleet."""
        until(lambda: ask(self, "/readyz").json().get("queue") == "ready")

    def __exit__(self, kind, *why):
        ends = self.process.poll() is None
        if ends:
            self.resume()
            status, log = self.stop(), self.log()
        super().__exit__(kind, *why)
        assert kind or not ends or status == 0, (status, log[-3000:])


class Fleet:
    """Hosts a, b, ... with a new database. Its table `ended` gets a row whenever a job's end is recorded."""

    def __init__(self, postgres, binary, n=2, *options):
        self.postgres, self.binary, self.n, self.options = postgres, binary, n, options
        self.database = f"fleet{os.urandom(4).hex()}"
        self.stack = contextlib.ExitStack()
        self.host = {}

    def __enter__(self):
        self.postgres.sql(f"CREATE DATABASE {self.database}")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            list(pool.map(self.start, "abcdef"[:self.n]))
        self.sql("""CREATE TABLE ended(id text, epoch bigint, state text);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO ended VALUES(NEW.id, NEW.epoch, NEW.state); RETURN NEW; END $$;
            CREATE TRIGGER note AFTER UPDATE ON linalgd.job FOR EACH ROW
            WHEN (OLD.state IS DISTINCT FROM NEW.state AND NEW.state IN ('successful', 'failed', 'dismissed'))
            EXECUTE FUNCTION note()""")
        return self

    def start(self, name, url=None, env=None, options=None):
        options = self.options if options is None else options
        host = Host(self.binary, url or self.postgres.url(self.database), name, *options, env=env)
        self.host[name] = self.stack.enter_context(host)
        self.host[name].joined()
        return self.host[name]

    def hosts(self):
        return [h for name, h in sorted(self.host.items()) if h.process.poll() is None]

    def sql(self, text):
        return self.postgres.sql(text, self.database)

    def owner(self, at):
        """Waits until a host runs the job, and returns that host."""
        sql = f"SELECT owner FROM linalgd.job WHERE id = '{os.path.basename(at)}' AND state = 'running'"
        return self.host[until(lambda: self.sql(sql))[0][0].split("-")[0]]

    def others(self, host):
        return [h for h in self.hosts() if h is not host]

    def ends(self, at):
        return self.sql(f"SELECT epoch, state FROM ended WHERE id = '{os.path.basename(at)}'")

    def check_once(self):
        """Checks that no job's end was recorded twice."""
        assert self.sql("SELECT id, count(*) FROM ended GROUP BY id HAVING count(*) > 1") == []

    def __exit__(self, *why):
        self.stack.__exit__(*why)


class Wire:
    """A TCP proxy of the database. cut() holds back the bytes of all its connections, without closing them; mend() lets them pass."""

    def __init__(self, postgres):
        self.path = os.path.join(postgres.directory, ".s.PGSQL.5432")

    def __enter__(self):
        self.open = threading.Event()
        self.open.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def url(self, database):
        return f"postgresql://linalgd@127.0.0.1:{self.listener.getsockname()[1]}/{database}?sslmode=disable&gssencmode=disable"

    def cut(self):
        self.open.clear()

    def mend(self):
        self.open.set()

    def _accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.path)
            for one, other in (client, server), (server, client):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one, other):
        try:
            while data := one.recv(1 << 16):
                self.open.wait()
                other.sendall(data)
        except OSError:
            pass
        for s in one, other:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)

    def __exit__(self, *_):
        self.open.set()
        self.listener.close()
