// loglog.js - plots times over sizes with logarithmic axes: each series is a line with a marker at each
// point, dashed for published figures.

import {el, svg} from "../base/dom.js";
import {milliseconds, significant} from "../base/text.js";
import {axes, drawing, MARGIN, plotWidth} from "./frame.js";
import {logarithmic} from "./scale.js";

const WIDE = 720;
const HEIGHT = 400;

// Returns the outline of a marker at (x, y); its form depends on the number of its series.
const MARKERS = [
    (x, y) => `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`,
    (x, y) => `M${x - 4} ${y - 4}h8v8h-8z`,
    (x, y) => `M${x} ${y - 5}l5 9h-10z`,
    (x, y) => `M${x} ${y - 5}l5 5l-5 5l-5 -5z`,
    (x, y) => `M${x} ${y + 5}l5 -9h-10z`,
];

function drawn(series, i, x, y) {
    const points = series.points.map(([n, ms]) => [x.at(n), y.at(ms), n, ms]);
    const path = points.map(([px, py], k) => `${k ? "L" : "M"}${px} ${py}`).join("");
    return svg("g", {class: `series series-${i % 8}${series.published ? " published" : ""}`,
        "data-series": series.name}, svg("path", {d: path, class: "line"}),
    points.map(([px, py, n, ms]) => svg("path", {class: "point", d: MARKERS[i % 5](px, py),
        "data-size": n}, svg("title", {}, `${series.name}, n = ${n}: ${milliseconds(ms)}`))));
}

function legend(all) {
    return el("ul", {class: "series-legend"}, all.map((s, i) => el("li", {},
        svg("svg", {viewBox: "0 0 26 12", class: `series series-${i % 8}${s.published ? " published" : ""}`,
            "aria-hidden": "true"}, svg("path", {d: "M1 6H25", class: "line"}),
        svg("path", {d: MARKERS[i % 5](13, 6), class: "point"})), s.name)));
}

// Makes the plot. series: [{name, points: [[n, ms], ...], published}]. Returns null if no series has a
// point.
export function loglog(label, all) {
    const points = all.flatMap((s) => s.points);
    if (!points.length) return null;
    const [sizes, times] = [points.map((p) => p[0]), points.map((p) => p[1])];
    const {left, right, top, bottom} = MARGIN;
    const width = plotWidth(WIDE);
    const x = logarithmic(Math.min(...sizes), Math.max(...sizes), left + 14, width - right - 14, 2);
    const y = logarithmic(Math.min(...times), Math.max(...times), HEIGHT - bottom - 8, top + 8);
    const text = `${label}: ${all.length} series, sizes ${Math.min(...sizes)} to ${Math.max(...sizes)}, `
        + `${significant(Math.min(...times))} to ${significant(Math.max(...times))} ms. `
        + "The table has the same numbers.";
    return el("figure", {}, drawing(width, HEIGHT, text,
        axes(width, HEIGHT, x, y, ["n", "milliseconds"]), all.map((s, i) => drawn(s, i, x, y))),
    legend(all));
}
