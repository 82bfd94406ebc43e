// scale.js - maps values to coordinates of a plot, and chooses round values for its ticks.

function step(span, count) {
    const raw = span / count;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999);
}

// A linear scale from `least`..`most` to `from`..`to`, with about `count` ticks.
export function linear(least, most, from, to, count = 5) {
    if (least === most) {
        const room = Math.abs(least) * 0.1 || 1;
        least -= room;
        most += room;
    }
    const by = step(most - least, count);
    const ticks = [];
    for (let k = Math.ceil(least / by - 1e-9); k * by <= most + by * 1e-9; k++) {
        ticks.push(Number((k * by).toPrecision(12)));
    }
    return {at: (x) => from + ((x - least) / (most - least)) * (to - from), ticks};
}

// Returns 1, 2 and 5 times the powers of ten in a range.
function rounds(least, most) {
    const found = [];
    for (let k = Math.floor(Math.log10(least)); 10 ** k <= most; k++) {
        found.push(...[1, 2, 5].map((f) => f * 10 ** k).filter((t) => t >= least && t <= most));
    }
    return found;
}

// A logarithmic scale with ticks at powers of ten, or of `base`; at other round values where a power of
// ten or two would be alone.
export function logarithmic(least, most, from, to, base = 10) {
    const log = (x) => Math.log(x) / Math.log(base);
    let [low, high] = [log(least), log(most)];
    if (high - low < 0.05) {
        low -= 0.1;
        high += 0.1;
    }
    const by = Math.max(1, Math.round((high - low) / 6));
    let ticks = [];
    for (let k = Math.ceil(low - 1e-9); k <= high + 1e-9; k += by) ticks.push(base ** k);
    if (ticks.length < 3) ticks = rounds(base ** low, base ** high);
    if (ticks.length < 3) ticks = linear(base ** low, base ** high, from, to).ticks;
    return {at: (x) => from + ((log(x) - low) / (high - low)) * (to - from), ticks};
}
