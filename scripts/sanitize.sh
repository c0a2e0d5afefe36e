#!/bin/sh
# The tests under a sanitizer: scripts/sanitize.sh thread|address. End-to-end tests are left out: their limits of time
# are for programs at full speed.
set -eu
cd "$(dirname "$0")/.."
kind=$1
echo "check: tests with the $kind sanitizer"
# C libraries keep global allocations until exit; our own are counted by the tests.
export ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS="halt_on_error=1 suppressions=$PWD/scripts/tsan.supp"
swift build --build-tests --sanitize "$kind" --scratch-path ".build-$kind"
swift test --sanitize "$kind" --scratch-path ".build-$kind" --skip-build --skip EndToEndTests
