// run.js - the view that runs an operation: a form made of GET /ops, the equivalent commands, the
// progress of the job, and the result.

import {Problem, sheet} from "../base/api.js";
import {el, explanation, field, option, replace, segments} from "../base/dom.js";
import {loading, problemBox, unknownOperation} from "../base/notice.js";
import {runs} from "../base/runs.js";
import {codeBlock, save} from "../base/save.js";
import {manual} from "./manual.js";
import {operandField} from "./operand.js";
import {COMMON_NAMES, commonFields, parameterField} from "./parameters.js";
import {curlOf, exampleOf, longBody, othersOf, pythonProgram, requestOf} from "./request.js";
import {runJob} from "./running.js";
import {variantField} from "./variant.js";

function wholeField() {
    const file = el("input", {type: "file", accept: ".npz"});
    return {file, element: el("details", {class: "help"},
        el("summary", {}, "All operands from one .npz"),
        field("Archive", file, "As by np.savez(file, a=…, b=…). It takes the place of the operands "
            + "below."))};
}

class Form {
    constructor(op, sheets, example, others, chosen) {
        this.op = op;
        this.whole = wholeField();
        this.operands = op.inputs.map((input) => operandField(input, sheets.generators,
            example[input.name]));
        this.own = op.parameters.map((p) => parameterField(p, example[p.name]));
        this.variant = variantField(op, sheets.kernels, chosen);
        this.common = [...commonFields(op, sheets.devices), ...others.map((p) => parameterField(p))];
    }

    element() {
        return el("div", {},
            el("h2", {}, "Operands"), this.op.inputs.length > 1 && this.whole.element,
            el("div", {class: "operands"}, this.operands.map((o) => o.element)),
            this.own.length > 0 && [el("h2", {}, "Parameters"),
                el("div", {class: "grid"}, this.own.map((p) => p.element))],
            el("h2", {}, "How it is computed"), this.variant.element,
            el("div", {class: "grid"}, this.common.slice(0, 2).map((p) => p.element)),
            el("details", {}, el("summary", {}, "Outputs, quality, timing, priority"),
                el("div", {class: "grid"}, this.common.slice(2).map((p) => p.element))));
    }

    // Returns the form as request.js describes it. Throws an Error for a field without a valid value;
    // if tell is set, the field shows the reason.
    read(tell) {
        const whole = this.op.inputs.length > 1 ? this.whole.file.files[0] : undefined;
        const operands = whole ? [] : this.operands.map((o) => ({name: o.name, value: readOne(o, tell)}));
        const parameters = [this.variant, ...this.own, ...this.common]
            .map((p) => ({name: p.name, json: p.value()})).filter((p) => p.json !== null);
        return {op: this.op.name, operands, parameters, whole: whole || null};
    }
}

function readOne(operand, tell) {
    operand.fault.textContent = "";
    try {
        return operand.value();
    } catch (error) {
        if (tell) operand.fault.textContent = error.message;
        throw new Error(`${operand.name}: ${error.message}`);
    }
}

// Makes the part with the commands, which follow the form's values.
function commandBox(form) {
    let how = "curl";
    const place = el("div");
    const show = () => {
        try {
            const said = form.read(false);
            const body = longBody(said);
            replace(place, how === "curl" ? codeBlock("curl command", curlOf(said))
                : codeBlock("Python program", pythonProgram(said)),
            body && el("button", {type: "button", onclick: () =>
                save("request.json", body, "application/json")}, "Save request.json"));
        } catch (error) {
            replace(place, el("p", {class: "muted"}, error.message));
        }
    };
    show();
    return {show, element: el("section", {class: "command"}, el("div", {class: "heading"},
        el("h2", {}, "The same elsewhere"),
        segments("Language", [["curl", "curl"], ["python", "Python"]], how, (chosen) => {
            how = chosen;
            show();
        })), place)};
}

// Makes a form element that runs the form's request when it is submitted. A new run ends the previous
// one.
function runner(form, result, signal) {
    const button = el("button", {class: "primary", type: "submit"}, "Run");
    const fault = el("p", {class: "fault", role: "alert"});
    const run = runs(signal);
    const submit = async (event) => {
        event.preventDefault();
        fault.textContent = "";
        const mine = run.begin();
        try {
            const said = form.read(true);
            await runJob(requestOf(said), said.operands, result, mine);
        } catch (error) {
            if (mine.aborted) return;
            if (error instanceof Problem) replace(result, problemBox(error));
            else fault.textContent = error.message;
        }
    };
    return el("form", {class: "run", onsubmit: submit, novalidate: true}, form.element(),
        el("div", {class: "actions"}, button), fault);
}

async function sheets() {
    const [{ops, generators}, {kernels}, {devices}] = await Promise.all([sheet("/ops"),
        sheet("/kernels"), sheet("/devices")]);
    return {ops, generators, kernels, devices};
}

export async function showRun(main, [name], query, signal) {
    main.append(loading("the operations"));
    const all = await sheets();
    const op = all.ops.find((o) => o.name === (name ?? all.ops[0].name));
    if (!op) return replace(main, unknownOperation(name, "run"));
    const select = el("select", {onchange: () => (location.hash = `#/run/${select.value}`)},
        all.ops.map((o) => option(o.name)));
    select.value = op.name;
    const known = [...op.inputs, ...op.parameters].map((p) => p.name).concat(COMMON_NAMES);
    const form = new Form(op, all, await exampleOf(op.name), await othersOf(op.name, known),
        query.get("variant"));
    const command = commandBox(form);
    const result = el("div", {class: "result"});
    const filled = runner(form, result, signal);
    filled.addEventListener("input", command.show);
    filled.addEventListener("change", command.show);
    return replace(main, el("div", {class: "toolbar"}, field("Operation", select),
        explanation(op.summary)), manual(op), filled, result, command.element);
}
