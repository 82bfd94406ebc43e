// saved.js - the pipelines that the service keeps under a name: saves, lists, loads, runs and deletes
// them.

import {get, send} from "../base/api.js";
import {el, field, renew, replace, table} from "../base/dom.js";
import {announce, empty, problemBox} from "../base/notice.js";
import {STORED_NAME} from "./pipeline.js";

const COLUMNS = [["Name"], ["Steps", "number"], ["Operands"], [""]];

function put(name, description) {
    return send(`/pipelines/${name}`, {method: "PUT", headers: {"Content-Type": "application/json"},
        body: JSON.stringify(description)});
}

// The editor has description(), load(description), and run(name, operands). Returns the part of the
// page, and allow(whether what is edited can be saved).
export function savedPipelines(editor, signal) {
    const trouble = el("div");
    const list = el("div");
    const undo = el("p", {class: "status-line", role: "status"});
    const input = el("input", {spellcheck: "false", maxlength: "128", autocomplete: "off"});
    const button = el("button", {disabled: true}, "Save");
    let names = [];
    let allowed = false;

    const tell = () => {
        button.textContent = names.includes(input.value.trim()) ? "Replace" : "Save";
        button.disabled = !allowed || !STORED_NAME.test(input.value.trim());
    };
    // Does what a button says; what goes wrong is shown.
    const attempt = async (action) => {
        try {
            replace(trouble);
            await action();
        } catch (problem) {
            if (signal.aborted) return;
            replace(trouble, problemBox(problem));
        }
    };
    const save = async (name, description) => {
        await put(name, description);
        replace(undo);
        await show();
        announce(`Pipeline ${name} is saved`);
    };
    const load = async (name) => {
        editor.load(await get(`/pipelines/${name}`, signal));
        input.value = name;
        tell();
        announce(`Pipeline ${name} is in the editor`);
    };
    const remove = async (name) => {
        const description = await get(`/pipelines/${name}`, signal);
        await send(`/pipelines/${name}`, {method: "DELETE"});
        await show();
        const again = el("button", {type: "button", class: "quiet",
            onclick: () => attempt(() => save(name, description))}, "Undo");
        replace(undo, `Pipeline ${name} is deleted.`, again);
        again.focus();
    };
    const row = (p) => {
        const act = (label, action) => el("button", {type: "button", class: "quiet",
            "aria-label": `${label} ${p.name}`, onclick: () => attempt(action)}, label);
        return [el("code", {}, p.name), String(p.steps),
            p.operands.length ? p.operands.join(", ") : "none",
            el("div", {class: "actions compact"}, act("Load", () => load(p.name)),
                act("Run", () => editor.run(p.name, p.operands)),
                act("Delete", () => remove(p.name)))];
    };
    const show = async () => {
        const {pipelines} = await get("/pipelines", signal);
        names = pipelines.map((p) => p.name);
        renew(list, pipelines.length ? table("Saved pipelines", COLUMNS, pipelines.map(row), "stacked")
            : empty("No pipeline is saved", "A saved one runs with other operands: ",
                el("code", {}, "POST /pipelines/NAME")));
        tell();
    };
    input.addEventListener("input", tell);
    attempt(show);
    return {
        element: el("section", {}, el("h2", {}, "Saved pipelines"),
            el("form", {class: "row end", onsubmit: (event) => {
                event.preventDefault();
                attempt(() => save(input.value.trim(), editor.description()));
            }}, field("Save the steps as", input), button), trouble, undo, list),
        allow(whether) {
            allowed = whether;
            tell();
        },
    };
}
