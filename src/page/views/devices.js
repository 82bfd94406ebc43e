// devices.js - the view of the devices, with their load and memory, of the service's queue and memory,
// and of the hosts that share a queue with this one.

import {get, getText} from "../base/api.js";
import {el, facts, renew, replace, svg, table} from "../base/dom.js";
import {empty, loading, problemBox} from "../base/notice.js";
import {poll} from "../base/poll.js";
import {samples, total} from "../base/prometheus.js";
import {bytes, duration, percent, rate} from "../base/text.js";

const PERIOD_MS = 2000;
const HISTORY = 60;              // samples of a device's load that are drawn

function meter(label, used, most, text) {
    const share = most ? Math.min(1, used / most) : 0;
    const fill = el("div", {class: "bar-fill"});
    fill.style.width = `${100 * share}%`;
    return el("div", {class: "meter"}, el("div", {class: "meter-text"}, el("span", {}, label),
        el("span", {}, text)), el("div", {class: "bar", role: "meter", "aria-label": label,
        "aria-valuemin": "0", "aria-valuemax": "1", "aria-valuenow": share, "aria-valuetext": text},
    fill));
}

// Draws the load of the last minutes as a line, from 0 to 1.
function sparkline(history) {
    const points = history.map((v, i) => `${(120 * (i + HISTORY - history.length)) / (HISTORY - 1)},`
        + `${22 - 20 * Math.min(1, v)}`).join(" ");
    return svg("svg", {viewBox: "0 0 120 24", class: "sparkline", role: "img",
        "aria-label": `Load of the last ${history.length * (PERIOD_MS / 1000)} seconds, now `
        + percent(history.at(-1) ?? 0)}, svg("polyline", {points}));
}

function sheetFacts(d) {
    return facts([
        ["Platform", d.platform], ["Driver", d.driver],
        ["Compute units", `${d.compute_units} at ${d.clock_mhz}\u00a0MHz`],
        ["Local memory", bytes(d.local_memory_bytes)],
        ["Largest buffer", bytes(d.max_allocation_bytes)],
        ["Work-group", `up to ${d.max_work_group_size} items`],
        ["Sub-groups", d.subgroup_sizes.length ? d.subgroup_sizes.join(", ") : "none"],
        ["float64", d.float64 ? "yes" : "no"],
        ["Measured memory rate", rate(0, d.peak_gbytes_per_s)],
        ["Measured peak, float32", rate(d.peak_gflops_float32)],
        ["Measured peak, float64", rate(d.peak_gflops_float64)],
    ]);
}

// Returns the share of the time since the last sample in which kernels ran: kernel seconds per second.
class Load {
    constructor() {
        this.last = new Map();
        this.histories = new Map();
    }

    add(index, metrics, now) {
        const busy = total(metrics, "linalgd_kernel_duration_seconds_sum", {device: String(index)});
        const before = this.last.get(index);
        const history = this.histories.get(index) || [];
        if (before) history.push(Math.max(0, (busy - before.busy) / (now - before.now)));
        this.last.set(index, {busy, now});
        this.histories.set(index, history.slice(-HISTORY));
        return this.histories.get(index);
    }
}

// The indices of the devices whose data sheets the reader has opened.
function openSheets(cards) {
    return new Set([...cards.querySelectorAll("details[open]")].map((x) => x.dataset.device));
}

function card(d, metrics, history, open) {
    const device = String(d.index);
    const used = total(metrics, "linalgd_device_memory_bytes", {device, state: "used"});
    const running = total(metrics, "linalgd_jobs_running", {device});
    const restarts = total(metrics, "linalgd_worker_restarts_total", {device});
    const load = history.at(-1);
    return el("section", {class: "card device"},
        el("h2", {}, el("span", {class: "muted"}, `${d.index} `), d.name),
        el("p", {}, el("span", {class: `badge ${d.healthy ? "successful" : "failed"}`},
            d.healthy ? "healthy" : "not ready"), " ", el("span", {class: "badge"}, d.type), " ",
        running ? `${running} ${running === 1 ? "job runs" : "jobs run"}` : "idle",
        restarts ? `, its worker was restarted ${restarts} times` : ""),
        meter("Load of kernels", load ?? 0, 1, load === undefined ? "measuring" : percent(load)),
        sparkline(history),
        meter("Memory", used, d.global_memory_bytes,
            `${bytes(used)} of ${bytes(d.global_memory_bytes)}`
            + (d.unified_memory ? " (scratch; operands lie in the host's)" : "")),
        el("details", {open, "data-device": device},
            el("summary", {"data-key": `sheet ${device}`}, "Data sheet"), sheetFacts(d)));
}

function service(metrics) {
    const host = (state) => total(metrics, "linalgd_host_memory_bytes", {state});
    const most = host("used") + host("spare") + host("free");
    const depth = total(metrics, "linalgd_queue_depth");
    const limit = total(metrics, "linalgd_queue_limit");
    const ended = total(metrics, "linalgd_jobs_total");
    const good = total(metrics, "linalgd_jobs_total", {outcome: "successful"});
    const since = total(metrics, "process_start_time_seconds");
    return el("section", {class: "card service"}, el("h2", {}, "Service"),
        meter("Queue", depth, limit, `${depth} of ${limit} jobs wait`),
        meter("Host memory", host("used"), most, `${bytes(host("used"))} of ${bytes(most)}`),
        facts([["Up for", duration(Date.now() / 1000 - since)],
            ["Jobs ended", `${ended}, of these ${good} successfully`],
            ["Refused requests", String(total(metrics, "linalgd_rejected_total"))],
            ["Stored matrices", `${total(metrics, "linalgd_stored_matrices")}, `
                + bytes(total(metrics, "linalgd_stored_bytes"))],
            ["Version", metrics.get("linalgd_build_info")?.[0].labels.version]]));
}

// A line for each kind of device that a host has, and how many it has of them.
function kinds(devices) {
    const lines = devices.map((d) => [d.name, d.type, bytes(d.memory_bytes)
        + (d.float64 ? "" : ", no float64")]);
    const count = new Map();
    for (const line of lines) {
        const key = JSON.stringify(line);
        count.set(key, (count.get(key) || 0) + 1);
    }
    return [...count].map(([key, n]) => {
        const [name, type, rest] = JSON.parse(key);
        return el("div", {}, n > 1 ? `${n} × ` : "", name, " ", el("span", {class: "badge"}, type), " ",
            el("span", {class: "muted"}, rest));
    });
}

function hostRow(h) {
    return [h.host, `${duration(h.seen_s)} ago`, h.leased ?? "unknown", el("div", {}, kinds(h.devices))];
}

// The hosts that share a queue with this one, as the host that replied has read them.
function fleetCard(fleet) {
    return el("section", {class: "card fleet"},
        el("h2", {}, "Fleet ", el("span", {class: "muted"}, `as host ${fleet.host} sees it`)),
        fleet.hosts.length ? table("The hosts of the fleet", [["Host"], ["Last heard of"],
            ["Its jobs of the fleet", "number"], ["Devices"]], fleet.hosts.map(hostRow), "stacked")
            : el("p", {}, fleet.age_s === undefined
                ? "No host is known: the queue's database has not answered yet."
                : "No host has been heard of within a lease."));
}

export async function showDevices(main, rest, query, signal) {
    const cards = el("div", {class: "cards"}, loading("the devices"));
    const trouble = el("div");
    const load = new Load();
    main.append(trouble, cards);
    await poll(PERIOD_MS, signal, async () => {
        const [{devices, fleet}, text] = await Promise.all([get("/devices", signal),
            getText("/metrics", signal)]);
        const metrics = samples(text);
        const now = performance.now() / 1000;
        const histories = devices.map((d) => load.add(d.index, metrics, now));
        const open = openSheets(cards);
        const made = devices.map((d, i) => card(d, metrics, histories[i], open.has(String(d.index))));
        renew(cards, made.length ? made : empty("No device", "The service found no OpenCL device."),
            service(metrics), fleet && fleetCard(fleet));
    }, (problem) => replace(trouble, problem && problemBox(problem)));
}
