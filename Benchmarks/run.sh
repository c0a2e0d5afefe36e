#!/bin/sh
# Measures aether-tui beside its peers with termbench: $TERMBENCH, or ../shared/termbench.
#   Benchmarks/run.sh [players] [avsync] [link] [seek]      default: all four
#   CLIPS="nat-720p24 nat-1080p24"  SIZE=160x45  REPEATS=3  PLAYER=path/to/aether-tui
set -eu
cd "$(dirname "$0")/.."
termbench=${TERMBENCH:-../shared/termbench}
player=${PLAYER:-.build/release/aether-tui}
if [ ! -f "$termbench/termbench.py" ]; then
    echo "bench: no termbench in $termbench (set TERMBENCH): nothing measured" >&2
    exit 0
fi
[ -x "$player" ] || { echo "bench: $player is missing: run 'make build' first" >&2; exit 1; }

# Its folder may be read-only, and what it builds is not ours to leave behind.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
cp -r "$termbench/." "$work/"
chmod -R u+w "$work"
make -s -C "$work"
PYTHONPATH="$work" PYTHONDONTWRITEBYTECODE=1 python3 Benchmarks/measure.py --termbench "$work" --player "$(realpath "$player")" "$@"
