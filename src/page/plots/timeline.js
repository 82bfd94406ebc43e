// timeline.js - draws a job's trace (GET /jobs/{id}/trace, Chrome's Trace Event Format) on a canvas,
// with a row for each lane of the trace. Buttons, keys and Ctrl with the wheel zoom; dragging scrolls.

import {el} from "../base/dom.js";
import {instants, milliseconds} from "../base/text.js";
import {colour, css, redraw} from "../base/theme.js";
import {linear} from "./scale.js";

const ROW = 26;
const AXIS = 24;
const KEYS = {"+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right", "0": "all"};

// Returns the lanes of a trace in their order: [{name, events: [{name, cat, ts, dur}]}].
export function lanesOf(trace) {
    const processes = new Map();
    const lanes = new Map();
    const lane = (e) => {
        const key = `${e.pid}:${e.tid}`;
        if (!lanes.has(key)) lanes.set(key, {pid: e.pid, tid: e.tid, thread: "", events: []});
        return lanes.get(key);
    };
    for (const e of trace.traceEvents) {
        if (e.name === "process_name") processes.set(e.pid, e.args.name);
        else if (e.name === "thread_name") lane(e).thread = e.args.name;
        else if (e.ph === "X") lane(e).events.push(e);
    }
    return [...lanes.values()].filter((l) => l.events.length)
        .sort((a, b) => a.pid - b.pid || a.tid - b.tid)
        .map((l) => ({name: l.pid ? `${processes.get(l.pid)?.split(":")[0]}: ${l.thread}` : l.thread,
            events: l.events.sort((a, b) => a.ts - b.ts)}));
}

function span(events) {
    return events.length ? [Math.min(...events.map((e) => e.ts)),
        events.reduce((end, e) => Math.max(end, e.ts + e.dur), 0)] : null;
}

// Returns a function that gives an event's colour: that of the kernel's name, or of its category.
function painter(events) {
    const names = [...new Set(events.filter((e) => e.cat === "kernel").map((e) => e.name))];
    const palette = Array.from({length: 8}, (_, i) => css(colour(`series-${i}`)));
    const others = {stage: css(colour("muted")), transfer: css(colour("transfer")),
        host: css(colour("warn"))};
    return (e) => others[e.cat] || palette[names.indexOf(e.name) % palette.length];
}

// Draws the part of the trace between view[0] and view[1], in microseconds.
function paint(canvas, lanes, view) {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = AXIS + lanes.length * ROW;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = "12px system-ui, sans-serif";
    const x = linear(view[0], view[1], 0, width, Math.max(2, width / 120));
    const [text, grid] = [css(colour("muted")), css(colour("line"))];
    const labels = instants(x.ticks.map((t) => t / 1e3));
    x.ticks.forEach((t, i) => {
        c.fillStyle = grid;
        c.fillRect(x.at(t), AXIS, 1, height);
        c.fillStyle = text;
        if (x.at(t) < width - 60) c.fillText(labels[i], x.at(t) + 3, 15);
    });
    const colourOf = painter(lanes.flatMap((l) => l.events));
    lanes.forEach((lane, row) => {
        for (const e of lane.events) {
            const [from, to] = [Math.max(0, x.at(e.ts)), Math.min(width, x.at(e.ts + e.dur))];
            if (to < 0 || from > width) continue;
            c.fillStyle = colourOf(e);
            c.fillRect(from, AXIS + row * ROW + 4, Math.max(1, to - from), ROW - 8);
            if (to - from < 8 * e.name.length) continue;
            c.fillStyle = css(colour("on-series"));
            c.fillText(e.name, from + 4, AXIS + row * ROW + 17, to - from - 6);
        }
    });
}

function eventAt(canvas, lanes, view, event) {
    const box = canvas.getBoundingClientRect();
    const t = view[0] + ((event.clientX - box.left) / box.width) * (view[1] - view[0]);
    const slack = (2 / box.width) * (view[1] - view[0]);
    const lane = lanes[Math.floor((event.clientY - box.top - AXIS) / ROW)];
    return lane?.events.find((e) => t >= e.ts - slack && t <= e.ts + e.dur + slack);
}

function moved([from, to], how, [first, last]) {
    const width = to - from;
    const [middle, shift] = [(from + to) / 2, width / 4];
    const next = {
        here: [from, to], in: [middle - width / 4, middle + width / 4], out: [middle - width, middle + width],
        left: [from - shift, to - shift], right: [from + shift, to + shift], all: [first, last],
    }[how];
    const most = last - first;
    const size = Math.min(next[1] - next[0], most);
    const start = Math.min(Math.max(next[0], first), last - size);
    return size < 0.05 ? [from, to] : [start, start + size];
}

// Adds the pointer's functions: dragging scrolls, Ctrl and the wheel zoom, and the event under the
// pointer is described.
function listen(canvas, state, told) {
    let held = null;
    canvas.addEventListener("pointerdown", (e) => {
        held = {x: e.clientX, view: state.view()};
        canvas.setPointerCapture(e.pointerId);
    });
    canvas.addEventListener("pointermove", (e) => {
        if (!held) return told(eventAt(canvas, state.lanes, state.view(), e));
        const by = ((held.x - e.clientX) / canvas.clientWidth) * (held.view[1] - held.view[0]);
        state.show(moved([held.view[0] + by, held.view[1] + by], "here", state.all));
    });
    canvas.addEventListener("pointerup", () => (held = null));
    canvas.addEventListener("wheel", (e) => {
        if (!e.ctrlKey) return;
        e.preventDefault();
        state.show(moved(state.view(), e.deltaY < 0 ? "in" : "out", state.all));
    }, {passive: false});
    canvas.addEventListener("keydown", (e) => {
        if (!KEYS[e.key]) return;
        e.preventDefault();
        state.show(moved(state.view(), KEYS[e.key], state.all));
    });
}

function buttons(state, computing) {
    const button = (text, label, how) => el("button", {type: "button", "aria-label": label,
        onclick: () => state.show(how())}, text);
    const step = (how) => () => moved(state.view(), how, state.all);
    return el("div", {class: "actions compact"},
        button("+", "Zoom in", step("in")), button("−", "Zoom out", step("out")),
        button("←", "Earlier", step("left")), button("→", "Later", step("right")),
        button("Whole job", "Show the whole job", step("all")),
        computing && button("Computing", "Show the computing", () => computing));
}

// Makes the timeline of a trace; its listeners end at the signal. Returns null for a trace without
// events.
export function timeline(trace, signal) {
    const lanes = lanesOf(trace);
    const all = span(lanes.flatMap((l) => l.events));
    if (!all) return null;
    const computing = span(lanes.flatMap((l) => l.events).filter((e) => e.cat !== "stage"));
    let view = computing && computing[1] - computing[0] < (all[1] - all[0]) / 5 ? computing : all;
    const canvas = el("canvas", {class: "timeline", tabindex: "0", role: "img", "aria-label":
        `Timeline of ${milliseconds((all[1] - all[0]) / 1e3)} in ${lanes.length} lanes: `
        + lanes.map((l) => `${l.name}, ${l.events.length} events`).join("; ")
        + ". Plus and minus zoom, the arrow keys move, 0 shows all."});
    canvas.style.height = `${AXIS + lanes.length * ROW}px`;
    const told = el("p", {class: "muted told"}, "Point at a bar to see what it is.");
    const draw = () => canvas.clientWidth && paint(canvas, lanes, view);
    const state = {lanes, all, view: () => view, show: (next) => {
        view = next;
        draw();
    }};
    listen(canvas, state, (e) => {
        if (e) told.textContent = `${e.name}: ${milliseconds(e.dur / 1e3)}, from ${milliseconds(e.ts / 1e3)}`;
    });
    redraw(canvas, signal, draw);
    const names = el("div", {class: "lane-names"}, lanes.map((l) => el("span", {}, l.name)));
    return el("div", {}, buttons(state, computing), el("div", {class: "timeline-box"}, names, canvas),
        told);
}
