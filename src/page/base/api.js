// api.js - sends requests to the service, with the token, and throws its problem documents (RFC 9457)
// as exceptions.

import {askForToken, token} from "./token.js";

// The exception for a failed request. `document` is the problem document, or one made here if the
// service did not reply.
export class Problem extends Error {
    constructor(document) {
        super(document.detail || document.title);
        this.document = document;
    }
}

async function problemOf(response) {
    const text = await response.text();
    try {
        const document = JSON.parse(text);
        if (document.title) return new Problem(document);
    } catch {
        // The reply has no problem document of linalgd's; it may come from a proxy.
    }
    return new Problem({title: response.statusText || "Error", status: response.status,
        detail: text.slice(0, 300) || `The service answered ${response.status}.`});
}

async function tryOnce(path, options) {
    const headers = {...options.headers};
    if (token()) headers.Authorization = `Bearer ${token()}`;
    try {
        return await fetch(path, {...options, headers});
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem({title: "No connection", detail: "The service cannot be reached."});
    }
}

// Sends a request and returns its response. If the service requires a token, asks the reader for one.
// Throws a Problem for any other response that is not a success.
export async function send(path, options = {}) {
    for (;;) {
        const sent = token();
        const response = await tryOnce(path, options);
        if (response.ok) return response;
        if (response.status !== 401) throw await problemOf(response);
        if (token() === sent && !(await askForToken(Boolean(sent)))) throw await problemOf(response);
    }
}

export async function get(path, signal, headers) {
    return (await send(path, {signal, headers: {Accept: "application/json", ...headers}})).json();
}

export async function getText(path, signal) {
    return (await send(path, {signal})).text();
}

// Fetches a document that does not change while the service runs, once.
const kept = new Map();

export function sheet(path) {
    if (!kept.has(path)) {
        const answer = get(path);
        answer.catch(() => kept.delete(path));
        kept.set(path, answer);
    }
    return kept.get(path);
}

function eventOf(block) {
    const event = {type: "message", data: ""};
    for (const line of block.split("\n")) {
        const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) || [];
        if (name === "event") event.type = value;
        if (name === "data") event.data += value;
    }
    return event;
}

// The server-sent events of a path, each as {type, data}. EventSource cannot send a token, so the
// stream is read by fetch().
export async function* events(path, signal) {
    const response = await send(path, {signal, headers: {Accept: "text/event-stream"}});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
        const {done, value} = await reader.read();
        if (done) return;
        const blocks = (text + value).split("\n\n");
        text = blocks.pop();
        for (const block of blocks) if (block.includes("data:")) yield eventOf(block);
    }
}

export const ENDED = ["successful", "failed", "dismissed"];

// Follows a job until it has ended, and returns its record. Calls told({status, progress, stage})
// for each of its events. If the stream of events breaks, a new one is opened.
export async function follow(id, signal, told) {
    for (;;) {
        try {
            for await (const event of events(`/jobs/${id}/events`, signal)) told(JSON.parse(event.data));
        } catch (error) {
            if (signal.aborted || error instanceof Problem) throw error;
        }
        const job = await get(`/jobs/${id}`, signal);
        if (ENDED.includes(job.status)) return job;
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
}

export function dismiss(id) {
    return send(`/jobs/${id}`, {method: "DELETE"});
}
