#!/bin/sh
# The documentation of AetherEngine, with what it exports of other modules, by the toolchain's DocC. Each warning fails: a link that leads nowhere,
# a parameter that is none.
#   scripts/docs.sh [BUILD]    into .build-docs/AetherEngine.doccarchive, for any web server. BUILD: a folder of a build, as .build-thread/release,
#                              whose modules are taken; otherwise AetherEngine is built first (debug)
set -eu
cd "$(dirname "$0")/.."
PATH=$(scripts/swift-path.sh)
export PATH
tools=$(dirname "$(readlink -f "$(command -v swift)")")
[ -x "$tools/docc" ] || { echo "docs: this Swift has no docc: $tools" >&2; exit 1; }
if [ $# -eq 0 ]; then
    swift build --target AetherEngine
    build=.build/debug
else
    build=$1
fi
out=.build-docs
rm -rf "$out"
mkdir -p "$out/symbols"

# The modules of C that the interface names: ours have a map in their folder, or one that the build has made.
set --
for shim in Sources/C*; do
    for map in "$PWD/$shim/module.modulemap" "$PWD/$shim/include/module.modulemap" "$PWD/$build/$(basename "$shim").build/module.modulemap"; do
        [ ! -e "$map" ] || { set -- "$@" -Xcc "-fmodule-map-file=$map"; break; }
    done
done
exported=$(sed -n 's/^@_exported public import //p' Sources/AetherEngine/Exports.swift | paste -s -d ,)
[ -n "$exported" ] || { echo "docs: Sources/AetherEngine/Exports.swift exports nothing" >&2; exit 1; }
"$tools/swift-symbolgraph-extract" -module-name AetherEngine -target "$(uname -m)-unknown-linux-gnu" -minimum-access-level public \
    -skip-inherited-docs -I "$build/Modules" -output-dir "$out/symbols" "-experimental-allowed-reexported-modules=$exported" "$@"
# Without the symbols there is nothing to warn of.
[ "$(wc -c < "$out/symbols/AetherEngine.symbols.json")" -gt 1000000 ] || { echo "docs: the graph of symbols is nearly empty" >&2; exit 1; }
"$tools/docc" convert Sources/AetherEngine/Documentation.docc --additional-symbol-graph-dir "$out/symbols" --fallback-display-name AetherEngine \
    --fallback-bundle-identifier aether-tui.AetherEngine --fallback-default-module-kind Library --warnings-as-errors \
    --output-dir "$out/AetherEngine.doccarchive" > "$out/docc.log" 2>&1 && status=0 || status=$?
if [ "$status" -ne 0 ] || grep -qE '^(warning|error): ' "$out/docc.log"; then
    cat "$out/docc.log" >&2
    echo "docs: $(grep -cE '^(warning|error): ' "$out/docc.log") warnings or errors" >&2
    exit 1
fi
echo "docs: $out/AetherEngine.doccarchive, $(find "$out/AetherEngine.doccarchive/data" -name '*.json' | wc -l) pages, no warning"
