// pipelines.js - an editor of pipelines: several operations that the service runs as one job.

import {Problem, sheet} from "../base/api.js";
import {el, explanation, field, option, replace} from "../base/dom.js";
import {loading, problemBox} from "../base/notice.js";
import {codeBlock, save} from "../base/save.js";
import {graph} from "../plots/graph.js";
import {descriptionOf, documentOf, EXAMPLE, faultsOf, graphOf, pipelineOf} from "./pipeline.js";
import {runJob} from "./running.js";
import {savedPipelines} from "./saved.js";

const REFERENCES = "pipeline-references";

function removeButton(label, remove) {
    return el("button", {type: "button", class: "quiet", "aria-label": label, onclick: remove}, "Remove");
}

// Makes a text field whose text is object[key].
function bound(object, key, label, changed, properties) {
    const input = el("input", {value: object[key] ?? "", spellcheck: "false", ...properties,
        oninput: () => {
            object[key] = input.value.trim();
            changed();
        }});
    return field(label, input);
}

class Editor {
    constructor(pipeline, ops, changed) {
        this.pipeline = pipeline;
        this.ops = ops;
        this.changed = changed;
        this.list = el("datalist", {id: REFERENCES});
        this.element = el("div");
        this.draw();
    }

    draw() {
        replace(this.element, this.list, el("h2", {}, "Operands"),
            this.pipeline.operands.map((o, i) => this.operand(o, i)),
            el("button", {type: "button", onclick: () => this.add("operands",
                {name: "", text: "{\"generate\": \"random\", \"shape\": [64, 64]}"})}, "Add an operand"),
            el("h2", {}, "Steps"), el("ol", {class: "steps"},
                this.pipeline.steps.map((s, i) => el("li", {}, this.step(s, i)))),
            el("button", {type: "button", onclick: () => this.add("steps",
                {op: this.ops[0].name, as: "", inputs: {}, parameters: ""})}, "Add a step"),
            el("h2", {}, "Answer"), el("div", {class: "grid"}, this.names("returned",
                "Results that are answered", "Names of steps, or a step's output as f.pivots. With "
                + "none, the service answers the last step."), this.names("stored",
                "Results that are stored", "As x:NAME or f.pivots:NAME. Stored matrices of these "
                + "names are then operands, @NAME.")));
        this.tell();
    }

    load(pipeline) {
        Object.assign(this.pipeline, pipeline);
        this.draw();
    }

    add(list, item) {
        this.pipeline[list].push(item);
        this.draw();
    }

    remove(list, i) {
        this.pipeline[list].splice(i, 1);
        this.draw();
    }

    operand(o, i) {
        return el("div", {class: "row card"},
            bound(o, "name", "Name", () => this.tell()),
            el("div", {class: "grow"}, bound(o, "text", "JSON", () => this.tell(),
                {placeholder: "the stored matrix of that name"})),
            removeButton(`Remove operand ${o.name}`, () => this.remove("operands", i)));
    }

    step(s, i) {
        const op = this.ops.find((o) => o.name === s.op);
        const select = el("select", {onchange: () => {
            s.op = select.value;
            s.inputs = {};
            this.draw();
        }}, this.ops.map((o) => option(o.name)));
        select.value = s.op;
        return el("fieldset", {class: "card step"}, el("legend", {}, `Step ${i + 1}`),
            el("div", {class: "row"}, field("Operation", select),
                bound(s, "as", "Called", () => this.tell()),
                op.inputs.map((input) => bound(s.inputs, input.name,
                    input.optional ? `${input.name} (optional)` : input.name, () => this.tell(),
                    {list: REFERENCES}))),
            el("div", {class: "row"}, el("div", {class: "grow"},
                bound(s, "parameters", "Parameters, as JSON members", () => this.tell(),
                    {placeholder: op.parameters[0] ? `"${op.parameters[0].name}": …` : "none"})),
            removeButton(`Remove step ${i + 1}`, () => this.remove("steps", i))));
    }

    // A field for the list of words this.pipeline[key].
    names(key, label, help) {
        const input = el("input", {value: this.pipeline[key].join(", "), spellcheck: "false",
            oninput: () => {
                this.pipeline[key] = input.value.split(/[\s,]+/).filter(Boolean);
                this.tell();
            }});
        return field(label, input, help);
    }

    tell() {
        const names = [...this.pipeline.operands.map((o) => `@${o.name}`),
            ...this.pipeline.steps.map((s) => s.as),
            ...this.pipeline.steps.flatMap((s) => this.ops.find((o) => o.name === s.op).outputs
                .map((o) => `${s.as}.${o.name}`))];
        replace(this.list, names.map((n) => option(n)));
        this.changed(this.pipeline);
    }
}

// Sends a document with the operands that are written out, and shows the result in `place`.
async function run(path, document, operands, place, signal) {
    const drawn = operands.filter((o) => o.text.trim())
        .map((o) => ({name: o.name, value: {json: o.text}}));
    try {
        await runJob([path, {method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify(document)}], drawn, place, signal);
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        const missing = [404, 405].includes(problem.document.status);
        replace(place, missing && el("p", {class: "empty"}, "This service has no pipelines: it answers "
            + `${problem.document.status} to POST /pipelines.`), problemBox(problem));
    }
}

export async function showPipelines(main, rest, query, signal) {
    main.append(loading("the operations"));
    const {ops} = await sheet("/ops");
    const drawn = el("div", {class: "scroll", tabindex: "0", role: "region",
        "aria-label": "Graph of the pipeline"});
    const faults = el("ul", {class: "faults", role: "status", "aria-label": "What is wrong"});
    const code = el("div");
    const result = el("div", {class: "result"});
    const pipeline = structuredClone(EXAMPLE);
    const button = el("button", {type: "button", class: "primary",
        onclick: () => run("/pipelines", documentOf(pipeline), pipeline.operands, result, signal)}, "Run");
    const saved = savedPipelines({
        description: () => descriptionOf(pipeline),
        load: (description) => editor.load(pipelineOf(description, pipeline.operands, ops)),
        run(name, names) {
            const operands = pipeline.operands.filter((o) => names.includes(o.name));
            const values = documentOf({...pipeline, operands});
            return run(`/pipelines/${name}`, Object.fromEntries(names.filter((n) => n in values)
                .map((n) => [n, values[n]])), operands, result, signal);
        },
    }, signal);
    const editor = new Editor(pipeline, ops, (now) => {
        const wrong = faultsOf(now, ops);
        const {nodes, edges} = graphOf(now);
        const json = JSON.stringify(documentOf(now), null, 2);
        replace(faults, wrong.map((w) => el("li", {}, w)));
        button.disabled = wrong.length > 0;
        saved.allow(wrong.length === 0);
        replace(drawn, nodes.length > 0 && graph(nodes, edges));
        replace(code, codeBlock("JSON of the pipeline", json), el("button", {type: "button",
            onclick: () => save("pipeline.json", json, "application/json")}, "Save pipeline.json"));
    });
    replace(main, explanation("Several operations as one job: what one step computes stays on the "
        + "device for the next. @a is an operand, c the first output of the step called c, f.pivots "
        + "one of its other outputs."),
    el("section", {}, drawn, faults), editor.element,
    el("div", {class: "actions"}, button), result, saved.element,
    el("section", {}, el("h2", {}, "As JSON"), code));
}
