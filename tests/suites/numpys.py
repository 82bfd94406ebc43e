"""numpys.py BINARY - runs numpy.linalg's own tests by requests to a daemon, and compares what fails with
differences.txt. Ends with 'N passed, N failed'."""
import os
import sys
import tempfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(ROOT, "clients", "python")]
from daemon import Daemon

TESTS = "numpy.linalg.tests.test_linalg"


def differences():
    """The tests of which it is known that they fail, with the reasons."""
    with open(os.path.join(HERE, "differences.txt")) as f:
        return dict(line.rstrip("\n").split(" - ", 1) for line in f if line.strip())


class Outcomes:
    """A plugin of pytest that notes which tests pass and which fail."""

    def __init__(self):
        self.passed, self.failed = set(), set()

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.split("::", 1)[1]
        if report.failed:
            self.failed.add(name)
        elif report.passed and report.when == "call":
            self.passed.add(name)


def run(url):
    """Returns the outcomes, and the numbers of requests of each function."""
    os.environ["LINALGD_URL"] = url
    os.environ.pop("LINALGD_TOKEN", None)
    os.chdir(tempfile.gettempdir())
    import replaced
    outcomes = Outcomes()
    pytest.main(["-q", "--tb=short", "-p", "no:cacheprovider", "--pyargs", TESTS], plugins=[replaced, outcomes])
    return outcomes, {name: replaced.answered[name] for name in replaced.NAMES}


def faults(outcomes, requests, known):
    """What is not as it should be, a line each."""
    for name in sorted(outcomes.failed - set(known)):
        yield f"{name} failed"
    for name in sorted(set(known) - outcomes.failed):
        yield f"{name} {'passed' if name in outcomes.passed else 'did not run'}, but differences.txt lists it"
    for name, number in requests.items():
        if number == 0:
            yield f"the service was never asked for {name}"


def main():
    known = differences()
    with Daemon(sys.argv[1]) as daemon:
        outcomes, requests = run(daemon.url)
    for name in sorted(outcomes.failed & set(known)):
        print(f"known difference: {name}: {known[name]}")
    found = list(faults(outcomes, requests, known))
    for fault in found:
        print(f"FAILED {fault}")
    print(f"{len(outcomes.passed - set(known))} passed, {len(found)} failed")
    sys.exit(bool(found) or not outcomes.passed)


if __name__ == "__main__":
    main()
