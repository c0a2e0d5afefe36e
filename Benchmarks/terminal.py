"""A player on a pty that answers as a terminal does, for the benchmarks of the front end."""
import fcntl, os, pty, re, select, signal, statistics, struct, termios, time

COLUMNS, ROWS = 160, 45
SEQUENCE = re.compile(rb"\x1b\[[0-9;:?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\\\)|\x1b[\\\\78=>]")
QUESTION = re.compile(rb"\x1b\[5n|\x1b\[c|\x1b\[6n")
ANSWERS = {b"\x1b[5n": b"\x1b[0n", b"\x1b[c": b"\x1b[?62;c", b"\x1b[6n": b"\x1b[1;2R"}


class Player:
    """A running player and the terminal it is shown in."""

    def __init__(self, program, home, *words, directory=None, audio="--no-audio"):
        self.piece = b""
        environment = dict(
            os.environ, XDG_STATE_HOME=home, XDG_CACHE_HOME=home, XDG_CONFIG_HOME=home, TERM="xterm-256color",
            COLORTERM="truecolor", LANG="C.UTF-8")
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            if directory: os.chdir(directory)
            os.execve(program, [program, *audio.split(), "--no-mpris", *words], environment)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, COLUMNS * 8, ROWS * 16))
        self.began = time.monotonic()

    def take(self, until):
        """Reads, and answers what is asked, until a moment."""
        while (left := until - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]: continue
            try:
                piece = os.read(self.master, 1 << 16)
            except OSError:
                return
            for question in QUESTION.findall(piece): os.write(self.master, ANSWERS[question])
            self.piece = piece
            yield time.monotonic()

    def run(self, seconds):
        for _ in self.take(time.monotonic() + seconds): pass

    def see(self, text, until):
        """When a text was on the screen, or nothing. What came before does not count."""
        self.piece, plain, rest = b"", b"", b""
        for now in self.take(until):
            # Cells are placed by themselves: what is between the letters is not text. A sequence may be cut in two.
            rest += self.piece
            cut = rest.rfind(b"\x1b")
            whole, rest = (rest[:cut], rest[cut:]) if cut >= 0 and not SEQUENCE.match(rest[cut:]) else (rest, b"")
            plain = (plain + SEQUENCE.sub(b"", whole))[-8192:]
            if text in plain: return now
        return None

    def press(self, key, text, limit=3.0):
        """Milliseconds from a key to a text in the terminal's hands."""
        began = time.monotonic()
        os.write(self.master, key)
        now = self.see(text, began + limit)
        return None if now is None else (now - began) * 1000

    def thread_ticks(self):
        """CPU time of the main thread and of all threads, in seconds."""
        def ticks(path):
            fields = open(path).read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return ticks(f"/proc/{self.pid}/task/{self.pid}/stat"), ticks(f"/proc/{self.pid}/stat")

    def threads(self):
        """CPU time of each thread so far, in seconds, by its number and name; the first one is "main"."""
        found = {}
        for task in os.listdir(f"/proc/{self.pid}/task"):
            try:
                fields = open(f"/proc/{self.pid}/task/{task}/stat").read().rsplit(")", 1)[1].split()
                name = "main" if int(task) == self.pid else open(f"/proc/{self.pid}/task/{task}/comm").read().strip()
            except OSError:
                continue
            found[task, name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return found

    def shares(self, seconds):
        """CPU in hundredths of a core: of all, and of each kind of thread by its name, of those too that ended meanwhile."""
        first, began = self.threads(), time.monotonic()
        whole, last = self.thread_ticks()[1], dict(first)
        while time.monotonic() < began + seconds:
            self.run(0.2)
            last.update(self.threads())
        span, found = (time.monotonic() - began) / 100, {}
        for thread, ticks in last.items():
            found[thread[1]] = found.get(thread[1], 0) + (ticks - first.get(thread, 0)) / span
        return (self.thread_ticks()[1] - whole) / span, found

    def end(self):
        os.write(self.master, b"q")
        self.run(0.3)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def said(name, values):
    values = sorted(values)
    print(f"{name}: median {statistics.median(values):.1f} ms, p95 {values[int(len(values) * 0.95) - 1]:.1f}, max {values[-1]:.1f} (n={len(values)})")
