/* The order of search results: lessons first, then the reference, notes, and last the sources.
   Sphinx gives each result a score; here the kind of its page is added to it. */
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,

  // [the beginning of a page's name, what is added, what is added if a title has the word]
  places: [
    ["tutorials/", 20, 60],
    ["homework/", 20, 50],
    ["reference/", 15, 20],
    ["errors/", 10, 15],
    ["notes/", 10, 15],
    ["reading/", -50, -50],
    ["changelog", -50, -50],
  ],

  score: ([page, title, anchor, description, score, file, kind]) => {
    const place = Scorer.places.find(([beginning]) => page.startsWith(beginning));
    if (!place) return score;
    const inTitle = kind === "title" || (kind === "text" && score >= Scorer.partialTitle);
    return score + place[inTitle ? 2 : 1];
  },
};
