// quality.js - explains the member `quality` of a response.

import {el, facts} from "../base/dom.js";
import {significant} from "../base/text.js";

const GOOD = 30;                 // LAPACK's own threshold for its test ratios

function judged(ratio, what) {
    const verdict = ratio <= GOOD ? ["good", "as good as rounding allows"]
        : ["doubtful", `larger than ${GOOD}: more than rounding alone explains`];
    return el("span", {}, el("b", {}, significant(ratio)), " ",
        el("span", {class: `verdict ${verdict[0]}`}, verdict[1]),
        el("span", {class: "muted block"}, what));
}

function lostDigits(rcond) {
    if (rcond === 0) return "The matrix is singular to working precision.";
    const lost = Math.max(0, Math.round(-Math.log10(rcond)));
    return lost === 0 ? "The conditioning costs no decimal digit."
        : `The conditioning costs about ${lost} decimal ${lost === 1 ? "digit" : "digits"}.`;
}

const TELL = {
    residual: ["Residual", (v) => judged(v, "LAPACK's test ratio of this problem, in units of the "
        + "rounding error. Iterations that stop at tol leave larger ones.")],
    orthogonality: ["Orthogonality", (v) => judged(v, "|I − QᵀQ| in units of the rounding error.")],
    rcond: ["Reciprocal condition", (v) => el("span", {}, el("b", {}, significant(v)),
        el("span", {class: "muted block"}, lostDigits(v)))],
    forward_error: ["Forward error", (v) => el("span", {}, el("b", {}, significant(v)),
        el("span", {class: "muted block"}, "A bound on the relative error of the solution."))],
    condition: ["Condition of the eigenvalue", (v) => el("span", {}, el("b", {}, significant(v)),
        el("span", {class: "muted block"}, "A change of the matrix may move the eigenvalue by this "
            + "many times as much."))],
    relative_residual: ["Relative residual", (v) => el("span", {}, el("b", {}, significant(v)),
        el("span", {class: "muted block"}, "|b − A x| / |b|, computed from the solution."))],
    recurrence_residual: ["By the recurrence", (v) => significant(v)],
    shift: ["Shift of the diagonal", (v) => el("span", {}, el("b", {}, significant(v)),
        el("span", {class: "muted block"}, "The preconditioner is that of a matrix with a larger "
            + "diagonal."))],
    refinements: ["Steps of refinement", (v) => String(v)],
    stalled: ["Stalled", () => "Refinement ended at an error that rounding does not explain."],
    fallback: ["Fallback", () => "The first method did not converge; a slower one answered."],
    ill_conditioned: ["Ill-conditioned", () => el("span", {class: "verdict doubtful"},
        "The solution may have no correct digit.")],
};

// Returns the facts in `quality` of a response; that of a pipeline has an object for each step.
export function qualityFacts(quality) {
    const steps = Object.entries(quality).filter(([, value]) => value && typeof value === "object");
    if (steps.length) {
        return el("div", {}, steps.map(([name, inner]) => el("div", {},
            el("h3", {}, "Step ", el("code", {}, name)), qualityFacts(inner))));
    }
    return facts(Object.entries(quality).filter(([, value]) => value !== null).map(([name, value]) =>
        TELL[name] ? [TELL[name][0], TELL[name][1](value)] : [name, String(value)]), "wide");
}
