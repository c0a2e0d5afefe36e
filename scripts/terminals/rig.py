"""A screen of our own, real terminals on it, their keys and screenshots. Only processes started here are ended, by their id."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SCREEN = (1280, 800)
# Runs in the terminal: fills it with one colour until it may go on, so that its cells are found to the pixel whatever the
# terminal's margins are, and becomes the player then.
STAGE = r"""
cd "$1"; shift
while [ ! -e go ]; do
    python3 -c "$QUESTION" > size.new && mv size.new size
    read -r rows columns pixels < size
    row=1; printf '\033[48;5;201m'
    while [ "$row" -le "$rows" ]; do printf '\033[%d;1H%*s' "$row" "$columns" ''; row=$((row + 1)); done
    sleep 0.2
done
printf '\033[m\033[2J\033[H'
"$@" 2> errors
echo $? > status
"""
STAGE_COLOUR = (255, 0, 255)
# Rows, columns, and the window's width and height in pixels as the kernel knows them: stty does not say those.
QUESTION = "import fcntl, struct, termios; print(*struct.unpack('4H', fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))))"


class DidNotStart(Exception):
    """The terminal, not the player."""


@dataclass
class Area:
    """Where a terminal's cells are on the screen, in pixels."""
    left: int
    top: int
    columns: int
    rows: int
    cell_width: float
    cell_height: float
    # Width to height of a cell as the player knows it: some terminals count their margins into the kernel's pixels.
    aspect: float

    def rectangle(self, columns, rows):
        """Left, top, width, height of so many cells at the top left."""
        return self.left, self.top, round(columns * self.cell_width), round(rows * self.cell_height)


@contextlib.contextmanager
def process(command, **more):
    """Runs while needed, in a group of its own so that what it starts goes with it."""
    started = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **more)
    try:
        yield started
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                started.wait(3)


def until(condition, patience, pause=0.2):
    """What the condition gives, as soon as it is true; its last word when patience ends."""
    deadline = time.monotonic() + patience
    while True:
        found = condition()
        if found or time.monotonic() > deadline:
            return found
        time.sleep(pause)


class Screen:
    """An X server without a screen. `folder` is home, runtime folder and cache for all that runs on it."""

    def __init__(self, folder):
        self.folder = Path(folder)
        home = self.folder / "home"
        home.mkdir(mode=0o700)
        kept = {name: os.environ[name] for name in ("PATH", "TZ") if name in os.environ}
        homes = ["HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMUX_TMPDIR"]
        self.env = {**kept, **dict.fromkeys(homes, str(home)), "LANG": "C.UTF-8", "LIBGL_ALWAYS_SOFTWARE": "1", "SHELL": "/bin/sh",
                    "QUESTION": QUESTION}

    @contextlib.contextmanager
    def running(self):
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "{}x{}x24".format(*SCREEN), "-nolisten", "tcp"]
        with open(self.folder / "Xvfb.log", "w") as log, process(command, pass_fds=[writer], stdout=log, stderr=log):
            os.close(writer)
            with os.fdopen(reader) as answer:
                number = answer.readline().strip()
            if not number:
                raise DidNotStart("Xvfb: " + last_line(self.folder / "Xvfb.log"))
            self.env["DISPLAY"] = ":" + number
            yield self

    def xdotool(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.env, check=True, capture_output=True)

    def shot(self):
        data = subprocess.run(["import", "-window", "root", "-depth", "8", "rgb:-"], env=self.env, check=True, capture_output=True)
        return np.frombuffer(data.stdout, np.uint8).reshape(SCREEN[1], SCREEN[0], 3)

    def key(self, name, at):
        """There is no window manager, so the window under the pointer has the keyboard."""
        self.xdotool("mousemove", *at)
        self.xdotool("key", name)


def last_line(path):
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()] if path.exists() else []
    return lines[-1].strip() if lines else "it said nothing"


def painted(shot, rows, columns, width, height):
    """The box that the stage's colour fills, if it fills one wholly."""
    hit = (np.abs(shot.astype(int) - STAGE_COLOUR) < 8).all(-1)
    if not hit.any():
        return None
    ys, xs = np.flatnonzero(hit.any(1)), np.flatnonzero(hit.any(0))
    top, bottom, left, right = ys[0], ys[-1] + 1, xs[0], xs[-1] + 1
    # The cursor and the pointer may stand out.
    if hit[top:bottom, left:right].mean() < 0.99:
        return None
    cell_width, cell_height = float(right - left) / columns, float(bottom - top) / rows
    aspect = width / columns / (height / rows) if width and height else cell_width / cell_height
    return Area(int(left), int(top), columns, rows, cell_width, cell_height, aspect)


class Window:
    """A terminal that runs the stage and then a command."""

    def __init__(self, screen, terminal, command):
        self.screen, self.terminal = screen, terminal
        self.folder = screen.folder / "case"
        self.stage = ["/bin/sh", "-c", STAGE, "stage", str(self.folder), *command]

    @contextlib.contextmanager
    def running(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        with contextlib.ExitStack() as stack:
            log = stack.enter_context(open(self.folder / "log", "w"))
            env = {**self.screen.env, **self.terminal.env}
            for before in self.terminal.before:
                stack.enter_context(process(before, env=env, stdout=log, stderr=log))
                time.sleep(1.5)
            stack.enter_context(self.ended_by(self.terminal.after, env))
            shown = stack.enter_context(process([*self.terminal.command, *self.stage], env=env, stdout=log, stderr=log))
            self.area = self.calibrated(shown)
            self.screen.xdotool("mousemove", *self.resting_place)
            (self.folder / "go").touch()
            yield self

    @contextlib.contextmanager
    def ended_by(self, command, env):
        try:
            yield
        finally:
            if command:
                subprocess.run(command, env=env, capture_output=True)

    def calibrated(self, shown):
        """The cells' place, once two screenshots agree on it: windows are still being sized when they open."""
        last = None
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and shown.poll() is None:
            time.sleep(0.5)
            if (self.folder / "size").exists():
                size = list(map(int, (self.folder / "size").read_text().split()))
                found = painted(self.screen.shot(), *size) if size[0] and size[1] else None
                if found and found == last:
                    return found
                last = found
        raise DidNotStart(last_line(self.folder / "log"))

    def key(self, name):
        """The pointer rests in the last cell: weston draws it, and there it covers no picture."""
        self.screen.key(name, self.resting_place)

    @property
    def resting_place(self):
        area = self.area
        return round(area.left + area.columns * area.cell_width) - 2, round(area.top + area.rows * area.cell_height) - 2

    @property
    def ending(self):
        """What the player said if it is over, else nothing."""
        status = self.folder / "status"
        if not status.exists():
            return None
        return f"the player ended with {status.read_text().strip()}: {last_line(self.folder / 'errors')}"
