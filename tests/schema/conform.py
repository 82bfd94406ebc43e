"""conform.py BINARY - the daemon against api/openapi.yaml."""
import json
import os
import subprocess
import sys
import urllib.request

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from daemon import Daemon

PAGE = "api/openapi.yaml"
COMMON = {"device", "dtype", "variant", "timeout_ms", "priority", "return", "timing", "quality"}


def page_names_every_operation(ops, page):
    """The page's request and answer schemas hold exactly what GET /ops lists."""
    schemas = page["components"]["schemas"]
    for op in ops:
        name = op["name"]
        request = set(schemas[name + "_request"]["properties"])
        wanted = {x["name"] for x in op["inputs"] + op["parameters"]} | COMMON
        assert request == wanted, f"{name}: request {sorted(request ^ wanted)}"
        answer = schemas[name + "_answer"]["allOf"][1]["properties"]["result"]["properties"]
        wanted = {x["name"] for x in op["outputs"]} | {"nonfinite"}
        assert set(answer) == wanted, f"{name}: answer {sorted(set(answer) ^ wanted)}"
    paths = {p[1:] for p in page["paths"] if "post" in page["paths"][p]}
    assert paths == {op["name"] for op in ops}, paths


def page_is_served(url):
    with open(PAGE, "rb") as f:
        assert urllib.request.urlopen(url + "/openapi.yaml").read() == f.read()


def schemathesis(url):
    program = os.path.join(os.path.dirname(sys.executable), "schemathesis")
    return subprocess.run([
        program, "--config-file", "tests/schema/schemathesis.toml", "run", PAGE, "--url", url,
        "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"
        "response_headers_conformance,response_schema_conformance",
        "--phases", "examples,coverage,fuzzing", "--max-examples", "40", "--seed", "1",
        "--report-dir", os.path.join(os.environ.get("B", "build"), "schemathesis"),
        "--request-timeout", "120", "--no-color", "--suppress-health-check", "all"]).returncode


def main():
    failed = 0
    with open(PAGE) as f:
        page = yaml.safe_load(f)
    with Daemon(sys.argv[1], "--max-body", "1M", "--host-memory", "256M") as d:
        ops = json.load(urllib.request.urlopen(d.url + "/ops"))["ops"]
        for check in (lambda: page_names_every_operation(ops, page), lambda: page_is_served(d.url)):
            try:
                check()
            except AssertionError as wrong:
                print("FAILED", wrong)
                failed += 1
        if schemathesis(d.url) != 0:
            print("FAILED schemathesis found an answer that the page does not know")
            failed += 1
        if d.stop() != 0:
            print(f"FAILED SIGTERM: the daemon ended with {d.process.returncode}: {d.log()[-2000:]}")
            failed += 1
    print(f"{4 - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
