// running.js - runs a request as an asynchronous job, and shows its progress, then its result or its
// problem.

import {dismiss, follow, send} from "../base/api.js";
import {el, replace} from "../base/dom.js";
import {announce, badge, problemBox, progressBar} from "../base/notice.js";
import {remember} from "../base/started.js";
import {showResult} from "./result.js";

async function start([path, options], signal) {
    const answer = await send(path, {...options, signal,
        headers: {...options.headers, Prefer: "respond-async"}});
    return answer.json();
}

// Sends a request, [path, options] of fetch(), and shows the progress of its job, and the result, in
// `place`. operands are those of a form (request.js), which are drawn beside the result. Throws the
// Problem of a request that is refused.
export async function runJob(request, operands, place, signal) {
    const bar = progressBar("Progress of the job");
    const text = el("span", {class: "muted"}, "sending");
    replace(place, el("div", {class: "status-line"}, badge("accepted"), bar, text));
    announce("The request is sent");
    place.scrollIntoView({block: "nearest"});
    const accepted = await start(request, signal);
    remember(accepted.id, operands);
    const cancel = el("button", {type: "button", onclick: () =>
        dismiss(accepted.id).catch(() => {})}, "Dismiss");
    const told = ({status, progress, stage}) => {
        bar.value = progress;
        text.textContent = `${stage}, ${progress} %`;
        replace(place, el("div", {class: "status-line"}, badge(status), bar, text, cancel));
        announce(`Job ${stage}, ${progress} %`);
    };
    const job = await follow(accepted.id, signal, told);
    announce(`Job ${job.status}`);
    if (job.status === "successful") return showResult(place, job, operands, signal);
    return replace(place, job.error ? problemBox(job.error)
        : el("p", {}, badge(job.status), " The job was dismissed."));
}
