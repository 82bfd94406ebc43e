"""case_readme.py - README.md's commands do what it says, one after the other, as a new user types them."""
import glob
import json
import math
import os
import re
import subprocess
import tempfile

import numpy as np
import scipy.linalg

from client import case, post

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHELL = ("curl ", "python3 ", "until ", "JOB=", "linalgd call ")


def readme():
    with open(os.path.join(ROOT, "README.md")) as f:
        return f.read()


def blocks(text):
    """The indented blocks, each a list of commands, or what one of them prints."""
    for block in re.findall(r"(?:^ {4}.*\n)+", text, re.M):
        yield re.sub(r"^ {4}", "", block, flags=re.M).replace("\\\n", "")


def commands(block):
    """A command goes on over lines while a quote is open."""
    command = ""
    for line in block.splitlines():
        command = command + "\n" + line if command else line
        if command.count("'") % 2 == 0:
            yield command
            command = ""


def member(text, name):
    """The JSON value of "name": in a text that leaves things out, or None."""
    at = re.search(f'"{name}":', text)
    return json.JSONDecoder().raw_decode(re.sub(r"\n *", "", text[at.end():]))[0] if at else None


def agree(want, got):
    if isinstance(want, dict):
        return isinstance(got, dict) and want.keys() == got.keys() and all(agree(want[k], got[k]) for k in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(want) == len(got) and all(map(agree, want, got))
    if isinstance(want, float):
        return math.isclose(want, got, rel_tol=1e-9)
    return want == got


@case()
def every_example_of_the_readme_answers_what_it_says(d):
    text = readme().split("## Try it", 1)[1].split("\n## ", 1)[0].replace("http://127.0.0.1:8080", d.url)
    variables = {"PATH": os.path.dirname(os.path.abspath(d.binary)) + ":/usr/bin:/bin", "LANG": "C.UTF-8", "LINALGD_URL": d.url}
    printed, ran, compared = "", 0, 0
    with tempfile.TemporaryDirectory() as home:
        for block in blocks(text):
            if not block.startswith(SHELL):
                want = member(block, "result")
                assert block.strip() == printed.strip() or want and agree(want, json.loads(printed)["result"]), (
                    f"{block}\nis not\n{printed}")
                compared += 1
                continue
            for command in commands(block):
                done = subprocess.run(["bash", "-c", command + "\necho; echo JOB=$JOB >&2"], cwd=home, env=variables,
                                      capture_output=True, text=True, timeout=300)
                assert done.returncode == 0, (command, done.stderr)
                if done.stdout.strip():
                    printed = done.stdout
                assert '"type":"/problems/' not in done.stdout, (command, done.stdout)
                variables["JOB"] = done.stderr.rsplit("JOB=", 1)[1].strip()
                ran += 1
        assert ran >= 10 and compared >= 6, (ran, compared)
        assert np.load(os.path.join(home, "x.npy")).shape == (2000,)


# Options of linalgd worker, Prometheus, curl, systemctl, mpirun and srun, which the documents use.
OTHERS = ("--describe --list --cluster --enable-feature --json --unix-socket --cacert --compressed --data-binary "
          "--fail-with-body --now --hostfile --map-by --allow-run-as-root --oversubscribe --kill-on-bad-exit ")


def documents():
    """What stands in README.md and in every page of docs/."""
    paths = glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True)
    assert len(paths) >= 30
    return readme() + "".join(open(path).read() for path in paths)


@case()
def every_option_of_the_documents_exists(d):
    known = "".join(subprocess.run([d.binary, command, "--help"], capture_output=True, text=True).stdout
                    for command in ("serve", "devices", "call", "bench", "tune", "check"))
    known += OTHERS
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", documents())):
        assert option + " " in known or option + "\n" in known, option


@case()
def lu_speaks_of_permutations_as_the_readme_says(d):
    a = np.random.default_rng(3).standard_normal((6, 6))
    r = post(d, "/lu", {"a": a.tolist(), "return": "p,pivots"}).json()["result"]
    p, _, _ = scipy.linalg.lu(a)
    assert np.argmax(p, axis=1).tolist() == np.argsort(r["p"]).tolist()     # SciPy's p_indices
    assert r["pivots"] == scipy.linalg.lu_factor(a)[1].tolist()
