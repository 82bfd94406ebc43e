// prometheus.js - reads the text of GET /metrics.

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

function labelsOf(text) {
    const labels = {};
    for (const [, name, value] of (text || "").matchAll(LABEL)) {
        labels[name] = value.replace(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c));
    }
    return labels;
}

// Returns the samples as a Map of metric name to [{labels, value}].
export function samples(text) {
    const all = new Map();
    for (const line of text.split("\n")) {
        const [, name, labels, value] = LINE.exec(line) || [];
        if (!name) continue;
        if (!all.has(name)) all.set(name, []);
        all.get(name).push({labels: labelsOf(labels), value: Number(value)});
    }
    return all;
}

// Returns the sum of a metric's samples that have the given labels.
export function total(all, name, labels = {}) {
    const wanted = Object.entries(labels);
    return (all.get(name) || [])
        .filter((s) => wanted.every(([key, value]) => s.labels[key] === value))
        .reduce((sum, s) => sum + s.value, 0);
}
