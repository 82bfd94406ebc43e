// graph.js - the graph of a pipeline: operands, steps and results are boxes in columns from left to
// right, with a line for each operand of a step.

import {svg} from "../base/dom.js";

const BOX = {width: 128, height: 48, across: 216, down: 68, margin: 8};

// Returns the column of each node: one to the right of all its predecessors. A node without
// predecessors is one to the left of its first successor.
function columns(nodes, edges) {
    const column = new Map(nodes.map((n) => [n.id, 0]));
    for (let round = 0; round < nodes.length; round++) {
        for (const e of edges) {
            if (column.has(e.from) && column.has(e.to)) {
                column.set(e.to, Math.min(nodes.length,
                    Math.max(column.get(e.to), column.get(e.from) + 1)));
            }
        }
    }
    for (const n of nodes.filter((x) => !edges.some((e) => e.to === x.id))) {
        const users = edges.filter((e) => e.from === n.id && column.has(e.to))
            .map((e) => column.get(e.to));
        if (users.length) column.set(n.id, Math.min(...users) - 1);
    }
    return column;
}

// Returns the preferred row of a node: that of its predecessors, a little lower for a result; a node
// without predecessors comes last.
function wish(node, edges, rows) {
    const above = edges.filter((e) => e.to === node.id && rows.has(e.from)).map((e) => rows.get(e.from));
    if (!above.length) return Infinity;
    return above.reduce((a, b) => a + b) / above.length + (node.kind === "answer" ? 1 : 0);
}

// Returns the position of each node, column by column.
function places(nodes, edges) {
    const column = columns(nodes, edges);
    const rows = new Map();
    const at = new Map();
    for (let c = 0; c <= Math.max(...column.values()); c++) {
        nodes.filter((n) => column.get(n.id) === c)
            .map((n) => ({n, wished: wish(n, edges, rows)}))
            .sort((a, b) => (a.wished === b.wished ? 0 : a.wished - b.wished))
            .forEach(({n}, row) => {
                rows.set(n.id, row);
                at.set(n.id, {x: BOX.margin + c * BOX.across, y: BOX.margin + row * BOX.down});
            });
    }
    return at;
}

function box(node, {x, y}) {
    return svg("g", {class: `node ${node.kind}`, "data-node": node.id},
        svg("rect", {x, y, width: BOX.width, height: BOX.height,
            rx: node.kind === "step" ? 4 : BOX.height / 2}),
        svg("text", {x: x + BOX.width / 2, y: y + (node.note ? 19 : 27), "text-anchor": "middle"},
            node.label),
        node.note && svg("text", {x: x + BOX.width / 2, y: y + 35, "text-anchor": "middle",
            class: "note"}, node.note));
}

// Draws a line from the middle of one box's right side to the other box's left side, where it is line
// number i of n.
function line(edge, from, to, i, n) {
    const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2];
    const [x2, y2] = [to.x, to.y + (BOX.height * (i + 1)) / (n + 1)];
    const bend = Math.max(24, (x2 - x1) / 2);
    return svg("g", {class: "edge", "data-edge": `${edge.from} ${edge.to}`},
        svg("path", {d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}),
        svg("text", {x: x2 - 6, y: y2 + 4, "text-anchor": "end"}, edge.label));
}

// Draws a graph. nodes: [{id, kind, label, note}], where kind is "operand", "step" or "answer"; edges:
// [{from, to, label}]. Edges of unknown nodes are left out.
export function graph(nodes, edges) {
    const at = places(nodes, edges);
    const known = edges.filter((e) => at.has(e.from) && at.has(e.to));
    const width = Math.max(...[...at.values()].map((p) => p.x)) + BOX.width + BOX.margin;
    const height = Math.max(...[...at.values()].map((p) => p.y)) + BOX.height + BOX.margin;
    const label = `Graph of ${nodes.length} nodes: `
        + known.map((e) => `${e.from} to ${e.to} as ${e.label}`).join("; ");
    const drawing = svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "graph", role: "img",
        "aria-label": label, width, height},
    known.map((e) => {
        const same = known.filter((x) => x.to === e.to);
        return line(e, at.get(e.from), at.get(e.to), same.indexOf(e), same.length);
    }), nodes.map((n) => box(n, at.get(n.id))));
    return drawing;
}
