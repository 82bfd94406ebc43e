// pipeline.js - a pipeline as data: its JSON, its graph, and the checks that need only its names.
// pipelines.js edits it.
//
// A pipeline is {operands: [{name, text}], steps: [{op, as, inputs: {a: "@a"}, parameters}],
// returned: [name], stored: [text]}; a step's input is "@NAME", the name of an earlier step,
// "STEP.OUTPUT", or a matrix as JSON; parameters is the text of a JSON object's members; what is
// stored is "STEP.OUTPUT:NAME", or "NAME" alone for the first output that is answered.

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;

// Of a stored matrix, and of a saved pipeline.
export const STORED_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

function parsed(text, what, faults) {
    try {
        return JSON.parse(text);
    } catch (error) {
        faults.push(`${what}: ${error.message}`);
        return null;
    }
}

// Is an input written out as a matrix, in place of the name of one?
function isMatrix(text) {
    return /^[[{]/.test(text);
}

function parametersOf(step, faults) {
    return step.parameters.trim()
        ? parsed(`{${step.parameters}}`, `The parameters of step ${step.as || step.op}`, faults) || {} : {};
}

function inputsOf(step, faults) {
    return Object.fromEntries(Object.entries(step.inputs).filter(([, v]) => v)
        .map(([name, v]) => [name, isMatrix(v) ? parsed(v, `${name} of step ${step.as}`, faults) : v]));
}

// What PUT /pipelines/{name} takes.
export function descriptionOf(pipeline, faults = []) {
    const body = {steps: pipeline.steps.map((s) => ({op: s.op, ...inputsOf(s, faults),
        ...parametersOf(s, faults), as: s.as}))};
    if (pipeline.returned.length) body.return = pipeline.returned;
    if (pipeline.stored.length) body.store = pipeline.stored;
    return body;
}

// The document that POST /pipelines takes.
export function documentOf(pipeline, faults = []) {
    const body = descriptionOf(pipeline, faults);
    for (const o of pipeline.operands) {
        const value = o.text.trim() ? parsed(o.text, `Operand ${o.name}`, faults) : undefined;
        if (value !== undefined && value !== null) body[o.name] = value;
    }
    return body;
}

// The words of a list, or of one text with commas.
function words(value) {
    return [value ?? []].flat().flatMap((text) => text.split(",")).map((w) => w.trim()).filter(Boolean);
}

function members(values) {
    const text = JSON.stringify(values);
    return text === "{}" ? "" : text.slice(1, -1);
}

function stepOf({op, as, ...rest}, ops) {
    const known = ops.find((o) => o.name === op).inputs.map((i) => i.name);
    const inputs = Object.entries(rest).filter(([name]) => known.includes(name));
    const others = Object.entries(rest).filter(([name]) => !known.includes(name));
    return {op, as, inputs: Object.fromEntries(inputs.map(([name, v]) =>
        [name, typeof v === "string" ? v : JSON.stringify(v)])),
    parameters: members(Object.fromEntries(others))};
}

// The pipeline of a description, whose operands keep the texts that `operands` have for them.
export function pipelineOf(description, operands, ops) {
    const steps = description.steps.map((s) => stepOf(s, ops));
    const named = steps.flatMap((s) => Object.values(s.inputs)).filter((t) => t.startsWith("@"));
    return {steps, returned: words(description.return), stored: words(description.store),
        operands: [...new Set(named)].map((t) => t.slice(1)).map((name) =>
            ({name, text: operands.find((o) => o.name === name)?.text ?? ""}))};
}

function checkReference(text, earlier, where, ops, faults) {
    if (isMatrix(text)) return;
    if (text.startsWith("@")) {
        if (!NAME.test(text.slice(1))) faults.push(`${where}: “${text}” is no name.`);
        return;
    }
    const [name, output] = text.split(".");
    const step = earlier.find((s) => s.as === name);
    if (!step) {
        faults.push(`${where}: there is no earlier step “${name}”. Operands are written @${name}.`);
    } else if (output !== undefined) {
        const known = ops.find((o) => o.name === step.op).outputs.map((o) => o.name);
        if (!known.includes(output)) {
            faults.push(`${where}: ${step.op} has no output “${output}”; it has ${known.join(", ")}.`);
        }
    }
}

function checkStep(step, i, steps, ops, faults) {
    const where = `Step ${i + 1}`;
    const earlier = steps.slice(0, i);
    const op = ops.find((o) => o.name === step.op);
    if (!NAME.test(step.as)) faults.push(`${where} needs a name of letters, digits, _ and -.`);
    if (earlier.some((s) => s.as === step.as)) faults.push(`${where}: the name “${step.as}” is taken.`);
    for (const input of op.inputs) {
        const text = step.inputs[input.name];
        if (text) checkReference(text, earlier, `${where}, ${input.name}`, ops, faults);
        else if (!input.optional) faults.push(`${where}: ${step.op} needs ${input.name}.`);
    }
}

// Returns the faults of a pipeline as sentences. Names of stored matrices are not checked.
export function faultsOf(pipeline, ops) {
    const faults = [];
    if (!pipeline.steps.length) faults.push("A pipeline has at least one step.");
    pipeline.steps.forEach((s, i) => checkStep(s, i, pipeline.steps, ops, faults));
    for (const name of pipeline.returned) {
        checkReference(name, pipeline.steps, "Answered", ops, faults);
    }
    for (const text of pipeline.stored) {
        const [output, name] = text.includes(":") ? text.split(":") : [null, text];
        if (output !== null) checkReference(output, pipeline.steps, "Stored", ops, faults);
        if (!STORED_NAME.test(name)) faults.push(`Stored: “${name}” is no name of a matrix.`);
    }
    const names = pipeline.operands.map((o) => o.name);
    names.forEach((name, i) => {
        if (!NAME.test(name)) faults.push(`“${name}” is no name of an operand.`);
        if (names.indexOf(name) !== i) faults.push(`There are two operands ${name}.`);
    });
    documentOf(pipeline, faults);
    return faults;
}

// Returns the graph of a pipeline for plots/graph.js.
export function graphOf(pipeline) {
    const given = new Set(pipeline.operands.map((o) => `@${o.name}`));
    const used = new Set(pipeline.steps.flatMap((s) => Object.values(s.inputs))
        .filter((t) => t?.startsWith("@")));
    const nodes = [...new Set([...given, ...used])].map((id) => ({id, kind: "operand", label: id,
        note: given.has(id) ? "" : "stored"}));
    const edges = [];
    for (const s of pipeline.steps) {
        nodes.push({id: s.as, kind: "step", label: s.op, note: s.as});
        for (const [input, text] of Object.entries(s.inputs)) {
            if (!text || isMatrix(text)) continue;
            const [source, output] = text.startsWith("@") ? [text] : text.split(".");
            edges.push({from: source, to: s.as, label: output ? `${input} ← ${output}` : input});
        }
    }
    for (const name of pipeline.returned) {
        nodes.push({id: `answer ${name}`, kind: "answer", label: name, note: ""});
        edges.push({from: name.split(".")[0], to: `answer ${name}`, label: ""});
    }
    for (const text of pipeline.stored.filter((t) => t.includes(":"))) {
        const [output, name] = text.split(":");
        nodes.push({id: `stored ${name}`, kind: "answer", label: name, note: "stored"});
        edges.push({from: output.split(".")[0], to: `stored ${name}`,
            label: output.split(".")[1] || ""});
    }
    return {nodes, edges};
}

// The example: a pipeline that computes A B, factors it, and solves a system with the factors.
export const EXAMPLE = {
    operands: [{name: "a", text: "{\"generate\": \"spd\", \"shape\": [64, 64], \"seed\": 1}"},
        {name: "b", text: "{\"generate\": \"spd\", \"shape\": [64, 64], \"seed\": 2}"},
        {name: "y", text: "{\"generate\": \"ones\", \"shape\": [64]}"}],
    steps: [{op: "matmul", as: "c", inputs: {a: "@a", b: "@b"}, parameters: ""},
        {op: "lu", as: "f", inputs: {a: "c"}, parameters: ""},
        {op: "solve", as: "x", inputs: {factors: "f", b: "@y"}, parameters: ""}],
    returned: ["x", "f.pivots"],
    stored: [],
};
