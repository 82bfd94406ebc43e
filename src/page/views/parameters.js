// parameters.js - the fields of an operation's own parameters, and of those that all operations have.
// A parameter's value is its JSON text, or null for the service's default.

import {el, field, option} from "../base/dom.js";

function limits(p) {
    const said = [];
    if (p.min !== undefined) said.push(`at least ${p.min}`);
    if (p.above !== undefined) said.push(`greater than ${p.above}`);
    if (p.max !== undefined && p.max < 1e9) said.push(`at most ${p.max}`);
    if (p.below !== undefined) said.push(`less than ${p.below}`);
    return said.join(", ");
}

function choice(p) {
    const select = el("select", {}, p.default === undefined && option("", "not given"),
        p.choices.map((c) => option(c, c === p.default ? `${c} (default)` : c)));
    select.value = p.default ?? "";
    return {control: select, value: () => (select.value === (p.default ?? "") ? null
        : JSON.stringify(select.value)), set: (v) => (select.value = v)};
}

function flag(p) {
    const select = el("select", {}, [true, false].map((v) => option(String(v),
        `${v ? "yes" : "no"}${v === p.default ? " (default)" : ""}`)));
    select.value = String(p.default);
    return {control: select, value: () => (select.value === String(p.default) ? null : select.value),
        set: (v) => (select.value = String(v))};
}

function number(p) {
    const input = el("input", {type: "number", step: p.type === "integer" ? "1" : "any",
        min: p.min ?? p.above, max: p.max ?? p.below, placeholder: p.default ?? ""});
    return {control: input, value() {
        if (input.validity.badInput) throw new Error(`${p.name} is a number.`);
        return input.value === "" ? null : input.value.replace(/^\+/, "");
    }, set: (v) => (input.value = v)};
}

function text(p) {
    const input = el("input", {placeholder: p.default ?? "", spellcheck: "false"});
    return {control: input, value: () => (input.value ? JSON.stringify(input.value) : null),
        set: (v) => (input.value = v)};
}

// Makes the field of a parameter of GET /ops.
export function parameterField(p, example) {
    const make = p.choices ? choice : {boolean: flag, integer: number, number}[p.type] || text;
    const {control, value, set} = make(p);
    const range = limits(p);
    if (example !== undefined) set(example);
    const label = [el("code", {}, p.name), range && el("span", {class: "muted"}, ` ${range}`)];
    return {name: p.name, element: field(label.filter(Boolean), control, p.help), value};
}

const COMMON = [
    {name: "quality", type: "string", choices: ["none", "estimate", "full"], default: "estimate",
        help: "how thoroughly the answer is judged: estimate costs little, full is exact"},
    {name: "timing", type: "string", choices: ["none", "summary", "full", "trace"], default: "full",
        chosen: "trace", help: "trace keeps every launch of a kernel for the job's timeline"},
    {name: "priority", type: "integer", default: 5, min: 0, max: 9, help: "0 goes first"},
    {name: "timeout_ms", type: "integer", min: 0, help: "after so many milliseconds the job is ended"},
];

// The names of the parameters that commonFields() makes, and `variant`.
export const COMMON_NAMES = ["variant", "device", "dtype", "return", ...COMMON.map((p) => p.name)];

function dtypeField(op) {
    return parameterField({name: "dtype", type: "string", choices: op.dtypes,
        help: "the elements' type; by default that of the operands"});
}

function deviceField(devices) {
    const select = el("select", {}, option("", "auto (default)"), option("cpu", "any CPU"),
        option("gpu", "any GPU"), devices.map((d) => option(String(d.index), `${d.index}: ${d.name}`)));
    return {name: "device", element: field(el("code", {}, "device"), select),
        value: () => (select.value ? JSON.stringify(select.value) : null)};
}

// Makes the field of `return`: a box for each output. Its value is null if the ticked outputs are those
// that the service returns by default.
function returnField(op) {
    const boxes = op.outputs.map((o) => el("input", {type: "checkbox", value: o.name,
        checked: !o.on_request}));
    const usual = boxes.map((b) => b.checked).join();
    return {
        name: "return",
        element: el("fieldset", {class: "field ticks"}, el("legend", {}, el("code", {}, "return")),
            op.outputs.map((o, i) => el("label", {title: o.help}, boxes[i], el("code", {}, o.name)))),
        value() {
            const chosen = boxes.filter((b) => b.checked).map((b) => b.value);
            if (!chosen.length) throw new Error("Choose at least one output.");
            return boxes.map((b) => b.checked).join() === usual ? null
                : JSON.stringify(chosen.join(","));
        },
    };
}

// Makes the fields of every operation's parameters except `variant`. The first two are those that
// readers change most often.
export function commonFields(op, devices) {
    return [deviceField(devices), dtypeField(op), returnField(op),
        ...COMMON.map((p) => parameterField(p, p.chosen))];
}
