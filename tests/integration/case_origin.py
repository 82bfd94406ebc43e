"""case_origin.py - which requests the service answers: host names, and pages of other origins."""
import subprocess

from client import case, curl, post

PAGE = ("-H", "Origin: https://app.example")
ASKS = ("-X", "OPTIONS", "-H", "Access-Control-Request-Method: POST", "-H", "Access-Control-Request-Headers: content-type")


def host(name):
    return "-H", f"Host: {name}"


@case()
def on_loopback_other_names_are_refused(d):
    for name in ("localhost", f"localhost:{d.port}", "127.0.0.1", "[::1]:8080", "127.0.0.2:1"):
        assert curl(d, "/healthz", *host(name)).status == 200, name
    for name in ("evil.example", f"evil.example:{d.port}", "localhost.evil.example", "192.0.2.1", "127.0.0.1.evil.example"):
        curl(d, "/healthz", *host(name)).problem(421, name)
        post(d, "/lu", {"a": [[1]]}, *host(name)).problem(421, name)
    curl(d, "/healthz", "--request-target", "http://evil.example/healthz").problem(421, "evil.example")


@case("--allow-host", "compute.example,box.lan")
def names_can_be_allowed(d):
    for name in ("compute.example", "Compute.example:443", "box.lan", "localhost"):
        assert curl(d, "/healthz", *host(name)).status == 200, name
    curl(d, "/healthz", *host("evil.example")).problem(421)


@case()
def pages_of_others_may_not_write(d):
    for origin in ("https://app.example", "null", "http://localhost:1", f"http://localhost:{d.port}"):
        post(d, "/lu", {"a": [[1]]}, "-H", f"Origin: {origin}").problem(403, origin)
        curl(d, "/lu", "-F", "a=[[1]];type=application/json", "-H", f"Origin: {origin}").problem(403)
        curl(d, "/matrices/none", "-X", "DELETE", "-H", f"Origin: {origin}").problem(403)
        assert "access-control-allow-origin" not in curl(d, "/ops", "-H", f"Origin: {origin}").headers
    curl(d, "/lu", *PAGE, *ASKS).problem(403, "app.example")
    own = ("-H", f"Origin: http://127.0.0.1:{d.port}")
    assert post(d, "/lu", {"a": [[1]]}, *own).status == 200
    told = curl(d, "/lu", "-X", "OPTIONS")
    assert told.headers["allow"] == "POST" and "access-control-allow-methods" not in told.headers, told.headers


@case("--allow-origin", "https://app.example")
def pages_can_be_allowed(d):
    r = curl(d, "/lu", *PAGE, *ASKS)
    assert r.status == 204 and r.headers["access-control-allow-origin"] == "https://app.example", r.headers
    assert r.headers["access-control-allow-methods"] == "POST" and "Origin" in r.headers["vary"], r.headers
    for name in ("Content-Type", "Inference-Header-Content-Length"):
        assert name in r.headers["access-control-allow-headers"], r.headers
    r = curl(d, "/matrices/a", *PAGE, *ASKS)
    assert {"GET", "PUT", "DELETE"} <= set(r.headers["access-control-allow-methods"].split(", ")), r.headers
    curl(d, "/nowhere", *PAGE, *ASKS).problem(404)
    for r in (post(d, "/lu", {"a": [[1]]}, *PAGE), post(d, "/lu", {"a": [[1, 2], [3]]}, *PAGE), curl(d, "/ops", *PAGE)):
        assert r.headers["access-control-allow-origin"] == "https://app.example", r.headers
        for name in ("Linalgd-Job", "Inference-Header-Content-Length"):
            assert name in r.headers["access-control-expose-headers"], r.headers
    post(d, "/lu", {"a": [[1]]}, "-H", "Origin: https://evil.example").problem(403)


@case()
def what_would_allow_nobody_is_refused(d):
    for option, value in (("--allow-origin", "app.example"), ("--allow-origin", "https://app.example/"), ("--allow-host", "https://app.example"),
                          ("--allow-origin", "https://one.example,https://*.two.example"), ("--allow-host", "*.example")):
        for command in ("serve", "config"):
            r = subprocess.run([d.binary, command, "--listen", "127.0.0.1:0", option, value], capture_output=True, text=True, timeout=60)
            assert r.returncode == 2 and value.split(",")[-1] in r.stderr, (value, r)


@case("--allow-origin", "*")
def any_page_can_be_allowed(d):
    r = post(d, "/lu", {"a": [[1]]}, "-H", "Origin: null")
    assert r.status == 200 and r.headers["access-control-allow-origin"] == "null", r.headers
