(function () {
    "use strict";

    const player = document.querySelector(".minigrad-player"), slides = Array.from(player.querySelectorAll(".mgp-steps > li"));
    const graphs = Array.from(player.querySelectorAll(".mgp-graph")), slider = player.querySelector("input[type=range]");
    const keys = { ArrowRight: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };

    // A sheet for each slide: its words, all of them, and the picture as the player lights it there.
    function print() {
        const sheets = document.createElement("div"), at = slider.value;
        sheets.className = "mgp-sheets";
        slides.forEach(function (slide, i) {
            const sheet = player.cloneNode(false), words = slide.cloneNode(true);
            step(i);
            const name = player.querySelector(".mgp-name").cloneNode(true);
            const graph = graphs[slide.dataset.graph].querySelector("svg").cloneNode(true);
            graph.querySelectorAll(".mg-label").forEach((label) => {
                label.dataset.state = graph.querySelector('.mg-route[data-edge="' + label.dataset.edge + '"]').dataset.state;
            });
            words.querySelectorAll(".mgp-ask, .mgp-score, .mgp-record").forEach((part) => part.remove());
            [words, ...words.querySelectorAll("[hidden]:not(.mgp-form)")].forEach((part) => { part.hidden = false; });
            ["tabindex", "role", "aria-label"].forEach((name) => sheet.removeAttribute(name));
            sheet.setAttribute("aria-hidden", "true");
            sheet.classList.add("mgp-sheet");
            sheet.append(name, graph, words);
            sheets.append(sheet);
        });
        step(at);
        document.body.append(sheets);
    }

    function step(i) {
        slider.value = i;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    }

    // The next key answers an open question, and only the one after that goes on.
    function go(by) {
        const open = player.querySelector(".mgp-ask .mgp-show");
        if (by === 1 && open) {
            open.click();
            document.activeElement.blur();
        } else {
            step(Math.max(0, Math.min(slides.length - 1, Number(slider.value) + by)));
        }
    }

    document.addEventListener("keydown", function (event) {
        const own = event.target.closest("input[type=text], select") || ([" ", "Enter"].includes(event.key) && event.target.closest("button"));
        if (keys[event.key] && !own && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) {
            event.preventDefault();
            event.stopPropagation();
            go(keys[event.key]);
        }
    }, true);
    print();
})();
