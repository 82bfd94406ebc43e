// runs.js - runs of a form, of which only the last one may go on.

// Returns {begin, end}: begin() ends the present run and returns the AbortSignal of a new one, end()
// ends the present run. At the given signal the run ends, too.
export function runs(signal) {
    let running = null;
    const end = () => running?.abort();
    signal.addEventListener("abort", end, {once: true});
    return {end, begin: () => {
        end();
        running = new AbortController();
        return running.signal;
    }};
}
