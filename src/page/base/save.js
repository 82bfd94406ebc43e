// save.js - saves bytes or text as a file, and copies text to the clipboard.

import {el} from "./dom.js";
import {announce} from "./notice.js";

export function save(name, parts, type) {
    const address = URL.createObjectURL(new Blob([parts], {type}));
    el("a", {href: address, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Makes a block of code with a button that copies it.
export function codeBlock(label, text) {
    const button = el("button", {class: "quiet copy", type: "button", onclick: async () => {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
        announce("Copied");
        setTimeout(() => (button.textContent = "Copy"), 1500);
    }}, "Copy");
    return el("div", {class: "code"}, el("pre", {tabindex: "0", "aria-label": label},
        el("code", {}, text)), button);
}
