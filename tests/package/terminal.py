"""A shell in a terminal of its own, in which the tab key completes words."""
import os
import pty
import re
import select
import signal
import time

DEADLINE = 60
PROMPT = "READY>"
# what shells send to terminals beside text: colours, moves of the cursor, bells
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r|\x07|.\x08")


class Shell:
    def __init__(self, argv, begin):
        """Runs argv, and the command `begin` in it. linalgd is then a function that prints its words in brackets."""
        self.shown = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TERM": "dumb",
                                       "COLUMNS": "200", "PS1": PROMPT})
        self.until(PROMPT)
        self.type(f"PS1={PROMPT[:2]}'{PROMPT[2:]}'; {begin}; cd /usr; linalgd() {{ printf '[%s]' \"$@\"; }}; printf 'DO%s\\n' NE\n")
        self.until(f"DONE\n(.*\n)*.*{PROMPT}")

    def __enter__(self):
        return self

    def __exit__(self, *what):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    def type(self, text):
        os.write(self.fd, text.encode())

    def until(self, wanted):
        """Reads until the terminal shows what is wanted; returns all of it since the last call."""
        end = time.monotonic() + DEADLINE
        while not re.search(wanted, CONTROL.sub("", self.shown)):
            left = end - time.monotonic()
            assert left > 0 and select.select([self.fd], [], [], left)[0], f"no {wanted!r} in {CONTROL.sub('', self.shown)!r}"
            self.shown += os.read(self.fd, 4096).decode(errors="replace")
        shown, self.shown = CONTROL.sub("", self.shown), ""
        return shown

    def words(self, line):
        """The words of linalgd's command line, in which every \\t is the tab key, once it is completed and entered.
        A shell takes the keys in their order, however slowly it completes."""
        self.type(f"linalgd {line}\x05 ; printf 'DO%s\\n' NE\n")
        shown = self.until(rf"\]DONE\n(.*\n)*.*{PROMPT}")
        return re.findall(r"\[([^\]\n]*)\]", re.search(r"(\[.*\])DONE\n", shown)[1])
