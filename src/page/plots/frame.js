// frame.js - the frame of a plot: its axes with ticks, grid lines and titles, as SVG.

import {svg} from "../base/dom.js";
import {significant} from "../base/text.js";

export const MARGIN = {left: 58, right: 14, top: 12, bottom: 42};

// Returns the width of a plot: `most`, or less in a narrow window, so that text is not scaled down.
export function plotWidth(most) {
    return Math.max(240, Math.min(most, document.documentElement.clientWidth - 32));
}

// Makes an SVG element of that size, which shrinks with its container, with a description for screen
// readers.
export function drawing(width, height, label, ...children) {
    return svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img",
        "aria-label": label}, ...children);
}

// Draws the axes of a plot of that size. x and y are scales (scale.js) in the plot's coordinates.
export function axes(width, height, x, y, titles) {
    const {left, right, top, bottom} = MARGIN;
    const floor = height - bottom;
    return svg("g", {class: "axes"},
        x.ticks.map((t) => svg("g", {},
            svg("line", {x1: x.at(t), x2: x.at(t), y1: top, y2: floor, class: "grid"}),
            svg("text", {x: x.at(t), y: floor + 16, "text-anchor": "middle"}, significant(t, 4)))),
        y.ticks.map((t) => svg("g", {},
            svg("line", {x1: left, x2: width - right, y1: y.at(t), y2: y.at(t), class: "grid"}),
            svg("text", {x: left - 7, y: y.at(t) + 4, "text-anchor": "end"}, significant(t, 4)))),
        svg("rect", {x: left, y: top, width: width - left - right, height: floor - top,
            class: "frame"}),
        svg("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle",
            class: "title"}, titles[0]),
        svg("text", {x: 12, y: (top + floor) / 2, "text-anchor": "middle", class: "title",
            transform: `rotate(-90 12 ${(top + floor) / 2})`}, titles[1]));
}
