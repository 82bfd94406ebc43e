// header.js - the header of the pages at / and /docs: colour scheme, token, and the link that skips the
// navigation.

import {startTheme, themeSwitch} from "./theme.js";
import {tokenButton} from "./token.js";

export function startHeader() {
    startTheme();
    document.getElementById("theme").append(themeSwitch());
    const showToken = tokenButton(document.getElementById("token"));
    window.addEventListener("tokenchange", showToken);
    document.querySelector(".skip").addEventListener("click", (event) => {
        event.preventDefault();
        document.getElementById("main").focus();
    });
}
