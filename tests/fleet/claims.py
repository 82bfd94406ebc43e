"""claims.py - the statement by which a host claims jobs, to be executed without a host."""
SESSION = tuple(f"enable_{x}" for x in ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin")) + ("jit",)  # off, as in src/fleet/pg.c
BEGINS = b"WITH near AS MATERIALIZED", b"WITH picked AS MATERIALIZED"      # with copies, and without


def statement(binary, *parameters, copies=True):
    """The statement of the binary, with the text of its parameters: the node, the milliseconds of the lease, the number of jobs at most,
    the bytes of free memory, whether it sees the shared directory, and the versions of which it has copies, and 0. With copies=False, it
    is the statement for a node without copies, which lacks the last."""
    with open(binary, "rb") as f:
        program = f.read()
    begins = program.index(BEGINS[not copies])
    sql = program[begins:program.index(b"\0", begins)].decode()
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
