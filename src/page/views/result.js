// result.js - shows a finished job's result: numbers, its matrices (matrices.js), the quality, the times,
// and the files of the result.

import {elementText, matrixMarket} from "../base/array.js";
import {el, facts, field, option, replace} from "../base/dom.js";
import {loading, problemBox} from "../base/notice.js";
import {save} from "../base/save.js";
import {bytes, milliseconds, shape as shapeText} from "../base/text.js";
import {downloads, timingSection} from "./job.js";
import {fetchOutputs, matricesSection, MOST_BYTES} from "./matrices.js";
import {qualityFacts} from "./quality.js";

function scalars(outputs) {
    const single = [...outputs].filter(([, {array}]) => array.shape.length === 0);
    return single.length > 0 && facts(single.map(([name, {array}]) => [el("code", {}, name),
        el("b", {class: "value"}, elementText(array, 0, 10))]));
}

function fileOf(name, output, kind) {
    if (kind === "npy") return save(`${name}.npy`, output.file, "application/x-npy");
    return save(`${name}.mtx`, matrixMarket(output.array), "application/x-matrix-market");
}

function files(id, outputs, trouble) {
    const names = outputs ? [...outputs.keys()].filter((n) => outputs.get(n).array.shape.length) : [];
    const select = el("select", {}, names.map((n) => option(n)));
    const one = names.length > 0 && el("div", {class: "row end"}, field("Output", select),
        ["npy", "mtx"].map((kind) => el("button", {type: "button",
            onclick: () => fileOf(select.value, outputs.get(select.value), kind)}, `.${kind}`)));
    return el("section", {}, el("h2", {}, "Download"), one, el("h3", {}, "As the service answers it"),
        downloads(id, (p) => replace(trouble, problemBox(p))), trouble);
}

// The outputs that the service keeps as stored matrices.
function storedList(stored) {
    return stored && el("p", {}, "Stored: ", Object.entries(stored).map(([output, m], i) =>
        [i > 0 && "; ", el("code", {}, output), " as ", el("b", {}, m.name),
            ` (${shapeText(m.shape)}, ${m.dtype})`]), ".");
}

// Fills `place` with everything about a successful job and its operands (those of a form).
export async function showResult(place, job, operands, signal) {
    replace(place, loading("the result"));
    const outputs = await fetchOutputs(job.id, signal);
    const matrices = matricesSection(outputs, operands, "The operands came in one file.", signal);
    replace(place,
        el("section", {}, el("h2", {}, "Result"), outputs ? scalars(outputs)
            : el("p", {}, `The result is larger than ${bytes(MOST_BYTES)}. Download it instead.`),
        storedList(job.stored), job.quality && qualityFacts(job.quality),
        el("p", {class: "muted"}, "Computed in ", el("b", {}, milliseconds(job.timing?.compute_ms)),
            ` on ${job.device?.name}.`)),
        matrices.element, timingSection(job.timing), files(job.id, outputs, el("div")),
        el("p", {}, el("a", {href: `#/jobs/${job.id}`}, "The job with its timeline")));
    await matrices.drawn;
}
