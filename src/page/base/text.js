// text.js - formats numbers and times with their units.

const SPACE = "\u00a0";          // no line break between a number and its unit

// Formats x with that many significant digits, without an exponent unless the text would be long.
export function significant(x, digits = 3) {
    if (x === 0) return "0";
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x < 0 ? "−∞" : "∞";
    const size = Math.abs(x);
    if (size >= 1e6 || size < 1e-3) {
        return Number(x.toPrecision(digits)).toExponential().replace("e+", "e");
    }
    if (size >= 10 ** digits) return String(Math.round(x));
    return String(Number(x.toPrecision(digits)));
}

export function milliseconds(ms) {
    if (ms === undefined || ms === null) return "–";
    if (ms === 0) return `0${SPACE}ms`;
    if (ms < 1) return `${significant(ms * 1e3)}${SPACE}µs`;
    if (ms < 1e3) return `${significant(ms)}${SPACE}ms`;
    return duration(ms / 1e3);
}

// Formats instants on an axis, in milliseconds and equally spaced: in one unit, with as many decimals as
// tell them apart.
export function instants(all) {
    const last = all[all.length - 1];
    const [unit, per] = last < 1 ? ["µs", 1e-3] : last < 1e3 ? ["ms", 1] : ["s", 1e3];
    const by = all.length > 1 ? (all[1] - all[0]) / per : 1;
    const digits = Math.max(0, -Math.floor(Math.log10(by) + 1e-9));
    return all.map((t) => `${(t / per).toFixed(digits)}${SPACE}${unit}`);
}

export function duration(seconds) {
    if (seconds < 60) return `${significant(seconds)}${SPACE}s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes}${SPACE}min ${Math.floor(seconds % 60)}${SPACE}s`;
    const hours = Math.floor(minutes / 60);
    if (hours < 48) return `${hours}${SPACE}h ${minutes % 60}${SPACE}min`;
    return `${Math.floor(hours / 24)}${SPACE}d ${hours % 24}${SPACE}h`;
}

export function bytes(n) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (n >= 1024 && unit < units.length - 1) {
        n /= 1024;
        unit++;
    }
    return `${significant(n)}${SPACE}${units[unit]}`;
}

export function percent(share) {
    return `${Math.round(share * 100)}${SPACE}%`;
}

export function shape(dims) {
    return dims.length === 0 ? "scalar" : dims.length === 1 ? `vector of ${dims[0]}`
        : dims.join(` × `);
}

// Returns the time of an ISO date, as "14:03:59".
export function clock(date) {
    return date ? new Date(date).toLocaleTimeString([], {hour12: false}) : "–";
}

export function rate(gflops, gbytes) {
    if (gflops) return `${significant(gflops)}${SPACE}Gflop/s`;
    return gbytes ? `${significant(gbytes)}${SPACE}GB/s` : "";
}

// Returns the first characters of a job's id, enough to distinguish the jobs of a list.
export function brief(id) {
    return id.slice(0, 8);
}
