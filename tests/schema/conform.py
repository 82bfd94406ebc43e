"""conform.py BINARY - the daemon against api/openapi.yaml."""
import copy
import json
import os
import subprocess
import sys
import time
import urllib.request

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from clients import openapi_generator, openapi_python_client, program
from daemon import Daemon

BUILD = os.environ.get("B", "build")
PAGE = "api/openapi.yaml"
AS_JSON = "api/openapi.json"
MATRIX, ROWS = "#/components/schemas/matrix", {"$ref": "#/components/schemas/rows"}
COMMON = {"device", "dtype", "variant", "timeout_ms", "priority", "return", "timing", "quality", "store", "ttl", "into"}


def page_names_every_operation(ops, page):
    """The page's request and answer schemas hold exactly what GET /ops lists, parameters their choices and defaults."""
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
        for p in op["parameters"]:
            told = schemas[name + "_" + p["name"]]
            assert told.get("enum") == p.get("choices") and told.get("default") == p.get("default"), (name, p, told)
    paths = {p[1:] for p in page["paths"] if "post" in page["paths"][p]}
    assert paths == {op["name"] for op in ops} | {"pipelines", "pipelines/{name}", "shares", "jobs/{id}/retry"}, paths


def page_is_valid():
    done = subprocess.run([program("openapi-spec-validator"), PAGE], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def page_is_served(url, page):
    """In both forms, which say the same."""
    for path in PAGE, AS_JSON:
        with open(path, "rb") as f:
            assert urllib.request.urlopen(url + "/" + os.path.basename(path)).read() == f.read(), path
    with open(AS_JSON) as f:
        assert json.load(f) == page, "openapi.json is not current: make api renews it"


def page_shows_the_examples(ops, page):
    """A reader of YAML finds in them what one of JSON does."""
    for op in ops:
        with open(f"api/examples/{op['name']}.request.http") as f:
            body = json.loads(f.read().split("\n\n", 1)[1])
        assert page["components"]["schemas"][op["name"] + "_request"]["examples"] == [body], op["name"]


def trimmed(page, whole):
    """The page, in which only the operation `whole` has the parameters that all operations share, and operands in other forms
    than rows. One reader reads these for all operations, and all of their bounds in every format of body would be nine tenths of
    what the coverage phase sends."""
    short = copy.deepcopy(page)
    for path, item in short["paths"].items():
        schema = short["components"]["schemas"].get(path[1:] + "_request")
        if schema is None or path[1:] == whole:
            continue
        item["post"]["parameters"] = [p for p in item["post"]["parameters"] if "$ref" not in p or p["$ref"].endswith("shape")]
        schema["properties"] = {name: ROWS if p.get("$ref") == MATRIX else p for name, p in schema["properties"].items()
                                if name not in COMMON}
    return short


def schemathesis(url, path, phases):
    assert subprocess.run([
        program("schemathesis"), "--config-file", "tests/schema/schemathesis.toml", "run", path, "--url", url,
        "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"
        "response_headers_conformance,response_schema_conformance",
        "--phases", phases, "--max-examples", "40", "--seed", "1",
        "--report-dir", os.path.join(BUILD, "schemathesis"),
        "--request-timeout", "120", "--no-color", "--suppress-health-check", "all"]).returncode == 0


def no_answer_is_unknown_to_the_page(url):
    """Of random requests, and those that the page has as examples."""
    schemathesis(url, PAGE, "examples,fuzzing")


def no_answer_at_a_bound_is_unknown_to_the_page(url, page):
    """Of requests with every value at and beyond a bound of its schema."""
    path = os.path.join(BUILD, "openapi-trimmed.json")
    with open(path, "w") as f:
        json.dump(trimmed(page, "lu"), f)
    schemathesis(url, path, "coverage")


def daemon_ends(d):
    assert d.stop() == 0, d.log()[-2000:]


def main():
    passed = failed = skipped = 0

    def count(check, *arguments):
        nonlocal passed, failed, skipped
        begun = time.monotonic()
        try:
            reason = check(*arguments)
        except Exception as wrong:
            failed += 1
            print("FAILED", check.__name__, repr(wrong))
            return
        passed, skipped = passed + (not reason), skipped + bool(reason)
        if reason:
            print(f"skipped {check.__name__}: {reason}")
        print(f"{check.__name__}: {time.monotonic() - begun:.1f} s", flush=True)

    with open(PAGE) as f:
        page = yaml.safe_load(f)
    with Daemon(sys.argv[1], "--max-body", "1M", "--host-memory", "256M") as d:
        ops = json.load(urllib.request.urlopen(d.url + "/ops"))["ops"]
        count(page_is_valid)
        count(page_names_every_operation, ops, page)
        count(page_shows_the_examples, ops, page)
        count(page_is_served, d.url, page)
        count(openapi_python_client, PAGE, d.url)
        count(openapi_generator, PAGE, d.url)
        count(no_answer_is_unknown_to_the_page, d.url)
        count(no_answer_at_a_bound_is_unknown_to_the_page, d.url, page)
        count(daemon_ends, d)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0


sys.exit(main())
