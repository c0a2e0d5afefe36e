#!/usr/bin/env python3
"""Figures of the front end, on a pty that answers like a terminal: how long a menu takes to open and what it costs the picture, a directory
of 10 000 files, the main thread while a film plays, settings and theme.

    Benchmarks/frontend.py .build/release/aether-tui FILM [FILM ...]

Of the films after the first only the time to the first picture is taken.
"""
import json, os, subprocess, sys, tempfile, time

from terminal import Player, said

PLAYER, FILMS = os.path.abspath(sys.argv[1]), [os.path.abspath(film) for film in sys.argv[2:]]
FILM = FILMS[0]


def dropped(log):
    # A line a second: the last one is at most that old.
    last = json.loads(open(log).read().splitlines()[-1])["telemetry"]
    return {key: value for key, value in last.items() if key.startswith("dropped") or key == "framesShown"}


with tempfile.TemporaryDirectory() as home:
    log = os.path.join(home, "telemetry")
    player = Player(PLAYER, home, "--renderer", "halfblock", "--telemetry", log, FILM)
    player.run(3)
    before = dropped(log)
    for key, text, name in [(b"T", b"Chapters", "chapters"), (b"c", b"Subtitles", "subtitles"), (b"M", b"Command palette", "everything"),
                            (b"?", b"Playback", "help"), (b":", b"Enter run", "palette"), (b"i", b"Telemetry", "telemetry")]:
        spans = []
        for _ in range(15):
            player.run(0.1)
            span = player.press(key, text)
            if span is not None: spans.append(span)
            player.run(0.1)
            os.write(player.master, b"\x1b")
            player.run(0.12)
        if spans: said(f"opening {name}", spans)
    player.run(1.5)
    print("dropped before and after:", before, dropped(log))
    player.end()

with tempfile.TemporaryDirectory() as home:
    player = Player(PLAYER, home, "--renderer", "halfblock", "--loop", FILM)
    player.run(6)
    main, whole = player.thread_ticks()
    player.run(15)
    then, all_then = player.thread_ticks()
    print(f"bar hidden: main thread {(then - main) / 15 * 100:.2f} % of a core, all threads {(all_then - whole) / 15 * 100:.1f} %")
    os.write(player.master, b"o")
    player.run(1)
    player.end()

# The inspector over a video of a million samples: the table, from its key to its rows.
with tempfile.TemporaryDirectory() as home:
    short, long = os.path.join(home, "short.mp4"), os.path.join(home, "long.mp4")
    quiet = ["ffmpeg", "-v", "error"]
    subprocess.run(quiet + ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=60", "-frames:v", "1000", "-c:v", "libx264", "-preset", "ultrafast", short], check=True)
    subprocess.run(quiet + ["-stream_loop", "1000", "-i", short, "-c", "copy", long], check=True)
    tables = []
    for _ in range(5):
        player = Player(PLAYER, home, "--no-resume", "--renderer", "halfblock", long)
        player.run(1.5)
        player.press(b"\t", b"Samples")
        player.run(0.3)
        span = player.press(b"2", b"pts ")
        if span is not None: tables.append(span)
        player.end()
    if tables: said("table of 1 001 000 samples, from its key to its rows", tables)


def first_pictures(home, film, *words, times=10):
    """Milliseconds from exec to the first cells of a picture."""
    spans = []
    for _ in range(times):
        player = Player(PLAYER, home, "--no-resume", "--renderer", "halfblock", *words, film)
        now = player.see("▀".encode(), player.began + 5)
        if now: spans.append((now - player.began) * 1000)
        player.end()
    return spans


for film in FILMS:
    with tempfile.TemporaryDirectory() as home:
        spans = first_pictures(home, film)
        if spans: said(f"exec to the first picture of {os.path.basename(film)}", spans)

with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as many:
    for number in range(10_000): open(os.path.join(many, f"Film {number:05}.mkv"), "w").close()
    spans = []
    for _ in range(5):
        player = Player(PLAYER, home, FILM)
        player.run(1.5)
        player.end()
        player = Player(PLAYER, home, directory=many)
        now = player.see(b"00010.mkv", player.began + 5)
        if now: spans.append((now - player.began) * 1000)
        player.end()
    if spans: said("started in a directory of 10 000 films, to the list", spans)

with tempfile.TemporaryDirectory() as home:
    os.makedirs(home + "/aether-tui/themes")
    open(home + "/aether-tui/config.toml", "w").write('volume = 80\ntheme = "fjord"\n[profile.films]\nif-file = ["*.mkv"]\nspeed = 1.0\n')
    open(home + "/aether-tui/keys.toml", "w").write('[keys]\n"g g" = "start"\n')
    environment = dict(os.environ, XDG_CONFIG_HOME=home)

    def timed(*words):
        spans = []
        for _ in range(20):
            began = time.monotonic()
            subprocess.run([PLAYER, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            spans.append((time.monotonic() - began) * 1000)
        return min(spans)
    without, with_config = timed("--no-config", "--print-config"), timed("--print-config")
    print(f"the program with settings (least of 20) {with_config:.1f} ms, without {without:.1f} ms: settings and keys {with_config - without:.1f} ms")

    # All that somebody may have: half the options, a chord for each letter, a theme of his own. Beside a start with none of it, in turns.
    options = "".join(f'"{letter} {other}" = "seek {10 + number}"\n' for number, letter in enumerate("gzxy") for other in "abcdefghijklmnop")
    open(home + "/aether-tui/keys.toml", "w").write('preset = "vim"\n[keys]\n' + options)
    profiles = "".join(f'[profile.p{number}]\nif-file = ["*{number}.mkv", "*.{number}"]\nspeed = 1.25\nvolume = 70\n' for number in range(20))
    themes = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "themes", "picture.toml")
    open(home + "/aether-tui/themes/own.toml", "w").write(open(themes).read())
    open(home + "/aether-tui/config.toml", "w").write('volume = 80\ntheme = "own"\nmute = false\nloop = true\n' + profiles)
    bare, full = [], []
    for _ in range(15):
        bare += first_pictures(home, FILM, "--no-config", times=1)
        full += first_pictures(home, FILM, times=1)
    said("exec to the first picture without settings", bare)
    said("the same with 20 profiles, 64 chords and a theme of one's own", full)
