// dom.js - makes elements. Data becomes text nodes and attribute values, never markup.

const SVG = "http://www.w3.org/2000/svg";

function give(node, name, value) {
    if (value === undefined || value === null || value === false) return;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
}

function fill(node, properties, children) {
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined
        && child !== false));
    for (const [name, value] of Object.entries(properties || {})) give(node, name, value);
    return node;
}

// Makes an element: el("p", {class: "note", onclick: f}, "text", otherElement). Properties whose names
// begin with "on" are listeners. The value true makes an empty attribute; false, null and undefined
// make none. Children may be nested lists.
export function el(name, properties, ...children) {
    return fill(document.createElement(name), properties, children);
}

// Makes an SVG element, as el() makes one of HTML.
export function svg(name, properties, ...children) {
    return fill(document.createElementNS(SVG, name), properties, children);
}

export function replace(node, ...children) {
    node.replaceChildren(...children.flat(Infinity).filter((child) => child));
    return node;
}

// Returns a string that identifies a control among its neighbours, and that a new control in its place
// has, too.
function keyOf(control) {
    return control.dataset?.key || control.getAttribute("href") || control.getAttribute("aria-label");
}

// Replaces the children as replace() does. If a control that had the focus is made anew, the new one
// gets the focus.
export function renew(node, ...children) {
    const key = node.contains(document.activeElement) && keyOf(document.activeElement);
    replace(node, ...children);
    if (key) [...node.querySelectorAll("*")].find((x) => keyOf(x) === key)?.focus();
    return node;
}

let labels = 0;

// Makes a control with its label above it, and with a help text below it that screen readers read
// together with the control.
export function field(label, control, help) {
    control.id ||= `field-${++labels}`;
    const note = help ? explanation(help) : null;
    if (note) {
        note.id = `${control.id}-help`;
        control.setAttribute("aria-describedby", note.id);
    }
    return el("div", {class: "field"}, el("label", {for: control.id}, label), control, note);
}

const SHORT = 110;               // characters of a help text that are shown at first

// Makes a help text. The end of a long text is hidden until the reader opens it.
export function explanation(text) {
    if (text.length <= SHORT) return el("p", {class: "help"}, prose(capital(text)));
    const cut = text.slice(0, text.lastIndexOf(" ", SHORT - 20));
    return el("details", {class: "help"},
        el("summary", {}, el("span", {class: "when-closed"}, `${capital(cut)} …`),
            el("span", {class: "when-open"}, "Less")), el("p", {}, prose(capital(text))));
}

// Begins a sentence with a capital letter, unless it begins with a formula.
function capital(text) {
    return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

// Makes nodes of a text, in which parts between backticks become code.
export function prose(text) {
    return (text || "").split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

// Text whose paragraphs are separated by empty lines.
export function paragraphs(text, attributes = {}) {
    return (text || "").split(/\n\s*\n/).filter(Boolean).map((p) => el("p", attributes, prose(p)));
}

// A group of radio buttons that looks like one control; choose(value) is called on every change.
export function segments(legend, options, chosen, choose) {
    const name = `segments-${++labels}`;
    return el("fieldset", {class: "segments"}, el("legend", {class: "visually-hidden"}, legend),
        options.map(([value, text]) => el("label", {},
            el("input", {type: "radio", name, value, checked: value === chosen,
                onchange: () => choose(value)}),
            el("span", {}, text))));
}

// Makes a table whose caption only screen readers read. columns: [[title, class]]; a cell is text or an
// element. In narrow windows, each cell of a "stacked" table is a line of its own.
export function table(caption, columns, rows, kind) {
    return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
        el("table", {class: kind}, el("caption", {class: "visually-hidden"}, caption),
            el("thead", {}, el("tr", {}, columns.map(([title, kind]) =>
                el("th", {scope: "col", class: kind}, title)))),
            el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) =>
                el("td", {class: columns[i][1], "data-label": columns[i][0]}, cell)))))));
}

export function option(value, text, properties) {
    return el("option", {value, ...properties}, text ?? value);
}

// Makes a list of facts, [[name, value], ...], without those that have no value.
export function facts(pairs, kind = "") {
    return el("dl", {class: `facts ${kind}`}, pairs
        .filter(([, value]) => value !== undefined && value !== null && value !== "")
        .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}
