#!/usr/bin/env python3
"""Time to the first frame and number of requests of films behind http, beside mpv and ffplay.

    Benchmarks/network.py AETHERCTL [--repeats 5] [--rtt 0,50,200] [--seek SEEKBENCH] [--films FOLDER]

nginx on the loopback address serves the films and writes down every request; a proxy in front of it makes the round trips: half of one
for what goes either way, and one for a connection to be made. Each program ends by itself when it has its first frame; 10 s stand for
one that does not. Films are made
with ffmpeg in a temporary folder: 1080p H.264 with AAC in Matroska, the same in MP4 with its index at the end, and in MPEG-TS with a
hole in its midst that makes it 2 GB long. --seek also runs aether-bench-seek over the Matroska.
"""
import argparse
import asyncio
import os
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import threading
import time


def sh(*words, **more):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, **more)


def films(folder):
    mkv, mp4, ts = paths = [os.path.join(folder, n) for n in ("film.mkv", "film.mp4", "film.ts")]
    if all(os.path.exists(path) for path in paths):
        return paths
    sh("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=24:duration=120", "-f", "lavfi", "-i",
       "sine=frequency=440:duration=120", "-c:v", "libx264", "-preset", "ultrafast", "-g", "48", "-b:v", "6M", "-c:a", "aac", mkv)
    sh("ffmpeg", "-v", "error", "-i", mkv, "-c", "copy", mp4)
    head, tail = os.path.join(folder, "head"), os.path.join(folder, "tail")
    sh("ffmpeg", "-v", "error", "-i", mkv, "-c", "copy", "-t", "30", "-f", "mpegts", head)
    sh("ffmpeg", "-v", "error", "-i", mkv, "-c", "copy", "-t", "30", "-output_ts_offset", "3000", "-f", "mpegts", tail)
    size = 2 << 30
    with open(ts, "wb") as out:
        shutil.copyfileobj(open(head, "rb"), out)
        length = os.path.getsize(tail)
        out.seek((size - length) // 188 * 188)
        shutil.copyfileobj(open(tail, "rb"), out)
    os.unlink(head)
    os.unlink(tail)
    return paths


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Nginx:
    def __init__(self, folder):
        self.port, self.log = free_port(), os.path.join(folder, "access.log")
        os.chmod(folder, 0o755)
        conf = os.path.join(folder, "nginx.conf")
        temps = " ".join(f"{k}_temp_path {folder}/{k};" for k in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        open(conf, "w").write(
            f"pid {folder}/nginx.pid; daemon off; worker_processes 1; events {{}}\n"
            f"http {{ log_format short '$connection $status $http_range $body_bytes_sent'; access_log {self.log} short; {temps}\n"
            f"server {{ listen 127.0.0.1:{self.port}; root {folder}; keepalive_requests 100000; }} }}\n")
        self.process = subprocess.Popen(["nginx", "-e", os.path.join(folder, "error.log"), "-c", conf])
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                time.sleep(0.02)

    def requests(self):
        """All so far; nginx writes a line when an answer has ended or was given up."""
        return [line.split() for line in open(self.log)] if os.path.exists(self.log) else []

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Link:
    """A proxy with a round trip."""

    def __init__(self, target):
        self.target, self.rtt, self.port = target, 0.0, free_port()
        self.loop, self.active = asyncio.new_event_loop(), 0
        threading.Thread(target=self.run, daemon=True).start()
        while not hasattr(self, "server"):
            time.sleep(0.01)

    def run(self):
        asyncio.set_event_loop(self.loop)

        async def start():
            self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port, limit=1 << 20)
        self.loop.run_until_complete(start())
        self.loop.run_forever()

    async def serve(self, reader, writer):
        self.active += 1
        born = time.monotonic()
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target, limit=1 << 20)

        async def pump(source, sink, earliest):
            # As much is on its way as a link of 1 Gbit/s and that round trip holds.
            queue = asyncio.Queue(maxsize=128)

            async def take():
                try:
                    while data := await source.read(1 << 18):
                        await queue.put((max(time.monotonic() + self.rtt / 2, earliest), data))
                except OSError:
                    pass
                await queue.put((0, b""))
            taking = asyncio.ensure_future(take())
            try:
                while True:
                    due, data = await queue.get()
                    if not data:
                        break
                    wait = due - time.monotonic()
                    if wait > 0:
                        await asyncio.sleep(wait)
                    sink.write(data)
                    await sink.drain()
            except OSError:
                pass
            taking.cancel()
            sink.close()
        # A connection takes one round trip before the first byte is sent, and that takes half of one.
        await asyncio.gather(pump(reader, up_writer, born + 1.5 * self.rtt), pump(up_reader, writer, 0))
        self.active -= 1


def run(words, nginx, link):
    before, start = len(nginx.requests()), time.monotonic()
    environment = dict(os.environ, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        subprocess.run(words, timeout=10, env=environment, **quiet)
    except subprocess.TimeoutExpired:
        pass
    seconds = time.monotonic() - start
    while link.active:
        time.sleep(0.02)
    time.sleep(0.05)
    new = nginx.requests()[before:]
    return seconds, len(new), len({line[0] for line in new})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("aetherctl")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rtt", default="0,50,200")
    parser.add_argument("--seek")
    parser.add_argument("--films", help="where the films lie, or are made and left")
    parser.add_argument("--only-make", action="store_true")
    parser.add_argument("--only", help="the ending of the one film that is measured: mkv, mp4, ts")
    options = parser.parse_args()
    players = {
        "aether": lambda url: [options.aetherctl, "swdecode", "--frames", "3", url],
        "mpv": lambda url: ["mpv", "--no-config", "--vo=null", "--ao=null", "--frames=1", "--really-quiet", "--ytdl=no", url],
        "ffmpeg": lambda url: ["ffmpeg", "-v", "quiet", "-nostdin", "-i", url, "-frames:v", "1", "-f", "null", "-"],
        "ffplay": lambda url: ["ffplay", "-v", "quiet", "-autoexit", "-t", "0.01", "-an", url],
    }
    with tempfile.TemporaryDirectory(prefix="aether-network-") as folder:
        paths = films(options.films or folder)
        if options.only_make:
            return
        for path in paths:
            if options.films:
                os.symlink(os.path.realpath(path), os.path.join(folder, os.path.basename(path)))
        nginx = Nginx(folder)
        link = Link(nginx.port)
        try:
            print("| film | round trip ms | player | requests | connections | to the first frame s | over the local file s |")
            print("|---|---|---|---|---|---|---|")
            for path in paths:
                if options.only and not path.endswith(options.only):
                    continue
                local = {}
                for name, words in players.items():
                    times = sorted(run(words(path), nginx, link)[0] for _ in range(options.repeats))
                    local[name] = statistics.median(times)
                for rtt in (int(n) for n in options.rtt.split(",")):
                    link.rtt = rtt / 1000
                    url = f"http://127.0.0.1:{link.port}/{os.path.basename(path)}"
                    for name, words in players.items():
                        runs = sorted(run(words(url), nginx, link) for _ in range(options.repeats))
                        seconds, requests, connections = runs[len(runs) // 2]
                        print(f"| {os.path.basename(path)} | {rtt} | {name} | {requests} | {connections} | {seconds:.3f} | "
                              f"{seconds - local[name]:+.3f} |", flush=True)
            if options.seek:
                for rtt in (int(n) for n in options.rtt.split(",")):
                    link.rtt = rtt / 1000
                    before = len(nginx.requests())
                    print(f"\nseeks at {rtt} ms:", flush=True)
                    subprocess.run(["stdbuf", "-oL", options.seek, f"http://127.0.0.1:{link.port}/film.mkv", "20"])
                    while link.active:
                        time.sleep(0.02)
                    print(f"requests: {len(nginx.requests()) - before}", flush=True)
        finally:
            nginx.close()


main()
