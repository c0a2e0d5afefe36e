#!/bin/sh
# Set-up, build, tests: what `make test` and the server run. Arguments: the build options, from the Makefile.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh test
echo "test: building the programs and the tests (release mode, testing enabled)"
swift build --build-tests "$@"
scripts/demo-clip.sh demo/demo.mkv
# In three runs: what decodes two hundred films on every core would hold up those that keep real time.
echo "test: running the unit tests"
swift test "$@" --skip-build --skip 'AetherEngineTests|EndToEndTests'
echo "test: running the engine's tests, some of them in real time"
swift test "$@" --skip-build --filter AetherEngineTests
echo "test: running the programs on pseudo-terminals, in real time"
swift test "$@" --skip-build --filter EndToEndTests
echo "test: all passed"
