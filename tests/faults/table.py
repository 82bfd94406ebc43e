"""table.py - the table of faults.h, which the front and its workers map, and where a call failed in the source."""
import mmap
import os
import re
import struct
import subprocess

FRONT, WORKER, OTHER = range(3)
MEMORY, SYSTEM, FILE, OPENCL = range(4)
PROCESSES = {FRONT: "front", WORKER: "worker", OTHER: "helper"}
KINDS = {MEMORY: "memory", SYSTEM: "system", FILE: "file", OPENCL: "opencl"}
FRAMES, OBJECTS, FUNCTIONS = 12, 6, 40
WORDS_OF_POINT = 4 + FRAMES
LOOK = 3 * 4 * WORDS_OF_POINT
FUNCTION, LIVING, CALLS_OF = LOOK + 2, LOOK + 3, LOOK + 3 + OBJECTS
SIZE = 8 * (CALLS_OF + FUNCTIONS)
HERE = os.path.dirname(os.path.abspath(__file__))


def functions():
    """OpenCL's functions in the order of their numbers."""
    with open(os.path.join(HERE, "cl_layer.c")) as f:
        text = f.read()
    return ["cl" + name for name in re.findall(r"\bX\(([A-Z]\w+)\)", text)]


class Table:
    def __init__(self, path, binary):
        self.path, self.binary = path, binary
        with open(path, "wb") as f:
            f.truncate(SIZE)
        with open(path, "r+b") as f:
            self.map = mmap.mmap(f.fileno(), SIZE)
        self.names, self.places = functions(), {}

    def get(self, word):
        return struct.unpack_from("q", self.map, 8 * word)[0]

    def put(self, word, value):
        struct.pack_into("q", self.map, 8 * word, value)

    def begin(self, process, kind, fail_at=0, code=0):
        """Counts that process's calls of that kind from zero; the call fail_at is to fail."""
        at = (4 * process + kind) * WORDS_OF_POINT
        self.put(at + 1, 0)
        self.put(at, 0)
        self.put(at + 2, 0)
        self.put(at + 3, code)
        self.put(at + 1, fail_at)

    def end(self, process, kind):
        """The calls since begin(), and whether one failed; none fails from here on."""
        at = (4 * process + kind) * WORDS_OF_POINT
        self.put(at + 1, 0)
        return self.get(at), self.get(at + 2) > 0

    def failed(self, process, kind):
        return self.get((4 * process + kind) * WORDS_OF_POINT + 2) > 0

    def where(self, process, kind):
        """Where the call that failed was made, outermost function last."""
        at = (4 * process + kind) * WORDS_OF_POINT + 4
        frames = [self.get(at + i) for i in range(FRAMES)]
        if kind == OPENCL:
            return self.names[frames[0] - 1] if frames[0] else "?"
        return " < ".join(filter(None, (self.place(f) for f in frames if f > 0)))

    def place(self, address):
        if address not in self.places:
            told = subprocess.run(["addr2line", "-f", "-e", self.binary, hex(address - 1)], capture_output=True, text=True).stdout
            function, _, line = told.strip().partition("\n")
            line = re.sub(r".*/src/", "", line.split(" ")[0])
            known = "?" not in line and "tests/faults" not in line
            self.places[address] = f"{function} {line}" if known else ""
        return self.places[address]

    def living(self):
        """The OpenCL objects of the worker: contexts, queues, buffers, programs, kernels, events."""
        return tuple(self.get(LIVING + i) for i in range(OBJECTS))
