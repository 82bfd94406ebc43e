// bars.js - horizontal bars with numbers, for the times of kernels and of a job's stages.

import {el} from "../base/dom.js";
import {milliseconds, rate} from "../base/text.js";

const STAGES = [
    ["parse_ms", "Reading the request"], ["queue_ms", "Waiting"], ["compile_ms", "Compiling kernels"],
    ["upload_ms", "Upload to the device"], ["compute_ms", "Computing"],
    ["download_ms", "Download from the device"],
];

// rows: [{name, note, value, text}]
export function bars(label, rows) {
    const most = Math.max(...rows.map((r) => r.value), 1e-12);
    return el("ul", {class: "bars", "aria-label": label}, rows.map((row) => {
        const fill = el("div", {class: "bar-fill"});
        fill.style.width = `${row.value && Math.max(0.3, (100 * row.value) / most)}%`;
        return el("li", {}, el("span", {class: "bar-name"}, row.name,
            row.note && el("span", {class: "muted"}, ` ${row.note}`)),
        el("span", {class: "bar-value"}, row.text), el("div", {class: "bar"}, fill));
    }));
}

export function stageBars(timing) {
    return bars("Stages", STAGES.filter(([key]) => timing[key] !== undefined).map(([key, name]) => ({
        name, value: timing[key], text: milliseconds(timing[key]),
        note: key === "compute_ms" && timing.host_ms ? `(${milliseconds(timing.host_ms)} on the host)` : "",
    })));
}

// Makes bars of a pipeline's steps, in their order.
export function stepBars(steps) {
    return bars("Steps", steps.map((s) => ({name: el("code", {}, s.as), note: s.op, value: s.compute_ms,
        text: milliseconds(s.compute_ms)})));
}

// Makes bars of a job's kernels, the one with the longest time first.
export function kernelBars(kernels) {
    return bars("Kernels", [...kernels].sort((a, b) => b.total_ms - a.total_ms).map((k) => ({
        name: el("code", {}, k.name), value: k.total_ms, text: milliseconds(k.total_ms),
        note: [k.step && `step ${k.step}`, k.variant, k.calls === 1 ? "1 call" : `${k.calls} calls`,
            rate(k.gflops, k.gbytes_per_s)].filter(Boolean).join(" · "),
    })));
}
