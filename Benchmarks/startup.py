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
    libraries = [found[name] for name in needed if name in found]
    subprocess.run(["cc", "-O2", "-o", made, source, "-Wl,--no-as-needed", *libraries, "-Wl,-z,now"], check=True)
    return made, len(found)


def seconds(arguments):
    began = time.monotonic()
    subprocess.run(arguments, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    with tempfile.TemporaryDirectory() as folder:
        empty, libraries = floor(program, folder)
        pairs = [(seconds([empty]), seconds([program, "--version"])) for _ in range(runs + 2)][2:]
    line = lambda name, times: print(
        f"{name:8} median {statistics.median(times) * 1000:6.1f} ms, least {min(times) * 1000:6.1f}, p95 {sorted(times)[int(len(times) * 0.95)] * 1000:6.1f}")
    line("floor", [pair[0] for pair in pairs])
    line("program", [pair[1] for pair in pairs])
    print(f"beyond   median {statistics.median(b - a for a, b in pairs) * 1000:6.1f} ms ({runs} runs in turns, {libraries} libraries, load {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    main()
