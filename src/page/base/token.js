// token.js - the bearer token of a service that requires one. It is kept in sessionStorage, which ends
// with the tab. All requests that need a token wait for the same dialog.

import {el, field, replace} from "./dom.js";

const KEY = "linalgd-token";
let asking = null;

export function token() {
    return sessionStorage.getItem(KEY);
}

export function forgetToken() {
    sessionStorage.removeItem(KEY);
}

function makeDialog(refused, answer) {
    const input = el("input", {type: "password", required: true, autocomplete: "off",
        spellcheck: "false"});
    const form = el("form", {method: "dialog", onsubmit: (event) => {
        event.preventDefault();
        answer(input.value.trim());
    }},
    el("h2", {id: "token-title"}, "Token"),
    el("p", {}, refused ? "The service does not accept this token."
        : "This service answers requests only with one of its tokens."),
    field("Token", input, "It is kept until this tab is closed."),
    el("div", {class: "actions"}, el("button", {class: "primary"}, "Use this token"),
        el("button", {type: "button", onclick: () => answer(null)}, "Not now")));
    return el("dialog", {"aria-labelledby": "token-title", oncancel: () => answer(null)}, form);
}

// Asks the reader for a token; resolves to true when one is entered. refused: the last one was wrong.
export function askForToken(refused) {
    asking ||= new Promise((resolve) => {
        const dialog = makeDialog(refused, (given) => {
            if (given) sessionStorage.setItem(KEY, given);
            dialog.close();
            dialog.remove();
            asking = null;
            window.dispatchEvent(new Event("tokenchange"));
            resolve(Boolean(given));
        });
        document.body.append(dialog);
        dialog.showModal();
    });
    return asking;
}

// Makes the button for the header that forgets the token; it is shown while a token is in use.
export function tokenButton(place) {
    const show = () => replace(place, token() && el("button", {class: "quiet", onclick: () => {
        forgetToken();
        location.reload();
    }}, "Forget token"));
    show();
    return show;
}
