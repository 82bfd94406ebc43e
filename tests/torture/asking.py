"""asking.py - requests to a daemon that several programs here make."""
import http.client
import json
import socket
import time

PATIENCE = 120                  # seconds; a longer wait is a failure
ENDLESS = {"a": [[1, -1], [1, 1]], "b": [1, 0], "max_iterations": 10**9}


class Service:
    def __init__(self, port):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def raw(self, method, path, body, headers):
        self.connection.request(method, path, body, headers)
        r = self.connection.getresponse()
        return r.status, r.read()

    def ask(self, method, path, document=None, **headers):
        body = json.dumps(document).encode() if document else None
        status, data = self.raw(method, path, body, {"Content-Type": "application/json", **headers})
        return status, json.loads(data) if data else None

    def jobs(self, status, op):
        return [j for j in self.ask("GET", f"/jobs?status={status}&limit=1000")[1]["jobs"] if j["op"] == op]

    def until(self, what, found):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if answer := found():
                return answer
            time.sleep(0.002)
        raise SystemExit(f"FAILED not within {PATIENCE} s: {what}")

    def begin(self, op, document):
        """Sends the whole request and reads nothing; the connection."""
        body = json.dumps(document).encode()
        s = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        s.sendall(f"POST /{op} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return s

    def busy(self):
        """Has the device work without an end; where that job is."""
        at = self.ask("POST", "/jacobi", ENDLESS, Prefer="respond-async")[1]["id"]
        self.until("it runs", lambda: self.ask("GET", f"/jobs/{at}")[1]["status"] == "running")
        return f"/jobs/{at}"
