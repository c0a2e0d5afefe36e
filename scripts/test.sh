#!/bin/sh
# Set-up, build, tests: what `make test` and the server run. Arguments: the build options, from the Makefile.
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
# Alone and one after the other: nothing of ours holds them up.
gate_run "the engine playing in real time" 1500 --no-parallel --filter '^AetherPlayingTests\.'
gate_run "the programs on pseudo-terminals, in real time" 1500 --filter '^EndToEndTests\.'
gate_end
