"""conform.py BINARY - the daemon against api/openapi.yaml."""
import importlib
import json
import os
import shutil
import subprocess
import sys
import urllib.request

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from daemon import Daemon

PAGE = "api/openapi.yaml"
COMMON = {"device", "dtype", "variant", "timeout_ms", "priority", "return", "timing", "quality"}


def program(name):
    return os.path.join(os.path.dirname(sys.executable), name)


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
        answer = set(answer) - {"failed"}  # of operations whose matrices fail alone
        assert answer == wanted, f"{name}: answer {sorted(answer ^ wanted)}"
    paths = {p[1:] for p in page["paths"] if "post" in page["paths"][p]}
    assert paths == {op["name"] for op in ops}, paths


def page_is_valid():
    done = subprocess.run([program("openapi-spec-validator"), PAGE], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def page_makes_a_client(url):
    """Its generated functions keep their bodies, send them, and understand the answers."""
    where = os.path.join(os.environ.get("B", "build"), "client")
    shutil.rmtree(where, ignore_errors=True)
    made = subprocess.run([program("openapi-python-client"), "generate", "--path", PAGE, "--output-path", where,
                           "--meta", "none"], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    lost = [x for x in (made.stdout + made.stderr).splitlines() if "Cannot parse" in x or "Could not find" in x]
    assert not [x for x in lost if "application/yaml" not in x], lost
    sys.path.insert(0, os.path.dirname(os.path.abspath(where)))
    client, models = importlib.import_module("client"), importlib.import_module("client.models")

    def call(op, **members):
        function = importlib.import_module("client.api.operations." + op).sync
        answer = function(client=client.Client(base_url=url),
                          body=getattr(models, op.capitalize() + "Request")(**members))
        assert type(answer).__name__ == op.capitalize() + "Answer", answer
        return answer.result

    assert abs(call("eigen", a=[[2, 1], [1, 3]], tol=1e-10, variant="fused").eigenvalue - 3.618033988749895) < 1e-9
    assert call("lu", a=[[0, 1], [2, 3]], return_=["p", "u"]).u == [[2, 3], [0, 1]]
    b = models.Generated(generate="identity", shape=[2, 2])
    assert call("matmul", a=[[1, 2], [3, 4]], b=b, dtype=models.Dtype.FLOAT32).c == [[1, 2], [3, 4]]
    a = models.Compressed(format_=models.CompressedFormat.CSR, shape=[2, 2], indptr=[0, 1, 2], indices=[1, 0], data=[5, 7])
    assert call("spmv", a=a, x=[1, 2]).y == [10, 7]


def page_is_served(url):
    with open(PAGE, "rb") as f:
        assert urllib.request.urlopen(url + "/openapi.yaml").read() == f.read()


def schemathesis(url):
    return subprocess.run([
        program("schemathesis"), "--config-file", "tests/schema/schemathesis.toml", "run", PAGE, "--url", url,
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
        for check in (page_is_valid, lambda: page_names_every_operation(ops, page), lambda: page_is_served(d.url),
                      lambda: page_makes_a_client(d.url)):
            try:
                check()
            except Exception as wrong:
                print("FAILED", repr(wrong))
                failed += 1
        if schemathesis(d.url) != 0:
            print("FAILED schemathesis found an answer that the page does not know")
            failed += 1
        if d.stop() != 0:
            print(f"FAILED SIGTERM: the daemon ended with {d.process.returncode}: {d.log()[-2000:]}")
            failed += 1
    print(f"{6 - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
