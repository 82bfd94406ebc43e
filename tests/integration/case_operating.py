"""case_operating.py - docs/operating.md's commands print what it says, and its settings exist."""
import contextlib
import os
import re
import subprocess
import tempfile

import transcript
from case_edge import free_ports
from case_tutorial import DOCS
from client import case
from daemon import take_cache

PORTS = "8080", "8081", "8082", "8443", "8088"


def guide():
    with open(os.path.join(DOCS, "operating.md")) as f:
        return f.read()


@contextlib.contextmanager
def home():
    """A directory with deploy, and with two caches that no other daemon uses."""
    locks = []
    with tempfile.TemporaryDirectory() as path:
        os.symlink(os.path.join(DOCS, "..", "deploy"), os.path.join(path, "deploy"))
        for name in "blue", "green":
            cache, lock = take_cache()
            os.symlink(cache, os.path.join(path, "cache-" + name))
            locks.append(lock)
        yield path
        for lock in locks:
            lock.close()


@case()
def every_command_of_the_operators_guide_prints_what_it_says(d):
    text, ports = guide(), free_ports(len(PORTS))
    for port, free in zip(PORTS, ports):
        text = text.replace(":" + port, f":{free}")
    variables = dict(transcript.environment(d), LINALGD_DEVICE="cpu", LINALGD_BLUE=f"127.0.0.1:{ports[1]}",
                     LINALGD_GREEN=f"127.0.0.1:{ports[2]}")
    with home() as path:
        assert transcript.check(text, path, variables) >= 10


@case()
def every_option_of_the_operators_guide_exists(d):
    known = "".join(subprocess.run([d.binary, command, "--help"], capture_output=True, text=True).stdout
                    for command in ("serve", "devices", "check"))
    text = guide()
    for option in set(re.findall(r"`(?:linalgd [a-z]+\s)?(--[a-z][a-z-]+)", text)):
        assert option + " " in known or option + "\n" in known, option
    for name in set(re.findall(r"LINALGD_[A-Z_]+", text)) - {"LINALGD_TOKEN"}:
        if not name.startswith(("LINALGD_EDGE", "LINALGD_BLUE", "LINALGD_GREEN")):
            assert name in known, name


@case()
def problems_of_the_operators_guide_exist(d):
    kinds = subprocess.run(["curl", "-s", d.url + "/problems"], capture_output=True, text=True).stdout
    named = set(re.findall(r"\| [45]\d\d `([a-z-]+)` \|", guide()))
    assert len(named) >= 5
    for kind in named:
        assert f'"/problems/{kind}"' in kinds, kind
