// poll.js - repeats a request periodically while the page is visible.

import {Problem} from "./api.js";

function pause(ms, signal) {
    return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener("abort", () => {
            clearTimeout(timer);
            resolve();
        }, {once: true});
    });
}

// Calls ask() every `ms` milliseconds until the signal. If ask() throws a Problem, calls
// failed(problem), and failed(null) when ask() succeeds again. While the page is hidden, ask() is not
// called.
export async function poll(ms, signal, ask, failed) {
    let bad = false;
    while (!signal.aborted) {
        try {
            if (!document.hidden) await ask();
            if (bad) failed(null);
            bad = false;
        } catch (error) {
            if (signal.aborted) return;
            if (!(error instanceof Problem)) throw error;
            bad = true;
            failed(error);
        }
        await pause(bad ? 4 * ms : ms, signal);
    }
}
