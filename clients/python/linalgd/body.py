"""Makes request bodies of operands, and arrays of replies. Elements of dense operands and results are never sent as JSON.

A body is a list of pieces (bytes or views of arrays' own memory), so that an array is not
copied before it is sent.
"""
from __future__ import annotations

import io
import json
import uuid
import zipfile
from typing import Any, Iterator, Mapping, Optional, Protocol, Union, runtime_checkable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Piece = Union[bytes, memoryview]
Buffer = Union[bytearray, memoryview]
PIECE = 1 << 18                         # bytes that are handed to the socket at once
SMALL = 1 << 12

NPY, NPZ, JSON = "application/x-npy", "application/x-npz", "application/json"
SPARSE = "matrix"                       # the name of a sparse result whose archive does not tell it
RAW_TYPES = ("float32", "float64", "int32", "int64")


@runtime_checkable
class Reference(Protocol):
    """An operand that the service has stored or generates; reference() returns the JSON object that describes it."""

    def reference(self) -> dict[str, Any]: ...


class Generated:
    """A matrix that the service generates, as returned by generate("hilbert", (100, 100))."""

    def __init__(self, kind: str, shape: tuple[int, ...], options: Mapping[str, Any]) -> None:
        self._reference = {"generate": kind, "shape": list(shape), **options}

    def reference(self) -> dict[str, Any]:
        return self._reference

    def __repr__(self) -> str:
        return f"generate{tuple(self._reference.values())!r}"


def generate(kind: str, shape: Union[int, tuple[int, ...]], **options: Any) -> Generated:
    """Returns an operand that the service generates. kind is hilbert, random (with seed=), identity, spd, ones and others;
    GET /problems/bad-matrix and the service's error for an unknown kind list them all."""
    return Generated(kind, (shape, shape) if isinstance(shape, int) else tuple(shape), options)


def is_sparse(value: Any) -> bool:
    return hasattr(value, "tocsr") and hasattr(value, "nnz")


def _joined(pieces: list[Piece]) -> Iterator[Piece]:
    """Small pieces that follow each other become one, because each is sent by a system call, and wakes the service."""
    small = b""
    for piece in pieces:
        if len(piece) < SMALL:
            small += piece
            continue
        if small:
            yield small
        yield piece
        small = b""
    if small:
        yield small


class Body:
    """A request's body: its pieces, their length in bytes, and the media type."""

    def __init__(self, media: Optional[str], pieces: list[Piece], query: Optional[dict[str, str]] = None) -> None:
        self.media, self.pieces, self.query = media, list(_joined(pieces)), query or {}
        self.length = sum(len(p) for p in pieces)

    def __iter__(self) -> Iterator[Piece]:
        for piece in self.pieces:
            for at in range(0, len(piece), PIECE):
                yield piece[at:at + PIECE]

    def joined(self) -> bytes:
        return b"".join(self.pieces)


EMPTY = Body(None, [])


def json_body(value: Any) -> Body:
    return Body(JSON, [json.dumps(value).encode()])


def dense(value: Any) -> Array:
    """Returns the operand as an array in C order, of an element type that the service reads."""
    if np.ma.is_masked(value):
        raise TypeError("an operand must have no masked elements")
    array = np.asarray(value)
    if array.dtype == object or array.dtype.kind not in "biufc":
        raise TypeError(f"an operand must be numbers, not {array.dtype}")
    if array.dtype == np.longdouble or array.dtype == np.clongdouble:
        array = array.astype(np.float64 if array.dtype.kind == "f" else np.complex128)
    return array if array.ndim == 0 else np.ascontiguousarray(array)


def bytes_of(array: Array) -> memoryview:
    """Returns a view of the memory of an array, which must be in C order."""
    if array.size == 0:
        return memoryview(b"")
    return array.reshape(-1).view(np.uint8).data.cast("B")


def npy_pieces(array: Array) -> list[Piece]:
    head = io.BytesIO()
    header: dict[str, Any] = {"descr": np.lib.format.dtype_to_descr(array.dtype), "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(head, header)
    return [head.getvalue(), bytes_of(array)]


def sparse_npz(matrix: Any) -> bytes:
    """Returns the file that scipy.sparse.save_npz(compressed=False) writes."""
    m = matrix.tocsr()
    m.sum_duplicates()
    out = io.BytesIO()
    np.savez(out, format=np.array(b"csr"), shape=np.array(m.shape), indptr=m.indptr, indices=m.indices, data=m.data)
    return out.getvalue()


def part_of(value: Any) -> tuple[str, list[Piece]]:
    if isinstance(value, Reference):
        return JSON, [json.dumps(value.reference()).encode()]
    if is_sparse(value):
        return NPZ, [sparse_npz(value)]
    return NPY, npy_pieces(dense(value))


def form(parts: Mapping[str, tuple[str, list[Piece]]], fields: Optional[Mapping[str, str]] = None) -> Body:
    """Parts with operands, and fields with parameters."""
    boundary = uuid.uuid4().hex
    pieces: list[Piece] = []
    for name, value in (fields or {}).items():
        pieces.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    for name, (media, content) in parts.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\nContent-Type: {media}\r\n\r\n'
        pieces += [head.encode(), *content, b"\r\n"]
    pieces.append(f"--{boundary}--\r\n".encode())
    return Body(f"multipart/form-data; boundary={boundary}", pieces)


def raw(operands: Mapping[str, Array]) -> Body:
    """Returns a body of raw octets: several arrays of one type, one after another. The service receives it directly into the
    operands' memory."""
    pieces: list[Piece] = [bytes_of(a) for a in operands.values()]
    query = {f"{name}.shape": ",".join(map(str, a.shape)) for name, a in operands.items()}
    query["dtype"] = next(iter(operands.values())).dtype.name
    return Body("application/octet-stream", pieces, query)


def operands_body(operands: Mapping[str, Any], order: list[str], parameters: Mapping[str, Any]) -> Body:
    """Returns the operands in the body format that takes the least time to send and read. order is that of GET /ops."""
    if not operands:
        return EMPTY
    if any(isinstance(v, Reference) or is_sparse(v) for v in operands.values()):
        return form({name: part_of(v) for name, v in operands.items()})
    arrays = {name: dense(operands[name]) for name in order if name in operands}
    first = next(iter(arrays.values()))
    if len(arrays) == 1 and list(arrays) == order[:1]:
        return Body(NPY, npy_pieces(first))
    alike = all(a.dtype == first.dtype and a.ndim and a.dtype.isnative for a in arrays.values())
    if alike and first.dtype.name in RAW_TYPES and "dtype" not in parameters and list(arrays) == order[:len(arrays)]:
        return raw(arrays)
    return form({name: (NPY, npy_pieces(a)) for name, a in arrays.items()})


# --- replies

def read_npy(buffer: Buffer) -> Array:
    """Returns an array that shares the buffer's memory, and is writable if the buffer is."""
    view = memoryview(buffer)
    head = io.BytesIO(bytes(view[:4096]))
    version = np.lib.format.read_magic(head)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(head)
    count = int(np.prod(shape, dtype=np.int64))
    array = np.frombuffer(view, dtype=dtype, count=count, offset=head.tell())
    return array.reshape(shape, order="F" if fortran else "C")


def read_npz(buffer: Buffer) -> dict[str, Array]:
    """Returns the archive's members in their order. Members without compression become arrays that share the buffer's memory."""
    out: dict[str, Array] = {}
    view = memoryview(buffer)
    with zipfile.ZipFile(io.BytesIO(buffer)) as z:
        for info in z.infolist():
            name = info.filename[:-4] if info.filename.endswith(".npy") else info.filename
            if info.compress_type != zipfile.ZIP_STORED:
                out[name] = read_npy(bytearray(z.read(info)))
                continue
            local = info.header_offset          # lengths of name and extra field may differ from those in the directory
            start = local + 30 + int.from_bytes(view[local + 26:local + 28], "little") + \
                int.from_bytes(view[local + 28:local + 30], "little")
            out[name] = read_npy(view[start:start + info.file_size])
    return out


def sparse_of(members: Mapping[str, Any]) -> Any:
    """Returns the matrix of an archive as by scipy.sparse.save_npz, whose members these are; None of another archive's. The
    service writes compressed rows."""
    if not {"format", "shape", "data", "indices", "indptr"} <= set(members):
        return None
    import scipy.sparse as sparse
    return sparse.csr_matrix((members["data"], members["indices"], members["indptr"]), shape=tuple(members["shape"]))


def may_be_sparse(operand: Any) -> bool:
    """Whether an operand is sparse, or a stored matrix of which that is not known."""
    return is_sparse(operand) or (isinstance(operand, Reference) and not isinstance(operand, Generated) and
                                  getattr(operand, "format", "") != "dense")


def dtype_of(name: str) -> Any:
    """Returns the type that the service calls so. NumPy has bfloat16 only if a package such as ml_dtypes brings it; without one, its elements
    are bytes."""
    try:
        return np.dtype(name)
    except TypeError:
        return np.dtype("V2")
