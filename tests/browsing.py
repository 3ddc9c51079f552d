"""A Chromium that is started once for all tests of a process, and asked through the protocol of its DevTools.

To start it takes a second of the processor, and most tests on a page less than a tenth of that. The tab stays
too; what a page has kept there is removed, so that no test meets what another has left.
"""

import contextlib
import fcntl
import functools
import json
import os
import socket
import subprocess
import time
import urllib.parse

OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-features=BackForwardCache",
           "--allow-file-access-from-files", "--disable-popup-blocking", "--remote-debugging-pipe")
#: The files by which a Chromium is asked, and by which it answers.
ASKED, ANSWERED = 3, 4
SECONDS = 120


@functools.cache
def chromium(path, folder):
    """The one of this process, which keeps in ``folder`` what it keeps."""
    return Chromium(path, folder)


class Chromium:
    """It starts when the first page is opened, and ends with the process that has started it."""

    def __init__(self, path, folder):
        self.path, self.folder, self.process, self.asked = path, folder, None, 0

    def start(self):
        self.channel, theirs = socket.socketpair()
        self.unread, self.tabs = bytearray(), {}

        def place():
            """In the new process: put the channel where it is looked for."""
            high = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, ANSWERED + 1)
            os.dup2(high, ASKED)
            os.dup2(high, ANSWERED)

        self.process = subprocess.Popen(
            [self.path, *OPTIONS, f"--user-data-dir={self.folder}"], close_fds=False, preexec_fn=place,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        theirs.close()

    def close(self):
        if self.process:
            self.channel.close()
            self.process.wait(SECONDS)
            self.process = None

    @contextlib.contextmanager
    def page(self, address, width=1000, height=800, virtual=False, still=False):
        """A `Page` that is being loaded. Its clock can be ``virtual``: where nothing happens until a time, it is that
        time at once; and ``still`` is what readers ask for whom nothing is to move."""
        if self.process is None or self.process.poll() is not None:
            self.close()
            self.start()
        page = self.tabs.get(virtual) or self.tab()
        self.tabs[virtual] = None               # unless all goes well
        page.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-reduced-motion", "value": "reduce" if still else ""}])
        if virtual:                 # not before the page is there: the empty one has no other way to spend it
            page.ask("Emulation.setVirtualTimePolicy", policy="pause")
        page.events.clear()
        page.loader = page.ask("Page.navigate", url=address)["loaderId"]
        if virtual:
            page.ask("Emulation.setVirtualTimePolicy", policy="pauseIfNetworkFetchesPending", budget=1000 * SECONDS)
        try:
            yield page
            page.ask("Runtime.evaluate", expression="sessionStorage.clear(); name = ''")
            page.ask("Page.navigate", url="about:blank")
            page.ask("Storage.clearDataForOrigin", origin=origin_of(address), storageTypes="all")
            self.tabs[virtual] = page
        finally:
            if self.tabs[virtual] is None:
                self.ask("Target.closeTarget", targetId=page.target)

    def tab(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        page = Page(self, target, self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        page.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        page.ask("Page.enable")
        page.ask("Page.setLifecycleEventsEnabled", enabled=True)
        page.ask("Runtime.enable")
        page.ask("Runtime.addBinding", name="tell")
        return page

    def ask(self, method, session=None, events=None, **parameters):
        """What it answers; the events that it tells of meanwhile are added to a list."""
        self.asked += 1
        question = {"id": self.asked, "method": method, "params": parameters}
        self.channel.settimeout(SECONDS)
        self.channel.sendall(json.dumps(question | ({"sessionId": session} if session else {})).encode() + b"\0")
        while (told := self.told()).get("id") != self.asked:
            if events is not None:
                events.append(told)
        assert "error" not in told, f"{method}: {told['error']}"
        return told["result"]

    def told(self):
        """What it says next."""
        while b"\0" not in self.unread:
            more = self.channel.recv(1 << 20)
            assert more, "Chromium has ended"
            self.unread += more
        said, _, self.unread = self.unread.partition(b"\0")
        return json.loads(said)


def origin_of(address):
    parts = urllib.parse.urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


class Page:
    def __init__(self, browser, target, session):
        self.browser, self.target, self.session, self.events = browser, target, session, []

    def ask(self, method, **parameters):
        return self.browser.ask(method, self.session, self.events, **parameters)

    def event(self, method, **parameters):
        """The first event of this name on the page that has these parameters, for which it waits."""
        until = time.monotonic() + SECONDS
        while True:
            for event in self.events:
                if event["method"] == method and event.get("sessionId") == self.session and (
                        parameters.items() <= event["params"].items()):
                    return event["params"]
            self.browser.channel.settimeout(max(until - time.monotonic(), 0.001))
            self.events = [self.browser.told()]

    def has_loaded(self):
        """Wait until it is there, and not the one that was shown before."""
        self.event("Page.lifecycleEvent", name="load", loaderId=self.loader)

    def said(self):
        """What the page tells by ``tell(text)``."""
        return self.event("Runtime.bindingCalled")["payload"]
