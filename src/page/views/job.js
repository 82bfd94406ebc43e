// job.js - the view of one job: progress, quality, matrices, stages, kernels, timeline, files of the result,
// and the problem if it failed.

import {dismiss, ENDED, follow, get, Problem, send} from "../base/api.js";
import {el, facts, replace, table} from "../base/dom.js";
import {announce, badge, empty, loading, problemBox, progressBar} from "../base/notice.js";
import {save} from "../base/save.js";
import {operandsOf} from "../base/started.js";
import {clock, milliseconds, rate} from "../base/text.js";
import {kernelBars, stageBars, stepBars} from "../plots/bars.js";
import {timeline} from "../plots/timeline.js";
import {fetchOutputs, matricesSection} from "./matrices.js";
import {qualityFacts} from "./quality.js";

const KERNELS = [["Kernel"], ["Variant"], ["Calls", "number"], ["Total", "number"],
    ["Shortest", "number"], ["Longest", "number"], ["Rate", "number"]];
const FORMATS = [["npz", "application/x-npz", "all outputs, .npz"],
    ["npy", "application/x-npy", "first output, .npy"],
    ["mtx", "application/x-matrix-market", "first output, .mtx"],
    ["json", "application/json", "JSON"]];

export function kernelTable(kernels) {
    return table("Times of the kernels", KERNELS, kernels.map((k) => [el("code", {}, k.name),
        k.variant, String(k.calls), milliseconds(k.total_ms), milliseconds(k.min_ms),
        milliseconds(k.max_ms), rate(k.gflops, k.gbytes_per_s) || "–"]));
}

export function timingSection(timing) {
    if (!timing || timing.total_ms === undefined) return null;
    const kernels = timing.kernels || [];
    return el("section", {}, el("h2", {}, "Time"),
        el("p", {}, "In all ", el("b", {}, milliseconds(timing.total_ms)),
            ", from the first byte of the request to the answer."),
        el("div", {class: "columns"}, el("div", {}, el("h3", {}, "Stages"), stageBars(timing),
            timing.steps && [el("h3", {}, "Steps"), stepBars(timing.steps)]),
            kernels.length > 0 && el("div", {}, el("h3", {}, "Kernels"), kernelBars(kernels))),
        kernels.length > 0 && el("details", {}, el("summary", {}, "Table of the kernels"),
            kernelTable(kernels)));
}

// Makes buttons that save a job's result, one for each format.
export function downloads(id, failed) {
    return el("div", {class: "actions"}, FORMATS.map(([suffix, type, text]) => el("button", {
        type: "button", onclick: async () => {
            try {
                const answer = await send(`/jobs/${id}/result`, {headers: {Accept: type}});
                save(`${id.slice(0, 8)}.${suffix}`, await answer.arrayBuffer(), type);
            } catch (problem) {
                failed(problem);
            }
        }}, text)));
}

function summary(job) {
    return facts([["Operation", job.op], ["Device", job.devices?.map((d) => d.name).join(", ")
        || job.device?.name], ["Priority", job.priority], ["Accepted", clock(job.created)],
    ["Started", job.started && clock(job.started)],
    ["Finished", job.finished && clock(job.finished)], ["Id", el("code", {class: "id"}, job.id)]]);
}

async function showTrace(place, id, signal) {
    try {
        const trace = await get(`/jobs/${id}/trace`, signal);
        const drawn = timeline(trace, signal);
        const {note, left_out: left} = trace.otherData;
        replace(place, drawn || empty("No events", "The trace of this job is empty."),
            note && el("p", {class: "muted"}, `Here are ${note}.`),
            left > 0 && el("p", {class: "muted"}, `${left} later commands were left out.`));
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        replace(place, problemBox(problem));
    }
}

function downloadSection(id) {
    const trouble = el("div");
    return el("section", {}, el("h2", {}, "Result"), el("p", {class: "muted"},
        "The service keeps results of jobs that ran apart from their request, for a while."),
    downloads(id, (problem) => replace(trouble, problemBox(problem))), trouble);
}

// Shows the matrices of a successful job in one place and its files in another, or why there are none:
// the result was in the reply, or its time is over.
async function showMatrices(matrices, files, id, signal) {
    try {
        const outputs = await fetchOutputs(id, signal);
        const section = matricesSection(outputs, operandsOf(id), "The service keeps no operands. They are "
            + "drawn here for jobs that this page has started.", signal);
        replace(matrices, section.element);
        replace(files, downloadSection(id));
        await section.drawn;
    } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        replace(files, el("section", {}, el("h2", {}, "Result"),
            el("p", {class: "muted"}, problem.document.detail)));
    }
}

function showEnd(main, job, signal) {
    const [matrices, files, place] = [el("div"), el("div"), el("div", {}, loading("the timeline"))];
    main.append(el("div", {}, job.error && problemBox(job.error),
        job.quality && el("section", {}, el("h2", {}, "Quality"), qualityFacts(job.quality)),
        matrices, timingSection(job.timing),
        el("section", {}, el("h2", {}, "Timeline"), place), files));
    return Promise.all([showTrace(place, job.id, signal),
        job.status === "successful" && showMatrices(matrices, files, job.id, signal)]);
}

function dismissButton(job, failed) {
    return el("button", {type: "button", onclick: () => dismiss(job.id).catch(failed)}, "Dismiss");
}

export async function showJob(main, id, signal) {
    let job = await get(`/jobs/${id}`, signal);
    const bar = progressBar("Progress of the job");
    const stage = el("span", {class: "muted"});
    const head = el("div", {class: "status-line"});
    const about = el("div", {}, summary(job));
    const trouble = el("div");
    const told = ({status, progress, stage: now}) => {
        bar.value = progress;
        stage.textContent = `${now}, ${progress} %`;
        replace(head, badge(status), bar, stage, dismissButton(job, (p) =>
            replace(trouble, problemBox(p))));
        announce(`Job ${status}, ${now}`);
    };
    main.append(head, trouble, about);
    if (!ENDED.includes(job.status)) {
        told({status: job.status, progress: job.progress, stage: "waiting"});
        job = await follow(id, signal, told);
        replace(about, summary(job));
    }
    announce(`Job ${job.status}`);
    replace(head, badge(job.status));
    await showEnd(main, job, signal);
}
