/* Code cells that run in the page.  Where the site is served with what `make live` builds, in the folder live/ beside
   the scripts, each cell of a tutorial gets Run and Edit, each exercise gets Run, Edit and Check, and a page of homework
   an editor and Check.  Elsewhere, and in a page that is opened as a file, nothing is added.
   The browser keeps what is changed, and which exercises were right: they have a tick.

   Python comes with the first Edit or Run, in a worker (live-worker.js); the cells of a page share its variables.  The
   rest is in modules, live-page.js first: a page that is opened as a file can load none. */
"use strict";

if (/^https?:$/.test(location.protocol)) import(new URL("live-page.js", document.currentScript.src));
