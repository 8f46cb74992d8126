"""A browser without a window, asked over a pipe by the protocol of its developer tools: no other package is needed.

One process serves all pages of a test. What a page writes to its console, which errors it throws and what it asks for is kept.
"""

import base64
import json
import os
import select
import subprocess
import tempfile
import time

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--mute-audio", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND",
             "--remote-debugging-pipe"]
MOST_SECONDS = 240


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        to_it, self.input = os.pipe()
        self.output, from_it = os.pipe()
        command = ["bash", "-c", f'exec "$@" 3<&{to_it} 4>&{from_it}', "browser", program, *ARGUMENTS, f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(to_it, from_it), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_it)
        os.close(from_it)
        self.waiting, self.last, self.events = b"", 0, []
        self.session = None

    def close(self):
        try:
            self.ask("Browser.close", session=None)
        except (BrowserError, OSError):
            self.process.kill()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def ask(self, method, session="", **parameters):
        """The answer to one command; events that come before it are kept."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if session is not None and (session or self.session):
            message["sessionId"] = session or self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.input, text):]
        deadline = time.monotonic() + MOST_SECONDS
        while True:
            answer = self.read(deadline)
            if answer is None:
                raise BrowserError(f"no answer to {method}")
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def read(self, deadline):
        while b"\0" not in self.waiting:
            ready, _, _ = select.select([self.output], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return None
            part = os.read(self.output, 1 << 20)
            if not part:
                raise BrowserError("the browser has ended")
            self.waiting += part
        text, _, self.waiting = self.waiting.partition(b"\0")
        return json.loads(text)

    def wait_for(self, method):
        deadline = time.monotonic() + MOST_SECONDS
        while True:
            for i, event in enumerate(self.events):
                if event["method"] == method:
                    return self.events.pop(i)
            event = self.read(deadline)
            if event is None:
                raise BrowserError(f"{method} does not come")
            if "method" in event:
                self.events.append(event)

    def open(self, url, width, height=900, dark=False, paper=False, script=""):
        """A fresh tab with the page, loaded. `script` runs before those of the page."""
        if self.session:
            self.ask("Target.closeTarget", session=None, targetId=self.target)
        self.target = self.ask("Target.createTarget", session=None, url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", session=None, targetId=self.target, flatten=True)["sessionId"]
        self.events = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", media="print" if paper else "",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if script:
            self.ask("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.ask("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def evaluate(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def complaints(self, url):
        """What the page wrote, threw, and asked of others than itself since it was opened."""
        self.evaluate("0")
        told = []
        for event in self.events:
            data = event.get("params", {})
            if event["method"] == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning", "assert"):
                told.append("console: " + " ".join(str(one.get("value", one.get("description"))) for one in data["args"]))
            elif event["method"] == "Runtime.exceptionThrown":
                details = data["exceptionDetails"]
                told.append("error: " + details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded" and data["entry"]["level"] in ("error", "warning"):
                told.append("log: " + data["entry"]["text"])
            elif event["method"] == "Network.requestWillBeSent":
                asked = data["request"]["url"]
                if asked.split("#")[0] != url.split("#")[0] and not asked.startswith("data:"):
                    told.append("request: " + asked[:100])
        return told

    def picture(self):
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])

    def whole_picture(self):
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12000), "scale": 1}
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"])

    def print(self):
        """The bytes of a PDF on A4."""
        margin = 15 / 25.4
        return base64.b64decode(self.ask("Page.printToPDF", paperWidth=210 / 25.4, paperHeight=297 / 25.4, marginTop=margin, marginBottom=margin,
                                         marginLeft=margin, marginRight=margin, printBackground=True)["data"])
