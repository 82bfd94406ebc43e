// jobs.js - the view of waiting, running and recent jobs, which is updated periodically.

import {dismiss, ENDED, get} from "../base/api.js";
import {el, field, option, renew, replace, table} from "../base/dom.js";
import {announce, badge, empty, loading, problemBox, progressBar} from "../base/notice.js";
import {poll} from "../base/poll.js";
import {brief, clock, milliseconds} from "../base/text.js";

const PERIOD_MS = 1000;
const COLUMNS = [["Job"], ["Operation"], ["Status"], ["Device"], ["Accepted", "number"],
    ["Waited", "number"], ["Took", "number"], [""]];
const STATES = ["accepted", "running", "successful", "failed", "dismissed"];

function state(job) {
    const label = badge(job.status);
    if (ENDED.includes(job.status)) {
        return job.status === "failed" && job.error
            ? [label, el("span", {class: "muted"}, ` ${job.error.title}`)] : label;
    }
    const bar = progressBar(`Progress of job ${brief(job.id)}`);
    bar.value = job.progress;
    return [label, " ", bar];
}

function dismissButton(job, failed) {
    return el("button", {type: "button", class: "quiet", "aria-label": `Dismiss job ${brief(job.id)}`,
        onclick: async () => {
            try {
                await dismiss(job.id);
                announce(`Job ${brief(job.id)} was dismissed`);
            } catch (problem) {
                failed(problem);
            }
        }}, "Dismiss");
}

function row(job, failed) {
    return [
        el("a", {href: `#/jobs/${job.id}`}, el("code", {}, brief(job.id))),
        job.op, el("span", {}, state(job)), job.device?.name || "–",
        el("time", {datetime: job.created, title: job.created}, clock(job.created)),
        milliseconds(job.timing?.queue_ms), milliseconds(job.timing?.total_ms),
        ENDED.includes(job.status) ? "" : dismissButton(job, failed),
    ];
}

function filterField(chosen) {
    const select = el("select", {}, option("", "All"), STATES.map((s) => option(s, s)));
    select.value = chosen;
    return [select, field("Status", select)];
}

export async function showJobs(main, rest, query, signal) {
    const [select, control] = filterField(query.get("status") || "");
    const list = el("div", {}, loading("the jobs"));
    const trouble = el("div");
    const failed = (problem) => replace(trouble, problem && problemBox(problem));
    let shown = "";
    const ask = async () => {
        const filter = select.value ? `&status=${select.value}` : "";
        const {jobs} = await get(`/jobs?limit=100${filter}`, signal);
        const now = JSON.stringify(jobs);
        if (now === shown) return;
        shown = now;
        renew(list, jobs.length ? table("Jobs, the newest first", COLUMNS,
            jobs.map((job) => row(job, failed)), "stacked")
            : empty("No jobs", "Jobs appear here as requests come in. ",
                el("a", {href: "#/run"}, "Run an operation"), "."));
    };
    select.addEventListener("change", () => ask().catch(failed));
    main.append(el("div", {class: "toolbar"}, control), trouble, list);
    await poll(PERIOD_MS, signal, ask, failed);
}
