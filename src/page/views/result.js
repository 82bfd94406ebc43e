// result.js - shows a finished job's result: numbers, heat maps of the operands and outputs, plots of
// vectors and spectra, the quality, the times, and the files of the result.

import {send} from "../base/api.js";
import {elementText, matricesIn, matrixAt, matrixMarket} from "../base/array.js";
import {el, facts, field, option, replace, table} from "../base/dom.js";
import {empty, loading, problemBox} from "../base/notice.js";
import {members, readNpy} from "../base/npy.js";
import {save} from "../base/save.js";
import {bytes, milliseconds, shape as shapeText} from "../base/text.js";
import {heatmap} from "../plots/heatmap.js";
import {byIndex, spectrum} from "../plots/spectrum.js";
import {downloads, timingSection} from "./job.js";
import {preview} from "./preview.js";
import {qualityFacts} from "./quality.js";

const MOST_BYTES = 256 << 20;    // most bytes of a result that is fetched to be shown
const CORNER = 12;               // rows and columns of a matrix that are shown as numbers

// The outputs that are plotted as spectra, and those that are plotted on a logarithmic axis.
const SPECTRA = ["eigenvalues", "eigenvalue"];
const DECAYING = ["s"];

// Fetches the outputs as a Map of name to {array, file}; returns null if they are too large to be
// shown.
async function fetchOutputs(id, signal) {
    const answer = await send(`/jobs/${id}/result`, {signal, headers: {Accept: "application/x-npz"}});
    if (answer.status === 204) return new Map();        // everything was stored
    if (Number(answer.headers.get("Content-Length")) > MOST_BYTES) {
        await answer.body.cancel();
        return null;
    }
    const files = members(new Uint8Array(await answer.arrayBuffer()));
    return new Map([...files].map(([name, file]) => [name, {array: readNpy(file), file}]));
}

function numbers(name, array, index) {
    const m = matrixAt(array, index);
    const cell = (i, j) => elementText(array, (index * m.rows + i) * m.cols + j);
    const [rows, cols] = [Math.min(m.rows, CORNER), Math.min(m.cols, CORNER)];
    const more = m.cols > cols ? [["…", "number"]] : [];
    const lines = Array.from({length: rows}, (_, i) => [String(i), ...Array.from({length: cols},
        (__, j) => cell(i, j)), ...more.map(() => "…")]);
    if (m.rows > rows) lines.push(Array.from({length: 1 + cols + more.length}, () => "…"));
    return table(`Numbers of ${name}`, [["", "index"], ...Array.from({length: cols},
        (_, j) => [m.cols === 1 ? "value" : String(j), "number"]), ...more], lines);
}

function vectorPlot(name, array, log) {
    if (SPECTRA.includes(name)) return spectrum(array);
    if (array.imag) return spectrum(array);
    return byIndex(name, array, log || DECAYING.includes(name));
}

// Makes the part of the page for one array. It is drawn anew when the reader chooses another scale or
// another matrix of a stack.
function arraySection(name, array, state, signal) {
    const place = el("div");
    const stack = matricesIn(array);
    const draw = () => {
        const vector = array.shape.length === 1;
        const index = Math.min(state.index, stack - 1);
        const m = matrixAt(array, index);
        const figure = m.data.length === 0 ? empty("No elements", `${name} has none.`)
            : vector ? el("figure", {}, el("figcaption", {}, el("b", {}, name),
                ` ${shapeText(array.shape)}`), vectorPlot(name, array, state.log))
                : heatmap(stack > 1 ? `${name}[${index}]` : name, m, state.log, signal);
        const small = m.data.length > 0 && m.rows <= 8 && m.cols <= 8;
        replace(place, figure, m.data.length > 0 && el("details", {open: small},
            el("summary", {}, "Numbers"), numbers(name, array, index)));
    };
    draw();
    state.listeners.push(draw);
    return place;
}

function scaleControls(state, stack) {
    const changed = () => state.listeners.forEach((draw) => draw());
    const log = el("input", {type: "checkbox", checked: state.log, onchange: () => {
        state.log = log.checked;
        changed();
    }});
    const index = el("input", {type: "number", min: "0", max: stack - 1, value: "0", onchange: () => {
        state.index = Number(index.value);
        changed();
    }});
    return el("div", {class: "row"}, el("label", {class: "tick"}, log, "Logarithmic scale"),
        stack > 1 && field("Matrix of the stack", index));
}

function scalars(outputs) {
    const single = [...outputs].filter(([, {array}]) => array.shape.length === 0);
    return single.length > 0 && facts(single.map(([name, {array}]) => [el("code", {}, name),
        el("b", {class: "value"}, elementText(array, 0, 10))]));
}

async function showOperands(place, operands, state, signal) {
    await Promise.all(operands.filter((o) => o.value).map(async (o) => {
        const box = el("div", {}, loading(o.name));
        place.append(box);
        try {
            const array = await preview(o.value, signal);
            replace(box, array && array.shape.length ? arraySection(o.name, array, state, signal)
                : el("p", {class: "muted"}, `${o.name} is ${array ? `${array.data[0]}`
                    : "too large to draw"}.`));
        } catch (error) {
            if (!signal.aborted) {
                replace(box, el("p", {class: "muted"}, `${o.name} cannot be drawn: ${error.message}`));
            }
        }
    }));
}

function fileOf(name, output, kind) {
    if (kind === "npy") return save(`${name}.npy`, output.file, "application/x-npy");
    return save(`${name}.mtx`, matrixMarket(output.array), "application/x-matrix-market");
}

function files(id, outputs, trouble) {
    const names = outputs ? [...outputs.keys()].filter((n) => outputs.get(n).array.shape.length) : [];
    const select = el("select", {}, names.map((n) => option(n)));
    const one = names.length > 0 && el("div", {class: "row end"}, field("Output", select),
        ["npy", "mtx"].map((kind) => el("button", {type: "button",
            onclick: () => fileOf(select.value, outputs.get(select.value), kind)}, `.${kind}`)));
    return el("section", {}, el("h2", {}, "Download"), one, el("h3", {}, "As the service answers it"),
        downloads(id, (p) => replace(trouble, problemBox(p))), trouble);
}

// The outputs that the service keeps as stored matrices.
function storedList(stored) {
    return stored && el("p", {}, "Stored: ", Object.entries(stored).map(([output, m], i) =>
        [i > 0 && "; ", el("code", {}, output), " as ", el("b", {}, m.name),
            ` (${shapeText(m.shape)}, ${m.dtype})`]), ".");
}

// Fills `place` with everything about a successful job and its operands (those of a form).
export async function showResult(place, job, operands, signal) {
    replace(place, loading("the result"));
    const outputs = await fetchOutputs(job.id, signal);
    const state = {log: false, index: 0, listeners: []};
    const before = el("div", {class: "matrices"});
    const arrays = outputs ? [...outputs].filter(([, {array}]) => array.shape.length > 0) : [];
    const stack = Math.max(1, ...arrays.map(([, {array}]) => matricesIn(array)));
    const after = el("div", {class: "matrices"}, arrays.map(([name, {array}]) =>
        arraySection(name, array, state, signal)));
    replace(place,
        el("section", {}, el("h2", {}, "Result"), outputs ? scalars(outputs)
            : el("p", {}, `The result is larger than ${bytes(MOST_BYTES)}. Download it instead.`),
        storedList(job.stored), job.quality && qualityFacts(job.quality),
        el("p", {class: "muted"}, "Computed in ", el("b", {}, milliseconds(job.timing?.compute_ms)),
            ` on ${job.device?.name}.`)),
        el("section", {}, el("h2", {}, "Matrices"), scaleControls(state, stack),
            el("div", {class: "before-after"}, el("div", {}, el("h3", {}, "Before"), before),
                arrays.length > 0 && el("div", {}, el("h3", {}, "After"), after))),
        timingSection(job.timing), files(job.id, outputs, el("div")),
        el("p", {}, el("a", {href: `#/jobs/${job.id}`}, "The job with its timeline")));
    if (operands.length) await showOperands(before, operands, state, signal);
    else replace(before, el("p", {class: "muted"}, "The operands came in one file."));
}
