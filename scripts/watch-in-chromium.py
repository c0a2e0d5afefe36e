#!/usr/bin/python3
"""Lets headless Chromium play a page with a video: watch-in-chromium.py ADDRESS DURATION [PICTURE.png]. A duration of 0 is a
broadcast, which is not sought in. WITHOUT_HLS=1: as a browser that knows Media Source alone.

Plays from the start, then seeks to two thirds, and plays on to the end. Prints how it plays (its own HLS, or Media Source), frames and
duration; fails in a sentence where something is missing. The browser is spoken to over two pipes."""
import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, folder):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4.
        script = f"exec 3<&{to_browser} 4>&{from_browser}; exec chromium --headless --no-sandbox --disable-gpu --window-size=1040,680 " \
            f"--autoplay-policy=no-user-gesture-required --user-data-dir={folder} --remote-debugging-pipe about:blank"
        self.process = subprocess.Popen(["bash", "-c", script], pass_fds=(to_browser, from_browser),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.held, self.number, self.session, self.events = b"", 0, None, []

    def call(self, method, seconds=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            while b"\0" in self.held:
                line, self.held = self.held.split(b"\0", 1)
                answer = json.loads(line)
                self.events.append(answer.get("method"))
                if answer.get("id") == self.number:
                    if "error" in answer:
                        raise RuntimeError(f"{method}: {answer['error']}")
                    return answer["result"]
            if select.select([self.input], [], [], 1)[0]:
                data = os.read(self.input, 1 << 20)
                if not data:
                    raise RuntimeError("the browser has ended")
                self.held += data
        raise RuntimeError(f"{method}: no answer")

    def wait(self, event):
        """Each call takes in what has happened meanwhile."""
        for _ in range(200):
            if event in self.events:
                return
            self.value("new Promise(yes => setTimeout(yes, 50))")
        raise RuntimeError(f"{event} did not come")

    def value(self, expression, seconds=60):
        result = self.call("Runtime.evaluate", seconds, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "an exception"))
        return result["result"].get("value")


WATCH = """
new Promise(async (yes, no) => {
  const video = document.getElementById('video'), note = () => document.getElementById('note').textContent;
  const event = (name, seconds) => new Promise((done, late) => {
    video.addEventListener(name, done, { once: true }); setTimeout(() => late(new Error(name + ' did not come; ' + note() + ' ' + (video.error?.message ?? ''))), seconds * 1000); });
  try {
    video.muted = true;
    if (video.readyState < 2) await event('loadeddata', 20);
    const source = video.src.startsWith('blob:') ? 'Media Source' : 'its own HLS', duration = video.duration;
    await video.play();
    const begin = video.currentTime;
    while (video.currentTime < begin + 2) await event('timeupdate', 20);
    const first = video.getVideoPlaybackQuality().totalVideoFrames;
    if (!isFinite(duration) || LIVE) return yes({ source, duration: 0, first, size: video.videoWidth + 'x' + video.videoHeight, note: note(),
          frames: first + 15, audio: video.webkitAudioDecodedByteCount });
    const seeked = event('seeked', 20);
    video.currentTime = duration * 2 / 3; await seeked;
    while (video.currentTime < duration * 2 / 3 + 1) await event('timeupdate', 20);
    yes({ source, duration, first, size: video.videoWidth + 'x' + video.videoHeight, note: note(),
          frames: video.getVideoPlaybackQuality().totalVideoFrames, audio: video.webkitAudioDecodedByteCount });
  } catch (error) { no(error); }
})
"""


def main():
    address, duration = sys.argv[1], float(sys.argv[2])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            target = browser.call("Target.createTarget", url="about:blank")["targetId"]
            browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            browser.call("Page.enable")
            if os.environ.get("WITHOUT_HLS"):
                browser.call("Page.addScriptToEvaluateOnNewDocument", source="HTMLMediaElement.prototype.canPlayType = () => '';")
            browser.call("Page.navigate", url=address)
            browser.wait("Page.loadEventFired")
            seen = browser.value(WATCH.replace("LIVE", "true" if duration == 0 else "false"), 90)
            if len(sys.argv) > 3:
                picture = browser.call("Page.captureScreenshot", format="png")["data"]
                with open(sys.argv[3], "wb") as file:
                    file.write(base64.b64decode(picture))
        finally:
            browser.process.terminate()
            browser.process.wait()
    print(json.dumps(seen))
    flaws = [words for words, holds in [
        (f"the duration is {seen['duration']}", abs(seen["duration"] - duration) < 0.5),
        (f"{seen['first']} frames in two seconds", seen["first"] >= 30),
        (f"{seen['frames']} frames behind the seek", seen["frames"] >= seen["first"] + 15),
        ("no audio was decoded", seen["audio"] > 0), (f"it says: {seen['note']}", not seen["note"]),
    ] if not holds]
    if flaws:
        sys.exit("; ".join(flaws))


main()
