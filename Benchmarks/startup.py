#!/usr/bin/env python3
"""From exec to the end of `--version`, beside a program that does nothing and needs the same libraries: the floor of the dynamic linker.

    Benchmarks/startup.py PROGRAM [RUNS]

In turns, so that both meet the same machine. Needs cc and readelf.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time


def floor(program, folder):
    """A program whose main returns 0, with the libraries and the binding of `program`."""
    dynamic = subprocess.run(["readelf", "-dW", program], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout, re.M))
    source = os.path.join(folder, "floor.c")
    with open(source, "w") as file:
        file.write("int main(void) { return 0; }\n")
    made = os.path.join(folder, "floor")
    # Programs of a test build find Swift's libraries by a path of their own.
    paths = [f"-Wl,-rpath,{path}" for path in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic)]
    libraries = [found[name] for name in needed if name in found]
    subprocess.run(["cc", "-O2", "-o", made, source, "-Wl,--no-as-needed", *libraries, *paths, "-Wl,-z,now"], check=True)
    return made, len(found)


def measured(arguments):
    """Seconds that passed, and seconds of CPU, which other programs change little."""
    began = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: status {process.returncode}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    with tempfile.TemporaryDirectory() as folder:
        empty, libraries = floor(program, folder)
        pairs = [(measured([empty]), measured([program, "--version"])) for _ in range(runs + 2)][2:]

    def line(name, times):
        print(f"{name:8}" + ", ".join(f"{what} median {statistics.median(column) * 1000:6.1f} ms (least {min(column) * 1000:6.1f})"
                                      for what, column in zip(("wall", "CPU"), zip(*times))))

    line("floor", [pair[0] for pair in pairs])
    line("program", [pair[1] for pair in pairs])
    line("beyond", [(b[0] - a[0], b[1] - a[1]) for a, b in pairs])
    print(f"{runs} runs in turns, {libraries} libraries, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
