"""The package itself: types, the stub, the wheel, the README's tour."""
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig

import numpy as np
import pytest

from conftest import BINARY, HERE

HOME = os.path.join(HERE, "..")


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_mypy_finds_nothing(tmp_path):
    run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.path.join(os.environ.get("B", tmp_path), "mypy"), cwd=HOME)


def test_type_checkers_see_the_operations(tmp_path):
    def check(text):
        path = tmp_path / f"t{len(list(tmp_path.iterdir()))}.py"
        path.write_text("from linalgd import Client, AsyncClient\nla = Client()\nasync def f(al: AsyncClient) -> None:\n"
                                       f"    {text}\n")
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.path.join(os.environ.get("B", tmp_path), "mypy"),
                               path], capture_output=True, text=True, env=dict(os.environ, MYPYPATH=HOME)).stdout
    good = check("la.lu([[1]], pivot='none').pivots; (await al.qr([[1]])).q; la.submit.svd([[1]]).result().s; la.linalg.eigh([[1]])")
    assert "Success" in good, good
    assert "nonne" in check("la.lu([[1]], pivot='nonne')") and "pivott" in check("la.lu([[1]], pivott='none')")
    assert "has no attribute" in check("la.lux([[1]])")


def test_the_stub_is_what_the_service_has(la):
    sys.path.insert(0, HOME)
    import stub
    with open(os.path.join(HOME, "linalgd", "operations.pyi")) as f:
        kept = f.read()
    assert stub.stub(json.loads(run(BINARY, "ops", "--json"))) == kept, "make it anew, as stub.py says"


def test_the_wheel_installs_and_works(daemon, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(HOME, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    run(sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "-w", tmp_path, source)
    wheel, = tmp_path.glob("*.whl")
    assert wheel.name == f"linalgd-{run(BINARY, 'version').split()[1]}-py3-none-any.whl"
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--disable-pip-version-check", "--no-deps", wheel)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])").strip()
    with open(os.path.join(site, "dependencies.pth"), "w") as f:      # uses the NumPy and httpx of the tests
        f.write(sysconfig.get_paths()["purelib"] + "\n")
    assert run(python, "-c", "import linalgd; print(linalgd.__version__)").split() == run(BINARY, "version").split()[1:]
    out = run(python, "-c", "import linalgd, sys; print(linalgd.__file__);"
              "print(linalgd.Client(sys.argv[1]).matmul([[2]], [[3]]).c)", daemon.url, cwd=tmp_path)
    assert out.splitlines()[0].startswith(str(tmp_path)) and "6" in out
    assert {"py.typed", "operations.pyi"} <= set(os.listdir(os.path.join(site, "linalgd")))


@pytest.mark.parametrize("path, least", [("README.md", 12), ("../../docs/tutorial.md", 4)])
def test_the_code_of_the_documents_gives_what_they_say(daemon, path, least):
    """Every block of code, one statement after the other; a comment `# -> x` says what an expression gives."""
    with open(os.path.join(HOME, path)) as f:
        blocks = re.findall(r"^```python\n(.*?)^```", f.read(), re.M | re.S)
    names, compared = {}, 0
    for block in blocks:
        code = block.replace("http://127.0.0.1:8080", daemon.url)
        for statement in ast.parse(code).body:
            line = code.splitlines()[statement.end_lineno - 1]
            if "# -> " not in line:
                exec(compile(ast.Module([statement], []), path, "exec"), names)
                continue
            got = eval(compile(ast.Expression(statement.value), path, "eval"), names)
            with np.printoptions(precision=4, suppress=True):
                assert str(got) == line.split("# -> ")[1], line
            compared += 1
    assert compared >= least
