#!/bin/sh
# Set-up, build, tests: what `make test` and the server run. Arguments: the build options, from the Makefile.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh test
echo "test: building the programs and the tests (release mode, testing enabled)"
swift build --build-tests "$@"
scripts/demo-clip.sh demo/demo.mkv
echo "test: running the tests"
swift test "$@" --skip-build
echo "test: all passed"
