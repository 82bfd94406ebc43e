"""case_tune.py - linalgd tune, and the service that uses its table."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

from client import case, post, until
from daemon import NOTES, Daemon, seed


def tune(binary, cache, *options):
    r = subprocess.run([binary, "tune", "--device", "cpu", "--cache", cache, *options], capture_output=True, text=True, timeout=900,
                       env=dict(os.environ, POCL_CACHE_DIR=os.path.join(cache, "pocl-0")))
    assert r.returncode == 0, (r.returncode, r.stdout, r.stderr)
    return r.stdout


def goes_by(d, variant):
    """Waits until that variant answers: until it is compiled another one may answer."""
    def ask():
        answer = post(d, "/matmul", {"a": [[1.0] * 16] * 16, "b": [[1.0] * 16] * 16}).json()
        return {k["variant"] for k in answer["timing"]["kernels"]} == {variant}
    until(f"{variant} is taken", ask, 300)


@case()
def the_service_goes_by_the_kept_table(d):
    with tempfile.TemporaryDirectory() as cache:
        seed(cache)
        for seconds in ("3", "30", "300"):      # operations not tuned by then keep their shipped choice
            text = tune(d.binary, cache, "--seconds", seconds, "--largest", "32")
            if re.search(r"^eigen +float32 +16 .*\*", text, re.M):
                break
        else:
            raise AssertionError(text)
        path, = glob.glob(os.path.join(cache, "tuning-*"))
        with open(path) as f:
            name, driver = f.readline(), f.readline()
        for lines, variant in (("matmul float64 16 255 register-tile\n", "register-tile"), ("", "packed")):
            with open(path, "w") as f:
                f.write(name + driver + lines)
            with Daemon(d.binary, "--cache", cache) as other:
                goes_by(other, variant)
        with open(path, "w") as f:
            f.write(name + "another driver\n" + "matmul float64 16 255 register-tile\n")
        with Daemon(d.binary, "--cache", cache) as other:
            goes_by(other, "packed")


@case()
def what_tune_measures_is_not_the_compiler(d):
    """PoCL takes at least 25 ms to compile a kernel, and some hundreds of ms for most of these; the calls take less than one. Of the kernels
    that eigen launches, the first operation to be tuned, the cache lacks those that bear its name."""
    with tempfile.TemporaryDirectory() as cache:
        seed(cache)
        for path in glob.glob(os.path.join(cache, "pocl-0", "*", "*", "eigen_*")) + glob.glob(os.path.join(cache, "pocl-0", NOTES)):
            (shutil.rmtree if os.path.isdir(path) else os.remove)(path)
        text = tune(d.binary, cache, "--seconds", "1", "--largest", "16")
        assert glob.glob(os.path.join(cache, "pocl-0", "*", "*", "eigen_*")), "nothing was compiled"
    rows = re.findall(r"^\S+ +\S+ +16 (.*)$", text, re.M)
    assert rows, text
    for row in rows:
        assert all(float(ms) < 25 for ms in row.split()[1::2]), row


@case()
def wrong_options_of_tune_are_refused(d):
    for options in (("--seconds", "0"), ("--device", "abacus"), ("--color", "red")):
        r = subprocess.run([d.binary, "tune", *options], capture_output=True, text=True, timeout=300)
        assert r.returncode == 2 and r.stderr.startswith("linalgd: "), (options, r)
