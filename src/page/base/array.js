// array.js - arrays as {shape, dtype, data, imag} (npy.js): made of pasted text and of JSON operands,
// and printed as text.

import {significant} from "./text.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

// Turns pasted text into the JSON text of an operand: JSON is returned unchanged, lines of numbers
// become rows. vectors: a single row or column becomes a vector. Throws an Error that names the line
// that is wrong.
export function pastedJson(text, vectors) {
    const trimmed = text.trim();
    if (!trimmed) throw new Error("There are no numbers yet.");
    if (/^[[{]/.test(trimmed)) {
        JSON.parse(trimmed);
        return trimmed;
    }
    const rows = trimmed.split(/\n|;/).map((line) => line.trim()).filter(Boolean)
        .map((line) => line.split(/[\s,]+/).filter(Boolean));
    rows.forEach((row, i) => {
        const wrong = row.find((x) => !NUMBER.test(x));
        if (wrong) throw new Error(`Line ${i + 1}: “${wrong}” is no number.`);
        if (row.length !== rows[0].length) {
            throw new Error(`Line ${i + 1} has ${row.length} numbers, line 1 has ${rows[0].length}.`);
        }
    });
    const numbers = rows.map((row) => row.map(jsonNumber));
    if (vectors && rows.length === 1) return `[${numbers[0].join(", ")}]`;
    if (vectors && rows[0].length === 1) return `[${numbers.map((row) => row[0]).join(", ")}]`;
    return `[${numbers.map((row) => `[${row.join(", ")}]`).join(", ")}]`;
}

// Rewrites numbers such as "+1", "1." and ".5", which JSON does not allow. The digits are not
// changed, so that integers beyond 2^53 keep their value.
function jsonNumber(text) {
    return text.replace(/^\+/, "").replace(/^(-?)\./, "$10.").replace(/\.(?=$|[eE])/, "")
        .replace(/^(-?)0+(?=\d)/, "$1");
}

// Returns the array of a JSON operand, or null if the operand is a stored or generated matrix, whose
// elements are not in the JSON.
export function arrayOf(value) {
    if (typeof value === "number") return {shape: [], dtype: "float64", data: [value], imag: null};
    if (Array.isArray(value)) {
        const shape = [];
        for (let v = value; Array.isArray(v); v = v[0]) shape.push(v.length);
        return {shape, dtype: "float64", data: Float64Array.from(value.flat(Infinity)), imag: null};
    }
    if (value?.format) return fromSparse(value);
    if (value?.data && value.shape) {
        return {shape: value.shape, dtype: "float64", data: Float64Array.from(value.data.flat(Infinity)),
            imag: null};
    }
    return null;
}

function fromSparse({format, shape, indptr, indices, row, col, data}) {
    const dense = new Float64Array(shape[0] * shape[1]);
    if (format === "coo") {
        data.forEach((x, k) => (dense[row[k] * shape[1] + col[k]] += x));
    } else {
        const compressed = indptr.length - 1;
        for (let i = 0; i < compressed; i++) {
            for (let k = indptr[i]; k < indptr[i + 1]; k++) {
                const [r, c] = format === "csr" ? [i, indices[k]] : [indices[k], i];
                dense[r * shape[1] + c] += data[k];
            }
        }
    }
    return {shape, dtype: "float64", data: dense, imag: null};
}

export function elementText(array, i, digits = 5) {
    if (array.dtype === "bool") return array.data[i] ? "true" : "false";
    const re = /^u?int/.test(array.dtype) ? array.exact?.get(i) || String(array.data[i])
        : significant(array.data[i], digits);
    if (!array.imag) return re;
    const im = array.imag[i];
    return `${re} ${im < 0 ? "−" : "+"} ${significant(Math.abs(im), digits)}i`;
}

// Returns one matrix of a stack, as {rows, cols, data, imag}; a vector becomes a column.
export function matrixAt(array, index = 0) {
    const [rows, cols] = array.shape.length >= 2 ? array.shape.slice(-2)
        : [array.shape[0] ?? 1, 1];
    const from = index * rows * cols;
    return {rows, cols, data: array.data.slice(from, from + rows * cols),
        imag: array.imag && array.imag.slice(from, from + rows * cols)};
}

export function matricesIn(array) {
    return array.shape.slice(0, -2).reduce((a, b) => a * b, 1);
}

// Returns a matrix or vector as text in the array format of Matrix Market, which is column-major.
export function matrixMarket(array) {
    const {rows, cols, data, imag} = matrixAt(array);
    const text = (k) => array.exact?.get(k) || String(data[k]);
    const lines = [`%%MatrixMarket matrix array ${imag ? "complex" : "real"} general`, `${rows} ${cols}`];
    for (let j = 0; j < cols; j++) {
        for (let i = 0; i < rows; i++) {
            const k = i * cols + j;
            lines.push(imag ? `${data[k]} ${imag[k]}` : text(k));
        }
    }
    return lines.join("\n") + "\n";
}
