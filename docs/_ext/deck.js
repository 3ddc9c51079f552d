// A key shows the next thing: an answer, a step of a player, the next slide. Without this script the page is a list of
// slides with their notes. The speaker's window is the same page, opened by this one, which tells it where it is.
(function () {
    "use strict";

    const sheets = Array.from(document.querySelectorAll(".sheet")), body = document.body;
    const speaking = location.search === "?speaker";
    const keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -Infinity, End: Infinity };
    let at = Math.max(0, Math.min(sheets.length, parseInt(location.hash.slice(1), 10) || 1) - 1);
    let speaker = null, began = null;

    function part(sheet, selector) { return sheet.querySelector(selector); }

    function slider(sheet) { return part(sheet, ".minigrad-player input[type=range]"); }

    function move(range, value) {
        range.value = value;
        range.dispatchEvent(new Event("input", { bubbles: true }));
    }

    // What the next keys show, in order: what was printed, a question, its answer.
    function held(sheet) { return Array.from(sheet.querySelectorAll(".held")); }

    function unfold(sheet, count) {
        held(sheet).forEach((each, i) => { each.classList.toggle("waiting", i >= count); });
    }

    function opened(sheet) { return held(sheet).filter((each) => !each.classList.contains("waiting")).length; }

    function show(i, complete) {
        sheets[at].classList.remove("current");
        at = i;
        sheets[at].classList.add("current");
        const range = slider(sheets[at]);
        if (range) { move(range, complete ? range.max : range.min); }
        unfold(sheets[at], complete ? Infinity : 0);
        if (!speaking) { history.replaceState(null, "", "#" + (at + 1)); }
        tell();
    }

    // What a key shows is the least that is new.
    function go(by) {
        const sheet = sheets[at], range = slider(sheet), asked = part(sheet, ".mgp-ask .mgp-show"), count = opened(sheet);
        if (Math.abs(by) === Infinity) {
            show(by > 0 ? sheets.length - 1 : 0, false);
        } else if (by > 0 && asked) {
            asked.click();
        } else if (by < 0 && range && count > 0) {
            unfold(sheet, count - 1);
        } else if (range && (by > 0 ? Number(range.value) < Number(range.max) : Number(range.value) > Number(range.min))) {
            move(range, Number(range.value) + by);
        } else if (by > 0 && count < held(sheet).length) {
            unfold(sheet, count + 1);
        } else if (at + by >= 0 && at + by < sheets.length) {
            show(at + by, by < 0);
            return;
        }
        tell();
    }

    function tell() {
        if (speaker && !speaker.closed) {
            const range = slider(sheets[at]);
            speaker.postMessage({ at, step: range && range.value, opened: opened(sheets[at]) }, "*");
        }
        if (speaking) { notes(); }
    }

    // Programs and what they print are set smaller, down to a limit, until their slide has room for them.
    function setSmaller(slide) {
        const texts = Array.from(slide.querySelectorAll("pre")), foot = part(slide, "footer").getBoundingClientRect().top;
        const last = () => Math.max(...Array.from(slide.querySelectorAll(".body > *, .ask")).map((each) => each.getBoundingClientRect().bottom));
        for (let size = 21; size > 14 && (last() > foot || texts.some((text) => text.scrollWidth > text.clientWidth)); size -= 0.5) {
            slide.style.setProperty("--code", size + "px");
        }
    }

    function fit() {
        const width = speaking ? (innerWidth - 56) * 1.1 / 2.1 : innerWidth, height = speaking ? innerHeight - 32 : innerHeight;
        body.style.setProperty("--scale", Math.min(width / 1280, height / 720));
    }

    // ------------------------------------------------------------------------------ the speaker's window

    function notes() {
        const told = document.querySelector(".told"), following = sheets[at + 1];
        told.querySelector(".text").replaceChildren(part(sheets[at], ".notes").cloneNode(true));
        told.querySelector(".next").textContent = following ? "Next: " + part(following, "h2").textContent : "The last slide";
        clock();
    }

    function clock() {
        const time = document.querySelector(".told .time"), gone = began === null ? 0 : (Date.now() - began) / 60000;
        const planned = Number(sheets[at].dataset.from) + Number(sheets[at].dataset.minutes);
        time.firstChild.textContent = Math.floor(gone) + ":" + String(Math.floor(gone * 60) % 60).padStart(2, "0");
        time.querySelector("small").textContent = " of " + planned + " minutes for what is shown";
        time.classList.toggle("late", gone > planned + 1);
    }

    function speak() {
        const told = document.createElement("div");
        body.classList.add("speaker");
        told.className = "told";
        told.innerHTML = '<p class="time">0:00<small></small></p><p class="next"></p><div class="text"></div>';
        body.append(told);
        setInterval(clock, 1000);
        addEventListener("message", function (event) {
            if (event.source !== opener) { return; }
            began = began === null && event.data.at > 0 ? Date.now() : began;
            show(event.data.at, false);
            if (event.data.step !== null) { move(slider(sheets[at]), event.data.step); }
            unfold(sheets[at], event.data.opened);
            notes();
        });
        opener.postMessage("ready", "*");
    }

    addEventListener("message", function (event) {
        if (speaker && event.source === speaker) {
            if (event.data === "ready") { tell(); } else { go(event.data); }
        }
    });

    // ------------------------------------------------------------------------------ keys

    document.addEventListener("keydown", function (event) {
        const own = event.target.closest("input[type=text], select") || ([" ", "Enter"].includes(event.key) && event.target.closest("button, a"));
        if (own || event.ctrlKey || event.metaKey || event.altKey) { return; }
        if (keys[event.key]) {
            event.preventDefault();
            event.stopPropagation();
            if (speaking) { opener.postMessage(keys[event.key], "*"); } else { go(keys[event.key]); }
        } else if (event.key === "n") {
            body.classList.toggle("with-notes");
        } else if (event.key === "f" && document.documentElement.requestFullscreen) {
            document.documentElement.requestFullscreen();
        } else if (event.key === "s" && !speaking) {
            speaker = open(location.pathname + "?speaker", "speaker", "width=1200,height=700");
        }
    }, true);

    // On paper all is open, and a player is at its last step.
    addEventListener("beforeprint", function () {
        sheets.map(slider).filter(Boolean).forEach((range) => move(range, range.max));
    });

    addEventListener("resize", fit);
    addEventListener("load", function () {
        document.querySelectorAll(".slide:not(.plays, .first)").forEach(setSmaller);
        body.classList.add("playing");
        body.classList.toggle("with-notes", location.search === "?notes");
        fit();
        if (speaking && opener) { speak(); }
        show(at, false);
    });
})();
