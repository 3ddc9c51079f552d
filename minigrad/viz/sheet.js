(function () {
    "use strict";

    function start(root) {
        const button = root.querySelector("button"), text = root.querySelector(".mgs-text");
        const say = (words) => { root.querySelector("[role=status]").textContent = words; };

        // Where a page may not write to the clipboard, the text is selected, for the reader's own keys.
        function select() {
            text.hidden = false;
            window.getSelection().selectAllChildren(text);
            say(document.execCommand("copy") ? "Copied." : "Selected: copy it now.");
        }

        button.addEventListener("click", function () {
            if (navigator.clipboard) {
                navigator.clipboard.writeText(text.textContent).then(() => say("Copied."), select);
            } else {
                select();
            }
        });
        button.hidden = false;
        root.dataset.ready = "";
    }

    document.querySelectorAll(".minigrad-sheet:not([data-ready])").forEach(start);
})();
