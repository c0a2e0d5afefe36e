#!/bin/sh
# Set-up, build, tests: what `make test` and the server run. Arguments: the build options, from the Makefile. AETHER_BESIDE: a command to run
# at the lowest priority beside the tests in real time, which leave the machine idle for nine tenths; what it finds counts as theirs does.
set -eu
cd "$(dirname "$0")/.."
scripts/test-gate-test.sh
scripts/setup-swift-test.sh
scripts/setup.sh test
PATH=$(scripts/swift-path.sh)
export PATH
echo "test: building the programs and the tests (release mode, testing enabled)"
swift build --build-tests "$@"
scripts/demo-clip.sh demo/demo.mkv

. scripts/test-gate.sh
gate_begin .build-test/logs "$@"
# The seconds are four times those of two cores that nothing else uses; beside builds and other tests they took 876 of the unit tests.
gate_run "the unit tests" 1800 --skip '^(AetherPlayingTests|EndToEndTests)\.'
beside=
if [ -n "${AETHER_BESIDE:-}" ]; then
    echo "test: beside the next two: $AETHER_BESIDE"
    # SwiftPM starts its compilers at the usual niceness, whatever its own is; the policy for idle work stays with all that is started.
    idle=$(chrt -i 0 true 2> /dev/null && echo "chrt -i 0" || :)
    nice -n 19 $idle $AETHER_BESIDE > .build-test/logs/beside.log 2>&1 &
    beside=$!
    trap 'kill "$beside" 2> /dev/null || :' EXIT
fi
# Alone and one after the other: nothing of ours but that holds them up.
gate_run "the engine playing in real time" 1500 --no-parallel --filter '^AetherPlayingTests\.'
gate_run "the programs on pseudo-terminals, in real time" 1500 --filter '^EndToEndTests\.'
if [ -n "$beside" ]; then
    echo "test: $AETHER_BESIDE"
    began=$(date +%s)
    wait "$beside" && status=0 || status=$?
    trap - EXIT
    # The log of a build that passes is of no use to anybody.
    [ "$status" -eq 0 ] && sed -n '/^test: /p; /Test run with/p' .build-test/logs/beside.log || tail -n 100 .build-test/logs/beside.log
    echo "    it was waited for $(($(date +%s) - began)) s"
    [ "$status" -eq 0 ] || gate_fail .build-test/logs/beside.log "$AETHER_BESIDE failed (status $status)"
fi
gate_end
