#!/usr/bin/env python3
"""Asks the terminal it runs in what aether-tui asks, and writes the answers down as test data.

    scripts/record-terminal.py Tests/AetherTerminalTests/Recordings/NAME.txt ["how it was started"]

Run it in the terminal to be recorded. A test folds every file of that folder into the probe; what must follow from it stands in
RecordingTests.swift. Needs Python 3 only. ESC is written ^[, other control bytes \\xNN; each answer has its line.
"""
import base64, datetime, os, platform, select, subprocess, sys, termios, time, tty

VARIABLES = ["TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "STY", "ZELLIJ", "KONSOLE_VERSION",
             "VTE_VERSION", "KITTY_WINDOW_ID", "WEZTERM_PANE", "WT_SESSION", "MLTERM", "LANG", "LC_ALL", "SSH_CONNECTION"]
ESC = b"\x1b"


def wrapped(sequence):
    return ESC + b"Ptmux;" + sequence.replace(ESC, ESC + ESC) + ESC + b"\\"


def batch(shared_memory):
    """The same questions in the same order as CapabilityProbe.query."""
    in_tmux = os.environ.get("TMUX") or os.environ.get("TERM", "").startswith("tmux")
    takes_apc_for_title = in_tmux or os.environ.get("STY") or os.environ.get("TERM", "").startswith("screen")
    first_id = 33 if in_tmux else 31
    kitty = [b"\x1b_Gi=%d,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" % first_id,
             b"\x1b_Gi=%d,s=1,v=1,a=q,t=s,f=24;%s\x1b\\" % (first_id + 1, base64.b64encode(shared_memory))]
    if os.environ.get("TERM") == "linux":
        return b"\x1b7\r\xc3\xa9\x1b[6n\r\x1b[K\x1b8\x1b[5n\x1b[c"
    # tmux drops what it is to pass through while it redraws the pane for the alternate screen: those go first.
    questions = [wrapped(question) for question in kitty] if in_tmux else []
    questions += [b"\x1b[?1049h\x1b[H\xc3\xa9", b"\x1b[6n", b"\x1b[>0q", b"\x1b[>c"] + ([] if takes_apc_for_title else kitty)
    questions += [b"\x1b[?2026$p", b"\x1b[?1016$p", b"\x1b[?80$p", b"\x1b[?1;1;0S", b"\x1b[?2;1;0S", b"\x1b[?2;4;0S", b"\x1b[16t", b"\x1b[14t"]
    questions += [b"\x1b[38;2;1;2;3m", b"\x1bP$qm\x1b\\", b"\x1b[0m", b"\x1b]11;?\x1b\\", b"\x1b[?1049l\x1b[0m", b"\x1b[5n",
                  b"\x1b[c"]
    return b"".join(questions)


def readable(answers):
    text = ""
    for index, byte in enumerate(answers):
        if byte == 0x1B:
            # A string's end stays on its line.
            starts = answers[index + 1:index + 2] != b"\\"
            text += ("\n" if starts and text else "") + "^["
        elif 0x20 <= byte < 0x7F and byte != 0x5C:
            text += chr(byte)
        elif byte == 0x5C:
            text += "\\"
        else:
            text += "\\x%02X" % byte
    return text


def ask(terminal, question, patience):
    """Everything that arrives until half a second of silence, or until the patience is at its end."""
    os.write(terminal, question)
    answers, deadline = b"", time.monotonic() + patience
    while time.monotonic() < deadline and len(answers) < 1 << 20:
        ready, _, _ = select.select([terminal], [], [], 0.5 if answers else deadline - time.monotonic())
        if not ready:
            break
        answers += os.read(terminal, 4096)
    return answers


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    name = b"/aether-record-%d" % os.getpid()
    path = "/dev/shm" + name.decode()
    with open(path, "wb") as pixel:
        pixel.write(b"\0\0\0")
    terminal = os.open("/dev/tty", os.O_RDWR)
    before = termios.tcgetattr(terminal)
    tty.setraw(terminal)
    try:
        answers = ask(terminal, batch(name), 3)
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)
    taken = not os.path.exists(path)
    if not taken:
        os.unlink(path)
    header = ["started: " + (sys.argv[2] if len(sys.argv) > 2 else "not said"), "date: " + datetime.date.today().isoformat(),
              "how: scripts/record-terminal.py on " + platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()),
              "shared memory: " + ("taken by the terminal" if taken else "left lying")]
    if os.environ.get("TMUX"):
        outer = subprocess.run(["tmux", "display-message", "-p", "#{client_termtype}"], capture_output=True, text=True)
        header += ["outer: " + outer.stdout.strip()]
    header += ["env %s=%s" % (key, os.environ[key]) for key in VARIABLES if os.environ.get(key)]
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write("".join("# %s\n" % line for line in header) + readable(answers) + "\n")


main()
