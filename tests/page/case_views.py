"""case_views.py - devices, jobs, a job, comparisons, pipelines, the API's description."""
import json
import re

from playwright.sync_api import expect

from browser import case, colours, picture, run


@case()
def devices_show_their_load_and_memory(page, service):
    service.json("/matmul", {"a": {"generate": "random", "shape": [300, 300]}, "b": {"generate": "ones", "shape": [300, 300]}})
    page.clock.install()
    page.goto("/")
    device = service.json("/devices")["devices"][0]
    card = page.locator(".device")
    card.wait_for()
    assert device["name"] in card.inner_text() and "healthy" in card.inner_text()
    assert page.get_by_role("meter", name="Memory", exact=True).get_attribute("aria-valuetext").endswith(")")
    for _ in range(2):
        page.clock.fast_forward(2000)
        page.wait_for_timeout(100)
    page.wait_for_selector(".sparkline polyline[points*=',']", state="attached")
    assert page.get_by_role("meter", name="Load of kernels").get_attribute("aria-valuetext").endswith("%")
    card.get_by_text("Data sheet").click()
    assert device["driver"] in card.inner_text()
    first = card.element_handle()
    page.clock.fast_forward(2000)
    first.wait_for_element_state("hidden")
    assert card.locator("details").get_attribute("open") is not None, "it closed when the view was renewed"
    assert page.evaluate("document.activeElement.textContent") == "Data sheet", "the focus was lost"
    picture(page, "devices")


@case()
def devices_show_the_hosts_of_a_fleet(page, service):
    """The service has no fleet: the reply that the page gets is its own, with hosts added."""
    sheet = service.json("/devices")
    assert "fleet" not in sheet
    page.goto("/")
    page.locator(".service").wait_for()
    expect(page.locator(".fleet")).to_have_count(0)
    gpu = {"name": "A <b>GPU</b>", "type": "gpu", "float64": False, "memory_bytes": 3 << 30}
    sheet["fleet"] = {"host": "anna", "age_s": 0.5, "hosts": [
        {"host": "anna", "seen_s": 0.25, "leased": 7, "devices": [dict(gpu, index=i) for i in range(4)]},
        {"host": "old-1-00", "seen_s": 75, "devices": [dict(gpu, index=0, name="A CPU", type="cpu", float64=True)]}]}
    page.route("**/devices", lambda route: route.fulfill(json=sheet))
    rows = page.locator(".fleet tbody tr")
    expect(rows).to_have_count(2)
    for row, cells in zip(rows.all(), (["anna", "0.25 s ago", "7", "4 × A <b>GPU</b> gpu 3 GiB, no float64"],
                                       ["old-1-00", "1 min 15 s ago", "unknown", "A CPU cpu 3 GiB"])):
        assert [c.replace("\u00a0", " ").strip() for c in row.locator("td").all_inner_texts()] == cells, row.inner_text()
    picture(page, "fleet")
    page.set_viewport_size({"width": 400, "height": 800})
    picture(page, "fleet-narrow")
    sheet["fleet"] = {"host": "anna", "hosts": []}
    page.locator(".fleet", has_text="No host is known").wait_for()


@case()
def jobs_appear_as_they_come_and_are_dismissed(page, service):
    page.goto("/#/jobs")
    page.locator(".empty, table").first.wait_for()
    id = service.job("spmv", {"a": {"generate": "random", "shape": [300, 300]}, "x": {"generate": "ones", "shape": [300]},
                              "repeat": 1000000})
    row = page.locator(f"tr:has(a[href='#/jobs/{id}'])")
    row.get_by_role("progressbar").wait_for()
    row.get_by_role("button", name="Dismiss").click()
    row.locator(".badge.dismissed").wait_for()
    page.get_by_label("Status").select_option("dismissed")
    expect(page.locator(".badge:not(.dismissed)")).to_have_count(0)
    assert row.count() == 1
    picture(page, "jobs")


@case()
def a_job_is_followed_to_its_end(page, service):
    id = service.job("spmv", {"a": {"generate": "random", "shape": [300, 300]}, "x": {"generate": "ones", "shape": [300]},
                              "repeat": 1000000})
    page.goto(f"/#/jobs/{id}")
    page.locator(".badge.running, .badge.accepted").wait_for()
    page.get_by_text(re.compile(r"running, \d+ %")).first.wait_for()
    picture(page, "job-running")
    page.get_by_role("button", name="Dismiss").click()
    page.locator(".status-line .badge.dismissed").wait_for()
    assert service.ended(id)["status"] == "dismissed"


@case()
def a_job_shows_its_kernels_and_its_timeline(page, service):
    id = service.job("lu", {"a": {"generate": "random", "shape": [400, 400]}, "timing": "trace"})
    job = service.ended(id)
    page.goto(f"/#/jobs/{id}")
    canvas = page.locator("canvas.timeline")
    canvas.wait_for()
    lanes = page.locator(".lane-names span").all_inner_texts()
    assert "stages" in lanes and "device 0: kernels" in lanes and "device 0: transfers" in lanes, lanes
    whole = colours(canvas)
    assert len(whole) > 10, "the timeline is empty"
    page.get_by_role("button", name="Show the whole job").click()
    first = page.evaluate("(c) => c.toDataURL()", canvas.element_handle())
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate("(c) => c.toDataURL()", canvas.element_handle()) != first
    canvas.press("0")
    assert page.evaluate("(c) => c.toDataURL()", canvas.element_handle()) == first
    page.get_by_text("Table of the kernels").click()
    rows = page.get_by_role("region", name="Times of the kernels").locator("tbody tr")
    assert rows.count() == len(job["timing"]["kernels"]) > 2
    picture(page, "job")


@case()
def a_job_shows_its_matrices_before_and_after(page, service):
    """Those that the page has sent before the computation, and the result's; and how good it is."""
    page.goto("/#/run/svd")
    page.locator("form.run").wait_for()
    page.locator("[data-operand=a]").get_by_role("radio", name="Generate", exact=True).check()
    page.get_by_label("Shape").fill("20, 12")
    page.get_by_label("vectors").select_option("thin")
    run(page)
    page.get_by_role("link", name="The job with its timeline").click()
    page.locator("canvas.timeline").wait_for()
    page.get_by_role("heading", name="Matrices").wait_for()
    expect(page.locator(".before-after canvas.heatmap"), "a, u and vh").to_have_count(3, timeout=40000)
    expect(page.locator(".before-after svg"), "the singular values").to_have_count(1, timeout=40000)
    assert page.get_by_text("as good as rounding allows").count() >= 1
    assert page.get_by_role("button", name="first output, .npy").count() == 1
    picture(page, "job-matrices")


@case()
def axes_tell_their_ticks_apart(page, service):
    """Ticks are at least three, and have different labels, however narrow the range is."""
    page.goto("/")
    ticks = page.evaluate("""async () => {
        const {linear, logarithmic} = await import("/page/plots/scale.js");
        const {instants} = await import("/page/base/text.js");
        const times = [[0, 4.2], [4100, 4180.5], [20.31, 20.37], [0.0203, 0.0207], [0, 0.3]];
        const spans = [[0.4, 6.5], [1, 9e3], [2.01, 2.02], [1e-17, 1], [3, 3], [0.02, 0.09]];
        return {times: times.map(([a, b]) => instants(linear(a, b, 0, 800).ticks)),
            spans: spans.map(([a, b]) => logarithmic(a, b, 0, 300).ticks)};
    }""")
    for labels in ticks["times"] + ticks["spans"]:
        assert len(labels) >= 3 and len(set(labels)) == len(labels), labels


@case()
def a_job_that_others_sent_has_no_operands(page, service):
    id = service.job("eigen", {"a": [[2, 1], [1, 3]], "which": "all"})
    service.ended(id)
    page.goto(f"/#/jobs/{id}")
    page.get_by_text("The service keeps no operands").wait_for()
    assert page.get_by_text("eigenvalues").count() >= 1


@case(errors=1)
def a_job_whose_result_was_in_the_reply_says_so(page, service):
    id = service.json("/lu", {"a": [[2, 1], [1, 3]]})["id"]
    page.goto(f"/#/jobs/{id}")
    page.get_by_text("its result was in the reply").wait_for()
    assert page.get_by_role("button", name="JSON").count() == 0 and page.locator(".problem").count() == 0


@case()
def a_job_that_failed_tells_why(page, service):
    id = service.job("cholesky", {"a": [[1, 2], [2, 1]]})
    service.ended(id)
    page.goto(f"/#/jobs/{id}")
    page.locator(".problem").wait_for()
    assert "positive definite" in page.locator(".problem").inner_text()


@case(errors=1)
def an_unknown_job_is_told(page, service):
    page.goto("/#/jobs/0123456789abcdef0123456789abcdef")
    page.locator(".problem").wait_for()
    assert "404" in page.locator(".problem").inner_text()


@case()
def a_comparison_has_a_point_for_every_variant_and_size(page, service):
    page.goto("/#/compare/lu")
    page.get_by_label("Sizes n").fill("16, 48, 32")
    page.get_by_label("Runs of each").fill("2")
    boxes = page.locator(".ticks input:checked")
    variants = [b.get_attribute("value") for b in boxes.all()]
    rows = service.json("/kernels")["kernels"]
    assert set(variants) == {r["variant"] for r in rows if r["op"] == "lu" and r["available"]}, variants
    page.get_by_role("button", name="Measure").click()
    page.locator("[data-state=done]").wait_for(timeout=40000)
    assert page.locator(".problem").count() == 0
    points = {(p.evaluate("(x) => x.parentNode.dataset.series"), p.get_attribute("data-size"))
              for p in page.locator(".plot .series:not(.published) .point").all()}
    assert points == {(v, n) for v in variants for n in ("16", "32", "48")}, points
    assert page.locator(".plot .published .point").count() == 2
    table = page.get_by_role("region", name="Times in the plot")
    assert table.locator("tbody tr").count() == 4 and table.locator("thead th").count() == 1 + len(variants) + 2
    assert "Improving Parallel LU Decomposition" in page.locator(".result").inner_text()
    picture(page, "compare")


@case()
def published_figures_are_those_of_the_benchmark(page, service):
    """page/data/articles.json has the numbers of bench/seeds_tables.c, in its order."""
    with open("bench/seeds_tables.c") as f:
        text = f.read()
    tables = service.json("/page/data/articles.json")["tables"]
    for table in tables:
        start = text.index(f'.name = "{table["name"]}", .article')
        part = text[start:text.index("}, {\n\t.name", start)]
        wanted = [float(x) for block in re.findall(r"\.published = \{((?:[^{}]|\{[^{}]*\})*)\}", part)
                  for x in re.findall(r"\d*\.?\d+", block)]
        assert wanted == [ms for s in table["series"] for _, ms in s["points"]], table["name"]


@case(errors=1)
def a_pipeline_is_drawn_checked_and_sent(page, service):
    page.goto("/#/pipelines")
    page.locator(".graph").wait_for()
    assert page.locator(".graph .step").count() == 3 and page.locator(".graph .operand").count() == 3
    edges = [e.get_attribute("data-edge") for e in page.locator(".graph .edge").all()]
    assert edges == ["@a c", "@b c", "c f", "f x", "@y x", "x answer x", "f answer f.pivots"], edges
    told = json.loads(page.locator("pre").inner_text())
    assert told["steps"] == [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}, {"op": "lu", "a": "c", "as": "f"},
                             {"op": "solve", "factors": "f", "b": "@y", "as": "x"}], told
    assert told["return"] == ["x", "f.pivots"] and set(told) == {"steps", "return", "a", "b", "y"}
    picture(page, "pipelines")
    second = page.get_by_role("group", name="Step 2")
    second.get_by_label("Called").fill("g")
    faults = page.get_by_label("What is wrong")
    assert "there is no earlier step “f”" in faults.inner_text()
    assert page.get_by_role("button", name="Run", exact=True).is_disabled()
    second.get_by_label("Called").fill("f")
    page.get_by_label("Results that are answered").fill("x, f.nothing")
    assert "lu has no output “nothing”" in faults.inner_text()
    page.get_by_label("Results that are answered").fill("x")
    assert faults.inner_text() == ""
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".result .problem, .result h2").first.wait_for()
    if service.ask("/pipelines", {}, "POST")[0] == 404:
        assert "This service has no pipelines" in page.locator(".result").inner_text()
    else:
        page.locator(".result .plot").first.wait_for()


@case()
def steps_and_operands_come_and_go(page, service):
    page.goto("/#/pipelines")
    page.get_by_role("button", name="Add a step").click()
    step = page.get_by_role("group", name="Step 4")
    step.get_by_label("Operation").select_option("trace")
    step.get_by_label("Called").fill("t")
    step.get_by_label("a", exact=True).fill("c")
    assert page.locator(".graph [data-node=t]").count() == 1
    assert page.locator(".graph [data-edge='c t']").count() == 1
    page.get_by_role("button", name="Remove step 4").click()
    assert page.locator(".graph [data-node=t]").count() == 0
    page.get_by_role("button", name="Remove operand y").click()
    assert "stored" in page.locator(".graph [data-node='@y']").text_content()


@case(errors=1)
def pipelines_are_saved_listed_loaded_run_and_deleted(page, service):
    page.goto("/#/pipelines")
    name, save = page.get_by_label("Save the steps as"), page.get_by_role("button", name="Save", exact=True)
    page.get_by_text("No pipeline is saved").wait_for()
    assert save.is_disabled()
    name.fill("two words")
    assert save.is_disabled()
    page.get_by_label("Results that are stored").fill("f:page-f, c:page-c")
    assert page.locator(".graph .answer [class=note]").all_text_contents() == ["stored", "stored"]
    name.fill("gauss")
    name.press("Enter")
    row = page.get_by_role("region", name="Saved pipelines").locator("tr:has-text('gauss')")
    row.wait_for()
    assert row.locator("td").all_inner_texts()[:3] == ["gauss", "3", "a, b, y"]
    assert service.json("/pipelines/gauss") == {
        "steps": [{"op": "matmul", "a": "@a", "b": "@b", "as": "c"}, {"op": "lu", "a": "c", "as": "f"},
                  {"op": "solve", "factors": "f", "b": "@y", "as": "x"}],
        "return": ["x", "f.pivots"], "store": ["f:page-f", "c:page-c"]}
    assert page.get_by_role("button", name="Replace", exact=True).is_enabled()
    picture(page, "pipelines-saved")
    page.get_by_role("button", name="Remove step 3").click()
    page.get_by_role("button", name="Load gauss").click()
    page.get_by_role("group", name="Step 3").wait_for()
    assert page.locator("[data-node=x]").count() == 1 and page.get_by_label("Results that are stored").input_value() == "f:page-f, c:page-c"
    page.get_by_role("button", name="Run gauss").focus()
    page.keyboard.press("Enter")
    page.locator(".result h2:has-text('Download')").wait_for()
    assert "page-f (64 × 64, float64)" in page.locator(".result").inner_text()
    assert {"page-f", "page-c"} <= {m["name"] for m in service.json("/matrices")["matrices"]}
    page.get_by_role("button", name="Delete gauss").click()
    page.get_by_text("Pipeline gauss is deleted.").wait_for()
    assert service.ask("/pipelines/gauss")[0] == 404
    assert page.evaluate("document.activeElement.textContent") == "Undo"
    page.keyboard.press("Enter")
    row.wait_for()
    service.ask("/pipelines/gauss", method="DELETE")
    page.get_by_role("button", name="Load gauss").click()
    assert "there is no pipeline gauss" in page.locator(".problem").inner_text()


@case()
def a_saved_pipeline_is_loaded_as_it_was_written(page, service):
    """Matrices that stand in a step, parameters, types, and lists as one text."""
    text = {"steps": [{"op": "matmul", "a": "@new", "b": [[1, 2], [3, 4]], "transpose_a": True, "as": "c"},
                      {"op": "reduce", "a": "c", "parameters": {"op": "max"}, "dtype": "float32", "as": "m"}],
            "return": "m,c", "store": "c:kept"}
    assert service.ask("/pipelines/written", json.dumps(text).encode(), "PUT", Content_Type="application/json")[0] == 201
    page.goto("/#/pipelines")
    page.get_by_role("button", name="Load written").click()
    page.get_by_role("button", name="Replace", exact=True).click()
    expect(page.locator("#announcer")).to_have_text("Pipeline written is saved")
    assert service.json("/pipelines/written") == {**text, "return": ["m", "c"], "store": ["c:kept"]}
    assert page.locator(".card.row input").first.input_value() == "new"
    page.get_by_label("JSON", exact=True).fill("[[1, 0], [0, 1]]")
    page.get_by_role("button", name="Run written").click()
    page.locator(".result h2:has-text('Download')").wait_for()
    assert "kept (2 × 2, float64)" in page.locator(".result").inner_text()
    service.ask("/pipelines/written", method="DELETE")


@case()
def the_api_is_described_path_by_path(page, service):
    page.goto("/docs")
    page.locator("section.path").first.wait_for()
    paths = service.json("/openapi.json")["paths"]
    wanted = {method + path for path, item in paths.items() for method in item if method in ("get", "put", "post", "delete")}
    assert {s.get_attribute("id") for s in page.locator("section.path").all()} == wanted
    section = page.locator("[id='post/lu']")
    assert section.locator("p", has_text="Mathematics:").inner_text().startswith("Mathematics: P A = L U")
    section.get_by_text("Parameters, body and answers").click()
    assert "pivot" in section.get_by_role("region", name="Parameters").inner_text()
    section.get_by_text("application/json").first.click()
    assert section.locator("pre").first.inner_text().strip().startswith("{")
    section.scroll_into_view_if_needed()
    page.get_by_label("Search").fill("matrix market")
    assert 0 < page.locator("section.path:visible").count() < len(wanted)
    page.get_by_label("Search").fill("nothing has these words")
    assert page.locator("section.path:visible").count() == page.locator(".contents li:visible").count() == 0
    assert page.get_by_text("No path has these words.").is_visible()
    page.get_by_label("Search").fill("")
    picture(page, "docs")
