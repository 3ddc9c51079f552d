(function () {
    "use strict";

    function numbers(text) {
        return text ? text.split(" ") : [];
    }

    // ------------------------------------------------------------------ answers

    // "[[1, 2], [3, 1/4]]", or without brackets "1, 2": the numbers one after the other, their shape, and how many
    // decimals each was typed with. Null if it cannot be read.
    function read(typed) {
        const text = typed.replace(/[\u2212\u2013]/g, "-").trim(), found = { numbers: [], decimals: [], shape: null };
        const parts = text.match(/[[\]]|[^\s,;[\]()]+/g) || [];
        let at = 0;
        function number(part) {
            const fraction = part.match(/^([^/]+)\/([^/]+)$/);
            if (fraction) {
                return Number(fraction[1]) / Number(fraction[2]);
            }
            return /^[-+]?(inf|infinity)$/i.test(part) ? Infinity * (part[0] === "-" ? -1 : 1) : Number(part);
        }
        // The shape of the part that begins here; all entries of a list must have the same.
        function part() {
            if (parts[at] !== "[") {
                const value = number(parts[at]), decimals = parts[at].match(/\.(\d+)$/);
                if (Number.isNaN(value) && !/^nan$/i.test(parts[at])) {
                    throw new SyntaxError("not a number");
                }
                found.numbers.push(value);
                found.decimals.push(/^[-+]?\d*\.?\d*$/.test(parts[at]) ? (decimals ? decimals[1].length : 0) : 9);
                at += 1;
                return [];
            }
            const shapes = [];
            for (at += 1; parts[at] !== "]"; ) {
                if (at >= parts.length) {
                    throw new SyntaxError("a bracket is open");
                }
                shapes.push(part());
            }
            at += 1;
            if (shapes.some((shape) => String(shape) !== String(shapes[0]))) {
                throw new SyntaxError("rows of different lengths");
            }
            return [shapes.length].concat(shapes[0] || []);
        }
        try {
            if (text.includes("[")) {
                found.shape = part();
            } else {
                while (at < parts.length) {
                    part();
                }
            }
        } catch (error) {
            return null;
        }
        return at === parts.length && (at > 0 || typed.trim() !== "") ? found : null;
    }

    // Equal, or what a person who rounds would type: two significant digits are enough.
    function near(typed, decimals, number) {
        if (Number.isNaN(number) || !Number.isFinite(number)) {
            return Object.is(typed, number);
        }
        const rounding = 0.5 * Math.pow(10, -decimals), enough = Math.abs(typed) >= Math.pow(10, 1 - decimals);
        return Math.abs(typed - number) <= Math.max(1e-3 * Math.abs(number), 1e-6, enough && decimals ? 1.001 * rounding : 0);
    }

    function same(a, b) {
        return a.length === b.length && a.every((each, i) => each === b[i]);
    }

    function shapeInWords(shape) {
        return "(" + shape.join(", ") + (shape.length === 1 ? ",)" : ")");
    }

    // What is said of numbers that are no known mistake: a constant factor, or how many are right.
    function otherwise(question, typed, right) {
        const pairs = typed.numbers.map((number, i) => [number, right[i]]).filter((pair) => pair[1] !== 0);
        const factor = pairs.length ? pairs[0][0] / pairs[0][1] : 0;
        const simple = [factor, 1 / factor].some((each) => Math.abs(each - Math.round(each)) < 2e-3 && Math.abs(each) < 10.5);
        if (Number.isFinite(factor) && factor !== 0 && (simple || pairs.length > 1) && typed.numbers.every((number, i) => Math.abs(number - factor * right[i]) <= 1e-3 * Math.abs(number))) {
            return (typed.numbers.length > 1 ? "every number" : "it") + " is " + Number(factor.toPrecision(4)) + " times what it should be";
        }
        const fit = typed.numbers.filter((number, i) => near(number, typed.decimals[i], right[i])).length;
        if (fit) {
            return fit + " of " + right.length + " numbers " + (fit === 1 ? "is" : "are") + " right";
        }
        return question.hint ? "the formula is " + question.hint : "look at what arrives";
    }

    // {right, words}; right is null if the answer cannot be read.
    function judge(question, text) {
        const typed = read(question.kind === "shape" ? text.replace(/[x\u00d7()]/gi, " ") : text), right = question.answers[0];
        if (question.kind === "shape") {
            if (text.trim() === "" || !typed && !/^\s*\(\s*\)\s*$/.test(text) || typed && typed.shape) {
                return { right: null, words: "a shape is written like (2, 3), and () is that of a single number" };
            }
            const shape = typed ? typed.numbers : [], known = question.answers.find((answer) => same(answer.shape, shape));
            return known ? { right: known.right, words: known.why }
                : { right: false, words: "a gradient has the shape of the tensor that it is the gradient of" };
        }
        if (!typed) {
            return { right: null, words: "write " + example(question) };
        }
        const numbers = question.answers.map((answer) => answer.numbers.map((each) => Number(each.replace("inf", "Infinity"))));
        const fits = (answer, i) => (typed.shape === null ? typed.numbers.length === numbers[i].length : same(typed.shape, answer.shape))
            && typed.numbers.every((number, j) => near(number, typed.decimals[j], numbers[i][j]));
        const known = question.answers.find(fits);
        if (known) {
            return { right: known.right, words: known.why };
        }
        if (typed.numbers.length !== numbers[0].length || (typed.shape !== null && !same(typed.shape, right.shape))) {
            const shape = typed.shape === null ? typed.numbers.length + " number" + (typed.numbers.length === 1 ? "" : "s") : "the shape " + shapeInWords(typed.shape);
            return { right: false, words: "this has " + shape + ", and the answer has the shape " + shapeInWords(right.shape) };
        }
        return { right: false, words: otherwise(question, typed, numbers[0]) };
    }

    function example(question) {
        let n = 0;
        const list = (shape) => shape.length ? "[" + Array.from({ length: shape[0] }, () => list(shape.slice(1))).join(", ") + "]" : String(++n);
        if (question.kind === "shape") {
            return "a shape, such as (2, 3)";
        }
        return question.shape.length === 0 ? "one number, such as 0.5" : "numbers of shape " + shapeInWords(question.shape) + ", such as " + list(question.shape);
    }

    function make(tag, attributes, text) {
        const made = document.createElement(tag);
        Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
        made.textContent = text || "";
        return made;
    }

    // ------------------------------------------------------------------ the player

    function start(root) {
        const find = (selector) => root.querySelector(selector);
        const slides = Array.from(root.querySelectorAll(".mgp-steps > li"));
        const graphs = Array.from(root.querySelectorAll(".mgp-graph"));
        const controls = find(".mgp-controls"), slider = find("input[type=range]"), speed = find("select"), output = find("output");
        const button = (name) => find("button[data-do=" + name + "]");
        const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
        const quizzes = slides.map((li) => JSON.parse(li.dataset.ask || "[]").map((question) => ({ ...question, open: true, tries: 0, right: false, given: [] })));
        let at = 0, timer = null, form = null, asking = quizzes.some((quiz) => quiz.length);

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
            unanswered(slide).forEach(function (question) {
                graph.querySelectorAll('.mg-label[data-edge="' + question.edge + '"]').forEach((e) => { e.dataset.state = "todo"; });
            });
        }

        function unanswered(slide) {
            return asking ? quizzes[slide].filter((question) => question.open) : [];
        }

        // Hide what answers an open question, and ask the first of them.
        function ask(verdict) {
            const slide = slides[at], [next] = unanswered(at);
            quizzes[at].forEach(function (question, n) {
                slide.querySelectorAll('[data-answers="' + n + '"]').forEach((row) => { row.hidden = asking && question.open; });
            });
            root.querySelectorAll(".mgp-form").forEach((each) => { each.hidden = !each.dataset.form.split(" ").includes(form) || next !== undefined; });
            root.querySelectorAll(".mgp-ask").forEach((old) => old.remove());
            if (!asking || !(next || verdict)) {
                return;
            }
            const box = make("div", { class: "mgp-ask" });
            if (verdict) {
                box.append(make("p", { class: verdict.right ? "mgp-right" : "mgp-shown" }, verdict.words));
            }
            if (next) {
                box.append(next.kind === "choice" ? choiceOf(next) : formOf(next));
            }
            slide.append(box);
        }

        function formOf(question) {
            const form = make("form", {}), label = make("label", {}, question.text), input = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
            label.append(make("span", { class: "mgp-format" }, question.kind === "shape" ? example(question) : example(question).replace(/^(one|n)/, (first) => "Write " + first)), input);
            form.append(label, make("button", { type: "submit" }, "Check"), shower(question), make("p", { class: "mgp-verdict" }));
            form.addEventListener("submit", function (event) {
                event.preventDefault();
                answered(question, input.value, judge(question, input.value), form);
                if (question.open) {
                    input.select();
                }
            });
            return form;
        }

        function choiceOf(question) {
            const form = make("div", { role: "group", "aria-label": question.text });
            form.append(make("p", {}, question.text));
            question.answers.forEach(function (answer) {
                const button = make("button", { type: "button", class: "mgp-choice" });
                button.append(make("code", {}, answer.text));
                button.addEventListener("click", () => answered(question, answer.text, { right: answer.right, words: answer.why }, form));
                form.append(button);
            });
            form.append(shower(question), make("p", { class: "mgp-verdict" }));
            return form;
        }

        function shower(question) {
            const button = make("button", { type: "button", class: "mgp-show" }, "Show me");
            button.addEventListener("click", function () {
                question.given.push("asked to be shown");
                close(question, { right: false, words: "Here it is." });
            });
            return button;
        }

        function answered(question, typed, verdict, form) {
            if (verdict.right) {
                question.right = question.tries === 0;
                question.given.push(typed + "    Right.");
                close(question, { right: true, words: "Right." });
                return;
            }
            question.tries += verdict.right === false ? 1 : 0;
            const words = (verdict.right === null ? "This cannot be read: " : "Not yet: ") + verdict.words + ".";
            question.given.push(typed + "    " + words);
            form.querySelector(".mgp-verdict").textContent = words;
            say(words);
        }

        // Show what answers the question, and go on to the next one, or to the button that steps.
        function close(question, verdict) {
            const slide = slides[at], n = quizzes[at].indexOf(question);
            question.open = false;
            ask(verdict);
            light(graphs[slide.dataset.graph], at);
            const [next] = unanswered(at), rows = Array.from(slide.querySelectorAll('[data-answers="' + n + '"]'));
            say([verdict.words, ...rows.map((row) => row.textContent), next ? next.text : ""].join(" "));
            focusOn(slide.querySelector(".mgp-ask input, .mgp-ask .mgp-choice") || button("next"));
        }

        function focusOn(element) {
            element.focus({ preventScroll: true });
        }

        function say(words) {
            find(".mgp-said").textContent = words;
        }

        function score() {
            const answers = quizzes.flat(), last = slides[slides.length - 1];
            last.querySelectorAll(".mgp-score, .mgp-record").forEach((old) => old.remove());
            if (asking) {
                const words = "Right at the first try: " + answers.filter((each) => each.right).length + " of " + answers.length + ".";
                last.append(make("p", { class: "mgp-score" }, words));
                if (answers.some((each) => each.given.length)) {
                    last.append(record(answers, words));
                }
            }
        }

        // A link that saves what was answered, as text. Whoever has the file can edit it, and it says so.
        function record(answers, words) {
            const lines = ["Predictions: " + root.getAttribute("aria-label").replace(/: a player\..*/, ""), "Saved on " + new Date().toISOString().slice(0, 16).replace("T", " ") + " UTC",
                "This text can be written by hand as well: it is there to talk about, and proves nothing.", ""];
            answers.forEach(function (question, n) {
                const given = question.given.length ? question.given : ["not answered"];
                lines.push(n + 1 + ". " + question.text, ...given.map((each) => "     " + each));
            });
            const text = lines.concat("", words, "").join("\n"), p = make("p", { class: "mgp-record" });
            p.append(make("a", { download: "predictions.txt", href: "data:text/plain;charset=utf-8," + encodeURIComponent(text) }, "Save my answers"));
            return p;
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
            score();
            ask();
            light(graph, at);
            slider.value = at;
            output.textContent = at + 1 + " / " + slides.length;
            slider.setAttribute("aria-valuetext", output.textContent + ", " + slide.querySelector(".mgp-title").textContent);
            find(".mgp-name").textContent = graph.dataset.title;
            ["first", "back"].forEach((name) => button(name).setAttribute("aria-disabled", at === 0));
            ["next", "last"].forEach((name) => button(name).setAttribute("aria-disabled", at === slides.length - 1));
            reveal(graph);
            if (!quietly) {
                const [open] = unanswered(at);
                say(open ? slide.querySelector(".mgp-title").textContent + ". " + open.text : slide.dataset.said);
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
                if (at === slides.length - 1 || unanswered(at).length) {
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
            const inside = root.contains(document.activeElement) && document.activeElement !== slider;
            pause();
            show(i);
            const input = find(".mgp-ask input");
            if (inside && input) {
                focusOn(input);
            }
        }

        function change() {
            asking = !asking;
            button("ask").setAttribute("aria-pressed", asking);
            go(at);
        }

        // The slide in another form, or without one if it is in this form already; not before its questions are answered.
        function turn(into) {
            form = form === into ? null : into;
            ["mathematics", "code"].forEach((name) => button(name).setAttribute("aria-pressed", name === form));
            show(at, true);
            const shown = Array.from(root.querySelectorAll(".mgp-form")).filter((each) => each.getClientRects().length);
            if (form) {
                say(shown.map((each) => each.innerText).join(" ") || "Nothing more here.");
            }
        }

        const todo = {
            mathematics: () => turn("mathematics"), code: () => turn("code"),
            first: () => go(0), back: () => go(at - 1), play: play, next: () => go(at + 1), last: () => go(slides.length - 1), ask: change,
        };
        const keys = { m: "mathematics", c: "code", Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };

        root.addEventListener("click", function (event) {
            const pressed = event.target.closest("button[data-do]");
            if (pressed) {
                todo[pressed.dataset.do]();
            }
        });
        root.addEventListener("keydown", function (event) {
            const typing = event.target.closest(".mgp-ask input"), button = event.key === " " && event.target.closest("button");
            const own = button || (typing ? typing.value !== "" || event.key.length === 1 : event.target.closest("select, input, .mgp-graph"));
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
