// spectrum.js - plots of vectors: eigenvalues in the complex plane or on the real line, others by
// their index.

import {svg} from "../base/dom.js";
import {significant} from "../base/text.js";
import {axes, drawing, MARGIN, plotWidth} from "./frame.js";
import {linear, logarithmic} from "./scale.js";

const WIDE = 560;
const {left, right, top, bottom} = MARGIN;

function dot(x, y, text) {
    return svg("circle", {cx: x, cy: y, r: 3.5, class: "dot"}, svg("title", {}, text));
}

function range(values) {
    let [least, most] = [Infinity, -Infinity];
    for (const v of values) {
        if (v < least) least = v;
        if (v > most) most = v;
    }
    return [least, most];
}

// Returns the range, extended by 5 % at each end.
function wider([least, most]) {
    const room = (most - least) * 0.05;
    return [least - room, most + room];
}

// Draws complex values in the plane, with equal units on both axes.
function plane(array) {
    const width = plotWidth(WIDE);
    const height = 420;
    const [reLow, reHigh] = wider(range(array.data));
    const [imLow, imHigh] = wider(range(array.imag));
    const across = width - left - right;
    const up = height - top - bottom;
    const unit = Math.max((reHigh - reLow) / across, (imHigh - imLow) / up) || 1e-3;
    const middle = (a, b, half) => [(a + b) / 2 - half, (a + b) / 2 + half];
    const x = linear(...middle(reLow, reHigh, (unit * across) / 2), left, width - right, 6);
    const y = linear(...middle(imLow, imHigh, (unit * up) / 2), height - bottom, top, 6);
    const label = `Spectrum in the complex plane: ${array.data.length} values, real parts from `
        + `${significant(reLow)} to ${significant(reHigh)}, imaginary parts from `
        + `${significant(imLow)} to ${significant(imHigh)}`;
    return drawing(width, height, label, axes(width, height, x, y, ["real part", "imaginary part"]),
        Array.from(array.data, (re, i) => dot(x.at(re), y.at(array.imag[i]),
            `${significant(re, 6)} ${array.imag[i] < 0 ? "−" : "+"} `
            + `${significant(Math.abs(array.imag[i]), 6)}i`)));
}

// Draws values on the real line. Values that nearly coincide are stacked.
function line(array) {
    const width = plotWidth(WIDE);
    const height = 150;
    const [least, most] = range(array.data);
    const x = linear(...wider([least, most]), left, width - right, 6);
    const floor = height - bottom - 10;
    const taken = new Map();
    const dots = Array.from(array.data).sort((a, b) => a - b).map((v) => {
        const place = Math.round(x.at(v) / 4);
        const level = taken.get(place) || 0;
        taken.set(place, level + 1);
        return dot(x.at(v), Math.max(top + 4, floor - 7 * level), significant(v, 6));
    });
    const label = `Spectrum on the real line: ${array.data.length} values from `
        + `${significant(least)} to ${significant(most)}`;
    return drawing(width, height, label,
        axes(width, height, x, {ticks: [], at: () => 0}, ["value", ""]), dots);
}

// Draws the spectrum of real or complex eigenvalues.
export function spectrum(array) {
    return array.imag && array.imag.some((v) => v !== 0) ? plane(array) : line(array);
}

// Draws a vector's elements over their index, on a logarithmic axis if log is set and no element is
// negative.
export function byIndex(name, array, log) {
    const width = plotWidth(WIDE);
    const height = 260;
    const shown = Array.from(array.data).map((v, i) => [i, v])
        .filter(([, v]) => Number.isFinite(v) && (!log || v > 0));
    if (!shown.length) return null;
    const values = range(shown.map(([, v]) => v));
    const last = Math.max(1, array.data.length - 1);
    const x = linear(0, last, left + 8, width - right - 8, Math.min(6, last));
    const y = log ? logarithmic(values[0], values[1], height - bottom - 6, top + 6)
        : linear(...wider(values), height - bottom, top);
    const label = `${name} by index: ${shown.length} values from ${significant(values[0])} to `
        + `${significant(values[1])}${log ? ", logarithmic" : ""}`;
    const path = shown.map(([i, v], k) => `${k ? "L" : "M"}${x.at(i)} ${y.at(v)}`).join("");
    return drawing(width, height, label, axes(width, height, x, y, ["index", name]),
        svg("path", {d: path, class: "line"}),
        shown.length <= 256 && shown.map(([i, v]) => dot(x.at(i), y.at(v), `${i}: ${significant(v, 6)}`)));
}
