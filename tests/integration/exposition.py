"""exposition.py - a strict reader of Prometheus' text format, version 0.0.4, and of OpenMetrics' text, version 1.0.0."""
import re
import shutil
import subprocess

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*\Z")
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)\Z")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,(?=[a-zA-Z_])|\Z)')
NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?|\+Inf)\Z")
UNESCAPED = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


def labels_of(text):
    """The labels as a tuple of pairs, in the order of their names."""
    at, found = 0, {}
    while at < len(text):
        m = LABEL.match(text, at)
        assert m, f"labels that are malformed: {text!r}"
        assert m[1] not in found, f"the label {m[1]} stands twice in {text!r}"
        found[m[1]] = re.sub(r'\\[\\"n]', lambda e: UNESCAPED[e[0]], m[2])
        at = m.end()
    return tuple(sorted(found.items()))


class Family:
    def __init__(self, name):
        self.name, self.help, self.type, self.samples = name, None, None, {}

    def takes(self, name):
        suffixes = ("_bucket", "_sum", "_count") if self.type == "histogram" else ("",)
        return any(name == self.name + s for s in suffixes)

    def series(self):
        """Of a histogram: by labels without le, its buckets in their order, its sum and its count."""
        out = {}
        for (name, labels), value in self.samples.items():
            key = tuple(x for x in labels if x[0] != "le")
            row = out.setdefault(key, {"bucket": []})
            kind = name[len(self.name) + 1:]
            if kind == "bucket":
                row["bucket"].append((float(dict(labels)["le"]), value))
            else:
                row[kind] = value
        return out

    def check(self):
        assert self.help and self.type in ("counter", "gauge", "histogram"), self.name
        assert self.type != "counter" or self.name.endswith("_total"), self.name
        assert not re.search(r"_(ms|us|ns|milliseconds|kib|mib|percent)(_|\Z)", self.name), f"{self.name}: not in base units"
        for (name, labels), value in self.samples.items():
            assert value >= 0, (name, labels, value)
            assert self.type == "histogram" or "le" not in dict(labels), labels
        if self.type == "histogram":
            for labels, row in self.series().items():
                bounds, counts = zip(*row["bucket"])
                assert list(bounds) == sorted(set(bounds)) and bounds[-1] == float("inf"), (self.name, labels, bounds)
                assert list(counts) == sorted(counts) and counts[-1] == row["count"], (self.name, labels, row)
                assert row["sum"] >= 0 and (row["count"] or not row["sum"]), (self.name, labels, row)


def parse_open(text):
    """The families of OpenMetrics' text by name, as in the other text: there, families have the names of their samples."""
    assert text.endswith("\n# EOF\n") and text.count("# EOF") == 1, text[-100:]
    text = text[:-len("# EOF\n")]
    names = {}
    for name, kind in re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M):
        assert not name.endswith(("_total", "_info")), name
        names[name] = name + {"counter": "_total", "info": "_info"}.get(kind, "")
    text = re.sub(r"^# (HELP|TYPE) (\w+)", lambda m: f"# {m[1]} {names[m[2]]}", text, flags=re.M)
    assert not re.search(r'^# HELP.*(?<!\\)"', text, re.M)
    for le in set(re.findall(r'le="([^"]*)"', text)):
        assert le == "+Inf" or le == repr(float(le)), f"{le}: not a number in its canonical form"
    return parse(re.sub(r"^(# TYPE \w+) info$", r"\1 gauge", text, flags=re.M).replace('\\"', '"'))


def parse(text):
    """The families by name. Asserts everything that the format demands, and Prometheus' conventions for names."""
    families, now = {}, None
    assert text.endswith("\n") and "\r" not in text, "no newline at the end"
    for line in text[:-1].split("\n"):
        if line.startswith("# "):
            _, what, name, rest = line.split(" ", 3)
            assert NAME.match(name), line
            if what == "HELP":
                assert name not in families, f"{name} stands twice"
                now = families[name] = Family(name)
                assert not re.search(r"\\(?![\\n])", rest), line
                now.help = rest
            else:
                assert what == "TYPE" and now and now.name == name and not now.type and not now.samples, line
                now.type = rest
            continue
        m = SAMPLE.match(line)
        assert m and NUMBER.match(m[3]), f"a malformed line: {line!r}"
        assert now and now.type and now.takes(m[1]), f"{line!r} stands among the samples of {now and now.name}"
        key = (m[1], labels_of(m[2] or ""))
        assert key not in now.samples, f"{line!r} stands twice"
        now.samples[key] = float(m[3])
    for f in families.values():
        f.check()
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return families


def value(families, name, **labels):
    """The sample of that name with those labels; 0 if there is none yet."""
    family = families.get(name) or families[re.sub(r"_(bucket|sum|count)\Z", "", name)]
    return family.samples.get((name, tuple(sorted(labels.items()))), 0)
