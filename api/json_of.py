"""json_of.py - a page in YAML from standard input as JSON, a line a path and a component."""
import json
import sys

import yaml


def lines(x, levels):
    if levels == 0 or not isinstance(x, dict):
        return json.dumps(x, ensure_ascii=False, separators=(",", ":"))
    return "{\n" + ",\n".join(json.dumps(name) + ":" + lines(x[name], levels - 1) for name in x) + "\n}"


print(lines(yaml.safe_load(sys.stdin), 3))
