// compare.js - measures the variants of an operation at several sizes, and plots their times. Some
// variants are kernels of published articles; the articles' figures (data/articles.json) are plotted,
// too.

import {get, Problem, send, sheet} from "../base/api.js";
import {el, explanation, field, option, replace, table} from "../base/dom.js";
import {announce, empty, loading, problemBox, progressBar, unknownOperation} from "../base/notice.js";
import {runs} from "../base/runs.js";
import {save} from "../base/save.js";
import {milliseconds} from "../base/text.js";
import {loglog} from "../plots/loglog.js";
import {parameterField} from "./parameters.js";
import {exampleOf, jsonBody} from "./request.js";
import {variantsOf} from "./variant.js";

// Returns the sizes of a shape for n: "n, n" with n = 64 gives [64, 64].
function shapeOf(template, n) {
    return template.split(",").map((d) => (d.trim() === "n" ? n : Number(d)));
}

// Returns the JSON of an operand of size n. The OpenAPI document's example shows whether the operand is
// usually a vector, and whether it is a permutation of 0 to n - 1.
function usual(input, example) {
    const vector = input.min_dims < 2 && Array.isArray(example) && !Array.isArray(example[0]);
    if (!vector) return ["n, n", "random"];
    const sorted = [...example].sort((a, b) => a - b);
    return ["n", sorted.every((x, i) => x === i) ? "ramp" : "random"];
}

function operandRow(input, first, generators, example) {
    const [template, generator] = usual(input, example);
    const make = el("select", {}, generators.map((g) => option(g.name)));
    make.value = first && input.min_dims >= 2 ? "spd" : generator;
    const size = el("input", {spellcheck: "false", value: template});
    return {
        element: el("div", {class: "row"}, field(el("span", {}, el("code", {}, input.name),
            " is generated as"), make), field("Its shape", size)),
        at: (n) => ({name: input.name, value: {json: JSON.stringify(
            {generate: make.value, shape: shapeOf(size.value, n), seed: 1})}}),
    };
}

function variantTicks(variants) {
    const boxes = variants.map((v) => el("input", {type: "checkbox", value: v.name,
        checked: v.available, disabled: !v.available}));
    return {
        element: el("fieldset", {class: "field ticks"}, el("legend", {}, "Variants"),
            variants.map((v, i) => el("label", {title: v.reason}, boxes[i], el("code", {}, v.name),
                !v.available && el("span", {class: "muted"}, ` ${v.reason}`)))),
        chosen: () => boxes.filter((b) => b.checked).map((b) => b.value),
    };
}

// Runs a request as an asynchronous job, and returns the job's record after it has removed the result.
async function job(form, signal) {
    const answer = await send(`/${form.op}`, {method: "POST", signal, body: jsonBody(form),
        headers: {"Content-Type": "application/json", Prefer: "respond-async"}});
    const {id} = await answer.json();
    try {
        let record;
        do {
            record = await get(`/jobs/${id}`, signal, {Prefer: "wait=20"});
        } while (!record.finished);
        if (record.error) throw new Problem(record.error);
        return record;
    } finally {
        await send(`/jobs/${id}`, {method: "DELETE"});
    }
}

function median(values) {
    return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

// Measures one variant at one size; returns the median of the computing times.
async function measure(plan, variant, n, signal) {
    const form = {op: plan.op, operands: plan.operands.map((o) => o.at(n)), parameters: [
        ...plan.parameters, {name: "variant", json: JSON.stringify(variant)},
        {name: "quality", json: "\"none\""}, {name: "timing", json: "\"summary\""}]};
    const times = [];
    for (let k = 0; k < plan.repeats; k++) times.push((await job(form, signal)).timing.compute_ms);
    return Math.max(median(times), 1e-4);
}

function resultTable(series) {
    const sizes = [...new Set(series.flatMap((s) => s.points.map((p) => p[0])))].sort((a, b) => a - b);
    return table("Times in the plot", [["n", "number"], ...series.map((s) => [s.name, "number"])],
        sizes.map((n) => [String(n), ...series.map((s) => milliseconds(
            s.points.find((p) => p[0] === n)?.[1]))]));
}

function commaSeparated(series) {
    return `series,n,ms\n${series.flatMap((s) => s.points.map(([n, ms]) =>
        `"${s.name}",${n},${ms}`)).join("\n")}\n`;
}

// Measures all variants at all sizes, the smallest size first, and calls shown(series) after each
// point. A variant that fails is not measured at larger sizes, and its problem is shown.
async function measureAll(plan, signal, shown, failed, stepped) {
    const series = plan.variants.map((name) => ({name, points: [], failed: false}));
    let done = 0;
    for (const n of plan.sizes) {
        for (const s of series) {
            stepped(done++, `${s.name}, n = ${n}`);
            if (s.failed) continue;
            try {
                s.points.push([n, await measure(plan, s.name, n, signal)]);
            } catch (problem) {
                if (signal.aborted || !(problem instanceof Problem)) throw problem;
                s.failed = true;
                failed(s.name, n, problem);
            }
            shown(series);
        }
    }
}

function publishedField(tables) {
    const select = el("select", {}, option("", "none"),
        tables.map((t, i) => option(String(i), `${t.title} (${t.machines.join(", ")})`)));
    if (tables.length) select.value = "0";
    return {
        element: tables.length > 0 && field("Published figures", select),
        chosen: () => (select.value === "" ? null : tables[Number(select.value)]),
        listen: (f) => select.addEventListener("change", f),
    };
}

function readSizes(text) {
    const sizes = text.split(/[\s,]+/).filter(Boolean).map(Number);
    if (!sizes.length || sizes.some((n) => !Number.isInteger(n) || n < 1)) {
        throw new Error("Sizes are positive integers, like 64, 128, 256.");
    }
    return [...new Set(sizes)].sort((a, b) => a - b);
}

class Comparison {
    constructor(op, kernels, generators, tables, example) {
        this.op = op;
        this.variants = variantTicks(variantsOf(op.name, kernels));
        this.operands = op.inputs.filter((i) => !i.optional).map((input, i) =>
            operandRow(input, i === 0, generators, example[input.name]));
        this.own = [...op.parameters, {name: "dtype", type: "string", choices: op.dtypes,
            help: "the elements' type"}].map((p) => parameterField(p));
        this.sizes = el("input", {value: "64, 128, 256, 512", inputmode: "numeric"});
        this.repeats = el("input", {type: "number", min: "1", max: "99", value: "3"});
        this.published = publishedField(tables);
    }

    element() {
        return el("div", {}, el("div", {class: "row"}, field("Sizes n", this.sizes),
            field("Runs of each", this.repeats, "The median of their computing times counts.")),
        this.variants.element, this.operands.map((o) => o.element), this.published.element,
        el("details", {class: "help"}, el("summary", {}, "Parameters"),
            el("div", {class: "grid"}, this.own.map((p) => p.element))));
    }

    plan() {
        const variants = this.variants.chosen();
        if (!variants.length) throw new Error("Choose at least one variant.");
        return {op: this.op.name, variants, operands: this.operands, sizes: readSizes(this.sizes.value),
            repeats: Math.max(1, Number(this.repeats.value)),
            parameters: this.own.map((p) => ({name: p.name, json: p.value()})).filter((p) => p.json)};
    }
}

function publishedSeries(chosen) {
    return chosen ? chosen.series.map((s) => ({...s, published: true,
        name: `${s.version}, ${s.machine} (published)`})) : [];
}

// Makes the part below the form: the plot, its table, and the problems of variants that failed.
function outcome(published) {
    const plot = el("div");
    const problems = el("div");
    let own = [];
    const show = () => {
        const series = [...own.filter((s) => s.points.length), ...publishedSeries(published.chosen())];
        replace(plot, loglog("Computing times by size", series)
            || empty("No times yet", "Choose variants and sizes, and measure."),
        series.length > 0 && [resultTable(series), el("div", {class: "actions"},
            el("button", {type: "button", onclick: () => save("compare.csv", commaSeparated(series),
                "text/csv")}, "Save as .csv"))],
        published.chosen() && el("p", {class: "muted"}, `Published figures: ${published.chosen().source}.`
            + ` ${published.chosen().note || ""}`));
    };
    published.listen(show);
    show();
    return {element: el("div", {class: "result"}, problems, plot),
        begin: () => replace(problems),
        shown: (series) => {
            own = series;
            show();
        },
        failed: (name, n, problem) => problems.append(el("p", {}, el("code", {}, name), ` at n = ${n}:`),
            problemBox(problem))};
}

function measuring(comparison, out, signal) {
    const bar = progressBar("Progress of the comparison");
    const text = el("span", {class: "muted", "data-state": "idle"});
    const fault = el("p", {class: "fault", role: "alert"});
    const run = runs(signal);
    const stop = el("button", {type: "button", hidden: true, onclick: run.end}, "Stop");
    const submit = async (event) => {
        event.preventDefault();
        fault.textContent = "";
        const mine = run.begin();
        try {
            const plan = comparison.plan();
            bar.max = plan.variants.length * plan.sizes.length;
            stop.hidden = false;
            text.dataset.state = "running";
            out.begin();
            await measureAll(plan, mine, out.shown, out.failed, (done, what) => {
                bar.value = done;
                text.textContent = what;
                announce(`Measuring ${what}`);
            });
            bar.value = bar.max;
            text.textContent = "done";
            announce("The comparison is done");
        } catch (error) {
            if (!mine.aborted) fault.textContent = error.message;
            else text.textContent = "stopped";
        }
        stop.hidden = true;
        text.dataset.state = "done";
    };
    return el("form", {class: "narrow", onsubmit: submit, novalidate: true}, comparison.element(),
        el("div", {class: "status-line"}, el("button", {class: "primary"}, "Measure"), stop, bar, text),
        fault);
}

export async function showCompare(main, [name], query, signal) {
    main.append(loading("the operations"));
    const [{ops, generators}, {kernels}, {tables}] = await Promise.all([sheet("/ops"),
        sheet("/kernels"), sheet("/page/data/articles.json")]);
    const op = name ? ops.find((o) => o.name === name) : ops[0];
    if (!op) return replace(main, unknownOperation(name, "compare"));
    const select = el("select", {onchange: () => (location.hash = `#/compare/${select.value}`)},
        ops.map((o) => option(o.name)));
    select.value = op.name;
    const comparison = new Comparison(op, kernels, generators,
        tables.filter((t) => t.op === op.name), await exampleOf(op.name));
    const out = outcome(comparison.published);
    return replace(main, el("div", {class: "toolbar"}, field("Operation", select),
        explanation(op.summary)),
        measuring(comparison, out, signal), out.element);
}
