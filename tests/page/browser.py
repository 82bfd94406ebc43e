"""browser.py - pages of the daemon in a browser, and the registry of cases."""
import contextlib
import json
import os
import urllib.request

CASES = []
CONTEXTS = {}
PICTURES = os.path.join(os.environ.get("B", "build"), "log", "page")
CHROMIUM = "/usr/bin/chromium"

# The message that a browser itself writes to the console when the reply to a request is an error.
OF_ANSWERS = "Failed to load resource"

WATCH = """addEventListener("securitypolicyviolation",
    (e) => console.error(`the policy forbids ${e.blockedURI} (${e.violatedDirective})`))"""


def case(token=False, width=1100, scheme="light", errors=0):
    """Registers a case f(page, service). token: the service requires a token. errors: the number of the
    page's requests that must get an error."""
    def keep(f):
        CASES.append((token, {"width": width, "scheme": scheme, "errors": errors}, f))
        return f
    return keep


class Service:
    """The daemon, for requests that do not come from the page."""

    def __init__(self, daemon, token=None):
        self.daemon, self.url, self.token = daemon, daemon.url, token

    def ask(self, path, body=None, method=None, **headers):
        """Returns the reply's status, headers and bytes."""
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, dict):
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as r:
                return r.status, r.headers, r.read()
        except urllib.error.HTTPError as e:
            return e.code, e.headers, e.read()

    def json(self, path, body=None, **headers):
        status, _, text = self.ask(path, body, **headers)
        assert status < 300, (path, status, text[:500])
        return json.loads(text)

    def job(self, op, body):
        """Starts an asynchronous job; returns its id."""
        return self.json(f"/{op}", body, Prefer="respond-async")["id"]

    def ended(self, id):
        return self.json(f"/jobs/{id}", Prefer="wait=60")


def context_of(browser, service, width, scheme):
    """Returns the browser context for a service, window width and colour scheme. Contexts are kept, because they cache
    compiled scripts."""
    key = service.url, width, scheme
    if key not in CONTEXTS:
        CONTEXTS[key] = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme,
                                            base_url=service.url, reduced_motion="reduce")
        CONTEXTS[key].set_default_timeout(60000)            # PoCL may have a kernel to compile
        CONTEXTS[key].add_init_script(WATCH)
    return CONTEXTS[key]


@contextlib.contextmanager
def opened(browser, service, width, scheme, errors):
    """Opens a page whose case fails if the browser reports an error."""
    complaints = []
    page = context_of(browser, service, width, scheme).new_page()
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: complaints.append(f"{e}"))
    page.on("request", lambda r: complaints.append(f"a request to {r.url}")
            if not r.url.startswith((service.url, "blob:", "data:")) else None)
    try:
        yield page
        answered = [c for c in complaints if c.startswith(OF_ANSWERS)]
        others = [c for c in complaints if c not in answered]
        assert not others, others
        assert len(answered) <= errors, answered
    finally:
        page.close()


def picture(page, name):
    if not name.startswith("failed-"):
        fits(page)
    os.makedirs(PICTURES, exist_ok=True)
    page.screenshot(path=os.path.join(PICTURES, f"{name}.png"), full_page=True)


TOO_WIDE = """() => {
    const clipped = (x) => x.closest(".scroll, pre, .visually-hidden, .skip, canvas, svg, option");
    const wide = [...document.body.querySelectorAll("*")].filter((x) => !clipped(x)
        && x.getBoundingClientRect().right > innerWidth + 0.5)
        .map((x) => `${x.tagName} ${x.className} ${x.getBoundingClientRect().right}`);
    if (document.documentElement.scrollWidth > innerWidth) 
        wide.push(`the document: ${document.documentElement.scrollWidth}`);
    return wide;
}"""


def fits(page):
    """Asserts that no element is wider than the window."""
    wide = page.evaluate(TOO_WIDE)
    assert not wide, (page.url, wide[:5])


COLOURS = """(canvas) => {
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add(data.slice(i, i + 4).join());
    return [...found];
}"""


def colours(canvas):
    """Returns the colours that occur in a canvas, each as "red,green,blue,alpha"."""
    return canvas.evaluate(COLOURS)


def fill(page, operand, source):
    """Chooses the source of an operand in the form; returns the operand's part of the form."""
    part = page.locator(f"[data-operand={operand}]")
    part.get_by_role("radio", name=source, exact=True).check()
    return part


def run(page):
    """Submits the form, and waits for the result or the problem."""
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".result h2:has-text('Download'), .problem, .fault:not(:empty)").first.wait_for()
    page.locator(".result .loading").first.wait_for(state="detached")
