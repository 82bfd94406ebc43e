"""case_run.py - the view Run: the form of an operation, and the result."""
import io
import json
import struct
import subprocess
import sys
import tempfile
import zipfile

from playwright.sync_api import expect

from browser import case, colours, fill, fits, picture, run

MTX = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 2\n2 2 4\n3 3 8\n"


def npy(shape, numbers, descr="<f8", code="d", fortran=False):
    """Returns an array as the bytes of an .npy file."""
    dims = "".join(f"{d}," for d in shape)
    head = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({dims}), }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    data = numbers if isinstance(numbers, bytes) else struct.pack(f"<{len(numbers)}{code}", *numbers)
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + data


def npz(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        for name, bytes in members.items():
            z.writestr(f"{name}.npy", bytes)
    return file.getvalue()


def upload(place, name, content):
    place.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content})


def number(page, output):
    """Returns the number in a result that is a scalar."""
    return page.locator(f".facts div:has(dt code:text-is('{output}')) dd").inner_text()


@case()
def pasted_rows_are_factored_and_drawn_before_and_after(page, service):
    page.goto("/#/run/lu")
    fill(page, "a", "Paste").locator("textarea").fill("4 3 0\n6, 3, 1\n0 1 -5e0")
    run(page)
    maps = page.locator("canvas.heatmap")
    assert maps.count() == 2 and all(len(colours(maps.nth(i))) >= 4 for i in range(2)), "the maps are empty"
    assert number(page, "singular") == "false" and number(page, "sign") == "1"
    assert page.locator(".verdict.good").is_visible()
    assert page.locator(".bars[aria-label=Kernels] li").count() > 0
    table = page.get_by_role("region", name="Numbers of lu").locator("tbody td.number")
    assert [t.strip() for t in table.all_inner_texts()] == \
        ["6", "3", "1", "0.66667", "1", "-0.66667", "0", "1", "-4.3333"], table.all_inner_texts()
    picture(page, "run-lu")


@case()
def a_generated_matrix_has_its_spectrum_in_the_complex_plane(page, service):
    page.goto("/#/run/eigen")
    part = fill(page, "a", "Generate")
    part.get_by_label("Generator").select_option("random")
    part.get_by_label("Shape").fill("40, 40")
    part.get_by_label("Seed").fill("7")
    page.get_by_label("which").select_option("all")
    page.get_by_label("tol", exact=False).first.fill("")
    run(page)
    plot = page.locator(".plot").first
    assert plot.locator(".dot").count() == 40
    assert "complex plane" in plot.get_attribute("aria-label")
    assert page.locator("canvas.heatmap").count() == 1
    assert service.json("/matrices")["matrices"] == [], "the operand that was drawn is still stored"
    picture(page, "run-eigen")


@case(scheme="dark")
def singular_values_and_a_large_matrix_in_dark_colours(page, service):
    page.goto("/#/run/svd")
    part = fill(page, "a", "Generate")
    part.get_by_label("Generator").select_option("hilbert")
    part.get_by_label("Shape").fill("96, 64")
    run(page)
    assert page.locator(".plot .dot").count() == 64
    before = colours(page.locator("canvas.heatmap").first)
    page.get_by_label("Logarithmic scale").check()
    after = colours(page.locator("canvas.heatmap").first)
    assert len(before) > 20 and before != after, (len(before), len(after))
    picture(page, "run-svd-dark")


@case()
def uploaded_files_of_two_formats_are_solved(page, service):
    page.goto("/#/run/solve")
    upload(fill(page, "a", "Upload"), "a.mtx", MTX.encode())
    upload(fill(page, "b", "Upload"), "b.npy", npy([3], [2, 8, 24]))
    assert "-F a=@a.mtx" in page.locator(".command code").inner_text()
    run(page)
    cells = page.get_by_role("region", name="Numbers of x").locator("tbody td.number").all_inner_texts()
    assert cells == ["1", "2", "3"], cells
    assert page.locator("canvas.heatmap").count() == 1


@case()
def one_archive_holds_all_operands(page, service):
    page.goto("/#/run/matmul")
    page.get_by_text("All operands from one .npz").click()
    archive = npz(a=npy([2, 2], [1, 2, 3, 4]), b=npy([2, 2], [0, 1, 1, 0]))
    page.get_by_label("Archive").set_input_files({"name": "ab.npz", "mimeType": "application/zip", "buffer": archive})
    run(page)
    cells = page.get_by_role("region", name="Numbers of c").locator("tbody td.number").all_inner_texts()
    assert cells == ["2", "1", "4", "3"], cells


@case()
def a_sparse_matrix_comes_as_scipy_saves_it(page, service):
    page.goto("/#/run/spmv")
    sparse = npz(indices=npy([3], [0, 1, 0], "<i4", "i"), indptr=npy([3], [0, 2, 3], "<i4", "i"),
                 format=npy([], b"csr", "|S3"), shape=npy([2], [2, 2], "<i8", "q"), data=npy([3], [1, 2, 3]))
    upload(fill(page, "a", "Upload"), "a.npz", sparse)
    fill(page, "x", "Paste").locator("textarea").fill("10\n1")
    run(page)
    cells = page.get_by_role("region", name="Numbers of y").locator("tbody td.number").all_inner_texts()
    assert cells == ["12", "30"], cells
    drawn = page.get_by_role("region", name="Numbers of a").locator("tbody td.number").all_inner_texts()
    assert drawn == ["1", "2", "3", "0"], drawn


@case()
def integers_beyond_2_to_the_53_keep_their_digits(page, service):
    page.goto("/#/run/transpose")
    fill(page, "a", "Paste").locator("textarea").fill("9007199254740993 1\n2 3")
    run(page)
    cells = page.get_by_role("region", name="Numbers of a").last.locator("tbody td.number").all_inner_texts()
    assert cells == ["9007199254740993", "2", "1", "3"], cells


@case()
def complex_eigenvalues_are_written_out(page, service):
    page.goto("/#/run/eigen")
    upload(fill(page, "a", "Upload"), "a.npy", npy([2, 2], [0, 2, -2, 0], fortran=True))
    page.get_by_label("which").select_option("all")
    page.get_by_label("tol", exact=False).first.fill("")
    run(page)
    cells = page.get_by_role("region", name="Numbers of eigenvalues").locator("tbody td.number").all_inner_texts()
    assert cells == ["0 + 2i", "0 − 2i"], cells
    drawn = page.get_by_role("region", name="Numbers of a").locator("tbody td.number").all_inner_texts()
    assert drawn == ["0", "-2", "2", "0"], drawn


@case()
def a_stored_matrix_is_an_operand(page, service):
    service.ask("/matrices/kept", {"matrix": [[2, 0], [0, 5]]}, "PUT")
    try:
        page.goto("/#/run/det")
        part = fill(page, "a", "Stored")
        part.get_by_label("Matrix").select_option("kept")
        run(page)
        assert number(page, "det") == "10"
    finally:
        service.ask("/matrices/kept", method="DELETE")


@case()
def a_stack_is_drawn_matrix_by_matrix(page, service):
    page.goto("/#/run/inverse")
    fill(page, "a", "Paste").locator("textarea").fill("[[[2, 0], [0, 4]], [[1, 0], [0, 8]]]")
    run(page)
    assert page.get_by_text("inverse[0]").is_visible()
    page.get_by_label("Matrix of the stack").fill("1")
    page.get_by_label("Matrix of the stack").press("Enter")
    assert page.get_by_text("inverse[1]").is_visible()
    cells = page.get_by_role("region", name="Numbers of inverse").locator("tbody td.number").all_inner_texts()
    assert cells == ["1", "0", "0", "0.125"], cells


@case()
def every_operation_has_a_form_that_its_example_fills(page, service):
    for op in service.json("/ops")["ops"]:
        page.goto(f"/#/run/{op['name']}")
        page.wait_for_selector(f"[data-operand={op['inputs'][0]['name']}]")
        expect(page.locator(".command code")).to_contain_text("/" + op["name"])
        assert page.locator(".operand").count() == len(op["inputs"]), op["name"]
        for p in op["parameters"]:
            assert page.locator(f"label code:text-is('{p['name']}')").count() >= 1, (op["name"], p["name"])


@case()
def the_form_tells_mathematics_cost_source_and_errors(page, service):
    op = next(op for op in service.json("/ops")["ops"] if op["name"] == "solve")
    page.goto("/#/run/solve")
    page.get_by_text("About solve").click()
    told = page.locator(".manual").inner_text()
    for text in [op[name] for name in ("mathematics", "work", "verdict", "source")] + [r["when"] for r in op["refusals"]]:
        assert text in told, (text, told)
    assert page.locator(".manual a[href='/problems/singular']").is_visible()


@case()
def a_parameter_that_only_the_document_knows_has_a_field(page, service):
    """A parameter that is only in the OpenAPI document, such as a common one that is newer than the page, gets a field."""
    document = service.json("/openapi.json")
    document["components"]["schemas"]["lu_request"]["properties"]["colour"] = {"enum": ["red", "blue"], "type": "string"}
    page.route("**/openapi.json", lambda route: route.fulfill(json=document))
    page.goto("/#/run/lu")
    page.get_by_text("Outputs, quality, timing, priority").click()
    page.get_by_label("colour").select_option("blue")
    assert '"colour": "blue"' in page.locator(".command code").inner_text()


@case()
def the_commands_that_are_shown_give_the_same_result(page, service):
    page.goto("/#/run/reduce")
    fill(page, "a", "Paste").locator("textarea").fill("1 2 3 4.5")
    page.get_by_label("op", exact=True).select_option("mean")
    run(page)
    assert number(page, "value") == "2.625"
    curl = page.locator(".command code").inner_text()
    told = json.loads(subprocess.run(["sh", "-c", curl + " -s"], capture_output=True, check=True).stdout)
    assert told["result"]["value"] == 2.625, told
    page.get_by_role("radio", name="Python").check()
    with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
        f.write(page.locator(".command code").inner_text())
        f.flush()
        done = subprocess.run([sys.executable, f.name], capture_output=True, text=True)
    assert "2.625" in done.stdout, done.stdout + done.stderr


@case()
def files_of_the_result_are_what_it_is(page, service):
    page.goto("/#/run/transpose")
    fill(page, "a", "Paste").locator("textarea").fill("1 2 3\n4 5 6")
    run(page)
    with page.expect_download() as got:
        page.get_by_role("button", name=".npy", exact=True).click()
    with open(got.value.path(), "rb") as f:
        saved = f.read()
    assert saved.endswith(npy([3, 2], [1, 4, 2, 5, 3, 6])[-48:]), saved
    with page.expect_download() as got:
        page.get_by_role("button", name=".mtx", exact=True).click()
    with open(got.value.path()) as f:
        assert f.read().split("\n")[1:] == ["3 2", "1", "2", "3", "4", "5", "6", ""]
    with page.expect_download() as got:
        page.get_by_role("button", name="JSON", exact=True).click()
    with open(got.value.path()) as f:
        assert json.load(f)["result"]["a"] == [[1, 4], [2, 5], [3, 6]]


@case()
def variants_tell_why_they_are_not_available(page, service):
    page.goto("/#/run/matmul")
    rows = {r["variant"]: r for r in service.json("/kernels")["kernels"] if r["op"] == "matmul"}
    assert not rows["tensor"]["available"]
    for name, row in rows.items():
        chosen = page.get_by_label("variant", exact=True).locator(f"option[value={name}]")
        assert chosen.is_disabled() == (not row["available"]), name
        assert row.get("reason", "") in chosen.inner_text(), name
    page.get_by_label("variant", exact=True).select_option("naive")
    run(page)
    assert "naive" in page.locator(".bars[aria-label=Kernels]").inner_text()


@case()
def a_job_that_fails_shows_its_problem(page, service):
    page.goto("/#/run/solve")
    fill(page, "a", "Paste").locator("textarea").fill("1 2\n2 4")
    fill(page, "b", "Paste").locator("textarea").fill("1 1")
    run(page)
    problem = page.locator(".problem")
    assert "Singular matrix (422)" in problem.inner_text() and "pivot" in problem.inner_text()
    assert problem.get_by_text("What this kind of error means").get_attribute("href") == "/problems/singular"
    picture(page, "run-problem")


@case(errors=1)
def a_request_that_is_refused_shows_its_problem(page, service):
    page.goto("/#/run/lu")
    fill(page, "a", "Paste").locator("textarea").fill("[[1, 2], [3]]")
    run(page)
    text = page.locator(".problem").inner_text()
    assert "400" in text and "row 2" in text and "#/a" in text, text


@case()
def what_is_no_number_is_told_beside_the_operand(page, service):
    page.goto("/#/run/lu")
    part = fill(page, "a", "Paste")
    part.locator("textarea").fill("1 2\n3 four")
    run(page)
    assert part.locator(".fault").inner_text() == "Line 2: “four” is no number."


@case(width=360)
def a_result_fits_on_a_phone(page, service):
    page.goto("/#/run/eigen")
    part = fill(page, "a", "Generate")
    part.get_by_label("Shape").fill("24, 24")
    page.get_by_label("which").select_option("all")
    page.get_by_label("tol", exact=False).first.fill("")
    run(page)
    for summary in page.locator("summary:visible").all():
        summary.click()
    fits(page)
    picture(page, "run-phone")
