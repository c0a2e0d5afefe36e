#!/usr/bin/env python3
"""What the inspector costs while a film plays, on a pty that answers like a terminal: how long each tab takes from its key to its text, and the CPU of
its threads while it is open and while it is closed.

    [SECONDS=6] Benchmarks/inspector.py .build/release/aether-tui FILM [TAB ...]

Half a minute for each tab. Without an audio device the samples go nowhere in their time, and are metered all the same.
"""
import os, sys, tempfile

from terminal import Player, said

PLAYER, FILM = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# A word of each tab's sentence.
WORDS = {"1": b"container", "2": b"sample", "3": b"Frame", "4": b"codes", "5": b"heard", "6": b"waits"}
SECONDS = float(os.environ.get("SECONDS", "6"))


def listed(found):
    return ", ".join(f"{name} {share:.1f}" for name, share in sorted(found.items(), key=lambda item: -item[1]) if share >= 0.1)


for tab in sys.argv[3:] or WORDS:
    with tempfile.TemporaryDirectory() as home:
        player = Player(PLAYER, home, "--no-resume", "--renderer", "halfblock", "--loop", FILM, audio="")
        player.run(3)
        closed = player.shares(SECONDS)
        os.write(player.master, b"\t")
        player.run(0.5)
        spans = []
        for _ in range(int(os.environ.get("PRESSES", "10"))):
            os.write(player.master, b"6" if tab == "1" else b"1")
            player.run(0.15)
            span = player.press(tab.encode(), WORDS[tab], limit=0.5)
            if span is not None: spans.append(span)
            player.run(0.05)
        player.run(1)
        opened = player.shares(SECONDS)
        os.write(player.master, b"\t")
        player.run(0.5)
        after = player.shares(SECONDS)
        player.end()
    if spans: said(f"tab {tab}, from its key to its text", spans)
    for name, (whole, found) in [("closed", closed), ("open", opened), ("closed again", after)]:
        print(f"tab {tab} {name}: {whole:.1f} % of a core: {listed(found)}")
