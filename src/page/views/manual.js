// manual.js - what GET /ops says of an operation beyond its tables, as a fold.

import {el, paragraphs, prose} from "../base/dom.js";

const PARTS = [["details", "Details"], ["mathematics", "Mathematics"], ["work", "Cost"],
    ["verdict", "Quality"], ["source", "Source"]];

function section(title, text) {
    return [el("h3", {}, title), paragraphs(text)];
}

function refusals(list) {
    return [el("h3", {}, "Errors"), el("ul", {}, list.map(({type, status, when}) => el("li", {},
        `${status} `, el("a", {href: type}, type.replace("/problems/", "")), ": ", prose(when))))];
}

export function manual(op) {
    return el("details", {class: "help manual"}, el("summary", {}, `About ${op.name}`),
        PARTS.filter(([name]) => op[name]).map(([name, title]) => section(title, op[name])),
        op.refusals.length > 0 && refusals(op.refusals));
}
