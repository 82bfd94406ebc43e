// npy.js - reads NumPy's .npy, and .npz files whose members are stored without
// compression, as the service writes them (numpy.lib.format; APPNOTE.TXT of PKWARE).
//
// An array is {shape, dtype, data, imag, exact}. data has the elements as numbers in row-major order;
// imag has the imaginary parts, and is null if the array is real; exact maps the index of an integer
// beyond 2^53 to its digits.

function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function bfloat16(bits) {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, bits << 16);
    return view.getFloat32(0);
}

// NumPy's type codes: the type's name, the bytes of a component, and the DataView method that reads it.
const TYPES = {
    f8: ["float64", 8, (v, at, le) => v.getFloat64(at, le)],
    f4: ["float32", 4, (v, at, le) => v.getFloat32(at, le)],
    f2: ["float16", 2, (v, at, le) => half(v.getUint16(at, le))],
    V2: ["bfloat16", 2, (v, at, le) => bfloat16(v.getUint16(at, le))],
    c16: ["complex128", 8, (v, at, le) => v.getFloat64(at, le)],
    c8: ["complex64", 4, (v, at, le) => v.getFloat32(at, le)],
    i8: ["int64", 8, (v, at, le) => v.getBigInt64(at, le)],
    i4: ["int32", 4, (v, at, le) => v.getInt32(at, le)],
    i2: ["int16", 2, (v, at, le) => v.getInt16(at, le)],
    i1: ["int8", 1, (v, at) => v.getInt8(at)],
    u8: ["uint64", 8, (v, at, le) => v.getBigUint64(at, le)],
    u4: ["uint32", 4, (v, at, le) => v.getUint32(at, le)],
    u2: ["uint16", 2, (v, at, le) => v.getUint16(at, le)],
    u1: ["uint8", 1, (v, at) => v.getUint8(at)],
    b1: ["bool", 1, (v, at) => v.getUint8(at)],
};

function header(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 12 || bytes[0] !== 0x93 || bytes[1] !== 0x4e) throw new Error("no npy file");
    const wide = bytes[6] > 1;
    const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
    const start = (wide ? 12 : 10) + length;
    const text = new TextDecoder().decode(bytes.subarray(wide ? 12 : 10, start));
    const descr = /'descr': *'([<>=|]?)([a-zA-Z]\d+)'/.exec(text);
    const dims = /'shape': *\(([^)]*)\)/.exec(text);
    if (!descr || !dims || !TYPES[descr[2]]) throw new Error(`an npy header like ${text.trim()}`);
    return {start, little: descr[1] !== ">", code: descr[2],
        fortran: /'fortran_order': *True/.test(text),
        shape: dims[1].split(",").filter((d) => d.trim()).map(Number)};
}

// Returns a function that maps an element's index in column-major order to that in row-major order.
function rowMajor(shape) {
    const strides = shape.map((_, i) => shape.slice(i + 1).reduce((a, b) => a * b, 1));
    return (k) => {
        let at = 0;
        shape.forEach((d, i) => {
            at += (k % d) * strides[i];
            k = Math.floor(k / d);
        });
        return at;
    };
}

export function readNpy(bytes) {
    const {start, little, code, fortran, shape} = header(bytes);
    const [dtype, width, read] = TYPES[code];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const n = shape.reduce((a, b) => a * b, 1);
    const complex = code.startsWith("c");
    const data = new Float64Array(n);
    const imag = complex ? new Float64Array(n) : null;
    const exact = new Map();
    const target = fortran ? rowMajor(shape) : (k) => k;
    const step = complex ? 2 * width : width;
    for (let k = 0, at = start; k < n; k++, at += step) {
        const i = target(k);
        const x = read(view, at, little);
        data[i] = Number(x);
        if (typeof x === "bigint" && !Number.isSafeInteger(data[i])) exact.set(i, String(x));
        if (complex) imag[i] = read(view, at + width, little);
    }
    return {shape, dtype, data, imag, exact};
}

// Returns the members of an archive as a Map of name to bytes. Throws if one is compressed.
export function members(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
    if (end < 0) throw new Error("no zip archive");
    const found = new Map();
    let at = view.getUint32(end + 16, true);
    for (let i = view.getUint16(end + 10, true); i > 0; i--) {
        const length = view.getUint16(at + 28, true);
        const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
        if (view.getUint16(at + 10, true) !== 0) throw new Error(`${name} is compressed`);
        const local = view.getUint32(at + 42, true);
        const first = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
        found.set(name.replace(/\.npy$/, ""),
            bytes.subarray(first, first + view.getUint32(at + 24, true)));
        at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return found;
}
