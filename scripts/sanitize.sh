#!/bin/sh
# Tests under a sanitizer, in optimised builds: scripts/sanitize.sh thread|address|parsers.
#   thread, address   all tests but those that measure real time: their limits are for programs at full speed
#   parsers           the address sanitizer over what reads bytes from outside only: the parsers' tests and the fuzz suite, without the
#                     interface's two parsers; 3 minutes of two cores from nothing
set -eu
cd "$(dirname "$0")/.."
kind=$1
sanitizer=$kind
selection='--skip ^(AetherPlayingTests|EndToEndTests)\.'
[ "$kind" = parsers ] && sanitizer=address && selection='--filter ^(AetherFormatsTests|AetherFuzzTests)\.'
# Package.swift looks at it: C of ours traps on undefined behaviour, too, and `parsers` builds only what it needs.
export AETHER_SANITIZE="$kind"
# C libraries keep global allocations until exit; our own are counted by the tests. So are threads: at exit the thread sanitizer counts those, too,
# that have ended and whose owner lives as long as the program.
export ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0 suppressions=$PWD/scripts/tsan.supp"
options="-c release -Xswiftc -enable-testing --sanitize $sanitizer --scratch-path .build-$kind"
echo "check: building the tests with the $sanitizer sanitizer"
swift build --build-tests $options

. scripts/test-gate.sh
gate_begin ".build-$kind/logs" $options
# One word each: neither selection has a space.
# The thread sanitizer takes half an hour beside other work.
gate_run "the tests under the $sanitizer sanitizer" 3600 ${selection%% *} "${selection#* }"
gate_end
