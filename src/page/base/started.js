// started.js - the operands of the jobs that this tab has started, by the jobs' ids. The service keeps no
// operands, so that a job's view draws those that are known here.

const MOST = 32;                 // jobs whose operands are kept
const started = new Map();

export function remember(id, operands) {
    started.set(id, operands);
    if (started.size > MOST) started.delete(started.keys().next().value);
}

export function operandsOf(id) {
    return started.get(id) || [];
}
