#!/usr/bin/python3
"""What serving costs: serving.py AETHERCTL FILM [ffmpeg]. FILM is long; its first track of audio is copied, its second one bridged.

Times on the loopback address, CPU by /proc, memory at its peak (VmHWM). Prints lines for docs/benchmarks/serving.md."""
import concurrent.futures
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request


class Server:
    def __init__(self, program, film, *arguments):
        self.begun = time.monotonic()
        self.process = subprocess.Popen([program, "serve", *arguments, film], stdout=subprocess.PIPE, text=True)
        self.page = self.process.stdout.readline().strip()
        self.process.stdout.readline()
        self.opened = time.monotonic() - self.begun

    def get(self, path):
        with urllib.request.urlopen(self.page + path, timeout=60) as answer:
            return answer.read()

    def numbers(self, track=0):
        return sum(1 for line in self.get(f"{track}/index.m3u8").split(b"\n") if line.endswith(b".m4s"))

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self):
        lines = open(f"/proc/{self.process.pid}/status").read().split("\n")
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))

    def stop(self):
        self.process.terminate()
        self.process.wait()


def timed(body):
    begun = time.monotonic()
    result = body()
    return time.monotonic() - begun, result


def first(program, film, *arguments):
    """Seconds from the start of the program to the addresses, to the first segments; and of the first segments alone."""
    server = Server(program, film, *arguments)
    span, _ = timed(lambda: [server.get(path) for path in ("master.m3u8", "0/index.m3u8", "0/init0.mp4", "0/0.m4s", "1/init0.mp4", "1/0.m4s")])
    result = (server.opened, time.monotonic() - server.begun, span)
    server.stop()
    return result


def seeks(server, count):
    last = server.numbers()
    chosen = random.Random(5)
    return sorted(timed(lambda: server.get(f"0/{chosen.randrange(last)}.m4s"))[0] for _ in range(count))


def pull(server, tracks, start, count):
    size = 0
    for number in range(start, start + count):
        for track in tracks:
            size += len(server.get(f"{track}/{number}.m4s"))
    return size


def real_time(server, tracks, seconds):
    """CPU in cores while one client takes a segment of each track every 4 s."""
    before, begun = server.cpu(), time.monotonic()
    for number in range(seconds // 4):
        for track in tracks:
            server.get(f"{track}/{number + 20}.m4s")
        time.sleep(max(0, begun + 4 * (number + 1) - time.monotonic()))
    return (server.cpu() - before) / (time.monotonic() - begun)


def same(program, film, tracks, *arguments):
    """Whether segments have the same bytes forwards, backwards and in any order, from servers that know nothing of each other."""
    orders = [list(range(100, 120)), list(range(119, 99, -1)), random.Random(3).sample(range(100, 120), 20)]
    found = []
    for order in orders:
        server = Server(program, film, *arguments)
        found.append({(t, n): hashlib.sha256(server.get(f"{t}/{n}.m4s")).hexdigest() for n in order for t in tracks})
        server.stop()
    return all(other == found[0] for other in found)


def main():
    program, film = sys.argv[1], sys.argv[2]
    runs = sorted(first(program, film) for _ in range(5))
    print(f"addresses printed {runs[2][0]:.3f} s, first segments of both tracks behind them {runs[2][2]:.3f} s, of the program's start {runs[2][1]:.3f} s")
    for name, tracks in [("copied", [0, 1]), ("bridged", [0, 2])]:
        server = Server(program, film)
        print(f"{name}: at 1x {real_time(server, tracks, 40):.3f} cores", end="; ")
        before = server.cpu()
        span, size = timed(lambda: pull(server, tracks, 200, 100))
        cpu = server.cpu() - before
        print(f"pulled {400 / span:.0f} x real time, {size / span / 1e6:.0f} MB/s, CPU {cpu / 400:.4f} s/s; peak {server.peak():.0f} MB")
        server.stop()
    server = Server(program, film)
    found = seeks(server, 40)
    print(f"seeks: median {found[20] * 1000:.0f} ms, 95 % {found[37] * 1000:.0f} ms")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        last = server.numbers()
        begun = time.monotonic()
        spans = list(pool.map(lambda place: timed(lambda: pull(server, [0, 1], place * last // 4, 50))[0], range(4)))
    print(f"four clients: {800 / (time.monotonic() - begun):.0f} x real time together, each at least {200 / max(spans):.0f} x; peak {server.peak():.0f} MB")
    server.stop()
    server = Server(program, film)
    span, _ = timed(lambda: pull(server, [0, 1], 0, server.numbers()))
    print(f"the whole film: {span:.1f} s, peak {server.peak():.0f} MB")
    server.stop()
    print(f"same bytes whenever asked for: {same(program, film, [0, 1, 2])}")
    if len(sys.argv) > 3:
        with tempfile.TemporaryDirectory() as folder:
            def segmented(seconds, *codec):
                subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-t", str(seconds), "-i", film, "-map", "0:v", "-map", codec[0], *codec[1:],
                                "-f", "hls", "-hls_time", "4", "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod",
                                "-hls_segment_filename", folder + "/%d.m4s", folder + "/index.m3u8"], check=True)
            for name, codec in [("copied", ["0:a:0", "-c", "copy"]), ("bridged", ["0:a:1", "-c:v", "copy", "-c:a", "eac3", "-b:a", "256k"])]:
                before = os.times()
                span, _ = timed(lambda: segmented(400, *codec))
                after = os.times()
                cpu = after.children_user + after.children_system - before.children_user - before.children_system
                print(f"ffmpeg -f hls, {name}: {400 / span:.0f} x real time, CPU {cpu / 400:.4f} s/s")


main()
