#!/bin/sh
# Each fuzz target for so many seconds: scripts/fuzz.sh [SECONDS] [NAME ...]. Inputs that failed stay in .build-fuzz/failed.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- $(ls Tests/Fuzz/Seeds)
AETHER_FUZZ=1 swift build -c release -Xswiftc -enable-testing --sanitize fuzzer --scratch-path .build-fuzz --product aether-fuzz
mkdir -p .build-fuzz/failed
# The backtracer of Swift waits for a debugger that is not there.
export SWIFT_BACKTRACE=enable=no
for name; do
    echo "fuzz: $name for $seconds s"
    mkdir -p ".build-fuzz/corpus/$name"
    AETHER_FUZZ_TARGET=$name .build-fuzz/release/aether-fuzz -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=512 \
        -verbosity=0 -print_final_stats=1 -artifact_prefix=".build-fuzz/failed/$name-" ".build-fuzz/corpus/$name" "Tests/Fuzz/Seeds/$name"
done
echo "fuzz: nothing failed"
