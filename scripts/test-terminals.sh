#!/bin/sh
# Plays a still video in real terminals on an X server of its own, and compares screenshots with its frame.
#   scripts/test-terminals.sh [--program PATH] [--pictures DIR] [WORD ...]
# WORDs: only the cases so named, such as: kitty sextant. --pictures keeps the screenshots.
# Needs no display. What cannot run here is skipped, and said; the exit status is 1 where something that ran looks wrong.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh terminals
# The first python3 on PATH need not be Debian's, which has what was just installed.
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2> /dev/null && PYTHONDONTWRITEBYTECODE=1 exec "$python" scripts/terminals/cases.py "$@"
done
echo "test-terminals: python3 has no numpy here (Debian: python3-numpy)" >&2
exit 1
