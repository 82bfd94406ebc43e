// notice.js - notices of a view: that it is loading, is empty, or has failed; and announcements for
// screen readers.

import {el} from "./dom.js";

export function announce(text) {
    const place = document.getElementById("announcer");
    if (place.textContent !== text) place.textContent = text;
}

export function loading(what) {
    return el("p", {class: "loading", role: "status"}, `Loading ${what} …`);
}

export function empty(title, ...hint) {
    return el("div", {class: "empty"}, el("p", {class: "empty-title"}, title),
        el("p", {}, ...hint));
}

export function unknownOperation(name, view) {
    return empty(`There is no operation ${name}`, el("a", {href: `#/${view}`}, "All operations"));
}

// Shows a problem document: its detail, the places of the faults, and a link to the page that explains
// its type.
export function problemBox(problem) {
    const {title, status, detail, errors, type, instance} = problem.document || problem;
    const others = (errors || []).filter((e) => e.detail !== detail || e.pointer);
    return el("div", {class: "problem", role: "alert"},
        el("p", {class: "problem-title"}, status ? `${title} (${status})` : title),
        detail && el("p", {}, detail),
        others.map((e) => el("p", {}, e.pointer && ["At ", el("code", {}, e.pointer)],
            e.detail !== detail && [e.pointer && ": ", e.detail])),
        el("p", {class: "links"},
            type?.startsWith("/problems/") && el("a", {href: type, target: "_blank"},
                "What this kind of error means"),
            instance?.startsWith("/jobs/") && el("a", {href: `#${instance}`}, "The job")));
}

export function badge(status) {
    return el("span", {class: `badge ${status}`}, status);
}

export function progressBar(label) {
    return el("progress", {max: "100", value: 0, "aria-label": label});
}
