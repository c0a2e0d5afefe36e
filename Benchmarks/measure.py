#!/usr/bin/env python3
"""The figures of docs/benchmarks.md, measured from outside with termbench. Called by run.sh."""

import argparse
import contextlib
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tb import analyze, avsync, clips, record, suite

@contextlib.contextmanager
def listened(sink):
    """Keeps a reader on the sink's monitor. PulseAudio renders two seconds of silence ahead while nobody listens, and whatever begins
    to play then stands until they are over: that would be the rig's stall and nobody's figure."""
    listener = subprocess.Popen(["parec", "-d", "null0.monitor", "--latency-msec=50"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env={**os.environ, **sink.env})
    time.sleep(3)
    try:
        yield
    finally:
        listener.terminate()
        listener.wait()


PEERS = ["floor-scale-half", "mpv035-tct", "timg145-half", "ncplayer-half"]


class Bench:
    def __init__(self, arguments):
        self.player, self.termbench = arguments.player, Path(arguments.termbench)
        self.clips = os.environ.get("CLIPS", "nat-720p24 nat-1080p24").split()
        self.cols, self.rows = map(int, os.environ.get("SIZE", "160x45").split("x"))
        self.repeats = int(os.environ.get("REPEATS", "3"))
        self.peers, self.variables = suite.load_peers(self.termbench / "peers.json")

    def clip(self, name):
        path = self.termbench / "clips" / f"{name}.mkv"
        return clips.describe(path if path.exists() else clips.make(name, self.termbench / "clips"))

    def setup(self, **more):
        return record.Setup(cols=self.cols, rows=self.rows, **more)

    def command(self, peer, clip):
        values = {**self.variables, "clip": clip["path"], "cols": self.cols, "rows": self.rows,
                  "rows1": self.rows - 1, "rows2": self.rows * 2}
        return [suite._fill(part, values) for part in shlex.split(suite._fill(peer["command"], values))]

    def measured(self, command, clip, setup, quality=False):
        path = record.run(command, setup)
        try:
            return analyze.analyze(path, clip, with_quality=quality)
        finally:
            record.Recording(path).delete()


def row(cells, widths=(18, 8, 8, 9, 9, 9, 9, 9, 8)):
    print("  ".join(str(c).rjust(w) if i else str(c).ljust(w) for i, (c, w) in enumerate(zip(cells, widths))), flush=True)


def figure(value, form="{:.2f}"):
    """A number, or a blank where it is not known: never 0 instead."""
    return "" if value is None else form.format(value)


def median(results, *path):
    values = [v for v in (suite._get(r, ".".join(path)) for r in results) if v is not None]
    return statistics.median(values) if values else None


def players(bench):
    """CPU, bytes, frames, jitter, first picture, memory and quality: ours with sound on, peers, floor, in turns."""
    ours = {"name": "aether-tui", "profile": "halfblock-truecolor", "command": shlex.quote(bench.player) + " {clip}"}
    chosen = [p for p in bench.peers if p["name"] in PEERS and shutil.which(bench.command(p, {"path": ""})[0])] + [ours]
    with avsync.NullSink() as sink, listened(sink):
        for name in bench.clips:
            clip, results = bench.clip(name), {p["name"]: [] for p in chosen}
            # Repeats outermost: a busy minute of the machine then hits one repeat of all players.
            for repeat in range(bench.repeats):
                for peer in chosen:
                    setup = bench.setup(profile=peer.get("profile", "halfblock-truecolor"), env=sink.env)
                    found = None if peer.get("floor") else clip
                    result = bench.measured(bench.command(peer, clip), found, setup, quality=repeat == 0)
                    results[peer["name"]].append(result)
                    print(f"  measured {name} {peer['name']} {repeat + 1}/{bench.repeats}", file=sys.stderr)
            floor = median(results.get("floor-scale-half", []), "process", "cpu_s")
            print(f"\n{name}, {bench.cols}x{bench.rows} cells of 8x16, medians of {bench.repeats}")
            row(["player", "cpu s", "x floor", "KB/frame", "shown %", "jitter95", "first s", "MiB", "PSNR"])
            for player, runs in results.items():
                cpu, shown = median(runs, "process", "cpu_s"), median(runs, "timing", "frames_shown")
                size = median(runs, "output", "bytes_per_frame", "mean") or median(runs, "output", "bytes_per_frame")
                row([player, figure(cpu), figure(cpu / floor if cpu and floor else None),
                     figure(size / 1000 if size else None, "{:.0f}"),
                     figure(100 * shown / clip["frames"] if shown else None, "{:.1f}"),
                     figure(median(runs, "timing", "jitter_ms", "p95"), "{:.1f}"),
                     figure(median(runs, "timing", "start_to_first_frame_s"), "{:.3f}"),
                     figure(median(runs, "process", "max_rss_mib"), "{:.0f}"),
                     figure(median(runs[:1], "quality", "native", "psnr"), "{:.1f}")])


def sound(bench):
    """Picture minus sound per beep. The rig's own error is about 10 ms: read the mean as the difference to mpv's."""
    print("\nsound against picture (ms; positive: the picture is late)")
    row(["player", "beeps", "mean", "spread95", "drift/min"])
    clip = bench.clip("nat-720p24")
    commands = {"aether-tui": [bench.player, clip["path"]]}
    if shutil.which("mpv"):
        commands["mpv tct"] = ["mpv", "--no-config", "--really-quiet", "--ao=alsa", "--vo=tct", clip["path"]]
    for name, command in commands.items():
        result = avsync.measure(command, clip["path"], bench.setup())
        row([name, result["beeps"], figure(result.get("mean_ms"), "{:+.1f}"), figure(result.get("spread_p95_ms"), "{:.1f}"),
             figure(result.get("drift_ms_per_min"), "{:+.2f}")])


def link(bench):
    """First picture and quitting on a link of 250 KB/s."""
    print("\na link of 250 KB/s (s)")
    row(["clip", "first", "quit"])
    with avsync.NullSink() as sink:
        for name in bench.clips:
            clip, at = bench.clip(name), 3.0
            setup = bench.setup(rate=250e3, keys=[(str(at), "q")], env=sink.env)
            result = bench.measured([bench.player, clip["path"]], clip, setup)
            wall = suite._get(result, "process.wall_s")
            row([name, figure(median([result], "timing", "start_to_first_frame_s"), "{:.3f}"),
                 figure(wall - at if wall else None, "{:.3f}")])


def seek(bench):
    """From the key of a jump to the first complete frame of the new place."""
    print("\nseek to picture (ms)")
    row(["clip", "jumps", "p50", "p95", "max"])
    jumps = [(1.5 + 0.9 * i, digit) for i, digit in enumerate("7153826149")]
    with avsync.NullSink() as sink, listened(sink):
        for name in bench.clips:
            clip = bench.clip(name)
            # The bar would cover the counter at the bottom: shown by the first o, switched off for good by the second.
            keys = [("0.6", "o"), ("0.9", "o")] + [(f"{t:.3f}", digit) for t, digit in jumps] + [(f"{jumps[-1][0] + 1:.3f}", "q")]
            path = record.run([bench.player, clip["path"]], bench.setup(keys=keys, env=sink.env))
            recording = record.Recording(path)
            place = analyze._find_picture(recording, clip)
            if place is None:
                row([name, "no picture found"])
                continue
            # Every sight of a complete frame counts, not only a frame's first: a jump may go back to one seen before.
            events = analyze._play(recording, place, [])[0]
            recording.delete()
            whole = [(t / 1e9, top) for t, top, bottom in events if top == bottom and top >= 0]
            delays = []
            for (at, _), until in zip(jumps, [t for t, _ in jumps[1:]] + [jumps[-1][0] + 1]):
                before = [n for t, n in whole if t <= at]
                last = before[-1] if before else 0
                landed = [t for t, n in whole if at < t < until and abs(n - last) > 1.5 * clip["fps"]]
                if landed:
                    delays.append((landed[0] - at) * 1e3)
            delays.sort()
            pick = lambda share: delays[min(len(delays) - 1, int(share * len(delays)))] if delays else None  # noqa: E731
            row([name, f"{len(delays)}/{len(jumps)}", figure(pick(0.5), "{:.0f}"), figure(pick(0.95), "{:.0f}"),
                 figure(delays[-1] if delays else None, "{:.0f}")])


def main():
    parts = {"players": players, "avsync": sound, "link": link, "seek": seek}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--termbench", required=True)
    parser.add_argument("--player", required=True)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="what to measure (all)")
    arguments = parser.parse_args()
    bench = Bench(arguments)
    for name in arguments.parts or parts:
        parts[name](bench)


if __name__ == "__main__":
    main()
