# The verdict on runs of `swift test`: read in by scripts/test.sh, proven by scripts/test-gate-test.sh. POSIX sh.
#
#   gate_begin FOLDER OPTION...         where the full logs go, and the build options of every run
#   gate_run TITLE SECONDS SELECTION... one run of the tests
#   gate_end                            the verdict on all of them: its status is the script's
#
# A run counts only when Swift Testing closed it by itself: one line "Test run with N tests ... passed|failed after", a status that
# says the same, no signal, within SECONDS. A failed run counts as failed tests only when the issues of the tests that are named add
# up to those of the closing line: then each named test has one more try, by itself. Everything else fails at once.

# So many tests in all may need a second run before the gate fails.
SECOND_TRIES_ALLOWED=2
# A test alone has so many seconds.
SECOND_TRY_SECONDS=180
# What is shown of a failed run: lines of issues, and of its end.
GATE_ISSUE_LINES=80
GATE_TAIL_LINES=25

gate_begin() {
    gate_logs=$1
    shift
    gate_options=$*
    gate_number=0
    gate_second=
    gate_tries=0
    gate_failed=
    rm -rf "$gate_logs"
    mkdir -p "$gate_logs"
}

# The closing lines of a log. The mark in front of them is one word of any bytes.
gate_closing() {
    LC_ALL=C grep -E '^([^ ]+ )?Test run with [0-9]+ tests?( in [0-9]+ suites?)? (passed|failed) after ' "$1" || :
}

# `NAME ISSUES` of each failed test of a log, without its suite, which the line does not name; known issues are none.
gate_names() {
    LC_ALL=C sed -nE 's/^[^ ]+ Test ([^ ]+)\(.*\)( with [0-9]+ test cases?)? failed after [^ ]+ seconds? with ([0-9]+) issues?( \(including ([0-9]+) known issues?\))?\.$/\1 \3 \5/p' "$1" |
        awk '{ print $1, $2 - $3 }'
}

# What was found wrong, with the values that were compared.
gate_issues() {
    LC_ALL=C awk '/^[^ ]+ (Test|Suite) .* recorded an issue/ || /Fatal error|^error: |Sanitizer: / { on = 1 } \
        /^[^ ]+ (Test|Suite) / && !/recorded an issue/ { on = 0 } on' "$1" | head -n "$GATE_ISSUE_LINES"
}

# The tests that began and did not end: what a hang or a crash was in.
gate_open() {
    LC_ALL=C sed -nE 's/^[^ ]+ Test ([^ ]+\(.*\)) (started\.|(with [0-9]+ test cases? )?(passed|failed) after .*)$/\2 \1/p' "$1" |
        awk '{ name = $NF; if ($1 == "started.") n[name]++; else n[name]-- } END { for (t in n) if (n[t] > 0) print "    " t }' | sort
}

# gate_swift LOG SECONDS SELECTION...: one run. Sets gate_verdict to passed, failed (closed by itself with failures), or says why it
# is neither; and gate_tests.
gate_swift() {
    gate_log=$1 gate_limit=$2
    shift 2
    # SIGINT: swift test passes it on to the tests, which SIGTERM would leave alive. Line by line: a hang shows where it stands.
    timeout -s INT -k 10 "$gate_limit" stdbuf -oL swift test $gate_options --skip-build --disable-xctest "$@" > "$gate_log" 2>&1 && gate_status=0 || gate_status=$?
    gate_lines=$(gate_closing "$gate_log")
    gate_count=$(printf '%s' "$gate_lines" | grep -c . || :)
    gate_tests=$(printf '%s\n' "$gate_lines" | sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p')
    case $gate_lines in
        *' passed after '*) gate_said=0 ;;
        *) gate_said=1 ;;
    esac
    if [ "$gate_status" -eq 124 ] || [ "$gate_status" -eq 137 ]; then
        gate_verdict="had not ended after $gate_limit s"
    elif LC_ALL=C grep -qE '^error: .*signal code' "$gate_log" || [ "$gate_status" -gt 1 ]; then
        gate_verdict="crashed (status $gate_status)"
    elif [ "$gate_count" -ne 1 ]; then
        gate_verdict="ended without its closing line (status $gate_status)"
    elif [ "$gate_tests" -eq 0 ]; then
        gate_verdict="had no test"
    elif [ "$gate_status" -ne "$gate_said" ]; then
        gate_verdict="ended with status $gate_status, but said: $gate_lines"
    elif [ "$gate_status" -eq 0 ]; then
        gate_verdict=passed
    else
        gate_verdict=failed
    fi
}

# gate_fail LOG TEXT: notes it and shows what the log has of it.
gate_fail() {
    gate_failed=1
    echo "test: FAILED: $2"
    gate_issues "$1"
    echo "test: began and did not end:"
    gate_open "$1"
    echo "test: the end of $1:"
    tail -n "$GATE_TAIL_LINES" "$1"
}

# The skipped tests and suites of a log, by reason.
gate_skipped() {
    LC_ALL=C sed -nE 's/^[^ ]+ (Test|Suite) .* skipped(: "(.*)")?\.?$/\3/p' "$1" | sort | uniq -c | sort -rn |
        sed -E 's/^ *([0-9]+) ?(.*)/    skipped \1: \2/'
}

gate_run() {
    gate_title=$1 gate_seconds=$2
    shift 2
    gate_number=$((gate_number + 1))
    gate_base=$gate_logs/$gate_number-$(printf '%s' "$gate_title" | tr -cs 'A-Za-z0-9\n' '-')
    echo "test: $gate_title"
    gate_began=$(date +%s)
    gate_swift "$gate_base.log" "$gate_seconds" "$@"
    [ -z "$gate_lines" ] || echo "    $gate_lines"
    gate_skipped "$gate_base.log"
    echo "    $(($(date +%s) - gate_began)) s, all of it in $gate_base.log"
    case $gate_verdict in
        passed) return 0 ;;
        failed) ;;
        *)
            gate_fail "$gate_base.log" "$gate_title $gate_verdict"
            return 0
            ;;
    esac
    gate_found=$(gate_names "$gate_base.log")
    gate_sum=$(printf '%s\n' "$gate_found" | awk '{ n += $2 } END { print n + 0 }')
    gate_total=$(printf '%s\n' "$gate_lines" |
        sed -nE 's/.* with ([0-9]+) issues?( \(including ([0-9]+) known issues?\))?\.$/\1 \3/p' | awk '{ print $1 - $2 }')
    if [ "$gate_sum" -eq 0 ] || [ "$gate_sum" != "$gate_total" ]; then
        gate_fail "$gate_base.log" "$gate_title has ${gate_total:-unknown} issues, $gate_sum of them in tests that are named"
        return 0
    fi
    gate_wanted=$(printf '%s\n' "$gate_found" | cut -d' ' -f1 | sort -u)
    gate_many=$(printf '%s\n' "$gate_found" | grep -c .)
    if [ $((gate_tries + gate_many)) -gt "$SECOND_TRIES_ALLOWED" ]; then
        gate_fail "$gate_base.log" "$gate_title: $gate_many tests failed, $gate_tries had a second run before; $SECOND_TRIES_ALLOWED may"
        return 0
    fi
    gate_tries=$((gate_tries + gate_many))
    gate_first=$gate_base.log
    for gate_name in $gate_wanted; do
        echo "test: $gate_name failed; once more, by itself. What failed:"
        gate_issues "$gate_first" | LC_ALL=C awk -v name=" Test $gate_name(" \
            '/^[^ ]+ Test / { on = index($0, name) } on { print "    " $0 }'
        gate_swift "$gate_base-$gate_name.log" "$SECOND_TRY_SECONDS" --no-parallel --filter "/$gate_name\\("
        gate_second="$gate_second${gate_second:+, }$gate_name"
        [ "$gate_verdict" = passed ] || gate_fail "$gate_base-$gate_name.log" "$gate_name failed a second time: $gate_verdict"
    done
}

gate_end() {
    if [ "$gate_tries" -gt 0 ]; then
        echo "test: $gate_tries tests needed a second run: $gate_second"
    fi
    if [ -n "$gate_failed" ]; then
        echo "test: FAILED"
        return 1
    fi
    echo "test: all passed"
}
