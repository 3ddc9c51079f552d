/* Stop interrupts a cell through memory that the page shares with its worker, and browsers share memory only on pages
   that two headers isolate from other sites.  Some servers cannot send headers of one's own; there this file does.

   It is two scripts in one.  On a page it registers itself as a service worker for the folder that it is in, and loads
   the page once more when that worker has taken over.  As a service worker it passes on what the server answers, with
   the two headers.  Where the server sends them, it does nothing. */
"use strict";

(() => {
  const HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
  };

  async function answer(request) {
    const response = await fetch(request);
    if (response.status === 0) return response;                 // a redirect, which the browser follows itself
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
    const { status, statusText } = response;
    return new Response([204, 205, 304].includes(status) ? null : response.body, { status, statusText, headers });
  }

  if (typeof document === "undefined") {
    self.addEventListener("install", () => self.skipWaiting());
    self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
    self.addEventListener("fetch", (event) => {
      const { request } = event;
      if (new URL(request.url).origin !== self.location.origin) return;
      if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
      event.respondWith(answer(request));
    });
    return;
  }

  if (window.crossOriginIsolated || !window.isSecureContext || !navigator.serviceWorker) return;
  const TRIED = "minigrad isolation";
  const again = () => {
    try {
      if (sessionStorage.getItem(TRIED) === location.pathname) return;        // once: some browsers stay as they are
      sessionStorage.setItem(TRIED, location.pathname);
    } catch {
      return;
    }
    location.reload();
  };
  if (navigator.serviceWorker.controller) again();
  else navigator.serviceWorker.addEventListener("controllerchange", again, { once: true });
  navigator.serviceWorker.register(document.currentScript.src).catch(() => {});       // cells run all the same
})();
