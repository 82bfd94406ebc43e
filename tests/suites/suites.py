"""suites.py BINARY - runs numpy.linalg's and scipy.linalg's own tests by requests to a daemon, and compares what fails
with the lists of differences. Ends with 'N passed, N failed'."""
import importlib
import multiprocessing
import os
import sys
import tempfile

import numpy as np
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(ROOT, "clients", "python")]
from daemon import Daemon
from names import matches, name_of

# The plugins that replace a library's functions, and the lists of the tests that fail then.
SUITES = {"replaced": "differences.txt", "scipy_replaced": "differences_scipy.txt"}


def differences(file):
    """The tests, or patterns of them, of which it is known that they fail, with the reasons."""
    with open(os.path.join(HERE, file)) as f:
        return dict(line.rstrip("\n").split(" - ", 1) for line in f if line.strip())


class Outcomes:
    """A plugin of pytest that notes which tests pass and which fail."""

    def __init__(self):
        self.passed, self.failed = set(), set()

    def pytest_runtest_setup(self, item):
        """Some tests take matrices from NumPy's global generator. A few matrices fail in the last digit."""
        np.random.seed(0)

    def pytest_runtest_logreport(self, report):
        name = name_of(report.nodeid)
        if report.failed:
            self.failed.add(name)
        elif report.passed and report.when == "call":
            self.passed.add(name)


def run(plugin, url):
    """Returns which tests have passed and failed, and the numbers of requests of each function."""
    os.environ["LINALGD_URL"] = url
    os.environ.pop("LINALGD_TOKEN", None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"      # those that packages of other tests bring along
    os.chdir(tempfile.gettempdir())
    module, outcomes = importlib.import_module(plugin), Outcomes()
    pytest.main(["-q", "--tb=short", "-p", "no:cacheprovider", "--pyargs", *module.TESTS], plugins=[module, outcomes])
    return outcomes.passed, outcomes.failed, {name: module.answered[name] for name in module.NAMES}


def known(names, patterns):
    return {name for name in names if any(matches(pattern, name) for pattern in patterns)}


def faults(passed, failed, requests, patterns):
    """What is not as it should be, a line each."""
    for name in sorted(failed - known(failed, patterns)):
        yield f"{name} failed"
    for name in sorted(known(passed - failed, patterns)):
        yield f"{name} passed, but is listed as a difference"
    for pattern in patterns:
        if not known(passed | failed, [pattern]):
            yield f"{pattern} did not run, but is listed as a difference"
    for name, number in requests.items():
        if number == 0:
            yield f"the service was never asked for {name}"


def reported(passed, failed, requests, patterns):
    """Prints a suite's requests, differences and faults. Returns the number of faults."""
    print("requests: " + ", ".join(f"{name} {number}" for name, number in requests.items()))
    for pattern, reason in patterns.items():
        print(f"known difference: {pattern} ({len(known(failed, [pattern]))}): {reason}")
    found = list(faults(passed, failed, requests, patterns))
    for fault in found:
        print(f"FAILED {fault}")
    return len(found)


def main():
    passed = found = 0
    with Daemon(sys.argv[1]) as daemon:
        for plugin, file in SUITES.items():         # each in a process of its own, as they replace functions there
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                outcomes = pool.apply(run, (plugin, daemon.url))
            found += reported(*outcomes, differences(file)) + (not outcomes[0])
            passed += len(outcomes[0])
    print(f"{passed} passed, {found} failed")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
