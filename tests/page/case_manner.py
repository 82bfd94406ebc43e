"""case_manner.py - properties of all views: use by keyboard, colours, narrow windows, the token, caching, the
Content-Security-Policy."""
import re

from browser import case, colours, fill, fits, picture, run

VIEWS = ["/#/devices", "/#/jobs", "/#/run/eigen", "/#/compare/matmul", "/#/pipelines", "/docs"]

FOCUS = """() => {
    const x = document.activeElement;
    const seen = x.matches(".segments input") ? x.nextElementSibling : x;
    const {outlineStyle, outlineWidth} = getComputedStyle(seen);
    return {name: x.getAttribute("aria-label") || x.textContent.trim() || x.id, tag: x.tagName,
        id: x.id, seen: outlineStyle !== "none" && outlineWidth !== "0px"};
}"""


NAMELESS = """() => [...document.querySelectorAll("input, select, textarea, button, a, canvas, svg")]
    .filter((x) => !x.closest("[hidden]") && !x.labels?.length && !x.textContent.trim()
        && !x.getAttribute("aria-label") && !x.closest("[aria-hidden]")).map((x) => x.outerHTML)"""


def tab_to(page, wanted, most=120):
    """Presses Tab until wanted() returns true for the focus; each element that gets the focus must be visible."""
    for _ in range(most):
        page.keyboard.press("Tab")
        here = page.evaluate(FOCUS)
        assert here["seen"] or here["tag"] == "BODY", here
        if wanted(here):
            return
    raise AssertionError("the keyboard does not reach it")


@case()
def the_keyboard_alone_runs_an_operation(page, service):
    page.goto("/")
    page.locator(".device").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS)["name"] == "Skip to the content"
    tab_to(page, lambda x: x["name"] == "Run" and x["tag"] == "A")
    page.keyboard.press("Enter")
    page.locator(".operand").first.wait_for()
    tab_to(page, lambda x: x["tag"] == "TEXTAREA")
    page.keyboard.press("Control+A")
    page.keyboard.type("2 1\n1 2")
    tab_to(page, lambda x: x["name"] == "Run" and x["tag"] == "BUTTON")
    page.keyboard.press("Enter")
    page.locator(".facts dt code:text-is('eigenvalue')").wait_for()
    assert page.locator("#announcer").inner_text() == "Job successful"
    tab_to(page, lambda x: x["tag"] == "A" and x["name"] == "The job with its timeline")
    page.keyboard.press("Enter")
    page.locator("canvas.timeline").wait_for()


@case()
def the_skip_link_leads_to_the_content(page, service):
    page.goto("/#/run")
    page.locator(".operand").first.wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main" and page.url.endswith("/#/run")


@case()
def the_switch_changes_the_colours_and_is_kept(page, service):
    page.goto("/#/run/lu")
    fill(page, "a", "Paste").locator("textarea").fill("1 0\n0 1")
    run(page)
    ground = "getComputedStyle(document.body).backgroundColor"
    light, drawn = page.evaluate(ground), colours(page.locator("canvas.heatmap").first)
    page.get_by_role("radio", name="Dark").check()
    dark = page.evaluate(ground)
    assert light != dark and colours(page.locator("canvas.heatmap").first) != drawn
    page.reload()
    page.locator(".operand").first.wait_for()
    assert page.evaluate(ground) == dark
    page.get_by_role("radio", name="Auto").check()
    assert page.evaluate(ground) == light


@case(scheme="dark")
def the_system_s_dark_colours_are_taken(page, service):
    for name, view in (("devices", "/#/devices"), ("compare", "/#/compare/eigen"), ("pipelines", "/#/pipelines")):
        page.goto("about:blank")
        page.goto(view)
        page.locator(".card, .plot").first.wait_for()
        red, green, blue = map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor")))
        assert red + green + blue < 150
        picture(page, f"{name}-dark")


@case(width=360)
def every_view_fits_on_a_phone_and_names_its_controls(page, service):
    service.json("/lu", {"a": [[1, 2], [3, 4]]})
    for view in VIEWS:
        page.goto("about:blank")
        page.goto(view)
        page.locator(".card, .operand, .plot, .graph, table, section.path").first.wait_for()
        for summary in page.locator("main summary:visible").all()[:12]:
            summary.click()
        nameless = page.evaluate(NAMELESS)
        assert not nameless, (view, nameless[:3])
        assert page.locator("h1").count() == 1 and page.evaluate("document.documentElement.lang") == "en"
        fits(page)
        picture(page, f"phone-{re.sub('[^a-z]', '', view)}")


@case(errors=3)
def the_service_lost_is_told_and_found_again(page, service):
    page.clock.install()
    page.goto("/#/jobs")
    page.locator("table, .empty").first.wait_for()
    page.route("**/jobs?*", lambda route: route.fulfill(status=503, content_type="application/problem+json",
                                                        body='{"title":"Queue full","status":503,"detail":"later"}'))
    page.clock.fast_forward(1000)
    page.locator(".problem").wait_for()
    assert "later" in page.locator(".problem").inner_text()
    page.unroute("**/jobs?*")
    page.clock.fast_forward(4000)
    page.locator(".problem").wait_for(state="detached")


@case()
def addresses_that_name_nothing_are_told(page, service):
    page.goto("/#/run/luu")
    page.get_by_text("There is no operation luu").wait_for()
    page.get_by_role("link", name="All operations").click()
    page.locator(".operand").first.wait_for()
    page.goto("/#/compare/%")
    page.get_by_text("There is no operation %").wait_for()
    page.goto("/#/nowhere")
    page.locator(".device").wait_for()


@case()
def files_are_kept_until_they_change(page, service):
    status, headers, body = service.ask("/")
    assert status == 200 and b"<html" in body and headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache" and "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    for known in (headers["ETag"], f'"x", W/{headers["ETag"]}', "*"):
        status, told, nothing = service.ask("/", If_None_Match=known)
        assert status == 304 and nothing == b"" and told["ETag"] == headers["ETag"], (known, status)
        assert int(told["Content-Length"]) == len(body)
    assert "GET / 304" in service.daemon.log() and "bytes_out=0" in service.daemon.log().split("GET / 304")[1].split("\n")[0]
    assert service.ask("/", If_None_Match='"another"')[0] == 200
    assert service.ask("/", Accept="application/json")[0] == 406
    assert service.ask("/?x=1")[0] == 400 and service.ask("/page/base/nothing.js")[0] == 404
    assert service.ask("/page/base/dom.js")[1]["Content-Type"] == "text/javascript; charset=utf-8"
    assert b"<html" in service.ask("/docs", Accept="text/html,*/*;q=0.1")[2]


@case(token=True, errors=20)
def the_page_asks_for_the_token(page, service):
    page.goto("/#/run/det")
    dialog = page.get_by_role("dialog", name="Token")
    dialog.wait_for()
    picture(page, "token")
    dialog.get_by_label("Token").fill("wrong")
    dialog.get_by_role("button", name="Use this token").click()
    page.get_by_text("The service does not accept this token.").wait_for()
    page.get_by_role("dialog").get_by_label("Token").fill(service.token)
    page.keyboard.press("Enter")
    page.locator(".operand").first.wait_for()
    fill(page, "a", "Paste").locator("textarea").fill("3 0\n0 3")
    assert 'Authorization: Bearer $TOKEN' in page.locator(".command code").inner_text()
    run(page)
    assert "9" in page.locator(".facts").first.inner_text()
    assert page.evaluate("[localStorage.length, JSON.stringify(localStorage).includes('sesame')]")[1] is False
    page.reload()
    page.locator(".operand").first.wait_for()
    assert page.get_by_role("dialog").count() == 0
    page.get_by_role("button", name="Forget token").click()
    page.get_by_role("dialog").wait_for()
    page.get_by_role("button", name="Not now").click()
    page.locator(".problem").wait_for()
    assert "401" in page.locator(".problem").inner_text()


@case(token=True)
def the_page_itself_needs_no_token(page, service):
    open_ = type(service)(service.daemon)
    for path in ("/", "/docs", "/page/base/main.js", "/page/style/base.css"):
        assert open_.ask(path)[0] == 200, path
    assert open_.ask("/ops")[0] == 401
