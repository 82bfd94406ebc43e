// theme.js - the colour scheme: the system's, or light or dark as the reader has chosen.

import {segments, el} from "./dom.js";

const KEY = "linalgd-theme";

function apply(theme) {
    document.documentElement.dataset.theme = theme;
    window.dispatchEvent(new Event("themechange"));
}

export function themeSwitch() {
    return segments("Colours", [["system", "Auto"], ["light", "Light"], ["dark", "Dark"]],
        localStorage.getItem(KEY) || "system", (theme) => {
            localStorage.setItem(KEY, theme);
            apply(theme);
        });
}

export function startTheme() {
    apply(localStorage.getItem(KEY) || "system");
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
        window.dispatchEvent(new Event("themechange")));
}

// Returns the present value of a colour of style/base.css as [red, green, blue], for a canvas.
export function colour(name) {
    const probe = el("span", {hidden: true});
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value.match(/[\d.]+/g).slice(0, 3).map(Number);
}

export function css([r, g, b]) {
    return `rgb(${r} ${g} ${b})`;
}

// Calls draw() at once, and until the signal whenever the colours or the element's size change.
export function redraw(element, signal, draw) {
    let width = 0;
    const observer = new ResizeObserver(() => {
        if (Math.abs(element.clientWidth - width) < 1) return;
        width = element.clientWidth;
        draw();
    });
    observer.observe(element);
    window.addEventListener("themechange", draw, {signal});
    signal.addEventListener("abort", () => observer.disconnect());
}
