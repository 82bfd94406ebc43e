"""transcript.py - runs the commands of a document and compares what they print.

A block of ```sh is given to one bash, which keeps its variables. The block after
it, if it has no language, is what the commands print; otherwise they print
nothing. In what is expected, … stands for anything; numbers agree to 1e-9, and
white space does not count.
"""
import math
import os
import re
import signal
import subprocess

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def blocks(text):
    """Every (language, contents) of a document."""
    return re.findall(r"^```([a-z]*)\n(.*?)^```$", text, re.M | re.S)


def pairs(text):
    """Every (commands, output) of a document."""
    found = blocks(text)
    after = found[1:] + [("end", "")]
    return [(commands, after[i][1] if after[i][0] == "" else "")
            for i, (language, commands) in enumerate(found) if language == "sh"]


def agree(want, got):
    """Is `got` what `want` describes?"""
    pattern, numbers, at = "", [], 0
    want, got = re.sub(r"\s+", "", want), re.sub(r"\s+", "", got)
    for m in re.finditer(NUMBER.pattern + "|…", want):
        pattern += re.escape(want[at:m.start()])
        pattern += ".*" if m[0] == "…" else f"({NUMBER.pattern})"
        numbers += [] if m[0] == "…" else [float(m[0])]
        at = m.end()
    m = re.fullmatch(pattern + re.escape(want[at:]), got)
    return bool(m) and all(math.isclose(x, float(y), rel_tol=1e-9, abs_tol=1e-12) for x, y in zip(numbers, m.groups()))


class Bash:
    """with Bash(folder, environment) as run: output, status = run(commands)"""
    END = "--- the commands have ended "

    def __init__(self, home, environment):
        self.home, self.environment = home, environment

    def __enter__(self):
        self.process = subprocess.Popen(["bash"], cwd=self.home, env=self.environment, text=True, bufsize=1,
                                        start_new_session=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return self.run

    def run(self, commands):
        self.process.stdin.write(f"{commands}\necho; echo '{self.END}'$?\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.startswith(self.END):
                return "".join(lines), int(line[len(self.END):])
            lines.append(line)
        raise AssertionError(f"bash ended in {commands}")

    def __exit__(self, *_):
        """Ends what the commands left running, too."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def environment(d):
    """Of a shell in which linalgd is installed and its service is d."""
    return dict(PATH=os.path.dirname(os.path.abspath(d.binary)) + ":/usr/sbin:/usr/bin:/sbin:/bin", LANG="C.UTF-8",
                LINALGD_URL=d.url, HOME=d.state)


def check(text, home, variables):
    """Runs all commands of a document, whose addresses are those of a service; returns how many blocks there were."""
    found = pairs(text)
    with Bash(home, variables) as run:
        for commands, want in found:
            got, status = run(commands)
            assert status == 0 and agree(want, got), f"{commands}\nended with {status} and printed\n{got}\nnot\n{want}"
    return len(found)
