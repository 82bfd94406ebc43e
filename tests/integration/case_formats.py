"""case_formats.py - matrices in and out, as curl sends and takes them."""
import base64
import io
import json
import struct
import zipfile

import numpy as np

from client import NPY, File, case, curl, post

rng = np.random.default_rng(7)


def npy(a):
    f = io.BytesIO()
    np.save(f, a)
    return f.getvalue()


def npz(**arrays):
    f = io.BytesIO()
    np.savez(f, **arrays)
    return f.getvalue()


def accept(kind):
    return ("-H", f"Accept: application/{kind}")


def close(got, want, tol=1e-12):
    assert got.shape == want.shape, (got.shape, want.shape)
    assert np.abs(got - want).max(initial=0) <= tol * max(np.abs(want).max(initial=0), 1), np.abs(got - want).max()


@case()
def an_npy_comes_back_as_npy_of_its_type(d):
    for shape in ((1, 1), (5, 3), (127, 129), (300, 1000), (3, 4, 5), (0, 3)):
        for dtype in ("f4", "f8"):
            a = rng.standard_normal(shape).astype(dtype)
            r = curl(d, "/transpose", *NPY, *accept("x-npy"), body=npy(a))
            got = np.load(io.BytesIO(r.body))
            assert r.status == 200 and got.dtype == a.dtype and (got == np.swapaxes(a, -1, -2)).all(), shape
            assert int(r.headers["content-length"]) == len(r.body)


@case()
def two_files_travel_as_a_form(d):
    a, b = rng.standard_normal((6, 8)), rng.standard_normal((8, 3))
    with File(npy(a)) as x, File(npy(b)) as y:
        r = curl(d, "/matmul", "-F", f"a=@{x}", "-F", f"b=@{y}", "-F", "dtype=float64", *accept("x-npy"))
    close(np.load(io.BytesIO(r.body)), a @ b)


@case()
def raw_octets_tell_their_shape(d):
    a, b = rng.standard_normal((40, 60)).astype("f4"), rng.standard_normal((60, 50)).astype("f4")
    r = curl(d, "/matmul?a.shape=40,60&b.shape=60,50&dtype=float32", "-H", "Content-Type: application/octet-stream",
             *accept("octet-stream"), body=a.tobytes() + b.tobytes())
    assert r.headers["linalgd-shape"] == "40,50" and r.headers["linalgd-dtype"] == "float32", r.headers
    close(np.frombuffer(r.body, "f4").reshape(40, 50), a @ b, 1e-5)
    r = post(d, "/reduce", {"a": [1, 2, 4]}, *accept("octet-stream"))
    assert r.headers["linalgd-shape"] == "" and np.frombuffer(r.body) == 7, r.headers
    curl(d, "/lu?shape=2,2", "-H", "Content-Type: application/octet-stream", body=bytes(32)).problem(400, "dtype")
    curl(d, "/lu?shape=2,2&dtype=float64", *NPY, body=npy(np.eye(2))).problem(400, "shape")


@case()
def an_archive_holds_all_operands_and_all_results(d):
    for n in (10, 200):
        a = rng.standard_normal((n, n))
        r = curl(d, "/lu", "-H", "Content-Type: application/x-npz", *accept("x-npz"), body=npz(a=a))
        z = np.load(io.BytesIO(r.body))
        assert set(z) == {"lu", "pivots", "singular", "sign"}, list(z)
        assert z["sign"].shape == () and abs(np.linalg.slogdet(a)[0] - z["sign"]) == 0


@case()
def matrix_market_goes_both_ways(d):
    text = b"%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n"
    r = curl(d, "/transpose", "-H", "Content-Type: application/x-matrix-market", *accept("x-matrix-market"), body=text)
    numbers = [float(x) for x in r.body.decode().split("\n")[1:] if x and " " not in x and not x.startswith("%")]
    assert numbers == [1, 2, 3, 4, 5, 6], r.body
    curl(d, "/transpose", *NPY, *accept("x-matrix-market"), body=npy(np.zeros((2, 2, 2)))).problem(406)


@case()
def large_json_goes_in_and_out_in_pieces(d):
    a = rng.standard_normal((400, 500))
    r = curl(d, "/transpose", "-H", "Content-Type: application/json", "-H", "Transfer-Encoding: chunked",
             body=json.dumps({"a": a.tolist()}).encode())
    assert r.headers["transfer-encoding"] == "chunked", r.headers
    assert (np.array(json.loads(r.body)["result"]["a"]) == a.T).all(), "a number changed in transit"
    assert post(d, "/transpose", {"a": [[1, 2]]}).headers["content-length"]


@case()
def mixed_types_are_converted(d):
    a, b = rng.standard_normal((300, 400)).astype("f4"), rng.standard_normal((400, 300))
    r = curl(d, "/matmul", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(a=a, b=b))
    got = np.load(io.BytesIO(r.body))
    assert got.dtype == np.float64
    close(got, a.astype("f8") @ b)
    r = curl(d, "/matmul?dtype=float32", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(a=a, b=b))
    assert np.load(io.BytesIO(r.body)).dtype == np.float32


@case()
def what_is_not_finite_is_null_and_told(d):
    r = curl(d, "/transpose", *NPY, body=npy(np.array([[1.0, np.inf], [np.nan, 2]]))).json()["result"]
    assert r["a"] == [[1, None], [None, 2]] and r["nonfinite"] is True, r
    assert "nonfinite" not in post(d, "/transpose", {"a": [[1]]}).json()["result"]


@case()
def return_gives_just_what_it_names(d):
    a = rng.standard_normal((4, 4)).tolist()
    assert set(post(d, "/lu", {"a": a, "return": "l,u"}).json()["result"]) == {"l", "u"}
    assert set(post(d, "/lu", {"a": a, "return": ["p"]}).json()["result"]) == {"p"}
    r = curl(d, "/lu?return=u", *NPY, *accept("x-npy"), body=npy(np.array(a)))
    assert (np.tril(np.load(io.BytesIO(r.body)), -1) == 0).all()


@case()
def the_best_acceptable_format_is_sent(d):
    a = npy(np.eye(2))
    for wish, kind in (("*/*", "json"), ("application/*;q=0.1, application/x-npy", "x-npy"),
                       ("application/json;q=0.2, application/x-npz;q=0.9", "x-npz"),
                       ("text/html, application/xml;q=0.9, */*;q=0.8", "json")):
        r = curl(d, "/transpose", *NPY, "-H", f"Accept: {wish}", body=a)
        assert r.headers["content-type"] == "application/" + kind, (wish, r.headers)


BIG = 2**53
RAW = ("-H", "Content-Type: application/octet-stream")


def value(r):
    """The only number of a reduction's result."""
    assert r.status == 200, r.body[:300]
    (name, x), = r.json()["result"].items()
    return x


@case()
def integers_are_exact_up_to_2_to_the_63(d):
    ends = np.array([-2**63, BIG + 1, 2**63 - 1])
    for a in (np.array([BIG, BIG + 1]), ends, ends.astype(">i8"), np.array([1, 2**63 - 2], "u8"), np.array([7, 200], "u1")):
        for op in ("sum", "min", "max", "argmin", "argmax"):
            want = int(getattr(np, op)(a.astype(object)) if op in ("sum", "min", "max") else getattr(np, op)(a))
            assert value(curl(d, f"/reduce?op={op}", *NPY, body=npy(a))) == want, (op, a)
            if want != float(want):
                assert value(post(d, "/reduce", {"a": [int(x) for x in a], "op": op})) == want, (op, a)
    a = rng.integers(-2**62, 2**62, (20, 30))
    for body, accepted in ((npy(a), "x-npy"), (npy(np.asfortranarray(a)), "x-npy")):
        got = np.load(io.BytesIO(curl(d, "/transpose", *NPY, *accept(accepted), body=body).body))
        assert got.dtype == np.int64 and (got == a.T).all()
    assert post(d, "/transpose", {"a": a.tolist()}).json()["result"]["a"] == a.T.tolist()
    p = rng.permutation(20)
    assert post(d, "/permute", {"a": a.tolist(), "p": p.tolist()}).json()["result"]["a"] == a[p].tolist()
    r = curl(d, "/transpose", *NPY, *accept("x-matrix-market"), body=npy(a))
    lines = r.body.decode().split("\n")
    assert lines[0] == "%%MatrixMarket matrix array integer general" and [int(x) for x in lines[2:-1]] == a.ravel().tolist()
    small = rng.integers(-9, 9, (5, 6)).astype("i4")
    got = np.load(io.BytesIO(curl(d, "/transpose", *NPY, *accept("x-npy"), body=npy(small)).body))
    assert got.dtype == np.int32 and (got == small.T).all()
    close(np.load(io.BytesIO(curl(d, "/matmul", "-H", "Content-Type: application/x-npz", *accept("x-npy"),
                                  body=npz(a=small, b=small.T)).body)), (small @ small.T).astype(float))


@case()
def json_integers_add_up_exactly(d):
    for a in ([BIG - 1, 2], [BIG, 1], rng.integers(0, BIG, 900).tolist(), [[BIG, 1], [1, 1]]):
        assert value(post(d, "/reduce", {"a": a})) == int(np.sum(np.array(a, object))), a[:2]
    assert value(post(d, "/reduce", {"a": [3] * 39, "op": "prod"})) == 3**39
    assert post(d, "/reduce", {"a": [[BIG, 1], [1, 1]], "axis": 1}).json()["result"]["values"] == [BIG + 1, 2]
    assert value(post(d, "/reduce", {"a": [1e300, 1]})) == 1e300
    assert value(post(d, "/reduce", {"a": [BIG, 0.5]})) == BIG


@case()
def what_cannot_stay_exact_is_refused(d):
    beyond = np.array([2**63, 2**63 + 1], "u8")
    for op in ("reduce", "transpose"):
        curl(d, f"/{op}", *NPY, body=npy(beyond)).problem(400, "beyond int64")
        assert curl(d, f"/{op}?dtype=float64", *NPY, body=npy(beyond)).status == 200
        post(d, f"/{op}", {"a": [2**63 + 1, 1]}).problem(400, "beyond int64")
    coo = {"format": "coo", "shape": [1, 2], "row": [0], "col": [1], "data": [BIG + 1]}
    post(d, "/permute", {"a": coo, "p": [0]}).problem(400, "sparse")
    curl(d, "/matrices/beyond", "-X", "PUT", *NPY, body=npy(beyond)).problem(400, "beyond int64")
    assert curl(d, "/matrices/beyond?dtype=float64", "-X", "PUT", *NPY, body=npy(beyond)).status == 201
    for op, a in (("sum", [2**62, 2**62]), ("prod", [2**62, 4]), ("prod", [-2**63, -1])):
        post(d, "/reduce", {"a": a, "op": op, "dtype": "int64"}).problem(422, "beyond int64")


@case()
def an_integer_type_takes_integers_alone(d):
    for bad, word in (([1.9, 0.1], "1.9"), ([2**31, 0], "2147483648"), ([-1, 0.5], "0.5")):
        post(d, "/reduce", {"a": {"shape": [1, 2], "dtype": "int32", "data": bad}}).problem(400, word)
        post(d, "/reduce", {"a": bad, "dtype": "int32"}).problem(400, word)
        coo = {"format": "coo", "shape": [2, 2], "row": [0, 1], "col": [1, 0], "data": bad, "dtype": "int32"}
        post(d, "/permute", {"a": coo, "p": [1, 0]}).problem(400, word)
        body = json.dumps({"matrix": {"shape": [2], "dtype": "int32", "data": bad}}).encode()
        curl(d, "/matrices/whole", "-X", "PUT", "-H", "Content-Type: application/json", body=body).problem(400, word)
    for bad in (np.nan, np.inf, -np.inf):
        for dtype in ("int32", "int64"):
            curl(d, f"/reduce?dtype={dtype}", *NPY, body=npy(np.array([1, bad]))).problem(400, dtype)
    post(d, "/reduce", {"a": {"generate": "hilbert", "shape": [3, 3], "dtype": "int32"}}).problem(400, "0.5")
    assert value(post(d, "/reduce", {"a": {"shape": [1, 2], "dtype": "int32", "data": [1.0, -3]}})) == -2
    assert value(post(d, "/reduce", {"a": {"generate": "minij", "shape": [3, 3], "dtype": "int64"}})) == 14


def bfloat16(a):
    """The elements of an array that bfloat16 holds, as NumPy saves ml_dtypes' bfloat16."""
    return (np.asarray(a, "f4").view("u4") >> 16).astype("u2").view("V2")


def loaded(r):
    assert r.status == 200, r.body[:300]
    return np.load(io.BytesIO(r.body))


@case()
def float16_products_and_sums_are_numpys(d):
    a, b = rng.standard_normal((30, 40)).astype("f2"), rng.standard_normal((40, 20)).astype("f2")
    exact = (a.astype("f8") @ b.astype("f8")).astype("f2")
    for x in (a, a.astype(">f2"), np.asfortranarray(a)):
        got = loaded(curl(d, "/matmul", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(a=x, b=b)))
        assert got.dtype == np.float16
        assert (np.abs(got.view("i2").astype(int) - exact.view("i2")) <= 1).all()
    r = curl(d, "/matmul?a.shape=30,40&b.shape=40,20&dtype=float16", *RAW, *accept("octet-stream"),
             body=a.tobytes() + b.tobytes())
    assert r.headers["linalgd-dtype"] == "float16" and r.body == got.tobytes()
    assert loaded(curl(d, "/matmul?dtype=float32", "-H", "Content-Type: application/x-npz", *accept("x-npy"),
                       body=npz(a=a, b=b))).dtype == np.float32
    big = np.full((2, 2), 300, "f2")
    assert np.isinf(loaded(curl(d, "/matmul", "-H", "Content-Type: application/x-npz", *accept("x-npy"),
                                body=npz(a=big, b=big)))).all()
    for op in ("max", "min"):
        got = loaded(curl(d, f"/reduce?op={op}&axis=0", *NPY, *accept("x-npy"), body=npy(a)))
        assert got.dtype == np.float16 and (got == getattr(np, op)(a, axis=0)).all()
    got = loaded(curl(d, "/reduce?axis=1", *NPY, *accept("x-npy"), body=npy(a)))
    assert (got == a.astype("f8").sum(1).astype("f4").astype("f2")).all()


@case()
def mixed_types_promote_as_in_numpy(d):
    for x in ("f2", "f4", "f8", "i4", "i8"):
        a, b = np.ones((2, 3), "f2"), np.ones((3, 2), x)
        got = loaded(curl(d, "/matmul", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(a=a, b=b)))
        assert got.dtype == (a @ b).dtype, x
    half = {"shape": [1, 1], "dtype": "float16", "data": [3]}
    brain = dict(half, dtype="bfloat16")
    body = json.dumps({"a": half, "b": brain}).encode()
    r = curl(d, "/matmul", "-H", "Content-Type: application/json", *accept("octet-stream"), body=body)
    assert r.headers["linalgd-dtype"] == "float32" and np.frombuffer(r.body, "f4")[0] == 9


@case()
def json_numbers_are_rounded_once_to_16_bits(d):
    """Each is a float64 just off the middle of two neighbours. float32 has the middle but not the number: by way of it,
    the number would go to the even neighbour."""
    for name, off, away in (("float16", 2.0**-11, 1 + 2.0**-10), ("bfloat16", 2.0**-8, 1 + 2.0**-7)):
        for sign in (1, -1):
            data = [sign * (1 + off), sign * (1 + off + 2.0**-30), sign * (1 + 3 * off - 2.0**-30), sign * (1 + 3 * off)]
            wanted = [sign * x for x in (1, away, away, 1 + 2 * (away - 1))]
            bits = np.array(wanted, "f2").tobytes() if name == "float16" else bfloat16(wanted).tobytes()
            for m in ({"shape": [4], "dtype": name, "data": data}, {"data": data, "dtype": name, "shape": [4]}):
                r = curl(d, "/matrices/middles", "-X", "PUT", "-H", "Content-Type: application/json",
                         body=json.dumps({"matrix": m}).encode())
                assert r.status in (201, 204), r.body
                r = curl(d, "/matrices/middles", *accept("octet-stream"))
                assert r.headers["linalgd-dtype"] == name and r.body == bits, (name, data, r.body)


@case()
def bfloat16_is_what_the_request_says(d):
    a = np.array([[1.5, -2], [3.140625, 2.0**100]], "f4")
    body = npy(bfloat16(a))
    curl(d, "/reduce", *NPY, body=body).problem(400, "dtype=bfloat16")
    got = loaded(curl(d, "/reduce?op=max&axis=0&dtype=bfloat16", *NPY, *accept("x-npy"), body=body))
    assert got.dtype == "V2" and (got.view("u2") == (a.max(0).view("u4") >> 16)).all()
    assert curl(d, "/matrices/brain?dtype=bfloat16", "-X", "PUT", *NPY, body=body).status in (201, 204)
    r = curl(d, "/matrices/brain", *accept("octet-stream"))
    assert r.headers["linalgd-dtype"] == "bfloat16" and r.body == bfloat16(a).tobytes()
    assert curl(d, "/matrices/brain", *accept("json")).json()["matrix"][1] == [3.14, 1.27e30]
    assert b"\n3.14\n" in curl(d, "/matrices/brain", *accept("x-matrix-market")).body
    body = json.dumps({"a": {"ref": "brain"}, "b": {"shape": [2], "dtype": "bfloat16", "data": [1, 0]}}).encode()
    r = curl(d, "/matmul", "-H", "Content-Type: application/json", *accept("octet-stream"), body=body)
    assert r.headers["linalgd-dtype"] == "bfloat16" and r.body == bfloat16(a[:, 0]).tobytes()


@case()
def float16_is_stored_and_read_by_all(d):
    a = np.array([[1.5, -2, 65504], [6e-8, 0, 0.1]], "f2")
    for x in (a, a.astype(">f2"), np.asfortranarray(a)):
        got = loaded(curl(d, "/transpose", *NPY, *accept("x-npy"), body=npy(x)))
        assert got.dtype == np.float32 and (got == a.T.astype("f4")).all()
    r = curl(d, "/transpose?shape=2,3&dtype=float16", *RAW, *accept("x-npy"), body=a.tobytes())
    assert (loaded(r) == a.T).all()
    body = {"a": {"shape": [2, 3], "dtype": "float16", "base64": base64.b64encode(a.tobytes()).decode()}}
    assert (np.array(post(d, "/transpose", body).json()["result"]["a"], "f4") == a.T).all()
    for query, kind, body in (("shape=2,3&dtype=float16", RAW, a.tobytes()), ("", NPY, npy(a)),
                              ("dtype=float16", NPY, npy(a.astype("f8")))):
        assert curl(d, f"/matrices/half?{query}", "-X", "PUT", *kind, body=body).status in (201, 204)
        got = loaded(curl(d, "/matrices/half", *accept("x-npy")))
        assert (got == a).all() and got.dtype == np.float16
    rows = curl(d, "/matrices/half", *accept("json")).json()["matrix"]
    assert rows[1] == [6e-8, 0, 0.1] and (np.array(rows).astype("f2") == a).all()
    post(d, "/transpose", {"a": [[1]], "dtype": "float16"}).problem(400, "float16")
    curl(d, "/matrices/half?dtype=float16", "-X", "PUT", *NPY, body=npy(np.array([7e4]))).problem(400, "70000")


@case()
def raw_integers_are_operands_of_every_operation(d):
    a, b = rng.integers(-9, 9, (4, 6)), rng.integers(-9, 9, (6, 5))
    for t in ("i4", "i8"):
        r = curl(d, f"/matmul?a.shape=4,6&b.shape=6,5&dtype={np.dtype(t)}", *RAW, *accept("x-npy"),
                 body=a.astype(t).tobytes() + b.astype(t).tobytes())
        assert (np.load(io.BytesIO(r.body)) == a @ b).all(), r.body[:200]
    r = curl(d, "/reduce?shape=3&dtype=bool", *RAW, body=b"\1\0\1")
    assert value(r) == 2
    curl(d, "/norm", *NPY, body=npy(a.astype("c8"))).problem(400, "complex")


@case()
def zeros_of_a_dense_matrix_meet_infinity(d):
    a, x, y = np.array([[0, 1, 0], [2, 0, 0]]), np.array([np.inf, 1, 3]), np.array([5.0, 6])
    for variant in ("auto", "csr-lanes", "coo", "ellpack-r", "sell"):
        for query, arrays in (("", dict(a=a, x=x)), ("&accumulate=true", dict(a=a, x=x, y=y))):
            r = curl(d, f"/spmv?variant={variant}{query}", "-H", "Content-Type: application/x-npz", *accept("x-npy"),
                     body=npz(**arrays))
            got = np.load(io.BytesIO(r.body))
            assert np.isnan(got[0]) and got[1] == np.inf, (variant, query, got)
    coo = {"format": "coo", "shape": [1, 2], "row": [0], "col": [1], "data": [1]}
    curl(d, "/matrices/matrix-of-one", "-X", "PUT", "-H", "Content-Type: application/json", body=json.dumps({"matrix": coo}).encode())
    curl(d, "/matrices/ends", "-X", "PUT", *NPY, body=npy(np.array([np.inf, 1])))
    assert post(d, "/spmv", {"a": {"ref": "matrix-of-one"}, "x": {"ref": "ends"}}).json()["result"]["y"] == [1]


def unseekable(**arrays):
    """An npz that was written to a pipe: data descriptors follow the members, whose own headers lack the lengths."""
    to = io.BytesIO()

    class Pipe:
        def write(self, some):
            return to.write(some)

        def flush(self):
            pass

    with zipfile.ZipFile(Pipe(), "w") as z:
        for name, a in arrays.items():
            member = io.BytesIO()
            np.save(member, a)
            z.writestr(name + ".npy", member.getvalue())
    return to.getvalue()


def commented(archive, comment):
    to = io.BytesIO(archive)
    with zipfile.ZipFile(to, "a") as z:
        z.comment = comment
    return to.getvalue()


def zip64(archive, members):
    """The archive with the index's end of a large one, in which that number of members stands."""
    at = archive.rfind(b"PK\5\6")
    size, offset = struct.unpack("<II", archive[at + 12:at + 20])
    large = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, members, members, size, offset)
    locator = b"PK\6\7" + struct.pack("<IQI", 0, at, 1)
    return archive[:at] + large + locator + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)


@case()
def an_archive_ends_where_its_index_does_and_not_where_a_signature_stands(d):
    a, b = np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([[3.0], [4.0]])
    whole = npz(a=a, b=b)
    compressed = io.BytesIO()
    np.savez_compressed(compressed, a=a, b=b)
    inner = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 999, 999, 0, 0, 0)
    good = [whole, compressed.getvalue(), unseekable(a=a, b=b), zip64(whole, 2), commented(compressed.getvalue(), b"made by hand"),
            commented(whole, b"the index ends with PK\5\6 and what follows it " + b"\xff" * 40), commented(whole, b"PK\5\6"),
            commented(whole, b"before " + inner + b" behind"), commented(whole, b"PK\5\6" * 16383)]
    for archive in good:
        r = curl(d, "/matmul", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=archive)
        assert r.status == 200 and (loaded(r) == a @ b).all(), r.body[:500]
    signature = np.frombuffer(b"PK\5\6" + b"\xff" * 60).reshape(8, 1)
    r = curl(d, "/transpose", "-H", "Content-Type: application/x-npz", *accept("x-npy"), body=npz(a=signature))
    assert r.status == 200 and r.body.endswith(signature.tobytes()), r.body[:500]
    bad = [b"PK\3\4" + whole, whole + b"PK\5\6", whole[7:], zip64(whole, 10**6), zip64(whole, 65), whole[whole.rfind(b"PK\5\6"):]]
    bad += [whole[:-n] for n in (1, 10, 21, 22, 23, 60, len(whole) // 2)]
    for archive in bad:
        curl(d, "/matmul", "-H", "Content-Type: application/x-npz", body=archive).problem(400, "npz: ")
    too_many = npz(**{f"a{i}": a for i in range(65)})
    curl(d, "/matmul", "-H", "Content-Type: application/x-npz", body=too_many).problem(400, "65 members")
