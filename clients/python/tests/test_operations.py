"""Operations as methods of a client: their operands, and their named outputs."""
import copy
import json
import os
import pickle
import threading

import numpy as np
import pytest
import scipy.sparse as sparse

import linalgd
from linalgd import Client, errors, generate, ref
from linalgd.body import form, npy_pieces, operands_body, read_npy

rng = np.random.default_rng(7)
A = rng.standard_normal((6, 6))


def test_outputs_are_named_and_unpack_in_their_order(la):
    r = la.lu(A, return_="l,u,p")
    assert r._fields == ("p", "l", "u") and r.p is r[0]
    np.testing.assert_allclose(r.l @ r.u, A[r.p], atol=1e-13)
    u, s, vh = la.svd(A[:, :4])
    np.testing.assert_allclose(u * s @ vh, A[:, :4], atol=1e-13)
    assert np.asarray(la.matmul(A, A)) == pytest.approx(A @ A)
    with pytest.raises(TypeError, match="take one of them"):
        np.asarray(la.lu(A))


def test_results_may_be_written_to_and_are_the_callers_own(la):
    for array in (la.matmul(A, A).c, la.lu(A).lu):
        array[0, 0] = 42
        assert array.flags.writeable and array[0, 0] == 42


def test_times_quality_and_device_come_with_a_result(la):
    r = la.solve(A, A[:, 0])
    assert r.timing["kernels"] and r.timing["total_ms"] > 0
    assert r.quality["residual"] < 30 and 0 < r.quality["rcond"] < 1
    assert r.device["name"] and len(r.id) == 32
    assert la.job(r.id).status == "successful"


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint16", ">f8", "<i4", "bool", "float16"])
def test_every_type_of_element_is_sent(la, dtype):
    a = (np.arange(12).reshape(3, 4) % 2).astype(dtype)
    got = la.matmul(a, np.eye(4)).c
    assert np.array_equal(got, a.astype(float))


@pytest.mark.parametrize("a", [np.asfortranarray(A), A[::2, ::-1], A.T, A[:0], A.tolist(), np.float64(3) * np.ones((1, 1))])
def test_any_layout_of_an_array_is_sent(la, a):
    want = np.asarray(a)
    assert np.array_equal(la.transpose(a).a, want.T)
    assert np.array_equal(la.matmul(a, np.eye(want.shape[1])).c, want)


def test_types_follow_numpys_rules(la):
    single = A.astype(np.float32)
    assert la.matmul(single, single).c.dtype == np.float32
    assert la.matmul(single, A).c.dtype == np.float64
    assert la.matmul(A, A, dtype="float32").c.dtype == np.float32
    assert la.matmul(A, A, dtype=np.float32).c.dtype == np.float32
    assert la.eigen([[0, 1], [-1, 0]], which="all").eigenvalues.dtype == np.complex128


def test_sparse_stored_and_generated_operands(la):
    s = sparse.random(20, 20, 0.2, "coo", random_state=1)
    x = rng.standard_normal(20)
    for m in (s, s.tocsr(), s.tocsc(), sparse.csr_array(s)):
        np.testing.assert_allclose(la.spmv(m, x).y, s @ x)
    la.store("operand", A)
    assert np.array_equal(la.matmul(ref("operand"), A).c, la.matmul(A, A).c)
    assert la.matmul(generate("hilbert", 3), np.eye(3)).c[2, 2] == 1 / 5
    one, other = (la.transpose(generate("random", (3, 3), seed=k)).a for k in (1, 2))
    assert not np.array_equal(one, other)


def test_stacks_and_failures_of_single_matrices(la):
    stack = np.stack([np.eye(2), np.zeros((2, 2))])
    r = la.inverse(stack)
    assert r.failed.tolist() == [1] and np.isnan(r.inverse[1]).all() and np.array_equal(r.inverse[0], np.eye(2))
    assert la.inverse(stack[:1]).failed is None


def test_results_are_operands(la):
    b = np.arange(6.0)
    np.testing.assert_allclose(la.solve(factors=la.lu(A), b=b).x, np.linalg.solve(A, b))
    np.testing.assert_allclose(la.matmul(la.inverse(A), A).c, np.eye(6), atol=1e-12)


def test_scalars_come_as_numbers(la):
    r = la.reduce([3, 1, 2], op="argmax")
    assert r.index == 0 and la.trace(np.eye(4)).trace == 4 and la.norm(np.eye(4)).norm == 2


def test_parameters_of_every_kind(la):
    assert la.qr(A, pivot=True, mode="complete").p.shape == (6,)
    assert la.eigen(np.diag([1.0, 2, 3]), which="largest", k=2, return_=["eigenvalues"]).eigenvalues.tolist() == [2, 3]
    assert la.matmul(A, A, transpose_a=np.True_).c == pytest.approx(A.T @ A)
    assert la.pinv(A, rcond=1e-10).pinv == pytest.approx(np.linalg.inv(A))


def test_problems_of_pairs(la):
    a, b = A + A.T + 1j * (A - A.T), np.diag(np.arange(1.0, 7))
    r = la.eigen(a, b, which="all", problem="definite-abx", return_=["eigenvalues", "eigenvectors"])
    np.testing.assert_allclose(a @ b @ r.eigenvectors, r.eigenvectors * r.eigenvalues, atol=1e-10)
    r = la.eigen(np.eye(2), np.diag([2.0, 0]), which="all", problem="general", return_=["eigenvalues", "alpha_beta"])
    assert r.eigenvalues.tolist() == [np.inf, 0.5] and r.alpha_beta.tolist() == [[1, 1], [0, 2]]


def test_wrong_words_are_told_before_anything_is_sent(la):
    before = len(la.jobs())
    with pytest.raises(AttributeError, match="did you mean matmul"):
        la.matmull
    with pytest.raises(TypeError, match="did you mean pivot?"):
        la.lu(A, pivott="none")
    with pytest.raises(TypeError, match="needs operand b"):
        la.matmul(A)
    with pytest.raises(TypeError, match="takes 1 operands"):
        la.lu(A, A)
    with pytest.raises(TypeError, match="operand a twice"):
        la.lu(A, a=A)
    with pytest.raises(TypeError, match="must be numbers"):
        la.lu([["x"]])
    for masked in (np.ma.array(A, mask=A == A[0, 0]), np.ma.array(A, mask=True)):
        with pytest.raises(TypeError, match="no masked elements"):
            la.reduce(masked)
    assert la.reduce(np.ma.array(A)).value == la.reduce(A).value
    with pytest.raises(TypeError, match="must be numbers"):
        la.lu(np.array([[None]]))
    assert len(la.jobs()) == before


def test_methods_have_help_and_signatures(la):
    import inspect
    assert "pivoting" in la.lu.__doc__ and "P A = L U for an m x n matrix" in la.lu.__doc__ and la.lu.__name__ == "lu"
    assert list(inspect.signature(la.lu).parameters)[:2] == ["a", "pivot"]
    assert "lu" in dir(la) and "store" in dir(la)


def test_results_print_as_text_and_as_html(la):
    r = la.solve(A, A[:, 0])
    page = r._repr_html_()
    assert repr(r).startswith("SolveResult(x=array(") and "<table>" in page and "total" not in page and "px" in page
    for kernel in r.timing["kernels"]:
        assert kernel["name"] in page
    r._info = {"device": {"name": "<script>"}, "timing": {"<b>_ms": 1, "kernels": [{"name": "<i>", "total_ms": 1}]}}
    assert "<script>" not in r._repr_html_() and "<i>" not in r._repr_html_() and "&lt;b&gt;" in r._repr_html_()


def test_results_can_be_pickled(la):
    r = la.svd(A)
    copy = pickle.loads(pickle.dumps(r))
    assert all(map(np.array_equal, copy, r)) and copy.s.shape == (6,) and copy.id == r.id


def test_what_is_stored_is_pickled_with_the_result(la):
    r = la.lu(A, store="lu:pickled")
    for copied in (pickle.loads(pickle.dumps(r)), copy.copy(r)):
        assert copied.stored == r.stored == {"lu": "pickled"} and copied._fields == r._fields
    la.stored("pickled").delete()


def test_problems_can_be_pickled(la):
    """As a pool of processes does with what a worker raises."""
    with pytest.raises(errors.Singular) as caught:
        la.solve([[1.0, 2], [2, 4]], [1.0, 2])
    one = caught.value
    more = errors.problem_of(400, json.dumps({"type": "/problems/bad-parameter", "title": "Bad", "detail": "why",
                                              "errors": [{"parameter": "k"}]}).encode(), retry_after=2.0)
    unknown = errors.problem_of(422, b'{"type": "/problems/yet-unknown", "title": "New"}')
    lost = errors.Unreachable("no answer")
    lost.timed_out = more.timed_out = True
    for e in (one, more, unknown, lost, errors.Unexpected("what?")):
        for other in (pickle.loads(pickle.dumps(e)), copy.copy(e), copy.deepcopy(e)):
            assert type(other) is type(e) and str(other) == str(e) and vars(other) == vars(e), (e, other)


@pytest.mark.parametrize("address", ["url", "unix"])
def test_forked_processes_share_a_client(daemon, address):
    """Each has a connection of its own, and so the answers to its own requests, as in a pool of processes."""
    with Client(getattr(daemon, address), share=False) as la:
        la.trace([[1]])

        def works(process):
            numbers = range(1000 * process, 1000 * process + 40)
            return all(la.matmul(np.full((8, 8), float(i)), np.eye(8)).c[0, 0] == i for i in numbers)

        children = []
        for process in range(1, 4):
            child = os.fork()
            if child == 0:
                well = False
                try:
                    well = works(process)
                finally:
                    os._exit(0 if well else 1)
            children.append(child)
        mine = works(0)
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0] and mine and works(0)


def test_threads_share_a_client(daemon):
    with Client(daemon.url) as la:
        got = {}

        def work(i):
            got[i] = [la.matmul(np.full((8, 8), i), np.eye(8)).c[0, 0] for _ in range(10)]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert got == {i: [i] * 10 for i in range(8)}


def test_bodies_are_what_the_formats_say():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(3.0)
    body = operands_body({"b": b, "a": a}, ["a", "b"], {})
    assert body.query == {"a.shape": "2,3", "b.shape": "3", "dtype": "float64"} and body.joined() == a.tobytes() + b.tobytes()
    assert operands_body({"a": a}, ["a", "b"], {}).media == "application/x-npy"
    assert operands_body({"b": b}, ["a", "b"], {}).media.startswith("multipart/form-data")
    assert operands_body({"a": a, "b": b.astype("f4")}, ["a", "b"], {}).media.startswith("multipart/form-data")
    assert form({}).length == len(form({}).joined())
    for array in (a, a[:0], np.float32(3).reshape(()), a.astype(complex)):
        back = read_npy(bytearray(b"".join(npy_pieces(array))))
        assert back.dtype == array.dtype and np.array_equal(back, array)


def test_the_package_names_what_it_exports():
    for name in linalgd.__all__:
        assert hasattr(linalgd, name), name
