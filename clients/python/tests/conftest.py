"""The daemon that all tests share, and clients of it."""
import os
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(ROOT, "tests")]
os.environ.pop("LINALGD_TOKEN", None)
os.environ.pop("LINALGD_URL", None)

from daemon import Daemon

from linalgd import Client

BINARY = os.environ.get("LINALGD_BINARY", os.path.join(ROOT, "build", "linalgd"))


@pytest.fixture(scope="session")
def daemon(tmp_path_factory):
    path = tmp_path_factory.mktemp("socket") / "s.sock"
    with Daemon(BINARY, "--listen", f"unix:{path}") as d:
        d.unix = f"unix:{path}"
        yield d


@pytest.fixture
def la(daemon):
    with Client(daemon.url) as client:
        yield client


def pytest_unconfigure(config):
    """Ends with the line that tests/run reads."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter:
        n = {k: len(v) for k, v in reporter.stats.items()}
        print(f"\n{n.get('passed', 0)} passed, {n.get('failed', 0) + n.get('error', 0)} failed, {n.get('skipped', 0)} skipped")
