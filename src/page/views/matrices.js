// matrices.js - draws a job's operands and outputs: matrices as heat maps, vectors and spectra as plots,
// and the corner of each as numbers.

import {send} from "../base/api.js";
import {elementText, matricesIn, matrixAt} from "../base/array.js";
import {el, field, replace, table} from "../base/dom.js";
import {empty, loading} from "../base/notice.js";
import {members, readNpy} from "../base/npy.js";
import {shape as shapeText} from "../base/text.js";
import {heatmap} from "../plots/heatmap.js";
import {byIndex, spectrum} from "../plots/spectrum.js";
import {preview} from "./preview.js";

export const MOST_BYTES = 256 << 20;    // most bytes of a result that is fetched to be shown
const CORNER = 12;               // rows and columns of a matrix that are shown as numbers

// The outputs that are plotted as spectra, and those that are plotted on a logarithmic axis.
const SPECTRA = ["eigenvalues", "eigenvalue"];
const DECAYING = ["s"];

// Fetches the outputs as a Map of name to {array, file}; returns null if they are too large to be
// shown.
export async function fetchOutputs(id, signal) {
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

// Returns {element, drawn}: the part of the page with the matrices before and after the computation, and
// a promise that is kept when the operands are drawn. operands are those of a form (request.js); if they
// are not known, `without` says why. outputs are those of fetchOutputs().
export function matricesSection(outputs, operands, without, signal) {
    const state = {log: false, index: 0, listeners: []};
    const arrays = outputs ? [...outputs].filter(([, {array}]) => array.shape.length > 0) : [];
    const stack = Math.max(1, ...arrays.map(([, {array}]) => matricesIn(array)));
    const before = el("div", {class: "matrices"});
    const after = el("div", {class: "matrices"}, arrays.map(([name, {array}]) =>
        arraySection(name, array, state, signal)));
    return {
        element: el("section", {}, el("h2", {}, "Matrices"), scaleControls(state, stack),
            !operands.length && el("p", {class: "muted"}, without),
            el("div", {class: "before-after"}, operands.length > 0 && el("div", {},
                el("h3", {}, "Before"), before),
                arrays.length > 0 && el("div", {}, el("h3", {}, "After"), after))),
        drawn: showOperands(before, operands, state, signal),
    };
}
