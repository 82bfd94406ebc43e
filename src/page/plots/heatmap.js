// heatmap.js - draws a matrix on a canvas, with a diverging colour scale around zero and a legend. An
// element is a square of one or more pixels; a matrix larger than the canvas is averaged over blocks.

import {el} from "../base/dom.js";
import {significant} from "../base/text.js";
import {colour, css, redraw} from "../base/theme.js";

const MOST = 512;                // pixels of a side of the canvas

// Returns the largest modulus of the elements, and the smallest one that is not zero.
function extent(matrix) {
    let [most, least] = [0, Infinity];
    matrix.data.forEach((re, i) => {
        const size = matrix.imag ? Math.hypot(re, matrix.imag[i]) : Math.abs(re);
        if (!Number.isFinite(size)) return;
        if (size > most) most = size;
        if (size > 0 && size < least) least = size;
    });
    return [least === Infinity ? most : least, most];
}

// Returns a function that maps a value to its position on the colour scale, from -1 to 1. The
// logarithmic scale spans the decades of the elements, at most 16; smaller values map to 0.
function placer([least, most], log) {
    if (most === 0) return () => 0;
    if (!log) return (v) => v / most;
    const low = Math.max(Math.log10(least), Math.log10(most) - 16);
    const span = Math.log10(most) - low || 1;
    return (v) => {
        const up = (Math.log10(Math.abs(v)) - low) / span;
        return v === 0 || up < 0 ? 0 : Math.sign(v) * (0.1 + 0.9 * up);
    };
}

function palette() {
    const [middle, low, high, none] = ["heat-zero", "heat-low", "heat-high", "heat-none"].map(colour);
    return (t) => {
        if (!Number.isFinite(t)) return none;
        const end = t < 0 ? low : high;
        const share = Math.min(1, Math.abs(t)) ** 0.8;
        return middle.map((m, i) => Math.round(m + (end[i] - m) * share));
    };
}

// Returns the mean of the matrix's elements in each cell of a grid of rows x cols cells.
function cells(matrix, rows, cols) {
    if (rows === matrix.rows && cols === matrix.cols && !matrix.imag) return matrix.data;
    const sums = new Float64Array(rows * cols);
    const counts = new Float64Array(rows * cols);
    for (let i = 0, k = 0; i < matrix.rows; i++) {
        const r = Math.floor((i * rows) / matrix.rows);
        for (let j = 0; j < matrix.cols; j++, k++) {
            const at = r * cols + Math.floor((j * cols) / matrix.cols);
            sums[at] += matrix.imag ? Math.hypot(matrix.data[k], matrix.imag[k]) : matrix.data[k];
            counts[at]++;
        }
    }
    return sums.map((s, at) => s / counts[at]);
}

function paint(canvas, matrix, extentOf, log) {
    const [rows, cols] = [Math.min(matrix.rows, MOST), Math.min(matrix.cols, MOST)];
    const values = cells(matrix, rows, cols);
    const colourOf = palette();
    const place = placer(extentOf, log);
    canvas.width = cols;
    canvas.height = rows;
    const context = canvas.getContext("2d");
    const image = context.createImageData(cols, rows);
    values.forEach((v, i) => {
        const [r, g, b] = colourOf(Number.isFinite(v) ? place(v) : NaN);
        image.data.set([r, g, b, 255], 4 * i);
    });
    context.putImageData(image, 0, 0);
}

function legend(extentOf, log, complex) {
    const [least, most] = extentOf;
    const colourOf = palette();
    const bar = el("div", {class: "legend-bar", "aria-hidden": "true"});
    const stops = Array.from({length: 21}, (_, i) => (complex ? i / 20 : (i - 10) / 10));
    bar.style.background = `linear-gradient(to right, ${stops.map((t) => css(colourOf(t))).join(", ")})`;
    const low = complex ? "0" : significant(-most);
    return el("div", {class: "legend"}, el("span", {}, low), bar, el("span", {}, significant(most)),
        log && most > 0 && el("span", {class: "muted"}, `log scale, least ±${significant(least)}`));
}

// Makes a figure of the matrix {rows, cols, data, imag}, with a logarithmic scale if log is set. It is
// drawn again when the colours change, until the signal.
export function heatmap(name, matrix, log, signal) {
    const range = extent(matrix);
    const canvas = el("canvas", {class: "heatmap", role: "img", "aria-label":
        `Heat map of ${name}, ${matrix.rows} by ${matrix.cols}, largest modulus `
        + `${significant(range[1])}`});
    canvas.style.aspectRatio = `${matrix.cols} / ${matrix.rows}`;
    canvas.style.width = `${Math.max(Math.min(matrix.cols * 24, 352), 96) *
        Math.min(1, Math.max(matrix.cols / matrix.rows, 0.08))}px`;
    const scale = el("div");
    const draw = () => {
        paint(canvas, matrix, range, log);
        scale.replaceChildren(legend(range, log, Boolean(matrix.imag)));
    };
    draw();
    redraw(canvas, signal, draw);
    const size = `${matrix.rows} × ${matrix.cols}`;
    return el("figure", {class: "matrix"}, el("figcaption", {}, el("b", {}, name), ` ${size}`,
        matrix.imag && " (modulus)"), canvas, scale);
}
