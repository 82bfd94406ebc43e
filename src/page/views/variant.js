// variant.js - the choice of an operation's variant; a variant that is not available shows the reason.

import {el, field, option, table} from "../base/dom.js";

const COLUMNS = [["Variant"], ["Here"], ["Requires"], ["Origin"], ["Kernels"]];

// Returns the variants of an operation from the rows of GET /kernels, in their order: [{name, available,
// reason, origin, kernels, requires}].
export function variantsOf(op, kernels) {
    const found = new Map();
    for (const row of kernels.filter((k) => k.op === op)) {
        if (!found.has(row.variant)) {
            found.set(row.variant, {name: row.variant, available: row.available, reason: row.reason,
                origin: row.origin, requires: row.requires, kernels: []});
        }
        found.get(row.variant).kernels.push(row.kernel);
    }
    return [...found.values()];
}

function rows(variants) {
    return variants.map((v) => [el("code", {}, v.name),
        v.available ? el("span", {class: "badge successful"}, "available")
            : el("span", {}, el("span", {class: "badge"}, "not here"), " ", v.reason),
        v.requires.join(", ") || "any device", v.origin,
        el("span", {class: "kernel-names"}, v.kernels.join(", "))]);
}

export function variantField(op, kernels, chosen) {
    const variants = variantsOf(op.name, kernels);
    const select = el("select", {}, option("", "auto (default): the fastest by the tuning table"),
        variants.map((v) => option(v.name, v.available ? v.name : `${v.name} – ${v.reason}`,
            {disabled: !v.available})));
    if (variants.some((v) => v.name === chosen)) select.value = chosen;
    return {
        name: "variant",
        element: el("div", {class: "wide"}, field(el("code", {}, "variant"), select),
            el("details", {class: "help"}, el("summary", {}, `All ${variants.length} variants`),
                table(`Variants of ${op.name}`, COLUMNS, rows(variants), "stacked"))),
        value: () => (select.value ? JSON.stringify(select.value) : null),
    };
}
