"""claims.py - the statement by which a host claims jobs, to be executed without a host."""
import re

SESSION = tuple(f"enable_{x}" for x in ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin")) + ("jit",)  # off, as in src/fleet/pg.c


def statement(binary, *parameters, copies=True, needs=False):
    """The statement of the binary, with the text of its parameters: the node, the milliseconds of the lease, the number of jobs at most,
    the bytes of free memory, whether it sees the shared directory, the versions of which it has copies, and 0, and what its devices can
    do. With copies=False, it is the statement for a node without copies, which lacks the last but one; with needs=False, the one for a
    node that can run all that wait, which lacks the last."""
    with open(binary, "rb") as f:
        program = f.read()
    begins = b"WITH near AS MATERIALIZED" if copies else b"WITH picked AS MATERIALIZED"
    sql, = {x.decode() for x in re.findall(begins + rb"[^\0]*", program) if (b"AS queue" in x) == needs}
    for i, value in enumerate(parameters):
        sql = sql.replace(f"${i + 1}", value)
    return sql


def ghost(sql, serials, uses="NULL", need="gpu", ids="md5(i::text)"):
    """Adds a node that no process is, with a device, and jobs that only it can run: numbered by `serials`, an SQL expression, like their
    `ids`."""
    sql("INSERT INTO linalgd.node VALUES('ghost', now() + interval '1 hour') ON CONFLICT DO NOTHING;"
        f"INSERT INTO linalgd.device VALUES('ghost', 0, '{need}', 'ghostly', true, 1000000000) ON CONFLICT DO NOTHING;"
        "INSERT INTO linalgd.job(id, tenant, rank, need_device, need_float64, need_memory, operand_bytes, request, operands, uses)"
        f" SELECT {ids}, '', now(), '{need}', false, 0, 100, 'op trace', repeat('x', 300)::bytea, {uses}"
        f" FROM {serials} AS i")
