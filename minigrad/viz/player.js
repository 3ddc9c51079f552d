(function () {
    "use strict";

    function numbers(text) {
        return text ? text.split(" ") : [];
    }

    function start(root) {
        const find = (selector) => root.querySelector(selector);
        const slides = Array.from(root.querySelectorAll(".mgp-steps > li"));
        const graphs = Array.from(root.querySelectorAll(".mgp-graph"));
        const controls = find(".mgp-controls"), slider = find("input[type=range]"), speed = find("select"), output = find("output");
        const button = (name) => find("button[data-do=" + name + "]");
        const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
        let at = 0, timer = null;

        // What has run before, what runs now, what is still to come: in the picture of one pass, up to the slide.
        function light(graph, slide) {
            const state = {}, passed = slides.slice(0, slide + 1).filter((li) => graphs[li.dataset.graph] === graph);
            passed.forEach(function (li) {
                const word = li === slides[slide] ? "now" : "done";
                numbers(li.dataset.vertices).forEach((v) => { state["v" + v] = word; });
                numbers(li.dataset.edges).forEach((e) => { state["e" + e] = word; });
            });
            graph.querySelectorAll(".mg-vertex").forEach((g, i) => { g.dataset.state = state["v" + i] || "todo"; });
            graph.querySelectorAll(".mg-route, .mg-gap, .mg-label").forEach((e) => { e.dataset.state = state["e" + e.dataset.edge] || "todo"; });
        }

        // Scroll the picture's own box, never the page.
        function reveal(graph) {
            const node = graph.querySelector(".mg-vertex[data-state=now]");
            if (!node || (graph.scrollHeight <= graph.clientHeight && graph.scrollWidth <= graph.clientWidth)) {
                return;
            }
            const box = graph.getBoundingClientRect(), spot = node.getBoundingClientRect();
            graph.scrollTo({
                left: graph.scrollLeft + spot.left - box.left - (box.width - spot.width) / 2,
                top: graph.scrollTop + spot.top - box.top - (box.height - spot.height) / 2,
                behavior: calm.matches ? "auto" : "smooth",
            });
        }

        function show(i, quietly) {
            at = Math.max(0, Math.min(slides.length - 1, i));
            const slide = slides[at], graph = graphs[slide.dataset.graph];
            slides.forEach((li) => { li.hidden = li !== slide; });
            graphs.forEach((g) => { g.hidden = g !== graph; });
            light(graph, at);
            slider.value = at;
            output.textContent = at + 1 + " / " + slides.length;
            slider.setAttribute("aria-valuetext", output.textContent + ", " + slide.querySelector(".mgp-title").textContent);
            find(".mgp-name").textContent = graph.dataset.title;
            ["first", "back"].forEach((name) => button(name).setAttribute("aria-disabled", at === 0));
            ["next", "last"].forEach((name) => button(name).setAttribute("aria-disabled", at === slides.length - 1));
            reveal(graph);
            if (!quietly) {
                find(".mgp-said").textContent = slide.dataset.said;
            }
        }

        function pause() {
            window.clearTimeout(timer);
            timer = null;
            draw();
        }

        function draw() {
            button("play").querySelector("path").setAttribute("d", timer === null ? controls.dataset.play : controls.dataset.pause);
            button("play").setAttribute("aria-pressed", timer !== null);
        }

        function wait() {
            timer = window.setTimeout(function () {
                show(at + 1);
                if (at === slides.length - 1) {
                    pause();
                } else {
                    wait();
                }
            }, 1600 / speed.value);
        }

        function play() {
            if (timer !== null) {
                pause();
                return;
            }
            if (at === slides.length - 1) {
                show(0);
            }
            wait();
            draw();
        }

        function go(i) {
            pause();
            show(i);
        }

        const todo = {
            first: () => go(0), back: () => go(at - 1), play: play, next: () => go(at + 1), last: () => go(slides.length - 1),
        };
        const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };

        root.addEventListener("click", function (event) {
            const pressed = event.target.closest("button[data-do]");
            if (pressed) {
                todo[pressed.dataset.do]();
            }
        });
        root.addEventListener("keydown", function (event) {
            const own = event.target.closest("select, input, .mgp-graph") || (event.key === " " && event.target.closest("button"));
            if (keys[event.key] && !own && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) {
                event.preventDefault();
                event.stopPropagation();
                todo[keys[event.key]]();
            }
        });
        slider.addEventListener("input", () => go(Number(slider.value)));
        controls.hidden = false;
        draw();
        root.dataset.ready = "";
        show(0, true);
    }

    document.querySelectorAll(".minigrad-player:not([data-ready])").forEach(start);
})();
