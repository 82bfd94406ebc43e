// request.js - makes the request of a form, and the curl command and the Python program that send the
// same request.
//
// A form is {op, operands: [{name, value}], parameters: [{name, json}], whole}. value is that of
// operand.js, json the JSON text of a parameter, and whole an .npz file with all operands, or null.

import {sheet} from "../base/api.js";
import {token} from "../base/token.js";
import {resolve} from "./docs_schema.js";

const LONG = 1500;               // most characters of a body that is shown inside a command

async function schemaOf(name) {
    const document = await sheet("/openapi.json").catch(() => null);
    return [document?.components.schemas[`${name}_request`] || {}, document];
}

// Returns the first example of an operation's request in the OpenAPI document, or {}.
export async function exampleOf(name) {
    return (await schemaOf(name))[0].examples?.[0] || {};
}

// Returns the members of an operation's request in the OpenAPI document whose names are not in known,
// in the form of GET /ops's parameters.
export async function othersOf(name, known) {
    const [schema, document] = await schemaOf(name);
    return Object.entries(schema.properties || {}).filter(([member]) => !known.includes(member))
        .map(([member, described]) => {
            const {object} = resolve(document, described);
            return {name: member, type: object.type, choices: object.enum, default: object.default,
                min: object.minimum, max: object.maximum,
                help: described.description || object.description || ""};
        });
}

function plain(json) {
    return json.startsWith("\"") ? JSON.parse(json) : json;
}

function given(form) {
    return form.operands.filter((o) => o.value);
}

function hasFiles(form) {
    return given(form).some((o) => o.value.file);
}

// Returns the body of a request whose operands are all JSON. It is composed as text, so that integers
// beyond 2^53 keep their digits.
export function jsonBody(form) {
    const members = [...given(form).map((o) => [o.name, o.value.json]),
        ...form.parameters.map((p) => [p.name, p.json])];
    return `{${members.map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(", ")}}`;
}

function queryOf(form) {
    const query = new URLSearchParams(form.parameters.map((p) => [p.name, plain(p.json)])).toString();
    return query ? `?${query}` : "";
}

function formBody(form) {
    const body = new FormData();
    for (const o of given(form)) body.append(o.name, o.value.file || o.value.json);
    for (const p of form.parameters) body.append(p.name, plain(p.json));
    return body;
}

// Returns the arguments of fetch() for a form: [path, options].
export function requestOf(form) {
    const path = `/${form.op}`;
    if (form.whole) {
        return [path + queryOf(form), {method: "POST", body: form.whole,
            headers: {"Content-Type": "application/x-npz"}}];
    }
    if (hasFiles(form)) return [path, {method: "POST", body: formBody(form), headers: {}}];
    return [path, {method: "POST", body: jsonBody(form),
        headers: {"Content-Type": "application/json"}}];
}

function quote(text) {
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function parts(form) {
    return [...given(form).map((o) => [o.name, o.value.file ? `@${o.value.file.name}` : o.value.json]),
        ...form.parameters.map((p) => [p.name, plain(p.json)])];
}

export function curlOf(form) {
    const address = `${location.origin}/${form.op}`;
    const lines = ["curl"];
    if (token()) lines.push("-H \"Authorization: Bearer $TOKEN\"");
    if (form.whole) {
        lines.push("-H 'Content-Type: application/x-npz'",
            `--data-binary @${quote(form.whole.name)}`, quote(address + queryOf(form)));
    } else if (hasFiles(form)) {
        lines.push(...parts(form).map(([name, value]) => `-F ${quote(`${name}=${value}`)}`), address);
    } else {
        const body = jsonBody(form);
        lines.push(body.length > LONG ? "--json @request.json" : `--json ${quote(body)}`, address);
    }
    return lines.join(" \\\n  ");
}

// Replaces true, false and null, outside of strings, by Python's words.
function pythonOf(json) {
    const words = {true: "True", false: "False", null: "None"};
    return json.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (w) => words[w] || w);
}

function pythonArguments(form) {
    if (form.whole) {
        return [`data=open(${JSON.stringify(form.whole.name)}, "rb")`,
            "headers={\"Content-Type\": \"application/x-npz\"}"];
    }
    if (!hasFiles(form)) {
        const body = jsonBody(form);
        return [body.length > LONG ? "json=json.load(open(\"request.json\"))" : `json=${pythonOf(body)}`];
    }
    const files = given(form).filter((o) => o.value.file)
        .map((o) => `"${o.name}": open(${JSON.stringify(o.value.file.name)}, "rb")`);
    const data = parts({...form, operands: given(form).filter((o) => !o.value.file)})
        .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
    return [`files={${files.join(", ")}}`, data.length ? `data={${data.join(", ")}}` : ""];
}

export function pythonProgram(form) {
    const address = `${location.origin}/${form.op}${form.whole ? queryOf(form) : ""}`;
    let args = pythonArguments(form).filter(Boolean);
    const imports = args.some((a) => a.includes("json.load")) ? "import json\n" : "";
    const secret = token() ? "import os\n" : "";
    if (token()) {
        const header = "\"Authorization\": \"Bearer \" + os.environ[\"TOKEN\"]";
        args = form.whole ? [args[0], args[1].replace("{", `{${header}, `)]
            : [...args, `headers={${header}}`];
    }
    return `${imports}${secret}import requests\n\nanswer = requests.post(\n    "${address}",\n    `
        + `${args.join(",\n    ")},\n)\nanswer.raise_for_status()\nprint(answer.json()["result"])\n`;
}

// Returns the body if it is too long to be shown in the commands, which then name a file request.json.
export function longBody(form) {
    if (form.whole || hasFiles(form)) return null;
    const body = jsonBody(form);
    return body.length > LONG ? body : null;
}
