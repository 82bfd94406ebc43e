// docs_schema.js - renders schemas of the OpenAPI document (JSON Schema, 2020-12).

import {el, prose} from "../base/dom.js";

const DEEP = 4;                  // levels of nested schemas that are shown

// Returns the object that a reference ("$ref") within the document names, and the object's name.
export function resolve(document, object) {
    let name = "";
    while (object?.$ref) {
        name = object.$ref.split("/").pop();
        object = object.$ref.slice(2).split("/").reduce((o, key) => o?.[key], document);
    }
    return {object: object || {}, name};
}

function typeOf(schema) {
    const type = Array.isArray(schema.type) ? schema.type.join(" or ") : schema.type;
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.anyOf || schema.oneOf) return type || "one of";
    return type || (schema.properties || schema.allOf ? "object" : "any");
}

const LIMITS = [["minimum", "at least"], ["exclusiveMinimum", "greater than"],
    ["maximum", "at most"], ["exclusiveMaximum", "less than"], ["pattern", "like"],
    ["minLength", "length at least"], ["maxLength", "length at most"], ["format", "format"],
    ["minItems", "items at least"], ["maxItems", "items at most"]];

// Returns a schema's type, limits, choices and default as one line.
export function brief(document, schema) {
    const {object, name} = resolve(document, schema);
    const said = LIMITS.filter(([key]) => object[key] !== undefined)
        .map(([key, text]) => `${text} ${object[key]}`);
    if (object.default !== undefined) said.push(`default ${JSON.stringify(object.default)}`);
    return el("span", {class: "type"}, el("code", {}, typeOf(object)),
        name && el("span", {class: "muted"}, ` ${name}`),
        said.length > 0 && el("span", {class: "muted"}, ` ${said.join(", ")}`),
        object.enum && el("span", {}, ": ", object.enum.map((v, i) =>
            [i > 0 && " · ", el("code", {}, String(v))])));
}

function property(document, [name, schema], required, depth) {
    const {object} = resolve(document, schema);
    return el("li", {}, el("code", {class: "property"}, name),
        required.includes(name) && el("span", {class: "required"}, " required"), " ",
        brief(document, schema), object.description && el("p", {class: "muted"}, prose(object.description)),
        below(document, object, depth));
}

// Renders the members, items or alternatives of a schema, closed at first.
function below(document, schema, depth) {
    const parts = schema.anyOf || schema.oneOf || schema.allOf;
    const inner = schema.properties || parts || (schema.type === "array" && schema.items);
    if (!inner || depth >= DEEP) return null;
    return el("details", {class: "schema"}, el("summary", {}, parts ? `${parts.length} parts`
        : schema.properties ? `${Object.keys(schema.properties).length} members` : "items"),
    content(document, schema, depth + 1));
}

function content(document, schema, depth) {
    const parts = schema.anyOf || schema.oneOf || schema.allOf || [];
    const items = schema.type === "array" && schema.items && [schema.items];
    return el("ul", {class: "schema"},
        Object.entries(schema.properties || {}).map((p) =>
            property(document, p, schema.required || [], depth)),
        [...parts, ...(items || [])].map((part) => {
            const {object} = resolve(document, part);
            return el("li", {}, brief(document, part),
                object.description && el("p", {class: "muted"}, prose(object.description)),
                below(document, object, depth));
        }));
}

// Renders a schema with its members, items or alternatives.
export function schemaTree(document, schema) {
    const {object} = resolve(document, schema);
    return el("div", {}, el("p", {}, brief(document, schema)),
        object.description && el("p", {class: "muted"}, prose(object.description)),
        content(document, object, 0));
}

// Returns the examples of a schema or of a media type's object, or of the object to which it refers.
export function examplesOf(document, media) {
    const {object} = resolve(document, media.schema);
    const own = media.example !== undefined ? [media.example] : [];
    return [...own, ...Object.values(media.examples || {}).map((e) => e.value),
        ...(object.examples || [])];
}
