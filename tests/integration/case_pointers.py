"""case_pointers.py - where errors point: JSON pointers into the body, and the query's parameters."""
import io
import json
import urllib.parse
import warnings
import zipfile

import numpy as np

from client import case, curl, finished, post, submit

MATMUL = {"a": [[1]], "b": [[1]]}
TRACE = {"op": "trace", "a": "@a", "as": "t"}


def place(r, status=400):
    """The place of the only error, and the detail."""
    p = r.problem(status)
    assert len(p.get("errors", ())) == 1, p
    return p["errors"][0].get("pointer") or "?" + p["errors"][0]["parameter"], p["detail"]


@case()
def names_in_pointers_are_escaped(d):
    for name, escaped in (("x/y~z", "x~1y~0z"), ("~1", "~01"), ("a b%", "a%20b%25"), ("ä", "%C3%A4"), ('q"\\', "q%22%5C"), ("#?", "%23?")):
        assert place(post(d, "/matmul", {"a": [[1]], name: 1}))[0] == "#/" + escaped, name
        assert place(post(d, "/pipelines", {"steps": [{**TRACE, "a": [[1]], name: 1}]}))[0] == "#/steps/0/" + escaped, name
        assert place(post(d, "/pipelines", {name: [[1], [1, 2]], "steps": [{**TRACE, "a": "@" + name}]}))[0] == "#/" + escaped, name
        assert place(post(d, "/pipelines", {name: [[1]], "a": [[1]], "steps": [TRACE]}))[0] == "#/" + escaped, name
        assert place(post(d, "/pipelines", {"steps": [{**TRACE, "a": "@" + name}]}))[0] == "#/" + escaped, name
        field = {"shape": [1], "data": [1], name: 1}
        assert place(post(d, "/trace", {"a": field}))[0] == "#/a/" + escaped, name
        assert place(post(d, "/pipelines/esc", {"steps": [TRACE], name: 1}, "-X", "PUT"))[0] == "#/" + escaped, name


@case()
def pointers_name_whole_members(d):
    """However long a name is, and however deep its place: what has no room is left out, not cut."""
    step = {"op": "trace", "a": "@a", "as": "t"}
    for name, whole in (("n" * 63, True), ("ä" * 31, True), ("/~" * 31, True), ("n" * 200, True), ("n" * 300, False),
                        ("ä" * 100, False), ("/~" * 150, False)):
        escaped = urllib.parse.quote(name.replace("~", "~0").replace("/", "~1"), safe="~")

        def at(parent, r, status=400):
            where = place(r, status)[0]
            assert where == (f"{parent}/{escaped}" if whole else parent), (name, where)
        at("#", post(d, "/matmul", {**MATMUL, name: 1}))
        at("#", post(d, "/matmul", {**MATMUL, name: [[1]]}))
        at("#/a", post(d, "/trace", {"a": {"shape": [1], "data": [1], name: 1}}))
        at("#/a/real", post(d, "/trace", {"a": {"real": {"shape": [1], "data": [1], name: 1}, "imag": [1]}}))
        at("#/steps/31", post(d, "/pipelines", {"steps": [*({**step, "as": f"t{i}"} for i in range(31)), {**step, name: 1}], "a": [[1]]}))
        at("#/steps/0/parameters", post(d, "/pipelines", {"steps": [{**step, "parameters": {name: 1}}], "a": [[1]]}))
        at("#", post(d, "/pipelines/p", {"steps": [step], name: 1}, "-X", "PUT"))
        at("#/parameters", post(d, "/v2/models/trace/infer", {"inputs": [], "parameters": {name: 1}}))
        at("#", post(d, "/pipelines", {"steps": [{**step, "a": "@a"}], "a": [[1]], name: [[1]]}))
        at("#", post(d, "/matrices/m", {"matrix": [[1]], name: 1}, "-X", "PUT"))
        p = post(d, "/trace?" + urllib.parse.quote(name) + "=1", {"a": [[1]]}).problem(400)
        assert not (whole or "errors" in p) or p["errors"][0]["parameter"] == name or len(name) > 240, p
    name = "ä" * 31 + "n"
    escaped = urllib.parse.quote(name)
    steps = [{"op": "trace", "a": "@" + name, "as": "t"}]
    for value, field in (({"shape": [1], "data": [1], "x": 1}, "/x"), ({"real": [[1]], "imag": [[1], [1, 2]]}, "/imag"),
                         ([[1], [1, 2]], ""), ({"shape": [2, 2], "data": [1]}, "/data"),
                         ({"format": "csr", "shape": [1, 1], "indptr": [0, 1], "indices": [2], "data": [1]}, "/indices"),
                         ({"format": "cst", "shape": [1, 1], "data": [1]}, "/format")):
        assert place(post(d, "/pipelines", {"steps": steps, name: value}))[0] == f"#/{escaped}{field}", value
    r = curl(d, "/pipelines", "-F", "pipeline=" + json.dumps({"steps": steps}), "-F", name + "=[[1],[1,2]];type=application/json")
    assert place(r)[0] == f"#/{escaped}", r.body


@case()
def an_unused_shape_is_named_where_it_is(d):
    assert place(post(d, "/matmul?a.shape=2,2", MATMUL))[0] == "?a.shape"
    assert place(post(d, "/matmul?shape=2,2", MATMUL))[0] == "?shape"
    assert place(post(d, "/matmul", {**MATMUL, "b.shape": "2,2"}))[0] == "#/b.shape"
    for name in ("a.shape", "shape"):
        assert place(post(d, f"/pipelines?{name}=2,2", {"a": [[1]], "steps": [TRACE]}), 400)[0] in ("?" + name, "#/a"), name
    assert place(post(d, "/pipelines?a.shape=2,2", {"a": [[1]], "steps": [TRACE]}))[0] == "?a.shape"
    assert place(post(d, "/matrices/q?shape=1", {"matrix": [1]}, "-X", "PUT"))[0] == "?shape"


@case()
def the_members_of_steps_are_where_they_are(d):
    reduce = {"op": "reduce", "a": [[1]], "as": "t"}
    assert place(post(d, "/pipelines", {"steps": [{**reduce, "parameters": {"op": "nope"}}]}))[0] == "#/steps/0/parameters/op"
    assert place(post(d, "/pipelines", {"steps": [{**reduce, "parameters": {"x": 1}}]}))[0] == "#/steps/0/parameters/x"
    assert place(post(d, "/pipelines", {"steps": [{**reduce, "x": 1}]}))[0] == "#/steps/0/x"
    assert place(post(d, "/pipelines/p", {"steps": [TRACE], "x": 1}, "-X", "PUT"))[0] == "#/x"
    assert place(post(d, "/pipelines/p", {}, "-X", "PUT"))[0] == "#/steps"
    assert place(post(d, "/pipelines", {"steps": [{**TRACE, "a": [[1], [1, 2]]}]})) == \
        ("#/steps/0/a", "a: row 2 has 2 numbers, row 1 has 1")
    where, why = place(post(d, "/pipelines", {"steps": [{**TRACE, "a": {"generate": "ones", "shape": [70, 70], "dtype": "int64"}},
                                                        {**TRACE, "as": "u", "a": {"generate": "pascal", "shape": [70, 70], "dtype": "int64"}}],
                                               "return": ["t", "u"]}))
    assert where == "#/steps/1/a" and why.startswith("a: "), (where, why)


@case()
def what_is_wrong_with_an_operand_names_it(d):
    large = 10**23
    for operand, status, at in (
            ({"generate": "nope", "shape": [2, 2]}, 400, ""), ({"generate": "random", "shape": [2, 2], "seed": large}, 400, "/seed"),
            ({"generate": "random", "shape": [large]}, 400, "/shape"), ({"generate": "random", "shape": [9999999, 9999999]}, 413, ""),
            ({"ref": "nope"}, 404, ""), ({"base64": 5, "shape": [1]}, 400, "/base64"), ({"shape": [1], "data": 5}, 400, "/data"), ({}, 400, ""),
            ({"generate": "spd", "shape": [2, 3]}, 422, ""), ({"real": {"ref": "nope"}, "imag": [[1]]}, 404, "/real"),
            ({"share": "0" * 32, "shape": [1], "dtype": "float32"}, 404, "")):
        for name, other in (("a", "b"), ("b", "a")):
            r = post(d, "/matmul", {other: [[1]], name: operand})
            where, why = place(r, r.status)
            assert r.status == status, (operand, r.body)
            assert where == f"#/{name}{at}" and why.startswith(name + ": "), (operand, where, why)


@case()
def an_operand_in_the_query_is_told_where_it_belongs(d):
    for body in ({}, MATMUL, {"a": [[1]]}):
        where, why = place(post(d, "/matmul?b=[[1]]", body, "-g"))
        assert where == "?b" and "b is an operand" in why and "did you mean" not in why, why


@case()
def an_output_that_there_is_not_is_named_as_it_was_given(d):
    for r, at in ((post(d, "/lu?return=nope", {"a": [[1]]}), "?return"), (post(d, "/lu?store=nope:f", {"a": [[1]]}), "?store"),
                  (post(d, "/lu", {"a": [[1]], "store": "nope:f"}), "#/store"),
                  (post(d, "/v2/models/lu/infer", {"inputs": [], "outputs": [{"name": "nope"}]}), "#/outputs/0"),
                  (post(d, "/pipelines", {"steps": [{"op": "lu", "a": [[1]], "as": "f"}], "store": "f.nope:f"}), "#/store")):
        where, why = place(r)
        assert where == at and why.startswith("lu has no output nope, it has "), (where, why)


@case()
def rows_that_are_wrong_are_named(d):
    assert post(d, "/matrices/rowed", {"matrix": [[1], [2]]}, "-X", "PUT").status in (201, 204)
    for rows, status in (("x", 400), ("1", 400), ("::", 400), ("0:3", 422), ("-5:", 422)):
        assert place(curl(d, "/matrices/rowed?rows=" + rows), status)[0] == "?rows", rows


@case()
def what_is_wrong_with_a_part_of_a_form_names_it(d):
    for text in ("", " ", "[[1,2", "[[1]] x", "\ufeff[[1]]", '"a', "{", '{"ref"', '{"data":[1],}', "nul", "true", "1e999", '{"\\ud800":1}'):
        for name, other in (("a", "b"), ("b", "a")):
            r = curl(d, "/matmul", "-F", other + "=[[1]]", "-F", name + "=@-;filename=x;type=application/json", stdin=text.encode())
            where, why = place(r)
            assert where == "#/" + name and (text in ('{"\\ud800":1}', '{"data":[1],}') or why.startswith(name + ": ")), (text, where, why)


@case()
def an_archive_of_one_sparse_matrix_names_its_members(d):
    def archive(**members):
        f = io.BytesIO()
        np.savez(f, **{"format": b"csr", "shape": [1, 1], "data": [1.0], "indptr": [0, 1], "indices": [0], **members})
        return f.getvalue()
    for members, at in (({"format": b"dia"}, "/format"), ({"indices": [1]}, "/indices"), ({"indptr": [1, 1]}, "/indptr")):
        r = curl(d, "/trace", "-H", "Content-Type: application/x-npz", body=archive(**members))
        assert place(r)[0] == "#" + at, r.body
        r = curl(d, "/trace", "-F", "a=@-;filename=a.npz", stdin=archive(**members))
        assert place(r)[0] == "#/a" + at, r.body


@case()
def a_percent_sign_is_explained(d):
    for query, name, word in (("timing=%", "timing", "two hexadecimal"), ("timing=%zz", "timing", "two hexadecimal"),
                              ("timing=a%00", "timing", "%00"), ("%zz=1", "%zz", "two hexadecimal"), ("a=1&x%", "x%", "two hexadecimal")):
        where, why = place(post(d, "/trace?" + (query if "&" not in query else query.split("&")[1]), {"a": [[1]]}))
        assert where == "?" + name and word in why and ("not 00" not in why), (query, where, why)
    curl(d, "/jobs?tenant=" + "t" * 40).problem(400, "tenant")
    assert curl(d, "/jobs?tenant=" + "t" * 39).status == 200


def infer(d, model, inputs, outputs=None, **parameters):
    body = {"inputs": [dict(zip(("name", "shape", "datatype", "data"), i)) for i in inputs], "parameters": parameters}
    return post(d, f"/v2/models/{model}/infer", {**body, **({"outputs": outputs} if outputs else {})})


@case()
def an_inference_request_has_its_own_places(d):
    a, b = ("a", [1, 1], "FP32", [1]), ("b", [1, 1], "FP32", [1])
    assert place(infer(d, "matmul", [a, b], foo=1))[0] == "#/parameters/foo"
    assert place(infer(d, "matmul", [a, b], variant="nope"))[0] == "#/parameters/variant"
    assert place(infer(d, "matmul", [a, b], timeout=0))[0] == "#/parameters/timeout"
    assert place(infer(d, "matmul", [a, ("zz", *b[1:])]))[0] == "#/inputs/1/name"
    assert place(infer(d, "matmul", [a, ("b", [2], "FP32", [1])]))[0] == "#/inputs/1/data"
    assert place(infer(d, "matmul", [a, ("b", [1], "FP32", ["x"])]))[0] == "#/inputs/1/data"
    assert place(infer(d, "matmul", [a, ("b", [1], "FP99", [1])]))[0] == "#/inputs/1/datatype"
    assert place(infer(d, "matmul", [a, ("b", [-1], "FP32", [1])]))[0] == "#/inputs/1/shape"
    assert place(infer(d, "matmul", [a]))[0] == "#/inputs"
    assert place(infer(d, "cholesky", [("a", [1, 2], "FP32", [1, 2])]), 422)[0] == "#/inputs/0"
    assert place(infer(d, "matmul", [a, b], outputs=[{"name": "c"}, {"name": "d"}]))[0] == "#/outputs/1"


@case()
def an_inference_request_has_the_integers_of_its_datatypes(d):
    def largest(datatype, *data):
        return infer(d, "reduce", [("a", [len(data)], datatype, list(data))], op="max")

    def value(datatype, *data):
        r = largest(datatype, *data)
        assert r.status == 200, (datatype, data, r.body)
        return r.json()["outputs"][0]["data"]

    for bits in (8, 16, 32, 64):
        for datatype, least, most in ((f"INT{bits}", -2**(bits - 1), 2**(bits - 1) - 1), (f"UINT{bits}", 0, 2**bits - 1)):
            assert value(datatype, least) == [least]
            if most < 2**63:
                assert value(datatype, least, most) == [most]
            beyond = (least - 1, most + 1) if bits < 64 else (least - 2, 2 * most + 2)
            for x in (*beyond, 1.5):
                where, why = place(largest(datatype, 0, x))
                assert where == "#/inputs/0/data" and ("element 1" in why or bits == 64), (datatype, x, where, why)
    assert infer(d, "transpose", [("a", [1, 1], "UINT64", [2**64 - 1])], dtype="float64").status == 200
    for data in ([True, False, True], [1, 0, 1], [[True, 0, 1]]):
        r = infer(d, "reduce", [("a", [3], "BOOL", data)], op="sum")
        assert r.status == 200 and r.json()["outputs"][0]["data"] == [2], r.body
    text = json.dumps({"inputs": [{"name": "a", "shape": [20000], "datatype": "BOOL", "data": [True, False] * 10000}],
                       "parameters": {"op": "sum"}}).encode()
    r = curl(d, "/v2/models/reduce/infer", "-H", "Content-Type: application/json", "--limit-rate", "200M", body=text)
    assert r.json()["outputs"][0]["data"] == [10000]
    for datatype in ("FP32", "INT8", "UINT64"):
        where, why = place(infer(d, "reduce", [("a", [1], datatype, [True])]))
        assert where == "#/inputs/0/data" and "BOOL" in why, (where, why)
    for data in ([2], [-1], [0.5], ["true"], [None]):
        assert place(infer(d, "reduce", [("a", [1], "BOOL", data)]))[0] == "#/inputs/0/data", data
    for word in (b"tru", b"truee", b"falsee", b"fals", b"trUe"):
        bad = text.replace(b"true, false", word + b", false", 1)
        assert place(curl(d, "/v2/models/reduce/infer", "-H", "Content-Type: application/json", body=bad))[0] == "#/inputs/0/data", word
    post(d, "/trace", {"a": [[True]]}).problem(400)


@case()
def contradictions_are_named_as_they_are(d):
    for symmetry, field, entry in (("hermitian", "complex", "1 2 1 1\n2 1 2 -1"), ("hermitian", "complex", "1 2 1 1\n2 1 1 2"),
                                   ("symmetric", "real", "1 2 1\n2 1 2"), ("skew-symmetric", "real", "1 2 1\n2 1 2")):
        body = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n2 2 2\n{entry}\n".encode()
        why = curl(d, "/matrices/mm", "-X", "PUT", "-H", "Content-Type: application/x-matrix-market", body=body).problem(400)["detail"]
        assert f"of a {symmetry} matrix" in why, why
    f = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(f, "w") as z:
        warnings.simplefilter("ignore")
        for _ in range(2):
            with z.open("a.npy", "w") as member:
                np.save(member, np.eye(2))
    curl(d, "/trace", "-H", "Content-Type: application/x-npz", body=f.getvalue()).problem(400, "two members have the same name")


KINDS = {"string": "x", "number": 1, "boolean": True, "null": None, "object": {"x": 1}, "list of strings": ["x"],
         "list of numbers": [1], "list of booleans": [True], "list of lists": [[1]], "mixed list": ["x", 1]}
BOTH = {"string", "list of strings"}
TAKES = {"device": {"string", "number"}, "return": BOTH, "store": BOTH, "timeout_ms": {"number"}, "priority": {"number"}, "ttl": {"number"},
         **{n: {"string"} for n in ("dtype", "variant", "timing", "quality", "into")}}


@case()
def a_parameter_has_the_type_that_is_documented(d):
    """In JSON: of operations, pipelines, their steps, stored matrices and the Open Inference Protocol."""
    def check(name, takes, where, ask, kinds=KINDS):
        for kind, value in KINDS.items():
            if kind in kinds and kind not in takes:
                at, why = place(ask({name: value}))
                assert at == where + name and "must be" in why, (name, kind, at, why)
    pipeline = {"steps": [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}]}
    for name, takes in TAKES.items():
        check(name, takes, "#/", lambda p: post(d, "/matmul", {**MATMUL, **p}))
        if name not in ("variant", "into"):
            check(name, takes, "#/", lambda p: post(d, "/pipelines", {**pipeline, **MATMUL, **p}))
        check(name, takes, "#/parameters/", lambda p: post(d, "/v2/models/trace/infer", {"parameters": p, "inputs": [
            {"name": "a", "shape": [1, 1], "datatype": "FP64", "data": [1]}]}))
    for name in ("return", "store"):
        check(name, BOTH, "#/", lambda p: post(d, "/pipelines/p", {**pipeline, **p}, "-X", "PUT"))
    for name in ("dtype", "variant", "quality"):
        check(name, {"string"}, "#/steps/0/", lambda p: post(d, "/pipelines", {"steps": [{**TRACE, **p}], "a": [[1]]}))
    for name, takes in (("dtype", {"string"}), ("ttl", {"number"}), ("shape", {"string", "list of numbers"})):
        check(name, takes, "#/", lambda p: post(d, "/matrices/m", {"matrix": [[1]], **p}, "-X", "PUT"))
    of_type = {"number": {"number"}, "integer": {"number"}, "boolean": {"boolean"}, "string": {"string", "number"}}
    seen = set()
    for op in curl(d, "/ops").json()["ops"]:
        for p in op["parameters"]:
            if p["name"] in seen:
                continue
            seen.add(p["name"])
            takes = {"string", "list of numbers"} if p["name"] == "schedule" else of_type[p["type"]]
            some = {"string", "number", "boolean", "list of " + ("numbers" if takes == {"number"} else "booleans")}
            check(p["name"], takes, "#/", lambda q: post(d, "/" + op["name"], q), some)
            check(p["name"], takes, "#/steps/0/parameters/", lambda q: post(d, "/pipelines", {"steps": [
                {"op": op["name"], "as": "x", "parameters": q}]}), some)
    for body in ({"device": 0}, {"device": "0"}, {"timeout_ms": 1e3}, {"priority": 3.0}, {"return": ["c"]}, {"return": "c"},
                 {"store": "c:m", "ttl": 5.5}, {"store": ["c:m"]}, {"transpose_a": True, "timing": "none", "quality": "none"}):
        assert post(d, "/matmul", {**MATMUL, **body}).status == 200, body
    assert post(d, "/norm", {"a": [[1]], "ord": 1}).json()["result"] == post(d, "/norm", {"a": [[1]], "ord": "1"}).json()["result"]
    for schedule in ("1,1,50", [1, 1, 50]):
        assert post(d, "/jacobi", {"a": [[4, 1], [1, 3]], "b": [1, 2], "schedule": schedule}).status == 200
    curl(d, "/matrices/m", "-X", "DELETE")


@case()
def the_description_of_a_pipeline_is_where_it_was_sent(d):
    """In the body or its member `pipeline`, in a form or in the query; a saved one is not in the request."""
    a = [[1, 2], [3, 4]]

    def form(p):
        return curl(d, "/pipelines", "-F", "pipeline=" + json.dumps(p), "-F", "a=" + json.dumps(a))

    def query(name):
        return lambda p: post(d, "/pipelines?" + urllib.parse.urlencode({name: json.dumps(p if name == "pipeline" else p["steps"])}), {"a": a})
    ways = (("#", lambda p: post(d, "/pipelines", {"a": a, **p})), ("#/pipeline", lambda p: post(d, "/pipelines", {"a": a, "pipeline": p})),
            ("#/pipeline", lambda p: post(d, "/pipelines", {"pipeline": p, "a": a})), ("#/pipeline", form), ("?pipeline", query("pipeline")))
    good = {"op": "norm", "a": "@a", "as": "t"}
    steps = (([{**good, "x": 1}], "/0/x", 400), ([{**good, "op": "none"}], "/0/op", 400), ([], "", 400), ([7], "/0", 400),
             ([{**good, "a": "@store"}], "/0/a", 400), ([{**good, "parameters": {"x": 1}}], "/0/parameters/x", 400),
             ([{**good, "a": [[1], [1, 2]]}], "/0/a", 400), ([{**good, "a": {"ref": "nowhere"}}], "/0/a", 404),
             ([good, good], "/1/as", 400), ([good, {**good, "as": "u"}], "/0", 400), ([{**good, "op": "solve"}], "/0/b", 400),
             ([good, {"op": "matmul", "a": "@a", "b": [[1, 2]], "as": "u"}, {"op": "kron", "a": "t", "b": "u", "as": "v"}], "/1/b", 422),
             ([{"op": "cholesky", "a": "@a", "as": "t"}], "/0/a", 422))
    members = (({"steps": [good], "return": "z"}, "/return", 400), ({"steps": [good], "return": ["t", "t"]}, "/return", 400),
               ({"steps": [good], "store": "t.z:m"}, "/store", 400), ({"steps": [good], "store": 5}, "/store", 400),
               ({"steps": [{"op": "qr", "a": "@a", "as": "t"}], "store": "m,t:n"}, "/store", 400),
               ({"steps": [{"op": "qr", "a": "@a", "as": "t"}], "store": [f"t:m{i}" for i in range(12)]}, "/store", 400))
    for root, ask in ways:
        for list_of_steps, at, status in steps:
            where = place(ask({"steps": list_of_steps}), status)[0]
            assert where.startswith(root) and (root[0] == "?" or where in (f"{root}/steps{at}", f"{root}/steps{at.rpartition('/')[0]}")), \
                (where, root, at)
            assert root[0] == "#" or where == root, where
        for p, at, status in members:
            assert place(ask(p), status)[0] == root + (at if root[0] == "#" else ""), (root, p)
    singular = {"steps": [{"op": "solve", "a": [[1, 1], [1, 1]], "b": [1, 2], "as": "t"}]}
    at = submit(d, "/pipelines", {"pipeline": singular})
    assert finished(d, at)["status"] == "failed"
    where = place(curl(d, at + "/result"), 422)[0]
    assert where.startswith("#/pipeline/steps/0"), where
    for list_of_steps, at, status in steps:
        assert place(query("steps")({"steps": list_of_steps}), status)[0] == "?steps", at
    for name in ("return", "store"):
        q = urllib.parse.urlencode({name: "t.z:m"})
        assert place(post(d, "/pipelines?" + q, {"steps": [good], "a": a}))[0] == "?" + name
    assert place(ways[1][1]({"steps": [good], "also": 1}))[0] == "#/pipeline/also"
    assert place(post(d, "/pipelines", {"pipeline": 5}))[0] == "#/pipeline"
    assert place(post(d, "/pipelines", {"pipeline": {"steps": [good]}, "steps": [good], "a": a}))[0] == "#/steps"
    assert place(post(d, "/pipelines", {"steps": [good], "pipeline": {"steps": [good]}, "a": a}))[0] == "#/pipeline"
    saved = {"steps": [{"op": "matmul", "a": "@y", "b": "@z", "as": "c"}, {"op": "solve", "a": "c", "b": [1, 2], "as": "x"}]}
    assert post(d, "/pipelines/pointed", saved, "-X", "PUT").status == 201

    def run(status, body, query=""):
        p = post(d, "/pipelines/pointed" + query, body).problem(status)
        return [e.get("pointer") or "?" + e["parameter"] for e in p.get("errors", ())], p["detail"]
    for body, at, step in (({"y": a, "z": [[1, 2, 3]]}, [], "c"), ({"y": [[1]], "z": [[1]]}, [], "x"),
                           ({"y": [[0, 0], [0, 0]], "z": a}, [], "x"), ({"y": 1, "z": a}, ["#/y"], "c")):
        where, why = run(422, body)
        assert where == at and why.startswith(f"step {step}: "), (where, why)
    assert run(400, {"y": a})[0] == ["#/z"] and run(400, {"y": a, "z": a, "return": "u"})[0] == ["#/return"]
    assert run(400, {"y": a, "z": a}, "?return=u")[0] == ["?return"]
    assert run(400, {"y": a, "z": a, "steps": []})[0] == ["#/steps"]
    curl(d, "/pipelines/pointed", "-X", "DELETE")
