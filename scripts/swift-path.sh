#!/bin/sh
# Says the PATH by which `swift` is the one to build with: $SWIFT where that is given (the program's path), else one on PATH that is
# new enough, else the one that scripts/setup-swift.sh has unpacked.
#   scripts/swift-path.sh           prints a PATH
#   scripts/swift-path.sh version   prints "MAJOR MINOR" of that swift; nothing where there is none
set -eu

own=${XDG_DATA_HOME:-${HOME:-/nonexistent}/.local/share}/aether-tui/swift/usr/bin
version_of() { "$1" --version 2> /dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1; }
# 6.2 or later.
is_enough() { [ "$1" -gt 6 ] || { [ "$1" -eq 6 ] && [ "$2" -ge 2 ]; }; }

path=$PATH
if [ -n "${SWIFT:-}" ]; then
    path=$(dirname "$SWIFT"):$PATH
elif [ -x "$own/swift" ]; then
    found=$(command -v swift || :)
    present=$([ -z "$found" ] || version_of "$found")
    # shellcheck disable=SC2086
    is_enough ${present:-0 0} || path=$own:$PATH
fi
if [ "${1:-}" != version ]; then
    printf '%s\n' "$path"
else
    found=$(PATH=$path command -v swift || :)
    [ -z "$found" ] || version_of "$found"
fi
