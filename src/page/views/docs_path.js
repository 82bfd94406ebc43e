// docs_path.js - renders one operation of the OpenAPI document: a method on a path.

import {el, paragraphs, prose, table} from "../base/dom.js";
import {codeBlock} from "../base/save.js";
import {brief, examplesOf, resolve, schemaTree} from "./docs_schema.js";

const PROBLEM = "application/problem+json";

function parameterTable(document, parameters) {
    const rows = parameters.map((p) => resolve(document, p).object).map((p) => [
        el("span", {}, el("code", {}, p.name), p.required && el("span", {class: "required"}, " required")),
        p.in, el("div", {}, brief(document, p.schema || {}),
            p.description && el("p", {class: "muted"}, prose(p.description)))]);
    return el("div", {class: "stack"}, el("h4", {}, "Parameters"),
        table("Parameters", [["Name"], ["In"], ["Meaning"]], rows, "stacked prose"));
}

function media(document, [type, content]) {
    const examples = examplesOf(document, content);
    return el("details", {class: "media"}, el("summary", {}, el("code", {}, type)),
        examples.map((example) => codeBlock("Example", typeof example === "string" ? example
            : JSON.stringify(example))),
        content.schema && schemaTree(document, content.schema));
}

function body(document, requestBody) {
    const {object} = resolve(document, requestBody);
    return el("div", {}, el("h4", {}, "Request body"),
        object.description && el("p", {}, prose(object.description)),
        Object.entries(object.content || {}).map((entry) => media(document, entry)));
}

function response(document, [status, answer]) {
    const {object} = resolve(document, answer);
    const headers = Object.entries(object.headers || {}).map(([name, header]) =>
        [name, resolve(document, header).object]);
    return el("li", {}, el("b", {class: `status s${status[0]}`}, status), " ", prose(object.description),
        headers.length > 0 && el("ul", {}, headers.map(([name, header]) => el("li", {},
            el("code", {}, name), " ", el("span", {class: "muted"}, prose(header.description))))),
        Object.entries(object.content || {}).filter(([type]) => type !== PROBLEM)
            .map((entry) => media(document, entry)));
}

// Makes a details element whose content is made when it is first opened, because the document is long.
function fold(summary, make) {
    const details = el("details", {}, el("summary", {}, summary));
    details.addEventListener("toggle", () => {
        if (details.open && details.children.length === 1) details.append(make());
    });
    return details;
}

// Makes the section of an operation, {path, method, operation, parameters}.
export function pathSection(document, {path, method, operation, parameters}) {
    const responses = Object.entries(operation.responses);
    return el("section", {class: "path card", id: `${method}${path}`},
        el("h3", {}, el("span", {class: `method ${method}`}, method), " ", el("code", {}, path)),
        el("p", {}, prose(operation.summary)),
        paragraphs(operation.description, {class: "muted"}),
        fold("Parameters, body and answers", () => el("div", {},
            parameters.length > 0 && parameterTable(document, parameters),
            operation.requestBody && body(document, operation.requestBody),
            el("h4", {}, "Answers"),
            el("p", {class: "muted"}, "Errors are ", el("code", {}, PROBLEM), "."),
            el("ul", {class: "answers"}, responses.map((r) => response(document, r))))));
}
