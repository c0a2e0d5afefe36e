#!/usr/bin/env python3
"""Plays a still film in real terminals and looks at screenshots of them. Called by ../test-terminals.sh."""

import argparse
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import pictures
import rig

POINTS = {"halfblock": (1, 2), "quadrant": (2, 2), "sextant": (2, 3), "octant": (2, 4), "sixel": None, "kitty": None}
# Least SSIM and greatest mean difference of colours, by renderer; 256 colours have their own, and mlterm, which draws halves and shades
# from whatever bitmap font is there. A picture that lies a cell beside its
# place, or is half a cell too tall, is below; one with red and blue exchanged is 50 off.
LIMITS = {"halfblock": (0.94, 5), "quadrant": (0.955, 4), "sextant": (0.96, 4), "octant": (0.96, 4), "sixel": (0.88, 6),
          "kitty": (0.985, 2), "256": (0.89, 8), "mlterm": (0.89, 10)}
# Of the telemetry pane: its ground, its columns and the rows that it has at least.
PANE_GROUND, PANE_COLUMNS, PANE_ROWS = (15, 17, 21), 79, 16


@dataclass
class Terminal:
    """How a terminal is started: `command` is followed by what runs in it. `before` runs beside it, `after` ends what it leaves."""
    needs: list
    command: list
    env: dict = field(default_factory=dict)
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)


def xterm(*more):
    return ["xterm", "-geometry", "120x36+0+0", "-b", "2", "+sb", "-fa", "DejaVu Sans Mono", "-fs", "10", *more, "-e"]


WESTON = "weston --backend=x11-backend.so --shell=kiosk-shell.so --use-pixman --idle-time=0 --socket=aether-wayland".split()
TMUX = ["tmux", "-L", "aether", "-f", "/dev/null"]
TERMINALS = {
    "xterm": Terminal(["xterm"], xterm()),
    "xterm vt340": Terminal(["xterm"], xterm("-ti", "vt340", "-xrm", "XTerm*decTerminalID: vt340",
                                             "-xrm", "XTerm*maxGraphicSize: 2000x2000")),
    "kitty": Terminal(["kitty"], [
        "kitty", "--config", "NONE", "-o", "remember_window_size=no", "-o", "initial_window_width=981",
        "-o", "initial_window_height=648", "-o", "update_check_interval=0", "-o", "shell_integration=disabled"]),
    # In a compositor that shows itself in a window: weston's headless one has no keyboard.
    "foot": Terminal(["foot", "weston"],
                     ["foot", "--config=/dev/null", "--font=DejaVu Sans Mono:size=10", "--log-level=error"],
                     env={"WAYLAND_DISPLAY": "aether-wayland"}, before=[[*WESTON, "--width=960", "--height=640"]]),
    "mlterm": Terminal(["mlterm"], ["mlterm", "--geometry=100x34+0+0", "--sbmod=none", "-e"]),
    "tmux in xterm": Terminal(["tmux", "xterm"], [*xterm(), *TMUX, "new-session"], after=[*TMUX, "kill-server"]),
}
# Terminal, renderer, further options.
CASES = [
    ("xterm", "halfblock", []), ("xterm", "halfblock", ["--color", "256"]), ("xterm vt340", "sixel", []),
    ("kitty", "kitty", []), ("kitty", "halfblock", []), ("kitty", "quadrant", []), ("kitty", "sextant", []),
    ("kitty", "octant", []),
    ("foot", "sixel", []), ("foot", "sextant", []), ("mlterm", "halfblock", ["--color", "256"]), ("tmux in xterm", "halfblock", ["--color", "256"]),
]


class Skipped(Exception):
    """Nothing that the player could be blamed for."""


def obstacle(terminal, renderer):
    """Why a case cannot be run here, or nothing."""
    missing = [name for name in terminal.needs if not shutil.which(name)]
    if missing:
        return " and ".join(missing) + " not installed"
    if terminal.needs == ["kitty"] and renderer == "octant":
        said = subprocess.run(["kitty", "--version"], capture_output=True, text=True).stdout
        version = tuple(map(int, re.search(r"(\d+)\.(\d+)", said).groups()))
        if version < (0, 40):
            return "kitty draws octants from 0.40 on, this is {}.{}".format(*version)
    return None


@dataclass
class Row:
    """What a case came to."""
    name: str
    ssim: float = None
    colour: float = None
    pane: float = None
    beside: float = None
    back: float = None
    complaints: list = field(default_factory=list)


class Check:
    """One case: the picture, the pane over it, the picture again."""

    def __init__(self, window, clip, renderer, limits, row, keep):
        self.window, self.row, self.keep, (self.least, self.greatest) = window, row, keep, limits
        points = POINTS[renderer]
        sigma = window.area.cell_height / 8 if points else 0
        self.likeness = pictures.Likeness(clip, pictures.placed(window.area, points), sigma)
        self.pane = window.area.rectangle(min(PANE_COLUMNS, window.area.columns), min(PANE_ROWS, window.area.rows))

    def run(self):
        time.sleep(3.5)
        self.row.ssim, self.row.colour = self.picture("picture", patience=5)
        if self.window.ending:
            self.row.complaints = [self.window.ending]
            return
        self.window.key("i")
        time.sleep(1.5)
        self.look_at_pane()
        self.window.key("i")
        time.sleep(1.5)
        self.row.back, _ = self.picture("picture after the pane", patience=2.5)
        if self.window.ending:
            self.row.complaints.insert(0, self.window.ending)

    def shot(self, what):
        shot = self.window.screen.shot()
        self.keep(what, shot)
        return shot

    def picture(self, what, patience):
        """SSIM and colours once they are good, or as they stay. A busy machine may be a second late."""
        def good():
            self.found = self.likeness.measure(self.shot(what))
            return self.window.ending or self.is_good(*self.found)
        rig.until(good, patience, pause=0.5)
        if not self.is_good(*self.found):
            self.row.complaints.append("{}: SSIM {:.3f} (at least {}), colours off by {:.1f} (at most {})".format(
                what, self.found[0], self.least, self.found[1], self.greatest))
        return self.found

    def is_good(self, ssim, colour):
        return ssim >= self.least and colour <= self.greatest

    def look_at_pane(self):
        """Its ground is its own, its text stands out in every row, and the picture is left alone beside it."""
        shot = self.shot("pane")
        left, top, width, height = self.pane
        inside = shot[top:top + height, left:left + width].astype(int)
        ground = (np.abs(inside - PANE_GROUND) <= 12).all(-1)
        bright = pictures.luma(inside) > 110
        rows = np.array_split(bright[:, :round(11 * self.window.area.cell_width)], min(PANE_ROWS, self.window.area.rows))
        self.row.pane = float(ground.mean())
        if self.row.pane < 0.6:
            middle = tuple(int(v) for v in np.median(inside.reshape(-1, 3), 0))
            self.row.complaints.append(f"pane: {self.row.pane:.0%} of it is its ground {PANE_GROUND}, most is about {middle}")
        unreadable = [str(i) for i, row in enumerate(rows) if not 0.01 < row.mean() < 0.5]
        if unreadable:
            self.row.complaints.append("pane: no text to be read in the rows " + " ".join(unreadable))
        taller = (left, top, width, height + round(3 * self.window.area.cell_height))
        self.row.beside, colour = self.likeness.measure(shot, without=taller)
        # Part of the picture may be harder than all of it.
        if self.row.beside is not None and (self.row.beside < self.least - 0.03 or colour > self.greatest * 1.5):
            self.row.complaints.append(f"beside the pane: SSIM {self.row.beside:.3f}, colours off by {colour:.1f}")


class Suite:
    def __init__(self, screen, arguments):
        self.screen, self.program, self.folder = screen, arguments.program, arguments.pictures
        self.clip = pictures.make_clip(screen.folder / "still.mkv")

    def run(self, terminal_name, renderer, options):
        terminal = TERMINALS[terminal_name]
        name = " ".join([terminal_name, renderer, *options[1:]])
        reason = obstacle(terminal, renderer)
        if reason:
            raise Skipped(reason)
        command = [self.program, "--no-audio", "--renderer", renderer, *options, "--", str(self.clip)]
        row, limits = Row(name), LIMITS["mlterm" if terminal_name == "mlterm" else "256" if "256" in options else renderer]
        try:
            with rig.Window(self.screen, terminal, command).running() as window:
                keep = lambda what, shot: self.save(f"{name} {what}", shot)  # noqa: E731
                Check(window, self.clip, renderer, limits, row, keep).run()
        except rig.DidNotStart as error:
            raise Skipped(f"did not start: {error}") from error
        return row

    def save(self, name, shot):
        """As PNG, where somebody wants to look."""
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            size = "{}x{}".format(*rig.SCREEN)
            path = self.folder / (re.sub(r"\W+", "-", name) + ".png")
            subprocess.run(["convert", "-size", size, "-depth", "8", "rgb:-", f"png:{path}"], input=shot.tobytes(), check=True)


def line(cells, widths=(28, 7, 7, 7, 7, 7)):
    print("  ".join(str(c).rjust(w) if i else str(c).ljust(w) for i, (c, w) in enumerate(zip(cells, widths))), flush=True)


def figure(value, form="{:.3f}"):
    """Blank where it is not known: never 0 instead."""
    return "" if value is None else form.format(value)


def tell(row):
    line([row.name, figure(row.ssim), figure(row.colour, "{:.1f}"), figure(row.pane, "{:.0%}"), figure(row.beside),
          figure(row.back)])
    for complaint in row.complaints:
        print("    FAILED " + complaint, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=".build/release/aether-tui", help="the player (%(default)s)")
    parser.add_argument("--pictures", type=Path, help="keep the screenshots there, as PNG")
    parser.add_argument("only", nargs="*", help="words of a case's name, such as: kitty sextant (all cases)")
    arguments = parser.parse_args()
    arguments.program = str(Path(arguments.program).resolve())
    if not shutil.which(arguments.program):
        parser.error(f"{arguments.program} is missing: run 'make build' first")
    # As an error, so that everything that was started is ended on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    chosen = [case for case in CASES if set(arguments.only) <= set(" ".join([case[0], case[1], *case[2]]).split())]
    failed, skipped = 0, 0
    with tempfile.TemporaryDirectory(prefix="aether-terminals-") as folder, rig.Screen(folder).running() as screen:
        suite = Suite(screen, arguments)
        print("SSIM against the film's own picture; mean difference of colours (0-255); share of the pane that is its ground")
        line(["terminal, renderer", "SSIM", "colours", "pane", "beside", "after"])
        for case in chosen:
            try:
                row = suite.run(*case)
            except Skipped as reason:
                skipped += 1
                print(f"{' '.join([case[0], case[1], *case[2][1:]])}  SKIPPED: {reason}", flush=True)
                continue
            failed += bool(row.complaints)
            tell(row)
    print(f"{len(chosen) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except rig.DidNotStart as error:
        sys.exit(f"test-terminals: did not start: {error}")
