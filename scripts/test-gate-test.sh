#!/bin/sh
# Proves scripts/test-gate.sh: its verdict on runs of a made-up `swift` that passes, fails, crashes, hangs or says too little.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"

# Writes the `swift` of the next cases. It is given the arguments; `alone` tells a second run.
fake() {
    { printf '#!/bin/sh\ncase "$*" in *--filter*/*) alone=1 ;; *) alone= ;; esac\n'; cat; } > "$folder/bin/swift"
    chmod +x "$folder/bin/swift"
}

# expect STATUS TEXT TITLE: two runs under the gate (1 s each), what it must end with and must say.
expect() {
    status=0
    (
        set +e
        PATH=$folder/bin:$PATH
        . scripts/test-gate.sh
        SECOND_TRY_SECONDS=1
        gate_begin "$folder/logs" -c release
        gate_run "the first" 1 --skip Two
        gate_run "the second" 1 --filter Two
        gate_end
    ) > "$folder/said" 2>&1 || status=$?
    if [ "$status" -ne "$1" ] || ! grep -qF "$2" "$folder/said"; then
        echo "test-gate-test: $3: status $status, wanted $1 and \"$2\" in"
        cat "$folder/said"
        exit 1
    fi
}

fake << 'EOF'
echo '➜ Test corpus() skipped: "needs ../shared"'
echo '➜ Suite Corpus skipped: "needs ../shared"'
echo '✔ Test run with 3 tests in 2 suites passed after 1.250 seconds.'
EOF
expect 0 'test: all passed' 'a run that passes'
expect 0 'skipped 2: needs ../shared' 'what is skipped is said with its reason'
[ "$(wc -l < "$folder/said")" -le 12 ] || { echo "test-gate-test: the log of a passing run is long"; exit 1; }

fake << 'EOF'
echo '✔ Test run with 0 tests in 0 suites passed after 0.001 seconds.'
EOF
expect 1 'the first had no test' 'a selection that finds nothing'

# One flaky test: the first run fails, the second, by itself, passes.
fake << 'EOF'
[ -z "$alone" ] || { echo '✔ Test run with 1 test in 1 suite passed after 0.1 seconds.'; exit 0; }
case "$*" in *'--filter Two'*) echo '✔ Test run with 1 test in 1 suite passed after 0.1 seconds.'; exit 0 ;; esac
echo '✘ Test flaky(_:) recorded an issue with 1 argument x → 2 at A.swift:6:47: Expectation failed: 480 < 400'
echo '✘ Test flaky(_:) with 3 test cases failed after 0.002 seconds with 2 issues (including 1 known issue).'
echo '✘ Suite A failed after 0.003 seconds with 2 issues (including 1 known issue).'
echo '✘ Test run with 7 tests in 2 suites failed after 0.053 seconds with 2 issues (including 1 known issue).'
echo 'error: fail' >&2
exit 1
EOF
expect 0 'test: 1 tests needed a second run: flaky' 'a second run that passes is counted'
expect 0 '480 < 400' 'a second run is said with its reason'

# Fails again.
fake << 'EOF'
echo '✘ Test broken() recorded an issue at A.swift:6:47: Expectation failed: 1 == 2'
echo '✘ Test broken() failed after 0.002 seconds with 1 issue.'
echo '✘ Test run with 7 tests in 2 suites failed after 0.053 seconds with 1 issue.'
exit 1
EOF
expect 1 'broken failed a second time' 'a test that fails twice'

# Passes alone, but as no test at all.
fake << 'EOF'
[ -z "$alone" ] || { echo '✔ Test run with 0 tests in 0 suites passed after 0.1 seconds.'; exit 0; }
echo '✘ Test broken() failed after 0.002 seconds with 1 issue.'
echo '✘ Test run with 7 tests in 2 suites failed after 0.053 seconds with 1 issue.'
exit 1
EOF
expect 1 'broken failed a second time: had no test' 'a second run that finds no test'

# Two in each run: four in all are too many, though each would pass alone.
fake << 'EOF'
[ -z "$alone" ] || { echo '✔ Test run with 1 test in 1 suite passed after 0.1 seconds.'; exit 0; }
echo '✘ Test one() failed after 0.002 seconds with 1 issue.'
echo '✘ Test two() failed after 0.002 seconds with 3 issues.'
echo '✘ Test run with 7 tests in 2 suites failed after 0.053 seconds with 4 issues.'
exit 1
EOF
expect 1 '2 tests failed, 2 had a second run before; 2 may' 'second runs are counted over all'
expect 1 'test: 2 tests needed a second run: one, two' 'and said at the end'

# A failure, then a crash: the rest never ran.
fake << 'EOF'
[ -z "$alone" ] || { echo '✔ Test run with 1 test in 1 suite passed after 0.1 seconds.'; exit 0; }
echo '✘ Test one() failed after 0.002 seconds with 1 issue.'
echo '◇ Test two() started.'
echo "error: Process 'x' exited with unexpected signal code 11" >&2
exit 1
EOF
expect 1 'crashed' 'a crash after a failure'
expect 1 '    two()' 'a crash names what was at work'

# The same of a swift that dies itself, and of one that ends without a word of it.
fake << 'EOF'
echo '✘ Test one() failed after 0.002 seconds with 1 issue.'
kill -SEGV $$
EOF
expect 1 'crashed (status 139)' 'a signal'
fake << 'EOF'
echo '✘ Test one() failed after 0.002 seconds with 1 issue.'
exit 1
EOF
expect 1 'ended without its closing line' 'no closing line'
fake << 'EOF'
echo '✔ Test run with 3 tests in 2 suites passed after 1.250 seconds.'
echo "error: Process 'x' exited with unexpected signal code 6" >&2
exit 1
EOF
expect 1 'crashed' 'a crash behind the closing line'
fake << 'EOF'
echo '✔ Test run with 3 tests in 2 suites passed after 1.250 seconds.'
exit 1
EOF
expect 1 'ended with status 1, but said:' 'a status that contradicts the closing line'
fake << 'EOF'
echo '✘ Test run with 3 tests in 2 suites failed after 1.250 seconds with 1 issue.'
EOF
expect 1 'ended with status 0, but said:' 'a failure with a good status'

# Failures that no named test accounts for: an issue of no test, a name that cannot be read.
fake << 'EOF'
[ -z "$alone" ] || { echo '✔ Test run with 1 test in 1 suite passed after 0.1 seconds.'; exit 0; }
echo '✘ Test «unknown» recorded an issue at b.swift:6:42: Expectation failed: 1 == 3'
echo '✘ Test one() failed after 0.002 seconds with 1 issue.'
echo '✘ Test run with 3 tests in 2 suites failed after 1.250 seconds with 2 issues.'
exit 1
EOF
expect 1 'has 2 issues, 1 of them in tests that are named' 'an issue of no test'
fake << 'EOF'
echo '✘ Test run with 3 tests in 2 suites failed after 1.250 seconds with 4 issues.'
exit 1
EOF
expect 1 'has 4 issues, 0 of them' 'failures without names'

# A hang, after all other tests have passed; and one behind the closing line.
fake << 'EOF'
echo '✔ Test one() passed after 0.002 seconds.'
echo '◇ Test waits() started.'
exec sleep 20
EOF
expect 1 'had not ended after 1 s' 'a hang'
expect 1 '    waits()' 'a hang names what was at work'
fake << 'EOF'
echo '✔ Test run with 3 tests in 2 suites passed after 1.250 seconds.'
exec sleep 20
EOF
expect 1 'had not ended after 1 s' 'a hang behind the closing line'

echo "test-gate-test: the gate judges as it should"
