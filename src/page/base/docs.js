// docs.js - the page at /docs: renders the OpenAPI document of the service (GET /openapi.json).

import {get} from "./api.js";
import {el, field, paragraphs, replace} from "./dom.js";
import {startHeader} from "./header.js";
import {loading, problemBox} from "./notice.js";
import {pathSection} from "../views/docs_path.js";

// Returns the document's operations grouped by tag, in the order of the document:
// [[tag, [{path, method, operation}]]].
function byTag(api) {
    const groups = new Map(api.tags.map((t) => [t.name, []]));
    for (const [path, item] of Object.entries(api.paths)) {
        for (const [method, operation] of Object.entries(item)) {
            if (!operation.responses) continue;
            const parameters = [...(item.parameters || []), ...(operation.parameters || [])];
            const tag = operation.tags?.[0] || "other";
            if (!groups.has(tag)) groups.set(tag, []);
            groups.get(tag).push({path, method, operation, parameters});
        }
    }
    return [...groups].filter(([, list]) => list.length);
}

function contents(groups, tags) {
    return el("nav", {class: "contents", "aria-label": "Contents"}, groups.map(([tag, list]) =>
        el("div", {}, el("h2", {}, tag),
            el("p", {class: "muted"}, tags.find((t) => t.name === tag)?.description),
            el("ul", {}, list.map(({path, method}) => el("li", {},
                el("a", {href: `#${method}${path}`}, el("span", {class: `method ${method}`}, method),
                    " ", el("code", {}, path))))))));
}

// Returns the section that the address's fragment names, as "#get/jobs/{id}", or null.
function sectionOf(hash) {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
}

// Hides the sections and entries that do not contain the words searched for.
function search(main) {
    const none = el("p", {class: "empty", role: "status", hidden: true}, "No path has these words.");
    const input = el("input", {type: "search", oninput: () => {
        const wanted = input.value.trim().toLowerCase();
        for (const section of main.querySelectorAll("section.path")) {
            section.hidden = !section.textContent.toLowerCase().includes(wanted);
        }
        for (const link of main.querySelectorAll(".contents li")) {
            link.hidden = sectionOf(link.querySelector("a").hash).hidden;
        }
        none.hidden = Boolean(main.querySelector("section.path:not([hidden])"));
    }});
    return el("div", {class: "toolbar"}, field("Search", input), none);
}

function render(main, api) {
    const groups = byTag(api);
    replace(main, el("h1", {}, `${api.info.title} ${api.info.version}`),
        el("p", {class: "lead"}, api.info.summary), paragraphs(api.info.description),
        el("p", {}, "The document itself: ", el("a", {href: "/openapi.yaml"}, "openapi.yaml"), ", ",
            el("a", {href: "/openapi.json"}, "openapi.json"), "."),
        search(main), contents(groups, api.tags),
        groups.flatMap(([, list]) => list.map((entry) => pathSection(api, entry))));
}

function goToHash() {
    const section = sectionOf(location.hash);
    if (!section || section.id === "main") return;
    const details = section.querySelector("details");
    if (details) details.open = true;
    section.scrollIntoView();
}

async function start() {
    const main = document.getElementById("main");
    replace(main, loading("the API's description"));
    try {
        render(main, await get("/openapi.json"));
    } catch (problem) {
        return replace(main, el("h1", {}, "API"), problemBox(problem));
    }
    window.addEventListener("hashchange", goToHash);
    return goToHash();
}

startHeader();
start();
