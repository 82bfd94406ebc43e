// router.js - shows the view that the address's fragment names.

import {el, replace} from "./dom.js";
import {problemBox} from "./notice.js";
import {Problem} from "./api.js";

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

// Splits "#/run/lu?variant=tiled" into its segments and its query.
export function place() {
    const [path, query] = location.hash.slice(1).split("?");
    return {segments: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query)};
}

function markCurrent(name) {
    for (const link of document.querySelectorAll("nav a")) {
        const current = link.getAttribute("href") === `#/${name}`;
        if (current) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}

// views: {name: {title, show}}. title may be a function of the segments after the name. show(main, rest,
// query, signal) fills main with the view, and ends everything that it has started at the signal. The
// first view is shown if the fragment names none.
export function startRouter(main, views) {
    let leaving = new AbortController();

    async function go(first) {
        leaving.abort();
        leaving = new AbortController();
        const signal = leaving.signal;
        const {segments, query} = place();
        const name = segments[0] in views ? segments[0] : Object.keys(views)[0];
        const {title: titled, show} = views[name];
        const title = typeof titled === "function" ? titled(segments.slice(1)) : titled;
        const heading = el("h1", {tabindex: "-1"}, title);
        const body = el("div", {class: "view"});
        document.title = `${title} · linalgd`;
        markCurrent(name);
        replace(main, heading, body);
        if (!first) heading.focus({preventScroll: true});
        window.scrollTo(0, 0);
        try {
            await show(body, segments.slice(1), query, signal);
        } catch (error) {
            if (signal.aborted) return;
            replace(body, problemBox(error instanceof Problem ? error
                : {title: "The page failed", detail: String(error)}));
            if (!(error instanceof Problem)) throw error;
        }
    }

    window.addEventListener("hashchange", () => go(false));
    go(true);
}
