"""cases.py BINARY [WORD] - see run."""
import glob
import importlib
import os
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import browser
from daemon import Daemon

TOKEN = "open-sesame"


def run(chromium, service, manner, f):
    begun = time.monotonic()
    error = ""
    try:
        with browser.opened(chromium, service, **manner) as page:
            try:
                f(page, service)
            except Exception:
                browser.picture(page, f"failed-{f.__name__}")
                raise
    except Exception as e:
        line = [t.lineno for t in traceback.extract_tb(e.__traceback__) if "case_" in t.filename]
        error = f"line {line[0] if line else '?'}: {type(e).__name__}: {str(e)[:800]}"
    print(f"{'FAILED' if error else 'ok    '} {f.__name__} ({time.monotonic() - begun:.1f} s) {error}", flush=True)
    return not error


def services(binary):
    """Starts a daemon without a token, and one that requires a token."""
    with Daemon(binary, "--result-ttl", "60") as d:
        yield False, browser.Service(d)
    with tempfile.NamedTemporaryFile("w", suffix=".token") as f:
        f.write(TOKEN + "\n")
        f.flush()
        with Daemon(binary, "--token-file", f.name) as d:
            yield True, browser.Service(d, TOKEN)


def main():
    binary, word = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    for path in sorted(glob.glob(os.path.join(HERE, "case_*.py"))):
        importlib.import_module(os.path.basename(path)[:-3])
    passed = failed = 0
    with sync_playwright() as p:
        # Chromium's sandbox does not work as root and in containers; the tests open only linalgd's own pages.
        chromium = p.chromium.launch(executable_path=browser.CHROMIUM, chromium_sandbox=False)
        for token, service in services(binary):
            for wanted, manner, f in browser.CASES:
                if wanted == token and word in f.__name__:
                    good = run(chromium, service, manner, f)
                    passed, failed = passed + good, failed + (not good)
        chromium.close()
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
