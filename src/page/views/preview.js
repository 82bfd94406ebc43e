// preview.js - fetches an operand's elements, to be drawn beside the result. An operand that only the
// service can read or generate (a generated matrix, a sparse file, Matrix Market) is stored under a
// random name, fetched and deleted.

import {get, send} from "../base/api.js";
import {arrayOf} from "../base/array.js";
import {readNpy} from "../base/npy.js";

const MOST = 1 << 22;            // most elements of an operand that is drawn
const TYPES = {npz: "application/x-npz", mtx: "application/x-matrix-market"};

// Fetches a stored matrix: a dense one as .npy, a sparse one, which .npy cannot represent, as JSON.
async function stored(name, signal) {
    const path = `/matrices/${encodeURIComponent(name)}`;
    const {matrices} = await get("/matrices", signal);
    if (matrices.find((m) => m.name === name)?.format !== "dense") {
        return arrayOf((await get(path, signal)).matrix);
    }
    const answer = await send(path, {signal, headers: {Accept: "application/x-npy"}});
    return readNpy(new Uint8Array(await answer.arrayBuffer()));
}

async function throughService(body, type, signal) {
    const name = `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
    await send(`/matrices/${name}`, {method: "PUT", body, signal, headers: {"Content-Type": type}});
    try {
        return await stored(name, signal);
    } finally {
        await send(`/matrices/${name}`, {method: "DELETE"});
    }
}

async function ofFile(file, signal) {
    const suffix = file.name.split(".").pop().toLowerCase();
    if (suffix === "npy") return readNpy(new Uint8Array(await file.arrayBuffer()));
    return throughService(file, TYPES[suffix] || "application/octet-stream", signal);
}

// Returns the array of an operand's value (operand.js), or null if it is too large to be drawn.
export async function preview(value, signal) {
    if (value.file) return value.file.size > 8 * MOST ? null : ofFile(value.file, signal);
    const operand = JSON.parse(value.json);
    if (operand.ref) return stored(operand.ref, signal);
    if (!operand.generate) return arrayOf(operand);
    if (operand.shape.reduce((a, b) => a * b, 1) > MOST) return null;
    return throughService(`{"matrix": ${value.json}}`, "application/json", signal);
}
