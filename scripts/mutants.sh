#!/bin/sh
# So many mutants of the files of a folder, each looked into by all inspectors with 64 MB of data: scripts/mutants.sh [COUNT] [FOLDER] [SEED] [FIRST].
# A mutant that stops it is named by its number; with FIRST it alone can be looked at.
set -eu
cd "$(dirname "$0")/.."
count=${1:-1000000}
folder=${2:-${AETHER_SHARED:-../shared}/corpus}
[ -d "$folder" ] || { echo "mutants: no folder $folder"; exit 2; }
AETHER_FUZZ=mutants swift build -c release --scratch-path .build-fuzz --product aether-mutants
# The backtracer of Swift waits for a debugger that is not there.
export SWIFT_BACKTRACE=enable=no
exec nice -n 19 .build-fuzz/release/aether-mutants "$count" "$folder" "${3:-1}" "${4:-0}"
